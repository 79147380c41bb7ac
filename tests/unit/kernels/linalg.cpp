// The kernels of ahead/linalg.hpp: that the factors are of the right form and give the matrix again, for several sizes, both dtypes and batches, and that
// a kernel allocates nothing.
// SPDX-License-Identifier: MIT
#undef NDEBUG // Eigen asserts that it may allocate
#define EIGEN_RUNTIME_NO_MALLOC

#include <counted_allocations.hpp>

#include <ahead/linalg.hpp>

#include <harness.hpp>
#include <unit/kernel_buffer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {

using namespace ahead;
using device::decomposition;

// A column-major matrix.
template <class T> struct columns {
    const T* first;
    std::int64_t rows;
    double operator()(std::int64_t i, std::int64_t k) const { return static_cast<double>(first[k * rows + i]); }
};
// The largest element of a b - c; a and b are functions of row and column.
double off(std::int64_t rows, std::int64_t inner, std::int64_t width, auto a, auto b, auto c) {
    double worst = 0;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t k = 0; k < width; ++k) {
            double sum = 0;
            for (std::int64_t j = 0; j < inner; ++j) sum += a(i, j) * b(j, k);
            const double apart = std::abs(sum - c(i, k));
            worst = apart <= worst ? worst : apart; // keeps a NaN
        }
    return worst;
}
constexpr auto identity = [](std::int64_t i, std::int64_t k) { return i == k ? 1.0 : 0.0; };

template <class T> void is_small(double apart, std::int64_t n, const std::string& what) {
    const double allowed = (8 + static_cast<double>(n)) * static_cast<double>(std::numeric_limits<T>::epsilon());
    test::check(apart <= allowed, what + " of " + std::to_string(n) + ": off by " + std::to_string(apart / allowed) + " of what is allowed");
}
// Eigen calls malloc, and stops the test where it must not; all else calls operator new.
template <class F> void allocates_nothing(F f) {
    const auto before = test::allocations.load();
    Eigen::internal::set_is_malloc_allowed(false);
    f();
    Eigen::internal::set_is_malloc_allowed(true);
    test::check_equal(test::allocations.load(), before);
}

template <device::decompose_key Key> void symmetric() {
    using T = element_t<Key.type>;
    constexpr auto n = Key.rows;
    test::buffer<T> x(Key.batch * n * n), values(Key.batch * n), vectors(Key.vectors ? Key.batch * n * n : 0);
    test::buffer<std::byte> workspace(device::decompose::workspace(Key));
    x.randomize();
    allocates_nothing([&] { kernels::symmetric_eigen<Key>(x.data(), values.data(), vectors.data(), workspace.data()); });
    for (std::int64_t b = 0; b < Key.batch; ++b) {
        const auto a = [&](std::int64_t i, std::int64_t k) { // the triangle that is read
            const bool above = i < k;
            return static_cast<double>(x[b * n * n + (above == Key.upper ? i * n + k : k * n + i)]);
        };
        const auto* w = values.data() + b * n;
        test::check(std::is_sorted(w, w + n));
        double trace = 0;
        for (std::int64_t i = 0; i < n; ++i) trace += a(i, i) - static_cast<double>(w[i]);
        is_small<T>(std::abs(trace), n, "trace");
        if constexpr (Key.vectors) {
            const columns<T> v{vectors.data() + b * n * n, n};
            const auto turned = [&](std::int64_t i, std::int64_t k) { return v(k, i); };
            is_small<T>(off(n, n, n, turned, v, identity), n, "orthogonality");
            const auto scaled = [&](std::int64_t i, std::int64_t k) { return v(i, k) * static_cast<double>(w[k]); };
            is_small<T>(off(n, n, n, scaled, turned, a), n, "eigenvectors");
        }
    }
}
template <std::int64_t N> void symmetric_of() {
    constexpr auto kind = decomposition::symmetric_eigen;
    symmetric<device::decompose_key{.type = dtype::f64, .kind = kind, .batch = 3, .rows = N, .columns = N, .vectors = true}>();
    symmetric<device::decompose_key{.type = dtype::f32, .kind = kind, .batch = 1, .rows = N, .columns = N, .upper = true, .vectors = true}>();
    symmetric<device::decompose_key{.type = dtype::f32, .kind = kind, .batch = 2, .rows = N, .columns = N}>();
}
// A matrix with a NaN gives NaN, and the next one of the batch its eigenvalues.
void nan_gives_nan() {
    constexpr device::decompose_key key{.type = dtype::f32, .batch = 2, .rows = 2, .columns = 2, .vectors = true};
    test::buffer<float> x(8), values(4), vectors(8);
    test::buffer<std::byte> workspace(device::decompose::workspace(key));
    x[0] = x[4] = 3, x[7] = 2, x[2] = std::numeric_limits<float>::quiet_NaN();
    kernels::symmetric_eigen<key>(x.data(), values.data(), vectors.data(), workspace.data());
    test::check(std::isnan(values[0]) && std::isnan(values[1]) && std::isnan(vectors[0]) && std::isnan(vectors[3]));
    test::check(values[2] == 2 && values[3] == 3 && vectors[4] == 0 && vectors[5] == 1);
}

} // namespace

int main() {
    symmetric_of<1>();
    symmetric_of<2>();
    symmetric_of<7>();
    symmetric_of<device::most_decomposed>();
    nan_gives_nan();
    return test::report();
}
