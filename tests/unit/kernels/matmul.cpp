// SPDX-License-Identifier: MIT
// Matrix products against naive loops in double (or in the integer type), over keys that meet every algorithm, tail and tile height.
#include <ahead/device/choices.hpp>
#include <ahead/kernels/eigen/products.hpp>
#include <ahead/kernels/product/matmul.hpp>

#include <cmath>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "harness.hpp"
#include "unit/kernel_buffer.hpp"

using namespace ahead;
using namespace ahead::rooms;
using namespace ahead::device;
namespace kernel = ahead::kernels;
using test::buffer;
using test::check;
using test::tolerance;

namespace {

/// Elements that a strided matrix of rows x columns reaches.
std::int64_t reach(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
    return rows == 0 || columns == 0 ? 0 : (rows - 1) * row + (columns - 1) * column + 1;
}

template <matmul_key Key> void matmul_is_right(std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    buffer<T> a(reach(Key.m, Key.k, Key.a_row, Key.a_col)), b(reach(Key.k, Key.n, Key.b_row, Key.b_col));
    buffer<T> bias(Key.bias ? reach(Key.m, Key.n, Key.bias_row, Key.bias_col) : 0), out(Key.m * Key.n), panels(Key.packed ? packed_elements(Key) : 0);
    buffer<std::byte> work(static_cast<std::int64_t>(workspace_bytes(Key)));
    a.randomize(), b.randomize(), bias.randomize();
    if constexpr (Key.packed) kernel::pack_matmul<Key>(b.data(), panels.data());
    kernel::matmul<Key>(a.data(), Key.packed ? panels.data() : b.data(), Key.bias ? bias.data() : nullptr, out.data(), work.data());
    bool right = true;
    for (std::int64_t i = 0; i < Key.m; ++i)
        for (std::int64_t j = 0; j < Key.n; ++j) {
            const T start = Key.bias ? bias[i * Key.bias_row + j * Key.bias_col] : T(0);
            if constexpr (std::is_integral_v<T>) {
                auto sum = static_cast<std::make_unsigned_t<T>>(start);
                for (std::int64_t k = 0; k < Key.k; ++k)
                    sum += static_cast<std::make_unsigned_t<T>>(a[i * Key.a_row + k * Key.a_col]) *
                           static_cast<std::make_unsigned_t<T>>(b[k * Key.b_row + j * Key.b_col]);
                right &= out[i * Key.n + j] == static_cast<T>(sum);
            } else {
                double sum = static_cast<double>(start), magnitude = std::fabs(sum);
                for (std::int64_t k = 0; k < Key.k; ++k) {
                    const double term = static_cast<double>(a[i * Key.a_row + k * Key.a_col]) * static_cast<double>(b[k * Key.b_row + j * Key.b_col]);
                    sum += term, magnitude += std::fabs(term);
                }
                const auto made = static_cast<element_t<computed_as(Key.type)>>(out[i * Key.n + j]);
                if constexpr (is_half(Key.type)) { // a number that is as near to the sum as floats are, rounded once
                    const auto rounded = [&](double away) { return static_cast<float>(T(static_cast<float>(sum + away))); };
                    right &= rounded(-tolerance<float>(magnitude)) <= made && made <= rounded(tolerance<float>(magnitude));
                } else {
                    right &= std::fabs(static_cast<double>(made) - sum) <= tolerance<T>(magnitude);
                }
            }
        }
    check(right, "m " + std::to_string(Key.m) + " n " + std::to_string(Key.n) + " k " + std::to_string(Key.k), where);
}

// f16 or bf16: as it lies and packed, with a weight [n, k], and all of it turned, bias by row.
template <dtype Type, std::int64_t M, std::int64_t N, std::int64_t K> void half_matmuls() {
    matmul_is_right<contiguous_matmul(Type, M, N, K, false, false)>();
    matmul_is_right<contiguous_matmul(Type, M, N, K, true, true)>();
    matmul_is_right<matmul_key{Type, M, N, K, true, true, K, 1, 1, K, 0, 1}>();
    matmul_is_right<matmul_key{Type, M, N, K, true, false, K, 1, 1, K, N, 1}>();
    matmul_is_right<matmul_key{Type, M, N, K, true, false, 1, M, N, 1, 1, 0}>();
    matmul_is_right<matmul_key{Type, M, N, K, true, false, 1, M, 1, K, 0, 0}>();
}

// i8, in i32. Where all are -128, or 127 and -128, every instruction that saturates would show.
enum class bytes { any, least, opposite };
template <matmul_key Key> void int_matmul_is_right(bytes which, std::source_location where = std::source_location::current()) {
    using T = std::int8_t;
    buffer<T> a(reach(Key.m, Key.k, Key.a_row, Key.a_col)), b(reach(Key.k, Key.n, Key.b_row, Key.b_col)), panels(Key.packed ? packed_elements(Key) : 0);
    buffer<std::int32_t> out(Key.m * Key.n);
    buffer<std::byte> work(space_of_int_matmul(Key).bytes);
    const auto fill = [&](buffer<T>& to, T usual) {
        for (T& x : to) x = which == bytes::any ? static_cast<T>(test::random_bits() & 0xff) : usual;
    };
    fill(a, -128), fill(b, which == bytes::least ? T{-128} : T{127});
    if constexpr (Key.packed) kernel::pack_matmul<Key>(b.data(), panels.data());
    kernel::int_matmul<Key>(a.data(), Key.packed ? panels.data() : b.data(), out.data(), work.data());
    bool right = true;
    for (std::int64_t i = 0; i < Key.m; ++i)
        for (std::int64_t j = 0; j < Key.n; ++j) {
            std::int64_t sum = 0;
            for (std::int64_t k = 0; k < Key.k; ++k) sum += std::int64_t{a[i * Key.a_row + k * Key.a_col]} * b[k * Key.b_row + j * Key.b_col];
            right &= out[i * Key.n + j] == static_cast<std::int32_t>(sum);
        }
    check(right, "i8 m " + std::to_string(Key.m) + " n " + std::to_string(Key.n) + " k " + std::to_string(Key.k), where);
}
/// Rows as they lie and b in place, packed, and both transposed.
template <std::int64_t M, std::int64_t N, std::int64_t K> void int_matmuls() {
    int_matmul_is_right<contiguous_matmul(dtype::i8, M, N, K, false, false)>(bytes::any);
    int_matmul_is_right<contiguous_matmul(dtype::i8, M, N, K, false, true)>(bytes::least);
    int_matmul_is_right<matmul_key{dtype::i8, M, N, K, false, true, K, 1, 1, K, 0, 0}>(bytes::any);
    int_matmul_is_right<matmul_key{dtype::i8, M, N, K, false, false, 1, M, 1, K, 0, 0}>(bytes::opposite);
}

// How the operands lie. A weight that is packed differs in the packing alone.
enum class way { packed, in_place, weight_packed, weight_in_place, turned };
using enum way;
constexpr matmul_key key_of(way how, std::int64_t m, std::int64_t n, std::int64_t k) {
    switch (how) {
    case packed: return contiguous_matmul(dtype::f32, m, n, k, true, true);
    case in_place: return contiguous_matmul(dtype::f32, m, n, k, false, false);
    case weight_packed: return {dtype::f32, m, n, k, true, true, k, 1, 1, k, 0, 1};    // weight [n, k]
    case weight_in_place: return {dtype::f32, m, n, k, true, false, k, 1, 1, k, n, 1}; // the same, where it lies
    case turned: break;
    }
    return {dtype::f64, m, n, k, true, false, 1, m, n, 1, 1, 0}; // a transposed, bias by row
}
template <std::int64_t M, std::int64_t N, std::int64_t K, way... Ways> void matmul_in() { (matmul_is_right<key_of(Ways, M, N, K)>(), ...); }
template <std::int64_t M, std::int64_t N, std::int64_t K> void matmul_all_ways() {
    matmul_in<M, N, K, packed, in_place, weight_packed, weight_in_place, turned>();
}

template <std::int64_t... M> void matmul_rows() {
    (matmul_is_right<contiguous_matmul(dtype::f32, M, 37 + (M - 1) % 3, 9, M % 2 == 1, true)>(), ...);
}

// By every kernel that the key may have instead of its rule's; there are so many.
template <matmul_key Key> void matmul_is_right_by_choice(int kernels, std::source_location where = std::source_location::current()) {
    int count = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto one = [&]<std::size_t At>() {
            constexpr auto choice = static_cast<matmul_choice>(At);
            if constexpr (is_alternative(Key, choice)) {
                constexpr auto key = [] {
                    auto out = Key;
                    out.choice = choice;
                    return out;
                }();
                matmul_is_right<key>(where);
                ++count;
            }
        };
        (one.template operator()<I>(), ...);
    }(std::make_index_sequence<matmul_choice_names.size()>{});
    check(count == kernels, std::to_string(count), where);
}

/// Of many terms, which are summed in parts: the bits are those of fewer rows, which are summed in one go.
template <matmul_key Key> void parts_of_depth_are_the_whole() {
    using T = element_t<Key.type>;
    constexpr std::int64_t rows = 11;
    constexpr auto few = [] {
        auto key = Key;
        key.m = rows;
        return key;
    }();
    static_assert(parts_of_depth(Key).parts > 2 && parts_of_depth(few).parts == 1 && Key.m % rows == 0);
    buffer<T> a(Key.m * Key.k), b(Key.k * Key.n), bias(Key.n), out(Key.m * Key.n), apart(Key.m * Key.n), panels(packed_elements(Key));
    buffer<std::byte> work(static_cast<std::int64_t>(workspace_bytes(Key)));
    a.randomize(), b.randomize(), bias.randomize();
    kernel::pack_matmul<Key>(b.data(), panels.data());
    kernel::matmul<Key>(a.data(), panels.data(), bias.data(), out.data(), work.data());
    for (std::int64_t row = 0; row < Key.m; row += rows) kernel::matmul<few>(a.data() + row * Key.k, panels.data(), bias.data(), apart.data() + row * Key.n);
    bool same = true;
    for (std::int64_t i = 0; i < Key.m * Key.n; ++i) same = same && out[i] == apart[i];
    check(same, "parts of k");
}

template <bool Every> void matmuls() {
    matmul_all_ways<2, 21, 9>();
    matmul_is_right<matmul_key{dtype::f32, 1, 41, 9, false, false, 0, 2, 1, 9, 0, 0}>();
    matmul_is_right<matmul_key{dtype::f32, 3, 2, 9, true, true, 1, 3, 2, 1, 0, 1}>(); // dot products of a strided a
    int_matmuls<2, 21, 9>();
    half_matmuls<dtype::bf16, 2, 21, 9>();
    if constexpr (Every) {
        matmul_is_right_by_choice<contiguous_matmul(dtype::f32, 1, 70, 300, true, true)>(3);
        matmul_is_right_by_choice<contiguous_matmul(dtype::f32, 5, 109, 19, true, true)>(3);
        matmul_is_right_by_choice<contiguous_matmul(dtype::f32, 25, 98, 19, false, true)>(3);
        matmul_is_right_by_choice<contiguous_matmul(dtype::f64, 7, 43, 19, true, true)>(3);
        matmul_is_right_by_choice<contiguous_matmul(dtype::f32, 9, 41, 9, true, false)>(2);                           // copied
        matmul_is_right_by_choice<matmul_key{dtype::f32, 9, 41, 9, true, false, 9, 1, 1, 9, 0, 1}>(2);                // columns where they lie
        matmul_is_right_by_choice<matmul_key{dtype::f32, 9, 41, 9, true, false, 20, 2, 3, 50, 1, 9}>(1);              // nothing contiguous
        matmul_is_right<matmul_key{dtype::f32, 7, 83, 37, true, true, 37, 1, 1, 37, 0, 1}>(); // columns that are turned into panels, and what is left
        matmul_is_right<matmul_key{dtype::f32, 3, 75, 50, false, true, 50, 1, 1, 53, 0, 0}>();
        matmul_is_right<contiguous_matmul(dtype::f32, 33, 384, 2100, true, true)>(); // in parts of k, of columns twice over
        matmul_is_right<matmul_key{dtype::f64, 32, 128, 1032, false, true, 1040, 1, 1, 1032, 0, 0}>();
        parts_of_depth_are_the_whole<contiguous_matmul(dtype::f32, 33, 384, 2100, true, true)>();
        half_matmuls<dtype::f16, 1, 1, 1>();
        half_matmuls<dtype::bf16, 1, 70, 131>();
        half_matmuls<dtype::f16, 5, 67, 31>();
        half_matmuls<dtype::f16, 7, 33, 65>();
        half_matmuls<dtype::bf16, 25, 98, 19>();
        half_matmuls<dtype::bf16, 12, 32, 64>();
        half_matmuls<dtype::bf16, 13, 37, 1>();
        half_matmuls<dtype::bf16, 8, 3, 20>();
        half_matmuls<dtype::bf16, 8, 3, 0>();
        half_matmuls<dtype::f16, 0, 3, 2>();
        matmul_is_right<matmul_key{dtype::bf16, 9, 41, 9, true, false, 20, 2, 3, 50, 1, 9}>(); // nothing contiguous, bias transposed
        int_matmuls<1, 1, 1>();
        int_matmuls<1, 70, 131>();
        int_matmuls<6, 130, 18>();
        int_matmuls<7, 33, 64>();
        int_matmuls<25, 96, 66>();
        int_matmuls<13, 3, 4>();
        int_matmuls<2, 3, 0>();
        int_matmuls<0, 3, 2>();
        int_matmuls<3, 0, 2>();
        int_matmul_is_right<matmul_key{dtype::i8, 5, 19, 7, false, false, 20, 2, 3, 50, 0, 0}>(bytes::any); // nothing contiguous
        int_matmul_is_right<matmul_key{dtype::i8, 1, 1, 131'075, false, false, 0, 0, 0, 0, 0, 0}>(bytes::opposite); // below -2^31: modulo 2^32
        matmul_rows<1, 2, 3, 4, 5, 6, 7, 10, 13, 23, 25>(); // tiles of every height, and of two heights
        if constexpr (kernel::widest<float> == 16)           // where a tail of one vector takes tiles of up to 24
            matmul_rows<8, 9, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 33>();
        matmul_all_ways<1, 1, 1>();
        matmul_in<9, 1, 37, packed, in_place>();
        matmul_in<1, 2, 129, packed, in_place, weight_in_place, turned>();
        matmul_in<1, 10, 256, packed, in_place, weight_in_place>();
        matmul_in<1, 84, 120, packed>();
        matmul_in<1, 200, 77, packed, in_place>();
        matmul_in<3, 3, 5, packed, in_place, weight_in_place, turned>();
        matmul_all_ways<5, 67, 31>();
        matmul_in<6, 130, 18, packed, in_place>();
        matmul_in<7, 33, 65, packed, weight_in_place, turned>();
        matmul_in<8, 64, 64, packed, in_place>();
        matmul_in<32, 45, 50, in_place, weight_in_place, turned>();
        matmul_all_ways<2, 3, 0>();
        matmul_all_ways<0, 3, 2>();
        matmul_all_ways<3, 0, 2>();
        matmul_is_right<contiguous_matmul(dtype::f64, 5, 43, 19, true, true)>();
        matmul_is_right<contiguous_matmul(dtype::f64, 1, 3, 19, true, true)>();
        matmul_is_right<contiguous_matmul(dtype::f64, 1, 130, 51, true, true)>(); // more than the first cache holds
        matmul_is_right<contiguous_matmul(dtype::i32, 3, 5, 7, true, false)>();
        matmul_is_right<contiguous_matmul(dtype::i64, 4, 9, 5, false, false)>();
        matmul_is_right<matmul_key{dtype::i64, 4, 9, 5, true, false, 1, 4, 1, 5, 1, 0}>();
        matmul_is_right<matmul_key{dtype::f32, 3, 41, 9, true, false, 0, 1, 0, 1, 0, 0}>();   // broadcast operands, scalar bias
        matmul_is_right<matmul_key{dtype::f32, 9, 41, 9, true, false, 20, 2, 3, 50, 1, 9}>(); // nothing contiguous, bias transposed
    }
}

} // namespace

int main() {
    matmuls<test::every_key>();
    return test::report();
}
