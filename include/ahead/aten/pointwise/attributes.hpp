// SPDX-License-Identifier: MIT
// Pointwise operators with attributes, of three operands or with a mask.
// Source: aten/src/ATen/native/Activation.cpp, TensorCompare.cpp, PointwiseOps.cpp, Lerp.h.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// clamp(Tensor self, Scalar? min=None, Scalar? max=None): min(max(self, min), max); NaN stays, and wins as a bound
struct clamp : pointwise<3, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.clamp.default";
    enum at : int { self, min, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("min", parameter_kind::optional_scalar),
                                           defaulted("max", parameter_kind::optional_scalar)};
    static constexpr bool infer(infer_context& c) {
        if (!c.is_given(at::min) && !c.is_given(at::max))
            return c.refuse(fault::argument_is_missing, "min or max", "None");
        return pointwise<3, promotion::keep, domain::number>::infer(c);
    }
    template <class T>
    static constexpr T absent(int i) {
        using limits = std::numeric_limits<T>;
        if constexpr (std::floating_point<T>) return i == at::min ? -limits::infinity() : limits::infinity();
        else return i == at::min ? limits::lowest() : limits::max();
    }
    template <class T>
    static constexpr T meaning(T x, T low, T high) {
        if (math::isnan(low)) return low;
        if (math::isnan(high)) return high;
        const T raised = x < low ? low : x;
        return high < raised ? high : raised;
    }
};

/// clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None)
struct clamp_tensor : clamp {
    static constexpr std::string_view name = "aten.clamp.Tensor";
    enum at : int { self, min, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("min", parameter_kind::optional_tensor),
                                           defaulted("max", parameter_kind::optional_tensor)};
    template <class T>
    static constexpr T meaning(T x, T low, T high) {
        return math::isnan(x) ? x : clamp::meaning(x, low, high);
    }
};

/// clamp_min(Tensor self, Scalar min): max(self, min)
struct clamp_min : pointwise<2, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.clamp_min.default";
    enum at : int { self, min };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("min", parameter_kind::scalar)};
    template <class T>
    static constexpr T meaning(T x, T low) {
        return math::isnan(x) || x > low ? x : low;
    }
};

/// clamp_max(Tensor self, Scalar max): min(self, max)
struct clamp_max : pointwise<2, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.clamp_max.default";
    enum at : int { self, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("max", parameter_kind::scalar)};
    template <class T>
    static constexpr T meaning(T x, T high) {
        return math::isnan(x) || x < high ? x : high;
    }
};

/// hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1): clamp(self, min_val, max_val)
struct hardtanh : pointwise<1, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.hardtanh.default";
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
    template <class T>
    static constexpr T meaning(T x, T low, T high) {
        return clamp::meaning(x, low, high);
    }
};

/// leaky_relu(Tensor self, Scalar negative_slope=0.01): self, times negative_slope below zero
struct leaky_relu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.leaky_relu.default";
    enum at : int { self, negative_slope };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("negative_slope", parameter_kind::scalar, argument::of(0.01))};
    template <class T>
    static constexpr T meaning(T x, T slope) {
        return x > 0 ? x : x * slope;
    }
};

/// elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1): scale * (x above zero, alpha *
/// (e^(x*input_scale) - 1) below)
struct elu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.elu.default";
    enum at : int { self, alpha, scale, input_scale };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("alpha", parameter_kind::scalar, argument::of(1)),
                                           defaulted("scale", parameter_kind::scalar, argument::of(1)),
                                           defaulted("input_scale", parameter_kind::scalar, argument::of(1))};
    template <class T>
    static constexpr T meaning(T x, T alpha, T scale, T input_scale) {
        return x <= 0 ? alpha * scale * math::expm1(x * input_scale) : x * scale;
    }
};

/// celu(Tensor self, Scalar alpha=1): x above zero, alpha * (e^(x/alpha) - 1) below
struct celu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.celu.default";
    enum at : int { self, alpha };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("alpha", parameter_kind::scalar, argument::of(1))};
    template <class T>
    static constexpr T meaning(T x, T alpha) {
        return x <= 0 ? alpha * math::expm1(x / alpha) : x;
    }
};

/// gelu(Tensor self, str approximate='none'): x times the normal distribution's integral to x, exact or by tanh
struct gelu : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.gelu.default";
    static constexpr std::string_view forms[] = {"none", "tanh"};
    enum at : int { self, approximate };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           one_of(forms, defaulted("approximate", parameter_kind::string,
                                                                   {.kind = argument_kind::string, .text = "none"}))};
    template <class T>
    static constexpr T meaning(T x, T tanh) {
        if (tanh == 0) return x * T(0.5) * (1 + math::erf(x * T(0.70710678118654752440)));
        const T inner = T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
        return T(0.5) * x * (1 + math::tanh(inner));
    }
};

/// softplus(Tensor self, Scalar beta=1, Scalar threshold=20): log(1 + e^(beta*x)) / beta
struct softplus : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.softplus.default";
    enum at : int { self, beta, threshold };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("beta", parameter_kind::scalar, argument::of(1)),
                                           defaulted("threshold", parameter_kind::scalar, argument::of(20))};
    template <class T>
    static constexpr T meaning(T x, T beta, T threshold) {
        return x * beta > threshold ? x : math::log1p(math::exp(x * beta)) / beta;
    }
};

namespace schemas {
struct threshold_and_value { // not in the operator, since no enumerator may have its name
    enum at : int { self, threshold, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("threshold", parameter_kind::scalar),
                                           required("value", parameter_kind::scalar)};
};
struct where {
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
};
struct masked_fill {
    enum at : int { self, mask, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor),
                                           required("value", parameter_kind::scalar)};
};
} // namespace schemas

/// threshold(Tensor self, Scalar threshold, Scalar value): value where self is not above threshold
struct threshold : pointwise<1, promotion::keep, domain::number>, schemas::threshold_and_value {
    static constexpr std::string_view name = "aten.threshold.default";
    template <class T>
    static constexpr T meaning(T x, T limit, T value) {
        return x <= limit ? value : x;
    }
};

/// nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None): finite numbers for NaN, inf and
/// -inf
struct nan_to_num : pointwise<1, promotion::keep> {
    static constexpr std::string_view name = "aten.nan_to_num.default";
    enum at : int { self, nan, posinf, neginf };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), defaulted("nan", parameter_kind::optional_real),
        defaulted("posinf", parameter_kind::optional_real), defaulted("neginf", parameter_kind::optional_real)};
    template <class T>
    static constexpr T absent(int i) {
        return i == at::nan ? T{} : i == at::posinf ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    }
    template <class T>
    static constexpr T meaning(T x, T nan, T above, T below) {
        return math::isnan(x) ? nan : math::isinf(x) ? (x > T{} ? above : below) : x;
    }
};

/// round.decimals(Tensor self, int decimals): nearest multiple of 10^-decimals, halves to even
struct round_decimals : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.round.decimals";
    enum at : int { self, decimals };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("decimals", parameter_kind::integer)};
    template <class T>
    static constexpr T meaning(T x, T decimals) {
        const T power = math::pow(T(10), math::abs(decimals));
        return decimals < 0 ? math::nearbyint(x / power) * power : math::nearbyint(x * power) / power;
    }
};

/// lerp.Scalar(Tensor self, Tensor end, Scalar weight): self + weight * (end - self)
struct lerp_scalar : pointwise<2, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.lerp.Scalar";
    enum at : int { self, end, weight };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("end", parameter_kind::tensor),
                                           required("weight", parameter_kind::scalar)};
    template <class T>
    static constexpr T meaning(T x, T end, T weight) {
        return math::abs(weight) < T(0.5) ? x + weight * (end - x) : end - (end - x) * (1 - weight);
    }
};

/// lerp.Tensor(Tensor self, Tensor end, Tensor weight)
struct lerp_tensor : pointwise<3, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.lerp.Tensor";
    enum at : int { self, end, weight };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("end", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor)};
    template <class T>
    static constexpr T meaning(T x, T end, T weight) {
        return lerp_scalar::meaning(x, end, weight);
    }
};

/// addcmul(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1): self + value * tensor1 * tensor2
struct addcmul : pointwise<3, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.addcmul.default";
    enum at : int { self, tensor1, tensor2, value };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("tensor1", parameter_kind::tensor),
        required("tensor2", parameter_kind::tensor), defaulted("value", parameter_kind::scalar, argument::of(1))};
    template <class T>
    static constexpr T meaning(T x, T y, T z, T value) {
        return math::add(x, math::mul(value, math::mul(y, z)));
    }
};

/// addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1): self + value * tensor1 / tensor2
struct addcdiv : pointwise<3, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.addcdiv.default";
    enum at : int { self, tensor1, tensor2, value };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("tensor1", parameter_kind::tensor),
        required("tensor2", parameter_kind::tensor), defaulted("value", parameter_kind::scalar, argument::of(1))};
    template <class T>
    static constexpr T meaning(T x, T y, T z, T value) {
        return x + value * (y / z);
    }
};

/// prims.fma(Tensor a, Tensor b, Tensor c): a * b + c, here rounded twice
struct fma : pointwise<3, promotion::keep> {
    static constexpr std::string_view name = "prims.fma.default";
    enum at : int { a, b, c };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor), required("b", parameter_kind::tensor),
                                           required("c", parameter_kind::tensor)};
    template <class T>
    static constexpr T meaning(T x, T y, T z) {
        return math::add(math::mul(x, y), z);
    }
};

/// where.self(Tensor condition, Tensor self, Tensor other): self where condition, other elsewhere
struct where : masked<3, schemas::where::condition>, schemas::where {
    static constexpr std::string_view name = "aten.where.self";
    template <class T>
    static constexpr T meaning(T condition, T x, T y) {
        return condition != T{} ? x : y;
    }
};

/// where.ScalarSelf(Tensor condition, Scalar self, Tensor other)
struct where_scalar_self : where {
    static constexpr std::string_view name = "aten.where.ScalarSelf";
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::scalar),
                                           required("other", parameter_kind::tensor)};
};

/// where.ScalarOther(Tensor condition, Tensor self, Scalar other)
struct where_scalar_other : where {
    static constexpr std::string_view name = "aten.where.ScalarOther";
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::scalar)};
};

/// where.Scalar(Tensor condition, Scalar self, Scalar other)
struct where_scalar : where {
    static constexpr std::string_view name = "aten.where.Scalar";
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::scalar),
                                           required("other", parameter_kind::scalar)};
};

/// masked_fill.Scalar(Tensor self, Tensor mask, Scalar value): value where mask, self elsewhere; the dtype of self,
/// row-major
struct masked_fill_scalar : masked<2, schemas::masked_fill::mask> {
    static constexpr std::string_view name = "aten.masked_fill.Scalar";
    using at = schemas::masked_fill::at; // no base, whose enumerator would be another `mask`
    static constexpr auto& schema = schemas::masked_fill::schema;
    static constexpr bool infer(infer_context& c) {
        const auto type = c.tensor(at::self).type;
        if (!masked::infer(c)) return false;
        const auto out = tensor_of(type, sizes_of(c.result_type()));
        return c.result(out);
    }
    template <class T>
    static constexpr T meaning(T x, T mask, T value) {
        return mask != T{} ? value : x;
    }
};

/// masked_fill.Tensor(Tensor self, Tensor mask, Tensor value): value of rank 0
struct masked_fill_tensor : masked_fill_scalar {
    static constexpr std::string_view name = "aten.masked_fill.Tensor";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::value).rank != 0) return c.refuse(fault::rank_is_wrong, "rank 0", print(c.tensor(at::value)));
        return masked_fill_scalar::infer(c);
    }
};

using attribute_ops =
    op_list<clamp, clamp_tensor, clamp_min, clamp_max, hardtanh, leaky_relu, elu, celu, gelu, softplus, threshold,
            nan_to_num, round_decimals, lerp_scalar, lerp_tensor, addcmul, addcdiv, fma, where, where_scalar_self,
            where_scalar_other, where_scalar, masked_fill_scalar, masked_fill_tensor>;
using in_place_attribute_ops =
    op_list<in_place<clamp>, in_place<clamp_min>, in_place<clamp_max>, in_place<hardtanh>, in_place<leaky_relu>,
            in_place<elu>, in_place<gelu>, in_place<addcmul>, in_place<addcdiv>, in_place<masked_fill_scalar>,
            in_place<masked_fill_tensor>, in_place<threshold>>;

} // namespace ahead::aten
