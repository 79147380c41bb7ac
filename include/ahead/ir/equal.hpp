// SPDX-License-Identifier: MIT
// Whether two typed graphs are the same computation, regardless of the text or handles they were built from.
// Invariant: it compares everything that determines results and memory: operators, arguments in schema order with
// defaults filled in, data flow, roles, weights, types with strides, storages, results, and the same for the blocks
// that calls hold. It ignores names, comments, lines and the nesting of returned values.
// Called by tests, and by users' static_asserts.
#pragma once
#include <ahead/core/checked.hpp>
#include <ahead/ir/infer.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::ir {

/// The first difference between two graphs; !found if they are the same.
struct graph_difference {
    bool found = false;
    node_id left, right; // none() if one graph has fewer nodes
    short_text what;     // "operator", "argument dim", "role", "type", ...
    short_text left_is, right_is;
};

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

class graph_comparison {
public:
    constexpr graph_comparison(graph_view left, graph_view right, op_table ops)
        : left_(left), right_(right), ops_(ops), nodes_(left.nodes().size(), -1), values_(left.values().size(), -1) {}

    constexpr graph_difference run() {
        static_cast<void>(same_graph(left_, right_));
        return out_;
    }

private:
    graph_view left_, right_;
    op_table ops_;
    std::vector<std::int32_t> nodes_, values_; // by node or value of the left graph: its counterpart in the right one
    graph_difference out_{};

    /// Compares the graphs themselves, or two blocks in them.
    constexpr bool same_graph(graph_view left, graph_view right) {
        auto& at = out_.left;
        auto& other = out_.right;
        for (at = left.first(), other = right.first(); at.exists() && other.exists();
             at = left[at].next, other = right[other].next) {
            if (!same_node(left[at], right[other])) return false;
            nodes_[static_cast<std::size_t>(at.index)] = other.index;
        }
        if (!at.exists() && !other.exists()) return true;
        std::int32_t nodes = 0, others = 0;
        for ([[maybe_unused]] node_id n : left) ++nodes;
        for ([[maybe_unused]] node_id n : right) ++others;
        return differ("number of nodes", short_text() << nodes, short_text() << others);
    }
    constexpr bool same_block(const argument& x, const argument& y) {
        const auto at = out_.left, other = out_.right;
        if (!same_graph(left_.inside(x.block()), right_.inside(y.block()))) return false;
        out_.left = at;
        out_.right = other;
        return true;
    }

    constexpr bool differ(const short_text& what, const short_text& left_is, const short_text& right_is) {
        out_.found = true;
        out_.what = what;
        out_.left_is = left_is;
        out_.right_is = right_is;
        return false;
    }

    constexpr bool same_node(const node& a, const node& b) {
        if (a.kind != b.kind)
            return differ("kind", node_kind_names[static_cast<std::size_t>(a.kind)],
                          node_kind_names[static_cast<std::size_t>(b.kind)]);
        if (a.kind == node_kind::call) return same_operator(a, b) && same_values(a, b);
        if (a.kind == node_kind::output) return same_results(a, b);
        if (a.role != b.role)
            return differ("role", role_names[static_cast<std::size_t>(a.role)],
                          role_names[static_cast<std::size_t>(b.role)]);
        if (a.weight != b.weight) return differ("weight", a.weight, b.weight);
        if (a.arguments.count != b.arguments.count ||
            (a.arguments.count == 1 && !same(left_.argument_of(a, 0), right_.argument_of(b, 0))))
            return differ(a.kind == node_kind::get_attr ? "elements" : "default", first_argument(left_, a),
                          first_argument(right_, b));
        return same_values(a, b);
    }

    constexpr bool same_operator(const node& a, const node& b) {
        if (a.op != b.op || (!a.op.exists() && a.target != b.target)) return differ("operator", a.target, b.target);
        if (!a.op.exists()) return differ("operator", "one that is registered", a.target);
        const auto& row = ops_[static_cast<std::size_t>(a.op.index)];
        bound_arguments x, y;
        diagnosis d;
        if (!bind_arguments(left_, out_.left, row, x, d) || !bind_arguments(right_, out_.right, row, y, d))
            return differ("arguments", d.expected, d.found);
        for (std::size_t i = 0; i < row.schema.size(); ++i)
            if (row.schema[i].kind == parameter_kind::block) {
                if (!same_block(*x.at[i], *y.at[i])) return false;
            } else if (!same(*x.at[i], *y.at[i], row.schema[i].kind))
                return differ(short_text("argument ") << row.schema[i].name, spelled_out(left_, *x.at[i]),
                              spelled_out(right_, *y.at[i]));
        return true;
    }

    constexpr bool same_values(const node& a, const node& b) {
        if (a.values.count != b.values.count)
            return differ("number of results", short_text() << a.values.count, short_text() << b.values.count);
        for (std::int32_t k = 0; k < a.values.count; ++k) {
            const auto& x = left_[a.values[k]];
            const auto& y = right_[b.values[k]];
            values_[static_cast<std::size_t>(a.values[k].index)] = b.values[k].index;
            if (x.kind != y.kind || (x.kind == value_kind::tensor && !same_type(x.type, y.type)))
                return differ("type", ahead::print(x.type, true) << " at " << x.type.offset,
                              ahead::print(y.type, true) << " at " << y.type.offset);
            if (x.kind == value_kind::tensor && values_[static_cast<std::size_t>(x.storage.index)] != y.storage.index)
                return differ("storage", owner(left_, x), owner(right_, y));
        }
        return true;
    }
    /// Strides of dims of size 1 are irrelevant and are not compared.
    static constexpr bool same_type(const tensor_type& x, const tensor_type& y) {
        return agrees({x, true, {}}, y) && x.layout == y.layout && x.quant == y.quant && x.offset == y.offset;
    }
    /// The name of the node that owns the storage.
    static constexpr short_text owner(graph_view g, const value& v) {
        const auto id = node_of(g, v.storage);
        return id.exists() ? ahead::print(g[id].name) : short_text("none");
    }

    constexpr bool same_results(const node& a, const node& b) {
        std::vector<const argument*> x, y;
        flatten(left_, a.arguments, x);
        flatten(right_, b.arguments, y);
        if (x.size() != y.size())
            return differ("number of results", short_text() << x.size(), short_text() << y.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto a_writes = x[i]->writes, b_writes = y[i]->writes;
            if (a_writes.exists() != b_writes.exists() ||
                (a_writes.exists() && nodes_[static_cast<std::size_t>(a_writes.index)] != b_writes.index))
                return differ(short_text("result ") << i, a_writes.exists() ? "written to an input" : "returned",
                              b_writes.exists() ? "written to an input" : "returned");
            if (!same(*x[i], *y[i]))
                return differ(short_text("result ") << i, spelled_out(left_, *x[i]), spelled_out(right_, *y[i]));
        }
        return true;
    }
    static constexpr void flatten(graph_view g, id_range<argument_id> range, std::vector<const argument*>& out) {
        for (std::int32_t i = 0; i < range.count; ++i)
            if (is_list(g[range[i]])) flatten(g, g[range[i]].children, out);
            else out.push_back(&g[range[i]]);
    }

    // ---- arguments: the schema's kind decides which spellings are equivalent

    struct device_name {
        std::string_view type;
        std::int64_t index;
        friend constexpr bool operator==(const device_name&, const device_name&) = default;
    };
    /// device(type='cuda', index=0) equals cuda:0; the cpu has one index only.
    static constexpr device_name device_of(const argument& a) {
        const auto colon = a.text.find(':');
        device_name out{a.text.substr(0, colon), a.kind == argument_kind::device ? a.bits : -1};
        if (colon != a.text.npos) out.index = 0;
        for (auto i = colon; i != a.text.npos && ++i < a.text.size();)
            out.index = (checked_int(out.index) * 10 + (a.text[i] - '0')).get();
        if (out.type == "cpu" && out.index <= 0) out.index = -1;
        return out;
    }
    static constexpr bool is_text(const argument& a) {
        return a.kind == argument_kind::string || a.kind == argument_kind::word;
    }

    constexpr bool same(const argument& x, const argument& y, parameter_kind kind = parameter_kind::scalar) const {
        using enum parameter_kind;
        if (kind == device && x.kind != argument_kind::none && y.kind != argument_kind::none)
            return device_of(x) == device_of(y);
        if ((kind == real || kind == optional_real) && is_number(x.kind) && is_number(y.kind))
            return std::bit_cast<std::int64_t>(infer_context::to_real(x)) ==
                   std::bit_cast<std::int64_t>(infer_context::to_real(y));
        if (is_ints(kind) && x.kind == argument_kind::integer && is_list(y))
            return y.children.count == 1 && same(x, right_[y.children[0]]);
        if (is_ints(kind) && y.kind == argument_kind::integer && is_list(x))
            return x.children.count == 1 && same(left_[x.children[0]], y);
        if (is_list(x) && is_list(y)) {
            if (x.children.count != y.children.count) return false;
            for (std::int32_t i = 0; i < x.children.count; ++i)
                if (!same(left_[x.children[i]], right_[y.children[i]], kind == real_list ? real : scalar)) return false;
            return true;
        }
        if (is_text(x) && is_text(y)) return x.text == y.text;
        if (x.kind != y.kind) return false;
        switch (x.kind) {
        case argument_kind::none: return true;
        case argument_kind::node:
            return nodes_[static_cast<std::size_t>(x.node().index)] == y.node().index && x.result == y.result;
        case argument_kind::integer:
        case argument_kind::real:
        case argument_kind::boolean:
        case argument_kind::dtype: return x.bits == y.bits;
        case argument_kind::slice:
            for (std::int32_t i = 0; i < x.children.count; ++i)
                if (!same(left_[x.children[i]], right_[y.children[i]])) return false;
            return true;
        default: return x.text == y.text;
        }
    }

    static constexpr short_text first_argument(graph_view g, const node& n) {
        return n.arguments.count > 0 ? spelled_out(g, g.argument_of(n, 0)) : short_text("nothing");
    }
    static constexpr short_text spelled_out(graph_view g, const argument& a) {
        short_text out;
        if (a.kind == argument_kind::node) {
            out << ahead::print(g[a.node()].name).view();
            if (a.result > 0) out << "[" << a.result << "]";
        } else if (a.kind == argument_kind::integer) out << a.bits;
        else if (a.kind == argument_kind::boolean) out << (a.boolean() ? "True" : "False");
        else if (a.kind == argument_kind::dtype) out << facts_of(a.type()).torch;
        else if (is_list(a)) {
            for (std::int32_t i = 0; i < a.children.count; ++i)
                out << (i > 0 ? ", " : "[") << spelled_out(g, g[a.children[i]]).view();
            out << (a.children.count > 0 ? "]" : "[]");
        } else out << (a.text.empty() ? spelled(a.kind) : a.text);
        return out;
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The first difference in program order. pre: both graphs use the operator table `ops` and are typed (infer_types).
constexpr graph_difference first_difference(graph_view left, graph_view right, op_table ops) {
    return detail::graph_comparison(left, right, ops).run();
}
constexpr bool structurally_equal(graph_view left, graph_view right, op_table ops) {
    return !first_difference(left, right, ops).found;
}

} // namespace ahead::ir
