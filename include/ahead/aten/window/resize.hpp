// SPDX-License-Identifier: MIT
// What the operators share that resize the last dims: their sizes, from which elements each new one is made and by
// which weights, and the gradient that goes back to these.
// Invariant: a dim is resized by itself, so an element's weight is the product of those along each dim; beyond the edge
// is the edge. Weights and sums are in double and rounded once. Used by upsample.hpp, upsample_gradients.hpp.
// Source: aten/src/ATen/native/UpSample.h, aten/src/ATen/native/cpu/UpSampleKernel.cpp.
#pragma once
#include <ahead/aten/reduce/gradient_sums.hpp>
#include <ahead/aten/window/grid_sampler.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/type/memory_format.hpp>

namespace AHEAD_NAMESPACE::aten::detail {

/// Where a resizing operator has what it resizes, and to what; its factors are a list of reals or None, or one
/// parameter for each dim from `scales` on. A gradient has the sizes of what was resized besides.
struct resize_parameters {
    int self, output_size, scale_factors = no_parameter, scales = no_parameter, align_corners = no_parameter,
                           input_size = no_parameter;
};

/// The factor given in a list for spatial dim d, 0 where none is.
constexpr double listed_factor(const auto& c, const resize_parameters& of, int d) {
    if (of.scale_factors == no_parameter || !c.is_given(of.scale_factors)) return 0;
    const auto& a = c.element(of.scale_factors, d);
    return a.kind == argument_kind::real ? a.real() : static_cast<double>(a.bits);
}
/// The factor by which places are computed, 0 where it is that of the sizes.
constexpr double place_factor(const auto& c, const resize_parameters& of, int d) {
    if (of.scales != no_parameter) return c.is_given(of.scales + d) ? c.real(of.scales + d) : 0;
    return c.is_given(of.output_size) ? 0 : listed_factor(c, of, d);
}
constexpr bool aligns_corners(const auto& c, const resize_parameters& of) {
    return of.align_corners != no_parameter && c.boolean(of.align_corners);
}

/// Sizes as given, or from the factors.
template <int Spatial> constexpr bool infer_resize(infer_context& c, const resize_parameters& of) {
    const auto& t = c.tensor(of.self);
    if (t.rank != Spatial + 2) return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 2, print(t));
    const bool by_factor = !c.is_given(of.output_size);
    if (by_factor && (of.scale_factors == no_parameter || !c.is_given(of.scale_factors)))
        return c.refuse(fault::argument_is_missing, "output_size or scale_factors", "neither");
    if (by_factor ? c.list_size(of.scale_factors) != Spatial : c.ints(of.output_size).size != Spatial)
        return c.refuse(fault::rank_is_wrong, short_text() << Spatial << " sizes", "another count");
    auto sizes = sizes_of(t);
    for (int d = 0; d < Spatial; ++d) {
        auto& size = sizes[2 + d];
        size = by_factor ? checked_int::truncated(static_cast<double>(size) * listed_factor(c, of, d)).get()
                         : c.ints(of.output_size)[d];
        if (size < 1 || t.size(2 + d) < 1)
            return c.refuse(fault::window_does_not_fit, "sizes from 1", short_text() << size);
    }
    return c.result(in_format_of(t, tensor_of(t.type, sizes)));
}

/// How much of an old dim a step in the new one is.
constexpr double resized_step(std::int64_t from, std::int64_t to, double factor, bool align_corners) {
    const auto size = static_cast<double>(from), wanted = static_cast<double>(to);
    if (align_corners) return to > 1 ? (size - 1) / (wanted - 1) : 0;
    return factor > 0 ? 1 / factor : size / wanted;
}
/// Where element i of the new dim lies in the old one.
constexpr double resized_place(double step, std::int64_t i, bool align_corners) {
    return align_corners ? static_cast<double>(i) * step : (static_cast<double>(i) + 0.5) * step - 0.5;
}

/// Along one dim: `count` elements from `first` on, with a place beside them by which a filter weighs them.
struct resize_taps {
    std::int64_t first = 0, count = 1;
    double place = 0, narrowed = 1, total = 1;
};

/// What of a dim is resized, and how.
struct resized_dim {
    std::int64_t from, to;
    double factor;
    bool align_corners;
};

/// The element whose place, scaled, begins nearest below; Exact: in which the middle of the new one's lies. In f32, as
/// PyTorch does.
template <bool Exact> struct nearest_filter {
    static constexpr resize_taps taps(const resized_dim& dim, std::int64_t i) {
        const auto scale = dim.factor > 0 ? static_cast<float>(1 / dim.factor)
                                          : static_cast<float>(dim.from) / static_cast<float>(dim.to);
        return {.first = static_cast<std::int64_t>((static_cast<float>(i) + (Exact ? 0.5f : 0.0f)) * scale)};
    }
    static constexpr double weight(const resize_taps&, std::int64_t) { return 1; }
};

/// The two elements on either side, weighted by how near they are.
struct linear_filter {
    static constexpr resize_taps taps(const resized_dim& dim, std::int64_t i) {
        const double step = resized_step(dim.from, dim.to, dim.factor, dim.align_corners);
        double place = resized_place(step, i, dim.align_corners);
        if (place < 0) place = 0;
        auto low = static_cast<std::int64_t>(place);
        if (low > dim.from - 1) low = dim.from - 1;
        return {.first = low, .count = 2, .place = place - static_cast<double>(low)};
    }
    static constexpr double weight(const resize_taps& t, std::int64_t k) { return k == 0 ? 1 - t.place : t.place; }
};

/// The four elements around, by cubic convolution with a = -0.75.
struct cubic_filter {
    static constexpr resize_taps taps(const resized_dim& dim, std::int64_t i) {
        const double step = resized_step(dim.from, dim.to, dim.factor, dim.align_corners);
        const double place = resized_place(step, i, dim.align_corners), whole = math::floor(place);
        return {.first = static_cast<std::int64_t>(whole) - 1, .count = 4, .place = place - whole};
    }
    static constexpr double weight(const resize_taps& t, std::int64_t k) {
        double weights[4]{};
        cubic_weights(t.place, weights);
        return weights[k];
    }
};

/// All elements within reach of Shape, which is as wide as the new elements are: where fewer are made, each is a mean.
template <class Shape> struct antialias_filter {
    static constexpr resize_taps taps(const resized_dim& dim, std::int64_t i) {
        const double step = resized_step(dim.from, dim.to, dim.factor, dim.align_corners);
        const double reach = Shape::reach * (step >= 1 ? step : 1), middle = step * (static_cast<double>(i) + 0.5);
        resize_taps out{.place = middle, .narrowed = step >= 1 ? 1 / step : 1};
        auto end = static_cast<std::int64_t>(middle + reach + 0.5);
        if (end > dim.from) end = dim.from;
        if (middle - reach + 0.5 > 0) out.first = static_cast<std::int64_t>(middle - reach + 0.5);
        out.count = end > out.first ? end - out.first : 0;
        out.total = 0;
        for (std::int64_t k = 0; k < out.count; ++k) out.total += value(out, k);
        return out;
    }
    static constexpr double weight(const resize_taps& t, std::int64_t k) {
        return t.total != 0 ? value(t, k) / t.total : 0;
    }

private:
    static constexpr double value(const resize_taps& t, std::int64_t k) {
        const double off = (static_cast<double>(t.first + k) - t.place + 0.5) * t.narrowed;
        return Shape::value(off < 0 ? -off : off);
    }
};
struct triangle_bell {
    static constexpr double reach = 1;
    static constexpr double value(double x) { return x < 1 ? 1 - x : 0; }
};
/// Cubic convolution with a = -0.5.
struct cubic_bell {
    static constexpr double reach = 2, a = -0.5;
    static constexpr double value(double x) {
        if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
        return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
    }
};

/// f(index, weight) for each element of `from` that element `at` of `to` is made of.
template <class Filter, int Spatial>
constexpr void for_each_tap(const auto& c, const resize_parameters& of, const tensor_type& from, const tensor_type& to,
                            const int_list& at, auto f) {
    std::array<resize_taps, Spatial> taps{};
    int_list counts;
    for (int d = 0; d < Spatial; ++d) {
        auto& along = taps[static_cast<std::size_t>(d)];
        along = Filter::taps({from.size(2 + d), to.size(2 + d), place_factor(c, of, d), aligns_corners(c, of)},
                             at[2 + d]);
        counts.push_back(along.count);
    }
    for_each_index(counts, [&](const int_list& k) {
        auto index = at;
        double weight = 1;
        for (int d = 0; d < Spatial; ++d) {
            const auto& along = taps[static_cast<std::size_t>(d)];
            const auto i = along.first + k[d], last = from.size(2 + d) - 1;
            index[2 + d] = i < 0 ? 0 : i < last ? i : last;
            weight *= Filter::weight(along, k[d]);
        }
        f(index, weight);
    });
}

template <class Filter, int Spatial> constexpr void evaluate_resize(auto& c, const resize_parameters& of) {
    c.compute_real([&](auto as) {
        const auto in = c.input(of.self, as);
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            double total = 0;
            for_each_tap<Filter, Spatial>(c, of, in.type(), out.type(), at, [&](const int_list& i, double weight) {
                total += weight * static_cast<double>(in[i]);
            });
            out.put(at, math::convert<decltype(as)>(total));
        });
    });
}

template <class Filter, int Spatial> constexpr void evaluate_resize_gradient(auto& c, const resize_parameters& of) {
    c.compute_real([&](auto as) {
        const auto given = c.input(of.self, as);
        auto sums = sums_beside(c, c.result_type());
        for_each_index(sizes_of(given.type()), [&](const int_list& at) {
            for_each_tap<Filter, Spatial>(
                c, of, sums.type, given.type(), at,
                [&](const int_list& i, double weight) { sums.add(i, weight * static_cast<double>(given[at])); });
        });
        sums.round_into(c.output(0, as), as);
    });
}

} // namespace ahead::aten::detail
