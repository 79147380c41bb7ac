// SPDX-License-Identifier: MIT
// Products other than matrix products of two tensors: cross, _trilinear, _grouped_mm.
// Source: aten/src/ATen/native/Cross.cpp, Linear.cpp, cuda/GroupedBlas.cpp; torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/product/product.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Type rule of the cross product of 3-vectors along a dim, self x other; the other dims broadcast.
constexpr bool infer_cross(infer_context& c, int dim) {
    enum { self, other };
    const auto &a = c.tensor(self), &b = c.tensor(other);
    int_list sizes;
    if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
    if (a.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(a));
    if (a.rank != b.rank) return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int{a.rank}, print(b));
    for (const auto* t : {&a, &b})
        if (t->rank == 0 || t->size(dim) != 3)
            return c.refuse(fault::window_does_not_fit, short_text() << "3 elements in dim " << dim, print(*t));
    return broadcast_into(c, sizes, a) && broadcast_into(c, sizes, b) && c.result(tensor_of(a.type, sizes));
}
constexpr void evaluate_cross(auto& c, int dim) {
    enum { self, other };
    c.compute([&](auto as) {
        const auto a = c.input(self, as), b = c.input(other, as);
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            const auto element = [&](const auto& in, std::int64_t behind) {
                auto i = at;
                i[dim] = (at[dim] + behind) % 3;
                return in[broadcast_index(in.type(), i)];
            };
            out.put(at, math::sub(math::mul(element(a, 1), element(b, 2)), math::mul(element(a, 2), element(b, 1))));
        });
    });
}

} // namespace detail

/// linalg_cross(Tensor self, Tensor other, *, int dim=-1): the cross product of 3-vectors
struct linalg_cross {
    static constexpr std::string_view name = "aten.linalg_cross.default"sv;
    enum at : int { self, other, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        int dim = 0;
        return c.wrap_dim(c.integer(at::dim), c.tensor(at::self).rank, dim) && detail::infer_cross(c, dim);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_cross(c, wrapped_dim(c.integer(at::dim), c.tensor(at::self).rank));
    }
};
/// cross(Tensor self, Tensor other, int? dim=None): linalg_cross; dim defaults to self's first dim of size 3
struct cross {
    static constexpr std::string_view name = "aten.cross.default"sv;
    enum at : int { self, other, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_integer)};
    static constexpr int dim_of(const auto& c) {
        const auto& t = c.tensor(at::self);
        if (c.is_given(at::dim)) return wrapped_dim(c.integer(at::dim), t.rank);
        int dim = 0;
        while (dim + 1 < t.rank && t.size(dim) != 3) ++dim;
        return dim;
    }
    static constexpr bool infer(infer_context& c) {
        int dim = 0;
        return (!c.is_given(at::dim) || c.wrap_dim(c.integer(at::dim), c.tensor(at::self).rank, dim)) &&
               detail::infer_cross(c, dim_of(c));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_cross(c, dim_of(c)); }
};

/// _trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int
/// unroll_dim=1): i1 * i2 * i3, each with new dims of size 1 at its expand positions, summed over sumdim; unroll_dim is
/// ignored
struct trilinear {
    static constexpr std::string_view name = "aten._trilinear.default"sv;
    enum at : int { i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim };
    static constexpr parameter schema[] = {required("i1", parameter_kind::tensor),
                                           required("i2", parameter_kind::tensor),
                                           required("i3", parameter_kind::tensor),
                                           required("expand1", parameter_kind::int_list),
                                           required("expand2", parameter_kind::int_list),
                                           required("expand3", parameter_kind::int_list),
                                           required("sumdim", parameter_kind::int_list),
                                           defaulted("unroll_dim", parameter_kind::integer, argument::of(1))};
    /// The dims that parameter `list` names, as bits; pre: checked
    static constexpr unsigned dims_of(const auto& c, int list, int rank) {
        unsigned dims = 0;
        for (auto d : c.ints(list)) dims |= 1u << wrapped_dim(d, rank);
        return dims;
    }
    static constexpr int rank_of(const auto& c) { return c.tensor(at::i1).rank + c.ints(at::expand1).size; }
    /// The sizes before the sum: the three tensors with their new dims, broadcast.
    static constexpr int_list sizes_before(const auto& c) {
        int_list sizes;
        for (int d = rank_of(c); d > 0; --d) sizes.push_back(1);
        for (int k = 0; k < 3; ++k) {
            int own = 0;
            for (int d = 0; d < sizes.size; ++d)
                if (!(dims_of(c, at::expand1 + k, sizes.size) >> d & 1))
                    if (const auto size = c.tensor(k).size(own++); sizes[d] == 1) sizes[d] = size;
        }
        return sizes;
    }
    static constexpr bool infer(infer_context& c) {
        const auto& first = c.tensor(at::i1);
        if (rank_of(c) > max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", print(first));
        for (int list = at::expand1; list <= at::sumdim; ++list) {
            unsigned seen = 0;
            for (auto given : c.ints(list)) {
                int d = 0;
                if (!c.wrap_dim(given, rank_of(c), d)) return false;
                if (seen >> d & 1) return c.refuse(fault::dimension_is_repeated, "each dim once", short_text() << d);
                seen |= 1u << d;
            }
        }
        for (int k = 0; k < 3; ++k) {
            const auto& t = c.tensor(k);
            if (t.type != first.type) return c.refuse(fault::dtypes_differ, print(first), print(t));
            if (t.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(t));
            if (t.rank + c.ints(at::expand1 + k).size != rank_of(c))
                return c.refuse(fault::rank_is_wrong, short_text() << rank_of(c) << " dims with those that expand adds",
                                print(t));
        }
        const auto sizes = sizes_before(c);
        for (int k = 0; k < 3; ++k) {
            int own = 0;
            for (int d = 0; d < sizes.size; ++d) {
                if (dims_of(c, at::expand1 + k, sizes.size) >> d & 1) continue;
                if (const auto size = c.tensor(k).size(own++); size != 1 && size != sizes[d])
                    return c.refuse(fault::shapes_do_not_broadcast, short_text() << sizes[d] << " in dim " << d,
                                    print(c.tensor(k)));
            }
        }
        int_list out;
        for (int d = 0; d < sizes.size; ++d)
            if (!(dims_of(c, at::sumdim, sizes.size) >> d & 1)) out.push_back(sizes[d]);
        return c.result(tensor_of(first.type, out));
    }
    static constexpr void evaluate(auto& c) {
        const auto sizes = sizes_before(c);
        const auto summed = dims_of(c, at::sumdim, sizes.size);
        unsigned added[3]{};
        for (int k = 0; k < 3; ++k) added[k] = dims_of(c, at::expand1 + k, sizes.size);
        int_list inner;
        for (int d = 0; d < sizes.size; ++d)
            if (summed >> d & 1) inner.push_back(sizes[d]);
        c.compute([&](auto as) {
            using sums = accumulator_t<decltype(as)>;
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                sums sum = 0;
                for_each_index(inner, [&](const int_list& over) {
                    sums product = 1;
                    for (int k = 0; k < 3; ++k) {
                        const auto in = c.input(k, as);
                        int_list own;
                        int kept = 0, gone = 0;
                        for (int d = 0; d < sizes.size; ++d) {
                            const auto i = summed >> d & 1 ? over[gone++] : at[kept++];
                            if (!(added[k] >> d & 1)) own.push_back(in.type().size(own.size) == 1 ? 0 : i);
                        }
                        product = math::mul(product, static_cast<sums>(in[own]));
                    }
                    sum = math::add(sum, product);
                });
                out.put(at, math::convert<decltype(as)>(sum));
            });
        });
    }
};

/// _grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None): a product
/// for each of G groups. offs, i32[G], has the end of each group: in the rows of self [M, K], mat2 [G, K, N] gives [M,
/// N]; in the columns of mat2 [K, N], self [G, M, K] gives [M, N]; in K of both, [M, K] and [K, N] give [G, M, N].
/// Without offs it is a batched product. Elements after the last group are 0; PyTorch leaves them unspecified.
struct grouped_mm {
    static constexpr std::string_view name = "aten._grouped_mm.default"sv;
    enum at : int { self, mat2, offs, bias, out_dtype };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("mat2", parameter_kind::tensor),
        defaulted("offs", parameter_kind::optional_tensor), defaulted("bias", parameter_kind::optional_tensor),
        defaulted("out_dtype", parameter_kind::optional_dtype)};
    static constexpr bool infer(infer_context& c) {
        const auto &a = c.tensor(at::self), &b = c.tensor(at::mat2);
        for (const auto* t : {&a, &b})
            if (t->rank != 2 && t->rank != 3) return c.refuse(fault::rank_is_wrong, "rank 2 or 3", print(*t));
        if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
        if (!is_floating(a.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(a));
        if (c.is_given(at::bias)) return c.refuse(fault::argument_is_unknown, "no bias, as in PyTorch", "bias");
        if (c.is_given(at::out_dtype) && c.type(at::out_dtype) != a.type)
            return c.refuse(fault::dtypes_differ, print(a), facts_of(c.type(at::out_dtype)).annotation);
        const auto rows = a.size(a.rank - 2), columns = b.size(b.rank - 1);
        if (a.size(a.rank - 1) != b.size(b.rank - 2))
            return c.refuse(fault::matmul_inner_extents_differ, short_text() << a.size(a.rank - 1) << " rows",
                            print(b));
        const bool batches = a.rank == 3 && b.rank == 3;
        if (batches && a.size(0) != b.size(0)) return c.refuse(fault::shapes_do_not_broadcast, print(a), print(b));
        if (batches == c.is_given(at::offs))
            return batches ? c.refuse(fault::argument_is_unknown, "no offs, for two batches", "offs")
                           : c.refuse(fault::argument_is_missing, "offs: where each group ends", "None");
        if (batches) return c.result(tensor_of(a.type, {a.size(0), rows, columns}));
        const auto& ends = c.tensor(at::offs);
        if (ends.type != dtype::i32) return c.refuse(fault::dtype_is_unsupported, "offs of i32", print(ends));
        if (ends.rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(ends));
        if (const auto* t = a.rank == 3 ? &a : b.rank == 3 ? &b : nullptr; t != nullptr && t->size(0) != ends.size(0))
            return c.refuse(fault::element_counts_differ, short_text() << t->size(0) << " groups", print(ends));
        return c.result(a.rank == 2 && b.rank == 2 ? tensor_of(a.type, {ends.size(0), rows, columns})
                                                   : tensor_of(a.type, {rows, columns}));
    }
    static constexpr void evaluate(auto& c) {
        const auto a_type = c.tensor(at::self), b_type = c.tensor(at::mat2);
        const auto rows = a_type.size(a_type.rank - 2), inner = a_type.size(a_type.rank - 1);
        const auto columns = b_type.size(b_type.rank - 1);
        const bool has_ends = c.is_given(at::offs), sums_parts = a_type.rank == 2 && b_type.rank == 2;
        const auto divided = b_type.rank == 3 ? rows : a_type.rank == 3 ? columns : inner;
        const auto groups = has_ends ? c.tensor(at::offs).size(0) : a_type.size(0);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto a = c.input(at::self, as), b = c.input(at::mat2, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, T{}); });
            std::int64_t begin = 0;
            for (std::int64_t g = 0; g < groups; ++g) {
                auto end = divided;
                if (has_ends) {
                    const std::int64_t given = c.input(at::offs, std::int32_t{})[{g}];
                    const auto left = c.index(given - begin, divided - begin + 1);
                    if (!left) return;
                    end = begin + *left;
                }
                const auto within = [&](bool is_divided, std::int64_t size, auto f) {
                    for (auto k = is_divided ? begin : 0; k < (is_divided ? end : size); ++k) f(k);
                };
                within(has_ends && b_type.rank == 3, rows, [&](std::int64_t i) {
                    within(has_ends && a_type.rank == 3, columns, [&](std::int64_t j) {
                        double sum = 0;
                        within(sums_parts, inner, [&](std::int64_t k) {
                            sum += static_cast<double>(a_type.rank == 3 ? a[{g, i, k}] : a[{i, k}]) *
                                   static_cast<double>(b_type.rank == 3 ? b[{g, k, j}] : b[{k, j}]);
                        });
                        out.put(out.type().rank == 3 ? int_list{g, i, j} : int_list{i, j}, math::convert<T>(sum));
                    });
                });
                if (has_ends) begin = end;
            }
        });
    }
};

using cross_ops = op_list<linalg_cross, cross, trilinear, grouped_mm>;

} // namespace ahead::aten
