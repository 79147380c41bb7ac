// SPDX-License-Identifier: MIT
// What the converters of linear algebra declare, run against the reference.
#include <ahead/linalg.hpp>

#include "unit/supported.hpp"

int main() {
    std::cout << test::converters<ahead::convert::linalg_converters>::check() << " cases\n";
    return test::report();
}
