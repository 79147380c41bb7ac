// SPDX-License-Identifier: MIT
// The name of a fault as text, read off the enumeration itself by the compiler, so that no list can fall behind it.
// Invariant: names are exactly the enumerators of fault. Needed where a diagnosis becomes text; not for checking, so
// few files include it.
#pragma once
#include <ahead/core/enumerator_name.hpp>
#include <ahead/core/fault.hpp>
#include <array>
#include <utility>

namespace AHEAD_NAMESPACE {

namespace detail {
/// As enumerator_name, without its walk, since there are so many: where the name begins is the same for all.
inline constexpr std::size_t fault_name_at = spell<fault::none>().size - 4;
inline constexpr std::size_t fault_value_at = std::string_view(spell<fault::none>().text).rfind(' ') + 1;
template <fault Value> constexpr std::string_view fault_name() {
    constexpr auto all = spell<Value>();
    if constexpr (all.text[fault_value_at] == '(') return {};
    else return {all.text + fault_name_at, all.size - fault_name_at};
}

inline constexpr auto fault_names = []<std::size_t... Values>(std::index_sequence<Values...>) {
    return std::array<std::string_view, sizeof...(Values)>{fault_name<static_cast<fault>(Values)>()...};
}(std::make_index_sequence<192>{});
static_assert(fault_names.back().empty(), "as many values as there are faults, and one more");
} // namespace detail

/// "weight_is_missing" for fault::weight_is_missing; empty for a value that is no enumerator.
constexpr std::string_view name_of(fault what) {
    const auto value = static_cast<std::size_t>(what);
    return value < detail::fault_names.size() ? detail::fault_names[value] : std::string_view{};
}

/// The number of enumerators: faults are numbered from 0, fault::none, to fault_count - 1.
inline constexpr std::size_t fault_count = [] {
    std::size_t count = 0;
    while (count < detail::fault_names.size() && !detail::fault_names[count].empty()) ++count;
    return count;
}();

} // namespace ahead
