// SPDX-License-Identifier: MIT
// A diagnosis as a sentence, and as an exception. The functions that refuse with a diagnosis have a second form that throws `error`.
// Invariant: the text is one line without control characters, whatever a damaged file put into the diagnosis.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fault_names.hpp>
#include <algorithm>
#include <stdexcept>
#include <string>

namespace ahead {

namespace detail {
/// The word that the fault's name begins with is what the fault is about: its own name stands best right behind it.
constexpr bool names_its_subject(std::string_view subject) {
    for (std::string_view known : {"weight", "file", "name", "parameter", "node"})
        if (subject == known) return true;
    return false;
}
} // namespace detail

/// What happened, in one sentence: place, fault with spaces for underscores, expected and found, each where known.
///     weight 'fc1.weight' has the wrong shape: expected f32[120, 400], found f32[400, 120]
///     line 4: aten.mm.default 'mm': matmul inner extents differ: expected 3, found 4
inline std::string render(const diagnosis& d) {
    if (d.ok()) return "no fault";
    std::string sentence(name_of(d.what));
    if (sentence.empty()) sentence = "fault " + std::to_string(static_cast<int>(d.what));
    for (char& c : sentence)
        if (c == '_') c = ' ';
    if (const auto wrong = sentence.find(" has wrong "); wrong != std::string::npos) sentence.insert(wrong + 4, " the");

    const auto subject_end = std::min(sentence.find(' '), sentence.size());
    const std::string subject = sentence.substr(0, subject_end);
    std::string op(d.op.view()), name(d.name.view());
    if (op == name) op.clear(); // an input, which no operator makes
    if (!name.empty()) name = "'" + name + "'";
    if (subject == "operator" && !op.empty()) {
        sentence.insert(subject_end, " " + op);
        op.clear();
    } else if (detail::names_its_subject(subject) && !name.empty()) {
        sentence.insert(subject_end, " " + name);
        name.clear();
    }

    std::string out;
    if (d.line != 0) out += "line " + std::to_string(d.line) + ": ";
    out += op;
    if (!op.empty() && !name.empty()) out += " ";
    out += name;
    if (!op.empty() || !name.empty()) out += ": ";
    out += sentence;
    if (d.expected.length != 0) out.append(": expected ").append(d.expected.view());
    if (d.found.length != 0) out.append(d.expected.length != 0 ? ", found " : ": found ").append(d.found.view());
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return out;
}

/// Thrown where a function without a diagnosis parameter refuses; what() is render(what_happened).
struct error : std::runtime_error {
    diagnosis what_happened;
    explicit error(const diagnosis& d) : std::runtime_error(render(d)), what_happened(d) {}
};

} // namespace ahead
