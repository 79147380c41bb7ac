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

/// Means of windows that tile the input: a dim becomes two, of windows and of places in them.
template <class Op, int Spatial> struct tiled_mean {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) {
        const auto& x = call.tensor(at::self);
        const auto& out = call.result_type();
        if (x.rank + Spatial > max_rank || !is_floating(x.type) || element_count(x) == 0) return false;
        for (int d = x.rank - Spatial; d < x.rank; ++d)
            if (out.size(d) == 0 || x.size(d) % out.size(d) != 0) return false;
        return true;
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
