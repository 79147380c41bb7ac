// SPDX-License-Identifier: MIT
// npu.while_loop: a program again and again, as long as another one says so.
#pragma once
#include <ahead/device/blocks/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.while_loop(Tensor[] tensors, int test, int body, int bound, int flag, int arena, int ticks): tensors are what is
/// carried, what both blocks are given besides, and the constants of those that have some, in the order of the blocks.
/// Results begin as what is carried, and the body writes them anew each round; after `bound` rounds of which the test
/// would have another one, the run is refused. The test writes its answer `flag` bytes into the workspace, which both
/// blocks run in.
struct while_loop : detail::block_call<while_loop> {
    static constexpr std::string_view name = "npu.while_loop"sv;
    enum at : int { tensors, test, body, bound, flag, arena, ticks };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("test", parameter_kind::integer),
        required("body", parameter_kind::integer),        required("bound", parameter_kind::integer),
        required("flag", parameter_kind::integer),        required("arena", parameter_kind::integer),
        required("ticks", parameter_kind::integer)};
};

} // namespace ahead::device
