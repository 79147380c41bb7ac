// SPDX-License-Identifier: MIT
// The name of a fault as text, which the compiler takes from the enumeration itself, so that no list can become
// outdated.
// Invariant: names are exactly the enumerators of fault. Needed to render a diagnosis as text, not to check, so few
// files include it.
#pragma once
#include <ahead/core/enumerator_name.hpp>
#include <ahead/core/fault.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

/// An upper bound of the number of faults.
inline constexpr std::size_t fault_room = 192;
static_assert(enumerator_name<static_cast<fault>(fault_room - 1)>().empty(), "faults are more than fault_room");
/// "... = {ahead::fault::none, ahead::fault::next, ..., (ahead::fault)191, ...": one function for all values, because
/// there are many of them.
template <fault... Values> constexpr spelling spell_faults() {
    return {__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
}
constexpr spelling spell_faults() {
    return []<std::size_t... Values>(std::index_sequence<Values...>) {
        return spell_faults<static_cast<fault>(Values)...>();
    }(std::make_index_sequence<fault_room + 1>{});
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::core {

/// "weight_is_missing" for fault::weight_is_missing; empty for a value that is not an enumerator.
constexpr std::string_view name_of(fault what) {
    constexpr auto all = detail::spell_faults(); // g++ 16 reports a non-constexpr variable as uninitialized
    std::string_view rest(all.text, all.size);
    rest.remove_prefix(rest.find('=') + 1);
    auto value = static_cast<std::size_t>(what);
    if (value >= detail::fault_room) return {};
    for (; value > 0; --value) rest.remove_prefix(rest.find(',') + 1);
    rest = rest.substr(0, rest.find(','));
    return rest.find('(') == rest.npos ? rest.substr(rest.rfind(':') + 1) : std::string_view{};
}

/// The number of enumerators: faults are numbered from 0, fault::none, to fault_count() - 1.
constexpr std::size_t fault_count() {
    std::size_t count = 0;
    while (!name_of(static_cast<fault>(count)).empty()) ++count;
    return count;
}

} // namespace ahead::core
