// SPDX-License-Identifier: MIT
// npu.max_pool2d: the largest element of each window, and its place. Windows have a fixed size, or are adapted to the
// result's size. One spatial dim is a plane of one row; three are a volume.
// Invariant: the result's sizes are given, so ceil_mode is already decided; every window overlaps the input, as PyTorch
// requires.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// x[planes, in_d, in_h, in_w] -> out[planes, out_d, out_h, out_w], planes = batch * channels; indices: also i64 of
/// these sizes, into a plane or volume. kernel == 0: window i covers [floor(i * in / out), ceil((i + 1) * in / out)).
struct max_pool2d_key {
    dtype type = dtype::f32;
    std::int64_t planes = 1, in_h = 1, in_w = 1, out_h = 1, out_w = 1, kernel_h = 1, kernel_w = 1;
    std::int64_t stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1;
    bool indices = false;
    std::int64_t in_d = 1, out_d = 1, kernel_d = 1, stride_d = 1, pad_d = 0, dilation_d = 1;
    friend constexpr bool operator==(const max_pool2d_key&, const max_pool2d_key&) = default;
};
AHEAD_FIELDS(max_pool2d_key, type, planes, in_h, in_w, out_h, out_w, kernel_h, kernel_w, stride_h, stride_w, pad_h,
             pad_w, dilation_h, dilation_w, indices, in_d, out_d, kernel_d, stride_d, pad_d, dilation_d)

/// Adjacent windows of 2x2, all inside the input.
constexpr bool takes_pairs(const max_pool2d_key& key) {
    return key.in_d == 1 && key.kernel_d == 1 && key.kernel_h == 2 && key.kernel_w == 2 && key.stride_h == 2 &&
           key.stride_w == 2 && key.pad_h == 0 && key.pad_w == 0 && key.dilation_h == 1 && key.dilation_w == 1 &&
           2 * key.out_h <= key.in_h && 2 * key.out_w <= key.in_w;
}

/// A row of maxima, for keys without indices: one per column, or one per window that begins at each column.
constexpr std::size_t workspace_bytes(const max_pool2d_key& key) {
    return key.indices ? 0 : static_cast<std::size_t>(key.in_w) * bytes_of(key.type);
}

/// Pairs of columns separated in registers, where a maximum is a comparison, a selection and one more for NaN; else
/// windows at every column, some of which are picked. With indices, taps are read one by one, each with a branch that
/// is often mispredicted, which costs as much as ten instructions.
constexpr machine::work work_of(const max_pool2d_key& key) {
    const auto rows = key.planes * key.out_d * key.out_h, outputs = rows * key.out_w;
    const auto taps = [](std::int64_t kernel, std::int64_t in, std::int64_t out) {
        return kernel > 0 ? kernel : in / out + 1; // an adapted window may begin or end within an element
    };
    const auto above = taps(key.kernel_d, key.in_d, key.out_d) * taps(key.kernel_h, key.in_h, key.out_h),
               window = above * taps(key.kernel_w, key.in_w, key.out_w);
    machine::work out;
    if (key.indices) {
        out.scalar_steps = 10 * outputs * window;
    } else if (takes_pairs(key)) {
        out.vector = {rows, key.out_w, 4 + 3 * 3 + 2 + 1, 0};
    } else if (key.kernel_w == 0) { // one by one
        out.scalar_steps = 4 * outputs * window;
    } else {
        out.vector = {rows, (key.out_w - 1) * key.stride_w + 1, 4 * window, 0};
        out.scalar_steps = 3 * outputs;
    }
    return out;
}

/// npu.max_pool2d(Tensor x, int[] kernel, int[] stride, int[] padding, int[] dilation, int[] out, bool indices): each
/// list has one number per spatial dim, for the last dims; out: the result's spatial sizes, which decide ceil_mode; an
/// empty kernel adapts to them. Results: the maxima and, if `indices` is set, their places in the plane or
/// volume.
struct max_pool2d {
    static constexpr std::string_view name = "npu.max_pool2d"sv;
    enum at : int { x, kernel, stride, padding, dilation, out, indices };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor),          required("kernel", parameter_kind::int_list),
        required("stride", parameter_kind::int_list),   required("padding", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list), required("out", parameter_kind::int_list),
        required("indices", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(at::x));
        const auto out = c.ints(at::out);
        for (int d = 0; d < out.size; ++d) sizes[sizes.size - out.size + d] = out[d];
        const bool indices = c.boolean(at::indices);
        return c.results(indices ? 2 : 1) && c.set(0, tensor_of(c.tensor(at::x).type, sizes)) &&
               (!indices || c.set(1, tensor_of(dtype::i64, sizes)));
    }
    /// Depth that windows do not span is counted as planes; adapted windows that divide a dim have one size.
    static constexpr max_pool2d_key key(const call_view& c) {
        const auto& x = c.tensor(at::x);
        const auto given = c.ints(at::kernel), out = c.ints(at::out);
        struct axis {
            std::int64_t in = 1, out = 1, kernel = 1, stride = 1, pad = 0, dilation = 1;
        };
        const auto along = [&](int behind) -> axis { // dims from the last
            const int d = out.size - 1 - behind;
            if (d < 0) return {};
            const auto in = x.size(x.rank - 1 - behind), windows = in / out[d];
            if (given.size > 0)
                return {in, out[d], given[d], c.ints(at::stride)[d], c.ints(at::padding)[d], c.ints(at::dilation)[d]};
            return in == windows * out[d] ? axis{in, out[d], windows, windows} : axis{in, out[d], 0};
        };
        auto depth = along(2);
        const auto rows = along(1), columns = along(0);
        max_pool2d_key key{};
        key.type = x.type;
        for (int d = 0; d < x.rank - out.size; ++d) key.planes *= x.size(d);
        if (depth.kernel == 1 && depth.stride == 1 && depth.pad == 0) {
            key.planes *= depth.in;
            depth.in = depth.out = 1;
        }
        key.in_d = depth.in, key.in_h = rows.in, key.in_w = columns.in;
        key.out_d = depth.out, key.out_h = rows.out, key.out_w = columns.out;
        key.kernel_d = depth.kernel, key.kernel_h = rows.kernel, key.kernel_w = columns.kernel;
        key.stride_d = depth.stride, key.stride_h = rows.stride, key.stride_w = columns.stride;
        key.pad_d = depth.pad, key.pad_h = rows.pad, key.pad_w = columns.pad;
        key.dilation_d = depth.dilation, key.dilation_h = rows.dilation, key.dilation_w = columns.dilation;
        key.indices = c.boolean(at::indices);
        return key;
    }
    static constexpr std::int64_t workspace(const max_pool2d_key& k) {
        return static_cast<std::int64_t>(workspace_bytes(k));
    }
    /// Partitioned by planes: along the dims before those that windows move along.
    static constexpr partition find_partition(const call_view& c) {
        const auto& x = c.tensor(at::x);
        return outermost(x, x.rank - c.ints(at::out).size);
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        p.slice(at::x, first_wide_dim(c.tensor(at::x)), s);
        return p.make();
    }
    static constexpr bounded_call bounded(const auto& c) {
        return bounded_count<max_pool2d>(c, at::x, &max_pool2d_key::planes);
    }
};

} // namespace ahead::device
