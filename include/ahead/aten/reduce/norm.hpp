// SPDX-License-Identifier: MIT
// Norms, which are real also for complex numbers, and logsumexp. Source: aten/src/ATen/native/ReduceOps.cpp,
// LinearAlgebra.cpp.
#pragma once
#include <ahead/aten/reduce/reduce.hpp>

namespace AHEAD_NAMESPACE::aten {

/// logsumexp(Tensor self, int[1] dim, bool keepdim=False): log(sum(e^self)), shifted by the largest element
struct logsumexp : schemas::reduce_dims {
    static constexpr std::string_view name = "aten.logsumexp.default"sv;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim,
                             is_floating(c.tensor(at::self).type) ? c.tensor(at::self).type : dtype::f32);
    }
    static constexpr void evaluate(auto& c) {
        const auto& in_type = c.tensor(at::self);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            for_each_reduced(
                in_type, reduced_dims(c, at::dim, in_type.rank), c.boolean(at::keepdim),
                [&](const int_list& at, auto walk) {
                    double largest = -math::detail::infinity;
                    walk([&](const int_list& i) {
                        const auto x = static_cast<double>(in[i]);
                        if (x > largest || math::isnan(x)) largest = x;
                    });
                    if (math::isinf(largest)) largest = 0;
                    double total = 0;
                    walk([&](const int_list& i) { total += math::exp(static_cast<double>(in[i]) - largest); });
                    out.put(at, math::convert<T>(math::log(total) + largest));
                });
        });
    }
};

namespace detail {

/// The p-norm of the numbers that walk(g) passes to g: (sum |x|^p)^(1/p); the largest |x| for inf, the smallest for
/// -inf, the count of nonzeros for 0.
constexpr double norm_of(double p, auto walk) {
    double total = 0;
    bool first = true;
    walk([&](double given) {
        const double x = math::abs(given);
        if (math::isinf(p)) total = first || math::isnan(x) || (p > 0 ? x > total : x < total) ? x : total;
        else total += p == 0 ? (x != 0) : p == 1 ? x : p == 2 ? x * x : math::pow(x, p);
        first = false;
    });
    if (p == 2) return math::sqrt(total);
    return p != 0 && p != 1 && !math::isinf(p) ? math::pow(total, 1 / p) : total;
}

constexpr void evaluate_norm(auto& c, double p, int dim, int keepdim) {
    const auto& in_type = c.tensor(first_parameter);
    const auto take = [&](auto as) {
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, double{});
        for_each_reduced(in_type, reduced_dims(c, dim, in_type.rank), keepdim != no_parameter && c.boolean(keepdim),
                         [&](const int_list& at, auto walk) {
                             const auto each = [&](auto g) {
                                 walk([&](const int_list& i) {
                                     if constexpr (is_complex_number<decltype(as)>) g(math::magnitude(in[i]));
                                     else g(static_cast<double>(in[i]));
                                 });
                             };
                             out.put(at, norm_of(p, each));
                         });
    };
    if (is_complex(in_type.type)) take(complex128{});
    else c.compute_real(take);
}

/// The norm's dtype: parameter `wanted`, if it exists and is given, else self's; the part dtype for complex numbers.
constexpr bool infer_norm(infer_context& c, int dim, int keepdim, int wanted = no_parameter) {
    auto type = c.tensor(first_parameter).type;
    if (wanted != no_parameter && c.is_given(wanted)) type = c.type(wanted);
    return infer_real(c, dim, keepdim, is_complex(type) ? part_of(type) : type);
}
inline constexpr effects of_norms{.takes_complex = true};
/// Orders of norms of matrices.
constexpr bool is_order_of_matrices(double order) {
    const double size = math::abs(order);
    return size == 1 || size == 2 || math::isinf(size);
}

} // namespace detail

/// linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)
struct linalg_vector_norm {
    static constexpr std::string_view name = "aten.linalg_vector_norm.default"sv;
    enum at : int { self, ord, dim, keepdim, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("ord", parameter_kind::scalar, argument::of(2)),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
    static constexpr effects effect = detail::of_norms;
    static constexpr bool infer(infer_context& c) { return detail::infer_norm(c, at::dim, at::keepdim, at::dtype); }
    static constexpr void evaluate(auto& c) { detail::evaluate_norm(c, c.real(at::ord), at::dim, at::keepdim); }
};

/// norm.Scalar(Tensor self, Scalar p=2)
struct norm_scalar {
    static constexpr std::string_view name = "aten.norm.Scalar"sv;
    static constexpr effects effect = detail::of_norms;
    enum at : int { self, p };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("p", parameter_kind::scalar, argument::of(2))};
    static constexpr bool infer(infer_context& c) { return detail::infer_norm(c, no_parameter, no_parameter); }
    static constexpr void evaluate(auto& c) { detail::evaluate_norm(c, c.real(at::p), no_parameter, no_parameter); }
};

/// norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False)
struct norm_dim {
    static constexpr std::string_view name = "aten.norm.ScalarOpt_dim"sv;
    enum at : int { self, p, dim, keepdim };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("p", parameter_kind::optional_scalar),
        required("dim", parameter_kind::int_list), defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr effects effect = detail::of_norms;
    static constexpr bool infer(infer_context& c) { return detail::infer_norm(c, at::dim, at::keepdim); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_norm(c, c.is_given(at::p) ? c.real(at::p) : 2, at::dim, at::keepdim);
    }
};

/// linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None): norms of
/// vectors: along one dim, of rank 1, or of all elements if ord is None. Norms of matrices are refused here, and
/// legalize/composite/matrix_norms.hpp takes them.
struct linalg_norm {
    static constexpr std::string_view name = "aten.linalg_norm.default"sv;
    static constexpr effects effect = detail::of_norms;
    using at = linalg_vector_norm::at;
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("ord", parameter_kind::optional_scalar),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
    static constexpr bool infer(infer_context& c) {
        const auto dims = c.is_given(at::dim) ? c.ints(at::dim).size : int{c.tensor(at::self).rank};
        if (c.is_given(at::ord) && dims != 1) return refuse_matrices(c, dims);
        return detail::infer_norm(c, at::dim, at::keepdim, at::dtype);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_norm(c, c.is_given(at::ord) ? c.real(at::ord) : 2, at::dim, at::keepdim);
    }

private:
    /// Arguments that are wrong for matrices as well come first.
    static constexpr bool refuse_matrices(infer_context& c, int dims) {
        const auto& t = c.tensor(at::self);
        const double order = c.real(at::ord);
        if (dims != 2) return c.refuse(fault::rank_is_wrong, "1 or 2 dims, or ord=None", short_text() << dims);
        if (!detail::is_order_of_matrices(order))
            return c.refuse(fault::argument_is_unsupported, "order 1, 2 or inf, or its negative", "another order");
        if (math::abs(order) == 2 && t.type != dtype::f32 && t.type != dtype::f64)
            return c.refuse(fault::dtype_is_unsupported, "f32 or f64", print(t));
        return c.refuse(fault::argument_is_unsupported, "ord=None, or linalg_vector_norm, for the root of squares",
                        "the norm of a matrix");
    }
};

/// frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False): the root of the sum of squares
struct frobenius_norm : schemas::reduce_dims {
    static constexpr std::string_view name = "aten.frobenius_norm.dim"sv;
    static constexpr effects effect = detail::of_norms;
    static constexpr bool infer(infer_context& c) { return detail::infer_norm(c, at::dim, at::keepdim); }
    static constexpr void evaluate(auto& c) { detail::evaluate_norm(c, 2, at::dim, at::keepdim); }
};

/// _weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor): v * (g / norm), and the norm of v over
/// all dims but dim, the first or the last one. g has the norm's sizes; the norm is f32 where v is bf16. Source:
/// aten/src/ATen/native/WeightNorm.cpp.
struct weight_norm_interface {
    static constexpr std::string_view name = "aten._weight_norm_interface.default"sv;
    enum at : int { v, g, dim };
    static constexpr parameter schema[] = {required("v", parameter_kind::tensor), required("g", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr unsigned dims_of_norm(const auto& c) {
        return ((1u << c.tensor(at::v).rank) - 1) & ~(1u << c.integer(at::dim));
    }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::v);
        const auto dim = c.integer(at::dim);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
        if (dim != 0 && dim != t.rank - 1)
            return c.refuse(fault::argument_is_unsupported, short_text() << "dim 0 or " << t.rank - 1,
                            short_text() << dim);
        const auto scale = tensor_of(t.type, sizes_without(t, dims_of_norm(c), true));
        if (c.tensor(at::g).type != t.type)
            return c.refuse(fault::dtypes_differ, print(scale), print(c.tensor(at::g)));
        if (sizes_of(c.tensor(at::g)) != sizes_of(scale))
            return c.refuse(fault::shapes_do_not_broadcast, print(scale), print(c.tensor(at::g)));
        return c.results(2) && c.set(0, tensor_of(t.type, sizes_of(t))) &&
               c.set(1, tensor_of(t.type == dtype::bf16 ? dtype::f32 : t.type, sizes_of(scale)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::v, as), scale = c.input(at::g, as), out = c.output(0, as);
            const auto norms = c.output(1, double{});
            for_each_reduced(c.tensor(at::v), dims_of_norm(c), true, [&](const int_list& at, auto walk) {
                const double norm = detail::norm_of(
                    2, [&](auto add) { walk([&](const int_list& i) { add(static_cast<double>(in[i])); }); });
                norms.put(at, norm);
                const double factor = static_cast<double>(scale[at]) / norm;
                walk([&](const int_list& i) { out.put(i, math::convert<T>(static_cast<double>(in[i]) * factor)); });
            });
        });
    }
};

using norm_ops = op_list<logsumexp, linalg_vector_norm, norm_scalar, norm_dim, linalg_norm, frobenius_norm,
                         weight_norm_interface>;

} // namespace ahead::aten
