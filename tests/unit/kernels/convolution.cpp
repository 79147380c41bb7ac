// SPDX-License-Identifier: MIT
// Convolutions against naive loops in double, over keys that meet every algorithm, tail and tile height.
#include <ahead/device/choices.hpp>
#include <ahead/eigen.hpp>
#include <ahead/kernels/convolution/convolution.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
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
using test::tolerance;

namespace {

// Also: within `most` of the largest result, where that is given.
template <convolution_key Key> void convolution_is_right(double most = 1, std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    constexpr auto channels = channels_per_group(Key), filters = filters_per_group(Key);
    buffer<T> x(Key.batch * Key.in_channels * Key.in_h * Key.in_w), weight(Key.out_channels * channels * Key.kernel_h * Key.kernel_w);
    buffer<T> bias(Key.bias ? Key.out_channels : 0), packed(packed_elements(Key)), out(Key.batch * Key.out_channels * out_pixels(Key));
    buffer<std::byte> work(static_cast<std::int64_t>(workspace_bytes(Key)));
    x.randomize(), weight.randomize(), bias.randomize();
    kernel::pack_convolution<Key>(weight.data(), packed.data());
    kernel::convolution<Key>(x.data(), packed.data(), Key.bias ? bias.data() : nullptr, out.data(), work.data());
    bool right = true;
    double largest = 0, worst = 0;
    for (std::int64_t b = 0; b < Key.batch; ++b)
        for (std::int64_t o = 0; o < Key.out_channels; ++o)
            for (std::int64_t y = 0; y < out_h(Key); ++y)
                for (std::int64_t at = 0; at < out_w(Key); ++at) {
                    double sum = Key.bias ? static_cast<double>(bias[o]) : 0, magnitude = std::fabs(sum);
                    for (std::int64_t c = 0; c < channels; ++c)
                        for (std::int64_t h = 0; h < Key.kernel_h; ++h)
                            for (std::int64_t w = 0; w < Key.kernel_w; ++w) {
                                const auto row = y * Key.stride_h - Key.pad_h + h * Key.dilation_h, column = at * Key.stride_w - Key.pad_w + w * Key.dilation_w;
                                if (row < 0 || row >= Key.in_h || column < 0 || column >= Key.in_w) continue;
                                const double term = static_cast<double>(x[((b * Key.in_channels + o / filters * channels + c) * Key.in_h + row) * Key.in_w + column]) *
                                                    static_cast<double>(weight[((o * channels + c) * Key.kernel_h + h) * Key.kernel_w + w]);
                                sum += term, magnitude += std::fabs(term);
                            }
                    const double off = std::fabs(static_cast<double>(out[((b * Key.out_channels + o) * out_h(Key) + y) * out_w(Key) + at]) - sum);
                    right &= off <= tolerance<T>(magnitude);
                    largest = std::fmax(largest, std::fabs(sum)), worst = std::fmax(worst, off);
                }
    check(right && worst <= most * (1 + largest), "algorithm " + std::to_string(static_cast<int>(algorithm_of(with_rows_merged(Key)))), where);
}

// 3x3 convolutions of f32 that Winograd's algorithm takes, of maps that fill its tiles.
constexpr convolution_key block_of_resnet{dtype::f32, 1, 64, 56, 56, 64, 3, 3, 1, 1, 1, 1, 1, 1, 1, true};
constexpr bool is_winograd(auto change) {
    auto key = block_of_resnet;
    change(key);
    return algorithm_of(key) == convolution_algorithm::winograd;
}
static_assert(is_winograd([](auto&) {}) && is_winograd([](auto& k) { k.in_h = k.in_w = 12; }) && is_winograd([](auto& k) { k.pad_h = 0, k.pad_w = 1; }));
static_assert(is_winograd([](auto& k) { k.in_channels = k.out_channels = 16; }) && is_winograd([](auto& k) { k.batch = 3, k.bias = false; }));
static_assert(!is_winograd([](auto& k) { k.type = dtype::f64; }) && !is_winograd([](auto& k) { k.in_channels = 15; }) && !is_winograd([](auto& k) { k.out_channels = 15; }));
static_assert(!is_winograd([](auto& k) { k.in_h = 11; }) && !is_winograd([](auto& k) { k.in_w = 11; }) && !is_winograd([](auto& k) { k.pad_w = 2; }));
static_assert(!is_winograd([](auto& k) { k.stride_h = 2; }) && !is_winograd([](auto& k) { k.stride_w = 2; }) && !is_winograd([](auto& k) { k.dilation_h = 2; }));
static_assert(!is_winograd([](auto& k) { k.kernel_h = 5; }) && !is_winograd([](auto& k) { k.kernel_w = 1; }) && !is_winograd([](auto& k) { k.groups = 2; }));
// A strip at a time: the transformed windows of all of it would take more than twice its input.
static_assert(workspace_bytes(block_of_resnet) <= 64 * 56 * 56 * 4 * 6 / 10 && packed_elements(block_of_resnet) == 36 * 64 * 64);

// What is not finite reaches all of a tile, and no other one.
void infinity_fills_its_tile() {
    constexpr convolution_key key{dtype::f32, 1, 16, 12, 12, 16, 3, 3, 1, 1, 1, 1, 1, 1, 1, false};
    buffer<float> x(16 * 144), weight(16 * 16 * 9), packed(packed_elements(key)), out(16 * 144);
    buffer<std::byte> work(static_cast<std::int64_t>(workspace_bytes(key)));
    x.randomize(), weight.randomize();
    x[3 * 144 + 5 * 12 + 6] = std::numeric_limits<float>::infinity(); // seen by the window of rows 3 to 8, columns 3 to 8 alone
    kernel::pack_convolution<key>(weight.data(), packed.data());
    kernel::convolution<key>(x.data(), packed.data(), static_cast<const float*>(nullptr), out.data(), work.data());
    bool right = true;
    for (int i = 0; i < 16 * 144; ++i) right &= std::isfinite(out[i]) != (i / 12 % 12 / 4 == 1 && i % 12 / 4 == 1);
    check(right, "one tile");
}

// The same by every kernel that the key may have instead of its rule's; there are so many.
template <convolution_key Key> void convolution_is_right_by_choice(int kernels, std::source_location where = std::source_location::current()) {
    int count = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto one = [&]<std::size_t At>() {
            constexpr auto choice = static_cast<convolution_choice>(At);
            if constexpr (is_alternative(Key, choice)) {
                constexpr auto key = [] {
                    auto out = Key;
                    out.choice = choice;
                    return out;
                }();
                convolution_is_right<key>(1, where);
                ++count;
            }
        };
        (one.template operator()<I>(), ...);
    }(std::make_index_sequence<convolution_choice_names.size()>{});
    check(count == kernels, std::to_string(count), where);
}

template <bool Every> void convolutions() {
    constexpr auto f32 = dtype::f32, f64 = dtype::f64;
    //                              type batch C  H   W   O  kh kw sh sw ph pw dh dw groups bias
    convolution_is_right<convolution_key{f32, 1, 1, 28, 28, 6, 5, 5, 1, 1, 2, 2, 1, 1, 1, true}>(); // lenet
    convolution_is_right<convolution_key{f32, 1, 1, 5, 60, 3, 2, 9, 1, 6, 0, 2, 1, 1, 1, true}>();
    convolution_is_right<convolution_key{f32, 2, 5, 7, 7, 70, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>();  // filters across lanes, tails
    convolution_is_right<convolution_key{f32, 1, 4, 2, 2, 65, 3, 3, 2, 2, 2, 2, 2, 2, 1, false}>();
    convolution_is_right<convolution_key{f32, 1, 6, 1, 1, 9, 3, 3, 1, 1, 1, 1, 1, 1, 3, true}>();
    convolution_is_right<convolution_key{f32, 2, 17, 15, 17, 37, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(); // Winograd: tiles stand over, panels of 16 and 8
    convolution_is_right_by_choice<convolution_key{f32, 1, 3, 4, 4, 9, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(4); // the smallest map of Winograd's
    if constexpr (Every) {
        convolution_is_right_by_choice<convolution_key{f32, 2, 5, 7, 7, 70, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(7);
        convolution_is_right_by_choice<convolution_key{f32, 1, 17, 15, 17, 37, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(6);
        convolution_is_right_by_choice<convolution_key{f32, 1, 4, 2, 2, 65, 3, 3, 1, 1, 1, 1, 1, 1, 1, false}>(6);
        convolution_is_right_by_choice<convolution_key{f32, 1, 8, 10, 7, 80, 3, 3, 2, 2, 1, 1, 1, 1, 2, true}>(4);
        convolution_is_right_by_choice<convolution_key{f32, 1, 17, 5, 6, 40, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>(4);
        convolution_is_right_by_choice<convolution_key{f64, 1, 3, 6, 6, 21, 3, 3, 2, 2, 1, 1, 1, 1, 1, true}>(4);
        convolution_is_right<convolution_key{f32, 1, 256, 14, 14, 16, 3, 3, 1, 1, 1, 1, 1, 1, 1, false}>(5e-6);
        convolution_is_right<convolution_key{f32, 2, 64, 35, 14, 20, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(3e-6); // strips of five rows and of four
        convolution_is_right<convolution_key{f32, 1, 16, 56, 56, 33, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(2e-6); // ... of seven, panels of 32 and 4
        convolution_is_right<convolution_key{f32, 1, 16, 14, 14, 17, 3, 3, 1, 1, 0, 0, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 19, 15, 14, 52, 3, 3, 1, 1, 1, 0, 1, 1, 1, false}>();
        convolution_is_right<convolution_key{f32, 3, 16, 28, 20, 35, 3, 3, 1, 1, 1, 0, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 18, 12, 73, 16, 3, 3, 1, 1, 1, 0, 1, 1, 1, true}>(); // a row of tiles longer than a vector
        convolution_is_right<convolution_key{f32, 1, 16, 16, 64, 24, 3, 3, 1, 1, 0, 1, 1, 1, 1, true}>(); // ... of a whole one
        convolution_is_right<convolution_key{f32, 1, 512, 7, 7, 64, 3, 3, 1, 1, 1, 1, 1, 1, 1, false}>(1e-6); // small maps, tiles of 2x2
        convolution_is_right<convolution_key{f32, 2, 67, 8, 8, 70, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(1e-6);
        convolution_is_right<convolution_key{f32, 1, 64, 7, 9, 65, 3, 3, 1, 1, 1, 0, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 64, 12, 8, 64, 3, 3, 1, 1, 0, 0, 1, 1, 1, true}>(); // five rows of three
        convolution_is_right<convolution_key{f32, 1, 64, 2, 31, 64, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(); // one of sixteen
        convolution_is_right<convolution_key{f32, 1, 17, 14, 110, 16, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>(); // two groups of tiles in registers
        convolution_is_right<convolution_key{f32, 2, 16, 15, 40, 16, 3, 3, 1, 1, 0, 0, 1, 1, 1, false}>();
        convolution_is_right<convolution_key{f32, 1, 6, 14, 14, 16, 5, 5, 1, 1, 0, 0, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 1, 1, 640, 258, 1, 256, 1, 128, 0, 0, 1, 1, 1, false}>(); // silero_vad
        convolution_is_right<convolution_key{f32, 1, 129, 1, 4, 128, 1, 3, 1, 1, 0, 1, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 128, 1, 4, 64, 1, 3, 1, 2, 0, 1, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 64, 1, 2, 64, 1, 3, 1, 2, 0, 1, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 64, 1, 1, 128, 1, 3, 1, 1, 0, 1, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 128, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 2, 3, 33, 35, 16, 3, 3, 2, 2, 1, 1, 1, 1, 1, true}>(); // strided, phases
        convolution_is_right<convolution_key{f32, 2, 3, 33, 35, 6, 7, 7, 3, 3, 3, 3, 1, 1, 1, false}>();
        convolution_is_right<convolution_key{f32, 2, 4, 130, 129, 6, 3, 3, 2, 2, 1, 1, 1, 1, 2, true}>(); // strips of rows, padded at both ends
        convolution_is_right<convolution_key{f32, 2, 2, 75, 90, 4, 5, 3, 1, 1, 4, 1, 2, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 1, 2, 20, 40, 4, 2, 2, 5, 5, 1, 0, 2, 2, 1, true}>();
        convolution_is_right<convolution_key{f32, 2, 8, 9, 21, 8, 3, 3, 1, 1, 1, 1, 1, 1, 8, true}>(); // depthwise
        convolution_is_right<convolution_key{f32, 1, 8, 9, 9, 16, 3, 3, 2, 2, 1, 1, 1, 1, 8, true}>();
        convolution_is_right<convolution_key{f32, 1, 8, 10, 7, 40, 3, 3, 1, 1, 1, 1, 1, 1, 2, true}>(); // groups
        // one channel a group, rows in registers: every shift and phase, rows behind both ends
        convolution_is_right<convolution_key{f32, 2, 3, 7, 7, 3, 3, 3, 1, 1, 1, 1, 1, 1, 3, true}>();
        convolution_is_right<convolution_key{f32, 1, 2, 14, 14, 4, 5, 5, 1, 1, 2, 2, 1, 1, 2, false}>(); // two filters a group
        convolution_is_right<convolution_key{f32, 1, 2, 9, 17, 2, 3, 7, 2, 2, 1, 3, 1, 1, 2, true}>();
        convolution_is_right<convolution_key{f32, 1, 2, 11, 16, 2, 3, 3, 1, 2, 4, 4, 2, 3, 2, true}>(); // more padding than the kernel reaches
        convolution_is_right<convolution_key{f32, 1, 2, 6, 33, 2, 1, 2, 3, 2, 0, 0, 1, 1, 2, true}>();
        convolution_is_right<convolution_key{f64, 1, 2, 8, 15, 2, 3, 3, 2, 2, 1, 1, 1, 1, 2, true}>();
        convolution_is_right<convolution_key{f32, 2, 2, 18, 70, 2, 3, 3, 1, 1, 1, 1, 1, 1, 2, true}>(); // ... strips of rows
        convolution_is_right<convolution_key{f32, 1, 1, 4, 193, 1, 3, 7, 1, 1, 1, 6, 1, 2, 1, true}>(); // of which the last has a pixel
        convolution_is_right<convolution_key{f32, 1, 2, 5, 100, 4, 1, 2, 1, 1, 0, 9, 1, 5, 2, false}>();
        convolution_is_right<convolution_key{f32, 1, 2, 5, 98, 2, 5, 5, 2, 1, 0, 0, 1, 9, 2, true}>();
        convolution_is_right<convolution_key{f64, 1, 2, 20, 14, 2, 3, 3, 1, 1, 1, 1, 1, 1, 2, true}>();
        convolution_is_right<convolution_key{f64, 1, 2, 6, 40, 2, 7, 7, 1, 1, 3, 3, 1, 1, 2, true}>();
        convolution_is_right<convolution_key{f32, 1, 5, 9, 8, 33, 3, 3, 1, 1, 2, 2, 2, 2, 1, true}>();  // dilated
        convolution_is_right<convolution_key{f32, 1, 3, 12, 12, 20, 1, 9, 1, 1, 0, 4, 1, 1, 1, false}>();
        convolution_is_right<convolution_key{f32, 1, 3, 12, 12, 20, 9, 1, 2, 1, 4, 0, 1, 1, 1, false}>();
        convolution_is_right<convolution_key{f32, 2, 17, 5, 6, 19, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>(); // pointwise
        convolution_is_right<convolution_key{f32, 1, 17, 3, 3, 70, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f32, 2, 40, 7, 7, 37, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>(); // ... a pixel over
        convolution_is_right<convolution_key{f32, 1, 100, 14, 14, 90, 1, 1, 1, 1, 0, 0, 1, 1, 1, false}>(); // four, weights that are far
        convolution_is_right<convolution_key{f32, 1, 9, 1, 35, 12, 1, 1, 1, 1, 0, 0, 1, 1, 3, true}>(); // three, fewer channels than lanes
        convolution_is_right<convolution_key{f32, 1, 20, 5, 5, 200, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>(); // nine: the last vector moves back
        convolution_is_right<convolution_key{f32, 1, 16, 30, 31, 5, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>(); // stretches of pixels
        convolution_is_right<convolution_key{f64, 1, 21, 5, 5, 70, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f64, 2, 8, 1, 18, 19, 1, 1, 1, 1, 0, 0, 1, 1, 1, false}>();
        convolution_is_right<convolution_key{f32, 1, 6, 5, 6, 9, 1, 1, 2, 2, 0, 0, 1, 1, 3, true}>();
        convolution_is_right<convolution_key{f32, 1, 4, 2, 2, 20, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>();  // tiny maps
        convolution_is_right<convolution_key{f32, 3, 4, 2, 4, 20, 3, 3, 1, 1, 1, 1, 1, 1, 2, true}>();
        convolution_is_right<convolution_key{f32, 3, 6, 1, 1, 9, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>();   // one pixel
        convolution_is_right<convolution_key{f32, 2, 6, 1, 1, 9, 3, 3, 1, 1, 1, 1, 1, 1, 3, true}>();
        convolution_is_right<convolution_key{f32, 1, 6, 1, 1, 9, 2, 2, 2, 2, 1, 1, 2, 2, 1, true}>();   // padding only
        convolution_is_right<convolution_key{f32, 0, 3, 4, 4, 5, 3, 3, 1, 1, 0, 0, 1, 1, 1, true}>();   // empty
        convolution_is_right<convolution_key{f64, 1, 3, 11, 13, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f64, 2, 3, 6, 6, 21, 3, 3, 2, 2, 1, 1, 1, 1, 1, true}>();
        convolution_is_right<convolution_key{f64, 1, 4, 2, 2, 12, 3, 3, 1, 1, 1, 1, 1, 1, 1, false}>();
        convolution_is_right<convolution_key{f64, 1, 4, 1, 1, 12, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}>();
    }
}

} // namespace

int main() {
    infinity_fills_its_tile();
    convolutions<test::every_key>();
    return test::report();
}
