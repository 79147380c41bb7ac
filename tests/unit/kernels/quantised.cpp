// SPDX-License-Identifier: MIT
// Products and convolutions of integers on grids against naive loops, over keys that meet every tile, tail, phase and strip. Scales are powers
// of two and sums below 2^24, so that the numbers, and with them the integers, are the same to the last bit.
#include <ahead/kernels/quantised/convolution.hpp>
#include <ahead/kernels/quantised/matmul.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <source_location>
#include <string>

#include "harness.hpp"
#include "unit/kernel_buffer.hpp"

using namespace ahead;
using namespace ahead::rooms;
using namespace ahead::device;
namespace kernel = ahead::kernels;
using test::buffer;
using test::check;

namespace {

using where_from = std::source_location;

enum class bytes { any, extreme };
void fill(buffer<std::int8_t>& to, bytes which) {
    for (auto& x : to) x = which == bytes::any ? static_cast<std::int8_t>(test::random_bits()) : test::random_bits() % 2 == 0 ? std::int8_t{-128} : std::int8_t{127};
}
std::int64_t number(std::int8_t x, dtype type) { return type == dtype::u8 ? static_cast<std::uint8_t>(x) : x; }

// What all keys have beside the bytes, for n channels; those that a key does not have are empty.
template <auto Key> struct around_sums {
    buffer<std::int32_t> starts, weight_zeros;
    buffer<float> scales, bias, inverse, zero;
    explicit around_sums(std::int64_t n)
        : starts(n), weight_zeros(Key.weight_zeros ? n : 0), scales(n), bias(Key.bias ? n : 0), inverse(Key.out == dtype::f32 ? 0 : 1),
          zero(Key.out == dtype::f32 ? 0 : 1) {
        for (auto& x : starts) x = static_cast<std::int32_t>(test::random_bits() % 100'000) - 50'000;
        for (auto& x : weight_zeros) x = static_cast<std::int32_t>(test::random_bits() % 9) - 4;
        for (auto& x : scales) x = std::ldexp(1.f, -8 - static_cast<int>(test::random_bits() % 4));
        for (auto& x : bias) x = static_cast<float>(test::random_bits() % 400) / 2 - 100;
        for (auto& x : inverse) x = 0.5f;
        for (auto& x : zero) x = Key.out == dtype::u8 ? 117 : 3;
    }
    kernel::quantised_operands operands() {
        return {starts.data(), scales.data(), Key.weight_zeros ? weight_zeros.data() : nullptr, Key.bias ? bias.data() : nullptr,
                Key.out == dtype::f32 ? nullptr : inverse.data(), Key.out == dtype::f32 ? nullptr : zero.data()};
    }
    std::int64_t zero_of(std::int64_t n) { return Key.weight_zeros ? weight_zeros[n] : 0; }
    element_t<Key.out> end_of(std::int64_t sum, std::int64_t n) {
        float y = static_cast<float>(sum + starts[n]) * scales[n];
        if (Key.bias) y += bias[n];
        if (Key.relu) y = std::max(y, 0.f);
        if constexpr (Key.out == dtype::f32) return y;
        else return static_cast<element_t<Key.out>>(std::clamp(std::nearbyint(y * inverse[0]) + zero[0], static_cast<float>(Key.low), static_cast<float>(Key.high)));
    }
};

template <quantized_matmul_key Key> void product_is_right(bytes which = bytes::any, where_from where = where_from::current()) {
    buffer<std::int8_t> x(Key.m * Key.k), w(Key.n * Key.k);
    fill(x, which), fill(w, which);
    constexpr auto packing = [] {
        auto key = product_of(Key);
        key.b_row = 1, key.b_col = Key.k;
        key.m = rows_of_packing(key);
        return key;
    }();
    buffer<std::int8_t> packed(packed_elements(packing));
    buffer<element_t<Key.out>> out(Key.m * Key.n);
    buffer<std::byte> work(space_of(Key).bytes);
    around_sums<Key> with(Key.n);
    kernel::pack_quads<packing>(w.data(), packed.data());
    kernel::quantized_matmul<Key>(x.data(), reinterpret_cast<const std::byte*>(packed.data()), with.operands(), out.data(), work.data());
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < Key.m; ++i)
        for (std::int64_t n = 0; n < Key.n; ++n) {
            std::int64_t sum = 0;
            for (std::int64_t k = 0; k < Key.k; ++k) sum += number(x[i * Key.k + k], Key.type) * (w[n * Key.k + k] - with.zero_of(n));
            wrong += out[i * Key.n + n] != with.end_of(sum, n);
        }
    check(wrong == 0, std::to_string(wrong) + " wrong of m " + std::to_string(Key.m) + " n " + std::to_string(Key.n) + " k " + std::to_string(Key.k), where);
}
// i8 to i8, u8 to u8 with relu, u8 to f32, i8 to u8 in a few of its numbers.
template <std::int64_t M, std::int64_t N, std::int64_t K> void products_of() {
    using enum dtype;
    product_is_right<quantized_matmul_key{i8, M, N, K, i8, true, true, false, -128, 127}>();
    product_is_right<quantized_matmul_key{u8, M, N, K, u8, true, true, true, 0, 255}>(bytes::extreme);
    product_is_right<quantized_matmul_key{u8, M, N, K, f32, false, false, false, 0, 0}>();
    product_is_right<quantized_matmul_key{i8, M, N, K, u8, false, false, true, 100, 140}>(bytes::extreme);
}

template <quantized_convolution_key Key> void convolution_is_right(bytes which = bytes::any, where_from where = where_from::current()) {
    constexpr auto filters = filters_of(Key);
    constexpr auto channels = channels_per_group(Key), taps = Key.kernel_h * Key.kernel_w, per_group = filters_per_group(Key);
    buffer<std::int8_t> x(Key.batch * Key.in_channels * Key.in_h * Key.in_w), w(Key.out_channels * channels * taps);
    fill(x, which), fill(w, which);
    buffer<std::byte> packed(packed_bytes(filters)), work(space_of(Key).bytes);
    buffer<element_t<Key.out>> out(Key.batch * Key.out_channels * out_h(Key) * out_w(Key));
    around_sums<Key> with(Key.out_channels);
    const std::int32_t around = Key.type == dtype::u8 ? 201 : -7;
    kernel::pack_filters<filters>(w.data(), packed.data());
    kernel::quantized_convolution<Key>(x.data(), packed.data(), around, with.operands(), out.data(), work.data());
    std::int64_t wrong = 0, place = 0;
    for (std::int64_t b = 0; b < Key.batch; ++b)
        for (std::int64_t n = 0; n < Key.out_channels; ++n)
            for (std::int64_t oy = 0; oy < out_h(Key); ++oy)
                for (std::int64_t ox = 0; ox < out_w(Key); ++ox) {
                    std::int64_t sum = 0;
                    for (std::int64_t c = 0; c < channels; ++c)
                        for (std::int64_t t = 0; t < taps; ++t) {
                            const auto iy = oy * Key.stride_h - Key.pad_h + t / Key.kernel_w * Key.dilation_h;
                            const auto ix = ox * Key.stride_w - Key.pad_w + t % Key.kernel_w * Key.dilation_w;
                            const bool inside = iy >= 0 && iy < Key.in_h && ix >= 0 && ix < Key.in_w;
                            const auto from = ((b * Key.in_channels + n / per_group * channels + c) * Key.in_h + iy) * Key.in_w + ix;
                            sum += (inside ? number(x[from], Key.type) : around) * (w[(n * channels + c) * taps + t] - with.zero_of(n));
                        }
                    wrong += out[place++] != with.end_of(sum, n);
                }
    check(wrong == 0, std::to_string(wrong) + " wrong of " + std::to_string(place) + ", " + std::to_string(Key.in_channels) + " channels of " + std::to_string(Key.in_h) + " x " + std::to_string(Key.in_w), where);
}

// One row of a window: kernel, stride, padding, dilation.
struct side {
    std::int64_t kernel, stride, pad, dilation;
};
template <dtype Type, dtype Out, std::int64_t Channels, std::int64_t H, std::int64_t W, std::int64_t Filters, side Y, side X, std::int64_t Groups = 1, bool Rich = true>
inline constexpr quantized_convolution_key key_of{Type,  2,          Channels,   H, W, Filters, Y.kernel, X.kernel, Y.stride, X.stride, Y.pad, X.pad, Y.dilation, X.dilation, Groups,
                                                  Out,   Rich,       Rich,       !Rich, Out == dtype::u8 ? 0 : -128, Out == dtype::u8 ? 255 : 127};

} // namespace

int main() {
    using enum dtype;
    products_of<3, 5, 7>();
    convolution_is_right<key_of<u8, u8, 3, 5, 6, 9, side{3, 1, 1, 1}, side{3, 1, 1, 1}>>();
    convolution_is_right<key_of<i8, i8, 6, 7, 21, 8, side{3, 2, 1, 1}, side{2, 3, 0, 1}>>(bytes::extreme);
    if constexpr (test::every_key) {
        products_of<1, 70, 131>();
        products_of<13, 33, 64>();
        products_of<29, 96, 66>();
        products_of<7, 1, 1>();
        product_is_right<quantized_matmul_key{u8, 2, 17, 33'000, f32, false, false, false, 0, 0}>(); // as deep as sums have room for
        convolution_is_right<key_of<i8, f32, 5, 20, 20, 17, side{3, 1, 1, 1}, side{3, 1, 1, 1}, 1, false>>(bytes::extreme);
        convolution_is_right<key_of<u8, i8, 8, 9, 40, 12, side{1, 1, 0, 1}, side{1, 1, 0, 1}>>();              // a product
        convolution_is_right<key_of<u8, u8, 8, 9, 35, 12, side{1, 2, 0, 1}, side{1, 2, 0, 1}>>();              // of every second place
        convolution_is_right<key_of<i8, u8, 6, 13, 12, 10, side{5, 2, 2, 1}, side{7, 2, 3, 1}, 2>>();          // phases, groups
        convolution_is_right<key_of<i8, i8, 4, 11, 50, 4, side{3, 1, 2, 2}, side{3, 2, 5, 3}, 1, false>>();    // spread taps
        convolution_is_right<key_of<u8, f32, 4, 1, 30, 3, side{1, 1, 0, 1}, side{4, 2, 3, 1}>>();              // one dim
        convolution_is_right<key_of<u8, u8, 4, 2, 2, 5, side{3, 1, 4, 1}, side{3, 1, 4, 1}>>();                // mostly padding
        convolution_is_right<key_of<u8, u8, 128, 70, 66, 4, side{3, 1, 1, 1}, side{3, 1, 1, 1}, 1, false>>();  // in strips
        static_assert(quads_copied_for(key_of<u8, u8, 128, 70, 66, 4, side{3, 1, 1, 1}, side{3, 1, 1, 1}, 1, false>).out_rows < 70);
    }
    return test::report();
}
