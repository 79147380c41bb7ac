// SPDX-License-Identifier: MIT
// Reads the annotation after a name, `x: "f32[2]"`, as text. Called by definition.hpp, unpacking.hpp, readable.hpp.
// Invariant: in one text all annotations have quotes or none has, except Python's types, which never have quotes.
#pragma once
#include <ahead/frontend/fx/values.hpp>

namespace AHEAD_NAMESPACE::detail {

/// After a name: reads ": ann" or " : ann". Unquoted annotations end at " = ", or at a comma or ")" outside brackets.
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

} // namespace ahead::detail
