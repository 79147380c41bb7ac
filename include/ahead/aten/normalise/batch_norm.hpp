// SPDX-License-Identifier: MIT
// Batch norms. Moments are taken in double. Training ones that write their running statistics are refused: use
// _native_batch_norm_legit_functional, to which torch.export brings them.
// Source: aten/src/ATen/native/Normalization.cpp.
#pragma once
#include <ahead/aten/normalise/layer_norm.hpp>
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
} // namespace schemas

namespace detail {

/// Batch norm over dim 1; the result lies as images do, channels_last or row-major. All begin with the parameters
/// input, weight, bias, running_mean, running_var. With `training` the batch's own moments are used; they go to results
/// 1 and 2, and the blended running statistics to results 3 and 4 where `functional`.
constexpr void evaluate_batch_norm(auto& c, bool training, double momentum, double eps, bool functional) {
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
            const double rstd = 1 / math::sqrt(m.variance + eps);
            const double scale = c.is_given(at::weight) ? static_cast<double>(c.input(at::weight, as)[{channel}]) : 1;
            const double shift = c.is_given(at::bias) ? static_cast<double>(c.input(at::bias, as)[{channel}]) : 0;
            walk([&](const int_list& i) {
                out.put(i, math::convert<T>((static_cast<double>(in[i]) - m.mean) * rstd * scale + shift));
            });
            if (training) {
                c.output(1, as).put({channel}, math::convert<T>(m.mean));
                c.output(2, as).put({channel}, math::convert<T>(rstd));
            }
            if (!functional) continue;
            const auto mean = static_cast<double>(c.input(at::running_mean, as)[{channel}]);
            const auto variance = static_cast<double>(c.input(at::running_var, as)[{channel}]);
            const double unbiased =
                count > 1 ? m.variance * static_cast<double>(count) / static_cast<double>(count - 1) : m.variance;
            c.output(3, as).put({channel}, math::convert<T>(training ? mean + momentum * (m.mean - mean) : mean));
            c.output(4, as).put({channel},
                                math::convert<T>(training ? variance + momentum * (unbiased - variance) : variance));
        }
    });
}

constexpr bool infer_batch_norm(infer_context& c, bool training, bool functional, bool has_running = true) {
    using at = schemas::batch_norm::at;
    const auto t = c.tensor(at::input);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
    for (int i : {at::weight, at::bias, at::running_mean, at::running_var})
        if ((i <= at::bias || has_running) && !check_affine(c, i, {t.size(1)})) return false;
    if ((!training || functional) && !(c.is_given(at::running_mean) && c.is_given(at::running_var)))
        return c.refuse(fault::argument_is_missing, "running_mean and running_var", "None");
    const auto statistics = tensor_of(t.type, {training ? t.size(1) : 0});
    const auto running = tensor_of(t.type, {t.size(1)});
    return c.results(functional ? 5 : 3) && c.set(0, in_format_of(t, tensor_of(t.type, sizes_of(t)))) &&
           c.set(1, statistics) && c.set(2, statistics) && (!functional || (c.set(3, running) && c.set(4, running)));
}

} // namespace detail

/// native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool
/// training, float momentum,
///                   float eps): (out, mean, 1/std), the last two empty unless training
struct native_batch_norm : schemas::batch_norm {
    static constexpr std::string_view name = "aten.native_batch_norm.default";
    static constexpr bool infer(infer_context& c) {
        if (c.boolean(at::training) && (c.is_given(at::running_mean) || c.is_given(at::running_var)))
            return c.refuse(fault::in_place_needs_alias_analysis, "_native_batch_norm_legit_functional",
                            "running statistics written");
        return detail::infer_batch_norm(c, c.boolean(at::training), false);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, c.boolean(at::training), c.real(at::momentum), c.real(at::eps), false);
    }
};

/// _native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!)
/// running_var, bool training, float momentum, float eps): as native_batch_norm
struct native_batch_norm_legit : native_batch_norm {
    static constexpr std::string_view name = "aten._native_batch_norm_legit.default";
    static constexpr parameter schema[] = {
        schemas::batch_norm::schema[at::input],          schemas::batch_norm::schema[at::weight],
        schemas::batch_norm::schema[at::bias],           required("running_mean", parameter_kind::tensor),
        required("running_var", parameter_kind::tensor), schemas::batch_norm::schema[at::training],
        schemas::batch_norm::schema[at::momentum],       schemas::batch_norm::schema[at::eps]};
};

/// _native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float
/// eps): (out, mean, 1/std), by the batch's own moments. Not training, there is nothing to normalise by: refused.
struct native_batch_norm_no_stats {
    static constexpr std::string_view name = "aten._native_batch_norm_legit.no_stats";
    enum at : int { input, weight, bias, training, momentum, eps };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),         required("weight", parameter_kind::optional_tensor),
        required("bias", parameter_kind::optional_tensor), required("training", parameter_kind::boolean),
        required("momentum", parameter_kind::real),        required("eps", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        if (!c.boolean(at::training))
            return c.refuse(fault::argument_is_missing, "running_mean and running_var, or training=True", "None");
        return detail::infer_batch_norm(c, true, false, false);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, true, c.real(at::momentum), c.real(at::eps), false);
    }
};

/// _native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor
/// running_var, bool training, float momentum, float eps): as native_batch_norm; the new running statistics are results
/// 3 and 4
struct native_batch_norm_functional : schemas::batch_norm {
    static constexpr std::string_view name = "aten._native_batch_norm_legit_functional.default";
    static constexpr bool infer(infer_context& c) { return detail::infer_batch_norm(c, c.boolean(at::training), true); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, c.boolean(at::training), c.real(at::momentum), c.real(at::eps), true);
    }
};

/// _native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor
/// running_var, float momentum, float eps)
struct native_batch_norm_no_training {
    static constexpr std::string_view name = "aten._native_batch_norm_legit_no_training.default";
    enum at : int { input, weight, bias, running_mean, running_var, momentum, eps };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("running_mean", parameter_kind::tensor),
                                           required("running_var", parameter_kind::tensor),
                                           required("momentum", parameter_kind::real),
                                           required("eps", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) { return detail::infer_batch_norm(c, false, false); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_batch_norm(c, false, c.real(at::momentum), c.real(at::eps), false);
    }
};

using batch_norm_ops = op_list<native_batch_norm, native_batch_norm_legit, native_batch_norm_no_stats,
                               native_batch_norm_functional, native_batch_norm_no_training>;

} // namespace ahead::aten
