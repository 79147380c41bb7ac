// SPDX-License-Identifier: MIT
// inspect_fx(text): inspect of FX text.
//     const auto made = inspect_fx(text);                     // the text must outlive what is made of it
// Invariant: that of inspect.hpp. Called by users, tests.
#pragma once
#include <ahead/compile/inspect.hpp>
#include <ahead/frontend/fx/fx.hpp>

namespace AHEAD_NAMESPACE::compile {

/// All stages for a text in any form that PyTorch prints, with the arguments of inspect.
template <class Tools = toolchain<>, class Registry = aten::registry, class Reached = ahead::detail::nobody_waits>
inspected_graph inspect_fx(std::string_view text,
                           const config& options = ahead::detail::kept_toolchain<Tools>::type::options,
                           array_view<const input_description> inputs = {}, symbol_values symbols = {},
                           Reached reached = {}, inspect_stage last = inspect_stage::time) {
    return inspect<fx_importer, Tools, Registry, Reached>(text, options, inputs, symbols, reached, last);
}

} // namespace ahead::compile

namespace AHEAD_NAMESPACE {
using compile::inspect_fx;
} // namespace ahead
