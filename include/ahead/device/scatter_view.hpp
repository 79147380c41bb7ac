// SPDX-License-Identifier: MIT
// npu.scatter_view: a tensor in which a view is overwritten, in place where the planner allows it.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/key/strided_key.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// Key of npu.scatter_view: the whole tensor, which is copied unless it is overwritten in place, and a loop over the
/// view that is written.
struct scatter_view_key {
    std::int64_t whole_bytes = 0;
    std::int64_t offset = 0; // where the view begins, in elements
    strided_key part{};      // result: the view in the whole; operand: the source
    friend constexpr bool operator==(const scatter_view_key&, const scatter_view_key&) = default;
};
AHEAD_FIELDS(scatter_view_key, whole_bytes, offset, part)

/// npu.scatter_view(Tensor self, Tensor source, int[] size, int[] stride, int offset): self, which is dense, with the
/// given view replaced by source.
struct scatter_view {
    static constexpr std::string_view name = "npu.scatter_view"sv;
    enum at : int { self, source, size, stride, offset };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("source", parameter_kind::tensor),
        required("size", parameter_kind::int_list), required("stride", parameter_kind::int_list),
        required("offset", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        out.offset = 0;
        return c.result(out);
    }
    static constexpr scatter_view_key key(const call_view& c) {
        const auto part = tensor_of(c.tensor(at::self).type, c.ints(at::size), c.ints(at::stride));
        const std::array operands{&c.tensor(at::source)};
        return {bytes_of(part.type, extent_of(c.result_type())), c.integer(at::offset),
                strided_key_of(part, operands)};
    }
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i == at::self && c.tensor(at::self) == c.result_type();
    }
};

} // namespace ahead::device
