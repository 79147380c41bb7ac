// SPDX-License-Identifier: MIT
// Converters of aten/product/matmul.hpp to npu.matmul; a right operand known at load is packed by prepare.
#pragma once
#include <ahead/aten/product/matmul.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/device/product/int_matmul.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/device/product/weight_int8_matmul.hpp>

namespace AHEAD_NAMESPACE::convert {

/// Whether products of this dtype have kernels. f16 and bf16 are not converted to f32 first: their products are summed
/// in f32 and rounded once, too, and weights stay half as large.
constexpr bool multiplies(dtype type) { return has_kernels(type) || is_half(type); }

/// The right operand of a product with a: packed if it is a constant, of floating point or i8.
constexpr argument packed(convert_context& c, const argument& a, const argument& b) {
    const auto type = c.type_of(b).type;
    if (!c.is_constant(b) || c.is_constant(a) || (!is_floating(type) && type != dtype::i8)) return b;
    return c.create<device::pack_matmul>({b, argument::of(c.type_of(a).size(0)), {}});
}
/// a @ b + bias, which may be None, as the ATen call's result.
constexpr bool create_matmul(convert_context& c, const argument& a, const argument& b, const argument& bias) {
    return c.create_result<device::matmul>({a, packed(c, a, b), bias, argument::of(c.type_of(b).size(1))});
}

struct mm {
    using op = aten::mm;
    using supported =
        cases<support<f32<3, 4>, f32<4, 5>>, support<f32<7, 33>, weight<f32<33, 40>>>,
              support<f64<1, 9>, weight<f64<9, 3>>>,
              support<strided<dtype::f32, ints<5, 6>, ints<1, 5>, 0>, strided<dtype::f32, ints<6, 4>, ints<1, 6>, 0>>,
              support<i64<2, 3>, i64<3, 2>>, support<f32<2, 0>, f32<0, 3>>, support<bf16<13, 4>, bf16<4, 5>>,
              support<f16<3, 33>, weight<f16<33, 40>>>>;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        if (!multiplies(c.aten.result_type().type)) return c.emit_ai_cpu_call();
        return create_matmul(c, c.operand(op::at::self), c.operand(op::at::mat2), {});
    }
};

/// The kernel does not support factors: beta or alpha other than 1 go to the AI CPU.
struct addmm {
    using op = aten::addmm;
    using supported = cases<support<f32<5>, f32<3, 4>, weight<f32<4, 5>>>,
                            support<weight<f64<5>>, f64<3, 4>, f64<4, 5>>, support<f32<3, 5>, f32<3, 4>, f32<4, 5>>,
                            support<f32<1>, f32<3, 4>, f32<4, 5>>, support<bf16<5>, bf16<3, 4>, weight<bf16<4, 5>>>>;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        if (!multiplies(c.aten.result_type().type)) return c.emit_ai_cpu_call();
        if (c.aten.real(op::at::beta) != 1 || c.aten.real(op::at::alpha) != 1) return c.emit_ai_cpu_call();
        return create_matmul(c, c.operand(op::at::mat1), c.operand(op::at::mat2), c.operand(op::at::self));
    }
};

/// input @ weight^T + bias; leading dims of the input are rows.
struct linear {
    using op = aten::linear;
    using supported =
        cases<support<f32<3, 4>, weight<f32<5, 4>>, weight<f32<5>>>, support<f32<2, 3, 4>, weight<f32<5, 4>>>,
              support<f64<4>, f64<5, 4>, f64<5>>, support<f16<2, 3, 4>, weight<f16<5, 4>>, weight<f16<5>>>>;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        const auto& x = c.aten.tensor(op::at::input);
        const auto& out = c.aten.result_type();
        if (!multiplies(out.type) || c.aten.tensor(op::at::weight).rank != 2 || x.rank < 1) return c.emit_ai_cpu_call();
        const auto k = x.size(x.rank - 1);
        std::int64_t rows = 1;
        for (int d = 0; d + 1 < x.rank; ++d) rows *= x.size(d);
        auto a = c.operand(op::at::input);
        if (x.rank != 2) a = c.reshaped(c.contiguous(a), {rows, k});
        const auto bias = c.aten.is_given(op::at::bias) ? c.operand(op::at::bias) : argument{};
        const auto b = c.transposed_view(c.operand(op::at::weight), 0, 1);
        if (x.rank == 2) return create_matmul(c, a, b, bias);
        const auto n = argument::of(c.type_of(b).size(1));
        return c.bind_result(c.view(c.create<device::matmul>({a, packed(c, a, b), bias, n, {}, {}, {}, {}, {}}), out));
    }
};

struct bmm {
    using op = aten::bmm;
    using supported = cases<support<f32<2, 3, 4>, f32<2, 4, 5>>, support<f64<3, 1, 8>, weight<f64<3, 8, 2>>>,
                            support<f16<2, 13, 4>, f16<2, 4, 5>>>;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        if (!multiplies(c.aten.result_type().type)) return c.emit_ai_cpu_call();
        return c.bind_result(c.create<device::batch_matmul>(
            {c.operand(op::at::self), c.operand(op::at::mat2), {}, argument::of(false)}));
    }
};

struct int_mm {
    using op = aten::int_mm;
    static constexpr bool takes_any_dtype = true; // i8
    using supported =
        cases<support<i8<3, 5>, i8<5, 7>>, support<i8<7, 33>, weight<i8<33, 40>>>,
              support<strided<dtype::i8, ints<5, 6>, ints<1, 5>, 0>, strided<dtype::i8, ints<6, 4>, ints<1, 6>, 0>>>;
    static constexpr bool convert(convert_context& c) {
        const auto a = c.operand(op::at::self), b = c.operand(op::at::mat2);
        return c.create_result<device::int_matmul>({a, packed(c, a, b), argument::of(c.type_of(b).size(1))});
    }
};

struct weight_int8pack_mm {
    using op = aten::weight_int8pack_mm;
    using supported =
        cases<support<f32<1, 37>, weight<i8<19, 37>>, weight<f32<19>>>, support<f32<7, 64>, i8<9, 64>, f32<9>>,
              support<f64<3, 5>, i8<4, 5>, f64<4>>, support<bf16<2, 33>, weight<i8<6, 33>>, weight<bf16<6>>>,
              support<strided<dtype::f32, ints<5, 6>, ints<1, 5>, 0>, i8<3, 6>, f32<3>>>;
    static constexpr bool takes_any_dtype = true; // weights of i8; f16 and bf16 are computed in f32
    static constexpr bool convert(convert_context& c) {
        const auto type = c.aten.result_type().type;
        const auto as = [&](const argument& x, dtype to) {
            return c.type_of(x).type == to ? x : c.create<device::cast>({x, argument::of(to)});
        };
        const auto operand = [&](int i) { return c.contiguous(as(c.operand(i), computed_as(type))); };
        const auto weight = c.contiguous(c.operand(op::at::mat2));
        const auto made =
            c.create<device::weight_int8_matmul>({operand(op::at::self), weight, operand(op::at::scales), {}});
        return c.bind_result(as(made, type));
    }
};

using matmul_converters = converter_list<mm, bmm, addmm, linear, int_mm, weight_int8pack_mm>;

} // namespace ahead::convert
