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
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace ahead;
using namespace ahead::rooms;
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
    const double allowed = (8 + 2 * static_cast<double>(n)) * static_cast<double>(std::numeric_limits<T>::epsilon());
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
        is_small<T>(std::abs(trace), 8 * n, "trace");
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
    symmetric<device::decompose_key{.type = dtype::f64, .kind = kind, .vectors = true, .batch = 3, .rows = N, .columns = N}>();
    symmetric<device::decompose_key{.type = dtype::f32, .kind = kind, .upper = true, .vectors = true, .batch = 1, .rows = N, .columns = N}>();
    symmetric<device::decompose_key{.type = dtype::f32, .kind = kind, .batch = 2, .rows = N, .columns = N}>();
}
// A matrix with a NaN gives NaN, and the next one of the batch its eigenvalues.
void nan_gives_nan() {
    constexpr device::decompose_key key{.type = dtype::f32, .vectors = true, .batch = 2, .rows = 2, .columns = 2};
    test::buffer<float> x(8), values(4), vectors(8);
    test::buffer<std::byte> workspace(device::decompose::workspace(key));
    x[0] = x[4] = 3, x[7] = 2, x[2] = std::numeric_limits<float>::quiet_NaN();
    kernels::symmetric_eigen<key>(x.data(), values.data(), vectors.data(), workspace.data());
    test::check(std::isnan(values[0]) && std::isnan(values[1]) && std::isnan(vectors[0]) && std::isnan(vectors[3]));
    test::check(values[2] == 2 && values[3] == 3 && vectors[4] == 0 && vectors[5] == 1);
}

// Whether the columns of q are orthonormal.
template <class T> void is_orthonormal(const columns<T>& q, std::int64_t count, const std::string& what) {
    const auto turned = [&](std::int64_t i, std::int64_t k) { return q(k, i); };
    is_small<T>(off(count, q.rows, count, turned, q, identity), q.rows, what);
}

template <device::decompose_key Key> void singular_values() {
    using T = element_t<Key.type>;
    constexpr auto m = Key.rows, n = Key.columns, count = std::min(m, n), of_u = Key.full ? m : count, of_v = Key.full ? n : count;
    test::buffer<T> x(Key.batch * m * n), values(Key.batch * count), u(Key.batch * m * of_u), vt(Key.batch * of_v * n);
    test::buffer<std::byte> workspace(device::decompose::workspace(Key));
    x.randomize();
    allocates_nothing([&] { kernels::singular_values<Key>(x.data(), values.data(), u.data(), vt.data(), workspace.data()); });
    for (std::int64_t b = 0; b < Key.batch; ++b) {
        const auto a = [&](std::int64_t i, std::int64_t k) { return static_cast<double>(x[b * m * n + i * n + k]); };
        const auto* s = values.data() + b * count;
        test::check(std::is_sorted(s, s + count, std::greater<>()) && s[count - 1] >= 0);
        const columns<T> left{u.data() + b * m * of_u, m}, right{vt.data() + b * of_v * n, of_v};
        is_orthonormal(left, of_u, "U");
        is_small<T>(off(of_v, n, of_v, right, [&](std::int64_t i, std::int64_t k) { return right(k, i); }, identity), n, "V");
        const auto scaled = [&](std::int64_t i, std::int64_t k) { return left(i, k) * static_cast<double>(s[k]); };
        is_small<T>(off(m, count, n, scaled, right, a), m + n, "singular vectors");
    }
}
template <device::decompose_key Key> void qr() {
    using T = element_t<Key.type>;
    constexpr auto m = Key.rows, n = Key.columns, taken = Key.full ? m : std::min(m, n);
    test::buffer<T> x(Key.batch * m * n), q(Key.batch * m * taken), r(Key.batch * taken * n);
    test::buffer<std::byte> workspace(device::decompose::workspace(Key));
    x.randomize();
    allocates_nothing([&] { kernels::qr<Key>(x.data(), r.data(), q.data(), workspace.data()); });
    for (std::int64_t b = 0; b < Key.batch; ++b) {
        const columns<T> basis{q.data() + b * m * taken, m}, upper{r.data() + b * taken * n, taken};
        is_orthonormal(basis, taken, "Q");
        is_small<T>(off(m, taken, n, basis, upper, [&](std::int64_t i, std::int64_t k) { return static_cast<double>(x[b * m * n + i * n + k]); }), m + n, "Q R");
        for (std::int64_t k = 0; k < n; ++k)
            for (auto i = k + 1; i < taken; ++i) test::check(upper(i, k) == 0);
    }
}
// A A^T + n, which is positive definite.
template <class T, std::int64_t N> void make_definite(test::buffer<T>& x) {
    test::buffer<T> a(N * N);
    a.randomize();
    for (std::int64_t i = 0; i < N; ++i)
        for (std::int64_t k = 0; k < N; ++k) {
            x[i * N + k] = i == k ? static_cast<T>(N) : T{};
            for (std::int64_t j = 0; j < N; ++j) x[i * N + k] += a[i * N + j] * a[k * N + j];
        }
}
template <dtype Type, std::int64_t N, bool Upper> void cholesky() {
    using T = element_t<Type>;
    constexpr device::decompose_key key{.type = Type, .kind = decomposition::cholesky, .upper = Upper, .rows = N, .columns = N};
    test::buffer<T> x(N * N), out(N * N);
    test::buffer<std::int32_t> info(1);
    test::buffer<std::byte> workspace(device::decompose::workspace(key));
    make_definite<T, N>(x);
    diagnosis d;
    allocates_nothing([&] { test::check(kernels::cholesky<key>(x.data(), out.data(), info.data(), workspace.data(), d)); });
    const columns<T> factor{out.data(), N};
    const auto turned = [&](std::int64_t i, std::int64_t k) { return factor(k, i); };
    const auto a = [&](std::int64_t i, std::int64_t k) { return static_cast<double>(x[i * N + k]); };
    const auto apart = Upper ? off(N, N, N, turned, factor, a) : off(N, N, N, factor, turned, a);
    is_small<T>(apart / static_cast<double>(2 * N), N, "L L^T");
    test::check(info[0] == 0);
    for (std::int64_t k = 0; k < N; ++k)
        for (auto i = k + 1; i < N; ++i) test::check((Upper ? factor(i, k) : factor(k, i)) == 0);
    constexpr auto minor = (N + 1) / 2;
    x[(minor - 1) * N + minor - 1] = -1;
    test::check(kernels::cholesky<key>(x.data(), out.data(), info.data(), workspace.data(), d) && info[0] == minor && std::isnan(out[0]));
    constexpr device::decompose_key checked{.type = Type, .kind = decomposition::cholesky, .upper = Upper, .checks = true, .rows = N, .columns = N};
    test::check(!kernels::cholesky<checked>(x.data(), out.data(), info.data(), workspace.data(), d) &&
                d.what == fault::matrix_is_not_positive_definite);
}
template <dtype Type, std::int64_t M, std::int64_t N> void lu() {
    using T = element_t<Type>;
    constexpr auto count = std::min(M, N);
    constexpr device::decompose_key key{.type = Type, .kind = decomposition::lu, .rows = M, .columns = N};
    test::buffer<T> x(M * N), out(M * N);
    test::buffer<std::int32_t> pivots(count), info(1);
    test::buffer<std::byte> workspace(device::decompose::workspace(key));
    x.randomize();
    diagnosis d;
    allocates_nothing([&] { test::check(kernels::lu<key>(x.data(), out.data(), pivots.data(), info.data(), workspace.data(), d)); });
    const columns<T> both{out.data(), M};
    const auto lower = [&](std::int64_t i, std::int64_t k) { return i == k ? 1.0 : i > k ? both(i, k) : 0.0; };
    const auto upper = [&](std::int64_t i, std::int64_t k) { return i <= k ? both(i, k) : 0.0; };
    for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t j = 0; j < N; ++j) std::swap(x[k * N + j], x[(pivots[k] - 1) * N + j]);
    is_small<T>(off(M, count, N, lower, upper, [&](std::int64_t i, std::int64_t k) { return static_cast<double>(x[i * N + k]); }), M, "L U");
    test::check(info[0] == 0);
}
template <dtype Type, std::int64_t N> void inverse() {
    using T = element_t<Type>;
    constexpr device::decompose_key key{.type = Type, .kind = decomposition::inverse, .rows = N, .columns = N};
    test::buffer<T> x(N * N), out(N * N);
    test::buffer<std::int32_t> info(1);
    test::buffer<std::byte> workspace(device::decompose::workspace(key));
    make_definite<T, N>(x);
    diagnosis d;
    allocates_nothing([&] { test::check(kernels::inverse<key>(x.data(), out.data(), info.data(), workspace.data(), d)); });
    is_small<T>(off(N, N, N, columns<T>{out.data(), N}, [&](std::int64_t i, std::int64_t k) { return static_cast<double>(x[i * N + k]); }, identity), N, "inverse");
    std::fill(x.begin(), x.end(), T{1});
    if (N == 1) return;
    test::check(kernels::inverse<key>(x.data(), out.data(), info.data(), workspace.data(), d) && info[0] == 2 && std::isnan(out[0]));
}
// X of A X = B, where B is row-major, against the elements of A that the key means.
template <device::solve_key Key> void solve() {
    using T = element_t<Key.type>;
    constexpr auto n = Key.count, w = Key.width;
    test::buffer<T> a(n * n), b(n * w), x(n * w);
    test::buffer<std::int32_t> pivots(n);
    test::buffer<std::byte> workspace(device::solve::workspace(Key));
    a.randomize();
    b.randomize();
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t k = 0; k < n; ++k) a[i * n + k] /= static_cast<T>(n);
        a[i * n + i] = 2; // so that the system is well conditioned
        pivots[i] = static_cast<std::int32_t>(i / 2 * 2 + 2 <= n ? i / 2 * 2 + 2 : n);
    }
    diagnosis d;
    allocates_nothing([&] { test::check(kernels::solve<Key>(a.data(), b.data(), pivots.data(), x.data(), workspace.data(), d)); });
    const auto given = [&](std::int64_t i, std::int64_t k) { return static_cast<double>(a[i * n + k]); };
    std::vector<double> whole(static_cast<std::size_t>(n * n));
    const auto at = [&](std::int64_t i, std::int64_t k) -> double& { return whole[static_cast<std::size_t>(i * n + k)]; };
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < n; ++k) {
            if (Key.lu)
                for (std::int64_t j = 0; j <= std::min(i, k); ++j) at(i, k) += (i == j ? 1 : given(i, j)) * given(j, k);
            else if (i == k) at(i, k) = Key.unit ? 1 : given(i, k);
            else if ((i < k) == Key.upper) at(i, k) = given(i, k);
        }
    for (auto k = n - 1; Key.lu && k >= 0; --k)
        for (std::int64_t j = 0; j < n; ++j) std::swap(at(k, j), at(pivots[k] - 1, j));
    const auto meant = [&](std::int64_t i, std::int64_t k) { return Key.adjoint ? at(k, i) : at(i, k); };
    const auto rows = Key.left ? n : w, width = Key.left ? w : n;
    const auto made = [&](std::int64_t i, std::int64_t k) { return static_cast<double>(Key.in_rows ? x[i * width + k] : x[k * rows + i]); };
    const auto wanted = [&](std::int64_t i, std::int64_t k) { return static_cast<double>(b[i * width + k]); };
    is_small<T>(Key.left ? off(n, n, w, meant, made, wanted) : off(w, n, n, made, meant, wanted), 4 * n, "solution");
    if (!Key.lu) return;
    pivots[0] = static_cast<std::int32_t>(n + 1);
    test::check(!kernels::solve<Key>(a.data(), b.data(), pivots.data(), x.data(), workspace.data(), d) && d.what == fault::index_is_out_of_range);
}

} // namespace

int main() {
    symmetric_of<1>();
    symmetric_of<2>();
    symmetric_of<7>();
    symmetric_of<device::most_decomposed>();
    nan_gives_nan();
    constexpr auto most = device::most_decomposed;
    constexpr auto svd = device::decomposition::singular_values;
    singular_values<device::decompose_key{.type = dtype::f64, .kind = svd, .vectors = true, .batch = 2, .rows = 3, .columns = 3}>();
    singular_values<device::decompose_key{.type = dtype::f32, .kind = svd, .vectors = true, .full = true, .batch = 1, .rows = 7, .columns = 4}>();
    singular_values<device::decompose_key{.type = dtype::f64, .kind = svd, .vectors = true, .full = true, .batch = 1, .rows = 3, .columns = 8}>();
    singular_values<device::decompose_key{.type = dtype::f32, .kind = svd, .vectors = true, .batch = 1, .rows = most, .columns = 100}>();
    singular_values<device::decompose_key{.type = dtype::f64, .kind = svd, .vectors = true, .batch = 1, .rows = most, .columns = most}>();
    constexpr auto of_qr = device::decomposition::qr;
    qr<device::decompose_key{.type = dtype::f64, .kind = of_qr, .vectors = true, .batch = 2, .rows = 4, .columns = 4}>();
    qr<device::decompose_key{.type = dtype::f32, .kind = of_qr, .vectors = true, .full = true, .batch = 2, .rows = 7, .columns = 3}>();
    qr<device::decompose_key{.type = dtype::f32, .kind = of_qr, .vectors = true, .batch = 1, .rows = 3, .columns = 7}>();
    qr<device::decompose_key{.type = dtype::f64, .kind = of_qr, .vectors = true, .batch = 1, .rows = most, .columns = most}>();
    qr<device::decompose_key{.type = dtype::f64, .kind = of_qr, .vectors = true, .full = true, .batch = 1, .rows = most, .columns = 5}>();
    cholesky<dtype::f32, 1, false>();
    cholesky<dtype::f64, 5, true>();
    cholesky<dtype::f64, most, false>();
    lu<dtype::f32, 1, 1>();
    lu<dtype::f64, 5, 3>();
    lu<dtype::f32, 3, 6>();
    lu<dtype::f64, most, most>();
    inverse<dtype::f32, 1>();
    inverse<dtype::f32, 5>();
    inverse<dtype::f64, most>();
    solve<device::solve_key{.type = dtype::f32, .upper = true, .count = 3, .width = 2}>();
    solve<device::solve_key{.type = dtype::f64, .unit = true, .count = 4, .width = 1}>();
    solve<device::solve_key{.type = dtype::f64, .left = false, .upper = true, .count = 4, .width = 5}>();
    solve<device::solve_key{.type = dtype::f64, .upper = true, .count = most, .width = 150}>();
    solve<device::solve_key{.type = dtype::f64, .lu = true, .count = most, .width = 150}>();
    solve<device::solve_key{.type = dtype::f32, .lu = true, .adjoint = true, .count = 5, .width = 2}>();
    solve<device::solve_key{.type = dtype::f32, .lu = true, .left = false, .in_rows = true, .count = 5, .width = 3}>();
    solve<device::solve_key{.type = dtype::f64, .lu = true, .adjoint = true, .left = false, .in_rows = true, .count = 5, .width = 3}>();
    return test::report();
}
