// SPDX-License-Identifier: MIT
// Sums of products over dims of two tensors: tensordot, and inner, over the last dims.
// Source: aten/src/ATen/native/Linear.cpp, LinearAlgebra.cpp.
#pragma once
#include <ahead/aten/product/product.hpp>
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Op::dims_of(c, which): the contracted dims of self or other, paired by position.
template <class Op> struct contraction {
    static constexpr effects effect{.takes_complex = true};
    static constexpr bool infer(infer_context& c) {
        enum { self, other };
        const auto &a = c.tensor(self), &b = c.tensor(other);
        const auto x = Op::dims_of(c, self), y = Op::dims_of(c, other);
        if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
        if (a.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(a));
        if (x.size != y.size)
            return c.refuse(fault::rank_is_wrong, short_text() << x.size << " dims, as many as of self",
                            short_text() << y.size);
        unsigned of_a = 0, of_b = 0;
        for (int k = 0; k < x.size; ++k) {
            const int i = wrapped_dim(x[k], a.rank), j = wrapped_dim(y[k], b.rank);
            if ((of_a >> i & 1) || (of_b >> j & 1))
                return c.refuse(fault::dimension_is_repeated, "each dim once", short_text() << (of_a >> i & 1 ? i : j));
            if (a.size(i) != b.size(j))
                return c.refuse(fault::matmul_inner_extents_differ, short_text() << a.size(i) << " in dim " << j,
                                print(b));
            of_a |= 1u << i;
            of_b |= 1u << j;
        }
        auto sizes = sizes_without(a, of_a, false);
        const auto rest = sizes_without(b, of_b, false);
        if (sizes.size + rest.size > max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", print(b));
        for (auto size : rest) sizes.push_back(size);
        return c.result(tensor_of(a.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        enum { self, other };
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto a = c.input(self, as), b = c.input(other, as);
            const auto x = Op::dims_of(c, self), y = Op::dims_of(c, other);
            int_list window, dims_a, dims_b;
            unsigned of_a = 0, of_b = 0;
            for (int k = 0; k < x.size; ++k) {
                dims_a.push_back(wrapped_dim(x[k], a.type().rank));
                dims_b.push_back(wrapped_dim(y[k], b.type().rank));
                of_a |= 1u << dims_a[k];
                of_b |= 1u << dims_b[k];
                window.push_back(a.type().size(static_cast<int>(dims_a[k])));
            }
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list i, j;
                int next = 0;
                for (int d = 0; d < a.type().rank; ++d) i.push_back(of_a >> d & 1 ? 0 : at[next++]);
                for (int d = 0; d < b.type().rank; ++d) j.push_back(of_b >> d & 1 ? 0 : at[next++]);
                accumulator_t<T> sum{};
                for_each_index(window, [&](const int_list& inner) {
                    for (int k = 0; k < inner.size; ++k)
                        i[static_cast<int>(dims_a[k])] = j[static_cast<int>(dims_b[k])] = inner[k];
                    sum = plus_product<T>(sum, a[i], b[j]);
                });
                out.put(at, math::convert<T>(sum));
            });
        });
    }
};

} // namespace detail

/// tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other): the sum over these dims, whose paired sizes
/// must be equal; the result has self's other dims, then those of other
struct tensordot : detail::contraction<tensordot> {
    static constexpr std::string_view name = "aten.tensordot.default"sv;
    enum at : int { self, other, dims_self, dims_other };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("other", parameter_kind::tensor),
        required("dims_self", parameter_kind::int_list), required("dims_other", parameter_kind::int_list)};
    static constexpr int_list dims_of(const auto& c, int which) { return c.ints(at::dims_self + which); }
    static constexpr bool infer(infer_context& c) {
        for (int which : {at::self, at::other})
            for (auto given : dims_of(c, which)) {
                int d = 0;
                if (!c.wrap_dim(given, c.tensor(which).rank, d)) return false;
            }
        return contraction::infer(c);
    }
};

/// inner(Tensor self, Tensor other): the sum over the last dims; a plain product if either has rank 0
struct inner : detail::contraction<inner> {
    static constexpr std::string_view name = "aten.inner.default"sv;
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
    static constexpr int_list dims_of(const auto& c, int) {
        return c.tensor(at::self).rank == 0 || c.tensor(at::other).rank == 0 ? int_list{} : int_list{-1};
    }
};

using contraction_ops = op_list<tensordot, inner>;

} // namespace ahead::aten
