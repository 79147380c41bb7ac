// SPDX-License-Identifier: MIT
// What a printer must give back of an FX text. Called by tests that compare a text with what it prints as.
#pragma once
#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

namespace test {

// What a printer must give back: all but blanks, comments, deletions (computed anew), the number of users, the kind of quotes, commas before closing
// brackets, calls of guards, and where a second name of an input is given (`input_1 = input`, printed behind the inputs).
inline std::string essence(const std::string& text) {
    const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string out, renamed;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        char quote = '\0';
        auto tail = line.npos;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            if (quote != '\0') quote = c == quote ? '\0' : quote;
            else if (c == '\'' || c == '"') quote = c;
            else if (c == '#') line.erase(i);
            else if (c == ';' && tail == line.npos) tail = i;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        if (tail != line.npos && (line.find(" = None", tail) != line.npos || tail + 1 == line.size())) line.erase(tail);
        if (const auto users = line.find("users="); users != line.npos) line.erase(users, line.find(']', users) - users);
        if (line.find(" = self._guards_fn(") != line.npos || line.find("call_module[target=_guards_fn]") != line.npos) continue;
        if (const auto equals = line.find(" = "); equals != line.npos && std::all_of(line.begin() + static_cast<std::ptrdiff_t>(equals) + 3, line.end(), is_name)) {
            renamed += line + '\n';
            continue;
        }
        for (char c : line) {
            if ((c == ']' || c == ')') && !out.empty() && out.back() == ',') out.pop_back();
            if (c != ' ' && c != '"' && c != '\'') out += c;
        }
    }
    return out + renamed;
}

} // namespace test
