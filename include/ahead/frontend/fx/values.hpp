// SPDX-License-Identifier: MIT
// Reads the values of FX text into arguments of the graph: numbers, strings, words, names, lists.
// Invariant: an accepted value prints back unchanged. Called by the readers of the individual forms.
#pragma once
#include <ahead/frontend/fx/text/number.hpp>

namespace AHEAD_NAMESPACE::detail {

inline constexpr int max_depth = 16; // nesting of lists

constexpr bool read_elements(fx_reader& r, id_range<argument_id>& range, node_id owner, char closing, bool comma);

/// After "device": (type='cuda', index=0). The index is kept in bits, -1 if there is none.
constexpr bool read_device(fx_reader& r, argument_id id, node_id owner, std::string_view keyword) {
    auto& c = r.c;
    if (!r.expect("(type='")) return false;
    argument a{.kind = argument_kind::device, .bits = -1, .text = c.name(), .keyword = keyword};
    if (a.text.empty()) return r.malformed("a device");
    if (!r.expect("'")) return false;
    if (c.accept(", index=")) {
        if (!c.is(digit_char)) return r.malformed("the device's index");
        a.bits = read_digits(r);
    }
    if (!r.expect(")")) return false;
    return r.put(id, a, owner);
}

/// Whether an unquoted word may end here.
constexpr bool at_word_end(const fx_reader& r) {
    const auto& c = r.c;
    const char next = c.peek();
    return next == ')' || next == ']' || next == '}' || (next == ',' && (c.peek(1) == ' ' || c.peek(1) == ')'));
}

/// Reads text without quotes, up to the comma or bracket that ends the argument. May be empty.
constexpr bool read_bare_word(fx_reader& r, argument_id id, node_id owner, std::string_view keyword,
                              std::int32_t from) {
    auto& c = r.c;
    for (std::int32_t depth = 0; !c.done() && c.peek() != '\n'; ++c.at) {
        const char next = c.peek();
        if (depth == 0 && at_word_end(r)) break;
        if (next == '{') return r.malformed("a value, not a dictionary");
        depth += next == '(' || next == '[' ? 1 : next == ')' || next == ']' ? -1 : 0;
    }
    return r.put(id, {.kind = argument_kind::word, .text = c.since(from), .keyword = keyword}, owner);
}

constexpr bool read_children(fx_reader& r, argument_id id, node_id owner, std::string_view keyword, argument_kind kind,
                             char closing) {
    auto& c = r.c;
    if (r.depth == max_depth) return r.malformed(short_text() << "lists nested at most " << max_depth << " deep");
    ++c.at;
    ++r.depth;
    id_range<argument_id> range;
    if (!read_elements(r, range, owner, closing, kind == argument_kind::tuple)) return false;
    --r.depth;
    return r.put(id, {.kind = kind, .keyword = keyword, .children = range}, owner);
}

/// Reads a value that starts with a letter; its first name, `w`, has been read.
constexpr bool read_word(fx_reader& r, argument_id id, node_id owner, std::string_view keyword, std::string_view w,
                         std::int32_t from) {
    auto& c = r.c;
    const bool dotted = c.peek() == '.';
    if (dotted) {
        c.skip(dotted_char);
        w = c.since(from);
    }
    const char next = c.peek();
    if (r.listing && !at_word_end(r) && !(next == '(' && (same_text(w, "slice") || same_text(w, "complex"))))
        return read_bare_word(r, id, owner, keyword, from);
    const char first = c.text[from];
    const bool special = first == 'N' || first == 'T' || first == 'F' || first == 'i' || first == 'n' || next == '(';
    if (!r.listing && !special && !dotted) return r.reference(id, owner, keyword, w);
    argument a{.keyword = keyword};
    if (first == 'N' && same_text(w, "None")) return r.put(id, a, owner);
    if ((first == 'T' && same_text(w, "True")) || (first == 'F' && same_text(w, "False"))) {
        a.kind = argument_kind::boolean;
        a.bits = first == 'T';
        return r.put(id, a, owner);
    }
    if ((first == 'i' && same_text(w, "inf")) || (first == 'n' && same_text(w, "nan"))) {
        a.kind = argument_kind::real;
        a.text = w;
        read_decimal(w, a.bits);
        return r.put(id, a, owner);
    }
    if (next == '(') {
        if (same_text(w, "slice")) return read_children(r, id, owner, keyword, argument_kind::slice, ')');
        if (same_text(w, "device")) return read_device(r, id, owner, keyword);
        if (same_text(w, "complex")) {
            c.at = from;
            return read_complex_number(r, id, owner, keyword);
        }
        return r.fail(fault::node_kind_is_unsupported, "a value", short_text() << "a call of " << w);
    }
    if (first == 't' && starts_with(w, "torch.")) {
        a.kind = argument_kind::word;
        a.text = w;
        if (const auto type = dtype_named(w)) {
            a.kind = argument_kind::dtype;
            a.bits = static_cast<std::int64_t>(*type);
        } else if (same_text(w, "torch.strided") || same_text(w, "torch.jagged") || starts_with(w, "torch.sparse"))
            a.kind = argument_kind::layout;
        else if (w.size() > 13 &&
                 (same_chars(w.data() + w.size() - 7, "_format", 7) || starts_with(w, "torch.channels")))
            a.kind = argument_kind::memory_format;
        else if (starts_with(w, "torch.ops.") && !r.takes_operators)
            return r.fail(fault::node_kind_is_unsupported, "a value", short_text() << "the function " << w);
        return r.put(id, a, owner);
    }
    if (r.listing) return read_bare_word(r, id, owner, keyword, from);
    if (!dotted) return r.reference(id, owner, keyword, w);
    a.kind = argument_kind::word; // an enumerator
    a.text = w;
    return r.put(id, a, owner);
}

/// Reads one value into argument `id` of node `owner`.
constexpr bool read_value(fx_reader& r, argument_id id, node_id owner, std::string_view keyword = {}) {
    auto& c = r.c;
    const char first = c.peek();
    const auto classes = char_classes.classes[static_cast<unsigned char>(first)];
    if (r.listing && first == '%') {
        ++c.at;
        return r.reference(id, owner, keyword, c.name());
    }
    if (r.numbers_are_words && (classes & digit_char) != 0) return read_bare_word(r, id, owner, keyword, c.at);
    if ((classes & digit_char) != 0 || (first == '-' && (c.peek(1) == 'i' || (c.peek(1) >= '0' && c.peek(1) <= '9'))))
        return read_number(r, id, owner, keyword);
    if (first == '[') return read_children(r, id, owner, keyword, argument_kind::list, ']');
    if (first == '(' && is_in_number(c.peek(1)) && length_of_complex(c.part(c.at, c.end)) > 0)
        return read_complex_number(r, id, owner, keyword);
    if (first == '(') return read_children(r, id, owner, keyword, argument_kind::tuple, ')');
    if (first == '{' && r.takes_operators && !r.listing) { // a higher-order call's options: kept unchanged
        const auto from = c.at++;
        c.at = c.measure().close;
        if (!c.accept('}')) return r.malformed("a closing bracket");
        return r.put(id, {.kind = argument_kind::word, .text = c.since(from), .keyword = keyword}, owner);
    }
    if (!r.listing && (first == '\'' || first == '"')) {
        const auto from = c.at + 1;
        c.skip_string();
        const auto to = c.at;
        if (c.peek() != first) return r.malformed("a string with its closing quote");
        ++c.at;
        return r.put(id, {.kind = argument_kind::string, .text = c.part(from, to), .keyword = keyword}, owner);
    }
    if ((classes & name_char) != 0) {
        const auto from = c.at;
        return read_word(r, id, owner, keyword, c.name(), from);
    }
    if (r.listing) return read_bare_word(r, id, owner, keyword, c.at);
    return r.malformed("a value");
}

/// Moves to the next element: after a comma, and in Python text blanks, line ends and comments.
constexpr bool next_element(fx_reader& r) {
    auto& c = r.c;
    if (r.listing) return r.expect(", ");
    if (c.at + 2 < c.end && c.text[c.at] == ',' && c.text[c.at + 1] == ' ' && c.text[c.at + 2] != ' ' &&
        c.text[c.at + 2] != '\n') {
        c.at += 2;
        return true;
    }
    c.skip_blanks();
    if (!c.accept(',')) return r.malformed("',' or a closing bracket");
    c.skip_blanks();
    return true;
}

/// Reads the closing bracket, after an optional comma.
constexpr bool read_close(fx_reader& r, char bracket) {
    auto& c = r.c;
    if (c.accept(bracket)) return true;
    c.skip_blanks();
    if (c.accept(',')) c.skip_blanks();
    return c.accept(bracket) || r.malformed(short_text() << "'" << std::string_view(&bracket, 1) << "'");
}

/// Reads the elements between brackets, after the opening one, and the closing bracket. `comma`: a single element needs
/// a comma after it.
constexpr bool read_elements(fx_reader& r, id_range<argument_id>& range, node_id owner, char closing, bool comma) {
    auto& c = r.c;
    if (!r.listing) c.skip_blanks();
    const auto measured = c.measure(r.listing);
    if (measured.close == c.end) return r.malformed("a closing bracket");
    if (!r.listing && comma && measured.elements == 1 && !measured.trailing_comma)
        return r.malformed("a tuple, '(x,)'");
    if (!r.reserve(measured.elements, range)) return false;
    for (std::int32_t i = 0; i < range.count; ++i)
        if ((i > 0 && !next_element(r)) || !read_value(r, range[i], owner)) return false;
    if (r.listing)
        return (!comma || range.count != 1 || r.expect(",")) && (c.accept(closing) || r.malformed("a closing bracket"));
    return read_close(r, closing);
}

} // namespace ahead::detail
