// SPDX-License-Identifier: MIT
// npu.while_loop: runs a program repeatedly, as long as another one returns true.
#pragma once
#include <ahead/device/blocks/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.while_loop(Tensor[] tensors, int test, int body, int bound, int flag, int arena, int ticks): tensors are the
/// carried values, the other operands of both blocks, and the constants of the blocks that have some, in the order of
/// the blocks. Results start as the carried values, and the body overwrites them in each round. If the test is still
/// true after `bound` rounds, the run is refused. The test writes its answer at byte `flag` of the workspace, which
/// both blocks run in.
struct while_loop : detail::block_call<while_loop> {
    static constexpr std::string_view name = "npu.while_loop"sv;
    enum at : int { tensors, test, body, bound, flag, arena, ticks };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("test", parameter_kind::integer),
        required("body", parameter_kind::integer),        required("bound", parameter_kind::integer),
        required("flag", parameter_kind::integer),        required("arena", parameter_kind::integer),
        required("ticks", parameter_kind::integer)};
    static constexpr int blocks[] = {test, body};
    static constexpr bool states_needs(auto& call) {
        const block_needs *a = call.runs(test), *b = a != nullptr ? call.runs(body) : nullptr;
        return b != nullptr && call.finds_constants(*a, *b) && call.is("bytes", detail::larger_arena(*a, *b), flag) &&
               call.is("bytes", call.number(flag) + 1, arena) &&
               (call.number(bound) > 0 || call.broken("a bound from 1", short_text() << call.number(bound)));
    }
};

} // namespace ahead::device
