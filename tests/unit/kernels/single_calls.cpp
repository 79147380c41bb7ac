// SPDX-License-Identifier: MIT
// Pooling, copies, padding and reductions against naive loops, over keys that meet every algorithm and tail.
#include <ahead/kernels/copy.hpp>
#include <ahead/kernels/max_pool2d.hpp>
#include <ahead/kernels/pad.hpp>
#include <ahead/kernels/reduce.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <source_location>
#include <type_traits>
#include <vector>

#include "harness.hpp"
#include "unit/kernel_buffer.hpp"

using namespace ahead;
using namespace ahead::rooms;
using namespace ahead::device;
namespace kernel = ahead::kernels;
using test::buffer;
using test::check;
using test::random_bits;

namespace {

// ---- max_pool2d

template <max_pool2d_key Key> void max_pool2d_is_right(std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    constexpr auto results = Key.planes * Key.out_d * Key.out_h * Key.out_w;
    buffer<T> x(Key.planes * Key.in_d * Key.in_h * Key.in_w), out(results);
    buffer<std::int64_t> indices(Key.indices ? results : 0);
    buffer<std::byte> work(static_cast<std::int64_t>(workspace_bytes(Key)));
    x.randomize();
    if constexpr (is_floating(Key.type))
        for (T& value : x) {
            if (random_bits() % 17 == 0) value = std::numeric_limits<T>::quiet_NaN();
            if (random_bits() % 17 == 0) value = -std::numeric_limits<T>::infinity();
        }
    kernel::max_pool2d<Key>(x.data(), out.data(), indices.data(), work.data());
    // The places of a window along one dim that lie inside; the first one that is not before it, where there are none.
    struct places { std::int64_t first; std::vector<std::int64_t> inside; };
    const auto window = [](std::int64_t i, std::int64_t in, std::int64_t windows, std::int64_t kernel, std::int64_t stride, std::int64_t pad, std::int64_t dilation) {
        const bool adapts = kernel == 0;
        if (adapts) stride = 1, pad = i - i * in / windows, kernel = ((i + 1) * in + windows - 1) / windows - i * in / windows;
        places found{i * stride - pad, {}};
        while (found.first < 0) found.first += dilation;
        for (std::int64_t k = 0; k < kernel; ++k)
            if (const auto at = i * stride - pad + k * dilation; at >= 0 && at < in) found.inside.push_back(at);
        return found;
    };
    bool right = true;
    std::int64_t at = 0;
    for (std::int64_t p = 0; p < Key.planes; ++p)
        for (std::int64_t z = 0; z < Key.out_d; ++z)
            for (std::int64_t i = 0; i < Key.out_h; ++i)
                for (std::int64_t j = 0; j < Key.out_w; ++j, ++at) {
                    const auto planes = window(z, Key.in_d, Key.out_d, Key.kernel_d, Key.stride_d, Key.pad_d, Key.dilation_d);
                    const auto rows = window(i, Key.in_h, Key.out_h, Key.kernel_h, Key.stride_h, Key.pad_h, Key.dilation_h);
                    const auto columns = window(j, Key.in_w, Key.out_w, Key.kernel_w, Key.stride_w, Key.pad_w, Key.dilation_w);
                    T best = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
                    auto index = (planes.first * Key.in_h + rows.first) * Key.in_w + columns.first;
                    for (auto plane : planes.inside)
                        for (auto row : rows.inside)
                            for (auto column : columns.inside) {
                                const auto place = (plane * Key.in_h + row) * Key.in_w + column;
                                const T value = x[p * Key.in_d * Key.in_h * Key.in_w + place];
                                if (value > best || value != value) index = place, best = value;
                            }
                    right &= out[at] == best || (out[at] != out[at] && best != best);
                    if (Key.indices) right &= indices[at] == index;
                }
    check(right, "", where);
}

template <dtype Type, bool Indices> void max_pools() {
    //                             planes  H   W  outs    kernel stride pad  dilation
    max_pool2d_is_right<max_pool2d_key{Type, 6, 28, 28, 14, 14, 2, 2, 2, 2, 0, 0, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 16, 10, 10, 5, 5, 2, 2, 2, 2, 0, 0, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 3, 9, 41, 4, 20, 2, 2, 2, 2, 0, 0, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 9, 7, 5, 4, 2, 2, 2, 2, 0, 0, 1, 1, Indices}>(); // ceil_mode
    max_pool2d_is_right<max_pool2d_key{Type, 3, 17, 19, 9, 10, 3, 3, 2, 2, 1, 1, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 8, 9, 8, 9, 5, 5, 1, 1, 2, 2, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 8, 9, 4, 5, 3, 3, 1, 1, 0, 0, 2, 2, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 7, 7, 4, 4, 3, 3, 2, 2, 2, 2, 2, 2, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 1, 3, 3, 1, 1, 3, 3, 3, 3, 0, 0, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 4, 4, 1, 1, 2, 2, 1, 1, 1, 1, 5, 5, Indices}>(); // wholly in padding, rows or columns, or both
    max_pool2d_is_right<max_pool2d_key{Type, 2, 4, 6, 1, 7, 2, 2, 1, 1, 1, 1, 5, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 6, 4, 7, 1, 2, 2, 1, 1, 1, 1, 1, 5, Indices}>();
    // Adapted to the result, rows or columns or both; volumes: planes padded, dilated, left out, wholly in padding, adapted.
    max_pool2d_is_right<max_pool2d_key{Type, 2, 7, 9, 3, 4, 0, 0, 1, 1, 0, 0, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 7, 36, 3, 18, 0, 2, 1, 2, 0, 0, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 6, 9, 3, 14, 2, 0, 2, 1, 0, 0, 1, 1, Indices}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 6, 20, 3, 10, 2, 2, 2, 2, 0, 0, 1, 1, Indices, 5, 2, 2, 2, 0, 1}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 7, 19, 4, 10, 3, 3, 2, 2, 1, 1, 1, 1, Indices, 4, 3, 3, 2, 1, 2}>();
    max_pool2d_is_right<max_pool2d_key{Type, 2, 4, 4, 1, 1, 2, 2, 1, 1, 1, 1, 5, 5, Indices, 3, 1, 2, 1, 1, 4}>();
    max_pool2d_is_right<max_pool2d_key{Type, 1, 7, 9, 3, 4, 0, 0, 1, 1, 0, 0, 1, 1, Indices, 5, 3, 0, 1, 0, 1}>();
    max_pool2d_is_right<max_pool2d_key{Type, 3, 4, 4, 2, 2, 2, 2, 2, 2, 0, 0, 1, 1, Indices, 3, 3, 1, 1, 0, 1}>();
    max_pool2d_is_right<max_pool2d_key{Type, 0, 4, 4, 2, 2, 2, 2, 2, 2, 0, 0, 1, 1, Indices}>();
}

// ---- copy

/// Where a copy reads, and where it writes: contiguous where nothing is said of that.
struct view {
    dtype type = dtype::f32;
    int rank = 0;
    std::array<std::int64_t, max_rank> sizes{}, strides{}, written{};
    constexpr std::int64_t size(int d) const { return sizes[static_cast<std::size_t>(d)]; }
    constexpr std::int64_t stride(int d) const { return strides[static_cast<std::size_t>(d)]; }
    constexpr std::int64_t elements_below(int dim) const {
        std::int64_t count = 1;
        for (int d = dim + 1; d < rank; ++d) count *= size(d);
        return count;
    }
    constexpr std::int64_t to(int d) const { return written[0] == 0 ? elements_below(d) : written[static_cast<std::size_t>(d)]; }
    constexpr strided_key key() const {
        strided_key key;
        key.operands = 1;
        key.types[0] = key.types[1] = type;
        for (int d = 0; d < rank; ++d) key.add(size(d), {to(d), stride(d)});
        return key;
    }
};

template <view Key> void copy_is_right(std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    std::int64_t low = 0, high = 0, last = 0;
    const auto count = Key.elements_below(-1);
    for (int i = 0; i < Key.rank; ++i) {
        (Key.stride(i) < 0 ? low : high) += Key.stride(i) * (Key.size(i) - 1);
        last += Key.to(i) * (Key.size(i) - 1);
    }
    buffer<T> in(count == 0 ? 0 : high - low + 1), out(count == 0 ? 0 : last + 1), wanted(count == 0 ? 0 : last + 1);
    in.randomize();
    out.randomize();
    std::copy(out.begin(), out.end(), wanted.begin());
    kernel::copy<Key.key()>(in.data() - (count == 0 ? 0 : low), out.data());
    for (std::int64_t flat = 0; flat < count; ++flat) {
        std::int64_t from = -low, to = 0, rest = flat;
        for (int i = Key.rank; i-- > 0; rest /= Key.size(i)) {
            from += rest % Key.size(i) * Key.stride(i);
            to += rest % Key.size(i) * Key.to(i);
        }
        wanted[to] = in[from];
    }
    check(std::equal(out.begin(), out.end(), wanted.begin()), "", where);
}

template <dtype Type> void copies() {
    copy_is_right<view{Type, 0, {}, {}}>();
    copy_is_right<view{Type, 1, {7}, {1}}>();
    copy_is_right<view{Type, 1, {7}, {-2}}>();
    copy_is_right<view{Type, 2, {33, 18}, {1, 33}}>();
    copy_is_right<view{Type, 3, {3, 33, 18}, {700, 1, 35}}>();
    copy_is_right<view{Type, 2, {70, 150}, {1, 71}}>(); // blocks of tiles, and what is left of both
    copy_is_right<view{Type, 2, {150, 300}, {1, 1024}, {2048, 1}}>();        // lines that collide
    copy_is_right<view{Type, 3, {70, 3, 260}, {1, 512, 2048}, {3072, 1024, 1}}>();
    copy_is_right<view{Type, 3, {4, 5, 6}, {30, 6, 1}}>();
    copy_is_right<view{Type, 3, {4, 5, 6}, {1, 4, 20}}>();
    copy_is_right<view{Type, 4, {2, 3, 4, 5}, {3, 1, 0, 0}}>();
    copy_is_right<view{Type, 4, {2, 1, 4, 5}, {0, 9, 5, 1}}>();
    copy_is_right<view{Type, 5, {2, 3, 2, 3, 2}, {1, 2, 6, 12, 36}}>();
    copy_is_right<view{Type, 2, {0, 5}, {5, 1}}>();
    copy_is_right<view{Type, 4, {9, 2, 10, 11}, {1, 9, 18, 180}}>(); // the contiguous dims are far from one another
    copy_is_right<view{Type, 2, {9, 30}, {30, 1}, {40, 1}}>();       // into gaps
    copy_is_right<view{Type, 2, {9, 30}, {1, 9}, {40, 1}}>();
    copy_is_right<view{Type, 2, {9, 30}, {30, 1}, {61, 2}}>();
    copy_is_right<view{Type, 2, {9, 30}, {0, 0}, {40, 1}}>();
    copy_is_right<view{Type, 2, {9, 30}, {1, 9}, {7, 1}}>();         // onto places that are written again: the last one stays
    copy_is_right<view{Type, 3, {9, 8, 30}, {1, 270, 9}, {240, 15, 1}}>();
}

// ---- pad

/// A key of a contiguous x, strides aside.
constexpr pad_key padded(pad_key key) {
    std::int64_t stride = 1;
    for (std::size_t d = static_cast<std::size_t>(key.rank); d-- > 0; stride *= key.in[d])
        if (key.strides[d] == 0) key.strides[d] = stride;
    return key;
}

template <pad_key Key> void pad_is_right(std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    std::int64_t extent = 1, count = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(Key.rank); ++d) {
        extent = Key.in[d] == 0 || extent == 0 ? 0 : extent + (Key.in[d] - 1) * Key.strides[d];
        count *= Key.out[d];
    }
    buffer<T> x(extent), out(count);
    x.randomize();
    kernel::pad<Key>(x.data(), out.data());
    constexpr auto value = static_cast<T>(std::bit_cast<double>(Key.value_bits));
    bool right = true;
    for (std::int64_t flat = 0; flat < count; ++flat) {
        std::int64_t from = 0, rest = flat;
        bool outside = false;
        for (auto d = static_cast<std::size_t>(Key.rank); d-- > 0; rest /= Key.out[d]) {
            auto at = rest % Key.out[d] - Key.before[d];
            if (Key.mode == pad_mode::reflect) at = at < 0 ? -at : at >= Key.in[d] ? 2 * Key.in[d] - 2 - at : at;
            if (Key.mode == pad_mode::replicate) at = std::clamp<std::int64_t>(at, 0, Key.in[d] - 1);
            outside |= at < 0 || at >= Key.in[d];
            from += at * Key.strides[d];
        }
        right &= out[flat] == (outside ? value : x[from]);
    }
    check(right, "", where);
}

template <dtype Type> void pads() {
    using enum pad_mode;
    constexpr auto three = std::bit_cast<std::int64_t>(3.0);
    pad_is_right<padded({Type, constant, 0, three, {}, {}, {}, {}})>();
    pad_is_right<padded({Type, constant, 1, three, {5}, {9}, {3}, {}})>();
    pad_is_right<padded({Type, constant, 3, three, {2, 3, 5}, {3, 6, 9}, {1, 1, 3}, {}})>();
    pad_is_right<padded({Type, constant, 2, three, {4, 5}, {2, 9}, {-1, 2}, {}})>();    // shrinks
    pad_is_right<padded({Type, constant, 2, three, {4, 5}, {4, 2}, {0, -2}, {}})>();
    pad_is_right<padded({Type, constant, 2, three, {4, 5}, {6, 3}, {1, 4}, {}})>();     // nothing of a row is left
    pad_is_right<padded({Type, constant, 2, three, {0, 5}, {2, 5}, {1, 0}, {}})>();     // x is empty
    pad_is_right<padded({Type, constant, 2, three, {4, 5}, {4, 0}, {0, -3}, {}})>();    // out is empty
    pad_is_right<padded({Type, constant, 2, three, {4, 5}, {6, 8}, {1, 2}, {1, 4}})>(); // transposed
    pad_is_right<padded({Type, reflect, 2, 0, {3, 5}, {3, 12}, {0, 3}, {}})>();
    pad_is_right<padded({Type, reflect, 4, 0, {2, 3, 4, 5}, {2, 3, 9, 8}, {0, 0, 2, 1}, {}})>();
    pad_is_right<padded({Type, reflect, 2, 0, {4, 5}, {7, 9}, {2, 3}, {1, 4}})>();
    pad_is_right<padded({Type, replicate, 2, 0, {3, 5}, {3, 16}, {0, 7}, {}})>();
    pad_is_right<padded({Type, replicate, 3, 0, {2, 4, 5}, {2, 9, 8}, {0, 4, 0}, {}})>();
}

// ---- reduce

constexpr dim_list dims(std::int32_t rank, std::array<std::int64_t, max_rank> sizes, std::array<std::int64_t, max_rank> strides) {
    return {rank, sizes, strides};
}

template <reduce_key Key> void reduce_is_right(std::source_location where = std::source_location::current()) {
    using T = element_t<Key.type>;
    const auto offset = [](const dim_list& list, std::int64_t flat) {
        std::int64_t at = 0;
        for (auto d = static_cast<std::size_t>(list.rank); d-- > 0; flat /= list.sizes[d]) at += flat % list.sizes[d] * list.strides[d];
        return at;
    };
    const auto kept = Key.kept.elements(), reduced = Key.reduced.elements();
    buffer<T> x(kept * reduced == 0 ? 0 : offset(Key.kept, kept - 1) + offset(Key.reduced, reduced - 1) + 1), out(kept);
    x.randomize();
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        for (T& value : x) value = value % 100;
    if constexpr (std::is_floating_point_v<T> && (Key.kind == reduction::largest || Key.kind == reduction::smallest))
        for (T& value : x)
            if (random_bits() % 29 == 0) value = random_bits() % 2 ? std::numeric_limits<T>::quiet_NaN() : -std::numeric_limits<T>::infinity();
    kernel::reduce<Key>(x.data(), out.data());
    bool right = true;
    for (std::int64_t k = 0; k < kept; ++k) {
        using sum_type = std::conditional_t<std::is_floating_point_v<T>, long double, std::int64_t>;
        sum_type sum = Key.kind == reduction::product ? 1 : 0;
        T best{};
        for (std::int64_t r = 0; r < reduced; ++r) {
            const T value = x[offset(Key.kept, k) + offset(Key.reduced, r)];
            if (Key.kind == reduction::product) sum *= static_cast<sum_type>(value);
            else sum += static_cast<sum_type>(value);
            if (r == 0 || value != value || (Key.kind == reduction::largest ? value > best : value < best)) best = best != best ? best : value;
        }
        if (Key.kind == reduction::largest || Key.kind == reduction::smallest) {
            right &= out[k] == best || (out[k] != out[k] && best != best);
        } else if constexpr (std::is_floating_point_v<T>) {
            const auto exact = Key.kind == reduction::mean ? sum / static_cast<sum_type>(reduced) : sum;
            right &= std::fabs(static_cast<double>(static_cast<sum_type>(out[k]) - exact)) <= (std::is_same_v<T, float> ? 1.2e-7 : 1e-13) * (1 + std::fabs(static_cast<double>(exact)));
        } else {
            right &= out[k] == static_cast<T>(sum);
        }
    }
    check(right, "", where);
}

template <dtype Type, reduction Kind> void reductions() {
    const auto all_of = []<std::int64_t N> { reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = {}, .reduced = dims(1, {N}, {1})}>(); };
    all_of.template operator()<1>(), all_of.template operator()<7>(), all_of.template operator()<8>(), all_of.template operator()<31>();
    all_of.template operator()<40>(), all_of.template operator()<1000>();
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(2, {2, 3}, {333, 111}), .reduced = dims(1, {111}, {1})}>();             // the last dim
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(1, {3}, {1}), .reduced = dims(1, {50}, {3})}>();                         // the first dim, of few columns
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(1, {77}, {1}), .reduced = dims(1, {9}, {77})}>();                        // of many
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(1, {135}, {1}), .reduced = dims(2, {3, 13}, {14 * 140, 140})}>();        // of a strip and more
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(2, {3, 41}, {41 * 5, 1}), .reduced = dims(1, {5}, {41})}>();             // in the middle
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(1, {3}, {70}), .reduced = dims(2, {4, 10}, {210, 1})}>();                // around the middle
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(2, {2, 3}, {210, 70}), .reduced = dims(2, {5, 14}, {14, 1})}>();         // two that lie as one
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(1, {5}, {2}), .reduced = dims(1, {13}, {10})}>();                        // nothing contiguous
    reduce_is_right<reduce_key{.type = Type, .kind = Kind, .kept = dims(1, {0}, {1}), .reduced = dims(1, {4}, {1})}>();
}

// What is larger than i64 wraps, as in PyTorch, and is no overflow that a sanitizer stops at.
template <reduction Kind> void integers_wrap(std::uint64_t wanted) {
    buffer<std::int64_t> x(3), out(1);
    std::fill(x.begin(), x.end(), std::int64_t{1} << 62 | 12345);
    kernel::reduce<reduce_key{.type = dtype::i64, .kind = Kind, .kept = {}, .reduced = dims(1, {3}, {1})}>(x.data(), out.data());
    check(static_cast<std::uint64_t>(out[0]) == wanted);
}

template <dtype Type> void all_reductions() {
    reductions<Type, reduction::largest>();
    reductions<Type, reduction::smallest>();
    if constexpr (Type != dtype::b8) reductions<Type, reduction::sum>();
    if constexpr (is_floating(Type)) {
        reductions<Type, reduction::mean>();
        reductions<Type, reduction::product>();
        reduce_is_right<reduce_key{.type = Type, .kind = reduction::sum, .kept = dims(1, {3}, {1}), .reduced = dims(1, {0}, {3})}>(); // sums of nothing are 0
    }
}

} // namespace

int main() {
    max_pools<dtype::f32, false>();
    max_pools<dtype::f32, true>();
    max_pools<dtype::f64, false>();
    max_pools<dtype::i32, false>();
    max_pools<dtype::i64, true>();
    copies<dtype::f32>();
    copies<dtype::f64>();
    copies<dtype::i32>();
    copies<dtype::i64>();
    copies<dtype::i16>();
    copies<dtype::b8>();
    pads<dtype::f32>();
    pads<dtype::i64>();
    all_reductions<dtype::f32>();
    all_reductions<dtype::f64>();
    all_reductions<dtype::i32>();
    all_reductions<dtype::i64>();
    all_reductions<dtype::b8>();
    constexpr auto large = std::uint64_t{1} << 62 | 12345;
    integers_wrap<reduction::sum>(3 * large);
    integers_wrap<reduction::product>(large * large * large);
    return test::report();
}
