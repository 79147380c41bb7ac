// SPDX-License-Identifier: MIT
// Pointwise functions that PyTorch composes from other operators.
// Source: aten/src/ATen/native/UnaryOps.cpp, Activation.cpp, TensorCompare.cpp, Pow.cpp, torch/_refs/special.
#pragma once
#include <ahead/legalize/composite/losses.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::detail::composite {

inline constexpr double infinity = std::numeric_limits<double>::infinity(),
                        not_a_number = std::numeric_limits<double>::quiet_NaN(), pi = 3.141592653589793;

constexpr term deg2rad(auto& c) { return c["self"] * (pi / 180); }
constexpr term rad2deg(auto& c) { return c["self"] * (180 / pi); }

/// min(x, 0) - log(1 + exp(-|x|)), rounded once
constexpr term log_sigmoid(auto& c) {
    const auto type = c["self"].type().type;
    const auto x = is_half(type) ? c.converted(c["self"], dtype::f32) : c["self"];
    return c.converted(c("aten.clamp_max.default", {x, 0}) -
                           c("aten.log1p.default", {c("aten.exp.default", {-c("aten.abs.default", {x})})}),
                       type);
}

/// x * 0 is NaN for infinities and NaN.
constexpr term is_finite(const term& x) { return x.call("aten.eq.Scalar", {x * 0, 0}); }
constexpr term isfinite(auto& c) { return is_finite(c["self"]); }
constexpr term isposinf(auto& c) { return c("aten.eq.Scalar", {c["self"], infinity}); }
constexpr term isneginf(auto& c) { return c("aten.eq.Scalar", {c["self"], -infinity}); }
constexpr term isreal(auto& c) {
    const auto x = c["self"];
    return is_complex(x.type().type) ? c("aten.eq.Scalar", {c("aten.imag.default", {x}), 0})
                                     : c.full(sizes_of(x.type()), true, dtype::b8);
}

/// x == y, or |x - y| <= atol + |rtol y|
constexpr term isclose(auto& c) {
    auto x = c["self"], y = c["other"];
    auto close = c("aten.eq.Tensor", {x, y});
    if (c.boolean("equal_nan") && is_floating(x.type().type))
        close = c("aten.logical_or.default",
                  {close, c("aten.logical_and.default", {c("aten.isnan.default", {x}), c("aten.isnan.default", {y})})});
    if (c.number("rtol") == 0 && c.number("atol") == 0) return close;
    if (x.type().type == dtype::b8) x = c.converted(x, dtype::f32);
    if (!has_fractions(y.type().type)) y = c.converted(y, dtype::f32);
    const auto allowed = c("aten.abs.default", {y * c.number("rtol")}) + c.number("atol");
    const auto apart = c("aten.abs.default", {x - y});
    return c("aten.logical_or.default",
             {close, c("aten.logical_and.default", {is_finite(apart), c("aten.le.Tensor", {apart, allowed})})});
}

/// Computed in f64.
constexpr term float_power(auto& c) {
    const auto wide = [&](term x) { return x.value.kind == argument_kind::node ? c.converted(x, dtype::f64) : x; };
    const auto x = wide(c["self"]), y = wide(c["exponent"]);
    return c(x.value.kind != argument_kind::node   ? "aten.pow.Scalar"
             : y.value.kind != argument_kind::node ? "aten.pow.Tensor_Scalar"
                                                   : "aten.pow.Tensor_Tensor",
             {x, y});
}

/// x log1p(y); 0 where x is 0, NaN where y is NaN
constexpr term xlog1py(auto& c) {
    const auto x = c["self"], y = c["other"];
    const auto value = x.value.kind == argument_kind::node
                           ? where(c("aten.ne.Scalar", {x, 0}), x * c("aten.log1p.default", {y}), 0)
                           : c("aten.log1p.default", {y}) * x;
    if (y.value.kind != argument_kind::node) return value;
    return where(c("aten.logical_not.default", {c("aten.isnan.default", {y})}), value, not_a_number);
}
/// -x log x; 0 at 0, -inf below
constexpr term entr(auto& c) {
    const auto x = c["self"];
    const auto below = where(c("aten.ne.Scalar", {x, 0}), x * 0 - infinity, 0);
    return where(c("aten.le.Scalar", {x, 0}), below, -x * c("aten.log.default", {x}));
}
/// (1 + erf(x / sqrt 2)) / 2
constexpr term ndtr(auto& c) { return (c("aten.erf.default", {c["self"] / 1.4142135623730951}) + 1) * 0.5; }
/// log(erfcx(-t) / 2) - t^2 where t = x / sqrt 2 is small, log1p(-erfc(t) / 2) elsewhere
constexpr term log_ndtr(auto& c) {
    const auto x = c["self"], t = x * 0.7071067811865476;
    const auto below = c("aten.log.default", {c("aten.special_erfcx.default", {-t}) * 0.5}) - t * t;
    return where(c("aten.lt.Scalar", {x, 1}), below, c("aten.log1p.default", {c("aten.erfc.default", {t}) * -0.5}));
}

/// The functional form takes n first.
constexpr term polygamma_in_place(auto& c) {
    return c("aten.copy_.default", {c["self"], c("aten.polygamma.default", {c.integer("n"), c["self"]})});
}

/// dtype: that of the other tensor, or the one given
constexpr term to(auto& c) {
    const auto like = c["other"];
    return c("aten.to.dtype", {c["self"], like.type().type, false, c.boolean("copy"), c["memory_format"]});
}
constexpr term to_device(auto& c) {
    return c("aten.to.dtype", {c["self"], c["dtype"], false, c.boolean("copy"), c["memory_format"]});
}

/// Interpolates between two numbers given as tensors: from the start up to the middle, from the end after it.
constexpr term between(auto& c, dtype within) {
    const auto steps = c.integer("steps");
    const auto tensor = [&](const term& x) {
        return x.value.kind == argument_kind::node ? c.converted(x, within) : c.full({}, x, within);
    };
    const auto start = tensor(c["start"]), end = tensor(c["end"]);
    const auto at = c.converted(c("aten.arange.default", {steps}), within);
    if (steps <= 1) return at + start;
    const auto step = (end - start) / static_cast<double>(steps - 1);
    return where(c("aten.lt.Scalar", {at, steps / 2}), at * step + start,
                 end - c("aten.rsub.Scalar", {at, steps - 1}) * step);
}
constexpr dtype asked_dtype(auto& c) { return c.has("dtype") ? c["dtype"].value.type() : dtype::f32; }
constexpr dtype computed_dtype(dtype type) {
    return is_half(type) || is_floating(type) ? computed_as(type) : dtype::f64;
}
constexpr term linspace(auto& c) {
    const auto type = asked_dtype(c);
    return c.converted(between(c, computed_dtype(type)), type);
}
constexpr term logspace(auto& c) {
    const auto type = asked_dtype(c);
    return c.converted(c("aten.pow.Scalar", {c["base"], between(c, computed_dtype(type))}), type);
}

} // namespace ahead::detail::composite
