// SPDX-License-Identifier: MIT
// The sizes that a graph is compiled for, in TorchAir's terms: gears of a symbol, merged by zip or product.
//     gears<"s0", 1, 8, 32>                                              s0 = 1, 8 or 32
//     zip_gears<gears<"s0", 1, 8>, gears<"s1", 16, 128>>                 (1, 16) or (8, 128)
//     product_gears<gears<"s0", 1, 8>, gears<"s1", 16, 128>>             all four
// Each has `symbols`; `given`, rows of a number for each symbol; and `error`, the reason if it is malformed.
// Invariant: gears_of are distinct rows, in the order given. Called by compiled_gears.hpp.
// Source: torchair's set_dim_gears and dynamic_gears_merge_policy.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_string.hpp>
#include <ahead/ir/type/symbols.hpp>
#include <algorithm>
#include <array>

namespace AHEAD_NAMESPACE::detail {

inline constexpr std::size_t max_gears = 100; // of a symbol, and in all

constexpr bool refuse_gears(diagnosis& d, std::string_view symbol, const short_text& expected,
                            const short_text& found) {
    d.op = "gears";
    d.name = symbol;
    return refuse(d, fault::gears_are_impossible, expected, found);
}

/// Moves the rows that differ from all earlier ones to the front; returns their number.
constexpr std::size_t drop_repeated(auto& rows) {
    std::size_t kept = 0;
    for (const auto row : rows) {
        bool is_new = true;
        for (std::size_t i = 0; i < kept; ++i) is_new = is_new && rows[i] != row;
        if (is_new) rows[kept++] = row;
    }
    return kept;
}
constexpr std::size_t count_different(auto rows) { return drop_repeated(rows); }

/// Two declarations merged.
template <bool IsZip, class A, class B> struct merged_gears {
private:
    static constexpr std::size_t first = A::symbols.size(), all = first + B::symbols.size();
    template <class T> static constexpr std::array<T, all> join(const auto& a, const auto& b) {
        std::array<T, all> out{};
        for (std::size_t i = 0; i < all; ++i) out[i] = i < first ? a[i] : b[i - first];
        return out;
    }

public:
    static constexpr auto symbols = join<std::string_view>(A::symbols, B::symbols);

    static constexpr auto rows = [] {
        constexpr auto a_count = A::rows.size(), b_count = B::rows.size();
        constexpr bool is_declared = A::error.ok() && B::error.ok();
        std::array<std::array<std::int64_t, all>, !is_declared ? 0
                                                  : IsZip      ? std::min(a_count, b_count)
                                                               : a_count * b_count>
            out{};
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = join<std::int64_t>(A::rows[IsZip ? i : i / b_count], B::rows[IsZip ? i : i % b_count]);
        return out;
    }();
    static constexpr diagnosis error = [] {
        diagnosis d = A::error.ok() ? B::error : A::error;
        if (!d.ok()) return d;
        for (auto name : B::symbols)
            for (auto other : A::symbols)
                if (name == other) {
                    d.op = "gears";
                    refuse(d, fault::symbol_is_given_twice, "each symbol once", name);
                }
        if (IsZip && A::rows.size() != B::rows.size())
            refuse_gears(d, B::symbols[0],
                         short_text() << A::rows.size() << " values, as many as of " << A::symbols[0] << ": zip",
                         short_text() << B::rows.size());
        if (const auto count = count_different(rows); count > max_gears)
            refuse_gears(d, B::symbols[0], short_text("at most ") << max_gears << " gears in all",
                         short_text() << count);
        return d;
    }();
};
template <bool IsZip, class First, class... Others> struct merged_list {
    using type = First;
};
template <bool IsZip, class A, class B, class... Others>
struct merged_list<IsZip, A, B, Others...> : merged_list<IsZip, merged_gears<IsZip, A, B>, Others...> {};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::dynamic {

/// The values of one symbol: 2 to 100 values, each at least 1.
template <fixed_string Symbol, std::int64_t... Values> struct gears {
    static constexpr std::array<std::string_view, 1> symbols{Symbol.view()};
    static constexpr std::array<std::array<std::int64_t, 1>, sizeof...(Values)> rows{
        std::array<std::int64_t, 1>{Values}...};
    static constexpr diagnosis error = [] {
        diagnosis d;
        if (sizeof...(Values) < 2 || sizeof...(Values) > ahead::detail::max_gears)
            ahead::detail::refuse_gears(d, Symbol.view(), short_text("2 to ") << ahead::detail::max_gears << " values",
                                        short_text() << sizeof...(Values));
        for (const auto& row : rows)
            if (row[0] < 1) ahead::detail::refuse_gears(d, Symbol.view(), "values from 1 on", short_text() << row[0]);
        return d;
    }();
};

/// The gears of a declaration: its rows, each once.
template <class Gears>
inline constexpr auto gears_of = [] {
    constexpr auto count = Gears::error.ok() ? ahead::detail::count_different(Gears::rows) : 0;
    auto rows = Gears::rows;
    ahead::detail::drop_repeated(rows);
    std::array<std::array<std::int64_t, Gears::symbols.size()>, count> out{};
    for (std::size_t i = 0; i < count; ++i) out[i] = rows[i];
    return out;
}();

/// The first values of all, then the second ones, and so on: all have equally many.
template <class... Gears> using zip_gears = typename ahead::detail::merged_list<true, Gears...>::type;
/// Each value of one with each value of the others.
template <class... Gears> using product_gears = typename ahead::detail::merged_list<false, Gears...>::type;

} // namespace ahead::dynamic

namespace AHEAD_NAMESPACE {
using dynamic::gears, dynamic::product_gears, dynamic::zip_gears;
} // namespace ahead
