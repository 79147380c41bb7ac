// SPDX-License-Identifier: MIT
// How each call of a device graph is computed for fewer places of a bounded dim: whole, where nothing of it follows the
// symbol; a piece after the other, each the call of a smaller key further on in memory; or as one call of fewer rows.
// Law: what lies behind the given places is never read, and no element hangs on how many there are, but by the order
// of a product's sums. A call for which that is not known here is refused (call_is_not_bounded).
// Called by bounded_program.hpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/program/bounded/bounded_values.hpp>
#include <ahead/target/device_ops.hpp>
#include <ahead/target/op/average_pool2d.hpp>
#include <ahead/target/op/cast.hpp>
#include <ahead/target/op/convolution.hpp>
#include <ahead/target/op/copy.hpp>
#include <ahead/target/op/fused.hpp>
#include <ahead/target/op/fused_rows.hpp>
#include <ahead/target/op/index/index_select.hpp>
#include <ahead/target/op/layer_norm.hpp>
#include <ahead/target/op/max_pool2d.hpp>
#include <ahead/target/op/product/attention.hpp>
#include <ahead/target/op/product/batch_matmul.hpp>
#include <ahead/target/op/product/matmul.hpp>
#include <ahead/target/op/reduce.hpp>
#include <ahead/target/op/softmax.hpp>

namespace AHEAD_NAMESPACE::detail {

struct bounded_call {
    enum class way : std::uint8_t { whole, pieces, rows };
    way how = way::whole;
    std::int32_t levels = 0;   // pieces: the largest is of 16^levels places of the symbol
    std::int64_t rows = 0;     // rows: for each of the symbol's
    friend constexpr bool operator==(const bounded_call&, const bounded_call&) = default;
};

/// Pieces of a loop over so few elements are worth a larger one beside them.
inline constexpr std::int64_t worthwhile_piece = 256;
constexpr std::int64_t size_of_level(std::int32_t level) { return std::int64_t{1} << 4 * level; }

class call_bounder {
public:
    constexpr call_bounder(const size_pair& of, array_view<const bounded_value> values, op_table ops, diagnosis& d)
        : of_(of), values_(values), ops_(ops), d_(d) {}

    constexpr bounded_call find(node_id id) {
        id_ = id;
        const auto& n = node_of();
        if (!touches()) return {};
        if (!has_sound_values() || !has_equal_numbers()) return {};
        const auto is = [&](std::string_view name) { return same_name(n.target, name); };
        if (is(device::view::name)) return check_view();
        if (ops_[static_cast<std::size_t>(n.op.index)].effect.is_step || is(device::fused::name) ||
            is(device::cast::name) || is(device::copy::name))
            return loop();
        if (is(device::matmul::name)) return matmul();
        if (is(device::fused_rows::name)) return fused_rows();
        if (is(device::softmax::name)) return rows<device::softmax>(device::softmax::at::x, device::softmax::at::count);
        if (is(device::layer_norm::name))
            return rows<device::layer_norm>(device::layer_norm::at::x, device::layer_norm::at::count);
        return refuse("a call that knows bounded dims, or one that reads none", n.target);
    }

private:
    const size_pair& of_;
    array_view<const bounded_value> values_;
    op_table ops_;
    diagnosis& d_;
    node_id id_{};

    constexpr const node& node_of() const { return of_.full[id_]; }
    constexpr const argument& at(std::int32_t i) const { return of_.full.argument_of(node_of(), i); }
    constexpr bool is_tensor(std::int32_t i) const {
        return i < node_of().arguments.count && at(i).kind == argument_kind::node;
    }
    constexpr const bounded_value& value_at(std::int32_t index) const {
        return values_.data()[static_cast<std::size_t>(index)];
    }
    constexpr const bounded_value& given(const argument& a) const {
        return value_at(of_.full[a.node()].values.first + a.result);
    }
    constexpr const tensor_type& type_of(const argument& a) const { return of_.full.value_of(a).type; }
    constexpr const bounded_value& result(std::int32_t k = 0) const { return value_at(node_of().values.first + k); }
    constexpr const tensor_type& result_type(std::int32_t k = 0) const { return of_.full.value_of(id_, k).type; }

    constexpr bounded_call refuse(short_text expected, short_text found) {
        if (d_.ok()) refuse_at(d_, node_of(), fault::call_is_not_bounded, expected, found);
        return {};
    }
    /// Elements from one place of the symbol's to the next.
    static constexpr std::int64_t step_of(const bounded_value& v, const tensor_type& t) {
        return v.each * t.stride(v.dim);
    }

    constexpr bool touches() const {
        bool out = false;
        for (std::int32_t k = 0; k < node_of().values.count; ++k) out = out || result(k).follows();
        for_each_operand(of_.full, node_of().arguments, [&](const argument& a) {
            out = out || given(a).follows() || given(a).moved != 0;
        });
        return out;
    }
    constexpr bool is_sound(const bounded_value& v, const tensor_type& t) {
        if (!v.is_in_proportion)
            return refuse("sizes in proportion to the symbol", print(t)), false;
        return v.dims <= 1 || (refuse("one dim that follows the symbol", print(t)), false);
    }
    constexpr bool has_sound_values() {
        bool out = true;
        for (std::int32_t k = 0; k < node_of().values.count; ++k) out = out && is_sound(result(k), result_type(k));
        for_each_operand(of_.full, node_of().arguments,
                         [&](const argument& a) { out = out && is_sound(given(a), type_of(a)); });
        return out;
    }
    /// Whether its numbers are the same at each size. How many rows a fused loop has is looked at there.
    constexpr bool has_equal_numbers() {
        const auto& n = node_of();
        const auto equal = [&](const argument& a, const argument& b) {
            return a.kind == argument_kind::node || (a.bits == b.bits && a.text == b.text);
        };
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            if (i == device::fused_rows::at::rows && same_name(n.target, device::fused_rows::name)) continue;
            const auto &a = at(i), &b = of_.less.argument_of(of_.less[id_], i);
            bool ok = equal(a, b);
            for (std::int32_t k = 0; k < a.children.count; ++k)
                ok = ok && equal(of_.full[a.children[k]], of_.less[b.children[k]]);
            if (!ok) return refuse("numbers that hang on no size", short_text("others in argument ") << i), false;
        }
        return true;
    }
    /// The key of Op's call in one of the graphs.
    template <class Op> constexpr auto key_in(graph_view g) {
        bound_arguments bound;
        bind_typed(g, id_, ops_[static_cast<std::size_t>(node_of().op.index)], bound);
        return Op::key(call_view(g, id_, bound, d_));
    }
    constexpr bounded_call pieces(std::int64_t elements) const {
        bounded_call out{bounded_call::way::pieces};
        while (size_of_level(out.levels + 1) < of_.bound && size_of_level(out.levels) * elements < worthwhile_piece)
            ++out.levels;
        return out;
    }
    /// Whether fewer places of it are what lies first in memory, in row-major order.
    constexpr bool is_prefix(const bounded_value& v, const tensor_type& t) const {
        return v.follows() && v.has_fixed_strides && is_contiguous(t);
    }

    /// The same bytes under another type: places of the symbol's lie as far apart as before.
    constexpr bounded_call check_view() {
        const auto &from = given(at(0)), &to = result();
        if (!from.follows() || !to.follows()) return {};
        const bool keeps_dim = from.each == to.each;
        if (step_of(from, type_of(at(0))) == step_of(to, result_type()) &&
            (keeps_dim || (from.has_fixed_strides && to.has_fixed_strides)))
            return {};
        return refuse("a view that leaves the bounded dim by itself", print(result_type(), true));
    }
    /// Of strided tensors, the operands' dims counted from the last: each follows where the result does, or is the same
    /// at all places.
    constexpr bounded_call loop() {
        const auto& out = result();
        const auto& type = result_type();
        bool ok = out.follows();
        for (std::int32_t k = 1; k < node_of().values.count; ++k)
            ok = ok && result(k).dim == out.dim && result(k).each == out.each;
        for_each_operand(of_.full, node_of().arguments, [&](const argument& a) {
            const auto& own = given(a);
            const int dim = out.dim - (type.rank - type_of(a).rank);
            if (own.follows()) ok = ok && own.dim == dim && own.each == out.each;
            else ok = ok && (dim < 0 || type_of(a).size(dim) == 1);
        });
        if (!ok) return refuse("operands that follow the symbol where the result does", print(type));
        return pieces(element_count(type) / of_.bound);
    }
    /// The first rows of a product: those of a, and of what follows it.
    constexpr bounded_call matmul() {
        using call = device::matmul::at;
        const auto& a = given(at(call::a));
        bool ok = a.dim == 0 && !given(at(call::b)).follows();
        const auto full = key_in<device::matmul>(of_.full);
        const auto row = a.each * full.n; // elements of the result for each place
        ok = ok && is_prefix(result(), result_type()) && step_of(result(), result_type()) == row;
        if (ok && full.bias && given(at(call::bias)).follows()) {
            const auto& bias = given(at(call::bias));
            ok = bias.dim == type_of(at(call::bias)).rank - 2 && bias.each == a.each;
        }
        for (std::int32_t i = call::r0; ok && i < call::program && is_tensor(i); ++i) {
            const auto& own = given(at(i));
            ok = own.follows() ? is_prefix(own, type_of(at(i))) && step_of(own, type_of(at(i))) == row
                               : element_count(type_of(at(i))) != full.m * full.n || full.m * full.n == 1;
        }
        if (!ok) return refuse("a product whose rows follow the symbol", print(result_type()));
        return {bounded_call::way::rows, 0, a.each};
    }
    /// Rows of `count` elements of tensor x, and of the results: a piece has those of its places.
    template <class Op> constexpr bounded_call rows(int x, int) {
        auto full = key_in<Op>(of_.full);
        const auto less = key_in<Op>(of_.less);
        const auto each = full.rows - less.rows;
        bool ok = is_prefix(given(at(x)), type_of(at(x))) && each * of_.bound == full.rows;
        full.rows = less.rows;
        ok = ok && full == less;
        for (std::int32_t k = 0; k < node_of().values.count; ++k)
            ok = ok && (element_count(result_type(k)) == 0 || is_prefix(result(k), result_type(k)));
        for (std::int32_t i = 0; i < node_of().arguments.count; ++i)
            ok = ok && (i == x || !is_tensor(i) || !given(at(i)).follows());
        if (!ok) return refuse("rows that follow the symbol, one behind the other", print(result_type()));
        return pieces(each * full.count);
    }
    constexpr bounded_call fused_rows() {
        using call = device::fused_rows;
        const auto full = key_in<call>(of_.full), less = key_in<call>(of_.less);
        const auto each = full.rows - less.rows;
        bool ok = each * of_.bound == full.rows && full.count == less.count;
        for (std::int32_t k = 0; ok && k < full.operands; ++k) {
            const auto& a = at(call::at::a0 + k);
            const auto own = full.read.data()[k].rows;
            ok = given(a).follows() ? is_prefix(given(a), type_of(a)) && own == full.rows
                                    : own > 0 && each % own == 0 && less.read.data()[k].rows == own;
        }
        for (std::int32_t k = 0; ok && k < node_of().values.count; ++k) ok = is_prefix(result(k), result_type(k));
        if (!ok) return refuse("rows that follow the symbol, one behind the other", print(result_type()));
        return pieces(each * full.count);
    }
};

} // namespace ahead::detail
