// SPDX-License-Identifier: MIT
// The name of a fault as text, read off the enumeration itself by the compiler, so that no list can fall behind it.
// Invariant: names are exactly the enumerators of fault. Needed where a diagnosis becomes text; not for checking, so few files include it.
#pragma once
#include <ahead/core/fault.hpp>
#include <array>
#include <utility>

namespace ahead {

namespace detail {
/// The enumerator's unqualified name; empty where no enumerator has the value. g++ and clang print an enumerator "Value = ahead::fault::none"
/// and any other value "Value = (ahead::fault)255".
template <fault Value>
constexpr std::string_view enumerator_name() {
    constexpr std::string_view label = "Value = ";
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find(label) + label.size());
    text = text.substr(0, text.find_first_of(";]"));
    if (text.front() == '(') return {};
    return text.substr(text.rfind(':') + 1);
}

inline constexpr auto fault_names = []<std::size_t... Values>(std::index_sequence<Values...>) {
    return std::array<std::string_view, sizeof...(Values)>{enumerator_name<static_cast<fault>(Values)>()...};
}
(std::make_index_sequence<256>{});
} // namespace detail

/// "weight_is_missing" for fault::weight_is_missing; empty for a value that is no enumerator.
constexpr std::string_view name_of(fault what) { return detail::fault_names[static_cast<std::size_t>(what)]; }

/// The number of enumerators: faults are numbered from 0, fault::none, to fault_count - 1.
inline constexpr std::size_t fault_count = [] {
    std::size_t count = 0;
    while (count < detail::fault_names.size() && !detail::fault_names[count].empty()) ++count;
    return count;
}();

} // namespace ahead
