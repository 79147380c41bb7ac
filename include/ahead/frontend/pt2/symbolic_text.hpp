// SPDX-License-Identifier: MIT
// An expression of symbols as sympy.srepr prints it, Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(-1)), in
// the form that PyTorch's texts have: 2*s0 - 1.
// Invariant: it reads to the end of the text, at most 64 deep. Called by print_program.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <string>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

class symbolic_text {
public:
    explicit symbolic_text(std::string_view text) : text_(text) {}

    /// Appends the expression; false if the text is none.
    bool print(std::string& out) {
        std::string made;
        if (!expression(made, 0) || !text_.empty()) return false;
        out += made;
        return true;
    }

private:
    std::string_view text_;

    bool take(std::string_view word) {
        if (!text_.starts_with(word)) return false;
        text_.remove_prefix(word.size());
        return true;
    }
    std::string_view word() {
        std::size_t n = 0;
        while (n < text_.size() && (text_[n] == '_' || (text_[n] >= '0' && text_[n] <= '9') ||
                                    (text_[n] >= 'a' && text_[n] <= 'z') || (text_[n] >= 'A' && text_[n] <= 'Z')))
            ++n;
        const auto out = text_.substr(0, n);
        text_.remove_prefix(n);
        return out;
    }
    bool number(std::string& out) {
        if (take("-")) out += '-';
        const auto digits = word();
        for (const char c : digits)
            if (c < '0' || c > '9') return false;
        out += digits;
        return !digits.empty();
    }
    /// 'name', and what sympy assumes of the symbol.
    bool symbol(std::string& out) {
        if (!take("'")) return false;
        const auto name = word();
        out += name;
        if (name.empty() || !take("'")) return false;
        while (take(", "))
            if (word().empty() || !take("=") || word().empty()) return false;
        return take(")");
    }
    bool expression(std::string& out, int depth) {
        if (depth == 64) return false;
        if (!text_.empty() && (text_[0] == '-' || (text_[0] >= '0' && text_[0] <= '9'))) return number(out);
        const auto name = word();
        if (name.empty()) return false;
        if (!take("(")) { // a word: true, oo
            out += name;
            return true;
        }
        if (name == "Symbol") return symbol(out);
        if (name == "Integer") return number(out) && take(")");
        std::string_view infix = name == "Add"        ? " + "
                                 : name == "Mul"      ? "*"
                                 : name == "Pow"      ? "**"
                                 : name == "FloorDiv" ? "//"
                                                      : "";
        out += infix.empty() ? std::string(name) + "(" : "(";
        bool first = true;
        while (!take(")")) {
            if (!first && !take(", ")) return false;
            if (!first) out += infix.empty() ? ", " : infix;
            first = false;
            if (!expression(out, depth + 1)) return false;
        }
        out += ')';
        return true;
    }
};

} // namespace ahead::detail
