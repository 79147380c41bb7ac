// SPDX-License-Identifier: MIT
// The name of an enumerator as text, which the compiler takes from the enumeration itself, so that no separate list can
// become outdated.
// Invariant: a value has a name exactly where an enumerator has the value. Used by fault_names.hpp and where parameters
// are named (ir/registry.hpp).
#pragma once
#include <ahead/core/build.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

struct spelling {
    const char* text;
    std::size_t size;
};
/// g++ and clang end the text with "Value = ahead::fault::none]" for an enumerator and "Value = (ahead::fault)255]" for
/// any other value; some of them write the inline namespaces between.
template <auto Value> constexpr spelling spell() { return {__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 2}; }

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::core {

/// The enumerator's unqualified name, "none" for fault::none; empty if no enumerator has the value.
template <auto Value> constexpr std::string_view enumerator_name() {
    constexpr auto all = detail::spell<Value>();
    auto begin = all.size;
    while (all.text[begin - 1] != ':' && all.text[begin - 1] != ')') --begin;
    if (all.text[begin - 1] == ')') return {};
    return {all.text + begin, all.size - begin};
}

} // namespace ahead::core
