// SPDX-License-Identifier: MIT
// npu.resize: one dim resized by a filter; several dims take one call each, in sequence.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/core/math/resample.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>
#include <algorithm>
#include <bit>

namespace AHEAD_NAMESPACE::device {

enum class resize_filter : std::uint8_t {
    nearest,
    nearest_exact,
    linear,
    cubic,
    antialiased_linear,
    antialiased_cubic
};

/// x[outer, from, inner] -> out[outer, to, inner]; nearest filters take any dtype, weighted ones a floating one. Back:
/// x[outer, to, inner] -> out[outer, from, inner], where the gradient of each element is distributed over its sources.
struct resize_key {
    dtype type = dtype::f32;
    resize_filter filter = resize_filter::nearest;
    bool align_corners = false;
    bool back = false;
    std::int64_t factor_bits = 0; // of the double that scales places; 0: derived from the sizes
    std::int64_t outer = 1, from = 1, inner = 1, to = 1;
    friend constexpr bool operator==(const resize_key&, const resize_key&) = default;
};
AHEAD_FIELDS(resize_key, type, filter, align_corners, back, factor_bits, outer, from, inner, to)
constexpr resized_dim dim_of(const resize_key& key) {
    return {key.from, key.to, std::bit_cast<double>(key.factor_bits), key.align_corners, key.back};
}

/// The largest number of elements that a new one is computed from.
constexpr std::int64_t most_taps(const resize_key& key) {
    const auto reached = [&](double reach) {
        const auto d = dim_of(key);
        const double step = resized_step(d.from, d.to, d.factor, d.align_corners);
        const double most = 2 * reach * (step > 1 ? step : 1) + 2;
        return most < static_cast<double>(key.from) ? static_cast<std::int64_t>(most) : key.from;
    };
    switch (key.filter) {
    case resize_filter::nearest:
    case resize_filter::nearest_exact: break;
    case resize_filter::linear: return 2;
    case resize_filter::cubic: return 4;
    case resize_filter::antialiased_linear: return reached(triangle_bell::reach);
    case resize_filter::antialiased_cubic: return reached(cubic_bell::reach);
    }
    return 1;
}

/// Rows weighted in vectors, or elements one by one.
constexpr machine::work work_of(const resize_key& key) {
    const auto taps = most_taps(key);
    if (key.inner >= 8) return {.vector = {key.outer * key.to, key.inner, 1 + 2 * taps, 0}};
    return {.scalar_steps = key.outer * key.to * key.inner * 3 * taps};
}

/// npu.resize(Tensor x, int dim, int to, int filter, bool align_corners, float factor, bool back=False): x is
/// contiguous; dim counts from 0; factor 0: derived from the sizes; back: the gradient of a dim whose size was `to`.
struct resize {
    static constexpr std::string_view name = "npu.resize"sv;
    enum at : int { x, dim, to, filter, align_corners, factor, back };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("to", parameter_kind::integer),
                                           required("filter", parameter_kind::integer),
                                           required("align_corners", parameter_kind::boolean),
                                           required("factor", parameter_kind::real),
                                           defaulted("back", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(at::x));
        sizes[static_cast<int>(c.integer(at::dim))] = c.integer(at::to);
        return c.result(tensor_of(c.tensor(at::x).type, sizes));
    }
    static constexpr resize_key key(const call_view& c) {
        const auto& t = c.tensor(at::x);
        const auto along = static_cast<int>(c.integer(at::dim));
        resize_key key{.type = t.type,
                       .filter = static_cast<resize_filter>(c.integer(at::filter)),
                       .align_corners = c.boolean(at::align_corners),
                       .factor_bits = std::bit_cast<std::int64_t>(c.real(at::factor))};
        key.back = c.boolean(at::back);
        key.from = key.back ? c.integer(at::to) : t.size(along);
        key.to = key.back ? t.size(along) : c.integer(at::to);
        for (int d = 0; d < t.rank; ++d)
            if (d != along) (d < along ? key.outer : key.inner) *= t.size(d);
        return key;
    }
    /// For each new element: how many elements it is computed from, their places and their weights. Back: for each old
    /// element.
    static constexpr std::int64_t workspace(const resize_key& k) {
        return 8 * ((k.back ? k.from : k.to) + 2 * k.to * most_taps(k));
    }
    static constexpr bounded_call bounded(const auto& c) { return bounded_count<resize>(c, at::x, &resize_key::outer); }
};

} // namespace ahead::device
