// SPDX-License-Identifier: MIT
// Reads the text of print(gm.graph): one node per line, `%add : [num_users=1] = call_function[target=...](args = (...),
// kwargs = {...})`.
// Invariant: this form prints no types, and its strings have lost their quotes; typing resolves both.
// Called by read_fx.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/frontend/fx/results.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Reads `(args = (...), kwargs = {...})`: positional arguments, then keywords, in one range.
constexpr bool read_f1_arguments(fx_reader& r, node& n, node_id owner) {
    if (!r.expect("(args = (")) return false;
    const auto args = r.c.measure(true);
    cursor behind = r.c;
    behind.at = args.close;
    if (!behind.accept("), kwargs = {")) return r.malformed("'args = (...), kwargs = {...}'");
    const auto kwargs = behind.measure(true);
    if (!r.reserve(args.elements + kwargs.elements, n.arguments)) return false;
    for (std::int32_t i = 0; i < args.elements; ++i)
        if ((i > 0 && !r.expect(", ")) || !read_value(r, n.arguments[i], owner)) return false;
    if (args.elements == 1 && !r.expect(",")) return false;
    if (!r.expect("), kwargs = {")) return false;
    for (std::int32_t i = 0; i < kwargs.elements; ++i) {
        if (i > 0 && !r.expect(", ")) return false;
        const auto keyword = r.c.name();
        if (keyword.empty()) return r.malformed("the name of an argument");
        if (!r.expect(": ") || !read_value(r, n.arguments[args.elements + i], owner, keyword)) return false;
    }
    return r.expect("})");
}

/// pre: at "%".
constexpr bool read_f1_node(fx_reader& r) {
    auto& c = r.c;
    node n;
    n.from.line = c.line;
    ++c.at;
    n.name = {c.name(), 0};
    r.about(n.name.text);
    if (n.name.text.empty()) return r.malformed("a name");
    if (!r.expect(" : ")) return false;
    const auto type = c.at;
    while (!c.starts_with("[num_users=") && !c.starts_with("[#users=")) {
        if (c.done() || c.peek() == '\n' || c.peek() == '=' || c.peek() == '%') {
            c.at = type;
            return r.malformed("'[num_users='");
        }
        ++c.at;
    }
    if (c.at > type) n.annotation = c.part(type, c.text[c.at - 1] == ' ' ? c.at - 1 : c.at);
    ++c.at;
    const auto users = c.at;
    while (c.peek() != '=') ++c.at;
    r.style.users = c.since(users);
    ++c.at;
    c.skip(digit_char);
    if (!r.expect("] = ")) return false;

    const auto owner = r.next_id();
    if (c.accept("call_function[target=")) {
        const auto from = c.at;
        while (c.peek() != ']' && !c.done() && c.peek() != '\n') ++c.at;
        const auto target = c.since(from);
        if (!r.expect("]") || !r.set_target(n, target)) return false;
        r.numbers_are_words = air::stream_word_of(n) != air::stream_word::none;
        if (!read_f1_arguments(r, n, owner) || (n.target[0] == 'h' && !r.hold_blocks(n))) return false;
    } else if (c.accept("placeholder[target=")) {
        n.kind = node_kind::placeholder;
        if (c.peek() == '*') return r.unsupported("a variable number of inputs");
        n.target = c.name();
        if (n.target.empty()) return r.malformed("the name of an input");
        if (!r.expect("]")) return false;
        if (c.accept("(default=") &&
            (!r.reserve(1, n.arguments) || !read_value(r, n.arguments[0], owner) || !r.expect(")")))
            return false;
    } else if (c.accept("get_attr[target=")) {
        n.kind = node_kind::get_attr;
        n.role = input_role::constant;
        const auto from = c.at; // any characters: blocks.block1-0.weight
        while (c.peek() != ']' && !c.done() && c.peek() != '\n') ++c.at;
        n.target = c.since(from);
        n.weight = n.target;
        if (n.target.empty()) return r.malformed("the name of an attribute");
        if (!r.expect("]")) return false;
    } else {
        const auto kind = c.name();
        c.accept("[target=");
        if (kind == "call_module" && c.starts_with("_guards_fn]")) return true; // same as self._guards_fn(x)
        r.about(n.name.text, c.dotted());
        if (kind == "call_method") return r.unsupported("a method");
        if (kind == "call_module") return r.unsupported("a module");
        return r.fail(fault::text_is_malformed, "placeholder, get_attr or call_function",
                      short_text() << "'" << kind << "'");
    }
    c.skip_spaces();
    if (!c.done() && c.peek() != '\n') return r.malformed("the end of the line");
    return r.append(n);
}

/// pre: after "graph():".
constexpr bool read_listing(fx_reader& r) {
    auto& c = r.c;
    c.next_line();
    r.listing = true;
    bool first = true;
    while (true) {
        const auto from = c.at;
        c.skip_spaces();
        if (c.done()) {
            r.about({});
            return r.fail(fault::text_has_no_return, "a line 'return ...'", "the end of the text");
        }
        const char next = c.peek();
        if (first && (next == '%' || next == 'r')) {
            r.style.indent = c.at - from;
            first = false;
        }
        if (next == '%') {
            if (!read_f1_node(r)) return false;
        } else if (c.accept("return ")) return read_results(r, c.line);
        else if (next != '\n' && next != '#') {
            r.about({});
            return r.malformed("a node, '%name : ...', or 'return'");
        }
        c.next_line();
    }
}

} // namespace ahead::detail
