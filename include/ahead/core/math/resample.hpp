// SPDX-License-Identifier: MIT
// Filters that resize a dim: they give the source elements and the weights of each new element. Indices beyond an edge
// use the edge element. Used by aten/window/resize.hpp, which defines resizing, and kernels/resize.hpp.
// Source: aten/src/ATen/native/UpSample.h, aten/src/ATen/native/cpu/UpSampleKernel.cpp.
#pragma once
#include <ahead/core/math/elementary.hpp>
#include <ahead/core/math/series/rounding.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::core {

/// The weights of the four elements around a position at distance `t` after the second one: cubic convolution, a =
/// -0.75.
template <class T> constexpr void cubic_weights(T t, T (&out)[4]) {
    const T a = T(-0.75);
    const auto nearby = [&](T x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
    const auto distant = [&](T x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
    out[0] = distant(t + 1);
    out[1] = nearby(t);
    out[2] = nearby(1 - t);
    out[3] = distant(2 - t);
}

/// The step in the old dim for one step in the new dim.
constexpr double resized_step(std::int64_t from, std::int64_t to, double factor, bool align_corners) {
    const auto size = static_cast<double>(from), wanted = static_cast<double>(to);
    if (align_corners) return to > 1 ? (size - 1) / (wanted - 1) : 0;
    return factor > 0 ? 1 / factor : size / wanted;
}
/// The position in the old dim of element i of the new dim.
constexpr double resized_place(double step, std::int64_t i, bool align_corners) {
    return align_corners ? static_cast<double>(i) * step : (static_cast<double>(i) + 0.5) * step - 0.5;
}

/// Source elements in one dim: `count` elements starting at `first`; `place` is the position from which a filter
/// computes their weights.
struct resize_taps {
    std::int64_t first = 0, count = 1;
    double place = 0, narrowed = 1, total = 1;
};

/// The sizes and parameters of one resized dim; back: for a gradient.
struct resized_dim {
    std::int64_t from, to;
    double factor;
    bool align_corners, back = false;
};

/// The element nearest below the scaled position; Exact: the element that contains the middle of the new one. In f32,
/// as in PyTorch.
template <bool Exact> struct nearest_filter {
    static constexpr resize_taps taps(const resized_dim& dim, std::int64_t i) {
        const auto scale = dim.factor > 0 ? static_cast<float>(1 / dim.factor)
                                          : static_cast<float>(dim.from) / static_cast<float>(dim.to);
        return {.first = static_cast<std::int64_t>((static_cast<float>(i) + (Exact ? 0.5f : 0.0f)) * scale)};
    }
    static constexpr double weight(const resize_taps&, std::int64_t) { return 1; }
};

/// The two elements on either side, weighted by distance; a dim that keeps its size is copied, whatever its factor.
struct linear_filter {
    static constexpr resize_taps taps(const resized_dim& dim, std::int64_t i) {
        if (dim.from == dim.to) return {.first = i, .count = 2};
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

/// All elements within the reach of Shape, which is scaled to the width of a new element: when the size shrinks, each
/// new element is a mean. A dim that keeps its size is copied, but its gradient is not.
template <class Shape> struct antialias_filter {
    static constexpr resize_taps taps(const resized_dim& dim, std::int64_t i) {
        if (dim.from == dim.to && !dim.back)
            return {.first = i, .count = 1, .place = static_cast<double>(i) + 0.5, .total = Shape::value(0)};
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

} // namespace ahead::core
