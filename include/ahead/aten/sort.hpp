// SPDX-License-Identifier: MIT
// Order along a dim: sort, argsort, topk. Stable; NaN is largest. Source: aten/src/ATen/native/Sorting.cpp.
#pragma once
#include <ahead/aten/arg_reduce.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Sorts each line along `dim` of parameter 0 and gives its first elements to `values` and their places to `indices` (result numbers; below 0: none).
constexpr void evaluate_sort(auto& c, std::int64_t along, bool descending, int values, int indices) {
    const auto& t = c.tensor(0);
    c.compute(t.type, [&](auto as) {
        using T = decltype(as);
        const auto in = c.input(0, as);
        const int dim = c.wrap_dim(along, t.rank);
        const auto taken = t.rank > 0 ? c.result_type().size(dim) : 1;
        using entry = std::pair<T, std::int64_t>;
        auto line = c.scratch(t.rank > 0 ? t.size(dim) : 1, entry{});
        for_each_reduced(t, 1u << dim, true, [&](const int_list& first, auto walk) {
            std::size_t size = 0;
            walk([&](const int_list& i) {
                const entry x{in[i], static_cast<std::int64_t>(size)};
                auto k = size++;
                for (; k > 0 && (descending ? beats<true>(x.first, line[k - 1].first) : beats<true>(line[k - 1].first, x.first)); --k)
                    line[k] = line[k - 1];
                line[k] = x;
            });
            for (std::int64_t k = 0; k < taken; ++k) {
                int_list to = first;
                if (t.rank > 0) to[dim] = k;
                if (values >= 0) c.output(values, as).put(to, line[static_cast<std::size_t>(k)].first);
                if (indices >= 0) c.output(indices, std::int64_t{}).put(to, line[static_cast<std::size_t>(k)].second);
            }
        });
    });
}
/// One line with the places of its elements.
template <int DimAt>
constexpr std::int64_t sort_scratch(const call_view& c) {
    const auto& t = c.tensor(0);
    const auto dim = c.integer(DimAt);
    return 16 * (t.rank > 0 ? t.size(static_cast<int>(dim < 0 ? dim + t.rank : dim)) : 1);
}
constexpr bool infer_sort(infer_context& c, int dim_at) {
    const auto t = c.tensor(0);
    int dim = 0;
    return c.wrap_dim(c.integer(dim_at), t.rank, dim) && c.results(2) && c.set(0, tensor_of(t.type, sizes_of(t))) &&
           c.set(1, tensor_of(dtype::i64, sizes_of(t)));
}

/// sort(Tensor self, int dim=-1, bool descending=False): (values, indices)
struct sort {
    static constexpr std::string_view name = "aten.sort.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("descending", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) { return infer_sort(c, 1); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return sort_scratch<1>(c); }
    static constexpr void evaluate(auto& c) { evaluate_sort(c, c.integer(1), c.boolean(2), 0, 1); }
};
/// sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False): (values, indices)
struct sort_stable {
    static constexpr std::string_view name = "aten.sort.stable";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("stable", parameter_kind::optional_boolean),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("descending", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) { return infer_sort(c, 2); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return sort_scratch<2>(c); }
    static constexpr void evaluate(auto& c) { evaluate_sort(c, c.integer(2), c.boolean(3), 0, 1); }
};
/// argsort(Tensor self, int dim=-1, bool descending=False): the indices that sort
struct argsort {
    static constexpr std::string_view name = "aten.argsort.default";
    static constexpr auto& schema = sort::schema;
    static constexpr bool infer(infer_context& c) {
        int dim = 0;
        return c.wrap_dim(c.integer(1), c.tensor(0).rank, dim) && c.result(tensor_of(dtype::i64, sizes_of(c.tensor(0))));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return sort_scratch<1>(c); }
    static constexpr void evaluate(auto& c) { evaluate_sort(c, c.integer(1), c.boolean(2), -1, 0); }
};
/// topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True): the k largest or smallest, in order: (values, indices)
struct topk {
    static constexpr std::string_view name = "aten.topk.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("k", parameter_kind::integer),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("largest", parameter_kind::boolean, argument::of(true)),
                                           defaulted("sorted", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(0);
        int dim = 0;
        if (!c.wrap_dim(c.integer(2), t.rank, dim)) return false;
        auto sizes = sizes_of(t);
        const auto size = t.rank > 0 ? sizes[dim] : 1;
        if (c.integer(1) < 0 || c.integer(1) > size)
            return c.refuse(fault::index_is_out_of_range, short_text() << size << " elements", short_text() << c.integer(1));
        if (t.rank > 0) sizes[dim] = c.integer(1);
        return c.results(2) && c.set(0, tensor_of(t.type, sizes)) && c.set(1, tensor_of(dtype::i64, sizes));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return sort_scratch<2>(c); }
    static constexpr void evaluate(auto& c) { evaluate_sort(c, c.integer(2), c.boolean(3), 0, 1); }
};

using sort_ops = op_list<sort, sort_stable, argsort, topk>;

} // namespace ahead::aten
