// SPDX-License-Identifier: MIT
// Which kernels were measured to be the fastest, as text: one line per key, `key : choice # measurement`,
//     npu.matmul m=8 n=512 k=784 bias packed a_row=784 a_col=1 b_row=1 b_col=784 bias_col=1 : panels_of_64 # ...
// Invariant: a key's text determines all of its fields but the choice; fields with their default value are left out. So
// a line holds for this key in any graph. Written by tune/, read by pass/device/choose_kernels.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <array>
#include <string_view>

namespace AHEAD_NAMESPACE::device {

/// A key's text, as in a line of a choice file.
class key_text {
public:
    constexpr std::string_view view() const { return {chars_.data(), size_}; }
    constexpr void add(std::string_view text) {
        for (const char c : text)
            if (size_ < chars_.size()) chars_[size_++] = c;
    }
    constexpr void add(std::int64_t number) { add((short_text() << number).view()); }

private:
    std::array<char, 640> chars_{}; // 18 fields, of numbers below 2^48
    std::size_t size_ = 0;
};
template <class Key> constexpr void add_fields(key_text& out, const Key& key) {
    fields(key, Key{}, [&](std::string_view name, const auto& value, const auto& usual) {
        using field = std::remove_cvref_t<decltype(value)>;
        if (value == usual || name == "choice") return;
        if constexpr (
            requires { fields(value, usual, [](auto&&...) {}); } && !requires { add_text(out, value); }) {
            add_fields(out, value);
        } else {
            out.add(" ");
            out.add(name);
            if constexpr (std::is_same_v<field, bool>) return;
            else if constexpr (requires { add_text(out, value); }) out.add("="), add_text(out, value);
            else if constexpr (std::is_same_v<field, dtype>) out.add("="), out.add(facts_of(value).annotation);
            else out.add("="), out.add(static_cast<std::int64_t>(value));
        }
    });
}
template <class Op, class Key> constexpr key_text text_of_key(const Key& key) {
    key_text out;
    out.add(Op::name);
    add_fields(out, key);
    return out;
}

/// A line of a choice file.
struct choice_line {
    std::string_view key, choice;
    std::int32_t number = 0; // from 1 on
    std::uint32_t hash = 0;  // of the key
};
constexpr std::uint32_t hash_of(std::string_view text) {
    std::uint32_t hash = 2166136261u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

/// All lines of a choice file, found by their keys.
class choice_table {
public:
    constexpr explicit choice_table(std::string_view text) : lines_(count_lines(text)) {
        for (std::int32_t number = 1; !text.empty(); ++number) {
            const auto end = text.find('\n');
            add(number, text.substr(0, end));
            text.remove_prefix(end == text.npos ? text.size() : end + 1);
        }
    }
    constexpr array_view<const choice_line> lines() const { return {lines_.data(), static_cast<std::size_t>(count_)}; }
    /// The line of a key; null where it has none.
    constexpr const choice_line* find(std::string_view key) const {
        const auto hash = hash_of(key);
        for (const auto& line : lines())
            if (line.hash == hash && line.key == key) return &line;
        return nullptr;
    }

private:
    fixed_buffer<choice_line> lines_;
    std::int32_t count_ = 0;

    static constexpr std::int64_t count_lines(std::string_view text) {
        std::int64_t out = 1;
        for (const char c : text) out += c == '\n';
        return out;
    }
    static constexpr std::string_view trimmed(std::string_view text) {
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
            text.remove_suffix(1);
        return text;
    }
    constexpr void add(std::int32_t number, std::string_view line) {
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty()) return;
        const auto colon = line.find(':');
        const bool is_whole = colon != line.npos;
        const auto key = trimmed(line.substr(0, is_whole ? colon : line.size()));
        lines_[count_++] = {key, is_whole ? trimmed(line.substr(colon + 1)) : std::string_view(), number, hash_of(key)};
    }
};

} // namespace ahead::device
