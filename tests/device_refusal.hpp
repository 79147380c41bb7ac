// SPDX-License-Identifier: MIT
// A call that the device refuses: what() also says what to do, in the words of the device.
#pragma once
#include "refusal.hpp"

#include <ahead/npu/device_words.hpp>

namespace test {

// check_fault, and what() ends in what the device says of the fault, in place of the fault's hint.
template <std::invocable F>
void check_refusal(F&& f, ahead::fault expected, std::string_view words = {}, location where = location::current()) {
    const auto thrown = check_fault(f, expected, words, where);
    if (!thrown) return;
    const auto advice = ahead::npu::words_of(expected, thrown->what_happened.op.view());
    const auto wanted = ahead::core::sentence_of(thrown->what_happened) + "\n  hint: " + std::string(advice);
    check(!advice.empty() && thrown->what() == wanted, "it says what to do: " + wanted, where);
}

} // namespace test
