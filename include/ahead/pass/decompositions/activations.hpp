// SPDX-License-Identifier: MIT
// Activations with parameters and their gradients: gates, softmaxes with a conversion, prelu, elu.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// softmax.int, as _softmax of the converted operand.
template <class Op, bool Logarithm> struct converted_softmax {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr void decompose(auto& c) {
        const auto type = c.aten.result_type().type;
        auto x = c.operand(at::self);
        if (c.aten.tensor(at::self).type != type) x = c.call("prims.convert_element_type.default", {x, type});
        c.bind_result(c.call(Logarithm ? "aten._log_softmax.default" : "aten._softmax.default",
                        {x, c.aten.integer(at::dim), false}));
    }
};

/// Half 0 or 1 of a dim.
constexpr argument half_of(decompose_context& c, int self, int dim, std::int64_t which) {
    const auto& t = c.aten.tensor(self);
    const auto count = t.size(wrapped_dim(c.aten.integer(dim), t.rank)) / 2;
    return c.call("aten.slice.Tensor", {c.operand(self), c.aten.integer(dim), which * count, (which + 1) * count});
}

struct glu {
    using op = aten::glu;
    using at = op::at;
    static constexpr std::int32_t most_calls = 4;
    static constexpr void decompose(auto& c) {
        const auto x = half_of(c, at::self, at::dim, 0), gate = half_of(c, at::self, at::dim, 1);
        c.bind_result(c.call(mul, {x, c.call("aten.sigmoid.default", {gate})}));
    }
};

/// rrelu in inference mode.
struct rrelu {
    using op = aten::rrelu;
    static constexpr std::int32_t most_calls = 1;
    static constexpr void decompose(auto& c) {
        c.bind_result(c.call("aten.leaky_relu.default", {c.operand(op::at::self), op::slope_of(c.aten)}));
    }
};

struct rrelu_with_noise {
    using op = aten::rrelu_with_noise;
    static constexpr std::int32_t most_calls = 2;
    static constexpr void decompose(auto& c) {
        c.bind_result(c.call("aten.leaky_relu.default", {c.operand(op::at::self), op::slope_of(c.aten)}));
        if (c.is_result_used(1)) c.bind_result(c.call("aten.clone.default", {c.operand(op::at::noise)}), 1);
    }
};

struct glu_backward {
    using op = aten::glu_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 7;
    static constexpr void decompose(auto& c) {
        const auto x = half_of(c, at::self, at::dim, 0);
        const auto gate = c.call("aten.sigmoid.default", {half_of(c, at::self, at::dim, 1)});
        const auto g = c.operand(at::grad_output);
        const auto to_x = c.call(mul, {g, gate});
        const auto to_gate = c.call("aten.sigmoid_backward.default", {c.call(mul, {g, x}), gate});
        if (c.editor().ok())
            c.bind_result(c.call("aten.cat.default", {nodes({to_x.node(), to_gate.node()}), c.aten.integer(at::dim)}));
    }
};

/// Views a weight for each channel as a tensor that broadcasts.
struct prelu {
    using op = aten::prelu;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr void decompose(auto& c) {
        const int rank = c.aten.tensor(at::self).rank;
        const auto& weight = c.aten.tensor(at::weight);
        auto slope = c.operand(at::weight);
        if (weight.rank > rank) slope = c.call(view, {slope, int_list{}});
        else if (element_count(weight) != 1) slope = of_channels(c, slope, rank);
        c.bind_result(c.call("aten._prelu_kernel.default", {c.operand(at::self), slope}));
    }
};

/// The gradient times a slope: the constant `scale` above zero.
struct elu_backward {
    using op = aten::elu_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 6;
    static constexpr void decompose(auto& c) {
        const auto x = c.operand(at::self_or_result);
        const double scale = c.aten.real(at::scale), inner = c.aten.real(at::alpha) * scale,
                     outer = c.aten.real(at::input_scale);
        const auto slope =
            c.aten.boolean(at::is_result)
                ? c.call(mul, {c.call(add, {x, inner}), outer})
                : c.call(mul, {c.call("aten.exp.default", {outer == 1 ? x : c.call(mul, {x, outer})}), inner * outer});
        const auto below = c.call("aten.le.Scalar", {x, 0});
        c.bind_result(
            c.call(mul, {c.operand(at::grad_output), c.call("aten.where.ScalarOther", {below, slope, scale})}));
    }
};

} // namespace ahead::decomposition
