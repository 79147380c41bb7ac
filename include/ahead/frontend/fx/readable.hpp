// SPDX-License-Identifier: MIT
// Python text as print_readable(), gm.code and print(ExportedProgram) show it: `def forward(...)`, statements,
// `return`.
// Invariant: one statement, one node; comments and deletions make none. Called by parse_fx.
#pragma once
#include <ahead/frontend/fx/values.hpp>

namespace AHEAD_NAMESPACE::detail {

/// After a name: ": ann" or " : ann", up to what ends it. Unquoted annotations end at " = ", or at a comma or ")"
/// outside brackets.
constexpr bool read_annotation_text(fx_reader& r, std::string_view& out, bool parameter) {
    auto& c = r.c;
    if (c.peek() == ' ' && c.peek(1) == ':') {
        r.style.spaced_colon = true;
        ++c.at;
    }
    if (c.peek() != ':') return true;
    ++c.at;
    c.skip_spaces();
    if (c.peek() == '"') {
        if (r.quotes == 'n') return r.malformed("a type without quotes, as those above");
        r.quotes = 'y';
        const auto from = c.at + 1;
        c.skip_string();
        out = c.part(from, c.at);
        return (c.accept('"') && !out.empty()) || r.malformed("an annotation with its closing quote");
    }
    if (!c.starts_with("torch.")) { // Python types have no quotes in any text
        if (r.quotes == 'y') return r.malformed("a type in quotes, as those above");
        r.quotes = 'n';
        r.style.quoted = false;
    }
    const auto from = c.at;
    std::int32_t depth = 0;
    for (; !c.done() && c.peek() != '\n'; ++c.at) {
        const char next = c.peek();
        if (depth == 0 && (parameter ? next == ',' || next == ')' : next == ';')) break;
        if (depth == 0 && next == ' ' && c.peek(1) == '=' && c.peek(2) == ' ') break;
        if (next == '"' || next == '\'') return r.malformed("an annotation");
        depth += next == '(' || next == '[' ? 1 : next == ')' || next == ']' ? -1 : 0;
    }
    out = c.since(from);
    return (!out.empty() && depth == 0) || r.malformed("an annotation");
}

/// pre: at "def". post: behind the ":" and its line. Every parameter but self becomes a placeholder.
constexpr bool read_definition(fx_reader& r) {
    auto& c = r.c;
    auto& style = r.style;
    if (!r.expect("def ")) return false;
    style.function = c.name();
    if (same_text(style.function, "__init__"))
        return r.fail(fault::text_is_not_a_graph, "what PyTorch prints of a traced or exported model",
                      "the source of a model");
    if (!r.expect("(")) return false;
    const auto signature = c.at;
    style.expanded_signature = c.peek() == '\n';
    c.skip_blanks();
    if (!c.starts_with("self") || (c.peek(4) != ',' && c.peek(4) != ')')) return r.malformed("'self'");
    c.at += 4;
    while (true) {
        r.about({});
        if (c.accept(',')) {
            // The comment belongs to the parameter before it: what PyTorch says the input is.
            c.skip_spaces();
            const auto comment = c.at;
            if (c.peek() == '#') {
                c.skip_to('\n');
                if (r.next_id().index > 0) r.g[node_id{r.next_id().index - 1}].from.comment = c.since(comment);
            }
            c.skip_blanks();
        }
        if (c.peek() == ')') break;
        if (c.done()) return r.malformed("the signature's closing bracket");
        node n;
        n.kind = node_kind::placeholder;
        n.from.line = c.line;
        const auto owner = r.next_id();
        n.name = {c.name(), 0};
        n.target = n.name.text;
        r.about(n.name.text);
        if (n.name.text.empty()) return r.malformed("a parameter");
        if (!read_annotation_text(r, n.annotation, true)) return false;
        if (c.accept(" = ") && (!r.reserve(1, n.arguments) || !read_value(r, n.arguments[0], owner))) return false;
        if (!r.append(n)) return false;
        c.skip_blanks();
        if (c.peek() != ',' && c.peek() != ')') return r.malformed("',' or ')'");
    }
    style.flat_signature = c.since(signature);
    ++c.at;
    if (c.accept(" -> ")) {
        const auto rest = c.rest_of_line(c.at);
        if (rest.size() < 2 || rest.back() != ':') return r.malformed("a type and ':'");
        style.return_annotation = rest.substr(0, rest.size() - 1);
    } else {
        if (!c.accept(':')) return r.malformed("':'");
        c.skip_spaces();
        if (!c.done() && c.peek() != '\n' && c.peek() != '#') return r.malformed("the end of the line");
    }
    c.next_line();
    return true;
}

/// A line of declarations declares the inputs that the next line unpacks, in their order.
constexpr bool misplaced_declaration(fx_reader& r, cursor at) {
    r.c = at;
    r.about({});
    return r.malformed("the declaration of an input that the next line unpacks");
}

/// `a, b, = fx_pytree.tree_flatten_spec(...)`: these are the inputs, not the parameters of the signature. Their
/// annotations stand in an earlier line of their own, `a: "f32[2]"; b: "f32[3]"; `, where `declarations` is; it is
/// done() where there is none.
constexpr bool read_unpacking(fx_reader& r, std::int32_t from, cursor declarations) {
    auto& c = r.c;
    const bool declared = !declarations.done();
    c.at = from;
    const auto given = r.g.header().used.nodes;
    if (!r.style.flatten.empty()) return r.malformed("a statement with one result; the inputs are unpacked already");
    for (std::int32_t i = 0; i < given; ++i)
        if (r.g[node_id{i}].kind != node_kind::placeholder || r.g[node_id{i}].use_count > 0)
            return r.malformed("a statement with one result; inputs are unpacked in the first line");
    r.forget_all();
    while (c.is(name_char)) {
        node n;
        n.kind = node_kind::placeholder;
        n.name = {c.name(), 0};
        n.target = n.name.text;
        n.from.line = c.line;
        r.about(n.name.text);
        if (declared) {
            const auto here = c;
            c = declarations;
            if (same_text(c.name(), n.name.text)) {
                if (!read_annotation_text(r, n.annotation, false)) return false;
                if (n.annotation.empty()) return r.malformed("an annotation");
                if (!r.expect(";")) return false;
                c.skip_spaces();
                declarations = c;
            }
            c = here;
        }
        if (!r.append(n)) return false;
        if (!r.expect(",")) return false;
        c.skip_spaces();
    }
    if (!r.expect("= fx_pytree.tree_flatten_spec(")) return false;
    const auto flattened = c.at;
    const auto line = c.rest_of_line(c.at);
    constexpr std::string_view ending = ", self._in_spec)";
    if (line.size() < ending.size() || line.substr(line.size() - ending.size()) != ending)
        return r.malformed("', self._in_spec)'");
    r.style.flatten = c.part(flattened, flattened + static_cast<std::int32_t>(line.size() - ending.size()));
    r.style.declared = declared;
    return !declared || declarations.peek() == '\n' || misplaced_declaration(r, declarations);
}

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

/// What may follow a statement: nothing, ";", or deletions, which say nothing that the use lists do not know.
constexpr bool read_tail(fx_reader& r, fx_tail& seen) {
    auto& c = r.c;
    if (c.accept(';')) {
        c.skip_spaces();
        if (c.done() || c.peek() == '\n') seen = fx_tail::semicolon;
        else {
            cursor tail = c;
            tail.skip(deletion_char);
            const auto last = tail.at;
            while (tail.at > c.at && c.text[tail.at - 1] == ' ') --tail.at;
            tail.at -= tail.at - c.at < 7 ? 0 : 7;
            if (!tail.starts_with(" = None") || (last < c.end && c.text[last] != '\n'))
                return r.malformed("deletions, 'a = b = None'");
            seen = fx_tail::deletions;
        }
    } else {
        c.skip_spaces();
        if (!c.done() && c.peek() != '\n' && c.peek() != '#') return r.malformed("the end of the statement");
    }
    c.next_line();
    return true;
}

/// Whether the deletions of the whole text delete every node, each where it is used last: a text without a return line
/// is complete only then.
constexpr bool deletes_all(const fx_reader& r, cursor c) {
    std::int32_t count = 0;
    for (; !c.done(); c.next_line()) {
        c.skip_spaces();
        if (c.peek() == '#') continue;
        while (!c.done() && c.peek() != '\n' && !c.starts_with(";  ")) ++c.at;
        if (!c.accept(";  ")) continue;
        for (auto name = c.name(); c.accept(" = "); name = c.name(), ++count) {
            const auto id = r.find(name);
            if (!id.exists()) return false;
            const auto& n = r.g[id];
            const auto& last = n.last_use.exists() ? r.g[r.g[n.last_use].owner] : n;
            if (last.from.line != c.line || (n.kind == node_kind::placeholder && n.use_count == 0)) return false;
        }
    }
    const auto nodes = r.g.header().used.nodes;
    return nodes > 0 && count == nodes;
}

/// Whether the text's deletions name nodes that nothing uses: its first such node tells.
constexpr fx_tail deletions_of(const fx_reader& r) {
    for (auto id : r.g) {
        const auto& n = r.g[id];
        if (n.use_count > 0 || (n.kind != node_kind::call && n.kind != node_kind::get_attr)) continue;
        const auto line = r.c.rest_of_line(static_cast<std::int32_t>(n.name.text.data() - r.c.text));
        const auto last = line.rfind(" = None");
        const auto name = n.name.text.size();
        const bool deleted =
            last != line.npos && last >= name && same_text(line.substr(last - name, name), n.name.text);
        return deleted ? fx_tail::deletions : fx_tail::deletions_of_used;
    }
    return fx_tail::deletions;
}

/// pre: at the body's first line. post: behind the return line.
constexpr bool parse_body(fx_reader& r) {
    auto& c = r.c;
    const auto body = c;
    std::string_view comment;
    cursor declarations = c;
    declarations.at = c.end;
    fx_tail tail = fx_tail::nothing;
    bool first = true;
    while (true) {
        const auto line = c.at;
        c.skip_spaces();
        const char next = c.peek();
        if (!declarations.done() && next != '\n' && next != '#') {
            cursor unpacking = c;
            unpacking.name();
            if (unpacking.peek() != ',') return misplaced_declaration(r, declarations);
        }
        if (c.done()) {
            r.about({});
            r.style.tail = tail == fx_tail::deletions ? deletions_of(r) : tail;
            if (!deletes_all(r, body))
                return r.fail(fault::text_has_no_return, "a line 'return ...'", "the end of the text");
            return read_no_results(r);
        }
        if (next == '\n') {
            c.next_line();
            continue;
        }
        if (next == '#') {
            const auto from = c.at + (c.peek(1) == ' ' ? 2 : 1);
            c.next_line();
            const auto to = c.at > line && c.text[c.at - 1] == '\n' ? c.at - 1 : c.at;
            comment = c.part(from < to ? from : to, to);
            r.style.file_comments = true;
            continue;
        }
        if (first) r.style.body_indent = c.at - line;
        first = false;
        if (next == 'r' && c.accept("return ")) {
            if (!read_results(r, c.line)) return false;
            r.style.tail = tail == fx_tail::deletions ? deletions_of(r) : tail;
            return true;
        }
        node n;
        n.from.line = c.line;
        n.from.comment = comment;
        const auto from = c.at;
        n.name = {c.name(), 0};
        r.about(n.name.text);
        if (n.name.text.empty()) return r.malformed("a statement, 'name = ...', or 'return'");
        if (c.peek() == ',') {
            if (!read_unpacking(r, from, declarations)) return false;
            declarations.at = c.end;
            c.next_line();
            continue;
        }
        if (c.peek() == ':' && !read_annotation_text(r, n.annotation, false)) return false;
        if (c.peek() == ';' && !n.annotation.empty()) {
            declarations = c;
            declarations.at = from;
            c.next_line();
            continue;
        }
        if (!r.expect(" = ")) return false;
        bool renamed = false;
        if (!read_right_side(r, n, renamed)) return false;
        if (renamed) c.next_line();
        else if (!r.append(n) || !read_tail(r, tail)) return false;
    }
}

} // namespace ahead::detail
