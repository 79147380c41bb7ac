// SPDX-License-Identifier: MIT
// Batch norms, and instance norm. Moments accumulate in double. Training forms that write their running statistics are
// refused: use _native_batch_norm_legit_functional, to which torch.export lowers them.
// Source: aten/src/ATen/native/Normalization.cpp.
#pragma once
#include <ahead/aten/normalise/group_norm.hpp>
#include <ahead/ir/type/memory_format.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
struct batch_norm {
    enum at : int { input, weight, bias, running_mean, running_var, training, momentum, eps };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("running_mean", parameter_kind::optional_tensor),
                                           required("running_var", parameter_kind::optional_tensor),
                                           required("training", parameter_kind::boolean),
                                           required("momentum", parameter_kind::real),
                                           required("eps", parameter_kind::real)};
};
/// Schema of the operators that require running statistics, and whose names imply whether they train.
struct batch_norm_of_statistics {
    enum at : int { input, weight, bias, running_mean, running_var, momentum, eps };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("running_mean", parameter_kind::tensor),
                                           required("running_var", parameter_kind::tensor),
                                           required("momentum", parameter_kind::real),
                                           required("eps", parameter_kind::real)};
};
} // namespace schemas

namespace detail {

/// Batch norm over dim 1; the result has the input's format: channels_last or row-major. The first parameters are
/// always input, weight, bias, running_mean, running_var. With `training` uses the batch's moments; writes them to
/// results 1 and 2, if results >= 3, and the updated running statistics to the last two, if results is 5 or 6.
constexpr void evaluate_batch_norm(auto& c, bool training, double momentum, double eps, int results) {
    using at = schemas::batch_norm::at;
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(at::input, as);
        const auto out = c.output(0, as);
        const auto& t = in.type();
        auto window = sizes_of(t);
        window[1] = 1;
        std::int64_t count = 1;
        for (auto size : window) count *= size;
        for (std::int64_t channel = 0; channel < t.size(1); ++channel) {
            auto walk = [&](auto g) {
                for_each_index(window, [&](int_list i) {
                    i[1] = channel;
                    g(static_cast<const int_list&>(i));
                });
            };
            moments m;
            if (training) m = moments_of(in, walk, count, 0);
            else
                m = {static_cast<double>(c.input(at::running_mean, as)[{channel}]),
                     static_cast<double>(c.input(at::running_var, as)[{channel}])};
            double rstd = 1 / math::sqrt(m.variance + eps);
            const double scale = c.is_given(at::weight) ? static_cast<double>(c.input(at::weight, as)[{channel}]) : 1;
            const double shift = c.is_given(at::bias) ? static_cast<double>(c.input(at::bias, as)[{channel}]) : 0;
            const moments own = m;
            if (training && is_half(t.type)) { // PyTorch normalises by the rounded moments that it returns
                m.mean = c.rounded(t.type, m.mean);
                rstd = c.rounded(t.type, rstd);
            }
            walk([&](const int_list& i) {
                out.put(i, math::convert<T>((static_cast<double>(in[i]) - m.mean) * rstd * scale + shift));
            });
            if (training && results > 1) {
                c.output(1, as).put({channel}, math::convert<T>(m.mean));
                c.output(2, as).put({channel}, math::convert<T>(rstd));
            }
            if (results < 5) continue;
            const auto mean = static_cast<double>(c.input(at::running_mean, as)[{channel}]);
            const auto variance = static_cast<double>(c.input(at::running_var, as)[{channel}]);
            const double unbiased =
                count > 1 ? m.variance * static_cast<double>(count) / static_cast<double>(count - 1) : m.variance;
            c.output(results - 2, double{}).put({channel}, training ? mean + momentum * (own.mean - mean) : mean);
            c.output(results - 1, double{})
                .put({channel}, training ? variance + momentum * (unbiased - variance) : variance);
        }
    });
}

constexpr bool infer_batch_norm(infer_context& c, bool training, int results, bool has_running = true) {
    using at = schemas::batch_norm::at;
    const auto t = c.tensor(at::input);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
    for (int i : {at::weight, at::bias, at::running_mean, at::running_var})
        if ((i <= at::bias || has_running) && !check_affine(c, i, {t.size(1)})) return false;
    if ((!training || results > 3) && !(c.is_given(at::running_mean) && c.is_given(at::running_var)))
        return c.refuse(fault::argument_is_missing, "running_mean and running_var", "None");
    const auto statistics = tensor_of(t.type, {training ? t.size(1) : 0});
    // PyTorch's functional form updates running statistics of f16 and bf16 in f32, and does not round them.
    const auto running = tensor_of(is_half(t.type) ? dtype::f32 : t.type, {t.size(1)});
    return c.results(results) && c.set(0, in_format_of(t, tensor_of(t.type, sizes_of(t)))) &&
           (results < 3 || (c.set(1, statistics) && c.set(2, statistics))) &&
           (results < 6 || c.set(3, tensor_of(dtype::u8, {0}))) &&
           (results < 5 || (c.set(results - 2, running) && c.set(results - 1, running)));
}

/// Refuses running statistics if the input's own moments are used, because PyTorch would update them.
constexpr bool writes_nothing(infer_context& c, bool own_moments) {
    using at = schemas::batch_norm::at;
    return !own_moments || (!c.is_given(at::running_mean) && !c.is_given(at::running_var)) ||
           c.refuse(fault::in_place_needs_alias_analysis, "_native_batch_norm_legit_functional",
                    "running statistics written");
}

} // namespace detail

/// native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool
/// training, float momentum,
///                   float eps): (out, mean, 1/std), the last two empty unless training
struct native_batch_norm : schemas::batch_norm {
    static constexpr std::string_view name = "aten.native_batch_norm.default"sv;
    static constexpr bool infer(infer_context& c) {
        if (!detail::writes_nothing(c, c.boolean(at::training))) return false;
        return detail::infer_batch_norm(c, c.boolean(at::training), 3);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, c.boolean(at::training), c.real(at::momentum), c.real(at::eps), 3);
    }
};

/// _native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!)
/// running_var, bool training, float momentum, float eps): native_batch_norm
struct native_batch_norm_legit : native_batch_norm {
    static constexpr std::string_view name = "aten._native_batch_norm_legit.default"sv;
    static constexpr parameter schema[] = {
        schemas::batch_norm::schema[at::input],          schemas::batch_norm::schema[at::weight],
        schemas::batch_norm::schema[at::bias],           required("running_mean", parameter_kind::tensor),
        required("running_var", parameter_kind::tensor), schemas::batch_norm::schema[at::training],
        schemas::batch_norm::schema[at::momentum],       schemas::batch_norm::schema[at::eps]};
};

/// _native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float
/// eps): (out, mean, 1/std) with the batch's moments. Refused unless training, because running statistics are missing.
struct native_batch_norm_no_stats {
    static constexpr std::string_view name = "aten._native_batch_norm_legit.no_stats"sv;
    enum at : int { input, weight, bias, training, momentum, eps };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),         required("weight", parameter_kind::optional_tensor),
        required("bias", parameter_kind::optional_tensor), required("training", parameter_kind::boolean),
        required("momentum", parameter_kind::real),        required("eps", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        if (!c.boolean(at::training))
            return c.refuse(fault::argument_is_missing, "running_mean and running_var, or training=True", "None");
        return detail::infer_batch_norm(c, true, 3, false);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, true, c.real(at::momentum), c.real(at::eps), 3);
    }
};

/// _native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor
/// running_var, bool training, float momentum, float eps): native_batch_norm; results 3 and 4 are the updated running
/// statistics, which are f32 for f16 and bf16
struct native_batch_norm_functional : schemas::batch_norm {
    static constexpr std::string_view name = "aten._native_batch_norm_legit_functional.default"sv;
    static constexpr bool infer(infer_context& c) { return detail::infer_batch_norm(c, c.boolean(at::training), 5); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, c.boolean(at::training), c.real(at::momentum), c.real(at::eps), 5);
    }
};

/// _batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor
/// running_var, float momentum, float eps): training; (out, mean, 1/std, u8[0], updated running mean, running var)
struct batch_norm_with_update : schemas::batch_norm_of_statistics {
    static constexpr std::string_view name = "aten._batch_norm_with_update_functional.default"sv;
    static constexpr bool infer(infer_context& c) { return detail::infer_batch_norm(c, true, 6); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, true, c.real(at::momentum), c.real(at::eps), 6);
    }
};

/// _native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor
/// running_var, float momentum, float eps)
struct native_batch_norm_no_training : schemas::batch_norm_of_statistics {
    static constexpr std::string_view name = "aten._native_batch_norm_legit_no_training.default"sv;
    static constexpr bool infer(infer_context& c) { return detail::infer_batch_norm(c, false, 3); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, false, c.real(at::momentum), c.real(at::eps), 3);
    }
};

/// batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training,
/// float momentum, float eps, bool cudnn_enabled): the first result of native_batch_norm
struct batch_norm {
    static constexpr std::string_view name = "aten.batch_norm.default"sv;
    enum at : int { input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("running_mean", parameter_kind::optional_tensor),
                                           required("running_var", parameter_kind::optional_tensor),
                                           required("training", parameter_kind::boolean),
                                           required("momentum", parameter_kind::real),
                                           required("eps", parameter_kind::real),
                                           required("cudnn_enabled", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        return detail::writes_nothing(c, c.boolean(at::training)) &&
               detail::infer_batch_norm(c, c.boolean(at::training), 1);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, c.boolean(at::training), c.real(at::momentum), c.real(at::eps), 1);
    }
};

/// instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool
/// use_input_stats, float momentum, float eps, bool cudnn_enabled): normalises each channel of each batch element by
/// its own moments, or by running statistics
struct instance_norm {
    static constexpr std::string_view name = "aten.instance_norm.default"sv;
    enum at : int { input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled };
    static constexpr parameter schema[] = {
        batch_norm::schema[0], batch_norm::schema[1], batch_norm::schema[2],
        batch_norm::schema[3], batch_norm::schema[4], required("use_input_stats", parameter_kind::boolean),
        batch_norm::schema[6], batch_norm::schema[7], batch_norm::schema[8]};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        return detail::writes_nothing(c, c.boolean(at::use_input_stats)) &&
               detail::infer_batch_norm(c, c.boolean(at::use_input_stats), 1) &&
               c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        if (c.boolean(at::use_input_stats))
            detail::evaluate_group_norm(c, {.weight = at::weight, .bias = at::bias}, c.tensor(at::input).size(1),
                                        c.real(at::eps), false);
        else detail::evaluate_batch_norm(c, false, 0, c.real(at::eps), 1);
    }
};

using batch_norm_ops =
    op_list<batch_norm, instance_norm, native_batch_norm, native_batch_norm_legit, native_batch_norm_no_stats,
            native_batch_norm_functional, batch_norm_with_update, native_batch_norm_no_training>;

} // namespace ahead::aten
