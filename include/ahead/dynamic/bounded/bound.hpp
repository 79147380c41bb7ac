// SPDX-License-Identifier: MIT
// The bound of a symbol: bound<"s0", 128> declares that s0 is known at each run, and at most 128.
// Invariant: `error.ok()`, or no program is made. Called by compiled_bounded.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_string.hpp>
#include <ahead/frontend/fx/fx.hpp>

namespace AHEAD_NAMESPACE::dynamic {

/// Symbol, as the text spells it, is at most Most. Most is 3 at least (bound_is_impossible): for fewer sizes use gears.
template <fixed_string Symbol, std::int64_t Most> struct bound {
    static constexpr std::string_view symbol = Symbol.view();
    static constexpr std::int64_t most = Most;
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "bound";
        d.name = symbol;
        if (Most < 3) refuse(d, fault::bound_is_impossible, "a bound from 3 on", short_text() << Most);
        return d.ok() ? diagnosis{} : d;
    }();
};

} // namespace ahead::dynamic
namespace AHEAD_NAMESPACE::detail {

/// Source with Bound's symbol set to Size, after the symbols that Source sets.
template <class Source, class Bound, std::int64_t Size> struct at_size : Source {
    using same_text_as = Source;
    static constexpr auto symbols = [] {
        constexpr auto said = symbols_of<Source>();
        std::array<symbol_value, said.size() + 1> out{};
        for (std::size_t s = 0; s < said.size(); ++s) out[s] = said[s];
        out[said.size()] = {Bound::symbol, Size};
        return out;
    }();
};

/// The least size that the export's range constraints allow; the bound if the constraints exclude all sizes.
template <class Source, class Bound, class Registry> constexpr std::int64_t least_size() {
    using parsed = parsed_source<typename importer_of<Source>::type, Source, Registry>;
    std::int64_t size = 1;
    for (std::string_view range; size < Bound::most && is_out_of_range(parsed::notes.range_constraints,
                                                                       symbol_value{Bound::symbol, size}, range);)
        ++size;
    return size;
}

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using dynamic::bound;
} // namespace ahead
