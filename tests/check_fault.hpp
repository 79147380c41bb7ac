// SPDX-License-Identifier: MIT
// A call that ahead refuses with an exception: check_fault([&] { run(x); }, fault::output_is_still_held); what the device refuses also says what to do.
#pragma once
#include "harness.hpp"

#include <ahead/npu/device_words.hpp>

#include <optional>

namespace test {

// Passes if f() throws ahead::error with this fault, whose what() contains `words`. Gives what it threw.
template <class F>
std::optional<ahead::error> check_fault(F&& f, ahead::fault expected, std::string_view words = {}, location where = location::current()) {
    try {
        f();
    } catch (const ahead::error& e) {
        check(e.what_happened.what == expected && std::string_view(e.what()).find(words) != std::string_view::npos, e.what(), where);
        return e;
    }
    check(false, "threw nothing", where);
    return {};
}
// The same, and what() ends in what the device says of the fault, in place of the fault's hint.
template <class F>
void check_refusal(F&& f, ahead::fault expected, std::string_view words = {}, location where = location::current()) {
    const auto thrown = check_fault(f, expected, words, where);
    if (!thrown) return;
    const auto advice = ahead::npu::words_of(expected, thrown->what_happened.op.view());
    check(!advice.empty() && thrown->what() == ahead::sentence_of(thrown->what_happened) + "\n  hint: " + std::string(advice), "it says what to do", where);
}

} // namespace test
