// SPDX-License-Identifier: MIT
// Cases that PyTorch accepts but the type rules of known operators refuse: bools and integers, a missing batch dim,
// sizes that broadcast, results of CUDA's random kernels. They are rewritten as calls that the rules accept.
// Invariant: tried only if typing refused the call; a law that does not apply refuses, and the original diagnosis is
// kept. Source: aten/src/ATen/native/PadNd.cpp, Linear.cpp, Integration.cpp, UnaryOps.cpp, Loss.cpp.
#pragma once
#include <ahead/aten/product/attention.hpp>
#include <ahead/legalize/composite/order.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

constexpr term another_case(auto& c) { return c.refuse(fault::dtype_is_unsupported, {}, {}); }
constexpr bool holds_bools(const term& x) { return x.type().type == dtype::b8; }

/// A real number is its own conjugate.
constexpr term conj_physical(auto& c) {
    return is_complex(c["self"].type().type) ? another_case(c) : c("aten.clone.default", {c["self"]});
}
constexpr term conj_physical_in_place(auto& c) {
    return is_complex(c["self"].type().type) ? another_case(c) : c("aten.alias.default", {c["self"]});
}
/// For bools: converts to integers.
constexpr term square(auto& c) { return holds_bools(c["self"]) ? c.converted(c["self"], dtype::i64) : another_case(c); }
/// For bools: true where both are true.
constexpr term outer_of_bools(auto& c, const term& x, const term& y) {
    if (!holds_bools(x) || !holds_bools(y)) return another_case(c);
    return c("aten.logical_and.default", {c("aten.unsqueeze.default", {x, 1}), y});
}
constexpr term outer(auto& c) { return outer_of_bools(c, c["self"], c["vec2"]); }
constexpr term addr(auto& c) {
    const auto both = outer_of_bools(c, c["vec1"], c["vec2"]), x = c["self"];
    const auto added =
        c.number("alpha") == 0 ? c("aten.logical_and.default", {both, c.full({}, false, dtype::b8)}) : both;
    return c.number("beta") == 0 ? added : c("aten.logical_or.default", {x, added});
}
constexpr term clamp_min(auto& c) {
    return holds_bools(c["self"]) ? c("aten.logical_or.default", {c["self"], c["min"]}) : another_case(c);
}
constexpr term clamp_max(auto& c) {
    return holds_bools(c["self"]) ? c("aten.logical_and.default", {c["self"], c["max"]}) : another_case(c);
}
constexpr term im2col(auto& c) {
    if (!holds_bools(c["self"])) return another_case(c);
    const auto columns = c("aten.im2col.default", {c.converted(c["self"], dtype::f32), c.ints("kernel_size"),
                                                   c.ints("dilation"), c.ints("padding"), c.ints("stride")});
    return c("aten.ne.Scalar", {columns, 0});
}
constexpr term mode(auto& c) {
    if (!holds_bools(c["self"])) return another_case(c);
    const auto both =
        c("aten.mode.default", {c.converted(c["self"], dtype::i64), c.integer("dim"), c.boolean("keepdim")});
    c.give(0, 2, c("aten.ne.Scalar", {c.pick(both, 0), 0}));
    c.give(1, 2, c.pick(both, 1));
    return {};
}

/// Circular padding of an image without a batch dim.
constexpr term pad(auto& c) {
    const auto image = c("aten.unsqueeze.default", {c["self"], 0});
    const auto padded = c("aten.pad.default", {image, c.ints("pad"), c["mode"], c["value"]});
    return c("aten.squeeze.dim", {padded, 0});
}
/// A 0-dim tensor is one sample with one class.
constexpr term multi_margin_loss(auto& c) {
    if (c["self"].type().rank != 0) return another_case(c);
    const auto line = [&](const term& x) { return c("aten.view.default", {x, int_list{1}}); };
    const auto loss = c("aten.multi_margin_loss.default",
                        {line(c["self"]), line(c["target"]), c["p"], c["margin"], c["weight"], c.integer("reduction")});
    return c("aten.view.default", {loss, int_list{}});
}
/// A contracted dim of size 1 broadcasts against the other tensor's, which is summed first.
constexpr term tensordot(auto& c) {
    auto x = c["self"], y = c["other"];
    const auto dims = c.ints("dims_self"), others = c.ints("dims_other");
    bool changed = false;
    for (int i = 0; i < dims.size && i < others.size && c.ok(); ++i) {
        const auto a = x.size(dims[i]), b = y.size(others[i]);
        if (a == b || (a != 1 && b != 1)) continue;
        auto& longer = a == 1 ? y : x;
        longer = c("aten.sum.dim_IntList", {longer, int_list{a == 1 ? others[i] : dims[i]}, true});
        changed = true;
    }
    return changed ? c("aten.tensordot.default", {x, y, dims, others}) : another_case(c);
}
constexpr term trapezoid(auto& c, bool by_places) {
    const auto all = between_neighbours(c, by_places);
    return c("aten.sum.dim_IntList", {all, int_list{c.integer("dim")}}) / 2;
}
constexpr term trapezoid_dx(auto& c) { return trapezoid(c, false); }
constexpr term trapezoid_x(auto& c) { return trapezoid(c, true); }

/// exp(x) - y x, or x - y log(x + eps); plus Stirling's approximation where y is above 1
constexpr term poisson_nll_loss(auto& c) {
    const auto x = c["input"], y = c["target"];
    auto loss = c.boolean("log_input") ? c("aten.exp.default", {x}) - y * x
                                       : x - y * c("aten.log.default", {x + c.number("eps")});
    if (c.boolean("full")) {
        const auto more = (y * c("aten.log.default", {y}) - y) + c("aten.log.default", {y * 6.283185307179586}) * 0.5;
        loss = loss + where(c("aten.gt.Scalar", {y, 1}), more, 0);
    }
    return reduced(c, loss);
}

/// CUDA's kernel returns seed and offset as u64[2], and an unused u64[].
constexpr term flash_attention(auto& c) {
    if (!aten::detail::prints_u64(c.g, c.id())) return another_case(c);
    const auto p = c.number("dropout_p");
    const auto made = c("aten._scaled_dot_product_flash_attention.default",
                        {c["query"], c["key"], c["value"], p, c.boolean("is_causal"), c.boolean("return_debug_mask"),
                         c.named("scale", c["scale"])});
    for (std::int32_t k = 0; k < 9; ++k)
        if (k != 6 && k != 7) c.give(k, 9, c.pick(made, k));
    auto drawn = c.full({2}, 0, dtype::u64);
    if (p != 0 && c.ok()) {
        const auto both = nodes({c.pick(made, 6).value.node(), c.pick(made, 7).value.node()});
        drawn = c.converted(c("aten.stack.default", {both, 0}), dtype::u64);
    }
    c.give(6, 9, drawn);
    c.give(7, 9, c.full({}, 0, dtype::u64));
    return {};
}
constexpr term flash_attention_backward(auto& c) {
    if (c["philox_seed"].type().type != dtype::u64) return another_case(c);
    const auto zero = c.full({}, 0, dtype::i64);
    auto seed = zero, offset = zero;
    if (c.number("dropout_p") != 0) {
        const auto drawn = c.converted(c["philox_seed"], dtype::i64);
        seed = c("aten.select.int", {drawn, 0, 0});
        offset = c("aten.select.int", {drawn, 0, 1});
    }
    const auto made = c("aten._scaled_dot_product_flash_attention_backward.default",
                        {c["grad_out"], c["query"], c["key"], c["value"], c["out"], c["logsumexp"], c["cum_seq_q"],
                         c["cum_seq_k"], c.integer("max_q"), c.integer("max_k"), c.number("dropout_p"),
                         c.boolean("is_causal"), seed, offset, c.named("scale", c["scale"])});
    for (std::int32_t k = 0; k < 3; ++k) c.give(k, 3, c.pick(made, k));
    return {};
}

} // namespace ahead::detail::composite
