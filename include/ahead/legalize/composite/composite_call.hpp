// SPDX-License-Identifier: MIT
// The interface of a composite operator's law: a call, bound to its schema, and functions that insert new calls before
// it.
//     c["self"] * c.number("margin") - c("aten.abs.default", {x})
// Invariant: every inserted call is typed; after the first refusal no call is inserted, and every type is f32[], so
// laws need not check for refusals. Called by the laws of this folder.
#pragma once
#include <ahead/ir/call_argument.hpp>
#include <ahead/legalize/composite/schema_text.hpp>

namespace AHEAD_NAMESPACE::detail {

class composite_call;

/// A tensor that a law computes with.
struct term {
    composite_call* in = nullptr;
    argument value{};

    constexpr operator call_argument() const { return value; }
    constexpr const tensor_type& type() const;
    constexpr std::int64_t size(std::int64_t dim) const;
    constexpr term call(std::string_view target, std::initializer_list<call_argument> arguments) const;

    friend constexpr term operator+(const term& x, const call_argument& y) { return x.call("aten.add.Tensor", {x, y}); }
    friend constexpr term operator-(const term& x, const call_argument& y) { return x.call("aten.sub.Tensor", {x, y}); }
    friend constexpr term operator*(const term& x, const call_argument& y) { return x.call("aten.mul.Tensor", {x, y}); }
    friend constexpr term operator/(const term& x, const call_argument& y) { return x.call("aten.div.Tensor", {x, y}); }
    friend constexpr term operator-(const term& x) { return x.call("aten.neg.default", {x}); }
};

class composite_call {
public:
    constexpr composite_call(graph whole, op_table operators, node_id call, const bound_arguments& bound,
                             array_view<const parameter> schema, diagnosis& why)
        : g(whole), ops(operators), d(why), given_(whole, call, bound, why), schema_(schema) {}

    graph g;
    op_table ops;
    diagnosis& d;

    // ---- arguments. pre: the schema has such a parameter

    constexpr int at(std::string_view name) const {
        std::size_t i = 0;
        while (!same_name(schema_[i].name, name)) ++i;
        return static_cast<int>(i);
    }
    /// Whether the schema has the parameter: for a law that several overloads share.
    constexpr bool takes(std::string_view name) const {
        for (const auto& p : schema_)
            if (same_name(p.name, name)) return true;
        return false;
    }
    constexpr bool has(std::string_view name) const { return given_.is_given(at(name)); }
    constexpr std::int64_t integer(std::string_view name) const { return given_.integer(at(name)); }
    constexpr bool boolean(std::string_view name) const { return given_.boolean(at(name)); }
    constexpr double number(std::string_view name) const { return given_.real(at(name)); }
    constexpr std::string_view text(std::string_view name) const { return given_.at(at(name)).text; }
    constexpr int_list ints(std::string_view name) const { return given_.ints(at(name)); }
    /// A tensor, a number or None, in the form that another call accepts.
    constexpr term operator[](std::string_view name) { return of(given_.at(at(name))); }
    /// Element k of a list of numbers.
    constexpr double number(std::string_view name, std::int32_t k) const {
        return call_view::to_real(given_.element(at(name), k));
    }
    constexpr std::int32_t count(std::string_view name) const { return given_.list_size(at(name)); }
    constexpr term element(std::string_view name, std::int32_t k) { return of(given_.element(at(name), k)); }
    /// A dim counted from 0, for the given rank; refused if it is out of range.
    constexpr int dim(std::string_view name, int rank) {
        const int n = rank > 0 ? rank : 1;
        const auto asked = integer(name);
        if (asked >= -n && asked < n) return wrapped_dim(asked, rank);
        refuse(fault::dimension_is_out_of_range, short_text() << "a dim from " << -n << " to " << n - 1,
               short_text() << asked);
        return 0;
    }

    // ---- inserted calls

    constexpr bool ok() const { return d.ok(); }
    constexpr const tensor_type& type_of(const argument& a) const {
        return ok() && a.kind == argument_kind::node && g.is_typed(a.node()) ? g.value_of(a).type : nothing_;
    }
    constexpr term operator()(std::string_view target, std::initializer_list<call_argument> arguments) {
        const flat_arguments all(arguments);
        return make(target, all.given.all(), all.elements.all());
    }
    constexpr term make(std::string_view target, array_view<const argument> arguments,
                        array_view<const argument> elements) {
        const auto op = find_op(ops, target);
        if (!op.exists()) refuse(fault::operator_is_unknown, registered_operator(ops, target), target);
        const auto made = ok() ? make_call(g, ops, op, arguments, elements, given_.id(), "composite", d) : node_id{};
        if (!first_.exists()) first_ = made;
        return {this, argument::of(made)};
    }
    constexpr term pick(const term& of, std::int32_t k) { return (*this)("operator.getitem", {of, k}); }
    /// An argument passed by keyword: `named("dtype", dtype::f32)`.
    static constexpr call_argument named(std::string_view name, call_argument a) {
        a.value.keyword = name;
        return a;
    }
    constexpr term converted(const term& x, dtype to) {
        return x.type().type == to ? x : (*this)("prims.convert_element_type.default", {x, to});
    }
    constexpr term full(const int_list& sizes, const call_argument& value, dtype type) {
        return (*this)("aten.full.default", {sizes, value, named("dtype", type)});
    }
    /// Sets result k of a call with `of` results.
    constexpr void give(std::int32_t k, std::int32_t of, const term& x) {
        if (several_.size() == 0) several_ = fixed_buffer<argument>(of);
        several_[k] = x.value;
    }
    constexpr term refuse(fault what, const short_text& expected, const short_text& found) {
        refuse_at(d, g[given_.id()], what, expected, found);
        return {this, argument::of(node_id{})};
    }

    constexpr const fixed_buffer<argument>& several() const { return several_; }
    constexpr node_id first() const { return first_; }
    constexpr node_id id() const { return given_.id(); }

private:
    call_view given_;
    array_view<const parameter> schema_;
    fixed_buffer<argument> several_;
    node_id first_{}; // first inserted node
    tensor_type nothing_{};

    constexpr term of(argument a) {
        a.keyword = {};
        return {this, a};
    }
};

constexpr const tensor_type& term::type() const { return in->type_of(value); }
constexpr std::int64_t term::size(std::int64_t dim) const { return type().size(wrapped_dim(dim, type().rank)); }
constexpr term term::call(std::string_view target, std::initializer_list<call_argument> arguments) const {
    return (*in)(target, arguments);
}

/// Returns the replacement of a call. The return value is not used if the call has several results, which give() set.
using composite_law = term (*)(composite_call&);

} // namespace ahead::detail
