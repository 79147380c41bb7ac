// SPDX-License-Identifier: MIT
// Gradients of layer, group and batch norm, from the mean and 1/std that the norm returned. Sums accumulate in double
// and are rounded once. Source: aten/src/ATen/native/layer_norm.cpp, group_norm.cpp; torch/_decomp/decompositions.py.
#pragma once
#include <ahead/aten/normalise/group_norm.hpp>
#include <ahead/aten/reduce/gradient_sums.hpp>
#include <ahead/core/checked.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Parameter numbers of a norm's gradient.
struct norm_gradient_parameters {
    int grad_out, input, mean, rstd, weight, output_mask;
};

namespace detail {

/// Checks that the gradient has the input's type, and that the moments have these sizes, in its dtype or f32.
constexpr bool check_norm_gradient(infer_context& c, const norm_gradient_parameters& of, const int_list& moments) {
    const auto& t = c.tensor(of.input);
    const auto& gradient = c.tensor(of.grad_out);
    if (gradient.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(gradient));
    if (sizes_of(gradient) != sizes_of(t)) return c.refuse(fault::shapes_do_not_broadcast, print(t), print(gradient));
    for (int i : {of.mean, of.rstd}) {
        const auto& given = c.tensor(i);
        if (sizes_of(given) != moments)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, moments)), print(given));
        if (given.type != t.type && given.type != dtype::f32)
            return c.refuse(fault::dtypes_differ, print(tensor_of(t.type, moments)), print(given));
    }
    return true;
}

/// The moments that normalise the input: moments of the input's elements, through which the gradient flows as well, or
/// a constant mean and variance.
enum class moments_are : std::uint8_t { of_the_elements, constants };

/// Adds the contribution of one group of elements, which `walk` visits, to the gradients; the group's moments are at
/// index `row`, weight and bias of element i at place(i).
constexpr void add_norm_gradient(auto& c, const norm_gradient_parameters& of, auto as, const int_list& row, auto walk,
                                 std::int64_t count, auto place, auto& to_weight, auto& to_bias,
                                 moments_are given = moments_are::of_the_elements, double eps = 0) {
    const auto gradient = c.input(of.grad_out, as), x = c.input(of.input, as);
    const auto mean = static_cast<double>(c.input(of.mean, as)[row]);
    const bool is_constant = given == moments_are::constants;
    const auto spread = static_cast<double>(c.input(of.rstd, as)[row]);
    const double rstd = is_constant ? 1 / math::sqrt(spread + eps) : spread;
    const auto weighted = [&](const int_list& i) {
        const auto g = static_cast<double>(gradient[i]);
        return c.is_given(of.weight) ? g * static_cast<double>(c.input(of.weight, as)[place(i)]) : g;
    };
    const auto normal = [&](const int_list& i) { return (static_cast<double>(x[i]) - mean) * rstd; };
    double total = 0, along = 0;
    walk([&](const int_list& i) {
        total += weighted(i);
        along += weighted(i) * normal(i);
        to_weight.add(place(i), static_cast<double>(gradient[i]) * normal(i));
        to_bias.add(place(i), static_cast<double>(gradient[i]));
    });
    if (!wants_gradient(c, of.output_mask, 0)) return;
    const auto n = static_cast<double>(count);
    walk([&](const int_list& i) {
        const double through = is_constant ? 0 : total / n + normal(i) * along / n;
        c.output(0, as).put(i, math::convert<decltype(as)>(rstd * (weighted(i) - through)));
    });
}

} // namespace detail

/// native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd,
/// Tensor? weight, Tensor? bias, bool[3] output_mask): gradients of input, weight and bias; an empty tensor instead of
/// PyTorch's None if the mask is False, or if weight or bias is absent
struct native_layer_norm_backward {
    static constexpr std::string_view name = "aten.native_layer_norm_backward.default"sv;
    enum at : int { grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask };
    static constexpr parameter schema[] = {required("grad_out", parameter_kind::tensor),
                                           required("input", parameter_kind::tensor),
                                           required("normalized_shape", parameter_kind::int_list),
                                           required("mean", parameter_kind::tensor),
                                           required("rstd", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("output_mask", parameter_kind::boolean_list)};
    static constexpr norm_gradient_parameters norm{.grad_out = at::grad_out,
                                                   .input = at::input,
                                                   .mean = at::mean,
                                                   .rstd = at::rstd,
                                                   .weight = at::weight,
                                                   .output_mask = at::output_mask};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        const auto shape = c.ints(at::normalized_shape);
        if (!detail::check_normalized_shape(c, t, shape)) return false;
        for (int i : {at::weight, at::bias})
            if (c.is_given(i) && sizes_of(c.tensor(i)) != shape)
                return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, shape)), print(c.tensor(i)));
        const auto none = tensor_of(t.type, {0}), affine = tensor_of(t.type, shape);
        return detail::check_norm_gradient(c, norm, sizes_without(t, last_dims(t.rank, shape.size), true)) &&
               detail::set_gradients(c, at::output_mask,
                                     {tensor_of(t.type, sizes_of(t)), c.is_given(at::weight) ? affine : none,
                                      c.is_given(at::bias) ? affine : none});
    }
    static constexpr tensor_type sums(const auto& c) { return tensor_of(dtype::f64, c.ints(at::normalized_shape)); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 16 * element_count(sums(c)); }
    static constexpr void evaluate(auto& c) {
        c.compute_real(c.tensor(at::input).type, [&](auto as) {
            const auto& t = c.tensor(at::input);
            const int count = c.ints(at::normalized_shape).size;
            const auto dims = last_dims(t.rank, count);
            auto to_weight = detail::sums_beside(c, sums(c)), to_bias = detail::sums_beside(c, sums(c));
            for_each_reduced(t, dims, true, [&](const int_list& row, auto walk) {
                detail::add_norm_gradient(
                    c, norm, as, row, walk, reduced_count(t, dims),
                    [&](const int_list& i) { return detail::last_of(i, count); }, to_weight, to_bias);
            });
            if (c.is_given(at::weight) && detail::wants_gradient(c, at::output_mask, 1))
                to_weight.round_into(c.output(1, as), as);
            if (c.is_given(at::bias) && detail::wants_gradient(c, at::output_mask, 2))
                to_bias.round_into(c.output(2, as), as);
        });
    }
};

/// native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt
/// C, SymInt HxW, int group, bool[3] output_mask): gradients of input, weight and bias, the last two [C]; an empty
/// tensor instead of PyTorch's None if the mask is False
struct native_group_norm_backward {
    static constexpr std::string_view name = "aten.native_group_norm_backward.default"sv;
    enum at : int { grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask };
    static constexpr parameter schema[] = {required("grad_out", parameter_kind::tensor),
                                           required("input", parameter_kind::tensor),
                                           required("mean", parameter_kind::tensor),
                                           required("rstd", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("N", parameter_kind::integer),
                                           required("C", parameter_kind::integer),
                                           required("HxW", parameter_kind::integer),
                                           required("group", parameter_kind::integer),
                                           required("output_mask", parameter_kind::boolean_list)};
    static constexpr norm_gradient_parameters norm{.grad_out = at::grad_out,
                                                   .input = at::input,
                                                   .mean = at::mean,
                                                   .rstd = at::rstd,
                                                   .weight = at::weight,
                                                   .output_mask = at::output_mask};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        const auto groups = c.integer(at::group);
        if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
        const auto channels = c.integer(at::C), batch = c.integer(at::N), inner = c.integer(at::HxW);
        if (channels != t.size(1) || batch != t.size(0) ||
            (checked_int(channels) * batch * inner).get() != element_count(t))
            return c.refuse(fault::element_counts_differ, print(t),
                            short_text() << batch << " x " << channels << " x " << inner);
        const auto of_channels = tensor_of(t.type, {t.size(1)});
        if (c.is_given(at::weight) && sizes_of(c.tensor(at::weight)) != sizes_of(of_channels))
            return c.refuse(fault::shapes_do_not_broadcast, print(of_channels), print(c.tensor(at::weight)));
        return detail::check_groups(c, at::input, groups) &&
               detail::check_norm_gradient(c, norm, {t.size(0), groups}) &&
               detail::set_gradients(c, at::output_mask,
                                     {in_format_of(t, tensor_of(t.type, sizes_of(t))), of_channels, of_channels});
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 16 * c.tensor(at::input).size(1); }
    static constexpr void evaluate(auto& c) {
        c.compute_real(c.tensor(at::input).type, [&](auto as) {
            const auto& t = c.tensor(at::input);
            const auto sums = tensor_of(dtype::f64, {t.size(1)});
            auto to_weight = detail::sums_beside(c, sums), to_bias = detail::sums_beside(c, sums);
            detail::for_each_group(t, c.integer(at::group), [&](const int_list& row, auto walk, std::int64_t count) {
                detail::add_norm_gradient(
                    c, norm, as, row, walk, count, [](const int_list& i) { return int_list{i[1]}; }, to_weight,
                    to_bias);
            });
            if (detail::wants_gradient(c, at::output_mask, 1)) to_weight.round_into(c.output(1, as), as);
            if (detail::wants_gradient(c, at::output_mask, 2)) to_bias.round_into(c.output(2, as), as);
        });
    }
};

/// native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var,
/// Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask): gradients of input, weight and
/// bias, the last two [C]; an empty tensor instead of PyTorch's None if the mask is False. With train the norm used the
/// batch's moments, which it saved; else the running ones, which are constants
struct native_batch_norm_backward {
    static constexpr std::string_view name = "aten.native_batch_norm_backward.default"sv;
    enum at : int {
        grad_out,
        input,
        weight,
        running_mean,
        running_var,
        save_mean,
        save_invstd,
        train,
        eps,
        output_mask
    };
    static constexpr parameter schema[] = {required("grad_out", parameter_kind::tensor),
                                           required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("running_mean", parameter_kind::optional_tensor),
                                           required("running_var", parameter_kind::optional_tensor),
                                           required("save_mean", parameter_kind::optional_tensor),
                                           required("save_invstd", parameter_kind::optional_tensor),
                                           required("train", parameter_kind::boolean),
                                           required("eps", parameter_kind::real),
                                           required("output_mask", parameter_kind::boolean_list)};
    static constexpr norm_gradient_parameters norm_of(const auto& c) {
        const bool trains = c.boolean(at::train);
        return {.grad_out = at::grad_out,
                .input = at::input,
                .mean = trains ? at::save_mean : at::running_mean,
                .rstd = trains ? at::save_invstd : at::running_var,
                .weight = at::weight,
                .output_mask = at::output_mask};
    }
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        const auto of = norm_of(c);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
        const auto* moments = c.boolean(at::train) ? "save_mean and save_invstd" : "running_mean and running_var";
        if (!c.is_given(of.mean) || !c.is_given(of.rstd)) return c.refuse(fault::argument_is_missing, moments, "None");
        const auto of_channels = tensor_of(t.type, {t.size(1)});
        if (c.is_given(at::weight) && sizes_of(c.tensor(at::weight)) != sizes_of(of_channels))
            return c.refuse(fault::shapes_do_not_broadcast, print(of_channels), print(c.tensor(at::weight)));
        return detail::check_norm_gradient(c, of, sizes_of(of_channels)) &&
               detail::set_gradients(c, at::output_mask,
                                     {in_format_of(c.tensor(at::grad_out), tensor_of(t.type, sizes_of(t))), of_channels,
                                      of_channels});
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 16 * c.tensor(at::input).size(1); }
    static constexpr void evaluate(auto& c) {
        const auto of = norm_of(c);
        const bool trains = c.boolean(at::train);
        c.compute_real(c.tensor(at::input).type, [&](auto as) {
            const auto& t = c.tensor(at::input);
            const auto sums = tensor_of(dtype::f64, {t.size(1)});
            auto to_weight = detail::sums_beside(c, sums), to_bias = detail::sums_beside(c, sums);
            auto window = sizes_of(t);
            window[1] = 1;
            for (std::int64_t channel = 0; channel < t.size(1); ++channel) {
                const auto walk = [&](auto f) {
                    for_each_index(window, [&](int_list i) {
                        i[1] = channel;
                        f(static_cast<const int_list&>(i));
                    });
                };
                detail::add_norm_gradient(
                    c, of, as, {channel}, walk, t.size(1) > 0 ? element_count(t) / t.size(1) : 0,
                    [](const int_list& i) { return int_list{i[1]}; }, to_weight, to_bias,
                    trains ? detail::moments_are::of_the_elements : detail::moments_are::constants, c.real(at::eps));
            }
            if (detail::wants_gradient(c, at::output_mask, 1)) to_weight.round_into(c.output(1, as), as);
            if (detail::wants_gradient(c, at::output_mask, 2)) to_bias.round_into(c.output(2, as), as);
        });
    }
};

using norm_gradient_ops =
    op_list<native_layer_norm_backward, native_group_norm_backward, native_batch_norm_backward>;

} // namespace ahead::aten
