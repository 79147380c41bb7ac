// What is wrong, if anything, as the exit code's sentence.
// SPDX-License-Identifier: MIT
#include "refusals.hpp"

#include <cstdio>

#ifdef __cpp_exceptions
#error "compiled with exceptions"
#endif

int main() {
    const auto failed = first_failure();
    if (failed.empty()) return 0;
    std::fprintf(stderr, "%s\n", failed.c_str());
    return 1;
}
