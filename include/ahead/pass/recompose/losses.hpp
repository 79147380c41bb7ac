// SPDX-License-Identifier: MIT
// Restores losses that are decomposed into comparisons as one call each: smooth_l1_loss and huber_loss from where(|x -
// y| < border, .., ..), xlogy from two where; and ne from bitwise_not(eq), which counts the elements that are not
// ignored.
// Law: the same numbers, including NaN. Source: torch/_refs/nn/functional/__init__.py, torch/_refs/__init__.py (xlogy).
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/recompose/value_reader.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class loss_composer : value_reader {
public:
    constexpr explicit loss_composer(Editor& g) : value_reader(g), streams_(g.view()) {}

    constexpr void run() {
        for (node_id n : g_.find_nodes("aten.where.self"))
            if (g_.ok() && !compose_xlogy(n)) compose_rounded(n);
        for (node_id n : g_.find_nodes("aten.bitwise_not.default")) {
            const auto of = g_.operand(n, 0);
            if (!g_.ok() || !of.exists() || g_[of].arguments.count != 2) continue;
            for (std::string_view kind : {"Scalar", "Tensor"}) {
                const bool scalar = kind == "Scalar";
                if (g_.calls(of, scalar ? "aten.eq.Scalar" : "aten.eq.Tensor"))
                    replace(n, {of}, scalar ? "aten.ne.Scalar" : "aten.ne.Tensor",
                            {g_.argument_of(of, 0), g_.argument_of(of, 1)});
            }
        }
    }

private:
    air::stream_map streams_;

    constexpr bool calls(node_id n, std::string_view op) const { return n.exists() && g_.calls(n, op); }
    /// Whether n is a tensor filled with this number, or with NaN if `number` is NaN.
    constexpr bool is_filled(node_id n, double number) const {
        const int place = calls(n, "aten.scalar_tensor.default") ? 0 : calls(n, "aten.full.default") ? 1 : -1;
        if (place < 0) return false;
        const auto& a = g_.argument_of(n, place);
        return number == number ? is_number(n, place, number) : a.kind == argument_kind::real && a.real() != a.real();
    }
    /// The operand that a where chooses if its condition is true (0) or false (1).
    constexpr node_id chosen(node_id n, int which) const { return g_.operand(n, 1 + which); }
    /// Whether n is x * by.
    constexpr bool is_scaled(node_id n, node_id x, double by) const {
        return (calls(n, "aten.mul.Tensor") || calls(n, "aten.mul.Scalar")) && g_.operand(n, 0) == x &&
               is_number(n, 1, by);
    }
    constexpr void replace(node_id n, std::initializer_list<node_id> with, std::string_view op,
                           std::initializer_list<call_argument> arguments) {
        for (node_id other : with)
            if (!streams_.together(n, other)) return;
        g_.inserting_before(n);
        const auto made = g_.call(op, arguments);
        if (g_.ok() && type_of(made).type == type_of(n).type && sizes_of(type_of(made)) == sizes_of(type_of(n)))
            g_.replace_node(n, argument::of(made));
    }

    /// where(isnan(y), nan, where(x == 0, 0, x * log(y)))
    constexpr bool compose_xlogy(node_id n) {
        const auto asks = g_.operand(n, 0), inner = chosen(n, 1);
        if (!calls(asks, "aten.isnan.default") || !calls(inner, "aten.where.self") ||
            !is_filled(chosen(n, 0), std::numeric_limits<double>::quiet_NaN()) || !is_filled(chosen(inner, 0), 0))
            return false;
        const auto zero = g_.operand(inner, 0), product = chosen(inner, 1);
        if (!calls(zero, "aten.eq.Scalar") || !is_number(zero, 1, 0) || !calls(product, "aten.mul.Tensor") ||
            !calls(g_.operand(product, 1), "aten.log.default"))
            return false;
        const auto x = g_.operand(zero, 0), y = g_.operand(asks, 0), log = g_.operand(product, 1);
        if (!x.exists() || !y.exists() || g_.operand(product, 0) != x || g_.operand(log, 0) != y ||
            type_of(x).type != type_of(y).type)
            return false;
        replace(n, {asks, inner, zero, product, log}, "aten.xlogy.Tensor",
                {g_.argument_of(zero, 0), g_.argument_of(asks, 0)});
        return true;
    }
    /// where(off < border, off^2 / 2, off - border / 2), the first divided by the border or the second multiplied by
    /// it.
    constexpr void compose_rounded(node_id n) {
        const auto asks = g_.operand(n, 0);
        if (!calls(asks, "aten.lt.Scalar") || !calls(g_.operand(asks, 0), "aten.abs.default")) return;
        const auto off = g_.operand(asks, 0), difference = g_.operand(off, 0);
        const auto within = chosen(n, 0), beyond = chosen(n, 1);
        const auto& border = g_.argument_of(asks, 1);
        if (!calls(difference, "aten.sub.Tensor") || g_[difference].arguments.count != 2 || !within.exists() ||
            !beyond.exists() || (border.kind != argument_kind::real && border.kind != argument_kind::integer))
            return;
        for (int i = 0; i < 2; ++i)
            if (const auto x = g_.operand(difference, i); !x.exists() || !(type_of(x) == type_of(off))) return;
        const double at = call_view::to_real(border);
        const auto is_line = [&](node_id line) {
            return calls(line, "aten.sub.Tensor") && g_[line].arguments.count == 2 && g_.operand(line, 0) == off &&
                   is_number(line, 1, 0.5 * at);
        };
        const auto half = g_.operand(within, 0), scaled = g_.operand(beyond, 0);
        std::string_view op;
        if (calls(within, "aten.div.Tensor") && is_number(within, 1, at) && half.exists() && is_line(beyond)) {
            const auto square = g_.operand(half, 0);
            if (calls(square, "aten.pow.Tensor_Scalar") && g_.operand(square, 0) == off && is_number(square, 1, 2) &&
                is_scaled(half, square, 0.5))
                op = "aten.smooth_l1_loss.default";
        } else if (calls(within, "aten.mul.Tensor") && g_.operand(within, 1) == off && is_scaled(half, off, 0.5) &&
                   is_line(scaled) && is_scaled(beyond, scaled, at)) {
            op = "aten.huber_loss.default";
        }
        if (op.empty() || !(at > 0) || !is_floating(type_of(off).type)) return;
        constexpr auto none = 0; // the reduction `none`
        replace(n, {asks, off, difference, within, beyond}, op,
                {g_.argument_of(difference, 0), g_.argument_of(difference, 1), none, at});
    }
};

struct losses {
    static constexpr bool applies(const called_operators& called) {
        return called.has("aten.bitwise_not.default") || called.has_all({"aten.where.self", "aten.isnan.default"}) ||
               called.has_all({"aten.where.self", "aten.lt.Scalar"});
    }
    static constexpr void compose(auto& g) { loss_composer(g).run(); }
};

} // namespace ahead::pass::detail
