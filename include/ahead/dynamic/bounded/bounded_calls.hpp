// SPDX-License-Identifier: MIT
// A call at the bound and at one size less, with the queries that the rules of device operators (device/bounded.hpp)
// use.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/dynamic/bounded/bounded_values.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::detail {

using device::bounded_call;

/// A piece with fewer elements than this is worth a larger piece size in addition.
inline constexpr std::int64_t worthwhile_piece = 256;
constexpr std::int64_t size_of_level(std::int32_t level) { return std::int64_t{1} << 4 * level; }

/// One call, in both graphs.
class call_at_sizes {
public:
    const size_pair& of;
    node_id id;
    op_table ops;
    diagnosis& d;

    constexpr const node& own() const { return of.full[id]; }
    constexpr bool is(std::string_view name) const { return same_name(own().target, name); }
    constexpr const op_row& row() const { return ops[static_cast<std::size_t>(own().op.index)]; }
    constexpr const argument& at(std::int32_t i) const { return of.full.argument_of(own(), i); }
    constexpr std::int32_t arguments() const { return own().arguments.count; }
    constexpr std::int32_t results() const { return own().values.count; }
    constexpr bool is_given(std::int32_t i) const { return i < arguments() && at(i).kind != argument_kind::none; }
    constexpr bool is_tensor(std::int32_t i) const { return i < arguments() && at(i).kind == argument_kind::node; }
    constexpr bounded_value given(const argument& a) const {
        return compare_values(of, of.full.value_of(a), of.less.value_of(of.in_less(a)));
    }
    constexpr bounded_value given(std::int32_t i) const { return given(at(i)); }
    constexpr const tensor_type& type_of(const argument& a) const { return of.full.value_of(a).type; }
    constexpr const tensor_type& type(std::int32_t i) const { return type_of(at(i)); }
    constexpr bounded_value result(std::int32_t k = 0) const {
        return compare_values(of, of.full.value_of(id, k), of.less.value_of(of.in_less(id), k));
    }
    constexpr const tensor_type& result_type(std::int32_t k = 0) const { return of.full.value_of(id, k).type; }
    constexpr bool follows(std::int32_t i) const { return is_tensor(i) && given(i).follows(); }

    constexpr bounded_call refuse(const short_text& expected, const short_text& found) const {
        if (d.ok()) refuse_at(d, own(), fault::call_is_not_bounded, expected, found);
        return {};
    }
    /// Elements from one place of the symbol to the next.
    static constexpr std::int64_t step_of(const bounded_value& v, const tensor_type& t) {
        return v.each * t.stride(v.dim);
    }
    /// Whether the dims of v that follow the symbol have, in order, the same steps per place of it as those of w.
    static constexpr bool have_equal_steps(const bounded_value& v, const tensor_type& t, const bounded_value& w,
                                           const tensor_type& u) {
        for (int d = 0, e = 0; d < t.rank; ++d) {
            if (!v.follows_in(d)) continue;
            while (e < u.rank && !w.follows_in(e)) ++e;
            if (e == u.rank || v.each * t.stride(d) != w.each * u.stride(e++)) return false;
        }
        return true;
    }
    /// Whether its fewer places come first in memory, in row-major order.
    static constexpr bool is_prefix(const bounded_value& v, const tensor_type& t) {
        return v.follows() && v.has_fixed_strides && is_contiguous(t);
    }
    constexpr bool is_prefix(std::int32_t i) const { return is_prefix(given(i), type(i)); }
    constexpr bool are_results_prefixes() const {
        bool out = true;
        for (std::int32_t k = 0; k < results(); ++k) out = out && is_prefix(result(k), result_type(k));
        return out;
    }

    /// The key of Op's call at the bound, or at one size less.
    template <class Op> constexpr auto key(bool is_less = false) const {
        const auto g = is_less ? of.less : of.full;
        const auto call = is_less ? of.in_less(id) : id;
        return Op::key(typed_call(g, call, row(), d));
    }
    /// Pieces, where each place has the given number of elements.
    constexpr bounded_call pieces(std::int64_t elements) const {
        bounded_call out{bounded_call::way::pieces};
        while (size_of_level(out.levels + 1) < of.bound && size_of_level(out.levels) * elements < worthwhile_piece)
            ++out.levels;
        return out;
    }
    constexpr bounded_call pieces() const { return pieces(element_count(result_type()) / of.bound); }

    /// Whether any of its tensors follows the symbol.
    constexpr bool follows() const {
        bool out = false;
        for (std::int32_t k = 0; k < results(); ++k) out = out || result(k).follows();
        for_each_operand(of.full, own().arguments, [&](const argument& a) { out = out || given(a).follows(); });
        return out;
    }
    /// Whether an operand is a view that begins at another element at each size.
    constexpr bool reads_moved_views() const {
        bool out = false;
        for_each_operand(of.full, own().arguments, [&](const argument& a) { out = out || given(a).moved != 0; });
        return out;
    }
    /// Whether each of its tensors has at most `most` dims that follow the symbol, in proportion.
    constexpr bool has_sound_values(int most = 1) const {
        bool out = true;
        const auto look = [&](const bounded_value& v, const tensor_type& t) {
            if (!out || (v.is_in_proportion && v.dims <= most)) return;
            out = false;
            refuse(!v.is_in_proportion ? "sizes in proportion to the symbol" : "one dim that follows the symbol",
                   print(t));
        };
        for (std::int32_t k = 0; k < results(); ++k) look(result(k), result_type(k));
        for_each_operand(of.full, own().arguments, [&](const argument& a) { look(given(a), type_of(a)); });
        return out;
    }
    /// Whether each operand that is a view follows the symbol like the value that it is a view of: with the same
    /// distance between places.
    constexpr bool has_sound_views() const {
        bool out = true;
        for_each_operand(of.full, own().arguments, [&](const argument& a) {
            const auto &full = of.full.value_of(a), &less = of.less.value_of(of.in_less(a));
            if (!out || full.kind != value_kind::tensor) return;
            const auto& whole = of.full[full.storage];
            const auto from = compare_values(of, whole, of.less[less.storage]), to = given(a);
            if (!from.follows() || !to.follows() || !to.is_in_proportion) return;
            out = from.dims == to.dims && have_equal_steps(from, whole.type, to, full.type) &&
                  (from.each == to.each || (from.has_fixed_strides && to.has_fixed_strides));
            if (!out) refuse("a view that leaves the bounded dim by itself", print(full.type, true));
        });
        return out;
    }
    /// Whether at most one dim of each tensor follows the symbol, in proportion, and its numbers, except those of
    /// argument `except`, are the same at each size.
    constexpr bool is_sound(std::int32_t except = -1) const { return has_sound_values() && has_equal_numbers(except); }
    /// Whether its numbers, except those of argument `except`, are the same at each size.
    constexpr bool has_equal_numbers(std::int32_t except = -1) const {
        const auto equal = [&](const argument& a, const argument& b, const auto& self) -> bool {
            bool out = a.kind == argument_kind::node || (a.bits == b.bits && a.text == b.text);
            for (std::int32_t k = 0; k < a.children.count; ++k)
                out = out && self(of.full[a.children[k]], of.less[b.children[k]], self);
            return out;
        };
        for (std::int32_t i = 0; i < arguments(); ++i) {
            const bool ok = i == except || equal(at(i), of.in_less(at(i)), equal);
            if (!ok)
                return refuse("numbers that do not depend on the size", short_text("others in argument ") << i), false;
        }
        return true;
    }
};

} // namespace ahead::detail
