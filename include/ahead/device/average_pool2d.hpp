// SPDX-License-Identifier: MIT
// npu.average_pool2d: means of windows of a fixed size, or adapted to the result's size. One spatial dim is a plane of
// one row; three are a volume.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// x[planes, depth.in, rows.in, columns.in] -> out[planes, depth.out, rows.out, columns.out]; both contiguous, of a
/// floating dtype.
struct average_pool2d_key {
    /// kernel == 0: window i covers [floor(i * in / out), ceil((i + 1) * in / out)).
    struct axis {
        std::int64_t in = 1, out = 1, kernel = 0, stride = 1, padding = 0;
        friend constexpr bool operator==(const axis&, const axis&) = default;
    };
    dtype type = dtype::f32;
    std::int64_t planes = 1;
    axis rows{}, columns{};
    bool counts_padding = false;
    std::int64_t divisor = 0; // instead of the count; 0: none
    axis depth{};
    friend constexpr bool operator==(const average_pool2d_key&, const average_pool2d_key&) = default;
};
AHEAD_FIELDS(average_pool2d_key::axis, in, out, kernel, stride, padding)
AHEAD_FIELDS(average_pool2d_key, type, planes, rows, columns, counts_padding, divisor, depth)

/// Elements [first, last) of one axis; `padded` is their number including padding.
struct averaged {
    std::int64_t first, last, padded;
};
constexpr averaged window_at(const average_pool2d_key::axis& a, std::int64_t i) {
    if (a.kernel == 0) {
        const auto first = i * a.in / a.out, last = ((i + 1) * a.in + a.out - 1) / a.out;
        return {first, last, last - first};
    }
    const auto start = i * a.stride - a.padding, end = start + a.kernel, limit = a.in + a.padding;
    return {start < 0 ? 0 : start, end < a.in ? end : a.in, (end < limit ? end : limit) - start};
}

/// The sum of the windows' lengths (see window_at) along one axis.
constexpr std::int64_t elements_of_windows(const average_pool2d_key::axis& a) {
    if (a.kernel == 0) { // an element cut by a boundary is in two windows; gcd(in, out) - 1 boundaries cut none
        auto divisor = a.in;
        for (auto rest = a.out; rest != 0;) {
            const auto next = divisor % rest;
            divisor = rest;
            rest = next;
        }
        return a.in + a.out - divisor;
    }
    const auto cut = [&](std::int64_t windows, std::int64_t first) { // they lack `first`, then a stride less each
        return windows * first - a.stride * (windows * (windows - 1) / 2);
    };
    const auto past = (a.out - 1) * a.stride - a.padding + a.kernel - a.in; // beyond the end, of the last window
    const auto at_begin = (a.padding + a.stride - 1) / a.stride,
               at_end = past > 0 ? (past + a.stride - 1) / a.stride : 0;
    return a.out * a.kernel - cut(at_begin < a.out ? at_begin : a.out, a.padding) -
           cut(at_end < a.out ? at_end : a.out, past);
}

/// Every element of every window, one by one: each addition depends on the previous one.
constexpr machine::work work_of(const average_pool2d_key& key) {
    return {.scalar_steps = 4 * key.planes * elements_of_windows(key.depth) * elements_of_windows(key.rows) *
                            elements_of_windows(key.columns)};
}

/// npu.average_pool2d(Tensor x, int[] kernel, int[] stride, int[] padding, int[] out, bool count_padding, int divisor):
/// each list has one number per spatial dim, for the last dims; an empty kernel adapts to `out`; divisor 0: the element
/// count.
struct average_pool2d {
    static constexpr std::string_view name = "npu.average_pool2d"sv;
    enum at : int { x, kernel, stride, padding, out, count_padding, divisor };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor),        required("kernel", parameter_kind::int_list),
        required("stride", parameter_kind::int_list), required("padding", parameter_kind::int_list),
        required("out", parameter_kind::int_list),    required("count_padding", parameter_kind::boolean),
        required("divisor", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(at::x));
        const auto out = c.ints(at::out);
        for (int d = 0; d < out.size; ++d) sizes[sizes.size - out.size + d] = out[d];
        return c.result(tensor_of(c.tensor(at::x).type, sizes));
    }
    static constexpr average_pool2d_key key(const call_view& c) {
        const auto& x = c.tensor(at::x);
        const auto kernel = c.ints(at::kernel), stride = c.ints(at::stride), padding = c.ints(at::padding),
                   out = c.ints(at::out);
        average_pool2d_key key;
        key.type = x.type;
        const auto axis = [&](int d) -> average_pool2d_key::axis {
            const auto in = x.size(x.rank - out.size + d);
            if (kernel.size == 0) return {in, out[d], 0, 1, 0};
            return {in, out[d], kernel[d], stride[d], padding[d]};
        };
        if (out.size > 1) key.rows = axis(out.size - 2);
        if (out.size > 2) key.depth = axis(0);
        key.columns = axis(out.size - 1);
        for (int d = 0; d < x.rank - out.size; ++d) key.planes *= x.size(d);
        key.counts_padding = c.boolean(at::count_padding);
        key.divisor = c.integer(at::divisor);
        return key;
    }
    static constexpr bounded_call bounded(const auto& c) {
        return bounded_count<average_pool2d>(c, at::x, &average_pool2d_key::planes);
    }
};

} // namespace ahead::device
