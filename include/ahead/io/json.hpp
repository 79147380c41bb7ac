// SPDX-License-Identifier: MIT
// A strict streaming reader of JSON (RFC 8259); it builds no tree.
// Invariant: refusals are file_is_malformed, with what was expected and where. Called by safetensors/.
#pragma once
#include <ahead/io/header_reader.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A strict reader of JSON (RFC 8259) over text that is_utf8.
class json_reader : public header_reader {
public:
    using header_reader::header_reader;

    bool string(std::string& out) {
        out.clear();
        skip_space();
        if (at == text.size() || text[at] != '"') return malformed("a string");
        for (++at; at < text.size() && text[at] != '"';) {
            if (static_cast<unsigned char>(text[at]) < 0x20) return malformed("an escape for a control character");
            if (text[at] != '\\') out += text[at++];
            else if (!escape(out)) return false;
        }
        if (at == text.size()) return malformed("a closing quote");
        ++at;
        return true;
    }

    /// The number's spelling; it may be a fraction or exceed every machine type.
    bool number(std::string_view& out) {
        skip_space();
        const auto first = at;
        if (at < text.size() && text[at] == '-') ++at;
        if (at < text.size() && text[at] == '0') ++at;
        else if (!digits()) return false;
        if (at < text.size() && text[at] == '.' && (++at, !digits())) return false;
        if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
            ++at;
            if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
            if (!digits()) return false;
        }
        out = text.substr(first, at - first);
        return true;
    }

    /// `member(key)` must take the value and return whether it could.
    template <class Member> bool object(Member member) {
        if (!expect('{')) return false;
        if (take('}')) return true;
        do {
            std::string key;
            if (!string(key) || !expect(':') || !member(key)) return false;
        } while (take(','));
        return expect('}');
    }
    /// `element()` must take the value and return whether it could.
    template <class Element> bool array(Element element) {
        if (!expect('[')) return false;
        if (take(']')) return true;
        do {
            if (!element()) return false;
        } while (take(','));
        return expect(']');
    }

    /// Any value, nested at most 32 deep.
    bool skip_value(int depth = 0) {
        skip_space();
        const char c = at < text.size() ? text[at] : '\0';
        std::string ignored;
        std::string_view number_ignored;
        if (depth == 32) return malformed("values nested at most 32 deep");
        if (c == '{') return object([&](const std::string&) { return skip_value(depth + 1); });
        if (c == '[') return array([&] { return skip_value(depth + 1); });
        if (c == '"') return string(ignored);
        if (c == '-' || (c >= '0' && c <= '9')) return number(number_ignored);
        for (std::string_view word : {"true", "false", "null"})
            if (text.substr(at, word.size()) == word) {
                at += word.size();
                return true;
            }
        return malformed("a value");
    }

private:
    bool digits() {
        const auto first = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
        return at != first || malformed("a number");
    }
    bool escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (++at == text.size()) return malformed("an escape");
        if (const auto known = letters.find(text[at]); known != letters.npos) {
            out += meanings[known];
            ++at;
            return true;
        }
        std::uint32_t code = 0, low = 0;
        if (!unit(code)) return false;
        if (code >= 0xdc00 && code < 0xe000) return malformed("a high surrogate before the low one");
        if (code >= 0xd800 && code < 0xdc00) {
            if (at == text.size() || text[at] != '\\') return malformed("a low surrogate");
            ++at;
            if (!unit(low)) return false;
            if (low < 0xdc00 || low >= 0xe000) return malformed("a low surrogate");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        append_utf8(out, code);
        return true;
    }
    // "u" and four hexadecimal digits
    bool unit(std::uint32_t& out) {
        if (at == text.size() || text[at] != 'u') return malformed("an escape");
        const auto hex = text.substr(++at, 4);
        bool ok = hex.size() == 4;
        out = 0;
        for (char c : hex) {
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : 16;
            ok = ok && digit < 16;
            out = out * 16 + static_cast<std::uint32_t>(digit);
        }
        if (!ok) return malformed("four hexadecimal digits");
        at += 4;
        return true;
    }
};

} // namespace ahead::detail
