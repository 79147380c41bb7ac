// What PyTorch computed with complex numbers, against compiled programs: every case of recorded/fourier.txt, fourteen in a graph, inputs and outputs of c64 and c128
// among theirs; and a case of each kind of recorded/complex.txt. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
#include "recorded_groups.hpp"

namespace cases {

struct group_0 {
    static constexpr std::string_view cases[] = {"_fft_r2c.default 0", "_fft_r2c.default 5", "_fft_r2c.default 10", "_fft_c2c.default 0", "_fft_c2c.default 5", "_fft_c2r.default 4", "view_as_real.default 1", "mul.Tensor 22", "mul.Tensor 27", "add.Tensor 29", "abs.default 8", "real.default 1", "conj_physical.default 0", "polar.default 1"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[8]", c1_arg0_1: "f32[2, 3, 4]", c2_arg0_1: "f32[2, 3, 4]", c3_arg0_1: "c64[8]", c4_arg0_1: "c64[4, 6]", c5_arg0_1: "c64[2, 4, 3]", c6_arg0_1: "c128[]", c7_arg0_1: "c64[2, 3]", c7_arg1_1: "f32[3]", c8_arg0_1: "c128[3]", c9_arg0_1: "c64[3]", c10_arg0_1: "c64[2, 3]", c11_arg0_1: "f32[2]", c12_arg0_1: "c128[2, 3]", c13_arg0_1: "f64[2]", c13_arg1_1: "f64[2]"):
        c0_r_fft_r2c: "c64[5]" = torch.ops.aten._fft_r2c.default(c0_arg0_1, [0], 0, True)
        c1_r_fft_r2c: "c64[2, 2, 4]" = torch.ops.aten._fft_r2c.default(c1_arg0_1, [1], 0, True)
        c2_r_fft_r2c: "c64[2, 3, 3]" = torch.ops.aten._fft_r2c.default(c2_arg0_1, [0, 1, 2], 1, True)
        c3_r_fft_c2c: "c64[8]" = torch.ops.aten._fft_c2c.default(c3_arg0_1, [0], 0, True)
        c4_r_fft_c2c: "c64[4, 6]" = torch.ops.aten._fft_c2c.default(c4_arg0_1, [0, 1], 0, False)
        c5_r_fft_c2r: "f32[2, 4, 5]" = torch.ops.aten._fft_c2r.default(c5_arg0_1, [1, 2], 2, 5)
        c6_r_view_as_real: "f64[2]" = torch.ops.aten.view_as_real.default(c6_arg0_1)
        c7_r_mul: "c64[2, 3]" = torch.ops.aten.mul.Tensor(c7_arg0_1, c7_arg1_1)
        c8_r_mul: "c128[3]" = torch.ops.aten.mul.Tensor(c8_arg0_1, 2.5)
        c9_r_add: "c64[3]" = torch.ops.aten.add.Tensor(c9_arg0_1, 1.5)
        c10_r_abs: "f32[2, 3]" = torch.ops.aten.abs.default(c10_arg0_1)
        c11_r_real: "f32[2]" = torch.ops.aten.real.default(c11_arg0_1)
        c12_r_conj_physical: "c128[2, 3]" = torch.ops.aten.conj_physical.default(c12_arg0_1)
        c13_r_polar: "c128[2]" = torch.ops.aten.polar.default(c13_arg0_1, c13_arg1_1)
        return (c0_r_fft_r2c, c1_r_fft_r2c, c2_r_fft_r2c, c3_r_fft_c2c, c4_r_fft_c2c, c5_r_fft_c2r, c6_r_view_as_real, c7_r_mul, c8_r_mul, c9_r_add, c10_r_abs, c11_r_real, c12_r_conj_physical, c13_r_polar))fx";
};

struct group_1 {
    static constexpr std::string_view cases[] = {"_fft_r2c.default 1", "_fft_r2c.default 6", "_fft_r2c.default 11", "_fft_c2c.default 1", "_fft_c2r.default 0", "_fft_c2r.default 5", "view_as_complex.default 0", "mul.Tensor 23", "mul.Scalar 2", "add.Scalar 2", "abs.default 9", "imag.default 0", "resolve_conj.default 0", "where.self 5"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[7]", c1_arg0_1: "f32[2, 4, 6]", c2_arg0_1: "f64[12]", c3_arg0_1: "c64[5]", c4_arg0_1: "c64[5]", c5_arg0_1: "c64[3, 4]", c6_arg0_1: "f32[3, 2]", c7_arg0_1: "c64[2, 1]", c7_arg1_1: "f64[3]", c8_arg0_1: "c64[3]", c9_arg0_1: "c64[3]", c10_arg0_1: "c128[3]", c11_arg0_1: "c128[2, 3]", c12_arg0_1: "c64[2]", c13_arg0_1: "b8[3]", c13_arg1_1: "c64[3]", c13_arg2_1: "c64[1]"):
        c0_r_fft_r2c: "c64[4]" = torch.ops.aten._fft_r2c.default(c0_arg0_1, [0], 1, True)
        c1_r_fft_r2c: "c64[2, 4, 4]" = torch.ops.aten._fft_r2c.default(c1_arg0_1, [1, 2], 1, True)
        c2_r_fft_r2c: "c128[7]" = torch.ops.aten._fft_r2c.default(c2_arg0_1, [0], 0, True)
        c3_r_fft_c2c: "c64[5]" = torch.ops.aten._fft_c2c.default(c3_arg0_1, [0], 2, False)
        c4_r_fft_c2r: "f32[8]" = torch.ops.aten._fft_c2r.default(c4_arg0_1, [0], 0, 8)
        c5_r_fft_c2r: "f32[5, 4]" = torch.ops.aten._fft_c2r.default(c5_arg0_1, [1, 0], 2, 5)
        c6_r_view_as_complex: "c64[3]" = torch.ops.aten.view_as_complex.default(c6_arg0_1)
        c7_r_mul: "c128[2, 3]" = torch.ops.aten.mul.Tensor(c7_arg0_1, c7_arg1_1)
        c8_r_mul: "c64[3]" = torch.ops.aten.mul.Scalar(c8_arg0_1, 3)
        c9_r_add: "c64[3]" = torch.ops.aten.add.Scalar(c9_arg0_1, 2)
        c10_r_abs: "f64[3]" = torch.ops.aten.abs.default(c10_arg0_1)
        c11_r_imag: "f64[2, 3]" = torch.ops.aten.imag.default(c11_arg0_1)
        c12_r_resolve_conj: "c64[2]" = torch.ops.aten.resolve_conj.default(c12_arg0_1)
        c13_r_where: "c64[3]" = torch.ops.aten.where.self(c13_arg0_1, c13_arg1_1, c13_arg2_1)
        return (c0_r_fft_r2c, c1_r_fft_r2c, c2_r_fft_r2c, c3_r_fft_c2c, c4_r_fft_c2r, c5_r_fft_c2r, c6_r_view_as_complex, c7_r_mul, c8_r_mul, c9_r_add, c10_r_abs, c11_r_imag, c12_r_resolve_conj, c13_r_where))fx";
};

struct group_2 {
    static constexpr std::string_view cases[] = {"_fft_r2c.default 2", "_fft_r2c.default 7", "_fft_r2c.default 12", "_fft_c2c.default 2", "_fft_c2r.default 1", "_fft_c2r.default 6", "view_as_complex.default 1", "mul.Tensor 24", "add.Tensor 26", "sub.Tensor 15", "angle.default 5", "_conj.default 0", "complex.default 0", "clone.default 9"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[6]", c1_arg0_1: "f32[2, 4, 3, 2]", c2_arg0_1: "f32[0, 4]", c3_arg0_1: "c64[2, 3, 4]", c4_arg0_1: "c64[4]", c5_arg0_1: "c64[2, 3, 2, 2]", c6_arg0_1: "f64[2, 2, 2]", c7_arg0_1: "c64[3]", c7_arg1_1: "i64[3]", c8_arg0_1: "c64[2, 2]", c8_arg1_1: "c64[2]", c9_arg0_1: "c64[2, 2]", c9_arg1_1: "c64[2]", c10_arg0_1: "c64[5]", c11_arg0_1: "c64[2, 3]", c12_arg0_1: "f32[2, 3]", c12_arg1_1: "f32[3]", c13_x: "c64[2, 3]", c13_y: "c64[2, 3]"):
        c0_r_fft_r2c: "c64[6]" = torch.ops.aten._fft_r2c.default(c0_arg0_1, [0], 2, False)
        c1_r_fft_r2c: "c64[2, 4, 2, 2]" = torch.ops.aten._fft_r2c.default(c1_arg0_1, [1, 2], 2, True)
        c2_r_fft_r2c: "c64[0, 3]" = torch.ops.aten._fft_r2c.default(c2_arg0_1, [1], 0, True)
        c3_r_fft_c2c: "c64[2, 3, 4]" = torch.ops.aten._fft_c2c.default(c3_arg0_1, [2, 1], 1, True)
        c4_r_fft_c2r: "f32[7]" = torch.ops.aten._fft_c2r.default(c4_arg0_1, [0], 2, 7)
        c5_r_fft_c2r: "f32[2, 3, 3, 2]" = torch.ops.aten._fft_c2r.default(c5_arg0_1, [1, 2], 1, 3)
        c6_r_view_as_complex: "c128[2, 2]" = torch.ops.aten.view_as_complex.default(c6_arg0_1)
        c7_r_mul: "c64[3]" = torch.ops.aten.mul.Tensor(c7_arg0_1, c7_arg1_1)
        c8_r_add: "c64[2, 2]" = torch.ops.aten.add.Tensor(c8_arg0_1, c8_arg1_1)
        c9_r_sub: "c64[2, 2]" = torch.ops.aten.sub.Tensor(c9_arg0_1, c9_arg1_1)
        c10_r_angle: "f32[5]" = torch.ops.aten.angle.default(c10_arg0_1)
        c11_r_conj: "c64[2, 3]" = torch.ops.aten._conj.default(c11_arg0_1)
        c12_r_complex: "c64[2, 3]" = torch.ops.aten.complex.default(c12_arg0_1, c12_arg1_1)
        c13_a: "c64[4, 3]" = torch.ops.aten.cat.default([c13_x, c13_y])
        c13_b: "c64[3, 2]" = torch.ops.aten.permute.default(c13_x, [1, 0])
        c13_c: "c64[3, 2]" = torch.ops.aten.clone.default(c13_b, memory_format = torch.contiguous_format)
        c13_d: "c64[2, 2]" = torch.ops.aten.slice.Tensor(c13_y, 1, 1, 3)
        c13_e: "c64[2, 2, 3]" = torch.ops.aten.stack.default([c13_x, c13_y])
        c13_f: "c64[6]" = torch.ops.aten.view.default(c13_x, [6])
        c13_g: "c64[2, 5]" = torch.ops.aten.constant_pad_nd.default(c13_x, [1, 1], 2.0)
        c13_h: "c64[2, 3]" = torch.ops.aten.flip.default(c13_x, [0])
        c13_i: "c64[2, 3]" = torch.ops.aten.full_like.default(c13_x, 3)
        c13_j: "c64[2, 6]" = torch.ops.aten.repeat.default(c13_x, [1, 2])
        c13_k: "c64[2]" = torch.ops.aten.full.default([2], 1.5, dtype = torch.complex64)
        c13_l: "c64[2, 2, 3]" = torch.ops.aten.expand.default(c13_y, [2, 2, 3])
        c13_m: "c64[2, 3]" = torch.ops.aten.roll.default(c13_y, [1], [1])
        return (c0_r_fft_r2c, c1_r_fft_r2c, c2_r_fft_r2c, c3_r_fft_c2c, c4_r_fft_c2r, c5_r_fft_c2r, c6_r_view_as_complex, c7_r_mul, c8_r_add, c9_r_sub, c10_r_angle, c11_r_conj, c12_r_complex, c13_a, c13_b, c13_c, c13_d, c13_e, c13_f, c13_g, c13_h, c13_i, c13_j, c13_k, c13_l, c13_m))fx";
};

struct group_3 {
    static constexpr std::string_view cases[] = {"_fft_r2c.default 3", "_fft_r2c.default 8", "_fft_r2c.default 13", "_fft_c2c.default 3", "_fft_c2r.default 2", "_fft_c2r.default 7", "view_as_complex.default 2", "mul.Tensor 25", "add.Tensor 27", "sub.Tensor 16", "angle.default 6", "conj.default 0", "complex.default 1", "_to_copy.default 3"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[5]", c1_arg0_1: "f32[3, 4]", c2_arg0_1: "f32[1, 30]", c3_arg0_1: "c64[2, 6]", c4_arg0_1: "c64[1]", c5_arg0_1: "c128[2, 3, 4]", c6_arg0_1: "f32[2]", c7_arg0_1: "f32[3]", c7_arg1_1: "c128[]", c8_arg0_1: "c64[3]", c8_arg1_1: "f32[3]", c9_arg0_1: "f32[3]", c9_arg1_1: "c64[3]", c10_arg0_1: "c128[3]", c11_arg0_1: "c64[2]", c12_arg0_1: "f64[2]", c12_arg1_1: "f64[2]", c13_x: "c128[4]", c13_f: "f32[4]", c13_i: "i64[4]"):
        c0_r_fft_r2c: "c64[5]" = torch.ops.aten._fft_r2c.default(c0_arg0_1, [0], 0, False)
        c1_r_fft_r2c: "c64[2, 4]" = torch.ops.aten._fft_r2c.default(c1_arg0_1, [1, 0], 1, True)
        c2_r_fft_r2c: "c64[1, 16]" = torch.ops.aten._fft_r2c.default(c2_arg0_1, [1], 0, True)
        c3_r_fft_c2c: "c64[2, 6]" = torch.ops.aten._fft_c2c.default(c3_arg0_1, [-1], 2, True)
        c4_r_fft_c2r: "f32[1]" = torch.ops.aten._fft_c2r.default(c4_arg0_1, [0], 1, 1)
        c5_r_fft_c2r: "f64[2, 3, 6]" = torch.ops.aten._fft_c2r.default(c5_arg0_1, [0, 1, 2], 0, 6)
        c6_r_view_as_complex: "c64[]" = torch.ops.aten.view_as_complex.default(c6_arg0_1)
        c7_r_mul: "c64[3]" = torch.ops.aten.mul.Tensor(c7_arg0_1, c7_arg1_1)
        c8_r_add: "c64[3]" = torch.ops.aten.add.Tensor(c8_arg0_1, c8_arg1_1, alpha = 2.5)
        c9_r_sub: "c64[3]" = torch.ops.aten.sub.Tensor(c9_arg0_1, c9_arg1_1, alpha = 0.5)
        c10_r_angle: "f64[3]" = torch.ops.aten.angle.default(c10_arg0_1)
        c11_r_conj: "c64[2]" = torch.ops.aten.conj.default(c11_arg0_1)
        c12_r_complex: "c128[2]" = torch.ops.aten.complex.default(c12_arg0_1, c12_arg1_1)
        c13_a: "c64[4]" = torch.ops.aten._to_copy.default(c13_x, dtype = torch.complex64)
        c13_b: "c64[4]" = torch.ops.aten._to_copy.default(c13_f, dtype = torch.cfloat)
        c13_c: "c128[4]" = torch.ops.aten.to.dtype(c13_i, torch.complex128)
        c13_d: "f32[4]" = torch.ops.aten._to_copy.default(c13_x, dtype = torch.float32)
        c13_e: "c128[4]" = torch.ops.aten._to_copy.default(c13_a, dtype = torch.complex128)
        c13_g: "c128[8]" = torch.ops.aten.cat.default([c13_x, c13_a])
        c13_h: "b8[4]" = torch.ops.aten._to_copy.default(c13_c, dtype = torch.bool)
        c13_k: "c64[8]" = torch.ops.aten.cat.default([c13_f, c13_a])
        return (c0_r_fft_r2c, c1_r_fft_r2c, c2_r_fft_r2c, c3_r_fft_c2c, c4_r_fft_c2r, c5_r_fft_c2r, c6_r_view_as_complex, c7_r_mul, c8_r_add, c9_r_sub, c10_r_angle, c11_r_conj, c12_r_complex, c13_a, c13_b, c13_c, c13_d, c13_e, c13_g, c13_h, c13_k))fx";
};

struct group_4 {
    static constexpr std::string_view cases[] = {"_fft_r2c.default 4", "_fft_r2c.default 9", "_fft_r2c.default 14", "_fft_c2c.default 4", "_fft_c2r.default 3", "view_as_real.default 0", "mul.Tensor 21", "mul.Tensor 26", "add.Tensor 28", "neg.default 8", "real.default 0", "conj.default 1", "polar.default 0", "_fft_c2r.default 8"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1]", c1_arg0_1: "f32[3, 4]", c2_arg0_1: "f32[11, 2]", c3_arg0_1: "c128[3, 4]", c4_arg0_1: "c64[2, 4, 3]", c5_arg0_1: "c64[2, 3]", c6_arg0_1: "c64[2, 3]", c6_arg1_1: "c64[2, 3]", c7_arg0_1: "f64[3]", c7_arg1_1: "c64[]", c8_arg0_1: "c128[2]", c8_arg1_1: "c64[2]", c9_arg0_1: "c64[3]", c10_arg0_1: "c64[2, 3]", c11_arg0_1: "f32[2]", c12_arg0_1: "f32[2, 3]", c12_arg1_1: "f32[2, 1]", c13_x: "f32[1, 16, 3]", c13_w: "f32[4, 3, 3, 2]"):
        c0_r_fft_r2c: "c64[1]" = torch.ops.aten._fft_r2c.default(c0_arg0_1, [0], 1, True)
        c1_r_fft_r2c: "c64[3, 4]" = torch.ops.aten._fft_r2c.default(c1_arg0_1, [-2, -1], 0, False)
        c2_r_fft_r2c: "c64[6, 2]" = torch.ops.aten._fft_r2c.default(c2_arg0_1, [0], 1, True)
        c3_r_fft_c2c: "c128[3, 4]" = torch.ops.aten._fft_c2c.default(c3_arg0_1, [0, 1], 1, False)
        c4_r_fft_c2r: "f32[2, 4, 4]" = torch.ops.aten._fft_c2r.default(c4_arg0_1, [1, 2], 1, 4)
        c5_r_view_as_real: "f32[2, 3, 2]" = torch.ops.aten.view_as_real.default(c5_arg0_1)
        c6_r_mul: "c64[2, 3]" = torch.ops.aten.mul.Tensor(c6_arg0_1, c6_arg1_1)
        c7_r_mul: "c128[3]" = torch.ops.aten.mul.Tensor(c7_arg0_1, c7_arg1_1)
        c8_r_add: "c128[2]" = torch.ops.aten.add.Tensor(c8_arg0_1, c8_arg1_1, alpha = -2)
        c9_r_neg: "c64[3]" = torch.ops.aten.neg.default(c9_arg0_1)
        c10_r_real: "f32[2, 3]" = torch.ops.aten.real.default(c10_arg0_1)
        c11_r_conj: "f32[2]" = torch.ops.aten.conj.default(c11_arg0_1)
        c12_r_polar: "c64[2, 3]" = torch.ops.aten.polar.default(c12_arg0_1, c12_arg1_1)
        c13_view: "f32[1, 4, 4, 3]" = torch.ops.aten.view.default(c13_x, [1, 4, 4, 3])
        c13__fft_r2c: "c64[1, 4, 3, 3]" = torch.ops.aten._fft_r2c.default(c13_view, [1, 2], 1, True)
        c13_view_as_complex: "c64[4, 3, 3]" = torch.ops.aten.view_as_complex.default(c13_w)
        c13_mul: "c64[1, 4, 3, 3]" = torch.ops.aten.mul.Tensor(c13__fft_r2c, c13_view_as_complex)
        c13__fft_c2r: "f32[1, 4, 4, 3]" = torch.ops.aten._fft_c2r.default(c13_mul, [1, 2], 1, 4)
        c13_clone: "f32[1, 4, 4, 3]" = torch.ops.aten.clone.default(c13__fft_c2r, memory_format = torch.contiguous_format)
        c13_view_1: "f32[1, 16, 3]" = torch.ops.aten.view.default(c13_clone, [1, 16, 3])
        return (c0_r_fft_r2c, c1_r_fft_r2c, c2_r_fft_r2c, c3_r_fft_c2c, c4_r_fft_c2r, c5_r_view_as_real, c6_r_mul, c7_r_mul, c8_r_add, c9_r_neg, c10_r_real, c11_r_conj, c12_r_polar, c13_view_1))fx";
};

// Of recorded/complex.txt, a case of each kind.
struct computed {
    static constexpr std::string_view cases[] = {"exp.default 0", "atan.default 0", "tanh.default 1", "sgn.default 0", "_conj_physical.default 0", "isinf.default 2", "div.Tensor 0", "div.Tensor 3", "mul.Tensor 0", "mul.Scalar 0", "mul.Scalar 1", "add.Tensor 0", "eq.Scalar 1", "logical_and.default 0", "any.dim 0", "pow.Tensor_Scalar 2", "sum.dim_IntList 0", "mean.dim 0", "var_mean.correction 0", "linalg_vector_norm.default 0", "cumsum.default 0", "mm.default 0", "bmm.default 0", "addmm.default 0", "index_put.default 0", "full.default 0", "constant_pad_nd.default 0", "masked_fill.Scalar 0", "scatter.reduce 0"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "c64[2, 3]", c1_arg0_1: "c64[8]", c2_arg0_1: "c128[4]", c3_arg0_1: "c64[11]", c4_arg0_1: "c64[2, 3]", c5_arg0_1: "c64[4]", c6_arg0_1: "c64[2, 3]", c6_arg1_1: "c64[3]", c7_arg0_1: "c64[2, 3]", c8_arg0_1: "c64[2, 3]", c9_arg0_1: "f32[2]", c10_arg0_1: "f64[2]", c11_arg0_1: "c64[2, 3]", c11_arg1_1: "c64[3]", c12_arg0_1: "c64[2]", c13_arg0_1: "c64[4]", c13_arg1_1: "c64[4]", c14_arg0_1: "c64[3, 2]", c15_arg0_1: "c64[3]", c16_arg0_1: "c64[2, 3]", c17_arg0_1: "c64[2, 3]", c18_arg0_1: "c64[2, 3]", c19_arg0_1: "c64[2, 3]", c20_arg0_1: "c64[2, 3]", c21_arg0_1: "c64[2, 3]", c21_arg1_1: "c64[3, 4]", c22_arg0_1: "c64[2, 2, 3]", c22_arg1_1: "c64[2, 3, 1]", c23_arg0_1: "c64[3]", c23_arg1_1: "c64[2, 2]", c23_arg2_1: "c64[2, 3]", c24_arg0_1: "c64[3]", c24_arg1_1: "i64[3]", c24_arg2_1: "c64[3]", c26_arg0_1: "c64[2]", c27_arg0_1: "c64[3]", c27_arg1_1: "b8[3]", c28_arg0_1: "c64[3]", c28_arg1_1: "i64[3]", c28_arg2_1: "c64[3]"):
        c0_made: "c64[2, 3]" = torch.ops.aten.exp.default(c0_arg0_1)
        c1_made: "c64[8]" = torch.ops.aten.atan.default(c1_arg0_1)
        c2_made: "c128[4]" = torch.ops.aten.tanh.default(c2_arg0_1)
        c3_made: "c64[11]" = torch.ops.aten.sgn.default(c3_arg0_1)
        c4_made: "c64[2, 3]" = torch.ops.aten._conj_physical.default(c4_arg0_1)
        c5_made: "b8[4]" = torch.ops.aten.isinf.default(c5_arg0_1)
        c6_made: "c64[2, 3]" = torch.ops.aten.div.Tensor(c6_arg0_1, c6_arg1_1)
        c7_made: "c64[2, 3]" = torch.ops.aten.div.Tensor(c7_arg0_1, (-0.5+3j))
        c8_made: "c64[2, 3]" = torch.ops.aten.mul.Tensor(c8_arg0_1, complex(1.5, -2.0))
        c9_made: "c64[2]" = torch.ops.aten.mul.Scalar(c9_arg0_1, 2j)
        c10_made: "c128[2]" = torch.ops.aten.mul.Scalar(c10_arg0_1, (0.5+0.25j))
        c11_made: "c64[2, 3]" = torch.ops.aten.add.Tensor(c11_arg0_1, c11_arg1_1, alpha = (2-1j))
        c12_made: "b8[2]" = torch.ops.aten.eq.Scalar(c12_arg0_1, (0.1+0.2j))
        c13_made: "b8[4]" = torch.ops.aten.logical_and.default(c13_arg0_1, c13_arg1_1)
        c14_made: "b8[3]" = torch.ops.aten.any.dim(c14_arg0_1, 1)
        c15_made: "c64[3]" = torch.ops.aten.pow.Tensor_Scalar(c15_arg0_1, (1+2j))
        c16_made: "c64[2, 1]" = torch.ops.aten.sum.dim_IntList(c16_arg0_1, [1], True)
        c17_made: "c64[3]" = torch.ops.aten.mean.dim(c17_arg0_1, [0])
        c18_made = torch.ops.aten.var_mean.correction(c18_arg0_1, [1], correction = 1)
        c18_r0: "f32[2]" = c18_made[0]
        c18_r1: "c64[2]" = c18_made[1]
        c19_made: "f32[2]" = torch.ops.aten.linalg_vector_norm.default(c19_arg0_1, 2, [1])
        c20_made: "c64[2, 3]" = torch.ops.aten.cumsum.default(c20_arg0_1, 1)
        c21_made: "c64[2, 4]" = torch.ops.aten.mm.default(c21_arg0_1, c21_arg1_1)
        c22_made: "c64[2, 2, 1]" = torch.ops.aten.bmm.default(c22_arg0_1, c22_arg1_1)
        c23_made: "c64[2, 3]" = torch.ops.aten.addmm.default(c23_arg0_1, c23_arg1_1, c23_arg2_1, beta = complex(1.0, 2.0), alpha = complex(2.0, -3.0))
        c24_made: "c64[3]" = torch.ops.aten.index_put.default(c24_arg0_1, [c24_arg1_1], c24_arg2_1, True)
        c25_made: "c64[2]" = torch.ops.aten.full.default([2], (1+2j), dtype = torch.complex64)
        c26_made: "c64[5]" = torch.ops.aten.constant_pad_nd.default(c26_arg0_1, [1, 2], (1+2j))
        c27_made: "c64[3]" = torch.ops.aten.masked_fill.Scalar(c27_arg0_1, c27_arg1_1, (1+2j))
        c28_made: "c64[3]" = torch.ops.aten.scatter.reduce(c28_arg0_1, 0, c28_arg1_1, c28_arg2_1, reduce = 'multiply')
        return (c0_made, c1_made, c2_made, c3_made, c4_made, c5_made, c6_made, c7_made, c8_made, c9_made, c10_made, c11_made, c12_made, c13_made, c14_made, c15_made, c16_made, c17_made, c18_r0, c18_r1, c19_made, c20_made, c21_made, c22_made, c23_made, c24_made, c25_made, c26_made, c27_made, c28_made))fx";
};

} // namespace cases

int main() {
    using namespace cases;
    case_by_name all;
    read_cases("recorded/fourier.txt", all);
    test::check_equal(run_groups<group_0, group_1, group_2, group_3, group_4>(all), all.size());
    case_by_name complex;
    read_cases("recorded/complex.txt", complex);
    run_group<computed>(complex);
    return test::report();
}
