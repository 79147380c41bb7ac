// SPDX-License-Identifier: MIT
// What follows the sums of products and convolutions, in every algorithm, on whole tiles and tails: against the kernel without it and the steps one
// element at a time. Operands end where memory does; a residual may lie where the result does.
#include <ahead/device/pointwise.hpp>
#include <ahead/kernels/convolution/convolution.hpp>

#include <algorithm>
#include <array>
#include <bit>
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
using enum ahead::dtype;
using test::buffer;
using test::check;

namespace {

constexpr pointwise_slot operand(int k) { return {pointwise_slot::source::operand, k}; }
constexpr pointwise_slot step(int s) { return {pointwise_slot::source::step, s}; }
constexpr pointwise_slot one{pointwise_slot::source::integer, 1};

struct program {
    epilogue_key key;
    constexpr program& reads(epilogue_reading r) {
        key.read[static_cast<std::size_t>(key.operands++)] = r;
        return *this;
    }
    constexpr program& does(std::initializer_list<pointwise_slot> slots) {
        auto& added = key.steps[static_cast<std::size_t>(key.count++)];
        for (const auto& s : slots) added.slots[static_cast<std::size_t>(added.parameters++)] = s;
        return *this;
    }
};

// Each: the steps, and what they make of a sum and the operands.
struct rectified {
    using operators = op_list<aten::relu>;
    static constexpr epilogue_key epilogue = program{}.does({operand(0)}).key;
    static double of(double sum, const double*) { return sum < 0 ? 0 : sum; }
};
struct residual_rectified { // short, in registers
    using operators = op_list<aten::add, aten::relu>;
    static constexpr epilogue_key epilogue = program{}
                                                 .reads(epilogue_reading::place)
                                                 .does({operand(0), operand(1), one})
                                                 .does({step(0)})
                                                 .key;
    static double of(double sum, const double* with) { return std::max(0.0, sum + with[0]); }
};
struct scaled { // by a number per column and one for all
    using operators = op_list<aten::mul, aten::add>;
    static constexpr epilogue_key epilogue = program{}
                                                 .reads(epilogue_reading::column)
                                                 .reads(epilogue_reading::number)
                                                 .does({operand(0), operand(1)})
                                                 .does({step(0), operand(2), one})
                                                 .key;
    static double of(double sum, const double* with) { return sum * with[0] + with[1]; }
};
struct gated { // long, over a copy: silu(sum * column) + residual * sigmoid(sum)
    using operators = op_list<aten::mul, aten::silu, aten::sigmoid, aten::mul, aten::add>;
    static constexpr epilogue_key epilogue = program{}
                                                 .reads(epilogue_reading::column)
                                                 .reads(epilogue_reading::place)
                                                 .does({operand(0), operand(1)})
                                                 .does({step(0)})
                                                 .does({operand(0)})
                                                 .does({operand(2), step(2)})
                                                 .does({step(1), step(3), one})
                                                 .key;
    static double of(double sum, const double* with) {
        const double x = sum * with[0];
        return x / (1 + std::exp(-x)) + with[1] / (1 + std::exp(-sum));
    }
};

// The result of `with` an epilogue against that of `without`: functions of out and of what follows. The result has `columns` columns, Plane apart.
template <class Steps, class T, std::int64_t Columns, std::int64_t Plane>
void follows(std::int64_t elements, const std::string& what, const std::source_location& where, const auto& run) {
    constexpr auto operands = static_cast<std::size_t>(Steps::epilogue.operands);
    buffer<T> sums(elements), apart(elements), place(elements), columns(Columns), number(1);
    place.randomize(), columns.randomize(), number.randomize();
    run(sums.data(), kernel::no_epilogue{});
    kernel::epilogue<Steps, T, Columns, Plane> after{apart.data(), {}};
    bool overwrites = false;
    for (std::size_t k = 0; k < operands; ++k) {
        const auto read = Steps::epilogue.read[k];
        overwrites = overwrites || read == epilogue_reading::place;
        after.from.at[k] = read == epilogue_reading::place    ? place.data()
                           : read == epilogue_reading::column ? columns.data()
                                                              : number.data();
    }
    run(apart.data(), after);
    bool right = true;
    for (std::int64_t i = 0; i < elements; ++i) {
        double given[3]{};
        for (std::size_t k = 0; k < operands; ++k) {
            const auto read = Steps::epilogue.read[k];
            given[k] = static_cast<double>(read == epilogue_reading::place    ? place[i]
                                           : read == epilogue_reading::column ? columns[i / Plane % Columns]
                                                                              : number[0]);
        }
        const double exact = Steps::of(static_cast<double>(sums[i]), given);
        // sigmoid of f32 is 1.2e-7 from the exact value
        right = right && std::fabs(static_cast<double>(apart[i]) - exact) <= (sizeof(T) == 4 ? 1e-6 : 1e-14) * (1 + std::fabs(exact));
    }
    check(right, what, where);
    if (!overwrites) return;
    after.out = place.data();
    run(place.data(), after);
    bool same = true;
    for (std::int64_t i = 0; i < elements; ++i)
        same = same && std::bit_cast<std::array<char, sizeof(T)>>(place[i]) == std::bit_cast<std::array<char, sizeof(T)>>(apart[i]);
    check(same, what + ", in place", where);
}

// One function for each kernel and what follows it, whatever its results are held against.
template <matmul_key Key, class... Steps>
void product(std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    const auto reach = [](std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
        return (rows - 1) * row + (columns - 1) * column + 1;
    };
    buffer<T> a(reach(Key.m, Key.k, Key.a_row, Key.a_col)), b(reach(Key.k, Key.n, Key.b_row, Key.b_col)), bias(Key.n),
        packed(Key.packed ? packed_elements(Key) : 0);
    buffer<std::byte> work(static_cast<std::int64_t>(workspace_bytes(Key)));
    a.randomize(), b.randomize(), bias.randomize();
    if constexpr (Key.packed) kernel::pack_matmul<Key>(b.data(), packed.data());
    const auto what = "m " + std::to_string(Key.m) + " n " + std::to_string(Key.n) + " k " + std::to_string(Key.k);
    const auto run = [&](T* out, auto after) {
        kernel::matmul<Key>(a.data(), Key.packed ? packed.data() : b.data(), bias.data(), out, work.data(), after);
    };
    (follows<Steps, T, Key.n, 1>(Key.m * Key.n, what, where, run), ...);
}

template <convolution_key Key, class... Steps>
void convolution(std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    buffer<T> x(Key.batch * Key.in_channels * Key.in_h * Key.in_w),
        w(Key.out_channels * channels_per_group(Key) * Key.kernel_h * Key.kernel_w);
    buffer<T> packed(packed_elements(Key)), bias(Key.out_channels);
    buffer<std::byte> work(static_cast<std::int64_t>(workspace_bytes(Key)));
    x.randomize(), w.randomize(), bias.randomize();
    kernel::pack_convolution<Key>(w.data(), packed.data());
    const auto what = "algorithm " + std::to_string(static_cast<int>(algorithm_of(with_rows_merged(Key)))) + " out " + std::to_string(out_w(Key));
    const auto run = [&](T* out, auto after) { kernel::convolution<Key>(x.data(), packed.data(), bias.data(), out, work.data(), after); };
    (follows<Steps, T, Key.out_channels, out_pixels(Key)>(Key.batch * Key.out_channels * out_pixels(Key), what, where, run), ...);
}

// Every key meets steps in registers and steps over a copy; one key of each algorithm all four kinds.
// Sizes that leave a tail beside whole vectors of 2 to 16 lanes, wherever a result has room for whole ones.
template <bool Every>
void all() {
    product<contiguous_matmul(f32, 5, 21, 9, true, true), residual_rectified, gated, scaled>();
    convolution<convolution_key{f32, 1, 2, 6, 22, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated, rectified,
                scaled>(); // pixels_in_lanes, the last vector of a row moves back
    convolution<convolution_key{f32, 2, 16, 13, 14, 16, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified>(); // winograd, tiles stand over on both sides
    if constexpr (Every) {
        convolution<convolution_key{f32, 2, 16, 13, 14, 21, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated, rectified,
                    scaled>(); // ... filters beside whole vectors
        convolution<convolution_key{f32, 1, 16, 12, 22, 32, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated>(); // ... whole groups of tiles
        product<contiguous_matmul(f32, 13, 70, 33, true, true), residual_rectified, gated, rectified, scaled>(); // two whole panels, tiles of two heights
        product<contiguous_matmul(f32, 33, 128, 2100, true, true), residual_rectified, gated>(); // summed in parts, elsewhere: the operand is in place
        product<contiguous_matmul(f32, 2, 3, 9, true, true), residual_rectified, gated>();                       // dot products
        product<contiguous_matmul(f32, 1, 1, 4, true, true), residual_rectified, gated>();
        product<matmul_key{f32, 2, 9, 7, true, false, 7, 1, 1, 7, 0, 1}, residual_rectified, gated, rectified, scaled>(); // ... of columns where they lie
        product<contiguous_matmul(f32, 3, 37, 9, true, false), residual_rectified, gated, rectified, scaled>(); // rows in place, down to one lane
        product<matmul_key{f32, 5, 21, 9, true, false, 9, 1, 1, 9, 0, 1}, residual_rectified, gated, rectified, scaled>(); // panels on the fly
        product<contiguous_matmul(f64, 5, 13, 9, true, true), residual_rectified, gated>();
        product<contiguous_matmul(f64, 3, 11, 9, true, false), rectified, gated>();
        product<contiguous_matmul(f64, 3, 3, 9, true, true), scaled, gated>();
        convolution<convolution_key{f32, 1, 2, 3, 67, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated>(); // ... alone in its block
        convolution<convolution_key{f32, 1, 1, 9, 11, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated>(); // rows shorter than a vector
        convolution<convolution_key{f32, 2, 4, 9, 37, 4, 3, 3, 1, 1, 1, 1, 1, 1, 4, true}, residual_rectified, gated, scaled>(); // depthwise
        convolution<convolution_key{f32, 2, 3, 5, 6, 33, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated>();         // channels_in_lanes
        convolution<convolution_key{f32, 1, 8, 10, 7, 12, 3, 3, 2, 2, 1, 1, 1, 1, 2, true}, residual_rectified, gated, rectified, scaled>(); // ... with groups
        convolution<convolution_key{f32, 1, 17, 2, 2, 17, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}, residual_rectified, gated>(); // ... one long row
        convolution<convolution_key{f32, 2, 20, 7, 7, 21, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}, residual_rectified, gated, scaled>(); // ... a pixel over
        convolution<convolution_key{f32, 1, 20, 5, 7, 33, 1, 1, 1, 1, 0, 0, 1, 1, 1, true}, residual_rectified, gated>(); // ... three
        convolution<convolution_key{f32, 2, 2, 9, 70, 2, 3, 3, 1, 1, 1, 1, 1, 1, 2, true}, residual_rectified, gated, rectified>(); // depthwise, in strips
        convolution<convolution_key{f32, 2, 2, 14, 14, 2, 3, 3, 1, 1, 1, 1, 1, 1, 2, true}, residual_rectified, gated, rectified>(); // ... rows that end within a vector
        convolution<convolution_key{f32, 1, 64, 7, 7, 64, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated>(); // small tiles
        convolution<convolution_key{f32, 3, 4, 2, 2, 20, 3, 3, 1, 1, 1, 1, 1, 1, 2, true}, residual_rectified, gated, rectified, scaled>(); // tiny maps
        convolution<convolution_key{f32, 3, 6, 2, 2, 9, 3, 3, 2, 2, 1, 1, 1, 1, 1, true}, residual_rectified, gated>(); // ... of one pixel
        convolution<convolution_key{f32, 2, 6, 1, 1, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated, rectified, scaled>(); // products
        convolution<convolution_key{f32, 1, 6, 1, 1, 9, 3, 3, 1, 1, 1, 1, 1, 1, 3, true}, residual_rectified, scaled>();
        convolution<convolution_key{f64, 1, 3, 11, 13, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1, true}, residual_rectified, gated>();
        convolution<convolution_key{f64, 2, 3, 6, 6, 9, 3, 3, 2, 2, 1, 1, 1, 1, 1, true}, residual_rectified, gated>();
        convolution<convolution_key{f64, 1, 4, 2, 2, 9, 1, 3, 1, 1, 0, 1, 1, 1, 1, true}, residual_rectified, gated>();
    }
}

} // namespace

int main() {
    all<test::every_key>();
    return test::report();
}
