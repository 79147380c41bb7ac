// SPDX-License-Identifier: MIT
// Reads the right side of " = " in a statement: an attribute of the model, a call, an index, Python's arithmetic.
// Invariant: one statement creates one node, or none if it only renames a placeholder or names a block. Called by
// readable.hpp.
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

/// Whether a class of this name is nested in the class being read: its lines are indented as the body's `def`.
constexpr bool shows_class(fx_reader& r, std::string_view name) {
    if (r.nests_classes == 'n') return false;
    if (r.nests_classes == '?') r.nests_classes = 'n'; // unless a class is found below
    cursor c = r.c;
    for (c.next_line(); !c.done(); c.next_line()) {
        const auto line = c.at;
        c.skip_spaces();
        if (c.peek() == 'c' && c.starts_with("class ")) r.nests_classes = 'y';
        if (c.peek() == '\n' || c.peek() == '#') continue;
        if (c.at - line < r.style.def_indent || c.starts_with("Graph signature")) return false;
        if (c.at - line == r.style.def_indent && c.accept("class ") && same_text(c.name(), name)) return true;
    }
    return false;
}

/// `self.a.b`, `getattr(self.a, "0").b`: an attribute of the model, or a call of a module; if the text shows it as a
/// class, a block and not a node.
constexpr bool read_attribute(fx_reader& r, node& n, bool& no_node) {
    auto& c = r.c;
    const auto from = c.at;
    std::int32_t calls = 0;
    while (c.accept("getattr(")) ++calls;
    if (!r.expect("self") || !read_path(r)) return false;
    for (; calls > 0; --calls) {
        if (!r.expect(", \"")) return false;
        const auto name = c.at; // any string, "block1-0"
        c.skip_in_line_to('"');
        if (c.at == name) return r.malformed("the name of an attribute");
        if (!r.expect("\")") || !read_path(r)) return false;
    }
    n.kind = node_kind::get_attr;
    n.role = input_role::constant;
    n.target = c.since(from);
    r.about(n.name.text, n.target);
    if (c.peek() == '(') return r.unsupported("a module");
    if (starts_with(n.target, "self.")) n.target = n.target.substr(5);
    n.weight = n.target;
    no_node = shows_class(r, n.target);
    return !no_node || r.name_block(n);
}

/// `self._guards_fn(x)`, of ExportedProgram.module(): it checks the inputs, whose types are fixed here, and returns
/// nothing. pre: at "(".
constexpr bool skip_guards(fx_reader& r) {
    ++r.c.at;
    r.c.skip_blanks();
    r.c.at = r.c.measure().close;
    return r.expect(")");
}

inline constexpr std::string_view getitem_target = "operator.getitem";

/// Reads the right side of " = ". `name = parameter` creates no node: it renames a placeholder for the body.
constexpr bool read_right_side(fx_reader& r, node& n, bool& no_node) {
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
            return read_attribute(r, n, no_node);
        }
        if (next == '(') {
            if (!starts_with(word, "torch.ops.")) {
                r.about(n.name.text, word);
                if (same_text(word, "self._guards_fn")) return no_node = true, skip_guards(r);
                if (starts_with(word, "self.")) return r.unsupported("a module");
                const auto dot = word.find('.');
                if (dot != word.npos && r.find(word.substr(0, dot)).exists()) return r.unsupported("a method");
            }
            if (!r.set_target(n, word)) return false;
            ++c.at;
            return read_call_arguments(r, n, owner) && (n.target[0] != 'h' || r.hold_blocks(n));
        }
        if (starts_with(word, "self.")) {
            c.at = from;
            return read_attribute(r, n, no_node);
        }
        if (starts_with(word, "torch.")) return r.malformed("the arguments of a call, '('");
        if (next == '\n' || next == '\0') {
            const auto input = r.find_input(word);
            no_node = input.exists() && r.g[input].kind == node_kind::placeholder && r.g[input].use_count == 0;
            if (no_node) return r.rename(input, n.name.text);
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
    if (!c.accept(' ')) return r.malformed("a call, an index or an arithmetic operator");
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
