// SPDX-License-Identifier: MIT
// Images and volumes sampled at positions given by data: all elements that are read are looked up at once, as rows of
// channels, and summed with their weights.
// Law: an element outside the image contributes nothing to a sum, whatever values the image holds: the lookup reads a
// row of zeros appended to the image. Positions are computed in the dtype of the image, which can represent the element
// counts exactly. Used by torchvision/ as well.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// Along one dim of the image: the indices of the elements that are read, outside or not, and their weights, if any.
/// Sizes: [taps..., places...], the taps of dim d along d.
struct sampled_dim {
    std::int64_t size = 0;
    argument element{}, weight{};
};

/// first, first + step, .. along dim d of `rank` dims
constexpr argument counted(auto& c, std::int64_t first, std::int64_t step, std::int64_t count, dtype type, int d,
                           int rank) {
    int_list sizes;
    for (int k = 0; k < rank; ++k) sizes.push_back(k == d ? count : 1);
    auto as = argument::of(type);
    as.keyword = "dtype";
    return c.call(view, {c.call("aten.arange.start_step", {first, first + count * step, step, as}), sizes});
}
/// The two elements next to a position, weighted by proximity.
constexpr void read_both(auto& c, const argument& place, dtype type, int d, int rank, sampled_dim& out) {
    const auto low = c.call("aten.floor.default", {place});
    out.element = c.call(add, {low, counted(c, 0, 1, 2, type, d, rank)});
    out.weight =
        c.call("aten.abs.default", {c.call(sub, {counted(c, 1, -1, 2, type, d, rank), c.call(sub, {place, low})})});
}

/// Whether there are kernels for the dtype, which can represent the number of elements of the images exactly.
constexpr bool can_sample(const tensor_type& image, const tensor_type& out) {
    return has_kernels(image.type) && is_floating(image.type) && element_count(image) > 0 && element_count(out) > 0 &&
           element_count(image) / image.size(1) < (1 << 24) - 1;
}
constexpr std::int32_t most_sample_calls = 64;
/// The sums over all taps, [places, C]. Spatial dims are those of the image from 2 on; `first`: the image's index, in
/// the dtype, or None if there is one image.
template <int Spatial>
constexpr argument sampled(auto& c, const argument& image, const argument& first, const sampled_dim (&dims)[Spatial]) {
    const auto type = c.type_of(image);
    const auto channels = type.size(1), elements = element_count(type) / channels;
    int_list order{0};
    for (int d = 0; d < Spatial; ++d) order.push_back(2 + d);
    order.push_back(1);
    const auto rows = c.call(reshape, {c.call("aten.permute.default", {image, order}), int_list{elements, channels}});
    const auto zeros = full_of(c, {1, channels}, argument::of(0.0), type.type);
    if (!c.editor().ok()) return {};
    const auto table = c.call("aten.cat.default", {nodes({rows.node(), zeros.node()}), 0});
    argument index = first, inside, weight;
    const auto joined = [&](std::string_view op, const argument& x, const argument& y) {
        if (x.kind != argument_kind::node) return y;
        return y.kind == argument_kind::node ? c.call(op, {x, y}) : x;
    };
    std::int64_t taps = 1;
    for (int d = 0; d < Spatial; ++d) {
        const auto size = dims[d].size;
        const auto at = c.call("aten.clamp.default", {dims[d].element, -1.0, static_cast<double>(size)});
        const auto is_there = [&](const argument& x) { return c.call("aten.clamp.default", {x, 0.0, 1.0}); };
        const auto both =
            c.call(mul, {is_there(c.call(add, {at, 1})), is_there(c.call("aten.rsub.Scalar", {at, size}))});
        if (index.kind == argument_kind::node) index = c.call(mul, {index, size});
        index = joined(add, index, at);
        inside = joined(mul, inside, both);
        weight = joined(mul, weight, dims[d].weight);
        if (!c.editor().ok()) return {};
        taps *= c.type_of(at).size(d);
    }
    index = c.call(mul, {c.call(sub, {index, elements}), inside});
    index = c.call("prims.convert_element_type.default", {c.call(add, {index, elements}), dtype::i64});
    if (!c.editor().ok()) return {};
    const auto count = element_count(c.type_of(index));
    const auto found = c.call("aten.index_select.default", {table, 0, c.call(reshape, {index, int_list{count}})});
    if (weight.kind != argument_kind::node) return found;
    const auto terms = c.call(mul, {c.call(view, {found, int_list{taps, count / taps, channels}}),
                                    c.call(reshape, {weight, int_list{taps, count / taps, 1}})});
    return c.call(sum, {terms, int_list{0}});
}
/// [places, C], of N images, as [N, C, sizes...].
constexpr argument channels_first(auto& c, const argument& x, const int_list& result) {
    int_list sizes{result[0]}, order{0, result.size - 1};
    for (int d = 2; d < result.size; ++d) {
        sizes.push_back(result[d]);
        order.push_back(d - 1);
    }
    sizes.push_back(result[1]);
    return c.call("aten.contiguous.default", {c.call("aten.permute.default", {c.call(view, {x, sizes}), order})});
}

template <class Op, int Spatial> struct grid_sample {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = most_sample_calls + 60 * Spatial;
    static constexpr bool computes_in_dtype = true; // positions of f16 are rounded to f16
    static constexpr bool when(const call_view& call) { return can_sample(call.tensor(at::input), call.result_type()); }
    static constexpr void decompose(auto& c) {
        constexpr int rank = 2 * Spatial + 1;
        const auto image = c.aten.tensor(at::input);
        const auto by = c.aten.integer(at::interpolation_mode);
        sampled_dim dims[Spatial];
        for (int d = 0; d < Spatial; ++d) {
            auto& dim = dims[d];
            dim.size = image.size(2 + d);
            auto place = c.call("aten.select.int", {c.operand(at::grid), Spatial + 1, Spatial - 1 - d});
            place = whole(c, place, dim.size);
            if (by == 0) read_both(c, padded(c, place, dim.size), image.type, d, rank, dim);
            else if (by == 1) dim.element = c.call("aten.round.default", {padded(c, place, dim.size)});
            else {
                const auto low = c.call("aten.floor.default", {place});
                const auto beside = c.call(add, {low, counted(c, -1, 1, 4, image.type, d, rank)});
                dim.element = padded(c, beside, dim.size);
                dim.weight = cubic(c, c.call("aten.abs.default", {c.call(sub, {beside, place})}));
            }
        }
        const auto first = image.size(0) == 1 ? argument{}
                                              : counted(c, 0, 1, image.size(0), image.type, by == 1 ? 0 : Spatial,
                                                        by == 1 ? Spatial + 1 : rank);
        c.bind_result(channels_first(c, sampled(c, c.operand(at::input), first, dims), sizes_of(c.aten.result_type())));
    }

private:
    /// Maps [-1, 1] to element positions; NaN maps outside, which border padding clamps to the first element, or, with
    /// reflection, to the first element.
    static constexpr argument whole(auto& c, const argument& x, std::int64_t size) {
        auto out = c.call(add, {x, 1});
        if (c.aten.boolean(at::align_corners))
            out = c.call(mul, {c.call(mul, {out, 0.5}), static_cast<double>(size - 1)});
        else out = c.call(mul, {c.call(sub, {c.call(mul, {out, static_cast<double>(size)}), 1}), 0.5});
        return c.call("aten.nan_to_num.default", {out, c.aten.integer(at::padding_mode) == 2 ? 0.0 : -9.0});
    }
    static constexpr argument padded(auto& c, argument x, std::int64_t size) {
        const auto padding = c.aten.integer(at::padding_mode);
        if (padding == 0) return x;
        const bool align = c.aten.boolean(at::align_corners);
        const double low = align ? 0 : -0.5, span = static_cast<double>(align ? size - 1 : size);
        if (padding == 2 && span > 0) { // reflects: of x modulo 2 * span, 2 * span minus that if it exceeds span
            x = c.call("aten.abs.default", {c.call(sub, {x, low})});
            const auto flips = c.call("aten.floor.default", {c.call("aten.div.Tensor", {x, span})});
            const auto rest = c.call(sub, {x, c.call(mul, {flips, span})});
            const auto half = c.call(mul, {flips, 0.5});
            const auto odd = c.call(mul, {c.call(sub, {half, c.call("aten.floor.default", {half})}), 2});
            const auto turned = c.call(sub, {c.call("aten.rsub.Scalar", {rest, span}), rest});
            x = c.call(add, {c.call(add, {rest, c.call(mul, {turned, odd})}), low});
        }
        return c.call("aten.clamp.default", {x, 0.0, padding == 2 && span == 0 ? 0.0 : static_cast<double>(size - 1)});
    }
    /// cubic_weights of core/math/resample.hpp by distance, up to 2: distances below 1 use the first polynomial.
    static constexpr argument cubic(auto& c, const argument& x) {
        constexpr double a = -0.75;
        const auto least = c.call("aten.clamp.default", {x, 0.0, 1.0}),
                   most = c.call("aten.clamp.default", {x, 1.0, 2.0});
        auto nearby = c.call(sub, {c.call(mul, {least, a + 2}), a + 3});
        nearby = c.call(add, {c.call(mul, {c.call(mul, {nearby, least}), least}), 1});
        auto distant = c.call(sub, {c.call(mul, {most, a}), 5 * a});
        distant = c.call(add, {c.call(mul, {distant, most}), 8 * a});
        distant = c.call(sub, {c.call(mul, {distant, most}), 4 * a});
        return c.call(add, {nearby, distant}); // at a distance of 1 both are 0
    }
};

} // namespace ahead::decomposition
