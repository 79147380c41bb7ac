// SPDX-License-Identifier: MIT
// Converters of aten/linalg/: matrices of up to device::most_decomposed rows and columns become npu.decompose and
// npu.solve; the AI CPU takes larger and empty ones.
#pragma once
#include <ahead/aten/linalg/eigen.hpp>
#include <ahead/aten/linalg/factor.hpp>
#include <ahead/aten/linalg/inverse.hpp>
#include <ahead/aten/linalg/singular_values.hpp>
#include <ahead/aten/linalg/solve.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/linalg/decompose.hpp>
#include <ahead/device/linalg/solve.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

/// Whether the kernels take the matrices of this tensor.
constexpr bool are_decomposed(const tensor_type& t) {
    const auto rows = t.size(t.rank - 2), columns = t.size(t.rank - 1);
    return element_count(t) > 0 && rows <= device::most_decomposed && columns <= device::most_decomposed;
}
/// The ATen call's result that each result of npu.decompose is; the call's others are not used.
struct decomposed_results {
    device::decomposition kind;
    std::int32_t count = 1, of[3]{};
    bool upper = false, vectors = false, full = false, checks = false;
};
constexpr bool decompose(convert_context& c, const decomposed_results& wanted) {
    const auto& t = c.aten.tensor(first_parameter);
    bool is_whole = are_decomposed(t);
    for (std::int32_t k = 0; k < wanted.count; ++k) // the empty tensor in place of vectors is none of the results
        is_whole = is_whole && (!c.is_result_used(wanted.of[k]) || element_count(c.aten.result_type(wanted.of[k])) > 0);
    if (!is_whole) return c.emit_ai_cpu_call();
    auto made = c.create<device::decompose>({c.contiguous(c.operand(first_parameter)),
                                             argument::of(static_cast<int>(wanted.kind)), argument::of(wanted.upper),
                                             argument::of(wanted.vectors), argument::of(wanted.full),
                                             argument::of(wanted.checks)});
    for (std::int32_t k = 0; k < wanted.count; ++k) {
        made.result = k;
        if (!c.bind_result(made, wanted.of[k])) return false;
    }
    return true;
}

} // namespace detail

struct linalg_eigh {
    using op = aten::linalg_eigh;
    using supported =
        cases<support<f32<3, 3>>, support<f64<2, 3, 5, 5>, word<"U">>, support<f32<2, 7, 7>, word<"l">, flag<false>>,
              support<f32<1, 1>>, support<strided<dtype::f64, ints<6, 6>, ints<1, 6>, 0>>>;
    static constexpr bool convert(convert_context& c) {
        const bool vectors = c.is_result_used(1);
        if (vectors && !c.aten.boolean(op::at::compute_v)) return c.emit_ai_cpu_call();
        return detail::decompose(c, {.kind = device::decomposition::symmetric_eigen,
                                     .count = vectors ? 2 : 1,
                                     .of = {0, 1},
                                     .upper = op::reads_upper(c.aten.at(op::at::UPLO)),
                                     .vectors = vectors});
    }
};

struct linalg_svd {
    using op = aten::linalg_svd;
    using supported =
        cases<support<f32<3, 3>>, support<f64<2, 3, 5, 4>>, support<f32<2, 4, 7>>, support<f32<4, 6>, flag<true>>,
              support<f64<7, 3>, flag<true>>, support<f32<1, 1>>, support<f32<4, 3>, flag<true>, flag<false>>,
              support<strided<dtype::f64, ints<6, 5>, ints<1, 6>, 0>>>;
    static constexpr bool convert(convert_context& c) {
        const bool vectors = c.is_result_used(0) || c.is_result_used(2);
        if (vectors && !c.aten.boolean(op::at::compute_uv)) return c.emit_ai_cpu_call();
        return detail::decompose(c, {.kind = device::decomposition::singular_values,
                                     .count = vectors ? 3 : 1,
                                     .of = {1, 0, 2},
                                     .vectors = vectors,
                                     .full = vectors && c.aten.boolean(op::at::full_matrices)});
    }
};

struct linalg_qr {
    using op = aten::linalg_qr;
    using supported =
        cases<support<f32<4, 4>>, support<f64<2, 3, 5, 3>>, support<f32<2, 3, 5>>, support<f32<5, 3>, word<"complete">>,
              support<f64<3, 5>, word<"complete">>, support<f32<5, 3>, word<"r">>, support<f32<1, 4>>,
              support<f32<4, 1>>, support<strided<dtype::f64, ints<6, 5>, ints<1, 6>, 0>>>;
    static constexpr bool convert(convert_context& c) {
        const auto& mode = c.aten.at(op::at::mode);
        const bool vectors = c.is_result_used(0);
        if (vectors && !op::has_q(mode)) return c.emit_ai_cpu_call();
        return detail::decompose(c, {.kind = device::decomposition::qr,
                                     .count = vectors ? 2 : 1,
                                     .of = {1, 0},
                                     .vectors = vectors,
                                     .full = op::is_complete(mode)});
    }
};

struct linalg_cholesky_ex {
    using op = aten::linalg_cholesky_ex;
    using supported = cases<support<f32<1, 1>>, support<f32<2, 3, 3>>,
                            support<f64<4, 4>, flag<true>>>; // of random numbers: info is not 0
    static constexpr bool convert(convert_context& c) {
        return detail::decompose(c, {.kind = device::decomposition::cholesky,
                                     .count = 2,
                                     .of = {0, 1},
                                     .upper = c.aten.boolean(op::at::upper),
                                     .checks = c.aten.boolean(op::at::check_errors)});
    }
};

struct linalg_lu_factor_ex {
    using op = aten::linalg_lu_factor_ex;
    using supported = cases<support<f32<4, 4>>, support<f64<2, 3, 5, 3>>, support<f32<2, 3, 5>>,
                            support<f32<6, 6>, flag<true>, flag<true>>, support<f32<1, 1>>,
                            support<strided<dtype::f64, ints<6, 5>, ints<1, 6>, 0>>>;
    static constexpr bool convert(convert_context& c) {
        return detail::decompose(c, {.kind = device::decomposition::lu,
                                     .count = 3,
                                     .of = {0, 1, 2},
                                     .checks = c.aten.boolean(op::at::check_errors)});
    }
};

/// Op: linalg_inv_ex, linalg_inv, inverse; the last two refuse matrices without an inverse.
template <class Op> struct inverted {
    using op = Op;
    static constexpr bool has_info = std::same_as<Op, aten::linalg_inv_ex>;
    using supported = cases<support<f32<4, 4>>, support<f64<2, 3, 5, 5>>, support<f32<1, 1>>>;
    static constexpr bool convert(convert_context& c) {
        detail::decomposed_results wanted{
            .kind = device::decomposition::inverse, .count = 1, .of = {0, 1}, .checks = true};
        if constexpr (has_info) {
            wanted.count = 2;
            wanted.checks = c.aten.boolean(Op::at::check_errors);
        }
        return detail::decompose(c, wanted);
    }
};

namespace detail {

/// An operand with the batch dims of the result before its last `kept` dims, in row-major order.
constexpr argument expanded(convert_context& c, const argument& a, int kept) {
    const auto& wanted = c.aten.result_type();
    const auto& given = c.type_of(a);
    const int rank = wanted.rank - 2 + kept, more = rank - given.rank;
    bool is_same = more == 0;
    auto type = given;
    type.rank = static_cast<decltype(type.rank)>(rank);
    for (int d = 0; d < rank; ++d) {
        const bool is_batch = d < rank - kept, is_given = d >= more;
        type.sizes.at[d] = is_batch ? wanted.sizes.at[d] : given.sizes.at[d - more];
        type.strides.at[d] = is_given ? given.strides.at[d - more] : 0;
        if (is_batch && is_given && given.size(d - more) != wanted.size(d)) {
            type.strides.at[d] = 0;
            is_same = false;
        }
    }
    return c.contiguous(is_same ? a : c.view(a, type));
}
struct solved_operands {
    int a, b, pivots = no_parameter;
    bool left, in_rows = false, upper = false, unit = false, adjoint = false;
};
constexpr bool solve(convert_context& c, const solved_operands& with) {
    if (!are_decomposed(c.aten.tensor(with.a)) || element_count(c.aten.result_type()) == 0) return c.emit_ai_cpu_call();
    const auto pivots = with.pivots == no_parameter ? argument{} : expanded(c, c.operand(with.pivots), 1);
    return c.bind_result(c.create<device::solve>(
        {expanded(c, c.operand(with.a), 2), expanded(c, c.operand(with.b), 2), pivots, argument::of(with.left),
         argument::of(with.in_rows), argument::of(with.upper), argument::of(with.unit), argument::of(with.adjoint)}));
}

} // namespace detail

struct linalg_solve_triangular {
    using op = aten::linalg_solve_triangular;
    template <bool Upper, bool Left, bool Unit, class A, class B>
    using one = support<A, B, flag<Upper>, flag<Left>, flag<Unit>>;
    using supported =
        cases<one<true, true, true, f32<3, 3>, f32<3, 2>>, one<false, true, false, f64<2, 2, 2>, f64<2, 2, 5>>,
              one<true, false, true, f32<3, 3>, f32<5, 3>>, one<false, false, true, f64<2, 1, 3, 3>, f64<4, 6, 3>>,
              one<true, true, true, strided<dtype::f64, ints<4, 4>, ints<1, 4>, 0>, f64<4, 70>>>;
    static constexpr bool convert(convert_context& c) {
        return detail::solve(c, {.a = op::at::self,
                                 .b = op::at::B,
                                 .left = c.aten.boolean(op::at::left),
                                 .upper = c.aten.boolean(op::at::upper),
                                 .unit = c.aten.boolean(op::at::unitriangular)});
    }
};

/// Its pivots are data, so it has no cases of random numbers.
struct linalg_lu_solve {
    using op = aten::linalg_lu_solve;
    static constexpr bool convert(convert_context& c) {
        const bool left = c.aten.boolean(op::at::left);
        return detail::solve(c, {.a = op::at::LU,
                                 .b = op::at::B,
                                 .pivots = op::at::pivots,
                                 .left = left,
                                 .in_rows = !left,
                                 .adjoint = c.aten.boolean(op::at::adjoint)});
    }
};

using linalg_converters = converter_list<linalg_eigh, linalg_svd, linalg_qr, linalg_cholesky_ex, linalg_lu_factor_ex,
                                         inverted<aten::linalg_inv_ex>, inverted<aten::linalg_inv>,
                                         inverted<aten::inverse>, linalg_solve_triangular, linalg_lu_solve>;

} // namespace ahead::convert
