// SPDX-License-Identifier: MIT
// Sorting along a dim: sort, argsort, topk; NaN is largest. Sorting is stable; the choice and order of equal elements
// in topk are those of the standard library's selection, as in PyTorch. Source: aten/src/ATen/native/Sorting.cpp,
// TopKImpl.h.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/reduce/arg_reduce.hpp>
#include <ahead/core/math/order.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Calls order(line, spare, before) for each line of the first parameter along `along`; a line has elements with their
/// indices. Writes the beginning of the line that it returns: values to result `values`, indices to result `indices`
/// (negative: none), up to the size of result 0.
template <class Order>
constexpr void evaluate_order(auto& c, std::int64_t along, bool descending, int values, int indices, Order order) {
    const auto& t = c.tensor(first_parameter);
    c.compute(t.type, [&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const int dim = wrapped_dim(along, t.rank);
        const auto taken = t.rank > 0 ? c.result_type().size(dim) : 1;
        using entry = std::pair<T, std::int64_t>;
        const std::int64_t size = t.rank > 0 ? t.size(dim) : 1;
        if (element_count(t) == 0) return;
        auto memory = c.scratch(2 * size, entry{});
        const auto before = [descending](const entry& x, const entry& y) {
            return descending ? beats<true>(x.first, y.first) : beats<true>(y.first, x.first);
        };
        for_each_reduced(t, 1u << dim, true, [&](const int_list& first, auto walk) {
            entry* line = memory.data();
            std::int64_t place = 0;
            walk([&](const int_list& i) {
                line[place] = {in[i], place};
                ++place;
            });
            line = order(line, line + size, size, before);
            for (std::int64_t k = 0; k < taken; ++k) {
                int_list to = first;
                if (t.rank > 0) to[dim] = k;
                if (values >= 0) c.output(values, as).put(to, line[k].first);
                if (indices >= 0) c.output(indices, std::int64_t{}).put(to, line[k].second);
            }
        });
    });
}

constexpr void evaluate_sort(auto& c, std::int64_t along, bool descending, int values, int indices) {
    evaluate_order(c, along, descending, values, indices, [](auto* line, auto* spare, std::int64_t size, auto before) {
        return sort_stably(line, spare, size, before);
    });
}

/// Bytes of two lines along `dim`, elements with indices.
constexpr std::int64_t sort_scratch(const tensor_type& t, std::int64_t dim) {
    return 32 * (t.rank > 0 ? t.size(wrapped_dim(dim, t.rank)) : 1);
}

constexpr bool infer_sort(infer_context& c, const tensor_type t, std::int64_t along) {
    int dim = 0;
    return c.wrap_dim(along, t.rank, dim) && c.results(2) && c.set(0, like(t, t.type)) && c.set(1, like(t, dtype::i64));
}

} // namespace detail

/// sort(Tensor self, int dim=-1, bool descending=False): (values, indices)
struct sort {
    static constexpr std::string_view name = "aten.sort.default"sv;
    enum at : int { self, dim, descending };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("descending", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        return detail::infer_sort(c, c.tensor(at::self), c.integer(at::dim));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::sort_scratch(c.tensor(at::self), c.integer(at::dim));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_sort(c, c.integer(at::dim), c.boolean(at::descending), 0, 1);
    }
};

/// sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False): (values, indices)
struct sort_stable {
    static constexpr std::string_view name = "aten.sort.stable"sv;
    enum at : int { self, stable, dim, descending };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("stable", parameter_kind::optional_boolean),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("descending", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        return detail::infer_sort(c, c.tensor(at::self), c.integer(at::dim));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::sort_scratch(c.tensor(at::self), c.integer(at::dim));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_sort(c, c.integer(at::dim), c.boolean(at::descending), 0, 1);
    }
};

/// argsort(Tensor self, int dim=-1, bool descending=False): the indices of sort
struct argsort {
    static constexpr std::string_view name = "aten.argsort.default"sv;
    using at = sort::at;
    static constexpr auto& schema = sort::schema;
    static constexpr bool infer(infer_context& c) {
        int dim = 0;
        return c.wrap_dim(c.integer(at::dim), c.tensor(at::self).rank, dim) &&
               c.result(like(c.tensor(at::self), dtype::i64));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::sort_scratch(c.tensor(at::self), c.integer(at::dim));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_sort(c, c.integer(at::dim), c.boolean(at::descending), -1, 0);
    }
};

/// topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True): (values, indices) of the k largest or
/// smallest elements, ordered if sorted
struct topk {
    static constexpr std::string_view name = "aten.topk.default"sv;
    enum at : int { self, k, dim, largest, sorted };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("k", parameter_kind::integer),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("largest", parameter_kind::boolean, argument::of(true)),
                                           defaulted("sorted", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        int dim = 0;
        if (!c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        auto sizes = sizes_of(t);
        const auto size = t.rank > 0 ? sizes[dim] : 1;
        if (c.integer(at::k) < 0 || c.integer(at::k) > size)
            return c.refuse(fault::index_is_out_of_range, short_text() << size << " elements",
                            short_text() << c.integer(at::k));
        if (t.rank > 0) sizes[dim] = c.integer(at::k);
        return c.results(2) && c.set(0, tensor_of(t.type, sizes)) && c.set(1, tensor_of(dtype::i64, sizes));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::sort_scratch(c.tensor(at::self), c.integer(at::dim));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_order(c, c.integer(at::dim), c.boolean(at::largest), 0, 1,
                               [&](auto* line, auto*, std::int64_t size, auto before) {
                                   select_first(line, size, c.integer(at::k), c.boolean(at::sorted), before);
                                   return line;
                               });
    }
};

using sort_ops = op_list<sort, sort_stable, argsort, topk>;

} // namespace ahead::aten
