// SPDX-License-Identifier: MIT
// The characters of FX text: classes, a cursor that skips runs of them, and operator spellings.
// Invariant: a cursor never reads past its text; each skipped character costs one statement, which is what constant evaluation is billed by.
// Called by the FX parser only.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ahead::detail {

enum char_class : std::uint8_t {
    name_char = 1,    // A-Z a-z 0-9 _
    digit_char = 2,   // 0-9
    dotted_char = 4,  // name characters and "."
    number_char = 8,  // what a number may hold: digits . e + -
    nested_char = 16, // what matters when looking for a closing bracket: brackets, commas, quotes, #
    counted_char = 32, // what matters when counting a line: nested characters, ; = and the line's end
    operator_char = 64,
};

inline constexpr auto char_classes = [] {
    std::array<std::uint8_t, 256> table{};
    const auto add = [&](std::string_view chars, int bits) {
        for (char c : chars) table[static_cast<unsigned char>(c)] = static_cast<std::uint8_t>(table[static_cast<unsigned char>(c)] | bits);
    };
    add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789", name_char | dotted_char);
    add(".", dotted_char);
    add("0123456789", digit_char);
    add("0123456789.e+-", number_char);
    add("()[]{},'\"#", nested_char | counted_char);
    add(";=\n", counted_char);
    add("+-*/%@&|^<>=!", operator_char);
    return table;
}();

/// Whether the first `size` characters are the same. Free of charge in constant evaluation.
constexpr bool same_chars(const char* a, const char* b, std::size_t size) { return __builtin_memcmp(a, b, size) == 0; }
constexpr bool same_text(std::string_view a, std::string_view b) { return a.size() == b.size() && same_chars(a.data(), b.data(), a.size()); }

struct cursor {
    const char* text = nullptr;
    std::int32_t end = 0;
    std::int32_t at = 0;
    std::int32_t line = 1;

    constexpr bool done() const { return at >= end; }
    constexpr char peek() const { return at < end ? text[at] : '\0'; }
    constexpr char peek(std::int32_t ahead) const { return at + ahead < end ? text[at + ahead] : '\0'; }
    constexpr bool is(int classes) const { return at < end && (char_classes[static_cast<unsigned char>(text[at])] & classes) != 0; }
    constexpr std::string_view since(std::int32_t from) const { return {text + from, static_cast<std::size_t>(at - from)}; }
    constexpr std::string_view part(std::int32_t from, std::int32_t to) const { return {text + from, static_cast<std::size_t>(to - from)}; }

    constexpr void skip(int classes) {
        const auto* table = char_classes.data();
        const char* p = text;
        auto i = at;
        while (i < end && (table[static_cast<unsigned char>(p[i])] & classes) != 0) ++i;
        at = i;
    }
    constexpr void skip_other(int classes) {
        const auto* table = char_classes.data();
        const char* p = text;
        auto i = at;
        while (i < end && (table[static_cast<unsigned char>(p[i])] & classes) == 0) ++i;
        at = i;
    }
    constexpr void skip_spaces() {
        while (at < end && text[at] == ' ') ++at;
    }
    constexpr void skip_to(char c) {
        const char* p = text;
        auto i = at;
        while (i < end && p[i] != c) ++i;
        at = i;
    }
    /// To the first character of the next line.
    constexpr void next_line() {
        skip_to('\n');
        if (at < end) ++at;
        ++line;
    }
    constexpr bool starts_with(std::string_view word) const {
        return static_cast<std::size_t>(end - at) >= word.size() && same_chars(text + at, word.data(), word.size());
    }
    constexpr bool accept(std::string_view word) {
        if (!starts_with(word)) return false;
        at += static_cast<std::int32_t>(word.size());
        return true;
    }
    constexpr bool accept(char c) {
        if (at >= end || text[at] != c) return false;
        ++at;
        return true;
    }
    constexpr std::string_view name() {
        const auto from = at;
        skip(name_char);
        return since(from);
    }
    constexpr std::string_view dotted() {
        const auto from = at;
        skip(dotted_char);
        return since(from);
    }
    /// The rest of the line from `from`, without trailing blanks.
    constexpr std::string_view rest_of_line(std::int32_t from) const {
        auto to = from;
        while (to < end && text[to] != '\n') ++to;
        while (to > from && text[to - 1] == ' ') --to;
        return part(from, to);
    }
    /// Inside brackets a statement may go on in the next line, after a comment.
    constexpr void skip_blanks() {
        while (at < end) {
            if (text[at] == '\n') ++line;
            else if (text[at] == '#') {
                skip_to('\n');
                continue;
            } else if (text[at] != ' ') break;
            ++at;
        }
    }
    struct extent {
        std::int32_t elements = 0; // commas + 1; a trailing comma does not count
        std::int32_t close = 0;    // where the closing bracket is
    };
    /// pre: inside a bracket. Where strings have lost their quotes (`spaced`), a comma separates only before a blank: "bij,bjk->bik" is one word.
    constexpr extent measure(bool spaced = false) const {
        cursor c = *this;
        std::int32_t depth = 0;
        std::int32_t commas = 0;
        std::int32_t last_comma = at;
        while (true) {
            c.skip_other(nested_char);
            const char found = c.peek();
            if (found == '\0') return {commas + 1, end};
            if (found == ',') {
                if (depth == 0 && (!spaced || c.peek(1) == ' ')) {
                    ++commas;
                    last_comma = c.at + 1;
                }
            } else if (found == '(' || found == '[' || found == '{') ++depth;
            else if (found == ')' || found == ']' || found == '}') {
                if (depth-- == 0) break;
            } else if (spaced) { // quotes and # are text
            } else if (found == '\'' || found == '"') c.skip_string();
            else if (found == '#') c.skip_to('\n');
            if (c.at < c.end) ++c.at;
        }
        cursor tail = *this;
        tail.at = last_comma;
        tail.skip_blanks();
        return {tail.at == c.at ? commas : commas + 1, c.at};
    }
    /// pre: at a quote. post: at the closing one.
    constexpr void skip_string() {
        const char quote = text[at++];
        while (at < end && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
    }
};

struct python_operator {
    std::string_view sign; // as Python writes it
    std::string_view name; // as FX names the target
    bool unary = false;
};
inline constexpr python_operator python_operators[] = {
    {"+", "operator.add"},  {"-", "operator.sub"},  {"*", "operator.mul"},    {"/", "operator.truediv"}, {"//", "operator.floordiv"},
    {"%", "operator.mod"},  {"**", "operator.pow"}, {"@", "operator.matmul"}, {"&", "operator.and_"},    {"|", "operator.or_"},
    {"^", "operator.xor"},  {"<<", "operator.lshift"}, {">>", "operator.rshift"}, {"==", "operator.eq"}, {"!=", "operator.ne"},
    {"<", "operator.lt"},   {"<=", "operator.le"},  {">", "operator.gt"},     {">=", "operator.ge"},
    {"-", "operator.neg", true}, {"~", "operator.invert", true}, {"+", "operator.pos", true},
};
constexpr const python_operator* python_operator_of_sign(std::string_view sign, bool unary) {
    for (const auto& op : python_operators)
        if (op.unary == unary && same_text(op.sign, sign)) return &op;
    return nullptr;
}
constexpr const python_operator* python_operator_of_name(std::string_view name) {
    for (const auto& op : python_operators)
        if (same_text(op.name, name)) return &op;
    return nullptr;
}

} // namespace ahead::detail
