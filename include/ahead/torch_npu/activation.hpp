// SPDX-License-Identifier: MIT
// torch_npu's activations, plain and gated by a half of the tensor. The pointwise ones have kernels, like ATen's.
#pragma once
#include <ahead/torch_npu/expansion.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

/// npu_fast_gelu(Tensor self): x * sigmoid(1.702 x)
struct npu_fast_gelu : aten::unary<promotion::keep, aten::domain::real> {
    static constexpr std::string_view name = "npu.npu_fast_gelu.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x) { return x / (1 + math::exp(T(-1.702) * x)); }
};
/// npu_gelu(Tensor self, *, str approximate='none'): aten.gelu
struct npu_gelu : aten::gelu {
    static constexpr std::string_view name = "npu.npu_gelu.default"sv;
};
/// npu_silu(Tensor self): aten.silu
struct npu_silu : aten::silu {
    static constexpr std::string_view name = "npu.npu_silu.default"sv;
};
/// npu_mish(Tensor self): aten.mish
struct npu_mish : aten::mish {
    static constexpr std::string_view name = "npu.npu_mish.default"sv;
};

namespace detail {

/// The type of half of parameter 0 along the dim given by parameter `dim`, whose size must be even.
constexpr bool infer_half(infer_context& c, int dim, tensor_type& half) {
    const auto& t = c.tensor(first_parameter);
    int d = 0;
    if (!check_floating(c, first_parameter) || !check_rank(c, first_parameter, 1, max_rank) ||
        !c.wrap_dim(c.integer(dim), t.rank, d))
        return false;
    auto sizes = sizes_of(t);
    if (sizes[d] % 2 != 0)
        return c.refuse(fault::split_sizes_do_not_add_up, "two halves of a dim of even size", print(t));
    sizes[d] /= 2;
    half = tensor_of(t.type, sizes);
    return true;
}
/// Calls f(index, element of the first half, element of the second half).
constexpr void for_each_pair(auto& c, int dim, auto f) {
    const auto x = c.input(first_parameter, float{});
    const int d = wrapped_dim(c.integer(dim), x.type().rank);
    for_each_index(sizes_of(c.result_type()), [&](const int_list& i) {
        auto other = i;
        other[d] += c.result_type().size(d);
        f(i, static_cast<double>(x[i]), static_cast<double>(x[other]));
    });
}
struct halves {
    argument first, second;
};
constexpr halves halves_of(decompose_context& c, const argument& x, int dim) {
    const auto size = c.type_of(x).size(dim);
    return {part(c, x, dim, 0, size / 2), part(c, x, dim, size / 2, size)};
}

} // namespace detail

/// npu_swiglu(Tensor self, int dim=-1): silu(a) * b of the halves a and b along dim
struct npu_swiglu {
    static constexpr std::string_view name = "npu.npu_swiglu.default"sv;
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1))};
    static constexpr std::int32_t most_calls = 6;
    static constexpr bool infer(infer_context& c) {
        tensor_type half;
        return detail::infer_half(c, at::dim, half) && c.result(half);
    }
    static constexpr void evaluate(auto& c) {
        detail::for_each_pair(c, at::dim, [&](const int_list& i, double a, double b) {
            c.output(0, float{}).put(i, static_cast<float>(a / (1 + math::exp(-a)) * b));
        });
    }
    static constexpr void expand(decompose_context& c) {
        const auto x = wide(c, at::self);
        if (!c.editor().ok()) return;
        const auto half = detail::halves_of(c, x, wrapped_dim(c.aten.integer(at::dim), c.type_of(x).rank));
        finish(c, c.call(mul, {c.call("aten.silu.default", {half.first}), half.second}));
    }
};

/// npu_geglu(Tensor self, int dim=-1, int approximate=1, bool activate_left=False): (a * gelu(b), gelu(b)) of the
/// halves a and b along dim, or with activate_left (gelu(a) * b, gelu(a)); approximate: 0 by erf, 1 by tanh
struct npu_geglu {
    static constexpr std::string_view name = "npu.npu_geglu.default"sv;
    enum at : int { self, dim, approximate, activate_left };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("approximate", parameter_kind::integer, argument::of(1)),
                                           defaulted("activate_left", parameter_kind::boolean, argument::of(false))};
    static constexpr std::int32_t most_calls = 7;
    static constexpr bool infer(infer_context& c) {
        tensor_type half;
        const auto form = c.integer(at::approximate);
        if (form != 0 && form != 1)
            return c.refuse(fault::argument_has_wrong_kind, "approximate: 0 or 1", short_text() << form);
        return detail::infer_half(c, at::dim, half) && c.results(2) && c.set(0, half) && c.set(1, half);
    }
    static constexpr void evaluate(auto& c) {
        const auto form = c.integer(at::approximate);
        const bool left = c.boolean(at::activate_left);
        detail::for_each_pair(c, at::dim, [&](const int_list& i, double a, double b) {
            const double bent = aten::gelu::meaning(left ? a : b, static_cast<double>(form));
            c.output(0, float{}).put(i, static_cast<float>(bent * (left ? b : a)));
            c.output(1, float{}).put(i, static_cast<float>(bent));
        });
    }
    static constexpr void expand(decompose_context& c) {
        const auto x = wide(c, at::self);
        if (!c.editor().ok()) return;
        const bool left = c.aten.boolean(at::activate_left);
        const auto half = detail::halves_of(c, x, wrapped_dim(c.aten.integer(at::dim), c.type_of(x).rank));
        const argument form = c.aten.integer(at::approximate) == 0 ? argument_of_word<aten::approximation::none>()
                                                                   : argument_of_word<aten::approximation::tanh>();
        const auto bent = c.call("aten.gelu.default", {left ? half.first : half.second, form});
        finish(c, c.call(mul, {bent, left ? half.second : half.first}));
        finish(c, bent, 1);
    }
};

using activation_ops = op_list<npu_fast_gelu, npu_gelu, npu_silu, npu_mish, npu_swiglu, npu_geglu>;

} // namespace ahead::torch_npu
