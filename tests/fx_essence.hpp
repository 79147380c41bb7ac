// SPDX-License-Identifier: MIT
// What a printer must give back of an FX text. Called by tests that compare a text with what it prints as.
#pragma once
#include <sstream>
#include <string>

namespace test {

// What a printer must give back: all but blanks, comments, deletions (computed anew), the number of users, the kind of quotes, and
// commas before closing brackets.
inline std::string essence(const std::string& text) {
    std::string out;
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
        for (char c : line) {
            if ((c == ']' || c == ')') && !out.empty() && out.back() == ',') out.pop_back();
            if (c != ' ' && c != '"' && c != '\'') out += c;
        }
    }
    return out;
}

} // namespace test
