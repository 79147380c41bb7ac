// SPDX-License-Identifier: MIT
// Text escaped for JSON strings and HTML, and `put`, which appends texts and numbers one after the other.
// Invariant: the output is UTF-8 without control characters, whatever the input: invalid bytes become U+FFFD. Called by
// the printers of traces and reports, whose names come from users.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/io/utf8.hpp>
#include <ahead/machine/ticks.hpp>
#include <ahead/print/text_sink.hpp>
#include <concepts>
#include <initializer_list>

namespace AHEAD_NAMESPACE::printers {

/// Text between the double quotes of a JSON string.
struct json_text {
    std::string_view text;
};
/// Text in an element or between the quotes of an attribute.
struct html_text {
    std::string_view text;
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

/// Appends each character of the text, or special(it) in its place if that is not empty.
template <text_sink Sink, class Special>
constexpr void put_characters(Sink& out, std::string_view text, Special special) {
    while (!text.empty()) {
        const auto size = character_size(text);
        const auto character = text.substr(0, size == 0 ? 1 : size);
        const auto instead = special(character[0]);
        const bool is_readable = size > 0 && static_cast<unsigned char>(character[0]) >= 0x20 && character[0] != 0x7f;
        out.append(!instead.empty() ? instead : is_readable ? character : std::string_view("\xef\xbf\xbd"));
        text.remove_prefix(character.size());
    }
}
constexpr std::string_view special_in_json(char c) {
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    default: return {};
    }
}
constexpr std::string_view special_in_html(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\n': return "\n";
    case '\t': return " ";
    default: return {};
    }
}

/// One part of the output. The text of a temporary short_text lives until all parts are appended.
struct text_part {
    enum class kind : std::uint8_t { text, json, html, number, time } is = kind::text;
    std::string_view text{};
    std::int64_t number = 0;

    constexpr text_part(std::string_view t) : text(t) {}
    constexpr text_part(const char* t) : text(t) {}
    constexpr text_part(const short_text& t) : text(t.view()) {}
    constexpr text_part(json_text t) : is(kind::json), text(t.text) {}
    constexpr text_part(html_text t) : is(kind::html), text(t.text) {}
    constexpr text_part(std::integral auto n) : is(kind::number), number(static_cast<std::int64_t>(n)) {}
    /// In microseconds, with all digits: "12.345", "12".
    constexpr text_part(machine::ticks t) : is(kind::time), number(t.count) {}
};
constexpr short_text exact_microseconds(std::int64_t picoseconds) {
    short_text digits;
    digits << picoseconds / 1'000'000;
    auto rest = picoseconds % 1'000'000;
    if (rest != 0) digits << ".";
    for (std::int64_t place = 100'000; rest != 0; rest %= place, place /= 10) digits << rest / place;
    return digits;
}

/// Appends all parts, in their order: put(out, {"a", 1}).
template <text_sink Sink> constexpr void put(Sink& out, std::initializer_list<text_part> parts) {
    for (const auto& part : parts) {
        switch (part.is) {
        case text_part::kind::text: out.append(part.text); break;
        case text_part::kind::json: put_characters(out, part.text, special_in_json); break;
        case text_part::kind::html: put_characters(out, part.text, special_in_html); break;
        case text_part::kind::number: out.append((short_text() << part.number).view()); break;
        case text_part::kind::time: out.append(exact_microseconds(part.number).view()); break;
        }
    }
}

} // namespace ahead::detail
