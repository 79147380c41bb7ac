// SPDX-License-Identifier: MIT
// Parses the value of a symbolic size as written on a command line: "s0=4", or "s1=host" for a host parameter.
// Invariant: none. Called by generate/main.hpp, examples/08_inspect.
#pragma once
#include <ahead/io/file.hpp>
#include <ahead/ir/type/symbols.hpp>

namespace AHEAD_NAMESPACE::io {

/// The name is a view of the text. Returns false unless the text is a name, "=", and a number >= 0 or "host".
constexpr bool read_symbol(std::string_view text, symbol_value& out) {
    const auto equals = text.find('=');
    if (equals == text.npos || equals == 0) return false;
    const auto number = text.substr(equals + 1);
    out = {text.substr(0, equals), 0, number == "host"};
    return out.is_host_parameter || (!number.empty() && read_natural(number, out.value) == number.size());
}

} // namespace ahead::io

namespace AHEAD_NAMESPACE {
using io::read_symbol;
} // namespace ahead
