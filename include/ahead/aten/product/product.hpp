// SPDX-License-Identifier: MIT
// The common part of matrix products: sizes, sums of products, and the bias that some add.
// Sums accumulate in double and are rounded once. Source: aten/src/ATen/native/LinearAlgebra.cpp.
#pragma once
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Checks that an operand has the wanted dtype and sizes.
constexpr bool check_operand(infer_context& c, const tensor_type& found, const tensor_type& wanted) {
    if (found.type != wanted.type) return c.refuse(fault::dtypes_differ, print(wanted), print(found));
    return sizes_of(found) == sizes_of(wanted) || c.refuse(fault::shapes_do_not_broadcast, print(wanted), print(found));
}

/// The sizes of a[m, k] @ b[k, n], both of rank 2 and one dtype.
constexpr bool infer_product(infer_context& c, const tensor_type& a, const tensor_type& b, tensor_type& out) {
    if (a.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(a));
    if (b.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(b));
    if (a.size(1) != b.size(0))
        return c.refuse(fault::matmul_inner_extents_differ,
                        short_text() << a.size(1) << " rows to follow " << print(a).view(), print(b));
    if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
    if (a.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(a));
    out = tensor_of(a.type, {a.size(0), b.size(1)});
    return true;
}

/// The sizes of a batch of products [b, m, k] @ [b, k, n].
constexpr bool infer_batch(infer_context& c, const tensor_type& a, const tensor_type& b, tensor_type& out) {
    if (a.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 3", print(a));
    if (b.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 3", print(b));
    if (a.size(0) != b.size(0)) return c.refuse(fault::shapes_do_not_broadcast, print(a), print(b));
    if (a.size(2) != b.size(1))
        return c.refuse(fault::matmul_inner_extents_differ,
                        short_text() << a.size(2) << " rows to follow " << print(a).view(), print(b));
    if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
    if (a.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(a));
    out = tensor_of(a.type, {a.size(0), a.size(1), b.size(2)});
    return true;
}

/// The general product, numpy.matmul: rank 1 operands are a row and a column, batch dims broadcast.
constexpr bool infer_matmul(infer_context& c, const tensor_type& a, const tensor_type& b, tensor_type& out) {
    if (a.rank == 0 || b.rank == 0)
        return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(a.rank == 0 ? a : b));
    const auto inner = b.rank == 1 ? b.size(0) : b.size(b.rank - 2);
    if (a.size(a.rank - 1) != inner)
        return c.refuse(fault::matmul_inner_extents_differ,
                        short_text() << a.size(a.rank - 1) << " rows to follow " << print(a).view(), print(b));
    if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
    if (a.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(a));
    auto batch_of = [](const tensor_type& t) {
        int_list sizes;
        for (int d = 0; d + 2 < t.rank; ++d) sizes.push_back(t.size(d));
        return tensor_of(t.type, sizes);
    };
    int_list sizes;
    if (!broadcast_into(c, sizes, batch_of(a)) || !broadcast_into(c, sizes, batch_of(b))) return false;
    if (a.rank > 1) sizes.push_back(a.size(a.rank - 2));
    if (b.rank > 1) sizes.push_back(b.size(b.rank - 1));
    out = tensor_of(a.type, sizes);
    return true;
}

/// Checks that `bias`, the beta term of addmm and its kin, broadcasts to `out` and has its dtype.
constexpr bool check_bias(infer_context& c, const tensor_type& bias, const tensor_type& out) {
    if (bias.type != out.type) return c.refuse(fault::dtypes_differ, print(out), print(bias));
    int_list sizes = sizes_of(out);
    if (!broadcast_into(c, sizes, bias)) return false;
    if (sizes != sizes_of(out)) return c.refuse(fault::shapes_do_not_broadcast, print(out), print(bias));
    return true;
}

/// Parameter order of operators with a bias, whatever the factors' names are: beta * self + alpha * (a @ b).
struct biased_parameters {
    enum at : int { self, a, b, beta, alpha };
};

/// beta * self + alpha * product; self is not read if beta is 0, so its NaN does not propagate. For integer dtypes beta
/// and alpha are truncated, as in PyTorch.
template <class T> constexpr T biased(auto& c, const int_list& at, accumulator_t<T> product) {
    using parameters = biased_parameters::at;
    const auto beta = c.number(parameters::beta, accumulator_t<T>{});
    const auto alpha = c.number(parameters::alpha, accumulator_t<T>{});
    const auto self = c.input(parameters::self, T{});
    const auto scaled = math::mul(alpha, product);
    if (beta == 0) return math::convert<T>(scaled);
    return math::convert<T>(
        math::add(math::mul(beta, static_cast<accumulator_t<T>>(self[broadcast_index(self.type(), at)])), scaled));
}

/// Integer arithmetic wraps in two's complement, as everywhere.
template <class T> constexpr accumulator_t<T> plus_product(accumulator_t<T> sum, T x, T y) {
    return math::add(sum, math::mul(static_cast<accumulator_t<T>>(x), static_cast<accumulator_t<T>>(y)));
}

/// Sum over k of a[i with i[a_dim] = k] * b[j with j[b_dim] = k].
template <class T>
constexpr accumulator_t<T> sum_of_products(const auto& a, int_list i, int a_dim, const auto& b, int_list j, int b_dim) {
    accumulator_t<T> sum{};
    for (std::int64_t k = 0; k < a.type().size(a_dim); ++k) {
        i[a_dim] = j[b_dim] = k;
        sum = plus_product<T>(sum, a[i], b[j]);
    }
    return sum;
}

namespace detail {

/// Element `at` of the general product.
template <class T> constexpr accumulator_t<T> matmul_element(const auto& a, const auto& b, const int_list& at) {
    const int rank_a = a.type().rank;
    const int rank_b = b.type().rank;
    const int batch = at.size - (rank_a > 1) - (rank_b > 1);
    auto i = broadcast_index(a.type(), at, rank_a - 2, batch), j = broadcast_index(b.type(), at, rank_b - 2, batch);
    if (rank_a > 1) i.push_back(at[batch]);
    i.push_back(0);
    j.push_back(0);
    if (rank_b > 1) j.push_back(at[at.size - 1]);
    return sum_of_products<T>(a, i, rank_a - 1, b, j, rank_b > 1 ? rank_b - 2 : 0);
}

} // namespace detail

/// The base of operators that are a product of their two parameters ...
struct product {
    enum at : int { a, b };
    static constexpr effects effect{.takes_complex = true};
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto a = c.input(at::a, as);
            const auto b = c.input(at::b, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                out.put(at, math::convert<T>(detail::matmul_element<T>(a, b, at)));
            });
        });
    }
};

/// ... and of operators that add a product to self.
struct biased_product : biased_parameters {
    static constexpr effects effect{.takes_complex = true};
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            using T = decltype(as);
            const auto a = c.input(at::a, as);
            const auto b = c.input(at::b, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                out.put(at, biased<T>(c, at, detail::matmul_element<T>(a, b, at)));
            });
        });
    }
};

namespace schemas {
inline constexpr parameter beta_option = defaulted("beta", parameter_kind::scalar, argument::of(1));
inline constexpr parameter alpha_option = defaulted("alpha", parameter_kind::scalar, argument::of(1));
} // namespace schemas

} // namespace ahead::aten
