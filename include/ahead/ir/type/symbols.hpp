// SPDX-License-Identifier: MIT
// Symbolic sizes in a text, as torch.export and torch.compile print them, f32[s0, 2*s1], Sym(s0 + 1), and their values:
// arithmetic on symbols in sympy's notation, rounded as in Python.
// Invariant: an expression that overflows or nests deeper than max_depth is refused. Called by annotation.hpp.
// Source: torch/utils/_sympy/functions.py, printers.py.
#pragma once
#include <ahead/core/array_view.hpp>
#include <ahead/core/checked.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::ir {

/// The value of a symbol in a text: {"s0", 4}, a number; host_symbol("s1"), a host parameter, whose number is given at
/// each run.
struct symbol_value {
    std::string_view name;
    std::int64_t value = 0;
    bool is_host_parameter = false;
};
constexpr symbol_value host_symbol(std::string_view name) { return {name, 0, true}; }
using symbol_values = array_view<const symbol_value>;

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// A character of the name of a symbol or a function.
constexpr bool is_symbol_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// An integer or a real number; a result with a real operand is real.
struct size_number {
    checked_int whole = 0;
    double real = 0;
    bool is_real = false;

    constexpr size_number(checked_int number) : whole(number) {}
    constexpr size_number(std::int64_t number) : whole(number) {}
    constexpr size_number(double number) : real(number), is_real(true) {}
    constexpr double as_real() const { return is_real ? real : static_cast<double>(whole.get()); }
    constexpr bool is_beside_real(const size_number& other) const { return is_real || other.is_real; }
    friend constexpr size_number operator+(const size_number& a, const size_number& b) {
        if (a.is_beside_real(b)) return a.as_real() + b.as_real();
        return a.whole + b.whole;
    }
    friend constexpr size_number operator-(const size_number& a, const size_number& b) {
        if (a.is_beside_real(b)) return a.as_real() - b.as_real();
        return a.whole - b.whole;
    }
    friend constexpr size_number operator*(const size_number& a, const size_number& b) {
        if (a.is_beside_real(b)) return a.as_real() * b.as_real();
        return a.whole * b.whole;
    }
    friend constexpr bool operator<(const size_number& a, const size_number& b) {
        return a.is_beside_real(b) ? a.as_real() < b.as_real() : a.whole.get() < b.whole.get();
    }
};

/// Parses one expression at the front of a text: 2*s0 + 1, (s0//2), Mod(s0, 4), Max(1, s0), s0 >= 2,
/// TruncToInt(1.5*ToFloat(s0)).
class size_expression {
public:
    constexpr size_expression(std::string_view text, symbol_values symbols) : text_(text), symbols_(symbols) {}

    /// Reads the longest expression. False if there is none, if it overflows or divides by zero, or if it contains a
    /// symbol without a value.
    constexpr bool read(std::int64_t& out) {
        const auto value = comparison();
        out = value.whole.get();
        is_real = value.is_real;
        return !is_wrong_ && !value.whole.is_lost();
    }
    constexpr std::string_view rest() const { return text_.substr(at_); }
    bool is_boolean = false; // the value is True or False: 1 or 0
    bool is_real = false;    // not an integer: out is set to 0

private:
    static constexpr int max_depth = 32;
    std::string_view text_;
    symbol_values symbols_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool is_wrong_ = false;

    constexpr char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    constexpr bool accept(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    constexpr size_number wrong() {
        is_wrong_ = true;
        return checked_int(0);
    }
    constexpr size_number truth(bool holds) {
        is_boolean = true;
        return checked_int(holds);
    }
    constexpr size_number divide(const size_number& a, const size_number& b, bool remainder) {
        if (a.is_beside_real(b) || b.whole.is_lost() || b.whole.get() == 0) return wrong();
        return remainder ? modulo_down(a.whole, b.whole.get()) : divide_down(a.whole, b.whole.get());
    }
    constexpr size_number comparison() {
        if (++depth_ > max_depth) return wrong();
        const auto a = sum();
        const auto against = [&](bool below, bool same, bool above) {
            const auto b = sum();
            return truth(a < b ? below : b < a ? above : same);
        };
        const auto value = accept(" == ")   ? against(false, true, false)
                           : accept(" != ") ? against(true, false, true)
                           : accept(" <= ") ? against(true, true, false)
                           : accept(" >= ") ? against(false, true, true)
                           : accept(" < ")  ? against(true, false, false)
                           : accept(" > ")  ? against(false, false, true)
                                            : a;
        --depth_;
        return value;
    }
    constexpr size_number sum() {
        auto value = product();
        while (!is_wrong_)
            if (accept(" + ")) value = value + product();
            else if (accept(" - ")) value = value - product();
            else break;
        return value;
    }
    constexpr size_number product() {
        auto value = factor();
        while (!is_wrong_)
            if (accept("//") || accept(" // ")) value = divide(value, factor(), false);
            else if (accept("%") || accept(" % ")) value = divide(value, factor(), true);
            else if (text_.substr(at_, 2) != "**" && (accept("*") || accept(" * "))) value = value * factor();
            else break;
        return value;
    }
    constexpr size_number factor() {
        if (accept("-")) return checked_int(0) - factor_once();
        auto value = one();
        if (is_wrong_ || !accept("**")) return value;
        const auto power = one();
        if (power.is_real || power.whole.get() < 0 || power.whole.get() > 62) return wrong();
        size_number out = checked_int(1);
        for (std::int64_t i = 0; i < power.whole.get(); ++i) out = out * value;
        return out;
    }
    constexpr size_number factor_once() {
        if (++depth_ > max_depth) return wrong();
        const auto value = factor();
        --depth_;
        return value;
    }
    /// A number, a symbol, a call, or an expression in brackets.
    constexpr size_number one() {
        if (accept("(")) {
            const auto value = comparison();
            return is_wrong_ || !accept(")") ? wrong() : value;
        }
        if (next() >= '0' && next() <= '9') return literal();
        const auto from = at_;
        while (is_symbol_char(next())) ++at_;
        const auto name = text_.substr(from, at_ - from);
        if (name.empty()) return wrong();
        if (accept("(")) return call(name);
        if (name == "True" || name == "False") return truth(name == "True");
        for (const auto& symbol : symbols_)
            if (symbol.name == name) return symbol.value;
        return wrong();
    }
    constexpr checked_int digits() {
        checked_int value = 0;
        for (; next() >= '0' && next() <= '9'; ++at_) value = value * 10 + (next() - '0');
        return value;
    }
    /// 2, 1.5 or 2e-05; a real number with more digits than a double holds is refused.
    constexpr size_number literal() {
        auto value = digits();
        if (next() != '.' && next() != 'e') return value;
        std::int64_t places = 0;
        if (accept(".")) {
            for (; next() >= '0' && next() <= '9'; ++at_, ++places) value = value * 10 + (next() - '0');
        }
        if (accept("e")) {
            const bool is_below = accept("-");
            if (!is_below) accept("+");
            if (next() < '0' || next() > '9') return wrong();
            const auto power = digits().get();
            if (power > 99) return wrong();
            places += is_below ? power : -power;
        }
        if (value.is_lost() || value.get() >= std::int64_t{1} << 53 || places > 22 || places < -22) return wrong();
        double scale = 1; // exact up to 10^22, and so is the scaled number
        for (auto i = places < 0 ? -places : places; i > 0; --i) scale *= 10;
        const auto whole = static_cast<double>(value.get());
        return places < 0 ? whole * scale : whole / scale;
    }
    /// A function of one operand that converts to or from a real number.
    constexpr size_number conversion(std::string_view name) {
        const auto a = comparison();
        if (is_wrong_ || !accept(")")) return wrong();
        if (name == "ToFloat") return a.as_real();
        using enum checked_int::direction;
        const auto to = name == "TruncToInt"   ? toward_zero
                        : name == "FloorToInt" ? down
                        : name == "CeilToInt"  ? up
                                               : to_even;
        return a.is_real ? checked_int::rounded(a.real, to) : a.whole;
    }
    /// pre: the text is after the opening bracket
    constexpr size_number call(std::string_view name) {
        if (name == "ToFloat" || name.ends_with("ToInt")) return conversion(name);
        const bool is_extreme = name == "Max" || name == "Min", is_test = name == "Eq" || name == "Ne";
        const bool is_remainder = name == "Mod" || name == "PythonMod", is_real_division = name.ends_with("TrueDiv");
        if (!is_extreme && !is_test && !is_remainder && !is_real_division && name != "FloorDiv" && name != "CleanDiv")
            return wrong();
        auto a = comparison();
        int operands = 1;
        for (; !is_wrong_ && accept(", "); ++operands) {
            const auto b = comparison();
            if (is_extreme) a = (name == "Max") == (a < b) ? b : a;
            else if (is_real_division) a = b.as_real() == 0 ? wrong() : size_number(a.as_real() / b.as_real());
            else if (is_test) a = truth((!(a < b) && !(b < a)) == (name == "Eq"));
            else a = divide(a, b, is_remainder);
        }
        return is_wrong_ || operands < 2 || (operands > 2 && !is_extreme) || !accept(")") ? wrong() : a;
    }
};

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using ir::host_symbol, ir::symbol_value;
} // namespace ahead