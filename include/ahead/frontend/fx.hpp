// SPDX-License-Identifier: MIT
// A graph pasted as text, parsed by the compiler. The tag names the source; its members are the parsed graph or the reason why there is none.
// Invariant: parsed once per source and registry; `error.ok()` or the graph is not to be used. Called by text.hpp and by users' static_asserts.
//
//     struct lenet { static constexpr std::string_view text = R"fx(...)fx"; };
//     static_assert(parsed_fx<lenet, registry>::error.ok());
#pragma once
#include <ahead/frontend/fx_parse.hpp>

namespace AHEAD_NAMESPACE {

template <class Source>
concept fx_source = requires {
    std::string_view(Source::text);
};

namespace detail {

template <capacity Capacity>
struct parsed_stage {
    graph_storage<capacity{Capacity.nodes, Capacity.arguments, 0}> storage; // values come with the types
    fx_style style;
    diagnosis error;
};
// Stages are made by functions: a lambda called where it stands is evaluated two or three times by g++.
template <class Source, class Registry, capacity Capacity>
constexpr auto parse_stage() {
    parsed_stage<Capacity> out;
    parse_fx(Source::text, Registry::table, out.storage.edit(), out.style, out.error);
    return out;
}

} // namespace detail

template <fx_source Source, class Registry>
struct parsed_fx {
    static constexpr std::string_view text = Source::text;
    static constexpr ahead::capacity capacity = count_fx(text);
    static constexpr detail::parsed_stage<capacity> parsed = detail::parse_stage<Source, Registry, capacity>();
    static constexpr const auto& storage = parsed.storage;
    static constexpr const fx_style& style = parsed.style;
    static constexpr const diagnosis& error = parsed.error;
};

} // namespace ahead
