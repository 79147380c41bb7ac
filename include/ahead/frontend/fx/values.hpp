// SPDX-License-Identifier: MIT
// The values of FX text: numbers, strings, words, names, lists; the arguments of a call; the results. Read into
// arguments of the graph.
// Invariant: a value that is accepted prints back as it was. Called by the parsers of the single forms.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/frontend/fx/reader.hpp>

namespace AHEAD_NAMESPACE::detail {

inline constexpr int max_depth = 16; // of lists in lists

constexpr bool read_elements(fx_reader& r, id_range<argument_id>& range, node_id owner, char closing, bool comma);

constexpr std::int64_t read_digits(fx_reader& r) {
    auto& c = r.c;
    std::int64_t value = 0;
    while (c.is(digit_char) && value < 1'000'000) value = value * 10 + (c.text[c.at++] - '0');
    return value;
}

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

/// Text without quotes, up to the comma or bracket that ends the argument. May be empty.
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

constexpr bool read_number(fx_reader& r, argument_id id, node_id owner, std::string_view keyword) {
    auto& c = r.c;
    const auto from = c.at;
    const bool negative = c.peek() == '-';
    if (negative) ++c.at;
    const auto first = c.at;
    if (c.peek() == '0' && c.peek(1) >= '0' && c.peek(1) <= '9') return r.malformed("a number");
    std::uint64_t magnitude = 0;
    while (c.at < c.end && c.text[c.at] >= '0' && c.text[c.at] <= '9')
        magnitude = magnitude * 10 + static_cast<std::uint64_t>(c.text[c.at++] - '0');
    const char next = c.peek();
    if (next != '.' && next != 'e' && next != 'i') {
        const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
        if (c.at - first > 19 || magnitude > limit) {
            c.at = from;
            return r.malformed("an integer of 64 bits");
        }
        if (c.at == first || (negative && magnitude == 0)) {
            c.at = from;
            return r.malformed("a number");
        }
        const auto bits = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
        return r.put(id, {.kind = argument_kind::integer, .bits = bits, .keyword = keyword}, owner);
    }
    if (next == 'i') c.skip(name_char); // inf
    else c.skip(number_char);
    argument a{.kind = argument_kind::real, .text = c.since(from), .keyword = keyword};
    if (!read_decimal(a.text, a.bits)) {
        c.at = from;
        return r.malformed("a number");
    }
    return r.put(id, a, owner);
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

/// A value that starts with a letter; its first name, `w`, has been read.
constexpr bool read_word(fx_reader& r, argument_id id, node_id owner, std::string_view keyword, std::string_view w,
                         std::int32_t from) {
    auto& c = r.c;
    const bool dotted = c.peek() == '.';
    if (dotted) {
        c.skip(dotted_char);
        w = c.since(from);
    }
    const char next = c.peek();
    if (r.f1 && !at_word_end(r) && !(next == '(' && same_text(w, "slice")))
        return read_bare_word(r, id, owner, keyword, from);
    const char first = c.text[from];
    const bool special = first == 'N' || first == 'T' || first == 'F' || first == 'i' || first == 'n' || next == '(';
    if (!r.f1 && !special && !dotted) return r.reference(id, owner, keyword, w);
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
        else if (starts_with(w, "torch.ops."))
            return r.fail(fault::node_kind_is_unsupported, "a value", short_text() << "the function " << w);
        return r.put(id, a, owner);
    }
    if (r.f1) return read_bare_word(r, id, owner, keyword, from);
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
    if (r.f1 && first == '%') {
        ++c.at;
        return r.reference(id, owner, keyword, c.name());
    }
    if (r.numbers_are_words && (classes & digit_char) != 0) return read_bare_word(r, id, owner, keyword, c.at);
    if ((classes & digit_char) != 0 || (first == '-' && (c.peek(1) == 'i' || (c.peek(1) >= '0' && c.peek(1) <= '9'))))
        return read_number(r, id, owner, keyword);
    if (first == '[') return read_children(r, id, owner, keyword, argument_kind::list, ']');
    if (first == '(') return read_children(r, id, owner, keyword, argument_kind::tuple, ')');
    if (!r.f1 && (first == '\'' || first == '"')) {
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
    if (r.f1) return read_bare_word(r, id, owner, keyword, c.at);
    return r.malformed("a value");
}

/// From one element to the next: a comma, and in Python text blanks, line ends and comments.
constexpr bool next_element(fx_reader& r) {
    auto& c = r.c;
    if (r.f1) return r.expect(", ");
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

/// The closing bracket, after an optional comma.
constexpr bool read_close(fx_reader& r, char bracket) {
    auto& c = r.c;
    if (c.accept(bracket)) return true;
    c.skip_blanks();
    if (c.accept(',')) c.skip_blanks();
    return c.accept(bracket) || r.malformed(short_text() << "'" << std::string_view(&bracket, 1) << "'");
}

/// The elements between brackets, after the opening one. Also reads the closing one. `comma`: a single one needs a
/// comma behind it.
constexpr bool read_elements(fx_reader& r, id_range<argument_id>& range, node_id owner, char closing, bool comma) {
    auto& c = r.c;
    if (!r.f1) c.skip_blanks();
    const auto measured = c.measure(r.f1);
    if (measured.close == c.end) return r.malformed("a closing bracket");
    if (!r.f1 && comma && measured.elements == 1 && !measured.trailing_comma) return r.malformed("a tuple, '(x,)'");
    if (!r.reserve(measured.elements, range)) return false;
    for (std::int32_t i = 0; i < range.count; ++i)
        if ((i > 0 && !next_element(r)) || !read_value(r, range[i], owner)) return false;
    if (r.f1)
        return (!comma || range.count != 1 || r.expect(",")) && (c.accept(closing) || r.malformed("a closing bracket"));
    return read_close(r, closing);
}

/// The arguments of a call, after its "(": positional ones, then keyword = value. Also reads ")".
constexpr bool read_call_arguments(fx_reader& r, node& n, node_id owner) {
    auto& c = r.c;
    c.skip_blanks();
    const auto measured = c.measure();
    if (measured.close == c.end) return r.malformed("a closing bracket");
    if (!r.reserve(measured.elements, n.arguments)) return false;
    for (std::int32_t i = 0; i < measured.elements; ++i) {
        if (i > 0 && !next_element(r)) return false;
        const auto id = n.arguments[i];
        if (c.is(name_char) && !c.is(digit_char)) {
            const auto from = c.at;
            const auto first = c.name();
            if (c.accept(" = ") ? !read_value(r, id, owner, first) : !read_word(r, id, owner, {}, first, from))
                return false;
        } else if (!read_value(r, id, owner)) return false;
    }
    return read_close(r, ')');
}

// ---- results

/// One result per line, each with what PyTorch says about it: `add,  # PlainAOTOutput(idx=0)`. The comment becomes the
/// argument's text.
constexpr bool read_described_elements(fx_reader& r, argument_id id, node_id owner) {
    auto& c = r.c;
    const bool tuple = c.accept('(');
    if (!tuple) ++c.at;
    const auto measured = c.measure();
    if (measured.close == c.end) return r.malformed("a closing bracket");
    argument all{.kind = tuple ? argument_kind::tuple : argument_kind::list};
    if (!r.reserve(measured.elements, all.children)) return false;
    for (std::int32_t i = 0; i < all.children.count; ++i) {
        c.skip_blanks();
        if (!read_value(r, all.children[i], owner)) return false;
        if (!r.expect(",")) return false;
        c.skip_spaces();
        if (c.peek() == '#') {
            const auto from = c.at;
            c.skip_to('\n');
            if (r.g[all.children[i]].text.empty()) r.g[all.children[i]].text = c.since(from);
        }
    }
    c.skip_blanks();
    return (c.accept(tuple ? ')' : ']') || r.malformed("the closing bracket of the results")) && r.put(id, all, owner);
}

constexpr node output_node() {
    node n;
    n.kind = node_kind::output;
    n.name.text = "output";
    n.target = "output";
    return n;
}

/// After "return ": the output node. Its one argument is what is returned: a tuple, a list or a single value, as in FX.
constexpr bool read_results(fx_reader& r, std::int32_t line) {
    auto& c = r.c;
    r.about("output");
    node n = output_node();
    n.from.line = line;
    const auto owner = r.next_id();
    r.f1 = false;
    if (!r.reserve(1, n.arguments)) return false;
    r.style.unflatten = c.accept("pytree.tree_unflatten(");
    r.style.expanded_return = (c.peek() == '(' || c.peek() == '[') && c.peek(1) == '\n';
    if (r.style.expanded_return ? !read_described_elements(r, n.arguments[0], owner)
                                : !read_value(r, n.arguments[0], owner))
        return false;
    if (r.style.unflatten && !r.expect(", self._out_spec)")) return false;
    c.skip_spaces();
    if (c.accept('\n')) ++c.line;
    else if (!c.done()) return r.malformed("the end of the line");
    return r.append_unnamed(n);
}

/// A text without return line: its graph returns nothing.
constexpr bool read_no_results(fx_reader& r) {
    auto& c = r.c;
    node n = output_node();
    n.from.line = c.line;
    const auto owner = r.next_id();
    if (!r.reserve(1, n.arguments)) return false;
    r.put(n.arguments[0], {.kind = argument_kind::tuple}, owner);
    r.style.returns = false;
    return r.append_unnamed(n);
}

} // namespace ahead::detail
