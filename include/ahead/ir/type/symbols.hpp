// SPDX-License-Identifier: MIT
// Sizes that a text leaves open, as torch.export and torch.compile print them, f32[s0, 2*s1], Sym(s0 + 1), and what
// they are: arithmetic of symbols in sympy's words, rounded as Python does.
// Invariant: no expression overflows or nests deeper than max_depth: it is refused. Called by annotation.hpp.
// Source: torch/utils/_sympy/functions.py, printers.py.
#pragma once
#include <ahead/core/array_view.hpp>
#include <ahead/core/checked.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE {

/// What a symbol of a text stands for: {"s0", 4}, a number; host_symbol("s1"), a host parameter, whose number is given
/// at each run.
struct symbol_value {
    std::string_view name;
    std::int64_t value = 0;
    bool is_host_parameter = false;
};
constexpr symbol_value host_symbol(std::string_view name) { return {name, 0, true}; }
using symbol_values = array_view<const symbol_value>;

namespace detail {

/// Of the name of a symbol, or of a function.
constexpr bool is_symbol_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// One expression in front of a text: 2*s0 + 1, (s0//2), Mod(s0, 4), Max(1, s0), s0 >= 2.
class size_expression {
public:
    constexpr size_expression(std::string_view text, symbol_values symbols) : text_(text), symbols_(symbols) {}

    /// Reads as much as is one. False where there is none, it overflows, divides by zero, or names a symbol that is not
    /// given.
    constexpr bool read(std::int64_t& out) {
        const auto value = comparison();
        out = value.get();
        return !is_wrong_ && !value.is_lost();
    }
    constexpr std::string_view rest() const { return text_.substr(at_); }
    bool is_boolean = false; // it is True or False: 1 or 0

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
    constexpr checked_int wrong() {
        is_wrong_ = true;
        return 0;
    }
    constexpr checked_int truth(bool holds) {
        is_boolean = true;
        return holds ? 1 : 0;
    }
    constexpr checked_int divide(checked_int a, checked_int b, bool remainder) {
        if (b.is_lost() || b.get() == 0) return wrong();
        return remainder ? modulo_down(a, b.get()) : divide_down(a, b.get());
    }
    constexpr checked_int comparison() {
        if (++depth_ > max_depth) return wrong();
        const auto a = sum();
        const auto against = [&](auto compare) {
            const auto b = sum();
            return truth(compare(a.get(), b.get()));
        };
        const auto value = accept(" == ")   ? against([](auto x, auto y) { return x == y; })
                           : accept(" != ") ? against([](auto x, auto y) { return x != y; })
                           : accept(" <= ") ? against([](auto x, auto y) { return x <= y; })
                           : accept(" >= ") ? against([](auto x, auto y) { return x >= y; })
                           : accept(" < ")  ? against([](auto x, auto y) { return x < y; })
                           : accept(" > ")  ? against([](auto x, auto y) { return x > y; })
                                            : a;
        --depth_;
        return value;
    }
    constexpr checked_int sum() {
        auto value = product();
        while (!is_wrong_)
            if (accept(" + ")) value = value + product();
            else if (accept(" - ")) value = value - product();
            else break;
        return value;
    }
    constexpr checked_int product() {
        auto value = factor();
        while (!is_wrong_)
            if (accept("//") || accept(" // ")) value = divide(value, factor(), false);
            else if (accept("%") || accept(" % ")) value = divide(value, factor(), true);
            else if (text_.substr(at_, 2) != "**" && (accept("*") || accept(" * "))) value = value * factor();
            else break;
        return value;
    }
    constexpr checked_int factor() {
        if (accept("-")) return 0 - factor_once();
        auto value = one();
        if (is_wrong_ || !accept("**")) return value;
        const auto power = one().get();
        if (power < 0 || power > 62) return wrong();
        checked_int out = 1;
        for (std::int64_t i = 0; i < power; ++i) out = out * value;
        return out;
    }
    constexpr checked_int factor_once() {
        if (++depth_ > max_depth) return wrong();
        const auto value = factor();
        --depth_;
        return value;
    }
    /// A number, a symbol, a call, or what stands in brackets.
    constexpr checked_int one() {
        if (accept("(")) {
            const auto value = comparison();
            return is_wrong_ || !accept(")") ? wrong() : value;
        }
        if (next() >= '0' && next() <= '9') {
            checked_int value = 0;
            for (; next() >= '0' && next() <= '9'; ++at_) value = value * 10 + (next() - '0');
            return next() == '.' ? wrong() : value;
        }
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
    /// pre: behind its bracket
    constexpr checked_int call(std::string_view name) {
        const bool is_extreme = name == "Max" || name == "Min", is_test = name == "Eq" || name == "Ne";
        const bool is_remainder = name == "Mod" || name == "PythonMod";
        if (!is_extreme && !is_test && !is_remainder && name != "FloorDiv" && name != "CleanDiv") return wrong();
        auto a = comparison();
        int operands = 1;
        for (; !is_wrong_ && accept(", "); ++operands) {
            const auto b = comparison();
            if (is_extreme) a = (name == "Max") == (a.get() < b.get()) ? b : a;
            else a = is_test ? truth((a.get() == b.get()) == (name == "Eq")) : divide(a, b, is_remainder);
        }
        return is_wrong_ || operands < 2 || (operands > 2 && !is_extreme) || !accept(")") ? wrong() : a;
    }
};

} // namespace detail

} // namespace ahead
