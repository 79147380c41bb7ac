// SPDX-License-Identifier: MIT
// The options of a super kernel, as _super_kernel_options gives them: "strict-scope-check=abort:early-start=1". Only
// strict-scope-check has an effect here (plan/super_kernels.hpp); the others are for CANN's compiler, and are kept and
// printed. Source of the keys and their values: CANN's super_kernel_option_parse and TorchAir's page on super kernels.
// Invariant: an accepted text has each key at most once, with a value that CANN accepts.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <iterator>

namespace AHEAD_NAMESPACE::detail {

enum class option_value : std::uint8_t { word, text, power_of_two, up_to_64, count };
struct super_kernel_option_row {
    std::string_view key;
    option_value kind;
    std::string_view words; // the allowed values, if the value is a word
};
inline constexpr super_kernel_option_row super_kernel_options[] = {
    {"strict-scope-check", option_value::word, "bypass abort"},
    {"stream-fusion", option_value::word, "0 1"},
    {"feed-sync-all", option_value::word, "0 1"},
    {"early-start", option_value::word, "0 1 2"},
    {"preload-code", option_value::word, "none per-func max"},
    {"profiling", option_value::word, "0 1"},
    {"debug-sync-all", option_value::word, "0 1"},
    {"debug-dcci-all", option_value::word, "0 1"},
    {"debug-aic-num", option_value::count, {}},
    {"debug-aiv-num", option_value::count, {}},
    {"split-mode", option_value::up_to_64, {}},
    {"func-align", option_value::power_of_two, {}},
    {"compile-options", option_value::text, {}},
    {"dcci-before-kernel-start", option_value::text, {}},
    {"dcci-after-kernel-end", option_value::text, {}},
    {"dcci-disable-on-kernel", option_value::text, {}},
};

constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '"')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '"')) text.remove_suffix(1);
    return text;
}
/// Removes and returns the text up to the mark, and removes the mark; without a mark, the whole text.
constexpr std::string_view take_up_to(char mark, std::string_view& text) {
    const auto end = text.find(mark);
    const auto out = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return trimmed(out);
}
constexpr bool is_word_of(std::string_view words, std::string_view word) {
    while (!words.empty())
        if (take_up_to(' ', words) == word) return true;
    return false;
}
/// The requirement that the value violates; empty if it is valid.
constexpr std::string_view wanted_value(const super_kernel_option_row& row, std::string_view value) {
    std::int64_t number = value.empty() || value.size() > 9 ? -1 : 0;
    for (const char c : value) number = number < 0 || c < '0' || c > '9' ? -1 : 10 * number + (c - '0');
    switch (row.kind) {
    case option_value::word: return is_word_of(row.words, value) && !value.empty() ? std::string_view() : row.words;
    case option_value::text: return value.empty() ? "a text" : "";
    case option_value::power_of_two:
        return number >= 0 && number != 1 && (number & (number - 1)) == 0 ? "" : "0, 2, 4, 8, ...";
    case option_value::up_to_64: return number >= 1 && number <= 64 ? "" : "1 to 64";
    default: return number >= 0 ? "" : "a number";
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::air {

/// Whether the text is valid; if not, what is expected of the first invalid option, and what is found.
constexpr bool check_super_kernel_options(std::string_view text, short_text& expected, short_text& found) {
    std::int32_t seen = 0;
    for (auto rest = text; !rest.empty();) {
        const auto one = ahead::detail::take_up_to(':', rest);
        if (one.empty()) continue;
        found = one;
        auto value = one;
        const auto key = ahead::detail::take_up_to('=', value);
        const auto* row = ahead::detail::super_kernel_options;
        std::int32_t bit = 1;
        for (; row != std::end(ahead::detail::super_kernel_options) && row->key != key; ++row) bit *= 2;
        if (one.find('=') == one.npos) expected = "key=value of a super kernel's options";
        else if (row == std::end(ahead::detail::super_kernel_options))
            expected = "an option of super kernels, such as strict-scope-check";
        else if ((seen & bit) != 0) expected = short_text(key) << " once";
        else if (const auto wanted = ahead::detail::wanted_value(*row, ahead::detail::trimmed(value)); !wanted.empty())
            expected = short_text(key) << "= " << wanted;
        if (!expected.view().empty()) return false;
        seen |= bit;
    }
    return true;
}
/// The value of the key; empty if the text does not set it. pre: the text is valid
constexpr std::string_view super_kernel_option(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        auto value = ahead::detail::take_up_to(':', text);
        if (ahead::detail::take_up_to('=', value) == key) return ahead::detail::trimmed(value);
    }
    return {};
}

} // namespace ahead::air
