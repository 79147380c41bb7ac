// SPDX-License-Identifier: MIT
// Activations. Source: aten/src/ATen/native/Activation.cpp, cpu/Activation.cpp.
#pragma once
#include <ahead/aten/pointwise/extremes.hpp>
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>
#include <source_location>

namespace AHEAD_NAMESPACE::aten {

struct sigmoid_backward;
struct threshold_backward; // gradients.hpp

/// sigmoid(Tensor self): 1 / (1 + e^-x)
struct sigmoid : takes_complex<unary<promotion::to_real>> {
    static constexpr std::string_view name = "aten.sigmoid.default"sv;
    static constexpr machine::steps steps{26, true};
    template <class T> static constexpr T meaning(T x) { return 1 / (1 + math::exp(-x)); }
    static constexpr auto derivative = [](const auto&, const auto& result, const auto& gradient) {
        return call<sigmoid_backward>(std::source_location::current(), gradient, result);
    };
};

/// relu(Tensor self): max(x, 0); propagates NaN
struct relu : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.relu.default"sv;
    static constexpr machine::steps steps{1, true};
    template <class T> static constexpr T meaning(T x) { return x < T{} ? T{} : x; }
    static constexpr auto derivative = [](const auto&, const auto& result, const auto& gradient) {
        return call<threshold_backward>(std::source_location::current(), gradient, result, 0);
    };
};

/// silu(Tensor self): x * sigmoid(x)
struct silu : takes_complex<unary<promotion::keep, domain::fraction>> {
    static constexpr std::string_view name = "aten.silu.default"sv;
    static constexpr machine::steps steps{33, true};
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x) { return x / (1 + math::exp(-x)); }
};

/// mish(Tensor self): x * tanh(softplus(x))
struct mish : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.mish.default"sv;
    static constexpr machine::steps steps{38, true};
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x) { return x * math::tanh(math::log1p(math::exp(x))); }
};

/// selu(Tensor self): scaled elu with the constants of Klambauer et al., 2017
struct selu : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.selu.default"sv;
    static constexpr machine::steps steps{32, true};
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x) {
        return T(1.0507009873554804934193349852946) *
               (x > 0 ? x : T(1.6732632423543772848170429916717) * math::expm1(x));
    }
};

/// relu6(Tensor self): clamp to [0, 6]
struct relu6 : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.relu6.default"sv;
    template <class T> static constexpr T meaning(T x) { return x < T{0} ? T{0} : x > T{6} ? T{6} : x; }
};

/// hardsigmoid(Tensor self): clamp(x + 3, 0, 6) / 6
struct hardsigmoid : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hardsigmoid.default"sv;
    static constexpr machine::steps steps{13, true};
    template <class T> static constexpr T meaning(T x) { return (x + 3 < 0 ? T{0} : x + 3 > 6 ? T{6} : x + 3) / 6; }
};

/// hardswish(Tensor self): x * hardsigmoid(x)
struct hardswish : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hardswish.default"sv;
    static constexpr machine::steps steps{14, true};
    template <class T> static constexpr T meaning(T x) { return x * (x + 3 < 0 ? T{0} : x + 3 > 6 ? T{6} : x + 3) / 6; }
};

/// hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1): clamp(self, min_val, max_val)
struct hardtanh : pointwise<1, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.hardtanh.default"sv;
    static constexpr machine::steps steps{2, true};
    enum at : int { self, min_val, max_val };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("min_val", parameter_kind::scalar, argument::of(-1)),
                                           defaulted("max_val", parameter_kind::scalar, argument::of(1))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.type == dtype::u8 && (c.real(at::min_val) < 0 || c.real(at::max_val) < 0))
            return c.refuse(fault::dtype_is_unsupported, "a signed dtype, for limits below 0", print(t));
        return pointwise<1, promotion::keep, domain::number>::infer(c);
    }
    template <class T> static constexpr T meaning(T x, T low, T high) { return clamp::meaning(x, low, high); }
};

/// leaky_relu(Tensor self, Scalar negative_slope=0.01): x, or x * negative_slope if x < 0
struct leaky_relu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.leaky_relu.default"sv;
    enum at : int { self, negative_slope };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("negative_slope", parameter_kind::scalar, argument::of(0.01))};
    template <class T> static constexpr T meaning(T x, T slope) { return x > 0 ? x : x * slope; }
};

/// elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1): scale * x if x > 0, else scale * alpha *
/// (e^(x*input_scale) - 1)
struct elu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.elu.default"sv;
    static constexpr machine::steps steps{32, true};
    static constexpr bool is_expensive = true;
    enum at : int { self, alpha, scale, input_scale };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("alpha", parameter_kind::scalar, argument::of(1)),
                                           defaulted("scale", parameter_kind::scalar, argument::of(1)),
                                           defaulted("input_scale", parameter_kind::scalar, argument::of(1))};
    template <class T> static constexpr T meaning(T x, T alpha, T scale, T input_scale) {
        return x <= 0 ? alpha * scale * math::expm1(x * input_scale) : x * scale;
    }
};

/// celu(Tensor self, Scalar alpha=1): x if x > 0, else alpha * (e^(x/alpha) - 1)
struct celu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.celu.default"sv;
    static constexpr machine::steps steps{40, true};
    static constexpr bool is_expensive = true;
    enum at : int { self, alpha };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("alpha", parameter_kind::scalar, argument::of(1))};
    template <class T> static constexpr T meaning(T x, T alpha) { return x <= 0 ? alpha * math::expm1(x / alpha) : x; }
};

/// How gelu computes the normal distribution's integral.
enum class approximation { none, tanh };

/// gelu(Tensor self, str approximate='none'): x times the normal distribution function at x, exact or by tanh
struct gelu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.gelu.default"sv;
    static constexpr machine::steps steps{33, true}; // not by tanh
    enum at : int { self, approximate };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           one_of<approximation>(defaulted("approximate", parameter_kind::string,
                                                                           argument_of_word<approximation::none>()))};
    template <class T> static constexpr T meaning(T x, T form) {
        if (as_word<approximation>(form) == approximation::none)
            return x * T(0.5) * (1 + math::erf(x * T(0.70710678118654752440)));
        const T inner = T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
        return T(0.5) * x * (1 + math::tanh(inner));
    }
};

/// softplus(Tensor self, Scalar beta=1, Scalar threshold=20): log(1 + e^(beta*x)) / beta
struct softplus : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.softplus.default"sv;
    static constexpr machine::steps steps{90, true};
    static constexpr bool is_expensive = true;
    enum at : int { self, beta, threshold };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("beta", parameter_kind::scalar, argument::of(1)),
                                           defaulted("threshold", parameter_kind::scalar, argument::of(20))};
    template <class T> static constexpr T meaning(T x, T beta, T threshold) {
        return x * beta > threshold ? x : math::log1p(math::exp(x * beta)) / beta;
    }
};

/// _prelu_kernel(Tensor self, Tensor weight): x, or x * weight if x < 0; both broadcast
struct prelu_kernel : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten._prelu_kernel.default"sv;
    enum at : int { self, weight };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T x, T slope) { return x > 0 ? x : x * slope; }
};

namespace schemas {
struct threshold_and_value { // a separate struct, because a class cannot have an enumerator of its own name
    enum at : int { self, threshold, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("threshold", parameter_kind::scalar),
                                           required("value", parameter_kind::scalar)};
};
} // namespace schemas

/// threshold(Tensor self, Scalar threshold, Scalar value): x if x > threshold, else value
struct threshold : pointwise<1, promotion::keep, domain::number>, schemas::threshold_and_value {
    static constexpr std::string_view name = "aten.threshold.default"sv;
    template <class T> static constexpr T meaning(T x, T limit, T value) { return x <= limit ? value : x; }
};

namespace schemas {
struct shrink {
    enum at : int { self, lambd };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("lambd", parameter_kind::scalar, argument::of(0.5))};
};
} // namespace schemas

/// hardshrink(Tensor self, Scalar lambd=0.5): 0 in [-lambd, lambd], else x
struct hardshrink : pointwise<1, promotion::keep, domain::real>, schemas::shrink {
    static constexpr auto numbers = rounded_numbers::all;
    static constexpr std::string_view name = "aten.hardshrink.default"sv;
    template <class T> static constexpr T meaning(T x, T limit) { return x >= -limit && x <= limit ? T{} : x; }
};

/// softshrink(Tensor self, Scalar lambd=0.5): 0 in [-lambd, lambd], else x moved towards 0 by lambd
struct softshrink : pointwise<1, promotion::keep, domain::real>, schemas::shrink {
    static constexpr auto numbers = rounded_numbers::all;
    static constexpr std::string_view name = "aten.softshrink.default"sv;
    template <class T> static constexpr T meaning(T x, T limit) {
        return x > limit ? x - limit : x < -limit ? x + limit : x * T{};
    }
};

using activation_ops = op_list<sigmoid, relu, silu, mish, selu, relu6, hardsigmoid, hardswish, hardtanh, leaky_relu,
                               elu, celu, gelu, softplus, prelu_kernel, threshold, hardshrink, softshrink>;
using in_place_activation_ops = op_list<in_place<relu>, in_place<sigmoid>, in_place<silu>, in_place<hardswish>,
                                        in_place<relu6>, in_place<hardsigmoid>, in_place<hardtanh>,
                                        in_place<leaky_relu>, in_place<elu>, in_place<gelu>, in_place<threshold>>;

} // namespace ahead::aten
