// SPDX-License-Identifier: MIT
// What stands right of " = " in a statement: an attribute of the model, a call, an index, Python's arithmetic.
// Invariant: one statement, one node, or none where it only gives a placeholder another name. Called by readable.hpp.
#pragma once
#include <ahead/frontend/fx/call_arguments.hpp>

namespace AHEAD_NAMESPACE::detail {

/// `.a.b`, each part a name.
constexpr bool read_path(fx_reader& r) {
    auto& c = r.c;
    while (c.accept('.')) {
        if (!c.is(name_char) || c.is(digit_char)) return r.malformed("the name of an attribute");
        c.skip(name_char);
    }
    return true;
}

/// `self.a.b`, `getattr(self.a, "0").b`: an attribute of the model, or a call of a module.
constexpr bool read_attribute(fx_reader& r, node& n) {
    auto& c = r.c;
    const auto from = c.at;
    std::int32_t calls = 0;
    while (c.accept("getattr(")) ++calls;
    if (!r.expect("self") || !read_path(r)) return false;
    for (; calls > 0; --calls) {
        if (!r.expect(", \"")) return false;
        if (c.name().empty()) return r.malformed("the name of an attribute");
        if (!r.expect("\")") || !read_path(r)) return false;
    }
    n.kind = node_kind::get_attr;
    n.role = input_role::constant;
    n.target = c.since(from);
    r.about(n.name.text, n.target);
    if (c.peek() == '(') return r.unsupported("a module");
    if (starts_with(n.target, "self.")) n.target = n.target.substr(5);
    n.weight = n.target;
    return true;
}

inline constexpr std::string_view getitem_target = "operator.getitem";

/// What stands right of " = ". `name = parameter` makes no node: it is what a placeholder is called in the body.
constexpr bool read_right_side(fx_reader& r, node& n, bool& renamed) {
    auto& c = r.c;
    const auto owner = r.next_id();
    const auto from = c.at;
    const char first = c.peek();
    if ((first == '-' || first == '~') && !(c.peek(1) >= '0' && c.peek(1) <= '9')) {
        ++c.at;
        n.target = python_operator_of_sign(c.since(from), true);
        n.op = r.find_operator(n.target);
        return r.reserve(1, n.arguments) && read_value(r, n.arguments[0], owner);
    }
    if (c.is(name_char) && !c.is(digit_char)) {
        const auto word = c.dotted();
        const char next = c.peek();
        if (next == '(' && same_text(word, "getattr")) {
            c.at = from;
            return read_attribute(r, n);
        }
        if (next == '(') {
            if (!starts_with(word, "torch.ops.")) {
                r.about(n.name.text, word);
                if (starts_with(word, "self.")) return r.unsupported("a module");
                const auto dot = word.find('.');
                if (dot != word.npos && r.find(word.substr(0, dot)).exists()) return r.unsupported("a method");
            }
            if (!r.set_target(n, word)) return false;
            ++c.at;
            return read_call_arguments(r, n, owner);
        }
        if (starts_with(word, "self.")) {
            c.at = from;
            return read_attribute(r, n);
        }
        if (next == '\n' || next == '\0') {
            const auto input = r.find(word);
            renamed = input.exists() && r.g[input].kind == node_kind::placeholder && r.g[input].use_count == 0;
            if (renamed) return r.rename(input, n.name.text);
        }
        if (next == '[') {
            n.target = getitem_target;
            n.op = r.find_operator(getitem_target);
            if (!r.reserve(2, n.arguments)) return false;
            c.at = from;
            if (!read_value(r, n.arguments[0], owner)) return false;
            if (c.peek() != '[') return r.malformed("'['");
            ++c.at;
            return read_value(r, n.arguments[1], owner) && r.expect("]");
        }
        c.at = from;
    }
    // value BINOP value
    if (!r.reserve(2, n.arguments) || !read_value(r, n.arguments[0], owner)) return false;
    if (!r.expect(" ")) return false;
    const auto sign = c.at;
    c.skip(operator_char);
    n.target = python_operator_of_sign(c.since(sign), false);
    if (n.target.empty()) {
        c.at = from;
        return r.malformed("a call, an index or an arithmetic operator");
    }
    n.op = r.find_operator(n.target);
    return r.expect(" ") && read_value(r, n.arguments[1], owner);
}

} // namespace ahead::detail
