// A bound of a sequence: rows of a transformer's layers, attention over as many queries and keys as there are, and one query over the positions in a cache.
// SPDX-License-Identifier: MIT
#include "bounded_agreement.hpp"

#include <ahead/ahead.hpp>

using namespace ahead;
using namespace test;

namespace {

struct encoder {
    static constexpr char text[] = R"fx(def forward(self, p_qkv: "f32[48, 16]", p_bqkv: "f32[48]", p_o: "f32[16, 16]", p_bo: "f32[16]", p_g1: "f32[16]", p_b1: "f32[16]", p_f1: "f32[32, 16]", p_bf1: "f32[32]", p_f2: "f32[16, 32]", p_bf2: "f32[16]", x: "f32[1, s0, 16]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 1)
    linear: "f32[1, s0, 48]" = torch.ops.aten.linear.default(x, p_qkv, p_bqkv)
    split = torch.ops.aten.split.Tensor(linear, 16, -1)
    q: "f32[1, s0, 16]" = split[0]
    k: "f32[1, s0, 16]" = split[1]
    v: "f32[1, s0, 16]" = split[2]
    view: "f32[1, s0, 4, 4]" = torch.ops.aten.view.default(q, [1, sym_size_int, 4, 4])
    qt: "f32[1, 4, s0, 4]" = torch.ops.aten.transpose.int(view, 1, 2)
    view_1: "f32[1, s0, 4, 4]" = torch.ops.aten.view.default(k, [1, sym_size_int, 4, 4])
    kt: "f32[1, 4, s0, 4]" = torch.ops.aten.transpose.int(view_1, 1, 2)
    view_2: "f32[1, s0, 4, 4]" = torch.ops.aten.view.default(v, [1, sym_size_int, 4, 4])
    vt: "f32[1, 4, s0, 4]" = torch.ops.aten.transpose.int(view_2, 1, 2)
    att: "f32[1, 4, s0, 4]" = torch.ops.aten.scaled_dot_product_attention.default(qt, kt, vt)
    at: "f32[1, s0, 4, 4]" = torch.ops.aten.transpose.int(att, 1, 2)
    flat: "f32[1, s0, 16]" = torch.ops.aten.reshape.default(at, [1, sym_size_int, 16])
    proj: "f32[1, s0, 16]" = torch.ops.aten.linear.default(flat, p_o, p_bo)
    add: "f32[1, s0, 16]" = torch.ops.aten.add.Tensor(x, proj)
    norm: "f32[1, s0, 16]" = torch.ops.aten.layer_norm.default(add, [16], p_g1, p_b1)
    f1: "f32[1, s0, 32]" = torch.ops.aten.linear.default(norm, p_f1, p_bf1)
    gelu: "f32[1, s0, 32]" = torch.ops.aten.gelu.default(f1)
    f2: "f32[1, s0, 16]" = torch.ops.aten.linear.default(gelu, p_f2, p_bf2)
    add_1: "f32[1, s0, 16]" = torch.ops.aten.add.Tensor(norm, f2)
    mean: "f32[1, 16]" = torch.ops.aten.mean.dim(add_1, [1])
    return (add_1, mean)
)fx";
    static constexpr fx_input inputs[] = {{"p_qkv", "qkv"}, {"p_bqkv", "bqkv"}, {"p_o", "o"}, {"p_bo", "bo"}, {"p_g1", "g1"},
                                          {"p_b1", "b1"}, {"p_f1", "f1"}, {"p_bf1", "bf1"}, {"p_f2", "f2"}, {"p_bf2", "bf2"}};
};
// One query over the keys and values of a cache that has room for the bound.
struct decode {
    static constexpr char text[] = R"fx(def forward(self, q: "f32[4, 1, 16]", k: "f32[4, s0, 16]", v: "f32[4, s0, 16]"):
    t: "f32[4, 16, s0]" = torch.ops.aten.transpose.int(k, 1, 2)
    bmm: "f32[4, 1, s0]" = torch.ops.aten.bmm.default(q, t)
    mul: "f32[4, 1, s0]" = torch.ops.aten.mul.Tensor(bmm, 0.25)
    sm: "f32[4, 1, s0]" = torch.ops.aten._softmax.default(mul, -1, False)
    o: "f32[4, 1, 16]" = torch.ops.aten.bmm.default(sm, v)
    return (o,)
)fx";
};

// A cache as large as the bound, of which the graph takes the first positions, and a mask of these; the size is an input of the text, and none of a run.
struct cached {
    static constexpr char text[] = R"fx(def forward(self, s0: "Sym(s0)", q: "f32[4, 1, 16]", k_cache: "f32[4, 40, 16]", v_cache: "f32[4, 40, 16]", mask: "f32[40]"):
    k: "f32[4, s0, 16]" = torch.ops.aten.slice.Tensor(k_cache, 1, 0, s0)
    v: "f32[4, s0, 16]" = torch.ops.aten.slice.Tensor(v_cache, 1, 0, s0)
    m: "f32[s0]" = torch.ops.aten.slice.Tensor(mask, 0, 0, s0)
    t: "f32[4, 16, s0]" = torch.ops.aten.transpose.int(k, 1, 2)
    bmm: "f32[4, 1, s0]" = torch.ops.aten.bmm.default(q, t)
    mul: "f32[4, 1, s0]" = torch.ops.aten.mul.Tensor(bmm, 0.25)
    add: "f32[4, 1, s0]" = torch.ops.aten.add.Tensor(mul, m)
    sm: "f32[4, 1, s0]" = torch.ops.aten._softmax.default(add, -1, False)
    o: "f32[4, 1, 16]" = torch.ops.aten.bmm.default(sm, v)
    return (o,)
)fx";
};
// Masks: the causal one, a constant of the graph; one that is given, whose two dims follow, in f64; and what goes over all positions.
struct causal {
    static constexpr char text[] = R"fx(def forward(self, q: "f32[1, 2, s0, 4]"):
    o: "f32[1, 2, s0, 4]" = torch.ops.aten.scaled_dot_product_attention.default(q, q, q, None, 0.0, True)
    t: "f32[1, s0, 2, 4]" = torch.ops.aten.transpose.int(o, 1, 2)
    most: "f32[1, 2, 4]" = torch.ops.aten.amax.default(t, [1])
    all: "f32[]" = torch.ops.aten.sum.default(o)
    return (o, most, all)
)fx";
};
struct masked {
    static constexpr char text[] = R"fx(def forward(self, q: "f64[1, 2, s0, 4]", m: "f64[s0, s0]"):
    o: "f64[1, 2, s0, 4]" = torch.ops.aten.scaled_dot_product_attention.default(q, q, q, m)
    return (o,)
)fx";
};

// Steps of a network, both ways, whose last states are given back.
struct recurrent {
    static constexpr char text[] = R"fx(def forward(self, p_v: "f32[20, 3]", p_w: "f32[20, 5]", p_a: "f32[20]", p_b: "f32[20]", p_v1: "f32[20, 3]", p_w1: "f32[20, 5]", p_a1: "f32[20]", p_b1: "f32[20]", x: "f32[s0, 1, 3]", h: "f32[2, 1, 5]"):
    lstm = torch.ops.aten.lstm.input(x, [h, h], [p_v, p_w, p_a, p_b, p_v1, p_w1, p_a1, p_b1], True, 1, 0.0, False, True, False)
    y: "f32[s0, 1, 10]" = lstm[0]
    last: "f32[2, 1, 5]" = lstm[1]
    cells: "f32[2, 1, 5]" = lstm[2]
    return (y, last, cells)
)fx";
    static constexpr fx_input inputs[] = {{"p_v", "v"}, {"p_w", "w"}, {"p_a", "a"}, {"p_b", "b"}, {"p_v1", "v1"}, {"p_w1", "w1"}, {"p_a1", "a1"}, {"p_b1", "b1"}};
};

} // namespace

int main() {
    check_bounded<compiled_bounded<recurrent, bound<"s0", 40>>, recurrent>({1, 2, 3, 17, 39, 40});
    check_bounded<compiled_bounded<encoder, bound<"s0", 40>>, encoder>({1, 2, 7, 16, 31, 39, 40});
    check_bounded<compiled_bounded<decode, bound<"s0", 40>>, decode>({1, 2, 3, 17, 32, 39, 40});
    check_bounded<compiled_bounded<cached, bound<"s0", 40>>, cached>({1, 5, 16, 39, 40});
    check_bounded<compiled_bounded<masked, bound<"s0", 37>>, masked>({1, 2, 9, 24, 36, 37});
    check_bounded<compiled_bounded<causal, bound<"s0", 37>>, causal>({1, 2, 9, 24, 36, 37});
    return report();
}
