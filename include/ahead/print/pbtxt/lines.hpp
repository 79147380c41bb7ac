// SPDX-License-Identifier: MIT
// The lines of protobuf text: fields, messages with indented contents, escapes. Called by print_pbtxt.hpp.
// Invariant: the function that opens a message also closes it.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/print/text_sink.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class pbtxt_lines {
public:
    constexpr explicit pbtxt_lines(Sink& out) : out_(out) {}

    template <class... Parts> constexpr void put(Parts... parts) { (out_.append(std::string_view(parts)), ...); }
    constexpr void indent() {
        for (int i = 0; i < depth_; ++i) put("  ");
    }
    constexpr void open(std::string_view name) {
        indent();
        put(name, " {\n");
        ++depth_;
    }
    constexpr void close() {
        --depth_;
        indent();
        put("}\n");
    }
    constexpr void put_field(std::string_view name, std::string_view value) {
        indent();
        put(name, ": ", value, "\n");
    }
    constexpr void put_field(std::string_view name, std::int64_t value) {
        put_field(name, (short_text() << value).view());
    }
    template <class... Parts> constexpr void put_text(std::string_view name, Parts... parts) {
        indent();
        put(name, ": \"");
        (put_escaped(std::string_view(parts)), ...);
        put("\"\n");
    }
    constexpr void put_escaped(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '\n') put("\\n");
            else if (c == '\t') put("\\t");
            else if (c == '\r') put("\\r");
            else if (c == '"' || c == '\\') put("\\", text.substr(i, 1));
            else put(text.substr(i, 1));
        }
    }
    constexpr void open_attr(std::string_view key) {
        open("attr");
        put_text("key", key);
        open("value");
    }
    constexpr void close_attr() {
        close();
        close();
    }
    constexpr void put_text_attr(std::string_view key, std::string_view text) {
        if (text.empty()) return;
        open_attr(key);
        put_text("s", text);
        close_attr();
    }
    template <class Body> constexpr void put_list_attr(std::string_view key, Body body) {
        open_attr(key);
        open("list");
        body();
        close();
        close_attr();
    }

private:
    Sink& out_;
    int depth_ = 0;
};

} // namespace ahead::detail
