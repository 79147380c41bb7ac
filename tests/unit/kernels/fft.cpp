// npu.fft against the sums that define the transform, in double: every radix, lines of a few and of many numbers, side by side and one behind the other, each kind.
// SPDX-License-Identifier: MIT
#include <ahead/kernels/fft.hpp>

#include <harness.hpp>
#include <unit/kernel_buffer.hpp>

#include <cmath>
#include <complex>
#include <random>
#include <vector>

namespace {

using namespace ahead;
using namespace ahead::rooms;
using device::fourier;
using number = std::complex<double>;

constexpr auto half = std::bit_cast<std::int64_t>(0.5);

template <device::fft_key Key> void transforms() {
    using T = element_t<Key.type>;
    constexpr bool reads_real = Key.kind == fourier::from_real || Key.kind == fourier::from_real_all, gives_real = Key.kind == fourier::to_real;
    constexpr auto n = Key.count, taken = gives_real ? n / 2 + 1 : n, given = Key.kind == fourier::from_real ? n / 2 + 1 : n;
    constexpr auto lines = Key.outer * Key.inner;
    test::buffer<T> x(lines * taken * (reads_real ? 1 : 2)), out(lines * given * (gives_real ? 1 : 2)), roots(2 * n);
    test::buffer<std::byte> workspace(device::fft::workspace(Key));
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::int64_t i = 0; i < lines * taken * (reads_real ? 1 : 2); ++i) x[i] = static_cast<T>(any(generator));
    kernels::fft_roots(n, roots.data());
    kernels::fft<Key>(x.data(), roots.data(), out.data(), workspace.data());
    const auto read = [](auto& of, std::int64_t i, bool real) { return real ? number(of[i]) : number(of[2 * i], of[2 * i + 1]); };
    constexpr auto scale = std::bit_cast<double>(Key.scale_bits);
    double worst = 0;
    for (std::int64_t o = 0; o < Key.outer; ++o)
        for (std::int64_t i = 0; i < Key.inner; ++i) {
            std::vector<number> line(static_cast<std::size_t>(n));
            for (std::int64_t k = 0; k < taken; ++k) line[static_cast<std::size_t>(k)] = read(x, (o * taken + k) * Key.inner + i, reads_real);
            if (gives_real) {
                line[0] = line[0].real();
                if (n % 2 == 0) line[n / 2] = line[n / 2].real();
                for (std::int64_t k = 1; k < n - n / 2; ++k) line[static_cast<std::size_t>(n - k)] = std::conj(line[static_cast<std::size_t>(k)]);
            }
            const double way = Key.kind == fourier::backward || gives_real ? 1 : -1;
            for (std::int64_t k = 0; k < given; ++k) {
                number sum = 0;
                for (std::int64_t j = 0; j < n; ++j)
                    sum += line[static_cast<std::size_t>(j)] * std::polar(1.0, way * 2 * 3.14159265358979323846 * static_cast<double>(j * k % n) / static_cast<double>(n));
                sum *= scale;
                worst = std::max(worst, std::abs(read(out, (o * given + k) * Key.inner + i, gives_real) - (gives_real ? number(sum.real()) : sum)));
            }
        }
    const double allowed = 3 * static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(n);
    test::check(worst <= allowed, std::to_string(lines) + " lines of " + std::to_string(n) + ", kind " + std::to_string(static_cast<int>(Key.kind)) + ": off by " + std::to_string(worst));
}

template <fourier Kind> void kind() {
    transforms<device::fft_key{dtype::f32, Kind, 1, 1, 1}>();
    transforms<device::fft_key{dtype::f32, Kind, 1, 2, 1}>();
    transforms<device::fft_key{dtype::f32, Kind, 1, 256, 1}>(); // one line: vectors hold its numbers
    transforms<device::fft_key{dtype::f32, Kind, 19, 60, 1, half}>();
    transforms<device::fft_key{dtype::f64, Kind, 3, 45, 2}>();
    transforms<device::fft_key{dtype::f32, Kind, 2, 77, 9}>();
}

} // namespace

int main() {
    kind<fourier::forward>();
    kind<fourier::backward>();
    kind<fourier::from_real>();
    kind<fourier::from_real_all>();
    kind<fourier::to_real>();
    transforms<device::fft_key{dtype::f64, fourier::forward, 1, 1024, 1}>();
    transforms<device::fft_key{dtype::f32, fourier::from_real, 40, 400, 1}>();
    transforms<device::fft_key{dtype::f32, fourier::to_real, 0, 8, 3}>();
    return test::report();
}
