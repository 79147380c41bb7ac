// Several tests in one executable, each a function that was written as a main (joined.cmake).
// SPDX-License-Identifier: MIT
#pragma once
#include <iostream>
#include <span>
#include <string_view>

namespace test {

struct joined {
    std::string_view name;
    int (*run)(int count, char** words);
};

inline int call(int (*main)(), int, char**) { return main(); }
inline int call(int (*main)(int, char**), int count, char** words) { return main(count, words); }

// Runs the test that the first word names, with the words behind it.
inline int run_one(std::span<const joined> all, int count, char** words) {
    const std::string_view name = count > 1 ? words[1] : "";
    for (const auto& one : all)
        if (one.name == name) return one.run(count - 1, words + 1);
    std::cerr << "there is no test '" << name << "' here; there are";
    for (const auto& one : all) std::cerr << ' ' << one.name;
    std::cerr << '\n';
    return 2;
}

} // namespace test
