// SPDX-License-Identifier: MIT
// npu.concat: tensors of one dtype joined along a dim that they have, or along a new one. The key says of each where it
// lies and how it is read.
// Invariant: all parts have the result's sizes but for the axis; a new dim is one of size 1 in every part.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/target/key/copy_key.hpp>

namespace AHEAD_NAMESPACE::target {

inline constexpr std::int32_t max_concat_parts = 16;

struct concat_key {
    std::int32_t axis = 0;
    std::int32_t count = 0;
    std::array<std::int64_t, max_rank> strides{};   // of the result, in elements
    std::array<copy_key, max_concat_parts> parts{}; // sizes, and strides of the part itself
    friend constexpr bool operator==(const concat_key&, const concat_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const concat_key& k, const concat_key& usual, auto f) {
    f("axis", k.axis, usual.axis);
    f("count", k.count, usual.count);
    f("strides", k.strides, usual.strides);
    f("parts", k.parts, usual.parts);
}

} // namespace ahead::target

namespace AHEAD_NAMESPACE::device {

/// npu.concat(Tensor[] tensors, int dim, bool new_dim): at most 16 tensors; dim counts from 0; the result is
/// contiguous.
struct concat {
    static constexpr std::string_view name = "npu.concat";
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
    /// Whether each part is one block of the result, right behind the part before it: no dim before the axis has more
    /// than one place.
    static constexpr bool are_blocks(const tensor_type& result, std::int64_t axis) {
        for (int d = 0; d < axis; ++d)
            if (result.size(d) != 1) return false;
        return true;
    }
    /// Then what computes a part may write it there.
    static constexpr bool joins(const call_view& c) { return are_blocks(c.result_type(), c.integer(at::dim)); }
    static constexpr target::concat_key key(const call_view& c) {
        target::concat_key key{static_cast<std::int32_t>(c.integer(at::dim)), c.list_size(at::tensors), {}, {}};
        const auto& result = c.result_type();
        for (int d = 0; d < result.rank; ++d) key.strides[static_cast<std::size_t>(d)] = result.stride(d);
        for (std::int32_t k = 0; k < key.count; ++k) {
            const auto t = part(c, k);
            auto& own = key.parts[static_cast<std::size_t>(k)];
            own.type = t.type;
            own.rank = t.rank;
            for (int d = 0; d < t.rank; ++d) {
                own.sizes[static_cast<std::size_t>(d)] = t.size(d);
                own.strides[static_cast<std::size_t>(d)] = t.stride(d);
            }
        }
        return key;
    }
};

} // namespace ahead::device
