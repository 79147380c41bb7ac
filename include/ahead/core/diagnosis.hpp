// SPDX-License-Identifier: MIT
// A fault with its place and operands, as every check in the library reports it. A value; never thrown by itself.
// Functions that may refuse take a diagnosis& and return bool: false means "refused, and the diagnosis has the reason".
#pragma once
#include <ahead/core/fault.hpp>
#include <ahead/core/fixed_string.hpp>

namespace AHEAD_NAMESPACE::core {

struct diagnosis {
    fault what = fault::none;
    std::int32_t line = 0; // line number in the text or in the user's source; 0 if neither is known
    short_text op;         // the operator as FX spells it, "aten.mm.default"
    short_text name;       // the node, tensor or file concerned
    short_text expected;
    short_text found;
    std::string_view rule; // of fault::custom: what a user's operator, converter or pass says

    constexpr bool ok() const { return what == fault::none; }
    constexpr explicit operator bool() const { return !ok(); }
};

/// post: !d.ok(); returns false, so that a check can end in `return refuse(...)`. The first fault wins.
constexpr bool refuse(diagnosis& d, fault what, const short_text& expected = {}, const short_text& found = {}) {
    if (d.ok()) {
        d.what = what;
        d.expected = expected;
        d.found = found;
    }
    return false;
}

/// A sentence that a user wrote, in place of a fault and its hint. A literal, so that a diagnosis can keep a view.
struct custom_rule {
    std::string_view text;
    consteval custom_rule(const char* literal) : text(literal) {}
};
/// The same for a rule that is not a fault of the library: `refuse(d, "a hop divides the samples", expected, found)`.
constexpr bool refuse(diagnosis& d, custom_rule rule, const short_text& expected = {}, const short_text& found = {}) {
    if (d.ok()) d.rule = rule.text;
    return refuse(d, fault::custom, expected, found);
}

/// The expected text for an index that is less than `first`, or not below `size`.
constexpr short_text expected_index(std::int64_t first, std::int64_t index, std::int64_t size) {
    return index < first ? short_text("an index from ") << first << " on" : short_text("an index below ") << size;
}

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::diagnosis, core::refuse;
} // namespace ahead
