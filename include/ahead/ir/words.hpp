// SPDX-License-Identifier: MIT
// Words that operators take, as enumerations: `enum class approximation { none, tanh };` next to the schema, whose
// parameter is `one_of<approximation>(required("approximate", parameter_kind::string))`. Rules and references read it
// with `c.word<approximation>(at::approximate)`, meanings with as_word<approximation>(number).
// Invariant: the words are the enumerators' names in their order, from 0 on, so the two cannot disagree. If None is
// allowed, the first enumerator represents it and is not a word.
#pragma once
#include <ahead/core/enumerator_name.hpp>
#include <ahead/ir/op.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

inline constexpr int most_words = 8;
/// g++ and clang write "Values = {ahead::aten::rounding::none, ...}" or "<...>", and a value without an enumerator as
/// "(ahead::aten::rounding)3". One function for all values costs the compiler less than one for each.
template <auto... Values> constexpr spelling spell_all() { return {__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__)}; }

struct word_list {
    std::string_view names[most_words];
    std::size_t count = 0;
};
template <class Word, int... Nth> constexpr word_list list_words(std::integer_sequence<int, Nth...>) {
    constexpr auto all = spell_all<static_cast<Word>(Nth)...>();
    std::size_t at = 0;
    while (all.text[at] != '=' || all.text[at + 1] != ' ') ++at;
    word_list out;
    const std::string_view text(all.text, all.size);
    for (at += 3; out.count < most_words; at += 2) { // after "= {", and then ", "
        if (text[at] == '(' && !text.substr(at).starts_with("(anonymous namespace)::")) break;
        auto name = at;
        for (char c = text[at]; c != ',' && c != '}' && c != '>'; c = text[++at]) {
            if (c == ':') name = at + 1;
            if (c == '<') at = text.find('>', at); // "<unnamed>", as g++ writes it
        }
        out.names[out.count++] = {all.text + name, at - name};
    }
    return out;
}
template <class Word>
inline constexpr word_list all_words = list_words<Word>(std::make_integer_sequence<int, most_words>{});

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The names of the enumerators 0, 1, 2, ..., at most seven.
template <class Word>
inline constexpr array_view<const std::string_view> words_of{detail::all_words<Word>.names,
                                                             detail::all_words<Word>.count};

/// A parameter that takes only the words of an enumeration, and None if it is optional.
template <class Word> constexpr parameter one_of(parameter p) {
    constexpr const auto& all = words_of<Word>;
    const bool or_none = p.kind == parameter_kind::optional_string;
    p.words = {all.data() + or_none, all.size() - or_none};
    return p;
}
/// The word as an argument, for defaults.
template <auto Value> constexpr argument argument_of_word() {
    return {.kind = argument_kind::string, .text = enumerator_name<Value>()};
}
/// The word with the number that a meaning receives.
template <class Word, class T> constexpr Word as_word(T number) { return static_cast<Word>(number); }

} // namespace ahead::ir
