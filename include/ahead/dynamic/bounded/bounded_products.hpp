// SPDX-License-Identifier: MIT
// Products, convolutions and attention over fewer rows, matrices or images than at the bound. Called by
// bounded_rules.hpp.
// Law: packed weights are read as they were packed for the bound.
#pragma once
#include <ahead/device/convolution.hpp>
#include <ahead/device/product/attention.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/quantised/quantized_convolution.hpp>
#include <ahead/dynamic/bounded/bounded_calls.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether the epilogue of a product or a convolution reads either as many elements as there are results, following the
/// symbol like these, or elements that are the same for all places. r0: its first operand.
constexpr bool has_bounded_epilogue(const call_at_sizes& c, int r0, int end) {
    const auto step = c.step_of(c.result(), c.result_type());
    bool ok = true;
    for (int i = r0; i < end && c.is_tensor(i); ++i)
        ok = ok && (c.follows(i) ? c.is_prefix(i) && c.step_of(c.given(i), c.type(i)) == step
                                 : element_count(c.type(i)) < element_count(c.result_type()));
    return ok;
}

/// Fewer rows, columns or terms of a product of a and b, whose last dims are those of the product.
constexpr bounded_call bounded_product(const device::matmul_key& key, const bounded_value& a, const bounded_value& b,
                                       int first) {
    const bool columns = b.follows_in(first + 1), terms = a.follows_in(first + 1);
    if (terms != b.follows_in(first) || (columns && terms) || (a.follows() && b.follows() && a.each != b.each))
        return {};
    if ((columns || terms) && (!is_floating(key.type) || is_half(key.type) || key.packed)) return {};
    if (terms && key.b_col != 1) return {};
    return {.how = bounded_call::way::dynamic,
            .in = columns ? kernels::dynamic_extent::columns
                  : terms ? kernels::dynamic_extent::terms
                          : kernels::dynamic_extent::rows,
            .rows = a.follows_in(first) ? a.each : 0,
            .columns = columns ? b.each : 0,
            .terms = terms ? b.each : 0};
}

/// The first rows of a product: those of a, and of the epilogue's operands. Fewer columns or terms only without a bias
/// and an epilogue.
constexpr bounded_call bounded_matmul(const call_at_sizes& c) {
    using call = device::matmul::at;
    if (!c.has_sound_values(2) || !c.has_equal_numbers(call::n)) return {};
    const auto key = c.key<device::matmul>();
    const auto a = c.given(call::a), b = c.given(call::b), out = c.result();
    const auto made = bounded_product(key, a, b, 0);
    const auto rank = c.result_type().rank;
    bool ok = made.how == bounded_call::way::dynamic && is_contiguous(c.result_type());
    if (made.in != kernels::dynamic_extent::rows) {
        ok = ok && !key.bias && !c.is_tensor(call::r0) && !c.is_given(call::program) &&
             c.result_type().size(rank - 1) == key.n && out.follows_in(rank - 1) == (made.columns > 0) &&
             out.dims == (made.columns > 0) + (made.rows > 0);
        if (ok && made.rows > 0) ok = out.each == a.each && c.result_type().stride(out.dim) == key.n;
        return ok ? made : c.refuse("a product whose rows follow the symbol, or one by itself", print(c.result_type()));
    }
    ok = ok && c.has_equal_numbers() && c.are_results_prefixes() && c.step_of(out, c.result_type()) == a.each * key.n;
    if (ok && c.follows(call::bias))
        ok = c.given(call::bias).dim == c.type(call::bias).rank - 2 && c.given(call::bias).each == a.each;
    if (!ok || !has_bounded_epilogue(c, call::r0, call::program))
        return c.refuse("a product whose rows follow the symbol", print(c.result_type()));
    return made;
}

/// Fewer matrices, or lists of them; or fewer rows of each, and fewer columns or terms.
constexpr bounded_call bounded_batch_matmul(const call_at_sizes& c) {
    using call = device::batch_matmul::at;
    if (!c.has_sound_values(2) || !c.has_equal_numbers()) return {};
    const auto a = c.given(call::a), b = c.given(call::b);
    const auto key = c.key<device::batch_matmul>().product;
    if (a.follows_in(0) && b.follows_in(0) && a.dims == 1 && b.dims == 1 && a.each == b.each &&
        c.are_results_prefixes())
        return c.pieces();
    const int rows = c.type(call::a).rank - 2;
    const auto made = bounded_product(key, a, b, rows);
    if ((a.follows_in(1) && rows > 1) || c.is_tensor(call::bias)) // of each list; a row has its own bias
        return c.refuse("lists of as many matrices at each size", print(c.result_type()));
    if (made.how != bounded_call::way::dynamic || a.follows_in(0) || b.follows_in(0))
        return c.refuse("matrices, rows, columns or terms that follow the symbol", print(c.result_type()));
    return made;
}

/// Fewer images, one at a time; fewer rows if an image is a row of a product.
constexpr bounded_call bounded_convolution(const call_at_sizes& c) {
    using call = device::convolution::at;
    const auto key = c.key<device::convolution>();
    const auto x = c.given(call::x);
    bool ok =
        c.follows(call::x) && x.dim == 0 && x.has_fixed_strides && c.are_results_prefixes() && c.result().dim == 0;
    for (const int i : {call::packed, call::bias}) ok = ok && !c.follows(i);
    if (!ok || !has_bounded_epilogue(c, call::r0, call::program))
        return c.refuse("images that follow the symbol", print(c.result_type()));
    const auto algorithm = device::algorithm_of(device::with_rows_merged(key));
    if (algorithm == device::convolution_algorithm::product) return {.how = bounded_call::way::dynamic, .rows = x.each};
    auto one = key;
    one.batch = x.each;
    if (algorithm != device::algorithm_of(device::with_rows_merged(one)) ||
        device::packed_elements(key) != device::packed_elements(one))
        return c.refuse("weights that are packed alike for one image", print(c.result_type()));
    return c.pieces();
}

/// Whether x, alone among the operands, and the result follow the symbol in their outermost dim.
constexpr bool follows_in_x_alone(const call_at_sizes& c, int operands) {
    const auto x = c.given(0);
    bool ok = c.follows(0) && x.dim == 0 && c.is_prefix(0) && c.are_results_prefixes() && c.result().dim == 0;
    for (int i = 1; i < operands; ++i) ok = ok && !c.follows(i);
    if (!ok) static_cast<void>(c.refuse("rows or images that follow the symbol", print(c.result_type())));
    return ok;
}
constexpr bounded_call bounded_quantized_matmul(const call_at_sizes& c) {
    if (!follows_in_x_alone(c, device::quantized_matmul::at::n)) return {};
    return {.how = bounded_call::way::dynamic, .rows = c.given(0).each};
}
constexpr bounded_call bounded_quantized_convolution(const call_at_sizes& c) {
    return follows_in_x_alone(c, device::quantized_convolution::at::weight) ? c.pieces() : bounded_call{};
}

/// Fewer matrices, each with its mask at the bound.
constexpr bool is_of_fewer_matrices(const call_at_sizes& c, const device::attention_key& key) {
    using call = device::attention::at;
    const auto each = c.given(call::q).each;
    const auto& mask = key.mask;
    bool ok = c.are_results_prefixes();
    for (const int i : {call::q, call::k, call::v})
        ok = ok && c.given(i).follows_in(0) && c.given(i).dims == 1 && c.given(i).each == each;
    const auto matrices = each * (key.scores.inner > 0 ? key.scores.inner : 1); // for each place
    if (!c.follows(call::mask)) return ok && (mask.step == 0 || matrices % (mask.every * mask.cycle) == 0);
    return ok && c.given(call::mask).dims == 1 && mask.every * mask.cycle == key.scores.batch &&
           matrices % mask.every == 0 &&
           c.step_of(c.given(call::mask), c.type(call::mask)) == matrices / mask.every * mask.step;
}
/// Fewer matrices; or fewer queries of each, fewer keys, or both.
constexpr bounded_call bounded_attention(const call_at_sizes& c) {
    using call = device::attention::at;
    if (!c.has_sound_values(2) || !c.has_equal_numbers(call::mask_reading)) return {};
    const auto key = c.key<device::attention>();
    if (is_of_fewer_matrices(c, key)) return c.pieces();
    const auto q = c.given(call::q), k = c.given(call::k), v = c.given(call::v);
    const int first = c.type(call::q).rank - 2; // the dim of rows
    const bool rows = q.follows_in(first), keys = k.follows_in(first + 1);
    const auto one = device::packed_once(key.scores.product);
    bool ok = q.dims == rows && k.dims == keys && v.dims == keys && v.follows_in(first) == keys && k.each == v.each &&
              key.values.product.b_col == 1 && !(one.packed && device::is_dot_product(one));
    if (key.mask.given) {
        const auto mask = c.given(call::mask);
        const int rank = c.type(call::mask).rank;
        ok = ok && (key.mask.column == 0 || mask.follows_in(rank - 1) == keys) &&
             (key.mask.row == 0 || mask.follows_in(rank - 2) == rows) &&
             mask.dims == mask.follows_in(rank - 1) + mask.follows_in(rank - 2);
    }
    if (!ok) return c.refuse("matrices, queries or keys that follow the symbol", print(c.result_type()));
    return {.how = bounded_call::way::dynamic,
            .in = kernels::dynamic_extent::columns,
            .rows = rows ? q.each : 0,
            .columns = keys ? k.each : 0};
}

} // namespace ahead::detail
