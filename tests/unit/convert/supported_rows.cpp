// SPDX-License-Identifier: MIT
// What the converters of reductions, normalisations, pads, copies, concatenations, lookups, writes at indices, orders, random numbers and resizing declare, run against the reference.
#include "unit/supported.hpp"

int main() {
    const auto count =
        test::converters<ahead::convert::reduce_converters>::check() + test::converters<ahead::convert::softmax_converters>::check() +
        test::converters<ahead::convert::normalise_converters>::check() + test::converters<ahead::convert::pad_converters>::check() +
        test::converters<ahead::convert::copy_converters>::check() + test::converters<ahead::convert::concat_converters>::check() +
        test::converters<ahead::convert::gather_converters>::check() + test::converters<ahead::convert::index_put_converters>::check() +
        test::converters<ahead::convert::sort_converters>::check() + test::converters<ahead::convert::resize_converters>::check() + test::converters<ahead::convert::resize_gradient_converters>::check() +
        test::converters<ahead::convert::random_converters>::check() + test::converters<ahead::convert::fourier_converters>::check() + test::converters<ahead::convert::complex_converters>::check();
    std::cout << count << " cases; " << test::graphs_counted << " graphs of them lowered, " << test::graphs_beyond_usual << " beyond the usual room\n";
    test::check(test::graphs_beyond_usual >= 10);
    return test::report();
}
