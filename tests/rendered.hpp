// SPDX-License-Identifier: MIT
// The sentence of a refusal, for tests that compare it whole: check_equal(sentence(d), "dtypes differ: found f32 and i64"). That the hint of its fault, and nothing
// else, stands in a line below is checked here, once for all of them.
#pragma once
#include "harness.hpp"

#include <ahead/core/error.hpp>

namespace test {

// What render() says, without the hint; nothing else may be missing, and there is a hint but for a user's own rule.
inline std::string sentence(const ahead::diagnosis& d, const location& where = location::current()) {
    auto said = ahead::render(d);
    const bool has_hint = !d.ok() && d.rule.empty() && !ahead::printers::name_of(d.what).empty();
    const auto advice = has_hint ? "\n  hint: " + std::string(ahead::core::hint(d.what)) : std::string();
    check(said.ends_with(advice) && advice.empty() != has_hint && (!has_hint || advice.ends_with('.')), said, where);
    said.resize(said.size() - std::min(said.size(), advice.size()));
    check(said == ahead::core::sentence_of(d) && said.find('\n') == said.npos, said, where);
    return said;
}
// Of what was thrown: what() is what render() says.
inline std::string sentence(const ahead::error& e, const location& where = location::current()) {
    check(std::string_view(e.what()) == ahead::render(e.what_happened), e.what(), where);
    return sentence(e.what_happened, where);
}

} // namespace test
