// SPDX-License-Identifier: MIT
// A JSON text (RFC 8259) as a tree of values.
// Invariant: members have the order of the text; an object that has a key twice is refused; values are nested at most
// 64 deep. Called by io/pt2_archive.hpp, frontend/pt2/.
#pragma once
#include <ahead/io/json.hpp>
#include <algorithm>
#include <string>
#include <vector>

namespace AHEAD_NAMESPACE::io {

struct json_member;

/// One value. text: of a string, its characters; of a number or a word (true, false, null), its spelling; else empty.
struct json_value {
    enum class kind : std::uint8_t { word, number, string, array, object };
    kind is = kind::word;
    std::string text;
    std::vector<json_value> elements;
    std::vector<json_member> members;

    bool is_null() const { return is == kind::word && text == "null"; }
    bool is_list() const { return is == kind::array; }
    /// The value of a key; null if there is none.
    const json_value* find(std::string_view key) const;
    friend bool operator==(const json_value& a, const json_value& b);
};
struct json_member {
    std::string key;
    json_value value;
    friend bool operator==(const json_member&, const json_member&) = default;
};
inline bool operator==(const json_value& a, const json_value& b) {
    return a.is == b.is && a.text == b.text && a.elements == b.elements && a.members == b.members;
}
inline const json_value* json_value::find(std::string_view key) const {
    for (const auto& m : members)
        if (m.key == key) return &m.value;
    return nullptr;
}

} // namespace ahead::io
namespace AHEAD_NAMESPACE::detail {

class json_tree_reader : public json_reader {
public:
    using json_reader::json_reader;

    bool value(io::json_value& out, int depth = 0) {
        using kind = io::json_value::kind;
        if (depth == 64) return malformed("values nested at most 64 deep");
        skip_space();
        const char c = at < text.size() ? text[at] : '\0';
        out = {};
        if (c == '"') {
            out.is = kind::string;
            return string(out.text);
        }
        if (c == '[') {
            out.is = kind::array;
            return array([&] { return value(out.elements.emplace_back(), depth + 1); });
        }
        if (c == '{') {
            out.is = kind::object;
            return object([&](std::string& key) {
                out.members.push_back({std::move(key), {}});
                return value(out.members.back().value, depth + 1);
            }) && has_each_key_once(out);
        }
        const auto first = at;
        if (!skip_value()) return false;
        out.is = c == '-' || (c >= '0' && c <= '9') ? kind::number : kind::word;
        out.text = text.substr(first, at - first);
        return true;
    }

private:
    bool has_each_key_once(const io::json_value& object) {
        std::vector<std::string_view> keys;
        for (const auto& m : object.members) keys.push_back(m.key);
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        return twice == keys.end() || malformed(short_text("the key ") << *twice << " once in an object");
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::io {

/// Reads a whole text. pre: nothing has failed yet.
inline bool read_json(std::string_view text, json_value& out, diagnosis& d) {
    ahead::detail::json_tree_reader reader(text, d);
    return reader.value(out) && reader.end();
}

} // namespace ahead::io
