// SPDX-License-Identifier: MIT
// Lexer for protocol-buffer text: fields, blocks, strings and numbers, with their line numbers, and faults at the
// cursor. It knows nothing of graphs.
// Invariant: never reads past the text; every refusal names the line, what was expected and what was found. Called by
// read_pbtxt.hpp and what it calls.
#pragma once
#include <ahead/core/array_view.hpp>
#include <ahead/core/decimal.hpp>
#include <ahead/core/diagnosis.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

class pbtxt_reader {
public:
    /// `characters` receives strings after their escapes are replaced.
    constexpr pbtxt_reader(std::string_view text, array_view<char> characters, diagnosis& d)
        : text_(text), characters_(characters), d_(d) {}

    // ---- faults

    constexpr bool fail(fault what, const short_text& expected, const short_text& found) {
        if (d_.ok()) {
            refuse(d_, what, expected, found.length > 0 ? found : here());
            place();
        }
        return false;
    }
    /// Adds the position to a refusal that was made elsewhere.
    constexpr bool placed(bool ok) {
        if (!ok) place();
        return ok;
    }
    constexpr bool malformed(const short_text& expected) { return fail(fault::text_is_malformed, expected, here()); }
    /// Sets the node and operator that a fault names.
    constexpr void about(std::string_view name, std::string_view op) {
        name_ = name;
        op_ = op;
    }
    constexpr short_text here() const {
        if (at_ >= text_.size()) return "the end of the text";
        const auto rest = text_.substr(at_, 41);
        const auto end = rest.find('\n');
        if (end == 0) return "the end of the line";
        return short_text() << "'" << rest.substr(0, end < 40 ? end : 40)
                            << (end > 40 && rest.size() > 40 ? "...'" : "'");
    }
    constexpr std::int32_t line() const { return line_; }

    // ---- characters of the graph that the text does not have

    /// Appends a piece to the characters; take() gives all pieces since the last call.
    constexpr bool put(std::string_view piece) {
        if (characters_.size() - used_ < piece.size())
            return fail(fault::graph_exceeds_capacity, short_text() << characters_.size() << " characters", "more");
        for (char c : piece) characters_[used_++] = c;
        return true;
    }
    constexpr std::string_view take() {
        const std::string_view out{characters_.data() + taken_, used_ - taken_};
        taken_ = used_;
        return out;
    }

    // ---- blanks and signs

    /// Skips blanks and comments. post: at the next token, or at the end.
    constexpr void skip() {
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '#')
                while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
            else if (c == '\n') ++line_;
            else if (c != ' ' && c != '\t' && c != '\r') return;
        }
    }
    constexpr bool done() {
        skip();
        return at_ >= text_.size();
    }
    constexpr bool next_is(char c) {
        skip();
        return at_ < text_.size() && text_[at_] == c;
    }
    constexpr bool accept(char c) {
        if (!next_is(c)) return false;
        ++at_;
        return true;
    }
    constexpr bool open() { return accept('{') || malformed("'{'"); }
    constexpr bool close() { return accept('}') || malformed("'}'"); }

    // ---- words and values

    /// A field's name, a number, or an unquoted value; empty if there is none.
    constexpr std::string_view word() {
        skip();
        const auto first = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        return text_.substr(first, at_ - first);
    }
    /// The colon of a scalar, after its name.
    constexpr bool colon() { return accept(':') || malformed("':'"); }
    /// The field with this name, and its colon.
    constexpr bool field(std::string_view wanted) {
        skip();
        const auto at = at_;
        if (word() == wanted) return colon();
        at_ = at;
        return malformed(short_text() << "'" << wanted << "'");
    }
    /// The field s, which holds a string.
    constexpr bool text(std::string_view& out) { return field("s") && string(out); }
    /// The block with this name, and its opening brace.
    constexpr bool block(std::string_view wanted) {
        skip();
        const auto at = at_;
        if (word() == wanted) return open();
        at_ = at;
        return malformed(short_text() << "'" << wanted << " {'");
    }
    constexpr bool integer(std::int64_t& out) {
        skip();
        const auto at = at_;
        const auto digits = word();
        if (read_integer(digits, out)) return true;
        at_ = at;
        return malformed("an integer");
    }
    constexpr bool real(std::int64_t& bits, std::string_view& digits) {
        skip();
        const auto at = at_;
        digits = word();
        if (read_decimal(digits, bits)) return true;
        at_ = at;
        return malformed("a number");
    }
    constexpr bool boolean(bool& out) {
        skip();
        const auto at = at_;
        const auto w = word();
        out = w == "true";
        if (out || w == "false") return true;
        at_ = at;
        return malformed("true or false");
    }
    /// A quoted string: a view of the text, or of `characters` if it contains escapes.
    constexpr bool string(std::string_view& out) {
        skip();
        if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return malformed("a string in quotes");
        const char quote = text_[at_];
        const auto first = at_ + 1;
        auto end = first;
        bool escapes = false;
        for (; end < text_.size() && text_[end] != quote && text_[end] != '\n'; ++end)
            if (text_[end] == '\\') {
                escapes = true;
                if (end + 1 < text_.size() && text_[end + 1] != '\n') ++end;
            }
        if (end >= text_.size() || text_[end] != quote) return malformed("a string that ends in its line");
        out = text_.substr(first, end - first);
        if (escapes && !unescape(first, end, out)) return false;
        at_ = end + 1;
        return true;
    }

private:
    std::string_view text_;
    array_view<char> characters_;
    std::size_t used_ = 0;  // number of `characters_` used
    std::size_t taken_ = 0; // number of them that the graph has
    diagnosis& d_;
    std::size_t at_ = 0;
    std::int32_t line_ = 1;
    std::string_view name_, op_;

    constexpr void place() {
        d_.line = line_;
        d_.name = name_;
        d_.op = op_;
    }
    static constexpr bool is_word(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '+' || c == '.';
    }
    static constexpr bool read_integer(std::string_view digits, std::int64_t& out) {
        const bool negative = !digits.empty() && digits[0] == '-';
        if (negative) digits.remove_prefix(1);
        if (digits.empty()) return false;
        out = 0; // counts downwards: the lowest int64 has no positive counterpart
        for (char c : digits) {
            if (c < '0' || c > '9') return false;
            if (out < (lowest + (c - '0')) / 10) return false;
            out = out * 10 - (c - '0');
        }
        if (negative) return true;
        if (out == lowest) return false;
        out = -out;
        return true;
    }
    static constexpr std::int64_t lowest = -0x7fff'ffff'ffff'ffff - 1;

    constexpr bool unescape(std::size_t first, std::size_t end, std::string_view& out) {
        const auto begin = used_;
        if (characters_.size() - used_ < end - first)
            return fail(fault::graph_exceeds_capacity, short_text() << characters_.size() << " characters", "more");
        for (auto i = first; i < end; ++i) {
            char c = text_[i];
            if (c == '\\') {
                at_ = i;
                const char e = text_[++i];
                if (e == 'n') c = '\n';
                else if (e == 't') c = '\t';
                else if (e == 'r') c = '\r';
                else if (e == '"' || e == '\'' || e == '\\') c = e;
                else return malformed("one of the escapes \\n, \\t, \\r, \\\", \\', \\\\");
            }
            characters_[used_++] = c;
        }
        out = {characters_.data() + begin, used_ - begin};
        taken_ = used_;
        return true;
    }
};

} // namespace ahead::detail
