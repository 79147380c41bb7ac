// SPDX-License-Identifier: MIT
// Which calls support a bounded dim, and how they are computed for fewer places of it: a rule for each family of
// kernels.
// Law: memory after the given places is never read, and elements do not depend on the number of places, except through
// the order of a product's sums. A call for which no rule guarantees this is refused (call_is_not_bounded).
// Called by bounded_program.hpp.
#pragma once
#include <ahead/device/arg_reduce.hpp>
#include <ahead/device/average_pool2d.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/cumulate.hpp>
#include <ahead/device/device_ops.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/fused_rows.hpp>
#include <ahead/device/index/gather.hpp>
#include <ahead/device/index/index_select.hpp>
#include <ahead/device/index/sort.hpp>
#include <ahead/device/layer_norm.hpp>
#include <ahead/device/max_pool2d.hpp>
#include <ahead/device/pack_convolution.hpp>
#include <ahead/device/pad.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/device/product/recurrent.hpp>
#include <ahead/device/reduce.hpp>
#include <ahead/device/resize.hpp>
#include <ahead/device/softmax.hpp>
#include <ahead/dynamic/bounded/bounded_calls.hpp>
#include <ahead/dynamic/bounded/bounded_products.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A loop over strided tensors, whose dims are counted from the last: each follows the symbol in the same dims as the
/// result, or is the same at all places.
constexpr bounded_call bounded_loop(const call_at_sizes& c) {
    const auto out = c.result();
    bool ok = out.follows();
    for (std::int32_t k = 1; k < c.results(); ++k)
        ok = ok && c.result(k).dim == out.dim && c.result(k).each == out.each;
    for_each_operand(c.of.full, c.own().arguments, [&](const argument& a) {
        const auto own = c.given(a);
        const int dim = out.dim - (c.result_type().rank - c.type_of(a).rank);
        if (own.follows()) ok = ok && own.dim == dim && own.each == out.each;
        else ok = ok && (dim < 0 || c.type_of(a).size(dim) == 1);
    });
    return ok ? c.pieces() : c.refuse("operands that follow the symbol where the result does", print(c.result_type()));
}

/// count(key) is the outermost extent of tensor x and of the results in Op's key: a piece has less of it.
template <class Op> constexpr bounded_call bounded_count(const call_at_sizes& c, int x, auto count) {
    auto full = c.template key<Op>();
    const auto less = c.template key<Op>(true);
    bool ok = c.follows(x) && c.is_prefix(x) && c.are_results_prefixes();
    const auto each = count(full) - count(less);
    ok = ok && each * c.of.bound == count(full);
    count(full) = count(less);
    ok = ok && full == less;
    for (std::int32_t i = 0; i < c.arguments(); ++i) ok = ok && (i == x || !c.follows(i));
    return ok ? c.pieces(element_count(c.type(x)) / c.of.bound)
              : c.refuse("a bounded dim outside of what one step computes", print(c.result_type()));
}

/// An operand that is read repeatedly is repeated within the rows of each place.
constexpr bounded_call bounded_fused_rows(const call_at_sizes& c) {
    using call = device::fused_rows;
    const auto full = c.key<call>(), less = c.key<call>(true);
    const auto each = full.rows - less.rows;
    bool ok = each * c.of.bound == full.rows && full.count == less.count;
    for (std::int32_t k = 0; ok && k < full.operands; ++k) {
        const auto rows = full.read.data()[k].rows;
        const auto i = call::at::a0 + k;
        ok = c.follows(i) ? c.is_prefix(i) && rows == full.rows
                          : rows > 0 && each % rows == 0 && less.read.data()[k].rows == rows;
    }
    if (!ok || !c.are_results_prefixes())
        return c.refuse("rows that follow the symbol, one behind the other", print(c.result_type()));
    return c.pieces(each * full.count);
}

/// Fewer steps; the states before the first and after the last one are whole.
constexpr bounded_call bounded_recurrent(const call_at_sizes& c) {
    using call = device::recurrent::at;
    bool ok = c.follows(call::x) && c.given(call::x).dim == 0 && c.is_prefix(call::x) &&
              c.is_prefix(c.result(), c.result_type());
    for (int i = call::weight; i <= call::projection; ++i) ok = ok && !c.follows(i);
    if (!ok) return c.refuse("steps that follow the symbol, and nothing else", print(c.result_type()));
    return {.how = bounded_call::way::dynamic, .rows = c.given(call::x).each};
}

/// Fewer rows; or fewer elements of each.
constexpr bounded_call bounded_softmax(const call_at_sizes& c) {
    using call = device::softmax::at;
    const auto x = c.given(call::x);
    const auto key = c.key<device::softmax>();
    if (x.follows() && !x.follows_in(c.type(call::x).rank - 1))
        return c.has_equal_numbers()
                   ? bounded_count<device::softmax>(c, call::x, [](auto& k) -> auto& { return k.rows; })
                   : bounded_call{};
    if (!x.follows() || !c.has_equal_numbers(call::count) || key.count != x.each * c.of.bound || is_half(key.type))
        return c.refuse("rows, or elements of each, that follow the symbol", print(c.result_type()));
    return {.how = bounded_call::way::dynamic, .in = kernels::dynamic_extent::columns, .columns = x.each};
}

/// Fewer of the outermost dim that is kept; or fewer of a dim that is reduced.
constexpr bounded_call bounded_reduce(const call_at_sizes& c) {
    using call = device::reduce::at;
    const auto x = c.given(call::x);
    const auto is_reduced = [&](int d) {
        for (std::int32_t k = 0; k < c.at(call::dims).children.count; ++k)
            if (c.of.full[c.at(call::dims).children[k]].integer() == d) return true;
        return false;
    };
    if (!is_reduced(x.dim))
        return c.are_results_prefixes()
                   ? c.pieces(element_count(c.type(call::x)) / c.of.bound)
                   : c.refuse("a bounded dim that is kept, outermost in the result", print(c.result_type()));
    if (is_f8(c.type(call::x).type) || is_half(c.type(call::x).type))
        return c.refuse("a bounded dim that is kept, or f32 or f64", print(c.type(call::x)));
    bounded_call out{.how = bounded_call::way::dynamic, .in = kernels::dynamic_extent::terms, .terms = x.each};
    for (int d = 0; d < x.dim; ++d) out.dim += is_reduced(d);
    return out;
}

/// Parts follow the symbol in the same dim as the result, which is not the dim along which they are joined.
constexpr bounded_call bounded_concat(const call_at_sizes& c) {
    using call = device::concat::at;
    const auto axis = c.at(call::dim).integer();
    bool ok = c.result().follows() && c.result().dim != axis;
    for_each_operand(c.of.full, c.own().arguments, [&](const argument& a) {
        const auto own = c.given(a);
        ok = ok && own.each == c.result().each &&
             own.dim + (c.at(call::new_dim).boolean() && own.dim >= axis) == c.result().dim;
    });
    return ok ? c.pieces() : c.refuse("a bounded dim that is not the one joined", print(c.result_type()));
}

/// Indices follow the symbol in the same dims as the result; self does, too, or does not follow it at all.
constexpr bounded_call bounded_gather(const call_at_sizes& c) {
    using call = device::gather::at;
    const auto out = c.result();
    bool ok = out.follows();
    for (int i = call::index; i <= call::index_3; ++i)
        if (c.is_tensor(i)) ok = ok && c.follows(i) && c.given(i).dim == out.dim && c.given(i).each == out.each;
    const auto step = ok ? c.of.full[c.at(call::stride).children[out.dim]].integer() : 0;
    if (ok && c.follows(call::self)) {
        const auto self = c.given(call::self);
        ok = self.each == out.each && step == c.type(call::self).stride(self.dim);
        for (std::int32_t k = 0; k < c.at(call::dims).children.count; ++k)
            ok = ok && c.of.full[c.at(call::dims).children[k]].integer() != self.dim;
    } else {
        ok = ok && step == 0;
    }
    return ok ? c.pieces() : c.refuse("indices that follow the symbol where the result does", print(c.result_type()));
}

constexpr bounded_call bounded_pad(const call_at_sizes& c) {
    using call = device::pad::at;
    const auto x = c.given(call::x);
    bool ok = x.follows() && x.dim == c.result().dim && c.are_results_prefixes();
    for (const int side : {call::before, call::after}) ok = ok && c.of.full[c.at(side).children[x.dim]].integer() == 0;
    return ok ? c.pieces() : c.refuse("a bounded dim that does not grow, outermost", print(c.result_type()));
}

/// A constant that has the same elements at each size, up to that size: it is prepared for the bound, and read in part.
constexpr bool is_part_of_constant(const call_at_sizes& c) {
    const auto is = [&](std::string_view name) { return c.is(name); };
    if (is("aten.full.default") || is("aten.ones.default") || is("aten.zeros.default") || is("aten.arange.default"))
        return c.has_equal_numbers(0);
    if (is("aten.arange.start") || is("aten.arange.start_step")) return c.has_equal_numbers(1);
    if (is("aten.triu.default") || is("aten.tril.default"))
        return c.has_equal_numbers() && c.given(0).where == c.result().where;
    bool ok = (c.row().effect.is_elementwise_device_op || c.is(device::fused::name) || c.is(device::cast::name)) &&
              c.has_equal_numbers();
    for_each_operand(c.of.full, c.own().arguments, [&](const argument& a) {
        const auto own = c.given(a);
        const int shift = c.result_type().rank - c.type_of(a).rank;
        for (int d = 0; d < c.type_of(a).rank; ++d)
            ok = ok && (own.follows_in(d) == c.result().follows_in(d + shift) || c.type_of(a).size(d) == 1);
    });
    return ok;
}

/// How the call is computed for fewer places. Refuses a call for which this is not known.
constexpr bounded_call rule_of_call(const call_at_sizes& c) {
    namespace op = device;
    const auto rows = [](auto& key) -> auto& { return key.rows; };
    const auto planes = [](auto& key) -> auto& { return key.planes; };
    const auto outer = [](auto& key) -> auto& { return key.outer; };
    const auto count = [](auto& key) -> auto& { return key.count; };
    if (c.is(op::pack_matmul::name) || c.is(op::pack_convolution::name) || c.is(op::pack_quantized::name) ||
        c.is(op::pack_filters::name))
        return {}; // as for the bound
    if (!c.has_sound_views()) return {};
    if (!c.follows()) { // whole, but operands may begin elsewhere
        static_cast<void>(c.has_sound_values() && c.has_equal_numbers());
        return {};
    }
    if (c.own().kind == node_kind::output || (c.own().constant && c.result().dims > 1)) {
        if (!c.has_sound_values(max_rank) || c.own().kind == node_kind::output || is_part_of_constant(c)) return {};
        return c.refuse("a constant whose elements do not depend on the size", print(c.result_type()));
    }
    if (c.own().constant && is_part_of_constant(c)) return {};
    if (c.is(op::attention::name)) return bounded_attention(c);
    if (c.is(op::batch_matmul::name)) return bounded_batch_matmul(c);
    if (c.is(op::matmul::name)) return bounded_matmul(c);
    if (!c.has_sound_values()) return {};
    if (c.is(op::softmax::name)) return bounded_softmax(c);
    if (!c.has_equal_numbers(c.is(op::fused_rows::name) ? int{op::fused_rows::at::rows} : -1)) return {};
    if (c.row().effect.is_elementwise_device_op || c.is(op::fused::name) || c.is(op::cast::name) ||
        c.is(op::copy::name))
        return bounded_loop(c);
    if (c.is(op::convolution::name)) return bounded_convolution(c);
    if (c.is(op::quantized_matmul::name)) return bounded_quantized_matmul(c);
    if (c.is(op::quantized_convolution::name)) return bounded_quantized_convolution(c);
    if (c.is(op::fused_rows::name)) return bounded_fused_rows(c);
    if (c.is(op::layer_norm::name)) return bounded_count<op::layer_norm>(c, op::layer_norm::at::x, rows);
    if (c.is(op::max_pool2d::name)) return bounded_count<op::max_pool2d>(c, op::max_pool2d::at::x, planes);
    if (c.is(op::average_pool2d::name)) return bounded_count<op::average_pool2d>(c, op::average_pool2d::at::x, planes);
    if (c.is(op::resize::name)) return bounded_count<op::resize>(c, op::resize::at::x, outer);
    if (c.is(op::arg_reduce::name)) return bounded_count<op::arg_reduce>(c, op::arg_reduce::at::x, outer);
    if (c.is(op::cumulate::name)) return bounded_count<op::cumulate>(c, op::cumulate::at::x, outer);
    if (c.is(op::sort::name)) return bounded_count<op::sort>(c, op::sort::at::x, outer);
    if (c.is(op::index_select::name))
        return c.follows(op::index_select::at::index)
                   ? bounded_count<op::index_select>(c, op::index_select::at::index, count)
                   : bounded_count<op::index_select>(c, op::index_select::at::self, outer);
    if (c.is(op::recurrent::name)) return bounded_recurrent(c);
    if (c.is(op::reduce::name)) return bounded_reduce(c);
    if (c.is(op::concat::name)) return bounded_concat(c);
    if (c.is(op::gather::name)) return bounded_gather(c);
    if (c.is(op::pad::name)) return bounded_pad(c);
    return c.refuse("a call that knows bounded dims, or one that reads none", c.own().target);
}

} // namespace ahead::detail
