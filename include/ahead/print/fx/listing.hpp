// SPDX-License-Identifier: MIT
// print(gm.graph): one node per line, without types, `%add : [num_users=1] = call_function[target=...](args = (...),
// kwargs = {...})`.
// FX prints only the read of a block's name, without its body; here the bodies follow, as listings under their names.
// Invariant: num_users counts the nodes that use a node in this graph, whatever the parsed text contained. Called by
// print_fx.
#pragma once
#include <ahead/ir/attribute_path.hpp>
#include <ahead/print/fx/writer.hpp>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class fx_listing {
public:
    constexpr explicit fx_listing(fx_writer<Sink>& w) : w_(w), g_(w.view()), style_(w.style()) {}

    constexpr void print() {
        put(style_.preamble, style_.prefix, "graph():\n");
        for (auto id : g_) {
            const auto& n = g_[id];
            if (has_blocks(g_)) print_block_names(n);
            w_.indent(style_.indent);
            if (n.kind == node_kind::output) {
                w_.put_results(n);
                continue;
            }
            put("%");
            w_.put_name(n.name);
            put(" : ");
            if (style_.types == fx_types::printed && !n.annotation.empty()) put(n.annotation, " ");
            put("[", style_.users, "=");
            w_.put_number(count_users(n));
            put("] = ");
            print_listed(n);
            put("\n");
        }
        if (has_blocks(g_))
            for (auto id : g_)
                for (block_id b : blocks_of(g_, g_[id])) print_block(b);
    }

private:
    fx_writer<Sink>& w_;
    graph_view g_;
    const fx_style& style_;

    template <class... Parts> constexpr void put(Parts... parts) { w_.put(parts...); }

    constexpr void print_block_names(const node& n) {
        for (block_id b : blocks_of(g_, n)) {
            w_.indent(style_.indent);
            put("%");
            w_.put_name(g_[b].name);
            put(" : [", style_.users, "=1] = get_attr[target=", g_[b].target, "]\n");
        }
    }
    constexpr void print_block(block_id b) {
        auto style = style_;
        style.preamble = "\n";
        style.expanded_return = style.unflatten = false;
        short_text name = ahead::print(g_[b].name);
        style.prefix = (name << " = ").view();
        w_.print_inside(g_.inside(b), style, [](auto& w) { fx_listing(w).print(); });
    }

    /// How many nodes use this one; a node that uses it twice counts once.
    constexpr std::int32_t count_users(const node& n) const {
        std::int32_t users = 0;
        for (auto id = n.first_use; id.exists(); id = g_[id].next_use) {
            bool seen = false;
            for (auto before = g_[id].previous_use; before.exists() && !seen; before = g_[before].previous_use)
                seen = g_[before].owner == g_[id].owner;
            users += !seen;
        }
        return users;
    }

    constexpr void print_listed(const node& n) {
        if (n.kind == node_kind::placeholder) {
            put("placeholder[target=");
            n.target.empty() ? w_.put_name(n.name) : put(n.target);
            put("]");
            if (n.arguments.count == 1) {
                put("(default=");
                w_.put_value(g_[n.arguments[0]]);
                put(")");
            }
            return;
        }
        if (n.kind == node_kind::get_attr) {
            put("get_attr[target=");
            for_each_piece_of_path(n.target, [&](std::string_view piece) { put(piece); });
            put("]");
            return;
        }
        put("call_function[target=");
        if (n.target.substr(0, builtin_prefix.size()) == builtin_prefix) {
            put(style_.python, n.target.substr(builtin_prefix.size()));
            if (style_.python.substr(0, 1) == "<") put(">");
        } else put(is_torch_operator(n.target) ? "torch.ops." : "", n.target);
        std::int32_t positional = 0;
        while (positional < n.arguments.count && g_[n.arguments[positional]].keyword.empty()) ++positional;
        put("](args = (");
        w_.put_elements({n.arguments.first, positional});
        put(positional == 1 ? ",), kwargs = {" : "), kwargs = {");
        for (auto i = positional; i < n.arguments.count; ++i) {
            const auto& a = g_[n.arguments[i]];
            if (i > positional) put(", ");
            put(a.keyword, ": ");
            w_.put_value(a);
        }
        put("})");
    }
};

} // namespace ahead::detail
