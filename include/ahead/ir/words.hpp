// SPDX-License-Identifier: MIT
// Words that operators take, as enumerations: `enum class approximation { none, tanh };` beside the schema, whose
// parameter is `one_of<approximation>(required("approximate", parameter_kind::string))`, and that rules and references
// read by `c.word<approximation>(at::approximate)`, meanings by as_word<approximation>(number).
// Invariant: the words are the enumerators' own names in their order, from 0 on, so that neither can fall behind the
// other. Where None may be given, the first enumerator stands for it and is no word.
#pragma once
#include <ahead/core/enumerator_name.hpp>
#include <ahead/ir/op.hpp>
#include <utility>

namespace AHEAD_NAMESPACE {

namespace detail {
template <class Word, int Count = 0> constexpr int count_words() {
    if constexpr (enumerator_name<static_cast<Word>(Count)>().empty()) return Count;
    else return count_words<Word, Count + 1>();
}
template <class Word, class Numbers> struct word_list;
template <class Word, int... I> struct word_list<Word, std::integer_sequence<int, I...>> {
    static constexpr std::string_view names[] = {enumerator_name<static_cast<Word>(I)>()...};
};
} // namespace detail

/// The names of the enumerators 0, 1, 2, ...
template <class Word>
inline constexpr array_view<const std::string_view> words_of{
    detail::word_list<Word, std::make_integer_sequence<int, detail::count_words<Word>()>>::names};

/// A parameter that takes the words of an enumeration only, and None where it may be missing.
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
/// The word whose number a meaning was given.
template <class Word, class T> constexpr Word as_word(T number) { return static_cast<Word>(number); }

} // namespace ahead
