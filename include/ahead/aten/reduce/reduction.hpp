// SPDX-License-Identifier: MIT
// The common part of reductions: the reduced dims, the result's sizes, and the loop over each result's elements.
// Invariant: a result is contiguous. Used by reduce.hpp, arg_reduce.hpp, softmax.hpp, variance.hpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The meaning of an empty list of dims.
enum class no_dims : std::uint8_t { are_all, are_none };

/// The dims that parameter `i` names, as bits: an int or a list; all dims if it is None or no_parameter.
constexpr unsigned reduced_dims(const auto& c, int i, int rank, no_dims empty = no_dims::are_all) {
    const bool is_given = i != no_parameter && c.is_given(i);
    const auto given = is_given ? c.ints(i) : int_list{};
    unsigned dims = given.size == 0 && !(is_given && empty == no_dims::are_none) ? ~0u : 0;
    for (auto d : given) dims |= 1u << wrapped_dim(d, rank);
    return dims;
}

constexpr bool check_dims(infer_context& c, int i, int rank) {
    if (i == no_parameter || !c.is_given(i)) return true;
    unsigned seen = 0;
    for (auto given : c.ints(i)) {
        int d = 0;
        if (!c.wrap_dim(given, rank, d)) return false;
        if (seen >> d & 1) return c.refuse(fault::dimension_is_repeated, "each dim once", short_text() << d);
        seen |= 1u << d;
    }
    return true;
}

constexpr int_list sizes_without(const tensor_type& t, unsigned dims, bool keepdim) {
    int_list sizes;
    for (int d = 0; d < t.rank; ++d) {
        if (!(dims >> d & 1)) sizes.push_back(t.size(d));
        else if (keepdim) sizes.push_back(1);
    }
    return sizes;
}

constexpr std::int64_t reduced_count(const tensor_type& t, unsigned dims) {
    std::int64_t count = 1;
    for (int d = 0; d < t.rank; ++d)
        if (dims >> d & 1) count *= t.size(d);
    return count;
}

/// Type rule: removes the dims given by parameter `dim` from the first parameter (or keeps them with size 1 if
/// parameter `keepdim`); the result's dtype is `type`. With needs_elements, refuses to reduce an empty range.
constexpr bool infer_reduced(infer_context& c, int dim, int keepdim, dtype type, bool needs_elements = false,
                             no_dims empty = no_dims::are_all) {
    const auto& t = c.tensor(first_parameter);
    if (!check_dims(c, dim, t.rank)) return false;
    const auto dims = reduced_dims(c, dim, t.rank, empty);
    const auto sizes = sizes_without(t, dims, keepdim != no_parameter && c.boolean(keepdim));
    const auto out = tensor_of(type, sizes);
    if (needs_elements && reduced_count(t, dims) == 0 && element_count(out) != 0)
        return c.refuse(fault::window_does_not_fit, "at least one element", print(t));
    return c.result(out);
}

/// Calls f(at, walk) for every element `at` of the result; walk(g) calls g(i) for each input index that reduces to it.
template <class F> constexpr void for_each_reduced(const tensor_type& in, unsigned dims, bool keepdim, F f) {
    int_list window;
    for (int d = 0; d < in.rank; ++d)
        if (dims >> d & 1) window.push_back(in.size(d));
    for_each_index(sizes_without(in, dims, keepdim), [&](const int_list& at) {
        f(at, [&](auto g) {
            for_each_index(window, [&](const int_list& inner) {
                int_list i;
                int outer_dim = 0;
                int inner_dim = 0;
                for (int d = 0; d < in.rank; ++d) {
                    const bool gone = dims >> d & 1;
                    i.push_back(gone ? inner[inner_dim++] : at[outer_dim]);
                    if (!gone || keepdim) ++outer_dim;
                }
                g(static_cast<const int_list&>(i));
            });
        });
    });
}

namespace schemas {
struct only_self {
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
};
struct self_dtype {
    enum at : int { self, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
};
struct reduce_dims {
    enum at : int { self, dim, keepdim };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),
        defaulted("dim", parameter_kind::optional_int_list, {.kind = argument_kind::list}),
        defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
};
struct reduce_dims_dtype {
    enum at : int { self, dim, keepdim, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
};
struct reduce_dim {
    enum at : int { self, dim, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
};
struct reduce_dim_dtype {
    enum at : int { self, dim, keepdim, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
};
struct reduce_optional_dim {
    enum at : int { self, dim, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_integer),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
};
struct reduce_none_or_dims {
    enum at : int { self, dim, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
};
struct reduce_correction {
    enum at : int { self, dim, correction, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("correction", parameter_kind::optional_scalar),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
};
} // namespace schemas

} // namespace ahead::aten
