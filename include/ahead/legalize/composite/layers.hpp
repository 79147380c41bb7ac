// SPDX-License-Identifier: MIT
// Layers that PyTorch composes from other operators: recurrent cells, normalised weights, training batch norm,
// samplers.
// Source: aten/src/ATen/native/RNN.cpp, WeightNorm.cpp, Normalization.cpp, GridSampler.cpp, MaxPooling.cpp.
#pragma once
#include <ahead/legalize/composite/losses.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

constexpr term gate(auto& c, const term& of, std::int64_t k, std::int64_t gates) {
    const auto size = of.size(1) / gates;
    return c("aten.slice.Tensor", {of, 1, k * size, (k + 1) * size});
}
constexpr term of_input(auto& c) { return c("aten.linear.default", {c["input"], c["w_ih"], c["b_ih"]}); }
constexpr term of_state(auto& c, const term& h) { return c("aten.linear.default", {h, c["w_hh"], c["b_hh"]}); }
/// The input of a step; an input without a batch gets a batch dim of size 1.
constexpr term as_row(const term& x) { return x.type().rank > 1 ? x : x.call("aten.unsqueeze.default", {x, 0}); }

constexpr term rnn_tanh_cell(auto& c) { return c("aten.tanh.default", {of_input(c) + of_state(c, c["hx"])}); }
constexpr term rnn_relu_cell(auto& c) { return c("aten.relu.default", {of_input(c) + of_state(c, c["hx"])}); }
/// Gates: reset, update, new.
constexpr term gru_cell(auto& c) {
    const auto h = c["hx"], i = of_input(c), s = of_state(c, h);
    const auto reset = c("aten.sigmoid.default", {gate(c, s, 0, 3) + gate(c, i, 0, 3)});
    const auto update = c("aten.sigmoid.default", {gate(c, s, 1, 3) + gate(c, i, 1, 3)});
    const auto made = c("aten.tanh.default", {gate(c, i, 2, 3) + gate(c, s, 2, 3) * reset});
    return (h - made) * update + made;
}
/// Gates: input, forget, cell, output. Results: the state and the cell.
constexpr term lstm_cell(auto& c) {
    const auto gates = of_input(c) + of_state(c, c.element("hx", 0));
    const auto opened = [&](std::int64_t k) { return c("aten.sigmoid.default", {gate(c, gates, k, 4)}); };
    const auto kept = opened(1) * c.element("hx", 1);
    const auto cell = kept + opened(0) * c("aten.tanh.default", {gate(c, gates, 2, 4)});
    c.give(0, 2, opened(3) * c("aten.tanh.default", {cell}));
    c.give(1, 2, cell);
    return {};
}

/// v g / ||v||; the norm is over all dims but `dim`, or over all dims if `dim` is -1.
constexpr term weight_norm(auto& c) {
    const auto v = c["v"];
    int_list dims;
    for (int d = 0; d < v.type().rank; ++d)
        if (d != c.integer("dim")) dims.push_back(d);
    return v * (c["g"] / c("aten.linalg_vector_norm.default", {v, 2, dims, c.integer("dim") != -1}));
}

/// Selects the operator for planes or for volumes.
constexpr term grid_sampler(auto& c) {
    return c(c["input"].type().rank == 5 ? "aten.grid_sampler_3d.default" : "aten.grid_sampler_2d.default",
             {c["input"], c["grid"], c.integer("interpolation_mode"), c.integer("padding_mode"),
              c.boolean("align_corners")});
}
/// Treats a line as a plane of one row.
constexpr term max_pool1d_with_indices(auto& c) {
    const auto each = [&](std::string_view name, std::int64_t before) {
        const auto given = c.ints(name);
        return given.size == 0 ? int_list{} : int_list{before, given[0]};
    };
    const auto both = c("aten.max_pool2d_with_indices.default",
                        {c("aten.unsqueeze.default", {c["self"], -2}), each("kernel_size", 1), each("stride", 1),
                         each("padding", 0), each("dilation", 1), c.boolean("ceil_mode")});
    for (std::int32_t k = 0; k < 2; ++k) c.give(k, 2, c("aten.squeeze.dim", {c.pick(both, k), -2}));
    return {};
}

/// Batch norm with the statistics of the batch, which also update the running ones; the updates follow it.
constexpr term trained_batch_norm(auto& c, const term& x, const term& weight, const term& bias, const term& mean,
                                  const term& variance) {
    return c("aten._native_batch_norm_legit_functional.default",
             {x, weight, bias, mean, variance, true, c.number("momentum"), c.number("eps")});
}
constexpr void write_statistics(auto& c, const term& all) {
    c("aten.copy_.default", {c["running_mean"], c.pick(all, 3)});
    c("aten.copy_.default", {c["running_var"], c.pick(all, 4)});
}
constexpr term batch_norm_of(auto& c) {
    const auto all = trained_batch_norm(c, c["input"], c["weight"], c["bias"], c["running_mean"], c["running_var"]);
    write_statistics(c, all);
    return all;
}
constexpr term batch_norm(auto& c) { return c.pick(batch_norm_of(c), 0); }
constexpr term native_batch_norm(auto& c) {
    const auto all = batch_norm_of(c);
    for (std::int32_t k = 0; k < 3; ++k) c.give(k, 3, c.pick(all, k));
    return {};
}
/// The same with a reserve, which is empty here.
constexpr term batch_norm_with_update(auto& c) {
    const auto all = batch_norm_of(c);
    for (std::int32_t k = 0; k < 3; ++k) c.give(k, 4, c.pick(all, k));
    c.give(3, 4, c.full({0}, 0, dtype::u8));
    return {};
}
/// Treats the channels of all images as one image's; the statistics are averaged over the batch.
constexpr term instance_norm(auto& c) {
    const auto x = c["input"];
    const auto images = x.size(0), channels = x.size(1);
    auto sizes = sizes_of(x.type());
    sizes[0] = 1;
    sizes[1] = images * channels;
    const auto repeated = [&](std::string_view name) {
        return c.has(name) ? c("aten.repeat.default", {c[name], int_list{images}}) : c[name];
    };
    const auto all = trained_batch_norm(c, c("aten.reshape.default", {x, sizes}), repeated("weight"), repeated("bias"),
                                        repeated("running_mean"), repeated("running_var"));
    const auto averaged = [&](std::int32_t k) {
        return c("aten.mean.dim", {c("aten.view.default", {c.pick(all, k), int_list{images, channels}}), int_list{0}});
    };
    c("aten.copy_.default", {c["running_mean"], averaged(3)});
    c("aten.copy_.default", {c["running_var"], averaged(4)});
    return c("aten.view.default", {c.pick(all, 0), sizes_of(x.type())});
}

} // namespace ahead::detail::composite
