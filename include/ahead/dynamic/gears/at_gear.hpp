// SPDX-License-Identifier: MIT
// One graph at each gear: the source with the gear's sizes, the check that all programs are accepted and read the same
// weights, and gears as text. Called by compiled_gears.hpp.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/dynamic/gears/gears.hpp>
#include <ahead/dynamic/gears/same_constants.hpp>
#include <ahead/frontend/fx/fx.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

/// The values of gear Nth; for a refused declaration its first values, so that no second error follows.
template <class Gears, std::size_t Nth> constexpr auto values_of_gear() {
    std::array<std::int64_t, Gears::symbols.size()> ones{};
    ones.fill(1);
    if constexpr (Nth < dynamic::gears_of<Gears>.size()) return dynamic::gears_of<Gears>[Nth];
    else if constexpr (Gears::rows.size() > 0) return Gears::rows[0];
    else return ones;
}

/// Source with the numbers of gear Nth, after the symbols that Source sets.
template <class Source, class Gears, std::size_t Nth> struct at_gear : Source {
    using same_text_as = Source;
    static constexpr auto symbols = [] {
        constexpr auto said = [] {
            if constexpr (requires { Source::symbols; }) return symbol_values(Source::symbols);
            else return symbol_values();
        }();
        std::array<symbol_value, said.size() + Gears::symbols.size()> out{};
        constexpr auto values = values_of_gear<Gears, Nth>();
        for (std::size_t s = 0; s < out.size(); ++s)
            out[s] = s < said.size() ? said[s] : symbol_value{Gears::symbols[s - said.size()], values[s - said.size()]};
        return out;
    }();
};

/// Programs, each compiled only if those before it were accepted: one error, not one for each gear. Types, because
/// clang does not accept a function as a constant if it contains an error.
template <template <std::size_t> class Program, std::size_t Nth> struct is_accepted {
    static_assert(sizeof(Program<Nth>) > 0); // its error is here, and not in a constant
    static constexpr bool value = Program<Nth>::accepted;
};
template <template <std::size_t> class Program, class Gears> struct are_accepted;
template <template <std::size_t> class Program, std::size_t... Nth>
struct are_accepted<Program, std::index_sequence<Nth...>> : std::conjunction<is_accepted<Program, Nth>...> {};

/// All gears have the same weights, and the states of those that the graph writes have the same offset after each
/// gear's arena: refuses a weight with a symbol in its type.
template <class First, class Program> constexpr bool has_weights_of(diagnosis& d) {
    const auto& first = runtime::parameters<First>::made.all;
    const auto& own = runtime::parameters<Program>::made.all; // perhaps more, or fewer
    d.op = "gears";
    for (const auto& p : own) {
        if (p.literal >= 0) continue;
        const auto same = std::ranges::find(first, p.name, &runtime::prepare_input::name);
        d.name = p.name;
        if (same != first.end() && !(same->type == p.type))
            return refuse(d, fault::gears_are_impossible, "weights of the same type in each gear",
                          short_text() << print(same->type).view() << " and " << print(p.type).view());
        if (p.state_at >= 0 && (same == first.end() || same->state_at != p.state_at))
            return refuse(d, fault::gears_are_impossible, "states that lie alike in each gear", "one that does not");
    }
    return true;
}
template <class Programs, bool Accepted> struct weights_of_gears {
    static constexpr diagnosis error = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        diagnosis d;
        static_cast<void>(
            (has_weights_of<typename Programs::template program<0>, typename Programs::template program<Nth>>(d) &&
             ...));
        return d;
    }(std::make_index_sequence<Programs::count>{});
};
template <class Programs> struct weights_of_gears<Programs, false> {
    static constexpr diagnosis error{}; // was reported
};

/// "s0 = 8, s1 = 16"
template <class Gears> constexpr short_text print_gear(const auto& values) {
    short_text out;
    for (std::size_t s = 0; s < Gears::symbols.size(); ++s)
        out << (s == 0 ? "" : ", ") << Gears::symbols[s] << " = " << values[s];
    return out;
}
template <class Gears> constexpr short_text print_gears() {
    short_text out("one of ");
    for (std::size_t i = 0; i < dynamic::gears_of<Gears>.size(); ++i) {
        out << (i == 0 ? "" : "; ");
        if (Gears::symbols.size() == 1 && i > 0) out << dynamic::gears_of<Gears>[i][0];
        else out << print_gear<Gears>(dynamic::gears_of<Gears>[i]).view();
    }
    return out;
}

} // namespace ahead::detail
