// SPDX-License-Identifier: MIT
// The common base of readers of file headers: the position in the text, and the diagnosis of malformed text.
// Invariant: never reads past the end of the text. Called by json.hpp and npy/header.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/io/utf8.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Each member parses one token; if the text holds something else, it returns false with file_is_malformed in the
/// diagnosis.
class header_reader {
public:
    /// `tensor`: the tensor's name, if the file holds only one.
    header_reader(std::string_view header, diagnosis& to, std::string_view tensor = {})
        : d(to), text(header), name(tensor) {}

    diagnosis& d;

    bool malformed(const short_text& expected) {
        short_text found;
        if (at < text.size()) {
            const auto size = character_size(text.substr(at));
            found << (size > 0 ? text.substr(at, size) : "no ASCII") << " at byte " << at << " of the header";
        } else found << "the end of the header";
        if (d.ok() && !name.empty()) d.name = name;
        return refuse(d, fault::file_is_malformed, expected, found);
    }
    bool take(char c) {
        skip_space();
        if (at == text.size() || text[at] != c) return false;
        ++at;
        return true;
    }
    bool expect(char c) { return take(c) || malformed(std::string_view(&c, 1)); }
    bool end() {
        skip_space();
        return at == text.size() || malformed("nothing after the header's }");
    }

protected:
    void skip_space() {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) ++at;
    }
    std::string_view text;
    std::size_t at = 0;
    std::string_view name;
};

} // namespace ahead::detail
