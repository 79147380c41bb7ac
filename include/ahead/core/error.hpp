// SPDX-License-Identifier: MIT
// A diagnosis as a sentence, with a line below it that says what to do, and as an exception. The functions that refuse
// with a diagnosis have a second form that throws `error`; compiled without exceptions, that form ends the program with
// the same text.
// Invariant: the sentence is one line, the hint another one, both without control characters, whatever a damaged file
// put into the diagnosis.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fault_hints.hpp>
#include <ahead/core/fault_names.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace AHEAD_NAMESPACE::detail {

/// The first word of these faults' names is the subject of the sentence: the subject's name is printed directly after
/// it.
constexpr bool names_its_subject(std::string_view subject) {
    for (std::string_view known : {"weight", "file", "name", "parameter", "node"})
        if (subject == known) return true;
    return false;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::core {

/// The error in one sentence: place, fault with spaces for underscores, expected and found, each if it is known. A
/// rule of a user replaces the fault.
///     weight 'fc1.weight' has the wrong shape: expected f32[120, 400], found f32[400, 120]
///     line 4: aten.mm.default 'mm': matmul inner extents differ: expected 3, found 4
[[gnu::cold]] inline std::string sentence_of(const diagnosis& d) {
    if (d.ok()) return "no fault";
    // Every part has at most 130 characters, a rule 400. One buffer, because each operation on std::string is a page of
    // code wherever a program may throw.
    char text[1024];
    std::size_t size = 0;
    const auto add = [&](std::string_view part) {
        for (char c : part) text[size++] = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    };
    const auto add_words = [&](std::string_view part) {
        for (char c : part) text[size++] = c == '_' ? ' ' : c;
    };
    const auto name = d.name.view();
    const auto op =
        d.op.view() == name ? std::string_view{} : d.op.view(); // an input has no operator: both fields are its name
    const auto add_name = [&] { add("'"), add(name), add("'"); };
    short_text number;
    number << "fault " << static_cast<int>(d.what);
    const auto words = name_of(d.what).empty() ? number.view() : name_of(d.what);
    std::size_t end = 0; // of the subject
    while (end < words.size() && words[end] != '_' && words[end] != ' ') ++end;
    const auto subject = words.substr(0, end);
    const bool op_inside = subject == "operator" && !op.empty();
    const bool name_inside = !op_inside && detail::names_its_subject(subject) && !name.empty();
    const bool op_first = !op_inside && !op.empty(), name_first = !name_inside && !name.empty();

    if (d.line != 0) add((short_text("line ") << d.line << ": ").view());
    if (op_first) add(op);
    if (op_first && name_first) add(" ");
    if (name_first) add_name();
    if (op_first || name_first) add(": ");
    const bool has_rule = !d.rule.empty();
    if (has_rule) add(d.rule.substr(0, 400));
    else add_words(subject);
    if (op_inside) add(" "), add(op);
    if (name_inside) add(" "), add_name();
    constexpr std::string_view wrong = "_has_wrong_";
    for (std::size_t i = has_rule ? words.size() : end; i < words.size(); ++i) {
        if (words.substr(i, wrong.size()) == wrong) {
            add(" has the");
            i += 4;
        }
        add_words(words.substr(i, 1));
    }
    if (!d.expected.view().empty()) add(": expected "), add(d.expected.view());
    if (!d.found.view().empty()) add(d.expected.length != 0 ? ", found " : ": found "), add(d.found.view());
    return {text, size};
}

/// The sentence, and what to do as a line below it: `instead`, or the fault's hint. A user's own rule has no hint: it
/// says both.
///     line 4: aten.mm.default 'mm': dtypes differ: expected f32[2, 3], found f64[3, 4]
///       hint: Cast one operand.
[[gnu::cold]] inline std::string render(const diagnosis& d, std::string_view instead = {}) {
    std::string text = sentence_of(d);
    const auto advice = instead.empty() && d.rule.empty() ? hint(d.what) : instead;
    if (!advice.empty()) text.append("\n  hint: ").append(advice);
    return text;
}

/// Thrown where a function without a diagnosis parameter refuses; what() is render(what_happened).
struct error : std::runtime_error {
    diagnosis what_happened;
    explicit error(const diagnosis& d) : std::runtime_error(render(d)), what_happened(d) {}
    /// With words in place of the fault's hint: what another system says here, and what to do in this place.
    error(const diagnosis& d, std::string_view instead) : std::runtime_error(render(d, instead)), what_happened(d) {}
};

/// Prints the error to stderr and ends the program: for callers that cannot receive an error otherwise.
[[noreturn, gnu::cold]] inline void end_program(const error& e) {
    std::fprintf(stderr, "ahead: %s\n", e.what());
    std::terminate();
}
/// Throws e; ends the program if exceptions are disabled.
[[noreturn, gnu::cold]] inline void raise(const error& e) {
#ifdef __cpp_exceptions
    throw e;
#else
    end_program(e);
#endif
}
[[noreturn, gnu::cold]] inline void raise(const diagnosis& d) { raise(error(d)); }
/// Calls f(), and handle(e) for an exception e that it throws.
template <class F, class Handle> void guarded(F f, [[maybe_unused]] Handle handle) {
#ifdef __cpp_exceptions
    try {
        f();
    } catch (...) {
        handle(std::current_exception());
    }
#else
    f();
#endif
}

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::error, core::render;
} // namespace ahead
