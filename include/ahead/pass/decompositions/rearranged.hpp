// SPDX-License-Identifier: MIT
// Losses, means of tiles and rearrangements, as views, sums and copies.
#pragma once
#include <ahead/pass/decompositions/words.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// The mean or sum of |x - y| or (x - y)^2.
template <class Op, bool Squared> struct pairwise_loss {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).type == call.result_type().type; }
    static constexpr void decompose(decompose_context& c) {
        const auto off = c.call(sub, {c.operand(at::self), c.operand(at::target)});
        const auto loss = Squared ? c.call(mul, {off, off}) : c.call("aten.abs.default", {off});
        const auto reduction = c.aten.template word<aten::loss_reduction>(at::reduction);
        c.finish(
            reduction == aten::loss_reduction::none
                ? loss
                : c.call(reduction == aten::loss_reduction::mean ? "aten.mean.default" : "aten.sum.default", {loss}));
    }
};

// ---- windows and layouts

/// Whether windows of an adaptive pooling tile the last dims of the larger one.
constexpr bool tiles(const tensor_type& x, const tensor_type& out, int spatial) {
    if (x.rank + spatial > max_rank || !is_floating(x.type) || element_count(x) == 0) return false;
    for (int d = x.rank - spatial; d < x.rank; ++d)
        if (out.size(d) == 0 || x.size(d) % out.size(d) != 0) return false;
    return true;
}

/// Means of windows that tile the input: a dim becomes two, of windows and of places in them.
template <class Op, int Spatial> struct tiled_mean {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) {
        return tiles(call.tensor(at::self), call.result_type(), Spatial);
    }
    static constexpr void decompose(decompose_context& c) {
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
        c.finish(c.call(mean, {c.call(reshape, {c.operand(at::self), tiled}), dims}));
    }
};

/// Its gradient: each element, divided, stands in all places of its window.
struct tiled_mean_gradient {
    using op = aten::adaptive_avg_pool2d_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 4;
    static constexpr bool when(const call_view& call) {
        return tiles(call.tensor(at::self), call.tensor(at::grad_output), 2);
    }
    static constexpr void decompose(decompose_context& c) {
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
        c.finish(c.call(reshape, {c.call(expand, {c.call(reshape, {share, windows}), places}), sizes_of(x)}));
    }
};

/// Windows as columns: a view of the padded image in which windows overlap, copied.
struct columns {
    using op = aten::im2col;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return element_count(call.result_type()) > 0; }
    static constexpr void decompose(decompose_context& c) {
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
        c.finish(c.call(reshape,
                        {c.call("aten.as_strided.default", {image, sizes, strides}), sizes_of(c.aten.result_type())}));
    }
};

/// [.., c r r, h, w] is [.., c, h r, w r]: only an exchange of dims.
struct pixel_shuffle {
    using op = aten::pixel_shuffle;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).rank < 6; }
    static constexpr void decompose(decompose_context& c) {
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
        c.finish(c.call(reshape, {turned, sizes_of(c.aten.result_type())}));
    }
};

/// Back again.
struct pixel_unshuffle {
    using op = aten::pixel_unshuffle;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).rank < 7; }
    static constexpr void decompose(decompose_context& c) {
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
        c.finish(c.call(reshape, {turned, sizes_of(c.aten.result_type())}));
    }
};

/// A copy of the view, which lies as it does, row-major.
struct narrow_copy {
    using op = aten::narrow_copy;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) { return is_contiguous(call.tensor(at::self)); }
    static constexpr void decompose(decompose_context& c) {
        const auto part = c.call("aten.narrow.default", {c.operand(at::self), c.aten.integer(at::dim),
                                                         c.aten.integer(at::start), c.aten.integer(at::length)});
        c.finish(c.call("aten.clone.default", {part}));
    }
};

/// Copies side by side: an expanded dim before each one that is repeated.
struct repeat {
    using op = aten::repeat;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) {
        bool repeats = false;
        for (auto times : call.ints(at::repeats)) repeats = repeats || times > 1;
        return repeats && 2 * call.result_type().rank <= max_rank && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(decompose_context& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto times = c.aten.ints(at::repeats);
        int_list apart, spread;
        for (int d = 0; d < times.size; ++d) {
            const int own = d - (times.size - x.rank);
            const auto size = own < 0 ? 1 : x.size(own);
            apart.push_back(1);
            apart.push_back(size);
            spread.push_back(times[d]);
            spread.push_back(size);
        }
        const auto seen = c.call(expand, {c.call(reshape, {c.operand(at::self), apart}), spread});
        c.finish(c.call(reshape, {seen, sizes_of(c.aten.result_type())}));
    }
};

} // namespace ahead::decomposition
