// SPDX-License-Identifier: MIT
// The one bridge from a diagnosis to a compile error. One error of at most 15 lines on g++ and clang, the lines
// of source that they quote not counted, which names the fault, the operator, the tensor, the line, what was expected
// and what was found; where the graph is a text, its file and what the line says; last, what to do.
// Invariant: require<Holder> is an empty struct that can be used on; the code that requires it must continue with
// something harmless if the diagnosis is not ok, so that no second error follows.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fault_hints.hpp>
#include <ahead/core/source_text.hpp>
#include <type_traits>
#include <utility>

/// The parts of a diagnosis as template arguments in the error. Text over 32 characters is split, because clang
/// truncates longer text.
namespace AHEAD_NAMESPACE::because {

template <fixed_string... Text> struct in_operator;
template <fixed_string... Text> struct in_tensor;
template <std::int32_t Line> struct at_line;
template <fixed_string... Text> struct expected;
template <fixed_string... Text> struct found;
template <fixed_string... Text> struct in_file;
template <fixed_string... Text> struct which_says;
template <fixed_string... Text> struct hint; // or, of fault::custom, the rule that a user wrote

} // namespace ahead::because
namespace AHEAD_NAMESPACE::core {

/// Instantiated only for a fault: its static_assert is the error, its arguments are the message.
template <fault Fault, class... Facts> struct refused {
    static constexpr bool accepted = Fault == fault::none;
    static_assert(accepted, "ahead refuses this: what is wrong, and where, are the template arguments of 'refused'");
};

} // namespace ahead::core
namespace AHEAD_NAMESPACE::detail {

inline constexpr std::size_t piece_size = 32;

template <std::size_t Size> constexpr fixed_string<Size + 1> piece_of(std::string_view text, std::size_t piece) {
    char chars[Size + 1]{};
    for (std::size_t i = 0; i < Size; ++i) chars[i] = text[piece * piece_size + i];
    return {chars};
}

template <class Text> struct pieces {
    static constexpr std::string_view text = Text::text();
    static constexpr std::size_t count = (text.size() + piece_size - 1) / piece_size;
    static constexpr std::size_t size(std::size_t piece) {
        const auto rest = text.size() - piece * piece_size;
        return rest < piece_size ? rest : piece_size;
    }
    template <template <fixed_string...> class Fact, std::size_t... Nth>
    static auto as(std::index_sequence<Nth...>) -> Fact<piece_of<size(Nth)>(text, Nth)...>;
};
template <template <fixed_string...> class Fact, class Text>
using fact = decltype(pieces<Text>::template as<Fact>(std::make_index_sequence<pieces<Text>::count>{}));

/// The text from which Holder's graph was read.
template <class Holder> constexpr source_text source_of() {
    if constexpr (requires { Holder::source; }) return Holder::source;
    else return {};
}

template <class Holder> struct refusal {
    struct op {
        static constexpr std::string_view text() { return Holder::error.op.view(); }
    };
    struct name {
        static constexpr std::string_view text() { return Holder::error.name.view(); }
    };
    struct wanted {
        static constexpr std::string_view text() { return Holder::error.expected.view(); }
    };
    struct got {
        static constexpr std::string_view text() { return Holder::error.found.view(); }
    };
    static constexpr source_text source = source_of<Holder>();
    struct file {
        static constexpr std::string_view text() { return source.file; }
    };
    struct line {
        static constexpr std::string_view text() { return source.line(Holder::error.line).substr(0, 3 * piece_size); }
    };
    struct advice {
        static constexpr std::string_view text() {
            return Holder::error.rule.empty() ? core::hint(Holder::error.what)
                                              : Holder::error.rule.substr(0, 12 * piece_size);
        }
    };
    template <class... More>
    using with = refused<Holder::error.what, fact<because::in_operator, op>, fact<because::in_tensor, name>,
                         because::at_line<Holder::error.line>, fact<because::expected, wanted>,
                         fact<because::found, got>, More..., fact<because::hint, advice>>;
    static constexpr auto in_text() {
        if constexpr (source.line(Holder::error.line).empty()) return std::type_identity<with<>>{};
        else if constexpr (source.file.empty()) return std::type_identity<with<fact<because::which_says, line>>>{};
        else return std::type_identity<with<fact<because::in_file, file>, fact<because::which_says, line>>>{};
    }
    using type = typename decltype(in_text())::type;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::core {

/// An empty struct if Holder::error, a static constexpr diagnosis, is ok; otherwise a compile error. Use it as an empty
/// base, or complete it with `sizeof`. Holder::error must be a named constant, because the message reads its text.
template <class Holder, bool Ok = Holder::error.ok()> struct require {};
template <class Holder> struct require<Holder, false> : detail::refusal<Holder>::type {};

/// Instantiates Error, a struct whose static_assert is the error. Always true, so that clang does not also report an
/// invalid type or a non-constant expression.
template <class Error> inline constexpr bool is_reported = requires { sizeof(Error); } || true;

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::require;
} // namespace ahead
