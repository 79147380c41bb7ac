// SPDX-License-Identifier: MIT
// Gated activations: glu, prelu, rrelu; the gradients of glu and elu.
// Source: aten/src/ATen/native/GatedLinearUnit.cpp, Activation.cpp.
#pragma once
#include <ahead/aten/pointwise/activation.hpp>
#include <ahead/aten/shape/slice.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Refuses a tensor whose dim, given by a parameter, cannot be halved.
constexpr bool find_halves(infer_context& c, int self, int parameter, int& dim) {
    const auto& t = c.tensor(self);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (!find_dim(c, parameter, t, dim)) return false;
    return t.size(dim) % 2 == 0 || c.refuse(fault::split_sizes_do_not_add_up, "two halves of a dim", print(t));
}

} // namespace detail

/// glu(Tensor self, int dim=-1): the first half of a dim times the sigmoid of the second half
struct glu {
    static constexpr std::string_view name = "aten.glu.default"sv;
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        int along = 0;
        if (!detail::find_halves(c, at::self, at::dim, along)) return false;
        const auto& t = c.tensor(at::self);
        const auto half = sliced(t, along, 0, t.size(along) / 2);
        auto out = tensor_of(t.type, sizes_of(half));
        const std::array operands{&half};
        set_result_strides(out, operands);
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const int along = wrapped_dim(c.integer(at::dim), in.type().rank);
            for_each_index(sizes_of(out.type()), [&](int_list at) {
                const auto x = in[at];
                auto gate = at;
                gate[along] += out.type().size(along);
                out.put(at, x * sigmoid::meaning(in[gate]));
            });
        });
    }
};

/// glu_backward(Tensor grad_output, Tensor self, int dim): the gradient of both halves
struct glu_backward {
    static constexpr std::string_view name = "aten.glu_backward.default"sv;
    enum at : int { grad_output, self, dim };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        int along = 0;
        if (!detail::find_halves(c, at::self, at::dim, along)) return false;
        const auto &t = c.tensor(at::self), &gradient = c.tensor(at::grad_output);
        auto sizes = sizes_of(t);
        sizes[along] /= 2;
        const auto half = tensor_of(t.type, sizes);
        if (gradient.type != t.type) return c.refuse(fault::dtypes_differ, print(half), print(gradient));
        if (sizes_of(gradient) != sizes) return c.refuse(fault::shapes_do_not_broadcast, print(half), print(gradient));
        return c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto gradient = c.input(at::grad_output, as);
            const auto out = c.output(0, as);
            const int along = wrapped_dim(c.integer(at::dim), in.type().rank);
            for_each_index(sizes_of(gradient.type()), [&](int_list at) {
                const auto x = in[at], g = gradient[at];
                auto other = at;
                other[along] += gradient.type().size(along);
                const auto gate = sigmoid::meaning(in[other]);
                out.put(at, g * gate);
                out.put(other, g * x * gate * (1 - gate));
            });
        });
    }
};

/// prelu(Tensor self, Tensor weight): x, or x * weight if x < 0; one weight, or one per channel, dim 1
struct prelu {
    static constexpr std::string_view name = "aten.prelu.default"sv;
    enum at : int { self, weight };
    static constexpr auto& schema = prelu_kernel::schema;
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &weight = c.tensor(at::weight);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (weight.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(weight));
        if (weight.rank > 1) return c.refuse(fault::rank_is_wrong, "a weight of rank 0 or 1", print(weight));
        const auto count = element_count(weight), channels = t.rank > 1 ? t.size(1) : 1;
        if (count != 1 && count != channels)
            return c.refuse(fault::channels_differ, short_text() << "1 weight or " << channels, print(weight));
        auto out = tensor_of(t.type, sizes_of(t));
        const std::array operands{&t};
        set_result_strides(out, operands);
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as), weight = c.input(at::weight, as);
            const auto out = c.output(0, as);
            const bool shared = element_count(weight.type()) == 1;
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const auto slope = weight.type().rank == 0 ? weight[{}] : weight[{shared ? 0 : at[1]}];
                out.put(at, prelu_kernel::meaning(in[at], slope));
            });
        });
    }
};

/// elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor
/// self_or_result): computed from the input, or from the output
struct elu_backward {
    static constexpr std::string_view name = "aten.elu_backward.default"sv;
    enum at : int { grad_output, alpha, scale, input_scale, is_result, self_or_result };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("alpha", parameter_kind::scalar),
        required("scale", parameter_kind::scalar),       required("input_scale", parameter_kind::scalar),
        required("is_result", parameter_kind::boolean),  required("self_or_result", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::grad_output), &x = c.tensor(at::self_or_result);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (x.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(x));
        if (c.boolean(at::is_result) && c.real(at::alpha) < 0)
            return c.refuse(fault::argument_has_wrong_kind, "alpha from 0, beside a result", "a number below 0");
        return infer_pointwise<std::size(schema), promotion::keep>(c);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto gradient = c.input(at::grad_output, as), in = c.input(at::self_or_result, as);
            const auto out = c.output(0, as);
            const T scale = c.number(at::scale, as), inner = c.number(at::alpha, as) * scale,
                    outer = c.number(at::input_scale, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const T x = in[broadcast_index(in.type(), at)], g = gradient[broadcast_index(gradient.type(), at)];
                if (!(x <= 0)) return out.put(at, g * scale);
                out.put(at, g * outer * (c.boolean(at::is_result) ? x + inner : inner * math::exp(x * outer)));
            });
        });
    }
};

/// rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator?
/// generator=None): leaky_relu with the mean of both slopes; training, which draws slopes, is refused
struct rrelu {
    static constexpr std::string_view name = "aten.rrelu.default"sv;
    enum at : int { self, lower, upper, training, generator };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("lower", parameter_kind::scalar, argument::of(0.125)),
                                           defaulted("upper", parameter_kind::scalar, argument::of(1 / 3.0)),
                                           defaulted("training", parameter_kind::boolean, argument::of(false)),
                                           defaulted("generator", parameter_kind::generator)};
    static constexpr double slope_of(const auto& c) { return (c.real(at::lower) + c.real(at::upper)) / 2; }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (c.boolean(at::training))
            return c.refuse(fault::argument_has_wrong_kind, "training=False: slopes here are not drawn", "True");
        auto out = tensor_of(t.type, sizes_of(t));
        const std::array operands{&t};
        set_result_strides(out, operands);
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto slope = math::convert<decltype(as)>(slope_of(c));
            for_each_index(sizes_of(out.type()),
                           [&](const int_list& at) { out.put(at, leaky_relu::meaning(in[at], slope)); });
        });
    }
};

/// rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool
/// training=False, Generator? generator=None): (rrelu, noise)
struct rrelu_with_noise {
    static constexpr std::string_view name = "aten.rrelu_with_noise_functional.default"sv;
    enum at : int { self, noise, lower, upper, training, generator };
    static constexpr parameter schema[] = {rrelu::schema[0], required("noise", parameter_kind::tensor),
                                           rrelu::schema[1], rrelu::schema[2],
                                           rrelu::schema[3], rrelu::schema[4]};
    static constexpr double slope_of(const auto& c) { return (c.real(at::lower) + c.real(at::upper)) / 2; }
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &noise = c.tensor(at::noise);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (noise.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(noise));
        if (c.boolean(at::training))
            return c.refuse(fault::argument_has_wrong_kind, "training=False: slopes here are not drawn", "True");
        const auto out = like(t, t.type), same = like(noise, noise.type);
        return c.results(2) && c.set(0, out) && c.set(1, same);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as), noise = c.input(at::noise, as);
            const auto slope = math::convert<decltype(as)>(slope_of(c));
            for_each_index(sizes_of(in.type()),
                           [&](const int_list& at) { c.output(0, as).put(at, leaky_relu::meaning(in[at], slope)); });
            for_each_index(sizes_of(noise.type()), [&](const int_list& at) { c.output(1, as).put(at, noise[at]); });
        });
    }
};

using gated_ops = op_list<glu, glu_backward, prelu, elu_backward, rrelu, rrelu_with_noise>;

} // namespace ahead::aten
