// SPDX-License-Identifier: MIT
// A text with a symbol as one of its sizes, compiled once for a bound of it: planned, packed and verified at the bound,
// run for as many places as the inputs have.
//     struct net { static constexpr char text[] = R"fx( ... x: "f32[s0, 16]" ... )fx"; };
//     using program = compiled_bounded<net, bound<"s0", 128>>;
//     const auto weights = program::prepare(given);
//     program::session run{weights};
//     const auto [y] = run(x);                                  // x: n * 16 elements, n from 1 to 128
// Invariant: at the bound it is bit-identical to the program that compiled<> makes of the text with that number, and
// takes the same time; at fewer places its kernels stop there, and nothing after those places is read.
#pragma once
#include <ahead/dynamic/bounded/bound.hpp>
#include <ahead/dynamic/bounded/bounded_program.hpp>
#include <ahead/dynamic/bounded/bounded_session.hpp>
#include <ahead/frontend/fx/fx.hpp>

namespace AHEAD_NAMESPACE::dynamic {

/// Source, as fx<> takes it, or with its own `importer` (frontend/importer.hpp); Bound: bound.hpp. Reports one compile
/// error: bound_is_impossible; size_changes_the_graph, if the graph differs at other sizes, or has a size out of
/// proportion; call_is_not_bounded, if a call can only be computed for whole tensors; symbol_is_unknown,
/// symbol_is_out_of_range, and the errors of a program.
template <graph_source Source, class Bound, class Tools = toolchain<>, class Registry = aten::registry>
struct compiled_bounded : require<Bound> {
    static constexpr std::int64_t most = Bound::error.ok() ? Bound::most : 3;
    static constexpr std::int64_t least = ahead::detail::least_size<Source, Bound, Registry>();
    static constexpr std::string_view symbol = Bound::symbol;
    /// The program at the bound.
    template <std::int64_t Size> using front = source_graph<ahead::detail::at_size<Source, Bound, Size>, Registry>;
    using program = compiled_graph<front<most>, Tools>;
    using tools = typename program::tools;

    /// The device graph at one size less.
    static constexpr const auto& less = ahead::detail::lowered_front<front<most - 1>, tools>.graph;
    static constexpr auto made = ahead::detail::bound_stage<front<most>, front<most - 1>, tools>(most);
    struct bounding {
        static constexpr source_text source = front<most>::source;
        static constexpr diagnosis error =
            !program::accepted || !Bound::error.ok() ? diagnosis{}
            : !made.error.ok()                       ? made.error
                               : ahead::detail::check_line<front<most>, front<most - 1>, front<least>>(most, least);
    };
    static_assert(sizeof(require<bounding>) > 0);
    static constexpr bool accepted = program::accepted && Bound::error.ok() && bounding::error.ok();

    using session = bounded_session<compiled_bounded>;
    /// Like a program's prepare.
    static prepared_weights<program> prepare(const weights& from = {}, runtime::prepare_options options = {}) {
        return program::prepare(from, options);
    }
};

} // namespace ahead::dynamic

namespace AHEAD_NAMESPACE {
using dynamic::compiled_bounded;
} // namespace ahead
