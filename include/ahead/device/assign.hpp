// SPDX-License-Identifier: MIT
// npu.assign: writes into the caller's memory.
// Invariant: it is the only operator whose result is stored in the memory of a placeholder that it writes; it runs
// after every reader of the old value (plan/check.hpp proves it).
#pragma once
#include <ahead/device/key/strided_key.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.assign(Tensor(a!) port, Tensor value): the caller's tensor gets the elements of value, of its dtype and sizes.
struct assign {
    static constexpr std::string_view name = "npu.assign"sv;
    enum at : int { port, value };
    static constexpr parameter schema[] = {required("port", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor)};
    static constexpr effects effect{.view_of = at::port, .mutates = at::port};
    static constexpr bool infer(infer_context& c) { return c.view_result(c.tensor(at::port), at::port); }
    static constexpr strided_key key(const call_view& c) {
        const std::array operands{&c.tensor(at::value)};
        return strided_key_of(c.tensor(at::port), operands);
    }
};
constexpr bool is_assign(const node& n) { return is_call_of<assign>(n); }

} // namespace ahead::device
