// SPDX-License-Identifier: MIT
// npu.concat: tensors of one dtype joined along an existing dim or along a new one. The key says for each part where it
// is placed and how it is read.
// Invariant: all parts have the result's sizes except along the axis; a new dim has size 1 in every part.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/strided_key.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

inline constexpr std::int32_t max_concat_parts = 16;

struct concat_part {
    basic_strided_key<2> loop{}; // over the part: its strides in the result, and in the operand
    std::int64_t offset = 0;     // where the part begins in the result, in elements
    friend constexpr bool operator==(const concat_part&, const concat_part&) = default;
};
AHEAD_FIELDS(concat_part, loop, offset)

struct concat_key {
    std::int32_t count = 0;
    std::array<concat_part, max_concat_parts> parts{};
    friend constexpr bool operator==(const concat_key&, const concat_key&) = default;
};
AHEAD_FIELDS(concat_key, count, parts)

/// npu.concat(Tensor[] tensors, int dim, bool new_dim): at most 16 tensors; dim counts from 0; the result is
/// contiguous.
struct concat {
    static constexpr std::string_view name = "npu.concat"sv;
    enum at : int { tensors, dim, new_dim };
    static constexpr parameter schema[] = {required("tensors", parameter_kind::tensor_list),
                                           required("dim", parameter_kind::integer),
                                           required("new_dim", parameter_kind::boolean)};
    template <class Call> static constexpr tensor_type part(const Call& c, std::int32_t k) {
        auto t = c.in().value_of(c.element(at::tensors, k)).type;
        if (!c.boolean(at::new_dim)) return t;
        int_list sizes, strides;
        for (int d = 0; d <= t.rank; ++d) {
            const int own = d - (d > c.integer(at::dim));
            sizes.push_back(d == c.integer(at::dim) ? 1 : t.size(own));
            strides.push_back(d == c.integer(at::dim) ? 0 : t.stride(own));
        }
        auto out = tensor_of(t.type, sizes);
        for (int d = 0; d < out.rank; ++d) out.strides[static_cast<std::size_t>(d)] = strides[d];
        return out;
    }
    static constexpr bool infer(infer_context& c) {
        const auto axis = static_cast<int>(c.integer(at::dim));
        auto sizes = sizes_of(part(c, 0));
        for (std::int32_t k = 1; k < c.list_size(at::tensors); ++k) sizes[axis] += part(c, k).size(axis);
        return c.result(tensor_of(c.in().value_of(c.element(at::tensors, 0)).type.type, sizes));
    }
    /// Whether each part is one block of the result, directly after the previous part: all dims before the axis have
    /// size 1.
    static constexpr bool are_blocks(const tensor_type& result, std::int64_t axis) {
        for (int d = 0; d < axis; ++d)
            if (result.size(d) != 1) return false;
        return true;
    }
    /// Whether the parts are interleaved: they are not blocks, but each part has the result's strides, with gaps where
    /// the other parts are. f(k): the type of part k.
    static constexpr bool are_woven(const tensor_type& result, std::int64_t axis, std::int32_t count, auto type_of) {
        if (count < 2 || are_blocks(result, axis)) return false;
        for (std::int32_t k = 0; k < count; ++k) {
            const tensor_type& own = type_of(k);
            if (own.type != result.type || own.layout != memory_layout::strided || own.rank != result.rank ||
                own.offset != 0 || own.size(static_cast<int>(axis)) < 1)
                return false;
            for (int d = 0; d < own.rank; ++d)
                if ((d != axis && own.size(d) != result.size(d)) || own.stride(d) != result.stride(d)) return false;
        }
        return true;
    }
    /// Whether the tasks that compute the parts may write them into the result: blocks, or interleaved parts without a
    /// new dim, which must then all be written so.
    static constexpr bool joins(const call_view& c) {
        const auto type_of = [&](std::int32_t k) { return c.in().value_of(c.element(at::tensors, k)).type; };
        const auto axis = c.integer(at::dim);
        return are_blocks(c.result_type(), axis) ||
               (!c.boolean(at::new_dim) && are_woven(c.result_type(), axis, c.list_size(at::tensors), type_of));
    }
    static constexpr concat_key key(const call_view& c) {
        const auto axis = static_cast<int>(c.integer(at::dim));
        auto place = c.result_type(); // the type of one part at a time
        concat_key key{c.list_size(at::tensors), {}};
        std::int64_t offset = 0;
        for (std::int32_t k = 0; k < key.count; ++k) {
            const auto own = part(c, k);
            const std::array operands{&own};
            place.sizes[static_cast<std::size_t>(axis)] = own.size(axis);
            key.parts[static_cast<std::size_t>(k)] = {strided_key_of<2>(place, operands), offset};
            offset += own.size(axis) * place.stride(axis);
        }
        return key;
    }
    /// Parts follow the symbol in the same dim as the result, which is not the dim along which they are joined.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.is_sound()) return {};
        const auto axis = c.at(at::dim).integer();
        bool ok = c.result().follows() && c.result().dim != axis;
        for_each_operand(c.of.full, c.own().arguments, [&](const argument& a) {
            const auto own = c.given(a);
            ok = ok && own.each == c.result().each &&
                 own.dim + (c.at(at::new_dim).boolean() && own.dim >= axis) == c.result().dim;
        });
        return ok ? c.pieces() : c.refuse("a bounded dim that is not the one joined", ahead::print(c.result_type()));
    }
};
constexpr bool is_concat(const node& n) { return is_call_of<concat>(n); }

} // namespace ahead::device
