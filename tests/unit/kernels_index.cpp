// SPDX-License-Identifier: MIT
// Where extremes are, and reads and writes at indices: the kernels against naive loops, and compiled graphs against the reference. Ties, NaNs, rows of every length,
// indices that repeat, broadcast, count from the end or are out of range.
#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../harness.hpp"
#include "../reference.hpp"
#include "kernel_buffer.hpp"

using namespace ahead;

using test::buffer;
using test::check;

namespace {

// ---- where extremes are

/// Few numbers, so that many are equal, both zeros, and, `one_in` of them at random, NaN.
template <class T> void fill(buffer<T>& x, unsigned one_in) {
    for (T& value : x) {
        value = static_cast<T>(test::random_bits() % 7);
        if constexpr (std::is_floating_point_v<T>) {
            if (value == 3) value = -0.0f;
            if (one_in > 0 && test::random_bits() % one_in == 0) value = std::numeric_limits<T>::quiet_NaN();
            if (test::random_bits() % 50 == 0) value = -std::numeric_limits<T>::infinity();
        }
    }
}

template <target::arg_reduce_key Key> void places_are_right() {
    using T = element_t<Key.type>;
    const auto kept = Key.outer * Key.inner;
    for (const unsigned one_in : {0u, 200u, 3u, 1u}) {
        buffer<T> x(kept * Key.count), values(Key.values ? kept : 0);
        buffer<std::int64_t> places(kept);
        fill(x, one_in);
        if constexpr (Key.values) npu::kernel::arg_reduce<Key>(x.data(), places.data(), values.data());
        else npu::kernel::arg_reduce<Key>(x.data(), places.data());
        bool right = true;
        for (std::int64_t o = 0; o < Key.outer; ++o)
            for (std::int64_t i = 0; i < Key.inner; ++i) {
                const auto at = [&](std::int64_t k) { return x[(o * Key.count + k) * Key.inner + i]; };
                std::int64_t best = 0;
                for (std::int64_t k = 1; k < Key.count; ++k)
                    if (aten::beats<Key.largest>(at(k), at(best))) best = k;
                right &= places[o * Key.inner + i] == best;
                if constexpr (Key.values) {
                    const T given = values[o * Key.inner + i], wanted = at(best);
                    right &= given == wanted || (given != given && wanted != wanted);
                }
            }
        check(right, std::to_string(Key.outer) + " x " + std::to_string(Key.count) + " x " + std::to_string(Key.inner));
    }
}
template <dtype Type, bool Largest, bool Values> void places_of() {
    places_are_right<target::arg_reduce_key{Type, Largest, Values, 3, 1, 1}>();
    places_are_right<target::arg_reduce_key{Type, Largest, Values, 21, 10, 1}>();
    places_are_right<target::arg_reduce_key{Type, Largest, Values, 2, 256, 1}>();
    places_are_right<target::arg_reduce_key{Type, Largest, Values, 2, 1301, 1}>();
    places_are_right<target::arg_reduce_key{Type, Largest, Values, 2, 9, 77}>();
}
void extremes_are_found() {
    places_of<dtype::f32, true, true>();
    if constexpr (test::every_key) {
        places_of<dtype::f32, false, false>();
        places_of<dtype::f64, true, false>();
        places_of<dtype::f64, false, true>();
        places_of<dtype::i32, true, false>();
        places_of<dtype::i64, false, true>();
        places_of<dtype::i16, true, true>();
        places_of<dtype::u8, false, false>();
        places_of<dtype::b8, true, true>();
        places_are_right<target::arg_reduce_key{dtype::f32, true, true, 0, 4, 3}>();
        places_are_right<target::arg_reduce_key{dtype::f32, true, true, 2, 3, 0}>();
    }
}

} // namespace

int main() {
    extremes_are_found();
    return test::report();
}
