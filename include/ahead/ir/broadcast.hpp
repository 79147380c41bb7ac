// SPDX-License-Identifier: MIT
// Shapes and dtypes of pointwise operators: broadcasting, type promotion, and the strides of the result.
// Source of the semantics: PyTorch's TensorIterator (aten/src/ATen/TensorIterator.cpp) and "Type Promotion" in its
// docs.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::ir {

/// The rule for the result's dtype.
enum class promotion : std::uint8_t {
    keep,    // the common dtype of the operands
    to_real, // the common dtype; integers and bool become f32
    to_bool, // computed in the common dtype, result b8
};

/// The common dtype: within a category, tensors with dims win over 0-dim tensors, and these over Python numbers.
struct common_dtype {
    std::optional<dtype> dimensioned, scalar_tensor, number;

    static constexpr void join(std::optional<dtype>& into, dtype t) { into = into ? promote(*into, t) : t; }
    constexpr void add(const tensor_type& t) { join(t.rank > 0 ? dimensioned : scalar_tensor, t.type); }
    constexpr void add(const argument& a) {
        join(number, a.kind == argument_kind::complex   ? dtype::c64
                     : a.kind == argument_kind::real    ? dtype::f32
                     : a.kind == argument_kind::integer ? dtype::i64
                                                        : dtype::b8);
    }
    static constexpr std::optional<dtype> weaker(std::optional<dtype> strong, std::optional<dtype> weak) {
        if (!strong) return weak;
        if (!weak) return strong;
        if (facts_of(*weak).category <= facts_of(*strong).category) return strong;
        return is_complex(*weak) && is_floating(*strong) ? of_parts(*strong) : *weak;
    }
    constexpr dtype get() const { return *weaker(dimensioned, weaker(scalar_tensor, number)); }
};

/// Joins the sizes of `t` into `sizes`, aligned at the last dim.
constexpr bool broadcast_into(infer_context& c, int_list& sizes, const tensor_type& t) {
    while (sizes.size < t.rank) {
        for (int i = sizes.size; i > 0; --i) sizes[i] = sizes[i - 1];
        sizes[0] = 1;
        ++sizes.size;
    }
    for (int i = 0; i < t.rank; ++i) {
        auto& size = sizes[sizes.size - 1 - i];
        const auto other = t.size(t.rank - 1 - i);
        if (size == other || other == 1) continue;
        if (size != 1) {
            short_text shape;
            shape << "[";
            for (int k = 0; k < sizes.size; ++k) shape << (k ? ", " : "") << sizes[k];
            return c.refuse(fault::shapes_do_not_broadcast, shape << "]", print(t));
        }
        size = other;
    }
    return true;
}

/// The result strides of TensorIterator: the operands' order of dims if they agree, densely packed.
constexpr void set_result_strides(tensor_type& out, array_view<const tensor_type* const> operands) {
    std::array<int, max_rank> order{}; // from the fastest dim to the slowest
    for (int i = 0; i < out.rank; ++i) order[static_cast<std::size_t>(i)] = out.rank - 1 - i;
    auto stride_in = [&](const tensor_type& t, int d) -> std::int64_t {
        const int dim = d - (out.rank - t.rank);
        return dim < 0 || (t.size(dim) == 1 && out.size(d) != 1) ? 0 : t.stride(dim);
    };
    // -1: a is faster than b; 1: slower; 0: the operands do not determine it
    auto compare = [&](int a, int b) {
        for (const auto* t : operands) {
            const auto sa = stride_in(*t, a);
            const auto sb = stride_in(*t, b);
            if (sa == 0 || sb == 0) continue;
            if (sa < sb) return -1;
            if (sa > sb) return 1;
            if (out.size(a) > out.size(b)) return 1;
        }
        return 0;
    };
    for (int i = 1; i < out.rank; ++i) {
        int at = i;
        for (int j = i - 1; j >= 0; --j) {
            const auto decided = compare(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(at)]);
            if (decided > 0) {
                std::swap(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(at)]);
                at = j;
            } else if (decided < 0) {
                break;
            }
        }
    }
    std::int64_t step = 1;
    for (int i = 0; i < out.rank; ++i) {
        const auto d = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
        out.strides[d] = step;
        if (const auto size = out.size(static_cast<int>(d)); size > 1)
            static_cast<void>(__builtin_mul_overflow(step, size, &step));
    }
}

/// A new dense tensor with the sizes of `t` and its order of dims.
constexpr tensor_type like(const tensor_type& t, dtype type) {
    auto out = tensor_of(type, sizes_of(t));
    if (is_dense(t)) {
        out.strides = t.strides;
        return out;
    }
    const tensor_type* operands[] = {&t};
    set_result_strides(out, operands);
    return out;
}

/// Whether all operands are row-major tensors of the same sizes and dtype, the common case: the result then has these
/// sizes, too.
template <int Operands> constexpr bool are_alike(const infer_context& c) {
    if (!c.is_tensor(first_parameter)) return false;
    const auto& first = c.tensor(first_parameter);
    if (first.rank == 0 || first.layout != memory_layout::strided || !has_row_major_strides(first)) return false;
    for (int i = 1; i < Operands; ++i) {
        if (!c.is_tensor(i)) return false;
        const auto& t = c.tensor(i);
        if (&t != &first && (t.type != first.type || t.rank != first.rank || !(t.sizes == first.sizes) ||
                             !(t.strides == first.strides)))
            return false;
    }
    return true;
}

constexpr dtype promoted(dtype type, promotion rule) {
    return rule == promotion::to_bool                           ? dtype::b8
           : rule == promotion::to_real && !has_fractions(type) ? dtype::f32
                                                                : type;
}

/// Type rule of every pointwise operator: the first `operands` parameters broadcast and promote.
template <int Operands, promotion Rule> constexpr bool infer_pointwise(infer_context& c) {
    if (are_alike<Operands>(c)) {
        auto out = c.tensor(first_parameter);
        out.type = promoted(out.type, Rule);
        out.offset = 0;
        return c.result(out);
    }
    int_list sizes;
    common_dtype common;
    std::array<const tensor_type*, Operands> tensors{};
    std::size_t count = 0;
    for (int i = 0; i < Operands; ++i) {
        if (!c.is_given(i)) continue;
        if (!c.is_tensor(i)) {
            common.add(c.at(i));
            continue;
        }
        const auto& t = c.tensor(i);
        if (!broadcast_into(c, sizes, t)) return false;
        common.add(t);
        tensors[count++] = &t;
    }
    auto out = tensor_of(promoted(common.get(), Rule), sizes);
    set_result_strides(out, array_view(tensors.data(), count));
    return c.result(out);
}

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::promotion;
} // namespace ahead
