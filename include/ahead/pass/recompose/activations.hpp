// SPDX-License-Identifier: MIT
// Restores where(x > 0, x, x * slope) as leaky_relu, or, if slope is a tensor, as _prelu_kernel, which loops and
// products can take as a step.
// Law: the same numbers, including NaN. Source: leaky_relu, _prelu_kernel of torch/_decomp/decompositions.py.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/recompose/value_reader.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class activation_composer : value_reader {
public:
    constexpr explicit activation_composer(Editor& g) : value_reader(g), streams_(g.view()) {}

    constexpr void run() {
        for (node_id n : g_.find_nodes("aten.where.self")) {
            argument slope;
            if (!g_.ok() || !is_leaky_relu(n, slope)) continue;
            g_.inserting_before(n);
            const auto made =
                g_.call(slope.kind == argument_kind::node ? "aten._prelu_kernel.default" : "aten.leaky_relu.default",
                        {g_.operand(n, 1), slope});
            if (g_.ok() && type_of(made) == type_of(n)) g_.replace_node(n, argument::of(made));
        }
    }

private:
    air::stream_map streams_;

    constexpr bool is_leaky_relu(node_id n, argument& slope) const {
        const auto positive = g_.operand(n, 0), x = g_.operand(n, 1), scaled = g_.operand(n, 2);
        if (!positive.exists() || !x.exists() || !scaled.exists() || !g_.calls(positive, "aten.gt.Scalar") ||
            g_.operand(positive, 0) != x || !is_number(positive, 1, 0) || g_.argument_of(n, 1).result != 0 ||
            !(g_.calls(scaled, "aten.mul.Tensor") || g_.calls(scaled, "aten.mul.Scalar")))
            return false;
        if (g_.operand(scaled, 0) != x && g_.operand(scaled, 1) != x) return false;
        slope = g_.argument_of(scaled, g_.operand(scaled, 0) == x ? 1 : 0);
        slope.keyword = {};
        const bool is_slope = slope.kind == argument_kind::node
                                  ? g_.view().value_of(slope).type.type == type_of(x).type
                                  : slope.kind == argument_kind::real || slope.kind == argument_kind::integer;
        return is_slope && is_floating(type_of(x).type) && type_of(x) == type_of(scaled) &&
               streams_.together(n, positive) && streams_.together(n, scaled);
    }
};

struct activations {
    static constexpr bool applies(const called_operators& called) {
        return called.has_all({"aten.where.self", "aten.gt.Scalar"});
    }
    static constexpr void compose(auto& g) { activation_composer(g).run(); }
};

} // namespace ahead::pass::detail
