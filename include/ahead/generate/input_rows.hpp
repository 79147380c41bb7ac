// SPDX-License-Identifier: MIT
// Parses the rows of an `input_description inputs[]` in C++ syntax at run time: {"arg0_1", "fc.weight", "f32[32, 16]"},
// by position or with the members' names. Called by main.hpp.
// Invariant: errors have the line number; a row means the same as in a compiled program.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/frontend/input_description.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::generate {

/// out: views of `text`. As in C++, commas separate members, and may separate rows; // comments and blanks are skipped.
inline bool read_input_rows(std::string_view text, std::vector<input_description>& out, diagnosis& d) {
    std::size_t at = 0;
    d.line = 1;
    const auto skip = [&] {
        for (; at < text.size(); ++at) {
            if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size() - 1);
            if (text[at] == '\n') ++d.line;
            else if (text[at] != ' ' && text[at] != '\t' && text[at] != '\r') return;
        }
    };
    const auto take = [&](std::string_view word) {
        skip();
        if (!text.substr(at).starts_with(word)) return false;
        at += word.size();
        return true;
    };
    const auto refused = [&](std::string_view expected) {
        skip();
        return refuse(d, fault::text_is_malformed, expected,
                      at == text.size() ? "the end"
                                        : text.substr(at, std::min<std::size_t>(24, text.find('\n', at) - at)));
    };
    for (skip(); at < text.size(); skip()) {
        if (!take("{")) return refused("a row: {\"placeholder\", \"weight\", \"type\"}");
        input_description row;
        std::string_view* const members[] = {&row.placeholder, &row.weight, &row.type, &row.writes};
        constexpr std::string_view names[] = {".placeholder", ".weight", ".type", ".writes"};
        for (std::size_t next = 0; !take("}"); ++next) {
            for (std::size_t k = 0; k < std::size(names); ++k)
                if (take(names[k])) {
                    if (!take("=")) return refused("= behind a member's name");
                    next = k;
                }
            if (next >= std::size(members)) return refused("}: a row has four members");
            if (!take("\"")) return refused("a text in quotes");
            const auto end = text.find('"', at);
            if (end == text.npos) return refused("a quote at the end of the text");
            *members[next] = text.substr(at, end - at);
            at = end + 1;
            if (!take(",") && text.substr(at, 1) != "}") return refused("a comma, or }"); // C++ would join two texts
        }
        if (row.placeholder.empty()) return refused("the name of a placeholder first");
        out.push_back(row);
        take(",");
    }
    d.line = 0;
    return true;
}

} // namespace ahead::generate
