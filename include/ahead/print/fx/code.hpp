// SPDX-License-Identifier: MIT
// A graph as Python text: print_readable(), gm.code and, with a signature after it, print(ExportedProgram). Blocks are
// classes nested in the one that names them, after its code.
// Invariant: every name is deleted after its last use by FX's rule, whatever the parsed text contained. Called by
// print_fx.
#pragma once
#include <ahead/frontend/fx/python_operators.hpp>
#include <ahead/legalize/higher_order/names.hpp>
#include <ahead/print/fx/signature.hpp>
#include <algorithm>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class fx_code {
public:
    constexpr explicit fx_code(fx_writer<Sink>& w) : w_(w), g_(w.view()), style_(w.style()) {}

    constexpr void print() {
        put(style_.preamble);
        for (const auto& n : g_.nodes()) uses_left_.push_back(n.use_count);
        print_definition();
        std::string_view comment;
        for (auto id : g_) {
            const auto& n = g_[id];
            if (n.kind == node_kind::placeholder) continue;
            if (style_.file_comments && n.from.comment != comment && n.kind != node_kind::output) {
                comment = n.from.comment;
                w_.indent(style_.body_indent);
                put("# ", comment, "\n");
            }
            if (n.kind == node_kind::output && !style_.returns) continue;
            if (holds_blocks(g_, n)) print_block_names(n);
            w_.indent(style_.body_indent);
            if (n.kind == node_kind::output) {
                w_.put_results(n);
                continue;
            }
            w_.put_name(n.name);
            w_.put_annotation(id);
            put(" = ");
            print_right_side(n);
            print_tail(id);
            put("\n");
        }
        std::vector<std::string_view> shared; // classes of invoke_subgraph, which several calls may share
        if (has_blocks(g_))
            for (auto id : g_)
                for (block_id b : blocks_of(g_, g_[id])) {
                    if (std::find(shared.begin(), shared.end(), g_[b].target) != shared.end()) continue;
                    print_block(b);
                    if (is_call_of(g_[id], invoke_subgraph)) shared.push_back(g_[b].target);
                }
        if (style_.form == fx_form::exported) fx_signature<Sink>(w_).print();
    }

private:
    fx_writer<Sink>& w_;
    graph_view g_;
    const fx_style& style_;
    std::vector<std::int32_t> uses_left_; // of each node, in the lines not yet printed; -1: deleted

    template <class... Parts> constexpr void put(Parts... parts) { w_.put(parts...); }

    /// The lines that name a call's blocks, in the order in which they were named.
    constexpr void print_block_names(const node& n) {
        for (auto b = next_block(g_); b.exists(); b = next_block(g_, b)) {
            bool held = false;
            for (block_id mine : blocks_of(g_, n)) held = held || mine == b;
            if (!held) continue;
            w_.indent(style_.body_indent);
            w_.put_name(g_[b].name);
            put(" = self.", g_[b].target, "\n");
        }
    }
    constexpr void print_block(block_id b) {
        auto style = style_;
        style.form = fx_form::readable;
        style.preamble = style.flat_signature = style.flatten = style.return_annotation = {};
        style.function = "forward";
        style.def_indent += 4;
        style.body_indent += 4;
        style.declared = style.expanded_signature = style.expanded_return = style.unflatten = false;
        style.returns = true;
        put("\n");
        w_.indent(style_.def_indent);
        put("class ", g_[b].target, "(torch.nn.Module):\n");
        w_.print_inside(g_.inside(b), style, [](auto& w) { fx_code(w).print(); });
    }

    constexpr void print_definition() {
        w_.indent(style_.def_indent);
        put("def ", style_.function, "(");
        const bool unpacked = !style_.flatten.empty();
        if (unpacked) put(style_.flat_signature);
        else if (style_.expanded_signature) {
            put("\n");
            w_.indent(style_.def_indent + 4);
            put("self,\n");
        } else put("self");
        for (auto id : g_) {
            const auto& n = g_[id];
            if (n.kind != node_kind::placeholder || unpacked) continue;
            if (style_.expanded_signature) w_.indent(style_.def_indent + 4);
            else put(", ");
            n.target.empty() ? w_.put_name(n.name) : put(n.target);
            w_.put_annotation(id, true);
            if (n.arguments.count == 1) {
                put(" = ");
                w_.put_value(g_[n.arguments[0]]);
            }
            if (!style_.expanded_signature) continue;
            put(",");
            if (!n.from.comment.empty()) put("  ", n.from.comment);
            put("\n");
        }
        if (style_.expanded_signature && !unpacked) w_.indent(style_.def_indent);
        put(")");
        if (!style_.return_annotation.empty()) put(" -> ", style_.return_annotation);
        put(":\n");
        if (unpacked) print_unpacking();
        for (auto id : g_) {
            const auto& n = g_[id];
            if (n.kind != node_kind::placeholder || n.target.empty() || (n.name.number == 0 && n.name.text == n.target))
                continue;
            w_.indent(style_.body_indent);
            w_.put_name(n.name);
            put(" = ", n.target, "\n");
        }
    }
    constexpr void print_unpacking() {
        if (style_.declared) {
            w_.indent(style_.body_indent);
            for (auto id : g_) {
                if (g_[id].kind != node_kind::placeholder || g_[id].annotation.empty()) continue;
                put(g_[id].target);
                w_.put_annotation(id);
                put("; ");
            }
            put("\n");
        }
        w_.indent(style_.body_indent);
        bool first = true;
        for (auto id : g_) {
            if (g_[id].kind != node_kind::placeholder) continue;
            if (!first) put(", ");
            first = false;
            put(g_[id].target);
        }
        put(", = fx_pytree.tree_flatten_spec(", style_.flatten, ", self._in_spec)\n");
    }

    constexpr void print_right_side(const node& n) {
        if (n.kind == node_kind::get_attr) {
            print_attribute(n.target);
            return;
        }
        if (n.target == "operator.getitem" && n.arguments.count == 2) {
            w_.put_value(g_[n.arguments[0]]);
            put("[");
            w_.put_value(g_[n.arguments[1]]);
            put("]");
            return;
        }
        const auto unary = n.arguments.count == 1 ? python_sign_of(n.target, true) : std::string_view{};
        const auto binary = n.arguments.count == 2 ? python_sign_of(n.target, false) : std::string_view{};
        if (!unary.empty()) {
            put(unary);
            w_.put_value(g_[n.arguments[0]]);
        } else if (!binary.empty()) {
            w_.put_value(g_[n.arguments[0]]);
            put(" ", binary, " ");
            w_.put_value(g_[n.arguments[1]]);
        } else {
            if (is_torch_operator(n.target)) put("torch.ops.");
            else if (style_.python == "_operator." && n.target[0] == 'o') put("_");
            put(n.target, "(");
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto& a = g_[n.arguments[i]];
                if (i > 0) put(", ");
                if (!a.keyword.empty()) put(a.keyword, " = ");
                w_.put_value(a);
            }
            put(")");
        }
    }
    /// self.a.b; a part that is not a Python identifier needs getattr(self.a, "0").
    constexpr void print_attribute(std::string_view path) {
        if (path.substr(0, 8) == "getattr(") {
            put(path);
            return;
        }
        const auto is_name = [](std::string_view part) {
            return (part[0] < '0' || part[0] > '9') && part.find('-') == part.npos;
        };
        for_each_part(path, [&](std::string_view part) { put(is_name(part) ? "" : "getattr("); });
        put("self");
        for_each_part(path, [&](std::string_view part) {
            is_name(part) ? put(".", part) : put(", \"", part, "\")");
        });
    }
    constexpr void for_each_part(std::string_view path, auto f) {
        while (!path.empty()) {
            const auto part = path.substr(0, path.find('.'));
            f(part);
            path.remove_prefix(part.size() < path.size() ? part.size() + 1 : part.size());
        }
    }

    // ---- deletions: FX's delete_unused_values, torch/fx/graph.py

    constexpr void print_deletions(id_range<argument_id> range, bool& any) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            const auto& a = g_[range[i]];
            print_deletions(a.children, any);
            if (a.kind == argument_kind::block) print_deletion(g_[a.block()].name, any);
            if (a.kind != argument_kind::node || uses_left_[static_cast<std::size_t>(a.node().index)] != 0) continue;
            uses_left_[static_cast<std::size_t>(a.node().index)] = -1;
            print_deletion(g_[a.node()].name, any);
        }
    }
    constexpr void print_deletion(label name, bool& any) {
        put(any ? "" : ";  ");
        any = true;
        w_.put_name(name);
        put(" = ");
    }
    constexpr void print_tail(node_id id) {
        if (style_.tail == fx_tail::semicolon) put(";");
        if (style_.tail != fx_tail::deletions && style_.tail != fx_tail::deletions_of_used) return;
        bool any = false;
        for_each_operand(g_, g_[id].arguments,
                         [&](const argument& a) { --uses_left_[static_cast<std::size_t>(a.node().index)]; });
        print_deletions(g_[id].arguments, any);
        if (g_[id].use_count == 0 && style_.tail == fx_tail::deletions) print_deletion(g_[id].name, any);
        if (any) put("None");
    }
};

} // namespace ahead::detail
