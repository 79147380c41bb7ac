// SPDX-License-Identifier: MIT
// The runs to dump, in the syntax of TorchAir's dump_step: "0|1|2-5", numbers and inclusive ranges of numbers. Empty:
// all.
// Invariant: a text that is refused selects nothing. Called by print/dump/dump_data.hpp.
#pragma once
#include <ahead/io/file.hpp>

namespace AHEAD_NAMESPACE::printers {

/// Whether the text selects `step`. pre: check_steps(text, d).
constexpr bool is_among_steps(std::string_view text, std::int64_t step) {
    if (text.empty()) return true;
    for (;;) {
        std::int64_t first = 0, last = 0;
        text.remove_prefix(read_natural(text, first));
        last = first;
        if (text.starts_with('-')) {
            text.remove_prefix(1);
            text.remove_prefix(read_natural(text, last));
        }
        if (first <= step && step <= last) return true;
        if (text.empty()) return false;
        text.remove_prefix(1);
    }
}

/// Refuses a text of another form, with the text as the name, and the position of the error (steps_are_malformed).
constexpr bool check_steps(std::string_view text, diagnosis& d) {
    if (text.empty()) return true;
    std::size_t at = 0;
    const auto malformed = [&](std::string_view expected) {
        d.op = "dump_step";
        d.name = text;
        short_text found;
        if (at < text.size()) found << text.substr(at, 1) << " at character " << static_cast<std::int64_t>(at + 1);
        else found << "the end of the text";
        return refuse(d, fault::steps_are_malformed, expected, found);
    };
    for (;;) {
        std::int64_t first = 0, last = 0;
        auto digits = read_natural(text.substr(at), first);
        if (digits == 0) return malformed("a number from 0 to 2^63 - 1");
        at += digits;
        if (at < text.size() && text[at] == '-') {
            ++at;
            digits = read_natural(text.substr(at), last);
            if (digits == 0 || last < first) return malformed("the range's last number, not below its first");
            at += digits;
        }
        if (at == text.size()) return true;
        if (text[at] != '|') return malformed("| and another number, or nothing");
        ++at;
    }
}

} // namespace ahead::printers
