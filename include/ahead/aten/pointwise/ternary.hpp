// SPDX-License-Identifier: MIT
// Pointwise operators with three operands, or two and a mask: lerp, addcmul, addcdiv, fma, where, masked_fill.
// Source: aten/src/ATen/native/PointwiseOps.cpp, Lerp.h, TensorCompare.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// lerp.Scalar(Tensor self, Tensor end, Scalar weight): self + weight * (end - self)
struct lerp_scalar : takes_complex<pointwise<2, promotion::keep, domain::fraction>> {
    static constexpr std::string_view name = "aten.lerp.Scalar"sv;
    enum at : int { self, end, weight };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("end", parameter_kind::tensor),
                                           required("weight", parameter_kind::scalar)};
    template <class T> static constexpr T meaning(T x, T end, T weight) {
        bool is_near = false;
        if constexpr (is_complex_number<T>) is_near = math::magnitude(weight) < 0.5;
        else is_near = math::abs(weight) < T(0.5);
        return is_near ? x + weight * (end - x) : end - (end - x) * (1 - weight);
    }
};

/// lerp.Tensor(Tensor self, Tensor end, Tensor weight)
struct lerp_tensor : takes_complex<pointwise<3, promotion::keep, domain::fraction>> {
    static constexpr std::string_view name = "aten.lerp.Tensor"sv;
    enum at : int { self, end, weight };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("end", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T x, T end, T weight) { return lerp_scalar::meaning(x, end, weight); }
};

/// addcmul(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1): self + value * tensor1 * tensor2
struct addcmul : takes_complex<pointwise<3, promotion::keep, domain::number>> {
    static constexpr std::string_view name = "aten.addcmul.default"sv;
    enum at : int { self, tensor1, tensor2, value };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("tensor1", parameter_kind::tensor),
        required("tensor2", parameter_kind::tensor), defaulted("value", parameter_kind::scalar, argument::of(1))};
    template <class T> static constexpr T meaning(T x, T y, T z, T value) {
        return math::add(x, math::mul(value, math::mul(y, z)));
    }
};

/// addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value=1): self + value * tensor1 / tensor2
struct addcdiv : takes_complex<pointwise<3, promotion::keep, domain::fraction>> {
    static constexpr std::string_view name = "aten.addcdiv.default"sv;
    enum at : int { self, tensor1, tensor2, value };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("tensor1", parameter_kind::tensor),
        required("tensor2", parameter_kind::tensor), defaulted("value", parameter_kind::scalar, argument::of(1))};
    template <class T> static constexpr T meaning(T x, T y, T z, T value) { return x + value * (y / z); }
};

/// prims.fma(Tensor a, Tensor b, Tensor c): a * b + c, here rounded twice
struct fma : pointwise<3, promotion::keep> {
    static constexpr std::string_view name = "prims.fma.default"sv;
    enum at : int { a, b, c };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor), required("b", parameter_kind::tensor),
                                           required("c", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T x, T y, T z) { return math::add(math::mul(x, y), z); }
};

namespace schemas {
struct where {
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
};
struct masked_fill {
    enum at : int { self, mask, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor),
                                           required("value", parameter_kind::scalar)};
};
} // namespace schemas

/// where.self(Tensor condition, Tensor self, Tensor other): self if condition, else other
struct where : masked<3, schemas::where::condition>, schemas::where {
    static constexpr std::string_view name = "aten.where.self"sv;
    template <class T> static constexpr T meaning(T condition, T x, T y) { return condition != T{} ? x : y; }
};

/// where.ScalarSelf(Tensor condition, Scalar self, Tensor other)
struct where_scalar_self : where {
    static constexpr std::string_view name = "aten.where.ScalarSelf"sv;
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::scalar),
                                           required("other", parameter_kind::tensor)};
};

/// where.ScalarOther(Tensor condition, Tensor self, Scalar other)
struct where_scalar_other : where {
    static constexpr std::string_view name = "aten.where.ScalarOther"sv;
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::scalar)};
};

/// where.Scalar(Tensor condition, Scalar self, Scalar other)
struct where_scalar : where {
    static constexpr std::string_view name = "aten.where.Scalar"sv;
    enum at : int { condition, self, other };
    static constexpr parameter schema[] = {required("condition", parameter_kind::tensor),
                                           required("self", parameter_kind::scalar),
                                           required("other", parameter_kind::scalar)};
};

/// masked_fill.Scalar(Tensor self, Tensor mask, Scalar value): value if mask, else self; the dtype of self, row-major
struct masked_fill_scalar : masked<2, schemas::masked_fill::mask> {
    static constexpr std::string_view name = "aten.masked_fill.Scalar"sv;
    using at = schemas::masked_fill::at; // not a base, whose enumerator would conflict with `mask`
    static constexpr auto& schema = schemas::masked_fill::schema;
    static constexpr bool infer(infer_context& c) {
        const auto type = c.tensor(at::self).type;
        if (!masked::infer(c)) return false;
        const auto out = tensor_of(type, sizes_of(c.result_type()));
        return c.result(out);
    }
    template <class T> static constexpr T meaning(T x, T mask, T value) { return mask != T{} ? value : x; }
};

/// masked_fill.Tensor(Tensor self, Tensor mask, Tensor value): value of rank 0
struct masked_fill_tensor : masked_fill_scalar {
    static constexpr std::string_view name = "aten.masked_fill.Tensor"sv;
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::value).rank != 0) return c.refuse(fault::rank_is_wrong, "rank 0", print(c.tensor(at::value)));
        return masked_fill_scalar::infer(c);
    }
};

using ternary_ops = op_list<lerp_scalar, lerp_tensor, addcmul, addcdiv, fma, where, where_scalar_self,
                            where_scalar_other, where_scalar, masked_fill_scalar, masked_fill_tensor>;
using in_place_ternary_ops =
    op_list<in_place<addcmul>, in_place<addcdiv>, in_place<masked_fill_scalar>, in_place<masked_fill_tensor>>;

} // namespace ahead::aten
