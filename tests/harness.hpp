// The whole test framework: checks count and go on, report() prints the sum and gives main its exit code.
// A failed check prints its own source line, so no macro is needed. Used by every executable under tests/.
//
//     int main() {
//         check(add(1, 2) == 3);
//         check_equal(print(graph), "...");
//         check_throws<error>([] { parse("("); }, "expected a name");
//         return report();
//     }
// SPDX-License-Identifier: MIT
#pragma once

#include <ahead/core/build.hpp>
#include <exception>
#include <fstream>
#include <iostream>
#include <source_location>
#include <string>
#include <string_view>

namespace test {

using namespace ahead::rooms; // tests see what the rooms show each other

using location = std::source_location;

inline int passed = 0;
inline int failed = 0;

// Counts one check; prints where it stands, its source line and `detail` if it failed. Returns `ok`.
inline bool check(bool ok, std::string_view detail = {}, const location& where = location::current()) {
    if (ok) {
        ++passed;
        return true;
    }
    ++failed;
    std::string line;
    std::ifstream file(where.file_name());
    for (auto n = where.line(); n > 0 && std::getline(file, line); --n) {
    }
    std::cout << where.file_name() << ':' << where.line() << ": failed: " << line.erase(0, line.find_first_not_of(" \t")) << '\n';
    if (!detail.empty()) std::cout << "    " << detail << '\n';
    return false;
}

// check(a == b) that prints both sides where they can be printed.
template <class A, class B>
bool check_equal(const A& a, const B& b, const location& where = location::current()) {
    const bool ok = a == b;
    check(ok, {}, where);
    if constexpr (requires { std::cout << a << b; }) {
        if (!ok) std::cout << "    left:  " << a << "\n    right: " << b << '\n';
    }
    return ok;
}

// Passes if f() throws an Error whose what() contains `text`; another exception, or none, fails the check.
template <class Error = std::exception, class F>
bool check_throws(F&& f, std::string_view text = {}, const location& where = location::current()) {
    try {
        f();
    } catch (const Error& error) {
        return check(std::string_view(error.what()).find(text) != text.npos, error.what(), where);
    } catch (...) {
        return check(false, "threw an exception of another type", where);
    }
    return check(false, "threw nothing", where);
}

// The last line of every test. A test without a single check has failed.
inline int report() {
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    return failed == 0 && passed > 0 ? 0 : 1;
}

} // namespace test
