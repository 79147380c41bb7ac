// SPDX-License-Identifier: MIT
// Pointwise gradients.
// Source: aten/src/ATen/native/cpu/Activation.cpp, BinaryOpsKernel.cpp; tools/autograd/derivatives.yaml.
#pragma once
#include <ahead/aten/pointwise/activation.hpp>

namespace AHEAD_NAMESPACE::aten {

/// threshold_backward(Tensor grad_output, Tensor self, Scalar threshold): the gradient if self > threshold, else 0
struct threshold_backward : second_first<pointwise<2, promotion::keep>> {
    static constexpr std::string_view name = "aten.threshold_backward.default"sv;
    enum at : int { grad_output, self, threshold };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           required("threshold", parameter_kind::scalar)};
    template <class T> static constexpr T meaning(T grad, T x, T limit) { return x <= limit ? T{} : grad; }
};

/// sigmoid_backward(Tensor grad_output, Tensor output): computed from the output
struct sigmoid_backward : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.sigmoid_backward.default"sv;
    enum at : int { grad_output, output };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("output", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T grad, T y) { return grad * (1 - y) * y; }
};

/// tanh_backward(Tensor grad_output, Tensor output): computed from the output
struct tanh_backward : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.tanh_backward.default"sv;
    enum at : int { grad_output, output };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("output", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T grad, T y) { return grad * (1 - y * y); }
};

/// silu_backward(Tensor grad_output, Tensor self): computed from the input
struct silu_backward : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.silu_backward.default"sv;
    static constexpr machine::steps steps{32, true};
    static constexpr bool is_expensive = true;
    enum at : int { grad_output, self };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T grad, T x) {
        const T s = 1 / (1 + math::exp(-x));
        return grad * s * (1 + x * (1 - s));
    }
};

/// gelu_backward(Tensor grad_output, Tensor self, str approximate='none'): computed from the input
struct gelu_backward : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.gelu_backward.default"sv;
    static constexpr machine::steps steps{60, true};
    static constexpr bool is_expensive = true;
    enum at : int { grad_output, self, approximate };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor), gelu::schema[1]};
    template <class T> static constexpr T meaning(T grad, T x, T form) {
        if (as_word<approximation>(form) == approximation::none) {
            const T integral = T(0.5) * (1 + math::erf(x * T(0.70710678118654752440)));
            return grad * (integral + x * math::exp(-x * x / 2) * T(0.39894228040143267794));
        }
        const T factor = T(0.79788456080286535588);
        const T t = math::tanh(factor * (x + T(0.044715) * x * x * x));
        return grad * (T(0.5) * (1 + t) + T(0.5) * x * (1 - t * t) * factor * (1 + 3 * T(0.044715) * x * x));
    }
};

/// hardswish_backward(Tensor grad_output, Tensor self): computed from the input
struct hardswish_backward : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hardswish_backward.default"sv;
    enum at : int { grad_output, self };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T grad, T x) {
        return x < -3 ? T{} : x <= 3 ? grad * (x / 3 + T(0.5)) : grad;
    }
};

/// hardsigmoid_backward(Tensor grad_output, Tensor self): computed from the input
struct hardsigmoid_backward : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hardsigmoid_backward.default"sv;
    enum at : int { grad_output, self };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T grad, T x) { return x > -3 && x < 3 ? grad / 6 : T{}; }
};

/// hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val): the gradient if self is strictly
/// between the bounds, else 0
struct hardtanh_backward : pointwise<2, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.hardtanh_backward.default"sv;
    enum at : int { grad_output, self, min_val, max_val };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("self", parameter_kind::tensor),
        required("min_val", parameter_kind::scalar), required("max_val", parameter_kind::scalar)};
    template <class T> static constexpr T meaning(T grad, T x, T low, T high) {
        return x <= low || x >= high ? T{} : grad;
    }
};

/// leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result): computed from the
/// input or the output, whose signs agree
struct leaky_relu_backward : second_first<pointwise<2, promotion::keep, domain::real>> {
    static constexpr std::string_view name = "aten.leaky_relu_backward.default"sv;
    enum at : int { grad_output, self, negative_slope, self_is_result };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("self", parameter_kind::tensor),
        required("negative_slope", parameter_kind::scalar), required("self_is_result", parameter_kind::boolean)};
    template <class T> static constexpr T meaning(T grad, T x, T slope, T /*self_is_result*/) {
        return x > 0 ? grad : grad * slope;
    }
};

namespace schemas {
struct dropout_gradient {
    enum at : int { grad_output, mask, scale };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor),
                                           required("scale", parameter_kind::real)};
};
} // namespace schemas

/// native_dropout_backward(Tensor grad_output, Tensor mask, float scale): grad_output * mask * scale
struct native_dropout_backward : pointwise<2, promotion::to_real> {
    static constexpr std::string_view name = "aten.native_dropout_backward.default"sv;
    using at = schemas::dropout_gradient::at; // not a base, whose enumerator would conflict with `mask`
    static constexpr auto& schema = schemas::dropout_gradient::schema;
    template <class T> static constexpr T meaning(T grad, T kept, T factor) {
        return math::mul(math::mul(grad, kept), factor);
    }
};

using gradient_ops =
    op_list<native_dropout_backward, threshold_backward, sigmoid_backward, tanh_backward, silu_backward, gelu_backward,
            hardswish_backward, hardsigmoid_backward, hardtanh_backward, leaky_relu_backward>;

} // namespace ahead::aten
