// SPDX-License-Identifier: MIT
// Windows and layouts as views, sums and copies: means of tiles, im2col, pads, pixel_shuffle, repeat.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

// ---- windows and layouts

/// Whether windows of an adaptive pooling tile the last dims of the larger tensor.
constexpr bool tiles(const tensor_type& x, const tensor_type& out, int spatial) {
    if (x.rank + spatial > max_rank || !is_floating(x.type) || element_count(x) == 0) return false;
    for (int d = x.rank - spatial; d < x.rank; ++d)
        if (out.size(d) == 0 || x.size(d) % out.size(d) != 0) return false;
    return true;
}

/// Means of windows that tile the input: a dim becomes two, the index of the window and the index in it.
template <class Op, int Spatial> struct tiled_mean {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) {
        return tiles(call.tensor(at::self), call.result_type(), Spatial);
    }
    static constexpr void decompose(auto& c) {
        const auto& x = c.aten.tensor(at::self);
        int_list tiled, dims;
        for (int d = 0; d < x.rank; ++d) {
            if (d < x.rank - Spatial) {
                tiled.push_back(x.size(d));
                continue;
            }
            const auto windows = c.aten.result_type().size(d);
            tiled.push_back(windows);
            dims.push_back(tiled.size);
            tiled.push_back(x.size(d) / windows);
        }
        c.bind_result(c.call(mean, {c.call(reshape, {c.operand(at::self), tiled}), dims}));
    }
};

/// The gradient of means of tiles: each element, divided, is copied to all positions of its window.
struct tiled_mean_gradient {
    using op = aten::adaptive_avg_pool2d_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 4;
    static constexpr bool when(const call_view& call) {
        return tiles(call.tensor(at::self), call.tensor(at::grad_output), 2);
    }
    static constexpr void decompose(auto& c) {
        const auto x = c.aten.tensor(at::self), gradient = c.aten.tensor(at::grad_output);
        int_list windows, places;
        double count = 1;
        for (int d = 0; d < x.rank; ++d) {
            windows.push_back(gradient.size(d));
            places.push_back(gradient.size(d));
            if (d < x.rank - 2) continue;
            windows.push_back(1);
            places.push_back(x.size(d) / gradient.size(d));
            count *= static_cast<double>(places[places.size - 1]);
        }
        const auto share = c.call("aten.div.Tensor", {c.operand(at::grad_output), count});
        c.bind_result(c.call(reshape, {c.call(expand, {c.call(reshape, {share, windows}), places}), sizes_of(x)}));
    }
};

/// Windows as columns: a copy of a view of the padded image in which windows overlap.
struct columns {
    using op = aten::im2col;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return element_count(call.result_type()) > 0; }
    static constexpr void decompose(auto& c) {
        const auto w = aten::window_of(c.aten, aten::detail::columns_of<at>, 2);
        auto image = c.operand(at::self);
        if (w.padding[0] > 0 || w.padding[1] > 0)
            image = c.call("aten.constant_pad_nd.default",
                           {image, int_list{w.padding[1], w.padding[1], w.padding[0], w.padding[0]}});
        if (!c.editor().ok()) return;
        const auto t = c.type_of(image);
        int_list sizes, strides;
        for (int d = 0; d < t.rank - 2; ++d) {
            sizes.push_back(t.size(d));
            strides.push_back(t.stride(d));
        }
        for (int d = 0; d < 2; ++d) {
            sizes.push_back(w.kernel[d]);
            strides.push_back(t.stride(t.rank - 2 + d) * w.dilation[d]);
        }
        for (int d = 0; d < 2; ++d) {
            const auto& given = c.aten.tensor(at::self);
            sizes.push_back(aten::detail::windows_along(w, d, given.size(given.rank - 2 + d)));
            strides.push_back(t.stride(t.rank - 2 + d) * w.stride[d]);
        }
        c.bind_result(c.call(reshape,
                        {c.call("aten.as_strided.default", {image, sizes, strides}), sizes_of(c.aten.result_type())}));
    }
};

/// The inverse: each element of the columns is added to zeros at its position in the image; the padding is cut off.
struct columns_back {
    using op = aten::col2im;
    using at = op::at;
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool when(const call_view& call) {
        return element_count(call.tensor(at::self)) > 0 && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto x = c.aten.tensor(at::self), out = c.aten.result_type();
        const auto w = aten::window_of(c.aten, aten::detail::columns_of<at>, 2);
        const std::int64_t size[] = {out.size(out.rank - 2), out.size(out.rank - 1)};
        const std::int64_t padded[] = {size[0] + 2 * w.padding[0], size[1] + 2 * w.padding[1]};
        const auto images = element_count(out) / (size[0] * size[1]);
        int_list sizes, strides; // of the positions in a window, and of the windows
        for (int d = 0; d < 4; ++d) {
            sizes.push_back(d < 2 ? w.kernel[d] : aten::detail::windows_along(w, d - 2, size[d - 2]));
            strides.push_back((d < 2 ? w.dilation[d] : w.stride[d - 2]) * (d % 2 == 0 ? padded[1] : 1));
        }
        auto columns = c.operand(at::self);
        const int last = x.rank - 1;
        if (images == 1 && x.stride(last) > x.stride(last - 1)) { // keep consecutive columns in order
            columns = c.call("aten.transpose.int", {columns, last - 1, last});
            sizes = {sizes[2], sizes[3], sizes[0], sizes[1]};
            strides = {strides[2], strides[3], strides[0], strides[1]};
        }
        const auto places =
            c.call("aten.as_strided.default", {c.call("aten.arange.default", {padded[0] * padded[1]}), sizes, strides});
        const auto sums =
            c.call("aten.index_add.default",
                   {full_of(c, {images, padded[0] * padded[1]}, argument::of(0), x.type), 1,
                    c.call(reshape, {places, int_list{-1}}), c.call(reshape, {columns, int_list{images, -1}})});
        auto whole = c.call(view, {sums, int_list{images, padded[0], padded[1]}});
        for (int d = 0; d < 2; ++d)
            if (w.padding[d] > 0)
                whole = c.call("aten.slice.Tensor", {whole, d + 1, w.padding[d], w.padding[d] + size[d]});
        c.bind_result(c.call(reshape, {whole, sizes_of(out)}));
    }
};

/// [.., c r r, h, w] is [.., c, h r, w r]: only an exchange of dims.
struct pixel_shuffle {
    using op = aten::pixel_shuffle;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).rank < 6; }
    static constexpr void decompose(auto& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto r = c.aten.integer(at::upscale_factor);
        const int lead = x.rank - 3;
        int_list apart, order;
        for (int d = 0; d < lead; ++d) {
            apart.push_back(x.size(d));
            order.push_back(d);
        }
        for (auto size : {x.size(lead) / (r * r), r, r, x.size(lead + 1), x.size(lead + 2)}) apart.push_back(size);
        for (int d : {0, 3, 1, 4, 2}) order.push_back(lead + d); // c, h, r, w, r
        const auto turned = c.call("aten.permute.default", {c.call(reshape, {c.operand(at::self), apart}), order});
        c.bind_result(c.call(reshape, {turned, sizes_of(c.aten.result_type())}));
    }
};

/// Padding by mode, as the operator for that mode; 'circular' as a concatenation of the tensor with its own ends.
struct padding {
    using op = aten::pad;
    using at = op::at;
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool when(const call_view& call) {
        return call.int_count(at::pad) <= max_rank && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto mode = c.aten.template word<aten::padding_word>(at::mode);
        int_list list;
        for (std::int32_t k = 0; k < c.aten.int_count(at::pad); ++k) list.push_back(c.aten.int_at(at::pad, k));
        if (mode == aten::padding_word::constant)
            return c.bind_result(
                c.call("aten.constant_pad_nd.default",
                       {c.operand(at::self), list, c.aten.is_given(at::value) ? c.aten.real(at::value) : 0.0}));
        constexpr std::string_view names[][3] = {
            {"aten.reflection_pad1d.default", "aten.reflection_pad2d.default", "aten.reflection_pad3d.default"},
            {"aten.replication_pad1d.default", "aten.replication_pad2d.default", "aten.replication_pad3d.default"}};
        if (mode != aten::padding_word::circular)
            return c.bind_result(
                c.call(names[mode == aten::padding_word::replicate][list.size / 2 - 1], {c.operand(at::self), list}));
        auto whole = c.operand(at::self);
        for (int d = x.rank - list.size / 2; d < x.rank && c.editor().ok(); ++d) {
            const auto by = aten::paddings_of(c.aten, at::pad, x.rank);
            const auto kept = aten::detail::kept_by(by, d, x.size(d));
            const auto part = [&](std::int64_t from, std::int64_t to) {
                return c.call("aten.slice.Tensor", {whole, d, from, to});
            };
            if (kept.count != x.size(d)) whole = part(kept.begin, kept.begin + kept.count);
            const auto after = by.after[d] > 0 ? part(0, by.after[d]) : argument{};
            const auto before = by.before[d] > 0 ? part(kept.count - by.before[d], kept.count) : argument{};
            if (!c.editor().ok()) return;
            if (by.before[d] > 0 && by.after[d] > 0)
                whole = c.call("aten.cat.default", {nodes({before.node(), whole.node(), after.node()}), d});
            else if (by.before[d] > 0) whole = c.call("aten.cat.default", {nodes({before.node(), whole.node()}), d});
            else if (by.after[d] > 0) whole = c.call("aten.cat.default", {nodes({whole.node(), after.node()}), d});
        }
        c.bind_result(whole);
    }
};

/// The inverse of pixel_shuffle.
struct pixel_unshuffle {
    using op = aten::pixel_unshuffle;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).rank < 7; }
    static constexpr void decompose(auto& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto r = c.aten.integer(at::downscale_factor);
        const int lead = x.rank - 2;
        int_list apart, order;
        for (int d = 0; d < lead; ++d) {
            apart.push_back(x.size(d));
            order.push_back(d);
        }
        for (auto size : {x.size(lead) / r, r, x.size(lead + 1) / r, r}) apart.push_back(size);
        for (int d : {1, 3, 0, 2}) order.push_back(lead + d); // r, r, h, w
        const auto turned = c.call("aten.permute.default", {c.call(reshape, {c.operand(at::self), apart}), order});
        c.bind_result(c.call(reshape, {turned, sizes_of(c.aten.result_type())}));
    }
};

/// A copy of the view, row-major like the operand.
struct narrow_copy {
    using op = aten::narrow_copy;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) { return is_contiguous(call.tensor(at::self)); }
    static constexpr void decompose(auto& c) {
        const auto part = c.call("aten.narrow.default", {c.operand(at::self), c.aten.integer(at::dim),
                                                         c.aten.integer(at::start), c.aten.integer(at::length)});
        c.bind_result(c.call("aten.clone.default", {part}));
    }
};

/// Repeats as copies: an expanded dim before each one that is repeated.
template <class Op, int Repeats> struct repeat {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr bool when(const call_view& call) {
        int rank = call.result_type().rank;
        for (auto times : call.ints(Repeats)) rank += times > 1;
        return rank > call.result_type().rank && rank <= max_rank && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto times = c.aten.ints(Repeats);
        const int rank = c.aten.result_type().rank;
        int_list apart, spread;
        for (int d = 0; d < rank; ++d) {
            const int own = d - (rank - x.rank), given = d - (rank - times.size);
            const auto size = own < 0 ? 1 : x.size(own);
            if (given >= 0 && times[given] > 1) {
                apart.push_back(1);
                spread.push_back(times[given]);
            }
            apart.push_back(size);
            spread.push_back(size);
        }
        const auto seen = c.call(expand, {c.call(reshape, {c.operand(at::self), apart}), spread});
        c.bind_result(c.call(reshape, {seen, sizes_of(c.aten.result_type())}));
    }
};

} // namespace ahead::decomposition
