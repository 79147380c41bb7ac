// SPDX-License-Identifier: MIT
// npu.view: the same bytes under another type. It has neither task nor kernel.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.view(Tensor self): the same bytes under another type, which the converter sets.
struct view {
    static constexpr std::string_view name = "npu.view"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr effects effect{.view_of = at::self};
    static constexpr bool infer(infer_context& c) {
        const auto kept = c.in().is_typed(c.id()) ? c.result_type() : c.tensor(at::self);
        return c.view_result(kept, at::self);
    }
};
constexpr bool is_view(const node& n) { return is_call_of<view>(n); }

} // namespace ahead::device
