// SPDX-License-Identifier: MIT
// A graph pasted as text, parsed by the compiler. The tag names the source; its members are the parsed graph or the reason why there is none.
// Invariant: parsed once per source and registry; `error.ok()` or the graph is not to be used. Called by text.hpp and by users' static_asserts.
//
//     struct lenet { static constexpr std::string_view text = R"fx(...)fx"; };
//     static_assert(parsed_fx<lenet, registry>::error.ok());
#pragma once
#include <ahead/frontend/fx_parse.hpp>

namespace ahead {

template <class Source>
concept fx_source = requires { std::string_view(Source::text); };

template <fx_source Source, class Registry> struct parsed_fx {
    static constexpr std::string_view text = Source::text;
    static constexpr ahead::capacity capacity = count_fx(text);

    struct result {
        graph_storage<ahead::capacity{capacity.nodes, capacity.arguments, 0}> storage; // values come with the types
        fx_style style;
        diagnosis error;
    };
    static constexpr result parsed = [] {
        result r;
        parse_fx(text, Registry::table, r.storage.edit(), r.style, r.error);
        return r;
    }();
    static constexpr const auto& storage = parsed.storage;
    static constexpr const fx_style& style = parsed.style;
    static constexpr const diagnosis& error = parsed.error;
};

} // namespace ahead
