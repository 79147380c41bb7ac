// SPDX-License-Identifier: MIT
// npu.max_pool2d: the largest of each window, and where it is.
// Invariant: out_h and out_w are given, so ceil_mode is already decided; every window meets the input, as PyTorch
// demands.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/target/work.hpp>

namespace AHEAD_NAMESPACE::target {

/// x[planes, in_h, in_w] -> out[planes, out_h, out_w], planes = batch * channels; indices: also i64[planes, out_h,
/// out_w] into a plane.
struct max_pool2d_key {
    dtype type = dtype::f32;
    std::int64_t planes = 1, in_h = 1, in_w = 1, out_h = 1, out_w = 1, kernel_h = 1, kernel_w = 1;
    std::int64_t stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1;
    bool indices = false;
    friend constexpr bool operator==(const max_pool2d_key&, const max_pool2d_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const max_pool2d_key& k, const max_pool2d_key& usual, auto f) {
    f("type", k.type, usual.type);
    f("planes", k.planes, usual.planes);
    f("in_h", k.in_h, usual.in_h);
    f("in_w", k.in_w, usual.in_w);
    f("out_h", k.out_h, usual.out_h);
    f("out_w", k.out_w, usual.out_w);
    f("kernel_h", k.kernel_h, usual.kernel_h);
    f("kernel_w", k.kernel_w, usual.kernel_w);
    f("stride_h", k.stride_h, usual.stride_h);
    f("stride_w", k.stride_w, usual.stride_w);
    f("pad_h", k.pad_h, usual.pad_h);
    f("pad_w", k.pad_w, usual.pad_w);
    f("dilation_h", k.dilation_h, usual.dilation_h);
    f("dilation_w", k.dilation_w, usual.dilation_w);
    f("indices", k.indices, usual.indices);
}

/// Windows of 2x2 side by side, all inside.
constexpr bool takes_pairs(const max_pool2d_key& key) {
    return key.kernel_h == 2 && key.kernel_w == 2 && key.stride_h == 2 && key.stride_w == 2 && key.pad_h == 0 &&
           key.pad_w == 0 && key.dilation_h == 1 && key.dilation_w == 1 && 2 * key.out_h <= key.in_h &&
           2 * key.out_w <= key.in_w;
}

/// A row of maxima, for keys without indices: of columns, or of windows that begin at every column.
constexpr std::size_t workspace_bytes(const max_pool2d_key& key) {
    return key.indices ? 0 : static_cast<std::size_t>(key.in_w) * bytes_of(key.type);
}

/// Pairs of columns taken apart in registers, a maximum being a comparison, a choice and one for NaN; else windows at
/// every column, of which some are picked. Where places are wanted, too, taps one by one, each a branch that is often
/// guessed wrong, which costs as much as ten instructions.
constexpr work work_of(const max_pool2d_key& key) {
    const auto outputs = key.planes * key.out_h * key.out_w;
    const bool pairs = key.kernel_h == 2 && key.kernel_w == 2 && key.stride_h == 2 && key.stride_w == 2 &&
                       key.pad_h == 0 && key.pad_w == 0;
    work out;
    if (key.indices) {
        out.scalar_steps = 10 * outputs * key.kernel_h * key.kernel_w;
    } else if (pairs) {
        out.vector = {key.planes * key.out_h, key.out_w, 4 + 3 * 3 + 2 + 1, 0};
    } else {
        out.vector = {key.planes * key.out_h, (key.out_w - 1) * key.stride_w + 1, 4 * key.kernel_h * key.kernel_w, 0};
        out.scalar_steps = 3 * outputs;
    }
    return out;
}

} // namespace ahead::target

namespace AHEAD_NAMESPACE::device {

/// npu.max_pool2d(Tensor x, int[] kernel, int[] stride, int[] padding, int[] dilation, int[] out, bool indices): [..,
/// C, H, W]; out: rows and columns of the result, which decide ceil_mode. Results: the maxima and, if asked for, their
/// places in the plane.
struct max_pool2d {
    static constexpr std::string_view name = "npu.max_pool2d";
    enum at : int { x, kernel, stride, padding, dilation, out, indices };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor),          required("kernel", parameter_kind::int_list),
        required("stride", parameter_kind::int_list),   required("padding", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list), required("out", parameter_kind::int_list),
        required("indices", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(at::x));
        sizes[sizes.size - 2] = c.ints(at::out)[0];
        sizes[sizes.size - 1] = c.ints(at::out)[1];
        const bool indices = c.boolean(at::indices);
        return c.results(indices ? 2 : 1) && c.set(0, tensor_of(c.tensor(at::x).type, sizes)) &&
               (!indices || c.set(1, tensor_of(dtype::i64, sizes)));
    }
    static constexpr target::max_pool2d_key key(const call_view& c) {
        const auto& x = c.tensor(at::x);
        const auto pair = [&](int i, int k) { return c.ints(i)[c.ints(i).size == 1 ? 0 : k]; };
        target::max_pool2d_key key{};
        key.type = x.type;
        for (int d = 0; d + 2 < x.rank; ++d) key.planes *= x.size(d);
        key.in_h = x.size(x.rank - 2);
        key.in_w = x.size(x.rank - 1);
        key.out_h = c.ints(at::out)[0];
        key.out_w = c.ints(at::out)[1];
        key.kernel_h = pair(at::kernel, 0);
        key.kernel_w = pair(at::kernel, 1);
        key.stride_h = pair(at::stride, 0);
        key.stride_w = pair(at::stride, 1);
        key.pad_h = pair(at::padding, 0);
        key.pad_w = pair(at::padding, 1);
        key.dilation_h = pair(at::dilation, 0);
        key.dilation_w = pair(at::dilation, 1);
        key.indices = c.boolean(at::indices);
        return key;
    }
    static constexpr std::int64_t workspace(const target::max_pool2d_key& k) {
        return static_cast<std::int64_t>(target::workspace_bytes(k));
    }
};

} // namespace ahead::device
