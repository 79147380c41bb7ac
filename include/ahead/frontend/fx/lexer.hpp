// SPDX-License-Identifier: MIT
// The characters of FX text: classes, a cursor that skips runs of them, and operator spellings.
// Invariant: a cursor never reads past its text; each skipped character costs one statement, which is what constant
// evaluation is billed by.
// Called by the FX parser only.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace AHEAD_NAMESPACE::detail {

enum char_class : std::uint8_t {
    name_char = 1,   // A-Z a-z 0-9 _
    digit_char = 2,  // 0-9
    dotted_char = 4, // name characters and "."
    number_char = 8, // what a number may hold: digits . e + -
    nested_char =
        16, // what matters when looking for a closing bracket: brackets, commas, quotes, #, ; and the line's end
    counted_char = 32, // what matters when counting a line: nested characters, ; = and the line's end
    operator_char = 64,
    deletion_char = 128, // what "a = b = None" consists of
};

struct char_table {
    std::uint8_t classes[256]{};
    constexpr void add(std::string_view chars, int bits) {
        for (char c : chars)
            classes[static_cast<unsigned char>(c)] =
                static_cast<std::uint8_t>(classes[static_cast<unsigned char>(c)] | bits);
    }
};
inline constexpr auto char_classes = [] {
    char_table table;
    table.add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789", name_char | dotted_char);
    table.add(".", dotted_char);
    table.add("0123456789", digit_char);
    table.add("0123456789.e+-", number_char);
    table.add("()[]{},'\"#", nested_char | counted_char);
    table.add(";\n", nested_char | counted_char);
    table.add("=", counted_char);
    table.add("+-*/%@&|^<>=!", operator_char);
    table.add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789 =", deletion_char);
    return table;
}();

/// Whether the first `size` characters are the same. Free of charge in constant evaluation, if the text is a literal;
/// g++ compares computed text character by character.
constexpr bool same_chars(const char* a, const char* b, std::size_t size) {
    if (std::is_constant_evaluated() && !__builtin_constant_p(__builtin_memcmp(a, b, size))) {
        for (std::size_t i = 0; i < size; ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
    return __builtin_memcmp(a, b, size) == 0;
}
constexpr bool same_text(std::string_view a, std::string_view b) {
    return a.size() == b.size() && same_chars(a.data(), b.data(), a.size());
}
/// Literals are passed as arrays: measuring one as a string_view would cost a step per character in every constant
/// evaluation.
template <std::size_t Size> constexpr bool same_text(std::string_view a, const char (&b)[Size]) {
    return a.size() == Size - 1 && same_chars(a.data(), b, Size - 1);
}
template <std::size_t Size> constexpr bool starts_with(std::string_view text, const char (&start)[Size]) {
    return text.size() >= Size - 1 && same_chars(text.data(), start, Size - 1);
}

struct cursor {
    const char* text = nullptr;
    std::int32_t end = 0;
    std::int32_t at = 0;
    std::int32_t line = 1;

    constexpr bool done() const { return at >= end; }
    constexpr char peek() const { return at < end ? text[at] : '\0'; }
    constexpr char peek(std::int32_t ahead) const { return at + ahead < end ? text[at + ahead] : '\0'; }
    constexpr bool is(int classes) const {
        return at < end && (char_classes.classes[static_cast<unsigned char>(text[at])] & classes) != 0;
    }
    constexpr std::string_view since(std::int32_t from) const {
        return {text + from, static_cast<std::size_t>(at - from)};
    }
    constexpr std::string_view part(std::int32_t from, std::int32_t to) const {
        return {text + from, static_cast<std::size_t>(to - from)};
    }

    // Constant evaluation is billed per statement and per call, so these look at four characters in one and call
    // nothing.
    /// pre: one class.
    constexpr void skip(int one_class) {
        using byte = unsigned char;
        const char* p = text;
        auto i = at;
        while (i + 3 < end &&
               (char_classes.classes[byte(p[i])] & char_classes.classes[byte(p[i + 1])] &
                char_classes.classes[byte(p[i + 2])] & char_classes.classes[byte(p[i + 3])] & one_class) != 0)
            i += 4;
        while (i < end && (char_classes.classes[byte(p[i])] & one_class) != 0) ++i;
        at = i;
    }
    constexpr void skip_other(int classes) {
        using byte = unsigned char;
        const char* p = text;
        auto i = at;
        while (i + 3 < end && ((char_classes.classes[byte(p[i])] | char_classes.classes[byte(p[i + 1])] |
                                char_classes.classes[byte(p[i + 2])] | char_classes.classes[byte(p[i + 3])]) &
                               classes) == 0)
            i += 4;
        while (i < end && (char_classes.classes[byte(p[i])] & classes) == 0) ++i;
        at = i;
    }
    constexpr void skip_spaces() {
        while (at + 3 < end && text[at] == ' ' && text[at + 1] == ' ' && text[at + 2] == ' ' && text[at + 3] == ' ')
            at += 4;
        while (at < end && text[at] == ' ') ++at;
    }
    constexpr void skip_to(char c) {
        const char* p = text;
        auto i = at;
        while (i + 3 < end && p[i] != c && p[i + 1] != c && p[i + 2] != c && p[i + 3] != c) i += 4;
        while (i < end && p[i] != c) ++i;
        at = i;
    }
    /// To `c`, or to the line's end.
    constexpr void skip_in_line_to(char c) {
        const char* p = text;
        auto i = at;
        while (i < end && p[i] != c && p[i] != '\n') ++i;
        at = i;
    }
    /// To the first character of the next line, or to the end of the text, which is no line of its own.
    constexpr void next_line() {
        skip_to('\n');
        if (at < end) ++at, ++line;
    }
    template <std::size_t Size> constexpr bool starts_with(const char (&word)[Size]) const {
        return end - at >= static_cast<std::int32_t>(Size - 1) && same_chars(text + at, word, Size - 1);
    }
    template <std::size_t Size> constexpr bool accept(const char (&word)[Size]) {
        if (end - at < static_cast<std::int32_t>(Size - 1) || !same_chars(text + at, word, Size - 1)) return false;
        at += static_cast<std::int32_t>(Size - 1);
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
        while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '#')) {
            if (text[at] == '\n') ++line;
            else if (text[at] == '#') {
                skip_to('\n');
                continue;
            }
            ++at;
        }
    }
    /// Whether no statement can go on in the line at `from`: it is blank, or starts what follows the code of an
    /// ExportedProgram.
    constexpr bool ends_statement(std::int32_t from) const {
        cursor next = *this;
        next.at = from;
        next.skip_spaces();
        return next.peek() == '\n' || next.starts_with("Graph signature");
    }
    struct extent {
        std::int32_t elements = 0; // commas + 1; a trailing comma does not count
        std::int32_t close = 0;    // where the closing bracket is
        bool trailing_comma = false;
    };
    /// pre: inside a bracket. Where strings have lost their quotes (`spaced`), a comma separates only before a blank:
    /// "bij,bjk->bik" is one word.
    constexpr extent measure(bool spaced = false) const {
        const char* p = text;
        auto i = at;
        std::int32_t depth = 0;
        std::int32_t commas = 0;
        std::int32_t last_comma = at;
        while (true) {
            while (i < end && (char_classes.classes[static_cast<unsigned char>(p[i])] & nested_char) == 0) ++i;
            if (i >= end) return {commas + 1, end, false};
            const char found = p[i++];
            if (found == ',') {
                if (depth == 0 && (!spaced || (i < end && p[i] == ' '))) commas += (last_comma = i) != 0;
            } else if (found == '(' || found == '[' || found == '{') ++depth;
            else if (found == ')' || found == ']' || found == '}') {
                if (depth-- == 0) break;
            } else if (found == ';' || found == '\n') {
                if (spaced ? found == '\n' : found == ';' || ends_statement(i)) return {commas + 1, end, false};
            } else if (!spaced) { // quotes and # are plain text where strings have lost their quotes
                cursor c = *this;
                c.at = i - 1;
                if (found == '#') c.skip_to('\n');
                else c.skip_string();
                i = c.at + 1;
            }
        }
        // A trailing comma may be followed by blanks and comments.
        cursor tail = *this;
        tail.at = last_comma;
        if (!spaced) tail.skip_blanks();
        const bool trailing = tail.at == i - 1;
        return {trailing ? commas : commas + 1, i - 1, trailing && commas > 0};
    }
    /// pre: at a quote. post: at the closing one.
    constexpr void skip_string() {
        const char* p = text;
        const char quote = p[at];
        auto i = at + 1;
        while (i < end && p[i] != quote && p[i] != '\n') i += p[i] == '\\' ? 2 : 1;
        at = i < end ? i : end;
    }
};

struct python_operator {
    std::string_view sign; // as Python writes it
    std::string_view name; // as FX names the target
    bool unary = false;
};
inline constexpr python_operator python_operators[] = {
    {"+", "operator.add"},          {"-", "operator.sub"},       {"*", "operator.mul"},  {"/", "operator.truediv"},
    {"//", "operator.floordiv"},    {"%", "operator.mod"},       {"**", "operator.pow"}, {"@", "operator.matmul"},
    {"&", "operator.and_"},         {"|", "operator.or_"},       {"^", "operator.xor"},  {"<<", "operator.lshift"},
    {">>", "operator.rshift"},      {"==", "operator.eq"},       {"!=", "operator.ne"},  {"<", "operator.lt"},
    {"<=", "operator.le"},          {">", "operator.gt"},        {">=", "operator.ge"},  {"-", "operator.neg", true},
    {"~", "operator.invert", true}, {"+", "operator.pos", true},
};
/// The target's name; empty where Python has no such operator.
constexpr std::string_view python_operator_of_sign(std::string_view sign, bool unary) {
    for (const auto& op : python_operators)
        if (op.unary == unary && same_text(op.sign, sign)) return op.name;
    return {};
}

} // namespace ahead::detail
