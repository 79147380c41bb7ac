// A strict reader of JSON (RFC 8259) for tests of what printers write: values of objects and arrays in their order, doubles as their text says. Anything that is not JSON is
// refused with the place; duplicate keys and raw control characters are. Used by tests/unit/print/chrome_trace.cpp and tests of the examples.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

struct json {
    enum class kind {
        null,
        boolean,
        number,
        string,
        array,
        object
    };
    kind is = kind::null;
    std::string text; // of a string; of a number as it was written
    double number = 0;
    std::vector<std::string> keys; // of an object, one for each of its items
    std::vector<json> items;

    bool has(std::string_view key) const { return position(key) < keys.size(); }
    const json& operator[](std::string_view key) const {
        if (!has(key)) throw std::runtime_error("no member " + std::string(key));
        return items[position(key)];
    }

private:
    std::size_t position(std::string_view key) const {
        std::size_t i = 0;
        while (i < keys.size() && keys[i] != key) ++i;
        return i;
    }
};

class json_reader {
public:
    static json read(std::string_view text) {
        json_reader reader{text};
        auto value = reader.value();
        reader.space();
        if (reader.at_ != text.size()) reader.fail("the end");
        return value;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    explicit json_reader(std::string_view text) : text_(text) {}

    [[noreturn]] void fail(const std::string& expected) const {
        throw std::runtime_error("JSON: expected " + expected + " at " + std::to_string(at_) + ": " +
                                 std::string(text_.substr(at_ < text_.size() ? at_ : text_.size(), 40)));
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void space() {
        while (at_ < text_.size() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at_;
    }
    void expect(char c) {
        space();
        if (peek() != c) fail({c});
        ++at_;
    }
    bool word(std::string_view w) {
        if (text_.substr(at_, w.size()) != w) return false;
        at_ += w.size();
        return true;
    }
    json value() {
        space();
        json out;
        if (peek() == '{') return object();
        if (peek() == '[') return array();
        if (peek() == '"') {
            out.is = json::kind::string;
            out.text = string();
        } else if (word("true") || word("false"))
            out.is = json::kind::boolean;
        else if (!word("null"))
            return number();
        return out;
    }
    json object() {
        json out;
        out.is = json::kind::object;
        expect('{');
        space();
        if (peek() == '}') return ++at_, out;
        for (;;) {
            space();
            auto key = string();
            if (out.has(key)) fail("another key than " + key);
            expect(':');
            out.keys.push_back(std::move(key));
            out.items.push_back(value());
            space();
            if (peek() == '}') return ++at_, out;
            expect(',');
        }
    }
    json array() {
        json out;
        out.is = json::kind::array;
        expect('[');
        space();
        if (peek() == ']') return ++at_, out;
        for (;;) {
            out.items.push_back(value());
            space();
            if (peek() == ']') return ++at_, out;
            expect(',');
        }
    }
    std::size_t digits() {
        const auto first = at_;
        while (peek() >= '0' && peek() <= '9') ++at_;
        if (at_ == first) fail("a digit");
        return at_ - first;
    }
    json number() {
        json out;
        out.is = json::kind::number;
        const auto first = at_;
        if (peek() == '-') ++at_;
        const bool zero = peek() == '0';
        if (digits() > 1 && zero) fail("no zero before a number");
        if (peek() == '.') ++at_, digits();
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            digits();
        }
        out.text = text_.substr(first, at_ - first);
        out.number = std::strtod(out.text.c_str(), nullptr);
        return out;
    }
    std::string string() {
        if (peek() != '"') fail("a string");
        ++at_;
        std::string out;
        while (peek() != '"') {
            if (at_ >= text_.size() || static_cast<unsigned char>(peek()) < 0x20) fail("no control character");
            if (peek() != '\\') {
                out += text_[at_++];
                continue;
            }
            constexpr std::string_view escapes = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
            ++at_;
            const auto which = escapes.find(peek());
            if (at_ >= text_.size() || which == escapes.npos) fail("an escape"); // \u is none that a printer here writes
            out += meant[which];
            ++at_;
        }
        ++at_;
        return out;
    }
};

} // namespace test
