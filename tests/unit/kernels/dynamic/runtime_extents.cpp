// Kernels of fewer places than their key says: against the first places of what all of them give, in memory that is NaN behind them; what lies behind the
// places of a result stays as it was.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "splitmix64.hpp"

#include <ahead/ahead.hpp>
#include <ahead/kernels/dynamic/attention.hpp>
#include <ahead/kernels/dynamic/products.hpp>
#include <ahead/kernels/dynamic/reduce.hpp>
#include <ahead/kernels/dynamic/rows.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace ahead;
using namespace test;
namespace kernels = ahead::kernels;
using device::matmul_key;

namespace {

template <class T> constexpr double tolerance = std::is_same_v<T, double> ? 1e-12 : is_small_float<T> ? 2e-2 : 2e-5;
template <class T> T nan() { // what a number of T is that spoils what reads it
    if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::min();
    else return T(std::numeric_limits<float>::quiet_NaN());
}
template <class T> constexpr T untouched() { return T(-77); }

std::uint64_t drawn = 0;
template <class T> std::vector<T> numbers(std::int64_t count) {
    std::vector<T> out(static_cast<std::size_t>(count));
    for (auto& x : out) x = T(static_cast<float>(splitmix64(++drawn) % 2000) / 1000.f - 1.f);
    return out;
}
template <class T> bool is_near(T a, double b) { return std::fabs(static_cast<double>(a) - b) <= tolerance<T> * (1 + std::fabs(b)); }
// Elements of a strided matrix, NaN but for the first rows and columns.
template <class T> std::vector<T> part_of(const std::vector<T>& all, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) {
    std::vector<T> out(all.size(), nan<T>());
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) out[static_cast<std::size_t>(r * row + c * column)] = all[static_cast<std::size_t>(r * row + c * column)];
    return out;
}
template <class T> std::vector<double> product(const matmul_key& key, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& bias, std::int64_t terms) {
    std::vector<double> out;
    for (std::int64_t i = 0; i < key.m; ++i)
        for (std::int64_t j = 0; j < key.n; ++j) {
            double sum = key.bias ? static_cast<double>(bias[static_cast<std::size_t>(i * key.bias_row + j * key.bias_col)]) : 0;
            for (std::int64_t k = 0; k < terms; ++k)
                sum += static_cast<double>(a[static_cast<std::size_t>(i * key.a_row + k * key.a_col)]) * static_cast<double>(b[static_cast<std::size_t>(k * key.b_row + j * key.b_col)]);
            out.push_back(sum);
        }
    return out;
}
template <class T> void check_part(const std::vector<T>& out, const std::vector<double>& wanted, const matmul_key& key, std::int64_t rows, std::int64_t columns, const char* of, const location& where) {
    bool right = true, apart = true;
    for (std::int64_t i = 0; i < key.m; ++i)
        for (std::int64_t j = 0; j < key.n; ++j) {
            const auto at = static_cast<std::size_t>(i * key.n + j);
            if (i < rows && j < columns) right = right && is_near(out[at], wanted[at]);
            else apart = apart && static_cast<double>(out[at]) == -77;
        }
    check(right && apart, std::string(of) + ": " + std::to_string(rows) + " rows, " + std::to_string(columns) + " columns of " + std::to_string(key.m) + " x " + std::to_string(key.n) + " x " + std::to_string(key.k) + (apart ? "" : ", written behind them"), where);
}
constexpr std::int64_t reach(std::int64_t rows, std::int64_t row, std::int64_t columns, std::int64_t column) { return (rows - 1) * row + (columns - 1) * column + 1; }

// Fewer rows, of a key as it is: packed, in place, on the fly, dot products.
template <matmul_key Key> void fewer_rows(const location& where = location::current()) {
    using T = element_t<Key.type>;
    const auto a = numbers<T>(reach(Key.m, Key.a_row, Key.k, Key.a_col)), b = numbers<T>(reach(Key.k, Key.b_row, Key.n, Key.b_col));
    const auto bias = numbers<T>(Key.bias ? reach(Key.m, Key.bias_row, Key.n, Key.bias_col) : 1);
    const auto wanted = product(Key, a, b, bias, Key.k);
    std::vector<T> packed(static_cast<std::size_t>(Key.packed ? device::packed_elements(Key) : 1));
    if constexpr (Key.packed) kernels::pack_matmul<Key>(b.data(), packed.data());
    alignas(64) static std::byte workspace[1 << 18];
    static_assert(device::workspace_bytes(Key) <= sizeof workspace);
    for (std::int64_t rows = 1; rows <= Key.m; ++rows) {
        std::vector<T> out(static_cast<std::size_t>(Key.m * Key.n), untouched<T>());
        const auto given = part_of(a, Key.a_row, Key.a_col, rows, Key.k);
        kernels::matmul<Key>(given.data(), Key.packed ? packed.data() : b.data(), bias.data(), out.data(), workspace, kernels::no_epilogue{}, rows);
        check_part(out, wanted, Key, rows, Key.n, "rows", where);
    }
}
template <matmul_key Key> void fewer_columns_and_terms(const location& where = location::current()) {
    using T = element_t<Key.type>;
    const auto a = numbers<T>(reach(Key.m, Key.a_row, Key.k, Key.a_col)), b = numbers<T>(reach(Key.k, Key.b_row, Key.n, Key.b_col));
    alignas(64) static std::byte workspace[1 << 18];
    static_assert(device::workspace_bytes(Key) <= sizeof workspace);
    const auto wanted = product(Key, a, b, a, Key.k);
    for (std::int64_t columns = 1; columns <= Key.n; ++columns)
        for (const auto rows : {Key.m, (Key.m + 1) / 2}) {
            std::vector<T> out(static_cast<std::size_t>(Key.m * Key.n), untouched<T>());
            const auto given = part_of(a, Key.a_row, Key.a_col, rows, Key.k), other = part_of(b, Key.b_row, Key.b_col, Key.k, columns);
            kernels::matmul_of_columns<Key>(given.data(), other.data(), out.data(), workspace, rows, columns);
            check_part(out, wanted, Key, rows, columns, "columns", where);
        }
    if constexpr (Key.b_col == 1)
        for (std::int64_t terms = 1; terms <= Key.k; ++terms) {
            std::vector<T> out(static_cast<std::size_t>(Key.m * Key.n), untouched<T>());
            const auto given = part_of(a, Key.a_row, Key.a_col, Key.m, terms), other = part_of(b, Key.b_row, Key.b_col, terms, Key.n);
            kernels::matmul_of_terms<Key>(given.data(), other.data(), out.data(), Key.m, terms);
            check_part(out, product(Key, a, b, a, terms), Key, Key.m, Key.n, "terms", where);
        }
}

template <bool Safe, bool Logarithm, class T> void fewer_elements() {
    for (std::int64_t count = 1; count <= 150; ++count) {
        auto x = numbers<T>(160);
        for (std::size_t i = static_cast<std::size_t>(count); i < x.size(); ++i) x[i] = nan<T>();
        std::vector<T> out(x.size(), untouched<T>());
        kernels::softmax_of_elements<Safe, Logarithm>(static_cast<const T*>(x.data()), out.data(), count);
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i) sum += std::exp(static_cast<double>(x[static_cast<std::size_t>(i)]));
        bool right = true;
        for (std::int64_t i = 0; i < 160; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double log = static_cast<double>(x[at]) - std::log(sum);
            right = right && (i < count ? is_near(out[at], Logarithm ? log : std::exp(log)) : out[at] == untouched<T>());
        }
        check(right, std::to_string(count));
    }
    if constexpr (Safe) {
        std::vector<T> none(70, -std::numeric_limits<T>::infinity());
        kernels::softmax_of_elements<true, false>(static_cast<const T*>(none.data()), none.data(), 70);
        check(none == std::vector<T>(70, T(0)), "a row that sees nothing");
    }
}

// x[3, 20, 5] over a dim, or over two of them, or all.
template <device::reduction Kind, std::int32_t Dim, device::reduce_key Key> void fewer_terms() {
    constexpr auto key = [] {
        auto out = Key;
        out.kind = Kind;
        return out;
    }();
    using T = element_t<key.type>;
    constexpr auto most = key.reduced.sizes[static_cast<std::size_t>(Dim)], step = key.reduced.strides[static_cast<std::size_t>(Dim)];
    const auto all = numbers<T>(300);
    for (std::int64_t places = 1; places <= most; ++places) {
        auto x = all;
        for (std::int64_t i = 0; i < 300; ++i)
            if (i / step % most >= places) x[static_cast<std::size_t>(i)] = nan<T>();
        // The key of as many places says the same.
        std::vector<T> out(static_cast<std::size_t>(key.kept.elements()), untouched<T>()), wanted(out.size());
        kernels::reduce_of_places<key, Dim>(static_cast<const T*>(x.data()), out.data(), places);
        std::size_t next = 0;
        bool right = true;
        const auto walk = [](const device::dim_list& dims, auto f, auto&& self, std::int32_t d = 0, std::int64_t at = 0) -> void {
            if (d == dims.rank) return f(at);
            for (std::int64_t i = 0; i < dims.sizes[static_cast<std::size_t>(d)]; ++i) self(dims, f, self, d + 1, at + i * dims.strides[static_cast<std::size_t>(d)]);
        };
        auto fewer = key.reduced;
        fewer.sizes[static_cast<std::size_t>(Dim)] = places;
        walk(key.kept, [&](std::int64_t from) {
            double sum = 0, largest = -1e30;
            walk(fewer, [&](std::int64_t at) {
                const auto v = static_cast<double>(x[static_cast<std::size_t>(from + at)]);
                sum += v;
                largest = std::fmax(largest, v);
            }, walk);
            const double expected = Kind == device::reduction::largest ? largest : Kind == device::reduction::mean ? sum / static_cast<double>(fewer.elements()) : sum;
            right = right && is_near(out[next++], expected);
        }, walk);
        check(right && next == out.size(), std::to_string(places));
    }
}
constexpr device::dim_list dims(std::initializer_list<std::array<std::int64_t, 2>> all) {
    device::dim_list out;
    for (const auto& d : all) {
        out.sizes[static_cast<std::size_t>(out.rank)] = d[0];
        out.strides[static_cast<std::size_t>(out.rank++)] = d[1];
    }
    return out;
}

constexpr matmul_key packed_b(dtype type, std::int64_t m, std::int64_t n, std::int64_t k, bool bias = false) { return device::contiguous_matmul(type, m, n, k, bias, true); }
constexpr matmul_key lying_b(dtype type, std::int64_t m, std::int64_t n, std::int64_t k, bool bias = false) { return device::contiguous_matmul(type, m, n, k, bias, false); }
constexpr matmul_key turned_b(dtype type, std::int64_t m, std::int64_t n, std::int64_t k) {
    auto key = lying_b(type, m, n, k);
    key.b_row = 1;
    key.b_col = k;
    return key;
}

} // namespace

int main() {
    using enum dtype;
    fewer_rows<packed_b(f32, 30, 70, 9, true)>();
    fewer_rows<packed_b(f32, 5, 40, 12)>();
    fewer_rows<packed_b(f32, 17, 3, 21, true)>();
    fewer_rows<packed_b(f64, 13, 11, 5)>();
    fewer_rows<packed_b(f16, 14, 20, 6, true)>();
    fewer_rows<packed_b(bf16, 9, 2, 8)>();
    fewer_rows<lying_b(f32, 26, 37, 7, true)>();
    fewer_rows<lying_b(f16, 5, 9, 7)>();
    fewer_rows<turned_b(f32, 3, 10, 33)>();
    fewer_rows<turned_b(f32, 19, 10, 16)>();
    fewer_rows<lying_b(i64, 4, 5, 6)>();
    fewer_columns_and_terms<lying_b(f32, 26, 71, 8)>();
    fewer_columns_and_terms<lying_b(f64, 1, 35, 40)>();
    fewer_columns_and_terms<turned_b(f32, 1, 41, 16)>();
    fewer_columns_and_terms<turned_b(f32, 9, 69, 5)>();
    fewer_columns_and_terms<turned_b(f64, 2, 7, 12)>();
    fewer_elements<false, false, float>();
    fewer_elements<true, false, double>();
    fewer_elements<false, true, float>();
    constexpr device::reduce_key middle{.type = f32, .kind = device::reduction::sum, .kept = dims({{3, 100}, {5, 1}}), .reduced = dims({{20, 5}})}, last{.type = f32, .kind = device::reduction::sum, .kept = dims({{3, 100}, {20, 5}}), .reduced = dims({{5, 1}})},
        all{.type = f64, .kind = device::reduction::sum, .kept = {}, .reduced = dims({{3, 100}, {20, 5}, {5, 1}})}, turned_out{.type = f32, .kind = device::reduction::sum, .kept = dims({{5, 1}, {20, 5}}), .reduced = dims({{3, 100}})};
    fewer_terms<device::reduction::mean, 0, middle>();
    fewer_terms<device::reduction::largest, 0, last>();
    fewer_terms<device::reduction::sum, 1, all>();
    fewer_terms<device::reduction::mean, 0, turned_out>();
    return report();
}
