// SPDX-License-Identifier: MIT
// Operators on lists of tensors that torch.optim calls, _foreach_add and its kin, functional: result k is the
// single-tensor operator applied to element k of each list. Floating point only; the in-place forms are not supported.
// Source: aten/src/ATen/native/ForeachOpsKernels.cpp, native_functions.yaml.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/pointwise/pointwise.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// lists: the number of leading list parameters.
constexpr bool infer_on_lists(infer_context& c, int lists) {
    const auto count = c.list_size(0);
    if (count == 0) return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
    if (!c.results(count)) return false;
    for (int i = 0; i < lists; ++i) {
        if (c.list_size(i) != count)
            return c.refuse(fault::element_counts_differ, short_text() << count << " tensors in each list",
                            short_text() << c.list_size(i));
        for (std::int32_t k = 0; k < count; ++k) {
            if (c.element(i, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto& first = c.in().value_of(c.element(0, k)).type;
            const auto& t = c.in().value_of(c.element(i, k)).type;
            if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
            if (t.type != first.type || sizes_of(t) != sizes_of(first))
                return c.refuse(fault::shapes_do_not_broadcast, print(first), print(t));
            if (i == 0 && !c.set(k, like(t, t.type))) return false;
        }
    }
    return true;
}
/// Op has `element`, the single-tensor operator, and `meaning(x, number)`: x has an element of each list; number is the
/// parameter after the lists. Lists: the number of leading list parameters.
template <class Op, int Lists> struct on_lists {
    static constexpr int lists = Lists;
    static constexpr bool infer(infer_context& c) { return infer_on_lists(c, Lists); }
    static constexpr void evaluate(auto& c) {
        double number = 0;
        if constexpr (std::size(Op::schema) > Lists) number = c.real(Lists);
        for (std::int32_t k = 0; k < c.list_size(0); ++k) {
            const auto out = c.output(k, double{});
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                double x[Lists];
                for (int i = 0; i < Lists; ++i) x[i] = c.list_input(i, k, double{})[at];
                out.put(at, Op::meaning(x, number));
            });
        }
    }
};

inline constexpr parameter list_self = required("self", parameter_kind::tensor_list);
inline constexpr parameter list_other = required("other", parameter_kind::tensor_list);
inline constexpr parameter list_scalar = required("scalar", parameter_kind::scalar);
inline constexpr parameter list_alpha = defaulted("alpha", parameter_kind::scalar, argument::of(1));

template <class Op> struct on_one_list : on_lists<Op, 1> {
    enum at : int { self };
    static constexpr parameter schema[] = {list_self};
};
template <class Op> struct on_list_and_scalar : on_lists<Op, 1> {
    enum at : int { self, scalar };
    static constexpr parameter schema[] = {list_self, list_scalar};
};
template <class Op> struct on_two_lists : on_lists<Op, 2> {
    enum at : int { self, other };
    static constexpr parameter schema[] = {list_self, list_other};
};
template <class Op> struct on_scaled_lists : on_lists<Op, 2> {
    enum at : int { self, other, alpha };
    static constexpr parameter schema[] = {list_self, list_other, list_alpha};
};
template <class Op> struct on_three_lists : on_lists<Op, 3> {
    enum at : int { self, tensor1, tensor2, value };
    static constexpr parameter schema[] = {list_self, required("tensor1", parameter_kind::tensor_list),
                                           required("tensor2", parameter_kind::tensor_list),
                                           defaulted("value", parameter_kind::scalar, argument::of(1))};
};

} // namespace detail

/// _foreach_neg(Tensor[] self) -> Tensor[]; sqrt likewise
struct foreach_neg : detail::on_one_list<foreach_neg> {
    static constexpr std::string_view name = "aten._foreach_neg.default", element = "aten.neg.default";
    static constexpr double meaning(const double* x, double) { return -x[0]; }
};
struct foreach_sqrt : detail::on_one_list<foreach_sqrt> {
    static constexpr std::string_view name = "aten._foreach_sqrt.default", element = "aten.sqrt.default";
    static constexpr double meaning(const double* x, double) { return math::sqrt(x[0]); }
};

/// _foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]; sub, mul, div likewise
struct foreach_add_scalar : detail::on_list_and_scalar<foreach_add_scalar> {
    static constexpr std::string_view name = "aten._foreach_add.Scalar", element = "aten.add.Tensor";
    static constexpr double meaning(const double* x, double scalar) { return x[0] + scalar; }
};
struct foreach_sub_scalar : detail::on_list_and_scalar<foreach_sub_scalar> {
    static constexpr std::string_view name = "aten._foreach_sub.Scalar", element = "aten.sub.Tensor";
    static constexpr double meaning(const double* x, double scalar) { return x[0] - scalar; }
};
struct foreach_mul_scalar : detail::on_list_and_scalar<foreach_mul_scalar> {
    static constexpr std::string_view name = "aten._foreach_mul.Scalar", element = "aten.mul.Tensor";
    static constexpr double meaning(const double* x, double scalar) { return x[0] * scalar; }
};
struct foreach_div_scalar : detail::on_list_and_scalar<foreach_div_scalar> {
    static constexpr std::string_view name = "aten._foreach_div.Scalar", element = "aten.div.Tensor";
    static constexpr double meaning(const double* x, double scalar) { return x[0] / scalar; }
};

/// _foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]; sub likewise
struct foreach_add : detail::on_scaled_lists<foreach_add> {
    static constexpr std::string_view name = "aten._foreach_add.List", element = "aten.add.Tensor";
    static constexpr double meaning(const double* x, double alpha) { return x[0] + alpha * x[1]; }
};
struct foreach_sub : detail::on_scaled_lists<foreach_sub> {
    static constexpr std::string_view name = "aten._foreach_sub.List", element = "aten.sub.Tensor";
    static constexpr double meaning(const double* x, double alpha) { return x[0] - alpha * x[1]; }
};
/// _foreach_mul.List(Tensor[] self, Tensor[] other) -> Tensor[]; div likewise
struct foreach_mul : detail::on_two_lists<foreach_mul> {
    static constexpr std::string_view name = "aten._foreach_mul.List", element = "aten.mul.Tensor";
    static constexpr double meaning(const double* x, double) { return x[0] * x[1]; }
};
struct foreach_div : detail::on_two_lists<foreach_div> {
    static constexpr std::string_view name = "aten._foreach_div.List", element = "aten.div.Tensor";
    static constexpr double meaning(const double* x, double) { return x[0] / x[1]; }
};

/// _foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> Tensor[]
struct foreach_lerp : detail::on_lists<foreach_lerp, 2> {
    static constexpr std::string_view name = "aten._foreach_lerp.Scalar", element = "aten.lerp.Scalar";
    enum at : int { self, tensors1, weight };
    static constexpr parameter schema[] = {detail::list_self, required("tensors1", parameter_kind::tensor_list),
                                           required("weight", parameter_kind::scalar)};
    static constexpr double meaning(const double* x, double weight) {
        return math::abs(weight) < 0.5 ? x[0] + weight * (x[1] - x[0]) : x[1] - (x[1] - x[0]) * (1 - weight);
    }
};

/// _foreach_addcmul.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[]; addcdiv
/// likewise
struct foreach_addcmul : detail::on_three_lists<foreach_addcmul> {
    static constexpr std::string_view name = "aten._foreach_addcmul.Scalar", element = "aten.addcmul.default";
    static constexpr double meaning(const double* x, double value) { return x[0] + value * x[1] * x[2]; }
};
struct foreach_addcdiv : detail::on_three_lists<foreach_addcdiv> {
    static constexpr std::string_view name = "aten._foreach_addcdiv.Scalar", element = "aten.addcdiv.default";
    static constexpr double meaning(const double* x, double value) { return x[0] + value * (x[1] / x[2]); }
};

using foreach_ops =
    op_list<foreach_neg, foreach_sqrt, foreach_add_scalar, foreach_sub_scalar, foreach_mul_scalar, foreach_div_scalar,
            foreach_add, foreach_sub, foreach_mul, foreach_div, foreach_lerp, foreach_addcmul, foreach_addcdiv>;

} // namespace ahead::aten
