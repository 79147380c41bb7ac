// SPDX-License-Identifier: MIT
// Products, convolutions and attention over fewer rows, matrices or images than at the bound. Called by
// bounded_rules.hpp.
// Law: packed weights are read as they were packed for the bound.
#pragma once
#include <ahead/program/bounded/bounded_calls.hpp>
#include <ahead/target/op/convolution.hpp>
#include <ahead/target/op/product/attention.hpp>
#include <ahead/target/op/product/batch_matmul.hpp>
#include <ahead/target/op/product/matmul.hpp>

namespace AHEAD_NAMESPACE::detail {

/// What follows a product or a convolution reads as many elements as there are results, which follow as these do, or
/// ones that are the same for all places. r0: the first operand of it.
constexpr bool has_bounded_epilogue(const call_at_sizes& c, int r0, int end) {
    const auto step = c.step_of(c.result(), c.result_type());
    bool ok = true;
    for (int i = r0; i < end && c.is_tensor(i); ++i)
        ok = ok && (c.follows(i) ? c.is_prefix(i) && c.step_of(c.given(i), c.type(i)) == step
                                 : element_count(c.type(i)) < element_count(c.result_type()));
    return ok;
}

/// The first rows of a product: those of a, and of what follows it.
constexpr bounded_call bounded_matmul(const call_at_sizes& c) {
    using call = device::matmul::at;
    const auto key = c.key<device::matmul>();
    const auto& a = c.given(call::a);
    bool ok = a.follows() && a.dim == 0 && !c.follows(call::b) && c.are_results_prefixes() &&
              c.step_of(c.result(), c.result_type()) == a.each * key.n;
    if (ok && c.follows(call::bias))
        ok = c.given(call::bias).dim == c.type(call::bias).rank - 2 && c.given(call::bias).each == a.each;
    if (!ok || !has_bounded_epilogue(c, call::r0, call::program))
        return c.refuse("a product whose rows follow the symbol", print(c.result_type()));
    return {bounded_call::way::rows, 0, a.each};
}

/// Fewer matrices; or fewer rows of each.
constexpr bounded_call bounded_batch_matmul(const call_at_sizes& c) {
    using call = device::batch_matmul::at;
    const auto &a = c.given(call::a), &b = c.given(call::b);
    if (a.follows() && a.dim == 1 && !b.follows()) return {bounded_call::way::rows, 0, a.each};
    if (a.follows() && b.follows() && a.dim == 0 && b.dim == 0 && a.each == b.each && c.are_results_prefixes())
        return c.pieces();
    return c.refuse("a product whose rows, or matrices, follow the symbol", print(c.result_type()));
}

/// Fewer images, one by one; where an image is a row of a product, fewer rows.
constexpr bounded_call bounded_convolution(const call_at_sizes& c) {
    using call = device::convolution::at;
    const auto key = c.key<device::convolution>();
    const auto& x = c.given(call::x);
    bool ok = c.follows(call::x) && x.dim == 0 && c.is_prefix(call::x) && c.are_results_prefixes() &&
              c.result().dim == 0;
    for (const int i : {call::packed, call::bias}) ok = ok && !c.follows(i);
    if (!ok || !has_bounded_epilogue(c, call::r0, call::program))
        return c.refuse("images that follow the symbol", print(c.result_type()));
    const auto algorithm = target::algorithm_of(target::with_rows_merged(key));
    if (algorithm == target::convolution_algorithm::product) return {bounded_call::way::rows, 0, x.each};
    auto one = key;
    one.batch = x.each;
    if (algorithm != target::algorithm_of(target::with_rows_merged(one)) ||
        target::packed_elements(key) != target::packed_elements(one))
        return c.refuse("weights that are packed alike for one image", print(c.result_type()));
    return c.pieces();
}

/// Fewer matrices, each with the mask that it has at the bound.
constexpr bounded_call bounded_attention(const call_at_sizes& c) {
    using call = device::attention::at;
    if (!c.has_sound_values()) return {};
    const auto key = c.key<device::attention>();
    const bool masked = c.follows(call::mask);
    if (!c.has_equal_numbers(masked ? int{call::mask_reading} : -1)) return {};
    const auto each = c.given(call::q).each;
    bool ok = c.are_results_prefixes();
    for (const int i : {call::q, call::k, call::v})
        ok = ok && c.follows(i) && c.given(i).dim == 0 && c.given(i).each == each;
    const auto& mask = key.mask;
    if (ok && masked)
        ok = mask.every * mask.cycle == key.scores.batch && each % mask.every == 0 &&
             c.step_of(c.given(call::mask), c.type(call::mask)) == each / mask.every * mask.step;
    else ok = ok && (mask.step == 0 || each % (mask.every * mask.cycle) == 0);
    return ok ? c.pieces() : c.refuse("matrices that follow the symbol", print(c.result_type()));
}

} // namespace ahead::detail
