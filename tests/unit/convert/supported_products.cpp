// SPDX-License-Identifier: MIT
// What the converters of products, quantised ones among them, and windows declare, run against the reference.
#include "unit/supported.hpp"

int main() {
    const auto count = test::converters<ahead::convert::matmul_converters>::check() +
                       test::converters<ahead::convert::convolution_converters>::check() +
                       test::converters<ahead::convert::quantised_converters>::check() +
                       test::converters<ahead::convert::pool_converters>::check() +
                       test::converters<ahead::convert::recurrent_converters>::check();
    std::cout << count << " cases\n";
    return test::report();
}
