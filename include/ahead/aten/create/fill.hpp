// SPDX-License-Identifier: MIT
// Operators that write whole tensors: copy, fill, zero; functional and in place.
// Source: aten/src/ATen/native/Copy.cpp, Fill.cpp.
#pragma once
#include <ahead/aten/create/copy.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Meaning of copy and fill: writes parameter `source`, a number or a tensor that broadcasts to self's sizes.
constexpr void evaluate_copy(auto& c, int source) {
    compute_copy(c, [&](auto as) {
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            if (!c.is_tensor(source)) {
                out.put(at, c.number(source, as));
                return;
            }
            const auto in = c.input(source, as);
            out.put(at, in[broadcast_index(in.type(), at)]);
        });
    });
}

/// Checks that `source` broadcasts to the sizes of `self`.
constexpr bool check_source(infer_context& c, const tensor_type& self, const tensor_type& source) {
    auto sizes = sizes_of(self);
    if (!broadcast_into(c, sizes, source)) return false;
    return sizes == sizes_of(self) || c.refuse(fault::shapes_do_not_broadcast, print(self), print(source));
}

} // namespace detail

/// copy(Tensor self, Tensor src, bool non_blocking=False): src with the sizes and dtype of self
struct copy {
    static constexpr std::string_view name = "aten.copy.default"sv;
    enum at : int { self, src, non_blocking };
    static constexpr effects effect{.moves_elements = true, .printed_like = at::self};
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("src", parameter_kind::tensor), schemas::non_blocking_option};
    static constexpr bool infer(infer_context& c) {
        return detail::check_source(c, c.tensor(at::self), c.tensor(at::src)) &&
               c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_copy(c, at::src); }
};

/// fill.Scalar(Tensor self, Scalar value)
struct fill_scalar {
    static constexpr std::string_view name = "aten.fill.Scalar"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("value", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_copy(c, at::value); }
};

/// fill.Tensor(Tensor self, Tensor value): value of rank 0
struct fill_tensor {
    static constexpr std::string_view name = "aten.fill.Tensor"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::value).rank != 0) return c.refuse(fault::rank_is_wrong, "rank 0", print(c.tensor(at::value)));
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_copy(c, at::value); }
};

/// zero(Tensor self)
struct zero {
    static constexpr std::string_view name = "aten.zero.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, as); });
        });
    }
};

namespace detail {

/// Operators that write Op's result into self and return self.
template <class Op, bool OneValue> struct writes_self {
    using at = typename Op::at;
    static constexpr auto& schema = Op::schema;
    static constexpr effects effect{.view_of = at::self,
                                    .mutates = at::self,
                                    .moves_elements = true,
                                    .is_elementwise = true,
                                    .writes_one_value = OneValue};
    static constexpr bool infer(infer_context& c) { return c.view_result(c.tensor(at::self), at::self); }
    static constexpr void evaluate(auto& c) { Op::evaluate(c); }
};

} // namespace detail

/// copy_(Tensor(a!) self, Tensor src, bool non_blocking=False)
struct copy_in_place : detail::writes_self<copy, false> {
    static constexpr std::string_view name = "aten.copy_.default"sv;
    static constexpr bool infer(infer_context& c) {
        return detail::check_source(c, c.tensor(at::self), c.tensor(at::src)) && writes_self::infer(c);
    }
};

/// fill_.Scalar(Tensor(a!) self, Scalar value)
struct fill_scalar_in_place : detail::writes_self<fill_scalar, true> {
    static constexpr std::string_view name = "aten.fill_.Scalar"sv;
};

/// zero_(Tensor(a!) self)
struct zero_in_place : detail::writes_self<zero, true> {
    static constexpr std::string_view name = "aten.zero_.default"sv;
};

using fill_ops = op_list<copy, fill_scalar, fill_tensor, zero, copy_in_place, fill_scalar_in_place, zero_in_place>;

} // namespace ahead::aten
