// SPDX-License-Identifier: MIT
// Convolutions that the kernel does not know, as one that it does: padding by word, and the transpose of a convolution,
// which goes forward over the input with zeros between its elements, by filters turned around.
#pragma once
#include <ahead/pass/decompositions/words.hpp>

namespace AHEAD_NAMESPACE::decomposition {

constexpr int_list spatial_of(std::int64_t value, int spatial) {
    int_list out;
    for (int d = 0; d < spatial; ++d) out.push_back(value);
    return out;
}

/// Forward, of what is padded already but for `padding` on both sides.
constexpr argument convolved(decompose_context& c, const argument& x, const argument& weight, const int_list& stride,
                             const int_list& padding, const int_list& dilation, std::int64_t groups) {
    return c.call("aten.convolution.default", {x, weight, c.operand(aten::convolved::bias), stride, padding, dilation,
                                               false, spatial_of(0, stride.size), groups});
}

template <class Op> struct padded_convolution {
    using op = Op;
    static constexpr std::int32_t most_calls = 2;
    static constexpr void decompose(decompose_context& c) {
        const auto w = Op::window(c.aten);
        auto x = c.operand(aten::convolved::input);
        int_list behind;
        std::int64_t more = 0;
        for (int d = w.stride.size - 1; d >= 0; --d) {
            behind.push_back(0);
            behind.push_back(w.more_behind[d]);
            more += w.more_behind[d];
        }
        if (more > 0) x = c.call("aten.constant_pad_nd.default", {x, behind});
        c.finish(convolved(c, x, c.operand(aten::convolved::weight), w.stride, w.padding, w.dilation, w.groups));
    }
};

template <class Op> struct transposed_convolution {
    using op = Op;
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool when(const call_view& call) {
        const auto &x = call.tensor(aten::convolved::input), &weight = call.tensor(aten::convolved::weight);
        return Op::window(call).transposed && weight.rank <= 4 && x.rank == weight.rank && is_floating(x.type) &&
               element_count(x) > 0 && element_count(weight) > 0;
    }
    static constexpr void decompose(decompose_context& c) {
        const auto w = Op::window(c.aten);
        const int spatial = w.stride.size;
        const auto x = c.aten.tensor(aten::convolved::input), k = c.aten.tensor(aten::convolved::weight);
        const auto whole = spread_out(c, x, w);
        if (!c.editor().ok()) return;
        int_list around, pad;
        bool is_even = true;
        for (int d = spatial - 1; d >= 0; --d) {
            const auto reach = w.dilation[d] * (k.size(2 + d) - 1);
            const auto before = reach - w.padding[d], after = before + w.output_padding[d] - (w.stride[d] - 1);
            pad.push_back(before);
            pad.push_back(after);
            is_even = is_even && before == after && before >= 0;
        }
        for (int d = spatial - 1; d >= 0; --d) around.push_back(is_even ? pad[2 * d] : 0);
        const auto padded = is_even ? whole : c.call("aten.constant_pad_nd.default", {whole, pad});
        c.finish(convolved(c, padded, turned(c, k, w.groups), spatial_of(1, spatial), around, w.dilation, w.groups));
    }

private:
    /// stride - 1 zeros behind each element.
    static constexpr argument spread_out(decompose_context& c, const tensor_type& x,
                                         const aten::convolution_window& w) {
        int_list apart{x.size(0), x.size(1)}, together = apart, zeros;
        bool is_spread = false;
        for (int d = 0; d < w.stride.size; ++d) {
            apart.push_back(x.size(2 + d));
            apart.push_back(1);
            together.push_back(x.size(2 + d) * w.stride[d]);
            is_spread = is_spread || w.stride[d] > 1;
        }
        for (int d = w.stride.size - 1; d >= 0; --d)
            for (auto count : {std::int64_t{0}, w.stride[d] - 1, std::int64_t{0}, std::int64_t{0}})
                zeros.push_back(count);
        const auto given = c.operand(aten::convolved::input);
        if (!is_spread) return given;
        const auto alone = c.call(reshape, {given, apart});
        return c.call(reshape, {c.call("aten.constant_pad_nd.default", {alone, zeros}), together});
    }
    /// [C, K / groups, h, w] as [K, C / groups, h, w], the places of each filter in reverse: rows of a matrix.
    static constexpr argument turned(decompose_context& c, const tensor_type& k, std::int64_t groups) {
        std::int64_t places = 1;
        for (int d = 2; d < k.rank; ++d) places *= k.size(d);
        const auto channels = k.size(0) / groups, filters = k.size(1);
        auto rows = c.call(reshape, {c.operand(aten::convolved::weight), int_list{groups, channels, filters, places}});
        rows = c.call("aten.permute.default", {rows, int_list{3, 0, 2, 1}});
        rows = c.call(reshape, {rows, int_list{places, groups * filters * channels}});
        if (places > 1)
            rows = c.call("aten.embedding.default",
                          {rows, c.call("aten.arange.start_step", {places - 1, -1, -1, dtype::i64})});
        auto sizes = sizes_of(k);
        sizes[0] = groups * filters;
        sizes[1] = channels;
        return c.call(reshape, {c.call("aten.t.default", {rows}), sizes});
    }
};

} // namespace ahead::decomposition
