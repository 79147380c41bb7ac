// SPDX-License-Identifier: MIT
// The common part of operators that resize the last dims: their sizes, the source elements and weights of each result
// element, and the gradient.
// Invariant: dims are resized independently, so an element's weight is the product of the weights along each dim;
// indices are clamped to the edge. Weights and sums are in double and rounded once. Used by upsample.hpp,
// upsample_gradients.hpp.
// Source: aten/src/ATen/native/UpSample.h, aten/src/ATen/native/cpu/UpSampleKernel.cpp.
#pragma once
#include <ahead/aten/reduce/gradient_sums.hpp>
#include <ahead/aten/window/grid_sampler.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/core/math/resample.hpp>
#include <ahead/ir/type/memory_format.hpp>

namespace AHEAD_NAMESPACE::aten::detail {

/// Parameter numbers of a resizing operator; its factors are a list of reals or None, or one parameter per dim,
/// starting at `scales`. A gradient also has input_size, the sizes of the resized tensor.
struct resize_parameters {
    int self, output_size, scale_factors = no_parameter, scales = no_parameter, align_corners = no_parameter,
                           input_size = no_parameter;
};

/// The factor in the list for spatial dim d, 0 if none is given.
constexpr double listed_factor(const auto& c, const resize_parameters& of, int d) {
    if (of.scale_factors == no_parameter || !c.is_given(of.scale_factors)) return 0;
    const auto& a = c.element(of.scale_factors, d);
    return a.kind == argument_kind::real ? a.real() : static_cast<double>(a.bits);
}
/// The factor for computing positions, 0 if the ratio of the sizes is to be used.
constexpr double place_factor(const auto& c, const resize_parameters& of, int d) {
    if (of.scales != no_parameter) return c.is_given(of.scales + d) ? c.real(of.scales + d) : 0;
    return c.is_given(of.output_size) ? 0 : listed_factor(c, of, d);
}
constexpr bool aligns_corners(const auto& c, const resize_parameters& of) {
    return of.align_corners != no_parameter && c.boolean(of.align_corners);
}

/// Infers the sizes: as given, or from the factors.
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

/// Calls f(index, weight) for each element of `from` that contributes to element `at` of `to`.
template <class Filter, int Spatial>
constexpr void for_each_tap(const auto& c, const resize_parameters& of, const tensor_type& from, const tensor_type& to,
                            const int_list& at, auto f) {
    std::array<resize_taps, Spatial> taps{};
    int_list counts;
    for (int d = 0; d < Spatial; ++d) {
        auto& along = taps[static_cast<std::size_t>(d)];
        along =
            Filter::taps({from.size(2 + d), to.size(2 + d), place_factor(c, of, d), aligns_corners(c, of),
                          of.input_size != no_parameter},
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
            for_each_tap<Filter, Spatial>(c, of, sums.type, given.type(), at, [&](const int_list& i, double weight) {
                sums.add(i, weight * static_cast<double>(given[at]));
            });
        });
        sums.round_into(c.output(0, as), as);
    });
}

} // namespace ahead::aten::detail
