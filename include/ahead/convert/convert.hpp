// SPDX-License-Identifier: MIT
// ATen graph -> device graph. Results in another value's storage are views, whatever the operator. Every other operator has a converter, a
// struct { using op = aten::mm; static constexpr bool convert(convert_context&); }, found by the operator's name; without one, the AI CPU runs
// what the device's registry holds under its ATen name, and all else is refused.
// Invariant: a converted value has the dtype, sizes and strides of the ATen value it stands for. Called by npu/compiled.hpp.
#pragma once
#include <ahead/aten/registry.hpp>
#include <ahead/ir/infer.hpp>

namespace ahead {

/// What a converter sees: the ATen call, typed, and the device graph to emit into.
class convert_context {
public:
    constexpr convert_context(const call_view& call, graph out, op_table device_ops, std::span<argument> made, std::span<bool> constant, diagnosis& d)
        : aten(call), out_(out), device_ops_(device_ops), made_(made), constant_(constant), diagnosis_(&d) {}

    call_view aten;

    /// The device value that stands for tensor parameter i. pre: aten.is_tensor(i)
    constexpr argument operand(int i) const { return operand(aten.at(i)); }
    constexpr argument operand(const argument& a) const {
        const auto id = aten.in()[a.node()].values[a.result];
        return made_[static_cast<std::size_t>(id.index)];
    }
    constexpr const tensor_type& type_of(const argument& a) const { return out_.value_of(a).type; }
    /// Whether the value depends on parameters and constants alone, so that its task runs in prepare.
    constexpr bool is_constant(const argument& a) const { return constant_[static_cast<std::size_t>(a.node().index)]; }

    /// A list as an argument of a device call.
    constexpr argument list(const int_list& values) {
        argument out{.kind = argument_kind::list};
        if (!diagnosis_->ok() || !reserve_arguments(out_, values.size, out.children, *diagnosis_)) return out;
        for (int i = 0; i < values.size; ++i) out_[out.children[i]] = argument::of(values[i]);
        return out;
    }
    /// The value in row-major order, in memory of its own unless it lies so already.
    constexpr argument contiguous(const argument& a) { return is_contiguous(type_of(a)) ? a : emit("npu.copy", std::span(&a, 1)); }

    /// Appends a device call and infers it. The result is None after a refusal; finish() reports that.
    template <class DeviceOp> constexpr argument emit(std::initializer_list<argument> arguments) {
        return emit(DeviceOp::name, std::span(arguments.begin(), arguments.size()));
    }
    constexpr argument emit(std::string_view device_op, std::span<const argument> arguments) {
        const auto& from = aten.in()[aten.id()];
        node n;
        n.op = find_op(device_ops_, device_op);
        n.target = device_op;
        n.name = from.name;
        n.from = from.from;
        n.from.made_by = "convert";
        if (!n.op.exists()) {
            refuse(fault::operator_has_no_kernel, "a registered device operator", device_op);
            return {};
        }
        node_id id;
        if (!diagnosis_->ok() || !insert_call(out_, n, arguments, {}, id, *diagnosis_)) return {};
        if (!infer_node(out_, device_ops_, id, *diagnosis_)) return {};
        bool constant = true;
        for (const auto& a : arguments) constant = constant && (a.kind != argument_kind::node || is_constant(a));
        constant_[static_cast<std::size_t>(id.index)] = constant;
        return argument::of(id);
    }
    /// Another look at the same bytes: no task.
    constexpr argument view(const argument& of, const tensor_type& type) {
        auto made = emit("npu.view", std::span(&of, 1));
        if (made.kind == argument_kind::node) out_.value_of(made).type = type;
        return made;
    }

    /// The ATen operator itself, which the AI CPU runs as its meaning says: for what no kernel does. Refuses what the device's registry does not hold.
    constexpr bool run_meaning() {
        const auto from = aten.in();
        const auto& wanted = from[aten.id()];
        node n = wanted;
        n.op = find_op(device_ops_, wanted.target);
        n.values = {};
        n.first_use = n.last_use = {};
        n.use_count = 0;
        n.from.made_by = "convert";
        if (!n.op.exists()) return refuse(fault::operator_has_no_converter, "a converter for the operator", wanted.target);
        node_id id;
        if (!reserve_arguments(out_, wanted.arguments.count, n.arguments, *diagnosis_) || !append_node(out_, n, id, *diagnosis_)) return false;
        bool constant = true;
        const auto set = [&](argument_id to, argument a) {
            if (a.kind == argument_kind::node) {
                const auto keyword = a.keyword;
                a = operand(a);
                a.keyword = keyword;
                constant = constant && is_constant(a);
            }
            set_argument(out_, to, a, id);
        };
        for (std::int32_t i = 0; i < wanted.arguments.count; ++i) {
            const auto& given = from.argument_of(wanted, i);
            auto copy = given;
            if (given.children.count > 0 && !reserve_arguments(out_, given.children.count, copy.children, *diagnosis_)) return false;
            for (std::int32_t k = 0; k < given.children.count; ++k) set(copy.children[k], from[given.children[k]]);
            set(n.arguments[i], copy);
        }
        if (!infer_node(out_, device_ops_, id, *diagnosis_)) return false;
        constant_[static_cast<std::size_t>(id.index)] = constant;
        for (std::int32_t k = 0; k < wanted.values.count; ++k)
            if (!finish(argument::of(id, k), k)) return false;
        return true;
    }

    /// `made` stands for result k of the ATen call from now on.
    constexpr bool finish(const argument& made, std::int32_t k = 0) {
        if (!diagnosis_->ok()) return false;
        const auto& wanted = aten.result_type(k);
        const auto& got = type_of(made);
        if (got.layout != memory_layout::strided || got.type != wanted.type || sizes_of(got) != sizes_of(wanted) || !same_strides(got, wanted))
            return refuse(fault::plan_is_broken, print(wanted, true), print(got, true));
        made_[static_cast<std::size_t>(aten.in()[aten.id()].values[k].index)] = made;
        return true;
    }
    constexpr bool refuse(fault what, short_text expected = {}, short_text found = {}) {
        return ahead::refuse(*diagnosis_, what, expected, found);
    }

private:
    static constexpr bool same_strides(const tensor_type& a, const tensor_type& b) {
        if (element_count(a) == 0) return true;
        for (int d = 0; d < a.rank; ++d)
            if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
        return true;
    }

    graph out_;
    op_table device_ops_;
    std::span<argument> made_;
    std::span<bool> constant_;
    diagnosis* diagnosis_;
};

using convert_function = bool (*)(convert_context&);

/// The converters a compilation uses. `with<Mine>` puts a user's before the built-in ones: the first one for an operator wins.
template <class... Converters> struct converter_list {
    template <class... More> using with = converter_list<More..., Converters...>;

    /// One function per row of the registry's table; null where an operator has no converter.
    template <class Registry> static constexpr std::array<convert_function, Registry::size> for_registry = [] {
        std::array<convert_function, Registry::size> out{};
        const auto add = [&](std::string_view name, convert_function convert) {
            const auto id = find_op(Registry::table, name);
            if (id.exists() && !out[static_cast<std::size_t>(id.index)]) out[static_cast<std::size_t>(id.index)] = convert;
        };
        (add(Converters::op::name, &Converters::convert), ...);
        return out;
    }();
};

namespace detail {
template <class... Lists> struct joined_converters;
template <class... A> struct joined_converters<converter_list<A...>> { using type = converter_list<A...>; };
template <class... A, class... B, class... Rest>
struct joined_converters<converter_list<A...>, converter_list<B...>, Rest...> : joined_converters<converter_list<A..., B...>, Rest...> {};
} // namespace detail

/// Several lists as one; earlier ones win.
template <class... Lists> using join_converters = typename detail::joined_converters<Lists...>::type;

/// How large the device graph can get. Operators with lists among their attributes may become several, each with such lists.
constexpr capacity lowered_capacity(graph_view aten, op_table ops) {
    const auto& used = aten.header().used;
    capacity out{used.nodes * 3 + 4, used.arguments * 2 + 8, used.values * 3 + 4};
    for (node_id id : aten) {
        if (!aten[id].op.exists()) continue;
        for (const auto& p : ops[static_cast<std::size_t>(aten[id].op.index)].schema)
            if (p.kind == parameter_kind::int_list || p.kind == parameter_kind::optional_int_list) out.arguments += 10;
    }
    return out;
}

namespace detail {

/// Refuses the first result of a dtype that does not run.
constexpr bool check_dtypes(graph_view g, const node& n, diagnosis& d) {
    for (std::int32_t k = 0; k < n.values.count; ++k)
        if (const auto& v = g[n.values[k]]; v.kind == value_kind::tensor && !facts_of(v.type.type).runs)
            return refuse(d, fault::dtype_is_unsupported, "f32, f64, i64, i32 or b8, which run", print(v.type));
    return true;
}

constexpr bool is_view_of_another(graph_view g, const node& n) {
    for (std::int32_t k = 0; k < n.values.count; ++k)
        if (g[n.values[k]].kind != value_kind::tensor || g[n.values[k]].storage == n.values[k]) return false;
    return n.values.count > 0;
}

constexpr bool lower_placeholder(graph_view from, node_id id, graph out, std::span<argument> made, std::span<bool> constant, diagnosis& d) {
    node copy = from[id];
    copy.arguments = {};
    copy.values = {};
    copy.first_use = copy.last_use = {};
    copy.use_count = 0;
    id_range<argument_id> values;
    if (is_literal(copy)) { // what it holds goes along
        values.count = from.argument_of(from[id], 0).children.count;
        if (!reserve_arguments(out, 1, copy.arguments, d) || !reserve_arguments(out, values.count, values, d)) return false;
        out[copy.arguments[0]] = {.kind = argument_kind::list, .children = values};
        for (std::int32_t i = 0; i < values.count; ++i) out[values[i]] = from[from.argument_of(from[id], 0).children[i]];
    }
    node_id placed;
    if (!append_node(out, copy, placed, d) || !reserve_values(out, placed, 1, d)) return false;
    out.value_of(placed) = {value_kind::tensor, from.value_of(id).type, out[placed].values[0]};
    constant[static_cast<std::size_t>(placed.index)] = copy.role != input_role::user;
    made[static_cast<std::size_t>(from[id].values.first)] = argument::of(placed);
    return true;
}

} // namespace detail

/// pre: `from` is typed and functional. post: `out` computes the same outputs; its output node's arguments are tensors in storages of
/// their own. `made` has an entry per ATen value, `constant` one per device node.
constexpr bool lower(graph_view from, op_table ops, std::span<const convert_function> converters, graph out, op_table device_ops,
                     std::span<argument> made, std::span<bool> constant, diagnosis& d) {
    for (node_id id : from) {
        const auto& n = from[id];
        if (n.kind == node_kind::output) continue;
        bound_arguments bound;
        bool ok = detail::check_dtypes(from, n, d);
        if (ok && n.kind != node_kind::call) {
            ok = detail::lower_placeholder(from, id, out, made, constant, d);
        } else if (ok && bind_arguments(from, id, ops[static_cast<std::size_t>(n.op.index)], bound, d)) {
            convert_context context(call_view(from, id, bound, d), out, device_ops, made, constant, d);
            const auto convert = converters[static_cast<std::size_t>(n.op.index)];
            if (detail::is_view_of_another(from, n)) {
                for (std::int32_t k = 0; ok && k < n.values.count; ++k) {
                    const auto& owner = made[static_cast<std::size_t>(from[n.values[k]].storage.index)];
                    auto type = from[n.values[k]].type;
                    type.offset += context.type_of(owner).offset - from[from[n.values[k]].storage].type.offset;
                    ok = context.finish(context.view(owner, type), k);
                }
            } else {
                ok = convert ? convert(context) && d.ok() : context.run_meaning();
            }
        } else {
            ok = false;
        }
        if (!ok) {
            d.line = n.from.line;
            d.op = n.target;
            d.name = print(n.name);
            return false;
        }
    }
    return true;
}

} // namespace ahead
