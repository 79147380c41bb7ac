// A bound of the batch, of rows and tokens: each family of calls that knows a bounded dim, wherever it lies, and halves.
// SPDX-License-Identifier: MIT
#include "bounded_agreement.hpp"

#include <ahead/ahead.hpp>

using namespace ahead;
using namespace test;

namespace {

struct tokens {
    static constexpr char text[] = R"fx(def forward(self, p_emb: "f32[20, 8]", p_pos: "f32[16, 8]", x: "i64[s0, 16]", m: "f32[s0, 1, 16, 16]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    emb: "f32[s0, 16, 8]" = torch.ops.aten.embedding.default(p_emb, x)
    add: "f32[s0, 16, 8]" = torch.ops.aten.add.Tensor(emb, p_pos)
    view: "f32[s0, 16, 2, 4]" = torch.ops.aten.view.default(add, [sym_size_int, 16, 2, 4])
    q: "f32[s0, 2, 16, 4]" = torch.ops.aten.transpose.int(view, 1, 2)
    att: "f32[s0, 2, 16, 4]" = torch.ops.aten.scaled_dot_product_attention.default(q, q, q)
    masked: "f32[s0, 2, 16, 4]" = torch.ops.aten.scaled_dot_product_attention.default(att, q, q, m)
    back: "f32[s0, 16, 2, 4]" = torch.ops.aten.transpose.int(masked, 1, 2)
    flat: "f32[s0, 16, 8]" = torch.ops.aten.reshape.default(back, [sym_size_int, 16, 8])
    mean: "f32[s0, 8]" = torch.ops.aten.mean.dim(flat, [1])
    most: "f32[s0, 8]" = torch.ops.aten.amax.default(flat, [1])
    cat: "f32[s0, 16]" = torch.ops.aten.cat.default([mean, most], 1)
    other: "f32[s0, 8, 16]" = torch.ops.aten.transpose.int(add, 1, 2)
    gram: "f32[s0, 16, 16]" = torch.ops.aten.bmm.default(flat, other)
    last: "f32[16, 8]" = torch.ops.aten.select.int(add, 0, -1)
    first: "f32[16, 8]" = torch.ops.aten.select.int(flat, 0, 0)
    both: "f32[16, 8]" = torch.ops.aten.mul.Tensor(last, first)
    turned: "f32[8, 16]" = torch.ops.aten.t.default(first)
    scores: "f32[16, 16]" = torch.ops.aten.mm.default(last, turned)
    return (cat, gram, last, both, scores)
)fx";
    static constexpr fx_input inputs[] = {{"p_emb", "emb"}, {"p_pos", "pos"}};
};
struct rows {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 12]", i: "i64[s0, 3]", h: "f16[s0, 12]", w: "f16[12, 20]"):
    gather: "f32[s0, 3]" = torch.ops.aten.gather.default(x, 1, i)
    slice_1: "f32[s0, 6]" = torch.ops.aten.slice.Tensor(x, 1, 3, 9)
    best: "i64[s0]" = torch.ops.aten.argmax.default(slice_1, 1)
    sums: "f32[s0, 6]" = torch.ops.aten.cumsum.default(slice_1, 1)
    topk = torch.ops.aten.topk.default(x, 3, 1)
    top: "f32[s0, 3]" = topk[0]
    exp: "f32[s0, 12]" = torch.ops.aten.exp.default(x)
    sum_1: "f32[s0, 1]" = torch.ops.aten.sum.dim_IntList(exp, [1], True)
    div: "f32[s0, 12]" = torch.ops.aten.div.Tensor(exp, sum_1)
    gt: "b8[s0, 12]" = torch.ops.aten.gt.Scalar(x, 0.25)
    where: "f32[s0, 12]" = torch.ops.aten.where.self(gt, div, x)
    turned: "f32[12, s0]" = torch.ops.aten.permute.default(where, [1, 0])
    apart: "f32[12, s0]" = torch.ops.aten.clone.default(turned, memory_format = torch.contiguous_format)
    twice: "f32[12, s0]" = torch.ops.aten.mul.Tensor(apart, 2.0)
    column: "f32[s0]" = torch.ops.aten.select.int(x, 1, 5)
    mm: "f16[s0, 20]" = torch.ops.aten.mm.default(h, w)
    cast: "f32[s0, 20]" = torch.ops.aten._to_copy.default(mm, dtype = torch.float32)
    return (gather, best, sums, top, where, turned, twice, column, cast)
)fx";
};
// Layers of integers: rows of a product, images of a convolution, both behind a dequantised input. Steps are powers of two: f32 rounds nothing.
struct integers {
    static constexpr char text[] = R"fx(def forward(self, p_w: "i8[20, 12]", p_k: "i8[5, 2, 3, 3]", p_z: "i64[5]", x: "u8[s0, 12]", i: "i8[s0, 2, 4, 6]"):
    dx: "f32[s0, 12]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(x, 0.5, 3, 0, 255, torch.uint8)
    dw: "f32[20, 12]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(p_w, 0.25, 0, -127, 127, torch.int8)
    linear: "f32[s0, 20]" = torch.ops.aten.linear.default(dx, dw)
    q: "u8[s0, 20]" = torch.ops.quantized_decomposed.quantize_per_tensor.default(linear, 0.25, 100, 0, 255, torch.uint8)
    di: "f32[s0, 2, 4, 6]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(i, 0.5, -3, -128, 127, torch.int8)
    dk: "f32[5, 2, 3, 3]" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(p_k, 0.25, 0, -127, 127, torch.int8)
    conv: "f32[s0, 5, 4, 6]" = torch.ops.aten.conv2d.default(di, dk, None, [1, 1], [1, 1])
    relu: "f32[s0, 5, 4, 6]" = torch.ops.aten.relu.default(conv)
    return (q, relu)
)fx";
    static constexpr fx_input inputs[] = {{"p_w", "w"}, {"p_k", "k"}, {"p_z", "z"}};
};
// Products by themselves: each of their dims, and two of them.
struct products {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 12]", y: "f32[s0, 20]", w: "f32[30, 12]"):
    t: "f32[12, s0]" = torch.ops.aten.t.default(x)
    terms: "f32[12, 20]" = torch.ops.aten.mm.default(t, y)
    columns: "f32[30, s0]" = torch.ops.aten.mm.default(w, t)
    square: "f32[s0, s0]" = torch.ops.aten.mm.default(x, t)
    back: "f32[s0, 20]" = torch.ops.aten.mm.default(square, y)
    return (terms, columns, square, back)
)fx";
};
// A vector: pieces of 256, 16 and one place.
struct vectors {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0]", y: "f32[2*s0]", n: "f32[]"):
    sigmoid: "f32[s0]" = torch.ops.aten.sigmoid.default(x)
    mul: "f32[s0]" = torch.ops.aten.mul.Tensor(sigmoid, n)
    tanh: "f32[2*s0]" = torch.ops.aten.tanh.default(y)
    view: "f32[s0, 2]" = torch.ops.aten.view.default(tanh, [-1, 2])
    sum_1: "f32[s0]" = torch.ops.aten.sum.dim_IntList(view, [1])
    return (mul, tanh, sum_1)
)fx";
};

} // namespace

int main() {
    check_bounded<compiled_bounded<tokens, bound<"s0", 7>>, tokens>({1, 2, 3, 6, 7});
    check_bounded<compiled_bounded<integers, bound<"s0", 30>>, integers>({1, 2, 13, 29, 30});
    check_bounded<compiled_bounded<rows, bound<"s0", 50>>, rows>({1, 2, 13, 16, 33, 49, 50}, {.absolute = 2e-3, .relative = 2e-3, .integers = 12});
    check_bounded<compiled_bounded<vectors, bound<"s0", 700>>, vectors>({1, 2, 17, 255, 256, 273, 699, 700});
    check_bounded<compiled_bounded<products, bound<"s0", 45>>, products>({1, 2, 4, 15, 32, 44, 45});
    return report();
}
