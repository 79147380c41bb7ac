// What PyTorch computed by decompositions, solutions, determinants, norms of matrices and pseudoinverses, against compiled programs. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
#include <ahead/linalg.hpp>

#include "recorded_groups.hpp"

namespace cases {

struct group_0 {
    static constexpr std::string_view cases[] = {"_linalg_eigh.default 0", "_linalg_eigh.default 1", "_linalg_eigh.default 2", "_linalg_eigh.default 4", "_linalg_eigh.default 8", "linalg_qr.default 0", "linalg_qr.default 1", "linalg_qr.default 2", "linalg_qr.default 3", "linalg_qr.default 4", "linalg_qr.default 6", "linalg_qr.default 9", "linalg_cholesky_ex.default 0", "linalg_cholesky_ex.default 1", "linalg_cholesky_ex.default 2", "linalg_cholesky_ex.default 5", "linalg_cholesky_ex.default 9"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[4, 4]", c1_arg0_1: "f64[3, 3]", c2_arg0_1: "f32[2, 3, 5, 5]", c3_arg0_1: "f32[3, 3]", c4_arg0_1: "f32[4, 4][1, 4]", c5_arg0_1: "f32[4, 4]", c6_arg0_1: "f32[5, 3]", c7_arg0_1: "f64[3, 5]", c8_arg0_1: "f32[2, 5, 3]", c9_arg0_1: "f32[3, 5]", c10_arg0_1: "f64[2, 3, 4]", c11_arg0_1: "f32[3, 3]", c12_arg0_1: "f32[4, 4]", c13_arg0_1: "f64[3, 3]", c14_arg0_1: "f32[2, 3, 5, 5]", c15_arg0_1: "f32[4, 4][1, 4]", c16_arg0_1: "f32[2, 3, 3]"):
        c0_made = torch.ops.aten._linalg_eigh.default(c0_arg0_1)
        c0_getitem: "f32[4]" = c0_made[0]
        c0_getitem_1: "f32[4, 4]" = c0_made[1]
        c0_unsqueeze: "f32[1, 4]" = torch.ops.aten.unsqueeze.default(c0_getitem, -2)
        c0_mul: "f32[4, 4]" = torch.ops.aten.mul.Tensor(c0_getitem_1, c0_unsqueeze)
        c0_transpose: "f32[4, 4]" = torch.ops.aten.transpose.int(c0_getitem_1, -2, -1)
        c0_matmul: "f32[4, 4]" = torch.ops.aten.matmul.default(c0_mul, c0_transpose)
        c0_matmul_1: "f32[4, 4]" = torch.ops.aten.matmul.default(c0_transpose, c0_getitem_1)
        c1_made = torch.ops.aten._linalg_eigh.default(c1_arg0_1, 'U')
        c1_getitem: "f64[3]" = c1_made[0]
        c1_getitem_1: "f64[3, 3]" = c1_made[1]
        c1_unsqueeze: "f64[1, 3]" = torch.ops.aten.unsqueeze.default(c1_getitem, -2)
        c1_mul: "f64[3, 3]" = torch.ops.aten.mul.Tensor(c1_getitem_1, c1_unsqueeze)
        c1_transpose: "f64[3, 3]" = torch.ops.aten.transpose.int(c1_getitem_1, -2, -1)
        c1_matmul: "f64[3, 3]" = torch.ops.aten.matmul.default(c1_mul, c1_transpose)
        c1_matmul_1: "f64[3, 3]" = torch.ops.aten.matmul.default(c1_transpose, c1_getitem_1)
        c2_made = torch.ops.aten._linalg_eigh.default(c2_arg0_1)
        c2_getitem: "f32[2, 3, 5]" = c2_made[0]
        c2_getitem_1: "f32[2, 3, 5, 5]" = c2_made[1]
        c2_unsqueeze: "f32[2, 3, 1, 5]" = torch.ops.aten.unsqueeze.default(c2_getitem, -2)
        c2_mul: "f32[2, 3, 5, 5]" = torch.ops.aten.mul.Tensor(c2_getitem_1, c2_unsqueeze)
        c2_transpose: "f32[2, 3, 5, 5]" = torch.ops.aten.transpose.int(c2_getitem_1, -2, -1)
        c2_matmul: "f32[2, 3, 5, 5]" = torch.ops.aten.matmul.default(c2_mul, c2_transpose)
        c2_matmul_1: "f32[2, 3, 5, 5]" = torch.ops.aten.matmul.default(c2_transpose, c2_getitem_1)
        c3_made = torch.ops.aten._linalg_eigh.default(c3_arg0_1, 'u', False)
        c3_getitem: "f32[3]" = c3_made[0]
        c3_getitem_1: "f32[0]" = c3_made[1]
        c4_made = torch.ops.aten._linalg_eigh.default(c4_arg0_1)
        c4_getitem: "f32[4]" = c4_made[0]
        c4_getitem_1: "f32[4, 4]" = c4_made[1]
        c4_unsqueeze: "f32[1, 4]" = torch.ops.aten.unsqueeze.default(c4_getitem, -2)
        c4_mul: "f32[4, 4]" = torch.ops.aten.mul.Tensor(c4_getitem_1, c4_unsqueeze)
        c4_transpose: "f32[4, 4]" = torch.ops.aten.transpose.int(c4_getitem_1, -2, -1)
        c4_matmul: "f32[4, 4]" = torch.ops.aten.matmul.default(c4_mul, c4_transpose)
        c4_matmul_1: "f32[4, 4]" = torch.ops.aten.matmul.default(c4_transpose, c4_getitem_1)
        c5_made = torch.ops.aten.linalg_qr.default(c5_arg0_1)
        c5_getitem: "f32[4, 4]" = c5_made[0]
        c5_getitem_1: "f32[4, 4]" = c5_made[1]
        c6_made = torch.ops.aten.linalg_qr.default(c6_arg0_1)
        c6_getitem: "f32[5, 3]" = c6_made[0]
        c6_getitem_1: "f32[3, 3]" = c6_made[1]
        c7_made = torch.ops.aten.linalg_qr.default(c7_arg0_1)
        c7_getitem: "f64[3, 3]" = c7_made[0]
        c7_getitem_1: "f64[3, 5]" = c7_made[1]
        c8_made = torch.ops.aten.linalg_qr.default(c8_arg0_1, 'complete')
        c8_getitem: "f32[2, 5, 5]" = c8_made[0]
        c8_getitem_1: "f32[2, 5, 3]" = c8_made[1]
        c9_made = torch.ops.aten.linalg_qr.default(c9_arg0_1, 'complete')
        c9_getitem: "f32[3, 3]" = c9_made[0]
        c9_getitem_1: "f32[3, 5]" = c9_made[1]
        c10_made = torch.ops.aten.linalg_qr.default(c10_arg0_1, 'r')
        c10_getitem: "f64[0]" = c10_made[0]
        c10_getitem_1: "f64[2, 3, 4]" = c10_made[1]
        c11_made = torch.ops.aten.linalg_qr.default(c11_arg0_1)
        c11_getitem: "f32[3, 3]" = c11_made[0]
        c11_getitem_1: "f32[3, 3]" = c11_made[1]
        c12_made = torch.ops.aten.linalg_cholesky_ex.default(c12_arg0_1)
        c12_getitem: "f32[4, 4]" = c12_made[0]
        c12_getitem_1: "i32[]" = c12_made[1]
        c13_made = torch.ops.aten.linalg_cholesky_ex.default(c13_arg0_1, upper = True)
        c13_getitem: "f64[3, 3]" = c13_made[0]
        c13_getitem_1: "i32[]" = c13_made[1]
        c14_made = torch.ops.aten.linalg_cholesky_ex.default(c14_arg0_1)
        c14_getitem: "f32[2, 3, 5, 5]" = c14_made[0]
        c14_getitem_1: "i32[2, 3]" = c14_made[1]
        c15_made = torch.ops.aten.linalg_cholesky_ex.default(c15_arg0_1)
        c15_getitem: "f32[4, 4]" = c15_made[0]
        c15_getitem_1: "i32[]" = c15_made[1]
        c16_made = torch.ops.aten.linalg_cholesky_ex.default(c16_arg0_1)
        c16_getitem_1: "i32[2]" = c16_made[1]
        return (c0_getitem, c0_matmul, c0_matmul_1, c1_getitem, c1_matmul, c1_matmul_1, c2_getitem, c2_matmul, c2_matmul_1, c3_getitem, c3_getitem_1, c4_getitem, c4_matmul, c4_matmul_1, c5_getitem, c5_getitem_1, c6_getitem, c6_getitem_1, c7_getitem, c7_getitem_1, c8_getitem, c8_getitem_1, c9_getitem, c9_getitem_1, c10_getitem, c10_getitem_1, c11_getitem, c11_getitem_1, c12_getitem, c12_getitem_1, c13_getitem, c13_getitem_1, c14_getitem, c14_getitem_1, c15_getitem, c15_getitem_1, c16_getitem_1))fx";
};

struct group_1 {
    static constexpr std::string_view cases[] = {"linalg_lu_factor_ex.default 0", "linalg_lu_factor_ex.default 1", "linalg_lu_factor_ex.default 2", "linalg_lu_factor_ex.default 3", "linalg_lu_factor_ex.default 5", "linalg_lu_solve.default 0", "linalg_lu_solve.default 1", "linalg_lu_solve.default 2", "linalg_lu_solve.default 3", "linalg_lu_solve.default 4", "linalg_lu_solve.default 5", "linalg_solve_triangular.default 0", "linalg_solve_triangular.default 3", "linalg_solve_triangular.default 5", "cholesky_solve.default 1", "cholesky_inverse.default 0", "_linalg_solve_ex.default 2", "_linalg_solve_ex.default 3", "_linalg_slogdet.default 1", "_linalg_det.default 3", "linalg_svdvals.default 0"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[4, 4]", c1_arg0_1: "f32[5, 3]", c2_arg0_1: "f64[3, 5]", c3_arg0_1: "f32[2, 3, 4, 4]", c4_arg0_1: "f32[2, 3, 3]", c5_arg0_1: "f32[4, 4]", c5_arg1_1: "i32[4]", c5_arg2_1: "f32[4, 2]", c6_arg0_1: "f64[4, 4]", c6_arg1_1: "i32[4]", c6_arg2_1: "f64[4, 3]", c7_arg0_1: "f32[3, 3]", c7_arg1_1: "i32[3]", c7_arg2_1: "f32[5, 3]", c8_arg0_1: "f32[2, 3, 3]", c8_arg1_1: "i32[2, 3]", c8_arg2_1: "f32[2, 4, 3]", c9_arg0_1: "f32[3, 3]", c9_arg1_1: "i32[3]", c9_arg2_1: "f32[2, 4, 3, 2]", c10_arg0_1: "f32[2, 1, 3, 3]", c10_arg1_1: "i32[2, 1, 3]", c10_arg2_1: "f32[4, 3, 1]", c11_arg0_1: "f32[4, 4]", c11_arg1_1: "f32[4, 2]", c12_arg0_1: "f32[2, 3, 3]", c12_arg1_1: "f32[2, 4, 3]", c13_arg0_1: "f32[2, 1, 3, 3]", c13_arg1_1: "f32[4, 3, 2]", c14_arg0_1: "f32[3, 2]", c14_arg1_1: "f32[3, 3]", c15_arg0_1: "f32[3, 3]", c16_arg0_1: "f32[2, 3, 3]", c16_arg1_1: "f32[2, 3]", c17_arg0_1: "f32[3, 3]", c17_arg1_1: "f32[5, 3]", c18_arg0_1: "f64[2, 3, 3, 3]", c19_arg0_1: "f32[2, 2]", c20_arg0_1: "f32[2, 4, 3]"):
        c0_made = torch.ops.aten.linalg_lu_factor_ex.default(c0_arg0_1)
        c0_getitem: "f32[4, 4]" = c0_made[0]
        c0_getitem_1: "i32[4]" = c0_made[1]
        c0_getitem_2: "i32[]" = c0_made[2]
        c1_made = torch.ops.aten.linalg_lu_factor_ex.default(c1_arg0_1)
        c1_getitem: "f32[5, 3]" = c1_made[0]
        c1_getitem_1: "i32[3]" = c1_made[1]
        c1_getitem_2: "i32[]" = c1_made[2]
        c2_made = torch.ops.aten.linalg_lu_factor_ex.default(c2_arg0_1)
        c2_getitem: "f64[3, 5]" = c2_made[0]
        c2_getitem_1: "i32[3]" = c2_made[1]
        c2_getitem_2: "i32[]" = c2_made[2]
        c3_made = torch.ops.aten.linalg_lu_factor_ex.default(c3_arg0_1)
        c3_getitem: "f32[2, 3, 4, 4]" = c3_made[0]
        c3_getitem_1: "i32[2, 3, 4]" = c3_made[1]
        c3_getitem_2: "i32[2, 3]" = c3_made[2]
        c4_made = torch.ops.aten.linalg_lu_factor_ex.default(c4_arg0_1)
        c4_getitem: "f32[2, 3, 3]" = c4_made[0]
        c4_getitem_1: "i32[2, 3]" = c4_made[1]
        c4_getitem_2: "i32[2]" = c4_made[2]
        c5_linalg_lu_solve: "f32[4, 2]" = torch.ops.aten.linalg_lu_solve.default(c5_arg0_1, c5_arg1_1, c5_arg2_1)
        c6_linalg_lu_solve: "f64[4, 3]" = torch.ops.aten.linalg_lu_solve.default(c6_arg0_1, c6_arg1_1, c6_arg2_1, adjoint = True)
        c7_linalg_lu_solve: "f32[5, 3]" = torch.ops.aten.linalg_lu_solve.default(c7_arg0_1, c7_arg1_1, c7_arg2_1, left = False)
        c8_linalg_lu_solve: "f32[2, 4, 3]" = torch.ops.aten.linalg_lu_solve.default(c8_arg0_1, c8_arg1_1, c8_arg2_1, left = False, adjoint = True)
        c9_linalg_lu_solve: "f32[2, 4, 3, 2]" = torch.ops.aten.linalg_lu_solve.default(c9_arg0_1, c9_arg1_1, c9_arg2_1)
        c10_linalg_lu_solve: "f32[2, 4, 3, 1]" = torch.ops.aten.linalg_lu_solve.default(c10_arg0_1, c10_arg1_1, c10_arg2_1)
        c11_linalg_solve_triangular: "f32[4, 2]" = torch.ops.aten.linalg_solve_triangular.default(c11_arg0_1, c11_arg1_1, upper = True)
        c12_linalg_solve_triangular: "f32[2, 4, 3]" = torch.ops.aten.linalg_solve_triangular.default(c12_arg0_1, c12_arg1_1, upper = False, left = False, unitriangular = True)
        c13_linalg_solve_triangular: "f32[2, 4, 3, 2]" = torch.ops.aten.linalg_solve_triangular.default(c13_arg0_1, c13_arg1_1, upper = False)
        c14_cholesky_solve: "f32[3, 2]" = torch.ops.aten.cholesky_solve.default(c14_arg0_1, c14_arg1_1, True)
        c15_cholesky_inverse: "f32[3, 3]" = torch.ops.aten.cholesky_inverse.default(c15_arg0_1)
        c16_made = torch.ops.aten._linalg_solve_ex.default(c16_arg0_1, c16_arg1_1)
        c16_getitem: "f32[2, 3]" = c16_made[0]
        c16_getitem_1: "f32[2, 3, 3]" = c16_made[1]
        c16_getitem_2: "i32[2, 3]" = c16_made[2]
        c16_getitem_3: "i32[2]" = c16_made[3]
        c17_made = torch.ops.aten._linalg_solve_ex.default(c17_arg0_1, c17_arg1_1, left = False)
        c17_getitem: "f32[5, 3]" = c17_made[0]
        c17_getitem_1: "f32[3, 3]" = c17_made[1]
        c17_getitem_2: "i32[3]" = c17_made[2]
        c17_getitem_3: "i32[]" = c17_made[3]
        c18_made = torch.ops.aten._linalg_slogdet.default(c18_arg0_1)
        c18_getitem: "f64[2, 3]" = c18_made[0]
        c18_getitem_1: "f64[2, 3]" = c18_made[1]
        c18_getitem_2: "f64[2, 3, 3, 3]" = c18_made[2]
        c18_getitem_3: "i32[2, 3, 3]" = c18_made[3]
        c19_made = torch.ops.aten._linalg_det.default(c19_arg0_1)
        c19_getitem: "f32[]" = c19_made[0]
        c19_getitem_1: "f32[2, 2]" = c19_made[1]
        c19_getitem_2: "i32[2]" = c19_made[2]
        c20_linalg_svdvals: "f32[2, 3]" = torch.ops.aten.linalg_svdvals.default(c20_arg0_1)
        return (c0_getitem, c0_getitem_1, c0_getitem_2, c1_getitem, c1_getitem_1, c1_getitem_2, c2_getitem, c2_getitem_1, c2_getitem_2, c3_getitem, c3_getitem_1, c3_getitem_2, c4_getitem, c4_getitem_1, c4_getitem_2, c5_linalg_lu_solve, c6_linalg_lu_solve, c7_linalg_lu_solve, c8_linalg_lu_solve, c9_linalg_lu_solve, c10_linalg_lu_solve, c11_linalg_solve_triangular, c12_linalg_solve_triangular, c13_linalg_solve_triangular, c14_cholesky_solve, c15_cholesky_inverse, c16_getitem, c16_getitem_1, c16_getitem_2, c16_getitem_3, c17_getitem, c17_getitem_1, c17_getitem_2, c17_getitem_3, c18_getitem, c18_getitem_1, c18_getitem_2, c18_getitem_3, c19_getitem, c19_getitem_1, c19_getitem_2, c20_linalg_svdvals))fx";
};

struct group_2 {
    static constexpr std::string_view cases[] = {"linalg_matrix_norm.default 2",
                                                 "linalg_matrix_norm.default 6",
                                                 "linalg_matrix_norm.default 10",
                                                 "linalg_matrix_norm.default 14",
                                                 "linalg_matrix_norm.str_ord 3",
                                                 "linalg_norm.ord_str 2",
                                                 "linalg_norm.default 9",
                                                 "nuclear_norm.default 1",
                                                 "norm.ScalarOpt_dim_dtype 0",
                                                 "linalg_cond.default 0",
                                                 "linalg_cond.default 3",
                                                 "linalg_cond.p_str 0",
                                                 "linalg_cond.p_str 2",
                                                 "linalg_matrix_rank.default 1",
                                                 "linalg_matrix_rank.atol_rtol_float 1",
                                                 "linalg_matrix_rank.atol_rtol_tensor 2",
                                                 "linalg_pinv.default 1",
                                                 "linalg_pinv.default 2",
                                                 "linalg_pinv.rcond_tensor 1",
                                                 "linalg_pinv.atol_rtol_float 1",
                                                 "linalg_pinv.atol_rtol_tensor 0",
                                                 "pinverse.default 1"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[3, 4]", c1_arg0_1: "f64[2, 3, 4]", c2_arg0_1: "f32[4, 2, 3]", c3_arg0_1: "f32[4, 2, 3]", c4_arg0_1: "f64[4, 2, 3]", c5_arg0_1: "f32[3, 2, 4]", c6_arg0_1: "f32[3, 2, 4]", c7_arg0_1: "f64[2, 3, 3]", c8_arg0_1: "f16[2, 3, 4]", c9_arg0_1: "f32[2, 3, 3]", c10_arg0_1: "f64[4, 4]", c11_arg0_1: "f32[2, 3, 3]", c12_arg0_1: "f32[2, 3, 3]", c13_arg0_1: "f32[2, 3, 3]", c14_arg0_1: "f64[2, 3, 5]", c15_arg0_1: "f32[2, 3, 3]", c15_arg1_1: "f64[2]", c16_arg0_1: "f32[2, 5, 3]", c17_arg0_1: "f64[2, 3, 3]", c18_arg0_1: "f64[2, 4, 3]", c18_arg1_1: "f64[2]", c19_arg0_1: "f64[4, 3]", c20_arg0_1: "f32[4, 3]", c21_arg0_1: "f32[3, 4]"):
        c0_linalg_matrix_norm: "f32[]" = torch.ops.aten.linalg_matrix_norm.default(c0_arg0_1, 2)
        c1_linalg_matrix_norm: "f64[2]" = torch.ops.aten.linalg_matrix_norm.default(c1_arg0_1, 1)
        c2_linalg_matrix_norm: "f32[1, 2, 1]" = torch.ops.aten.linalg_matrix_norm.default(c2_arg0_1, 2, [0, -1], True)
        c3_linalg_matrix_norm: "f32[2]" = torch.ops.aten.linalg_matrix_norm.default(c3_arg0_1, -inf, [2, 0])
        c4_linalg_matrix_norm: "f64[1, 2, 1]" = torch.ops.aten.linalg_matrix_norm.str_ord(c4_arg0_1, 'nuc', [2, 0], True)
        c5_linalg_norm: "f32[1, 2, 1]" = torch.ops.aten.linalg_norm.ord_str(c5_arg0_1, 'nuc', [0, 2], True)
        c6_linalg_norm: "f64[1, 2, 1]" = torch.ops.aten.linalg_norm.default(c6_arg0_1, -2, [0, 2], True, dtype = torch.float64)
        c7_nuclear_norm: "f64[2, 1, 1]" = torch.ops.aten.nuclear_norm.default(c7_arg0_1, True)
        c8_norm: "f32[1, 3, 1]" = torch.ops.aten.norm.ScalarOpt_dim_dtype(c8_arg0_1, 1, [0, -1], True, dtype = torch.float32)
        c9_linalg_cond: "f32[2]" = torch.ops.aten.linalg_cond.default(c9_arg0_1)
        c10_linalg_cond: "f64[]" = torch.ops.aten.linalg_cond.default(c10_arg0_1, 1)
        c11_linalg_cond: "f32[2]" = torch.ops.aten.linalg_cond.p_str(c11_arg0_1, 'fro')
        c12_linalg_cond: "f32[2]" = torch.ops.aten.linalg_cond.p_str(c12_arg0_1, 'nuc')
        c13_linalg_matrix_rank: "i64[2]" = torch.ops.aten.linalg_matrix_rank.default(c13_arg0_1, 1.0, True)
        c14_linalg_matrix_rank: "i64[2]" = torch.ops.aten.linalg_matrix_rank.atol_rtol_float(c14_arg0_1)
        c15_linalg_matrix_rank: "i64[2]" = torch.ops.aten.linalg_matrix_rank.atol_rtol_tensor(c15_arg0_1, atol = c15_arg1_1)
        c16_linalg_pinv: "f32[2, 3, 5]" = torch.ops.aten.linalg_pinv.default(c16_arg0_1, 0.5)
        c17_linalg_pinv: "f64[2, 3, 3]" = torch.ops.aten.linalg_pinv.default(c17_arg0_1, 0.5, True)
        c18_linalg_pinv: "f64[2, 3, 4]" = torch.ops.aten.linalg_pinv.rcond_tensor(c18_arg0_1, c18_arg1_1)
        c19_linalg_pinv: "f64[3, 4]" = torch.ops.aten.linalg_pinv.atol_rtol_float(c19_arg0_1)
        c20_linalg_pinv: "f32[3, 4]" = torch.ops.aten.linalg_pinv.atol_rtol_tensor(c20_arg0_1)
        c21_pinverse: "f32[4, 3]" = torch.ops.aten.pinverse.default(c21_arg0_1, 0.5)
        return (c0_linalg_matrix_norm, c1_linalg_matrix_norm, c2_linalg_matrix_norm, c3_linalg_matrix_norm, c4_linalg_matrix_norm, c5_linalg_norm, c6_linalg_norm, c7_nuclear_norm, c8_norm, c9_linalg_cond, c10_linalg_cond, c11_linalg_cond, c12_linalg_cond, c13_linalg_matrix_rank, c14_linalg_matrix_rank, c15_linalg_matrix_rank, c16_linalg_pinv, c17_linalg_pinv, c18_linalg_pinv, c19_linalg_pinv, c20_linalg_pinv, c21_pinverse))fx";
};

struct group_3 {
    static constexpr std::string_view cases[] = {"linalg_lu.default 1",           "linalg_lu.default 3",          "lu_unpack.default 1",
                                                 "lu_unpack.default 8",           "linalg_lstsq.default 1",       "linalg_lstsq.default 3",
                                                 "linalg_lstsq.default 4",        "linalg_lstsq.default 7",       "linalg_lstsq.default 9",
                                                 "linalg_lstsq.default 19",       "linalg_lstsq.default 20",      "linalg_lstsq.default 22",
                                                 "linalg_matrix_power.default 2", "linalg_matrix_power.default 6"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[5, 3]", c1_arg0_1: "f32[2, 3, 4, 4]", c2_arg0_1: "f64[2, 5, 3]", c2_arg1_1: "i32[2, 3]", c3_arg0_1: "f32[7, 7]", c3_arg1_1: "i32[7]", c4_arg0_1: "f32[5, 3]", c4_arg1_1: "f32[5, 2]", c5_arg0_1: "f32[4, 3]", c5_arg1_1: "f32[4]", c6_arg0_1: "f32[2, 5, 3]", c6_arg1_1: "f32[2, 5, 2]", c7_arg0_1: "f64[4, 3]", c7_arg1_1: "f64[4, 2]", c8_arg0_1: "f32[4, 3]", c8_arg1_1: "f32[4, 2]", c9_arg0_1: "f64[2, 3, 3]", c9_arg1_1: "f64[2, 3, 2]", c10_arg0_1: "f32[5, 3]", c10_arg1_1: "f32[5, 2]", c11_arg0_1: "f32[2, 3, 3]", c11_arg1_1: "f32[2, 3, 2]", c12_arg0_1: "f32[2, 3, 3]", c13_arg0_1: "f64[2, 3, 3]"):
        c0_made = torch.ops.aten.linalg_lu.default(c0_arg0_1)
        c0_getitem: "f32[5, 5]" = c0_made[0]
        c0_getitem_1: "f32[5, 3]" = c0_made[1]
        c0_getitem_2: "f32[3, 3]" = c0_made[2]
        c1_made = torch.ops.aten.linalg_lu.default(c1_arg0_1)
        c1_getitem: "f32[2, 3, 4, 4]" = c1_made[0]
        c1_getitem_1: "f32[2, 3, 4, 4]" = c1_made[1]
        c1_getitem_2: "f32[2, 3, 4, 4]" = c1_made[2]
        c2_made = torch.ops.aten.lu_unpack.default(c2_arg0_1, c2_arg1_1)
        c2_getitem: "f64[2, 5, 5]" = c2_made[0]
        c2_getitem_1: "f64[2, 5, 3]" = c2_made[1]
        c2_getitem_2: "f64[2, 3, 3]" = c2_made[2]
        c3_made = torch.ops.aten.lu_unpack.default(c3_arg0_1, c3_arg1_1)
        c3_getitem: "f32[7, 7]" = c3_made[0]
        c3_getitem_1: "f32[7, 7]" = c3_made[1]
        c3_getitem_2: "f32[7, 7]" = c3_made[2]
        c4_made = torch.ops.aten.linalg_lstsq.default(c4_arg0_1, c4_arg1_1)
        c4_getitem: "f32[3, 2]" = c4_made[0]
        c4_getitem_1: "f32[0]" = c4_made[1]
        c4_getitem_2: "i64[]" = c4_made[2]
        c4_getitem_3: "f32[0]" = c4_made[3]
        c5_made = torch.ops.aten.linalg_lstsq.default(c5_arg0_1, c5_arg1_1)
        c5_getitem: "f32[3]" = c5_made[0]
        c5_getitem_1: "f32[0]" = c5_made[1]
        c5_getitem_2: "i64[]" = c5_made[2]
        c5_getitem_3: "f32[0]" = c5_made[3]
        c6_made = torch.ops.aten.linalg_lstsq.default(c6_arg0_1, c6_arg1_1)
        c6_getitem: "f32[2, 3, 2]" = c6_made[0]
        c6_getitem_1: "f32[0]" = c6_made[1]
        c6_getitem_2: "i64[2]" = c6_made[2]
        c6_getitem_3: "f32[0]" = c6_made[3]
        c7_made = torch.ops.aten.linalg_lstsq.default(c7_arg0_1, c7_arg1_1)
        c7_getitem: "f64[3, 2]" = c7_made[0]
        c7_getitem_1: "f64[0]" = c7_made[1]
        c7_getitem_2: "i64[]" = c7_made[2]
        c7_getitem_3: "f64[0]" = c7_made[3]
        c8_made = torch.ops.aten.linalg_lstsq.default(c8_arg0_1, c8_arg1_1, 0.5, driver = 'gelss')
        c8_getitem: "f32[3, 2]" = c8_made[0]
        c8_getitem_2: "i64[]" = c8_made[2]
        c8_getitem_3: "f32[3]" = c8_made[3]
        c9_made = torch.ops.aten.linalg_lstsq.default(c9_arg0_1, c9_arg1_1, 1e-6, driver = 'gelss')
        c9_getitem: "f64[2, 3, 2]" = c9_made[0]
        c9_getitem_1: "f64[0]" = c9_made[1]
        c9_getitem_2: "i64[2]" = c9_made[2]
        c9_getitem_3: "f64[2, 3]" = c9_made[3]
        c10_made = torch.ops.aten.linalg_lstsq.default(c10_arg0_1, c10_arg1_1, driver = 'gels')
        c10_getitem: "f32[3, 2]" = c10_made[0]
        c10_getitem_1: "f32[2]" = c10_made[1]
        c10_getitem_2: "i64[0]" = c10_made[2]
        c10_getitem_3: "f32[0]" = c10_made[3]
        c11_made = torch.ops.aten.linalg_lstsq.default(c11_arg0_1, c11_arg1_1, driver = 'gels')
        c11_getitem: "f32[2, 3, 2]" = c11_made[0]
        c11_getitem_1: "f32[0]" = c11_made[1]
        c11_getitem_2: "i64[0]" = c11_made[2]
        c11_getitem_3: "f32[0]" = c11_made[3]
        c12_linalg_matrix_power: "f32[2, 3, 3]" = torch.ops.aten.linalg_matrix_power.default(c12_arg0_1, 5)
        c13_linalg_matrix_power: "f64[2, 3, 3]" = torch.ops.aten.linalg_matrix_power.default(c13_arg0_1, -2)
        return (c0_getitem, c0_getitem_1, c0_getitem_2, c1_getitem, c1_getitem_1, c1_getitem_2, c2_getitem, c2_getitem_1, c2_getitem_2, c3_getitem, c3_getitem_1, c3_getitem_2, c4_getitem, c4_getitem_1, c4_getitem_2, c4_getitem_3, c5_getitem, c5_getitem_1, c5_getitem_2, c5_getitem_3, c6_getitem, c6_getitem_1, c6_getitem_2, c6_getitem_3, c7_getitem, c7_getitem_1, c7_getitem_2, c7_getitem_3, c8_getitem, c8_getitem_2, c8_getitem_3, c9_getitem, c9_getitem_1, c9_getitem_2, c9_getitem_3, c10_getitem, c10_getitem_1, c10_getitem_2, c10_getitem_3, c11_getitem, c11_getitem_1, c11_getitem_2, c11_getitem_3, c12_linalg_matrix_power, c13_linalg_matrix_power))fx";
};

} // namespace cases

int main() {
    using namespace cases;
    case_by_name all;
    for (auto file : {"eigen", "factors", "matmul", "norms", "pseudo_inverse", "solve"})
        read_cases(std::string("recorded/") + file + ".txt", all);
    run_groups<group_0, group_1, group_2, group_3>(all);
    return test::report();
}
