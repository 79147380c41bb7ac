// SPDX-License-Identifier: MIT
// The key of a loop over strided tensors: sizes of the result, strides of all tensors, with dims merged where memory
// allows it, so that an operator on contiguous tensors of any shape is one loop, and equal loops share one kernel.
#pragma once
#include <ahead/core/array_view.hpp>
#include <ahead/ir/type/tensor_type.hpp>
#include <ahead/machine/steps.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// The loop over the result and up to Tensors - 1 operands.
template <int Tensors> struct basic_strided_key {
    std::int32_t operands = 0;
    std::int32_t rank = 0;
    std::array<dtype, Tensors> types{};                                // the result's first
    std::array<std::int64_t, max_rank> sizes{};                        // from the slowest dim to the fastest
    std::array<std::array<std::int64_t, max_rank>, Tensors> strides{}; // in elements; 0 where an operand broadcasts
    friend constexpr bool operator==(const basic_strided_key&, const basic_strided_key&) = default;

    constexpr std::int64_t elements() const {
        std::int64_t n = 1;
        for (int d = 0; d < rank; ++d) n *= sizes[static_cast<std::size_t>(d)];
        return n;
    }
    /// Adds a dim as the new innermost one; it is merged into the previous innermost if that is contiguous with it in
    /// all tensors.
    constexpr void add(std::int64_t size, const std::array<std::int64_t, Tensors>& steps) {
        if (size == 1) return;
        const auto back = static_cast<std::size_t>(rank - 1);
        bool merges = rank > 0;
        for (std::size_t t = 0; merges && t < steps.size(); ++t) merges = strides[t][back] == steps[t] * size;
        const auto at = merges ? back : static_cast<std::size_t>(rank++);
        sizes[at] = merges ? sizes[at] * size : size;
        for (std::size_t t = 0; t < steps.size(); ++t) strides[t][at] = steps[t];
    }
    /// Whether one loop covers all tensors; broadcast operands (stride 0 throughout) included.
    constexpr bool is_one_loop() const { return rank <= 1; }
};
/// f(name, value, default) for each field.
template <int Tensors>
constexpr void fields(const basic_strided_key<Tensors>& k, const basic_strided_key<Tensors>& usual, auto f) {
    f("operands", k.operands, usual.operands);
    f("rank", k.rank, usual.rank);
    f("types", k.types, usual.types);
    f("sizes", k.sizes, usual.sizes);
    f("strides", k.strides, usual.strides);
}
inline constexpr int max_strided = 4; // the result and up to three operands
using strided_key = basic_strided_key<max_strided>;

/// Merges adjacent dims; drops dims of size 1. Dims are ordered by the result's strides, so the innermost loop writes
/// in order.
/// pre: fewer operands than Tensors.
template <int Tensors = max_strided>
constexpr basic_strided_key<Tensors> strided_key_of(const tensor_type& result,
                                                    array_view<const tensor_type* const> operands) {
    const auto N = operands.size();
    basic_strided_key<Tensors> key;
    key.operands = static_cast<std::int32_t>(N);
    key.types[0] = result.type;
    for (std::size_t i = 0; i < N; ++i) key.types[i + 1] = operands[i]->type;
    std::array<int, max_rank> order{};
    int dims = 0;
    for (int d = 0; d < result.rank; ++d)
        if (result.size(d) != 1) order[static_cast<std::size_t>(dims++)] = d;
    for (int i = 1; i < dims; ++i)
        for (int j = i; j > 0 && result.stride(order[static_cast<std::size_t>(j - 1)]) <
                                     result.stride(order[static_cast<std::size_t>(j)]);
             --j)
            std::swap(order[static_cast<std::size_t>(j - 1)], order[static_cast<std::size_t>(j)]);
    const auto stride_of = [&](std::size_t tensor, int dim) -> std::int64_t {
        if (tensor == 0) return result.stride(dim);
        const auto& operand = *operands[tensor - 1];
        const int own = dim - (result.rank - operand.rank);
        return own < 0 || operand.size(own) == 1 ? 0 : operand.stride(own);
    };
    for (int i = 0; i < dims; ++i) {
        const int d = order[static_cast<std::size_t>(i)];
        std::array<std::int64_t, Tensors> steps{};
        for (std::size_t t = 0; t <= N; ++t) steps[t] = stride_of(t, d);
        key.add(result.size(d), steps);
    }
    return key;
}

constexpr std::int64_t innermost(const auto& loop) {
    return loop.rank == 0 ? 1 : loop.sizes[static_cast<std::size_t>(loop.rank - 1)];
}

/// Rows of a loop over strided tensors; an operand with gaps between its elements is gathered element by element.
template <int Tensors> constexpr machine::work rows_of(const basic_strided_key<Tensors>& loop, machine::steps each) {
    const auto elements = loop.elements();
    machine::work out;
    if (elements == 0) return out;
    if (each.in_vectors) out.vector = {elements / innermost(loop), innermost(loop), each.count, 0};
    else out.scalar_steps = elements * each.count;
    for (std::size_t t = 0; loop.rank > 0 && t <= static_cast<std::size_t>(loop.operands); ++t)
        if (const auto stride = loop.strides[t][static_cast<std::size_t>(loop.rank - 1)];
            stride != 1 && (t == 0 || stride != 0))
            out.scalar_steps += elements;
    return out;
}

} // namespace ahead::device
