// SPDX-License-Identifier: MIT
// "s0=4": what a symbol of a text's sizes stands for, as people write it on a command line; "s1=host": a host
// parameter.
// Invariant: none. Called by generate/main.hpp, examples/08_inspect.
#pragma once
#include <ahead/io/file.hpp>
#include <ahead/ir/type/symbols.hpp>

namespace AHEAD_NAMESPACE {

/// The name is a view of the text. False where it is not one name, "=", and one number from 0 on, or "host".
constexpr bool read_symbol(std::string_view text, symbol_value& out) {
    const auto equals = text.find('=');
    if (equals == text.npos || equals == 0) return false;
    const auto number = text.substr(equals + 1);
    out = {text.substr(0, equals), 0, number == "host"};
    return out.is_host_parameter || (!number.empty() && read_natural(number, out.value) == number.size());
}

} // namespace ahead
