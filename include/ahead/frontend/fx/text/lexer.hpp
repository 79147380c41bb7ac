// SPDX-License-Identifier: MIT
// A cursor over FX text, which skips runs of characters of a class.
// Invariant: a cursor never reads past its text; each skipped character costs one statement, the unit of cost in
// constant evaluation.
// Called by reader.hpp.
#pragma once
#include <ahead/frontend/fx/text/characters.hpp>
#include <type_traits>

namespace AHEAD_NAMESPACE::detail {

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

    // Constant evaluation is billed per statement and per call, so these functions test four characters in one
    // statement and make no calls.
    /// pre: exactly one class.
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
    /// Moves to `c`, or to the line's end.
    constexpr void skip_in_line_to(char c) {
        const char* p = text;
        auto i = at;
        while (i < end && p[i] != c && p[i] != '\n') ++i;
        at = i;
    }
    /// Moves to the first character of the next line, or to the end of the text, which does not count as a line.
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
    /// Inside brackets a statement may continue in the next line, after a comment.
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
    /// Whether no statement can continue in the line at `from`: it is blank, or begins the text after the code of an
    /// ExportedProgram.
    constexpr bool ends_statement(std::int32_t from) const {
        cursor next = *this;
        next.at = from;
        next.skip_spaces();
        return next.peek() == '\n' || next.starts_with("Graph signature");
    }
    struct extent {
        std::int32_t elements = 0; // commas + 1; a trailing comma does not count
        std::int32_t close = 0;    // position of the closing bracket
        bool trailing_comma = false;
    };
    /// pre: inside a bracket. If strings have lost their quotes (`spaced`), a comma separates only before a blank:
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
            } else if (!spaced) { // quotes and # are plain text if strings have lost their quotes
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

} // namespace ahead::detail
