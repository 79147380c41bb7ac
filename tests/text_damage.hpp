// SPDX-License-Identifier: MIT
// A printed graph damaged by rule: cut at places, and with one of its numbers replaced. The same text is damaged in the same ways every time.
// Called by mutation/texts.cpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace test {

/// A text, and where it was changed: as a place in it, and as a line from 1.
struct damaged_text {
    std::string text;
    std::size_t at = 0;
    std::int32_t line = 1;
};

inline std::int32_t line_at(std::string_view text, std::size_t at) {
    return 1 + static_cast<std::int32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// So many of them, evenly spread, each once.
template <class T> std::vector<T> spread(const std::vector<T>& all, std::size_t most) {
    if (most == 0 || all.size() <= most) return all;
    std::vector<T> out;
    for (std::size_t i = 0; i < most; ++i) out.push_back(all[i * all.size() / most]);
    return out;
}

/// The text up to `most` places: half of them evenly spread over its bytes, half over its line ends, behind the line end at every other one.
inline std::vector<damaged_text> cuts_of(const std::string& text, std::size_t most) {
    std::vector<std::size_t> ends, places;
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ends.push_back(at);
    ends = spread(ends, most / 2);
    for (std::size_t i = 0; i < ends.size(); ++i) places.push_back(ends[i] + i % 2);
    for (std::size_t i = 0; i < most - most / 2; ++i) places.push_back(i * text.size() / (most - most / 2));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<damaged_text> out;
    for (const auto at : places) out.push_back({text.substr(0, at), at, line_at(text, at)});
    return out;
}

/// What stands in the place of number `n`, in the `k`-th way; as it is where n is too long to be doubled.
inline std::string replaced(const std::string& n, std::size_t k) {
    constexpr std::string_view values[] = {"0",     "-1",  "2147483648",           "9223372036854775807", "9223372036854775808",
                                           "1e400", "nan", "-9223372036854775808", "4611686018427387904"};
    if (k >= 2) return std::string(values[k - 2]);
    if (n.size() > 18) return n;
    if (n.find_first_not_of("-0123456789") != n.npos)
        return std::to_string(k == 0 ? std::strtod(n.c_str(), nullptr) + 1 : std::strtod(n.c_str(), nullptr) * 2);
    const auto value = std::stoll(n);
    return std::to_string(k == 0 ? value + 1 : value * 2);
}
inline constexpr std::size_t ways_to_replace = 11;

/// The text with one number replaced, for `most` numbers that are evenly spread; each in the next of the ways, or in all of them. What is part of a name or
/// of a comment is no number.
inline std::vector<damaged_text> changes_of(const std::string& text, std::size_t most, bool in_all_ways = false) {
    struct number {
        std::size_t begin, end;
    };
    const auto is_word = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '%';
    };
    std::vector<number> numbers;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1);
        if (text[at] < '0' || text[at] > '9') continue;
        auto begin = at;
        while (at < text.size() && (is_word(text[at]) || ((text[at] == '-' || text[at] == '+') && text[at - 1] == 'e'))) ++at;
        if (text.find_first_not_of("0123456789.e-+", begin) < at || (begin > 0 && is_word(text[begin - 1]))) continue;
        if (begin > 0 && text[begin - 1] == '-') --begin;
        numbers.push_back({begin, at--});
    }
    std::vector<damaged_text> out;
    std::size_t way = 0;
    for (const auto [begin, end] : spread(numbers, most)) {
        const auto n = text.substr(begin, end - begin);
        for (std::size_t k = 0; k < (in_all_ways ? ways_to_replace : 1); ++k) {
            auto other = n;
            while (other == n) other = replaced(n, way++ % ways_to_replace);
            out.push_back({text.substr(0, begin) + other + text.substr(end), begin, line_at(text, begin)});
        }
    }
    return out;
}

/// The text as it is printed without the types of what its lines compute: those of its inputs stay.
inline std::string without_result_types(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const auto line = text.substr(at, end - at);
        const auto type = line.find(": \""), is = line.find("\" = ");
        out += line.find("def ") == line.npos && type < is && is != line.npos ? line.substr(0, type) + line.substr(is + 1) : line;
        at = end;
    }
    return out;
}

} // namespace test
