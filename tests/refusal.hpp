// SPDX-License-Identifier: MIT
// Checks that a graph, an option or a call is refused. A failed check prints what was expected and what came.
//
//     check_fault(made.error, {.what = fault::rank_is_wrong, .line = 3, .found = "f32[2]"});
//     check_fault([&] { run(x); }, {.what = fault::output_is_still_held});    // throws ahead::error
//     static_assert(is_refused(d, {.what = fault::node_is_in_use}));
#pragma once
#include "harness.hpp"

#include <ahead/core/error.hpp>

#include <concepts>
#include <optional>
#include <string>

namespace test {

// The fault, and the other parts of a diagnosis; a part that is not given is not compared.
struct refusal {
    ahead::fault what;
    std::optional<std::int32_t> line{};
    std::optional<std::string_view> op{}, name{}, expected{}, found{};
    std::string_view words{}; // a part of the text that a user reads
};

// Without `words`, which only exist at run time.
constexpr bool is_refused(const ahead::diagnosis& d, const refusal& wanted) {
    const auto same = [](const ahead::short_text& part, const std::optional<std::string_view>& given) {
        return !given || part.view() == *given;
    };
    return d.what == wanted.what && (!wanted.line || d.line == *wanted.line) && same(d.op, wanted.op) &&
           same(d.name, wanted.name) && same(d.expected, wanted.expected) && same(d.found, wanted.found);
}

inline std::string printed_refusal(const refusal& r) {
    std::string out(ahead::printers::name_of(r.what));
    if (r.line) out += ", line " + std::to_string(*r.line);
    const auto add = [&](std::string_view label, std::string_view text) {
        out.append(", ").append(label).append(" '").append(text).append("'");
    };
    if (r.op) add("op", *r.op);
    if (r.name) add("name", *r.name);
    if (r.expected) add("expected", *r.expected);
    if (r.found) add("found", *r.found);
    if (!r.words.empty()) add("words", r.words);
    return out;
}
// `said`: the text that the user reads.
inline bool check_diagnosis(const ahead::diagnosis& d, std::string_view said, const refusal& wanted,
                            const location& where) {
    if (is_refused(d, wanted) && said.find(wanted.words) != said.npos) return check(true, {}, where);
    const refusal came{d.what, d.line, d.op.view(), d.name.view(), d.expected.view(), d.found.view()};
    return check(false,
                 "expected: " + printed_refusal(wanted) + "\n    came:     " + printed_refusal(came) + "\n    " + std::string(said),
                 where);
}

inline bool check_fault(const ahead::diagnosis& d, const refusal& wanted, location where = location::current()) {
    return check_diagnosis(d, ahead::render(d), wanted, where);
}

// Passes if f() throws ahead::error so. Gives what it threw.
template <std::invocable F>
std::optional<ahead::error> check_fault(F&& f, const refusal& wanted, location where = location::current()) {
    try {
        f();
    } catch (const ahead::error& e) {
        check_diagnosis(e.what_happened, e.what(), wanted, where);
        return e;
    } catch (const std::exception& e) {
        check(false, "expected: " + printed_refusal(wanted) + "\n    came:     another exception: " + e.what(), where);
        return {};
    }
    check(false, "expected: " + printed_refusal(wanted) + "\n    came:     no exception", where);
    return {};
}
// The same of a fault and a part of what().
template <std::invocable F>
std::optional<ahead::error> check_fault(F&& f, ahead::fault what, std::string_view words = {},
                                        location where = location::current()) {
    return check_fault(f, {.what = what, .words = words}, where);
}

} // namespace test
