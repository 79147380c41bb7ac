// SPDX-License-Identifier: MIT
// Convolutions without a kernel, as ones with a kernel: string padding, three spatial dims, unbatched input, and
// transposed convolutions. The taps of a transposed convolution that contribute to a position of the result are a
// stride apart, and depend on the position modulo the stride: each of these phases is a convolution of the input by
// some of the taps, in reverse. All phases together are one convolution with phases times the filters, whose results
// are interleaved.
#pragma once
#include <ahead/pass/decompositions/names.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::decomposition {

constexpr std::string_view permute = "aten.permute.default", pad = "aten.constant_pad_nd.default";

constexpr int_list spatial_of(std::int64_t value, int spatial) {
    int_list out;
    for (int d = 0; d < spatial; ++d) out.push_back(value);
    return out;
}
/// The padding of the last dims, before and after, in the order of constant_pad_nd.
constexpr int_list padding_of(const int_list& before, const int_list& behind) {
    int_list out;
    for (int d = before.size - 1; d >= 0; --d) {
        out.push_back(before[d]);
        out.push_back(behind[d]);
    }
    return out;
}
constexpr argument padded(decompose_context& c, const argument& x, const int_list& before, const int_list& behind) {
    for (int d = 0; d < before.size; ++d)
        if (before[d] != 0 || behind[d] != 0) return c.call(pad, {x, padding_of(before, behind)});
    return x;
}

/// Volumes as planes: the planes that a filter covers along the depth become channels of one image.
constexpr argument convolved_volumes(decompose_context& c, argument x, const argument& weight, const argument& bias,
                                     const aten::convolution_window& w) {
    const auto deep = w.padding[0];
    x = c.call("aten.contiguous.default", {padded(c, x, {deep, 0, 0}, {deep, 0, 0})});
    if (!c.editor().ok()) return x;
    const auto t = c.type_of(x), k = c.type_of(weight);
    const auto planes = (t.size(2) - w.dilation[0] * (k.size(2) - 1) - 1) / w.stride[0] + 1;
    const int_list seen{t.size(0), planes, t.size(1), k.size(2), t.size(3), t.size(4)};
    x = c.call("aten.as_strided.default", {x, seen,
                                           int_list{t.stride(0), w.stride[0] * t.stride(2), t.stride(1),
                                                    w.dilation[0] * t.stride(2), t.stride(3), t.stride(4)}});
    x = c.call(reshape, {x, int_list{t.size(0) * planes, t.size(1) * k.size(2), t.size(3), t.size(4)}});
    const auto filters = c.call(reshape, {weight, int_list{k.size(0), k.size(1) * k.size(2), k.size(3), k.size(4)}});
    const auto plane = [](const int_list& list) { return int_list{list[1], list[2]}; };
    x = c.call("aten.convolution.default", {x, filters, bias, plane(w.stride), plane(w.padding), plane(w.dilation),
                                            false, int_list{0, 0}, w.groups});
    if (!c.editor().ok()) return x;
    const auto out = c.type_of(x);
    x = c.call(reshape, {x, int_list{t.size(0), planes, k.size(0), out.size(2), out.size(3)}});
    return c.call("aten.contiguous.default", {c.call(permute, {x, int_list{0, 2, 1, 3, 4}})});
}

/// A forward convolution of batches; padding is on both sides.
constexpr argument convolved(decompose_context& c, const argument& x, const argument& weight, const argument& bias,
                             const aten::convolution_window& w) {
    const int spatial = w.stride.size;
    if (spatial == 3) return convolved_volumes(c, x, weight, bias, w);
    return c.call("aten.convolution.default",
                  {x, weight, bias, w.stride, w.padding, w.dilation, false, spatial_of(0, spatial), w.groups});
}

namespace detail {

/// weight [C, K / groups, ..] as filters [K * phases, C / groups, ..] of `taps` each, in reverse. With groups, channels
/// first become the last dim: a volume's taps, phases and groups together exceed max_rank.
constexpr argument phase_filters(decompose_context& c, argument weight, const aten::convolution_window& w,
                                 const int_list& taps) {
    const auto k = c.type_of(weight);
    const int spatial = taps.size;
    const bool grouped = w.groups > 1;
    const auto channels = k.size(0) / w.groups, filters = k.size(1) * w.groups;
    int_list apart, order, behind;
    std::int64_t places = 1, phases = 1;
    for (int d = 0; d < spatial; ++d) {
        places *= taps[d];
        phases *= w.stride[d];
        behind.push_back(taps[d] * w.stride[d] - k.size(2 + d));
    }
    weight = padded(c, weight, spatial_of(0, spatial), behind);
    if (grouped)
        weight = c.call(permute, {c.call(reshape, {weight, int_list{w.groups, channels, k.size(1) * places * phases}}),
                                  int_list{0, 2, 1}});
    else apart.push_back(channels);
    apart.push_back(filters);
    const int filter = apart.size - 1;
    for (int d = 0; d < spatial; ++d) {
        order.push_back(apart.size);
        apart.push_back(taps[d]);
        apart.push_back(w.stride[d]);
    }
    if (grouped) apart.push_back(channels);
    order.push_back(filter);
    for (int d = 0; d < spatial; ++d) order.push_back(filter + 2 + 2 * d);
    order.push_back(grouped ? apart.size - 1 : 0);
    auto rows = c.call(permute, {c.call(reshape, {weight, apart}), order});
    rows = c.call(reshape, {rows, int_list{places, filters * phases * channels}});
    if (places > 1)
        rows = c.call("aten.embedding.default",
                      {rows, c.call("aten.arange.start_step", {places - 1, -1, -1, dtype::i64})});
    int_list sizes{filters * phases, channels};
    for (auto count : taps) sizes.push_back(count);
    return c.call(reshape, {c.call("aten.t.default", {rows}), sizes});
}

/// x [N, K * phases, ..] as [N, K, ..], with the elements of the phases interleaved.
constexpr argument interleaved(decompose_context& c, const argument& x, const int_list& phases) {
    if (!c.editor().ok()) return x;
    const auto t = c.type_of(x);
    int_list apart{t.size(0), t.size(1)}, order{0, 1}, together = apart;
    for (int d = 0; d < phases.size; ++d) {
        apart[1] /= phases[d];
        apart.push_back(phases[d]);
    }
    together[1] = apart[1];
    if (apart[1] == t.size(1)) return x;
    for (int d = 0; d < phases.size; ++d) {
        apart.push_back(t.size(2 + d));
        order.push_back(2 + phases.size + d);
        order.push_back(2 + d);
        together.push_back(t.size(2 + d) * phases[d]);
    }
    return c.call(reshape, {c.call(permute, {c.call(reshape, {x, apart}), order}), together});
}

/// A weight with dilation - 1 zeros after each tap.
constexpr argument spread_taps(decompose_context& c, argument weight, const int_list& dilation) {
    auto sizes = sizes_of(c.type_of(weight));
    for (int d = 0; d < dilation.size; ++d) {
        if (dilation[d] == 1) continue;
        std::int64_t inner = 1;
        for (int k = 3 + d; k < sizes.size; ++k) inner *= sizes[k];
        weight = c.call(reshape, {weight, int_list{-1, 1, inner}});
        weight = padded(c, weight, {0, 0}, {dilation[d] - 1, 0});
        sizes[2 + d] *= dilation[d];
        weight = c.call(reshape, {weight, sizes});
    }
    return weight;
}

} // namespace detail

/// The transposed convolution, with a result of size `out` in the spatial dims.
constexpr argument transposed(decompose_context& c, const argument& x, argument weight, argument bias,
                              aten::convolution_window w, const int_list& out) {
    const auto t = c.type_of(x), k = c.type_of(weight);
    const int spatial = out.size;
    const auto zeros = spatial_of(0, spatial);
    std::int64_t phases = 1, spread = 1;
    for (int d = 0; d < spatial; ++d) {
        phases *= w.stride[d];
        spread *= w.dilation[d];
    }
    int_list taps, padding, before, behind;
    for (int d = 0; d < spatial; ++d) {
        const auto s = w.stride[d], reach = w.dilation[d] * (k.size(2 + d) - 1), in = t.size(2 + d);
        taps.push_back(phases == 1 ? k.size(2 + d) : reach / s + 1);
        const auto back = phases == 1 ? reach : taps[d] - 1; // from a position of the input, by the first tap
        const auto p = w.padding[d], whole = p + out[d];
        padding.push_back(std::max({std::int64_t{0}, back - p / s, (whole + s - 1) / s - in}));
        before.push_back(s * (back - padding[d]) - p);
        behind.push_back(whole - s * (in + padding[d]));
    }
    if (phases > 1 && spread > 1) weight = detail::spread_taps(c, weight, w.dilation);
    if (!c.editor().ok()) return x;
    const auto filters = detail::phase_filters(c, weight, w, taps);
    if (phases > 1 && bias.kind == argument_kind::node) {
        const auto count = c.type_of(bias).size(0);
        bias = c.call(expand, {c.call(reshape, {bias, int_list{count, 1}}), int_list{count, phases}});
        bias = c.call(reshape, {bias, int_list{count * phases}});
    }
    const auto maps = convolved(c, x, filters, bias,
                                {.stride = spatial_of(1, spatial),
                                 .padding = padding,
                                 .dilation = phases > 1 ? spatial_of(1, spatial) : w.dilation,
                                 .output_padding = zeros,
                                 .groups = w.groups});
    return padded(c, detail::interleaved(c, maps, w.stride), before, behind);
}

/// Convolutions with string padding, transposed, with three spatial dims, or without a batch.
template <class Op> struct convolution {
    using op = Op;
    static constexpr std::int32_t most_calls = 38;
    static constexpr bool when(const call_view& call) {
        const auto &x = call.tensor(aten::convolved::input), &weight = call.tensor(aten::convolved::weight);
        const auto w = Op::window(call);
        const bool is_rare = weight.rank == 5 || x.rank < weight.rank || w.more_behind.size > 0;
        return (w.transposed || is_rare) && is_floating(x.type) && element_count(call.result_type()) > 0 &&
               element_count(x) > 0 && element_count(weight) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto w = Op::window(c.aten);
        const auto weight = c.operand(aten::convolved::weight), bias = c.operand(aten::convolved::bias);
        const bool is_one = c.aten.tensor(aten::convolved::input).rank < w.stride.size + 2;
        auto x = c.operand(aten::convolved::input);
        if (is_one) x = c.call("aten.unsqueeze.default", {x, 0});
        if (w.more_behind.size > 0) x = padded(c, x, spatial_of(0, w.stride.size), w.more_behind);
        if (!c.editor().ok()) return;
        int_list out;
        for (int d = 0; d < w.stride.size; ++d)
            out.push_back(c.aten.result_type().size(c.aten.result_type().rank - w.stride.size + d));
        x = w.transposed ? transposed(c, x, weight, bias, w, out) : convolved(c, x, weight, bias, w);
        c.bind_result(is_one ? c.call("aten.squeeze.dim", {x, 0}) : x);
    }
};

} // namespace ahead::decomposition
