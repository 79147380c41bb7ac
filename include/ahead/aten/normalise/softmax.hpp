// SPDX-License-Identifier: MIT
// Softmax and log_softmax along one dim, and their gradients. Source: aten/src/ATen/native/SoftMax.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// e^x / sum(e^x) along the dim of parameter `dim`, shifted by the largest element; or its logarithm.
/// Safe: a row in which all elements are -inf gives zeros.
template <bool Logarithm, bool Safe = false> constexpr void evaluate_softmax(auto& c, int dim) {
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_reduced(in.type(), reduced_dims(c, dim, in.type().rank), true, [&](const int_list&, auto walk) {
            double largest = -math::detail::infinity;
            walk([&](const int_list& i) {
                const auto x = static_cast<double>(in[i]);
                if (x > largest || math::isnan(x)) largest = x;
            });
            double total = 0;
            if (Safe && largest == -math::detail::infinity) return walk([&](const int_list& i) { out.put(i, T{}); });
            walk([&](const int_list& i) { total += math::exp(static_cast<double>(in[i]) - largest); });
            walk([&](const int_list& i) {
                const double x = static_cast<double>(in[i]) - largest;
                out.put(i, math::convert<T>(Logarithm ? x - math::log(total) : math::exp(x) / total));
            });
        });
    });
}

template <bool Logarithm> struct softmax_along {
    enum at : int { self, dim, half_to_float };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("half_to_float", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (!check_dims(c, at::dim, t.rank)) return false;
        return c.result(tensor_of(c.boolean(at::half_to_float) ? dtype::f32 : t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) { evaluate_softmax<Logarithm>(c, at::dim); }
};

} // namespace detail

/// _softmax(Tensor self, int dim, bool half_to_float): e^self / sum(e^self), shifted by the largest element
struct softmax : detail::softmax_along<false> {
    static constexpr std::string_view name = "aten._softmax.default"sv;
};

/// _log_softmax(Tensor self, int dim, bool half_to_float)
struct log_softmax : detail::softmax_along<true> {
    static constexpr std::string_view name = "aten._log_softmax.default"sv;
};

namespace detail {

/// The user-level form: converts self to `dtype` first, if given.
template <bool Logarithm> struct converted_softmax {
    enum at : int { self, dim, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : t.type;
        if (!is_floating(type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (type != t.type && !has_kernels(type))
            return c.refuse(fault::dtype_is_unsupported, "f32 or f64, or self converted before",
                            facts_of(type).annotation);
        return check_dims(c, at::dim, t.rank) && c.result(tensor_of(type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) { evaluate_softmax<Logarithm>(c, at::dim); }
};

} // namespace detail

/// softmax.int(Tensor self, int dim, ScalarType? dtype=None)
struct softmax_int : detail::converted_softmax<false> {
    static constexpr std::string_view name = "aten.softmax.int"sv;
};

/// _safe_softmax(Tensor self, int dim, ScalarType? dtype=None): softmax.int; a row of only -inf gives zeros
struct safe_softmax : detail::converted_softmax<false> {
    static constexpr std::string_view name = "aten._safe_softmax.default"sv;
    static constexpr void evaluate(auto& c) { detail::evaluate_softmax<false, true>(c, at::dim); }
};

/// log_softmax.int(Tensor self, int dim, ScalarType? dtype=None)
struct log_softmax_int : detail::converted_softmax<true> {
    static constexpr std::string_view name = "aten.log_softmax.int"sv;
};

namespace detail {

template <bool Logarithm> struct softmax_gradient {
    enum at : int { grad_output, output, dim, input_dtype };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("output", parameter_kind::tensor),
        required("dim", parameter_kind::integer), required("input_dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::grad_output);
        if (sizes_of(t) != sizes_of(c.tensor(at::output)))
            return c.refuse(fault::shapes_do_not_broadcast, print(t), print(c.tensor(at::output)));
        return check_dims(c, at::dim, t.rank) && c.result(tensor_of(c.type(at::input_dtype), sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto gradient = c.input(at::grad_output, as);
            const auto output = c.input(at::output, as);
            const auto out = c.output(0, as);
            for_each_reduced(
                gradient.type(), reduced_dims(c, at::dim, gradient.type().rank), true, [&](const int_list&, auto walk) {
                    double total = 0;
                    walk([&](const int_list& i) {
                        total += static_cast<double>(gradient[i]) * (Logarithm ? 1 : static_cast<double>(output[i]));
                    });
                    walk([&](const int_list& i) {
                        const auto g = static_cast<double>(gradient[i]);
                        const auto y = static_cast<double>(output[i]);
                        out.put(i, math::convert<T>(Logarithm ? g - math::exp(y) * total : (g - total) * y));
                    });
                });
        });
    }
};

} // namespace detail

/// _softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype)
struct softmax_backward : detail::softmax_gradient<false> {
    static constexpr std::string_view name = "aten._softmax_backward_data.default"sv;
};

/// _log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype)
struct log_softmax_backward : detail::softmax_gradient<true> {
    static constexpr std::string_view name = "aten._log_softmax_backward_data.default"sv;
};

using softmax_ops =
    op_list<softmax, log_softmax, softmax_int, log_softmax_int, safe_softmax, softmax_backward, log_softmax_backward>;

} // namespace ahead::aten
