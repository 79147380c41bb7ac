// SPDX-License-Identifier: MIT
// Normalisations: layer, group, batch and root mean square. Moments are taken in double. Training batch norms that
// write their running statistics are refused: use _native_batch_norm_legit_functional. Source:
// aten/src/ATen/native/layer_norm.cpp, group_norm.cpp, Normalization.cpp.
#pragma once
#include <ahead/aten/reduce/reduce.hpp>
#include <ahead/ir/type/memory_format.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Whether parameter `i`, a weight or bias or statistics, has these sizes and the first one's dtype, if it is given.
constexpr bool check_affine(infer_context& c, int i, const int_list& sizes) {
    if (!c.is_given(i)) return true;
    const auto wanted = tensor_of(c.tensor(first_parameter).type, sizes);
    if (sizes_of(c.tensor(i)) != sizes)
        return c.refuse(fault::shapes_do_not_broadcast, print(wanted), print(c.tensor(i)));
    if (c.tensor(i).type != wanted.type) return c.refuse(fault::dtypes_differ, print(wanted), print(c.tensor(i)));
    return true;
}

/// Dims that layer_norm averages: the last ones, of these sizes.
constexpr bool check_normalized_shape(infer_context& c, const tensor_type& t, const int_list& shape) {
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (shape.size == 0 || shape.size > t.rank)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << shape.size << " at least", print(t));
    for (int d = 0; d < shape.size; ++d)
        if (shape[d] != t.size(t.rank - shape.size + d))
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, shape)), print(t));
    return true;
}
constexpr unsigned last_dims(int rank, int count) { return ((1u << count) - 1) << (rank - count); }
constexpr int_list last_of(const int_list& at, int count) {
    int_list out;
    for (int d = at.size - count; d < at.size; ++d) out.push_back(at[d]);
    return out;
}

/// The parameters that scale and shift what is normalised, either of which may be None.
struct affine_parameters {
    int weight, bias = no_parameter;
};

/// The moments over the last dims, as many as normalized_shape has, then out = (x - mean) * rstd * weight + bias;
/// statistics go to results 1 and 2 where asked for. Without bias nothing is centred.
constexpr void evaluate_layer_norm(auto& c, int count, const affine_parameters& of, double eps, bool statistics) {
    const bool centred = of.bias != no_parameter;
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        const auto& t = in.type();
        const auto dims = last_dims(t.rank, count);
        const bool nothing = reduced_count(t, dims) == 0; // its mean is 0, and its deviation NaN
        for_each_reduced(t, dims, true, [&](const int_list& row, auto walk) {
            auto m = moments_of(in, walk, reduced_count(t, dims), 0);
            if (!centred) {
                m.variance += m.mean * m.mean;
                m.mean = 0;
            }
            const double rstd = 1 / math::sqrt(m.variance + eps);
            walk([&](const int_list& i) {
                double x = (static_cast<double>(in[i]) - m.mean) * rstd;
                if (c.is_given(of.weight)) x *= static_cast<double>(c.input(of.weight, as)[last_of(i, count)]);
                if (centred && c.is_given(of.bias)) x += static_cast<double>(c.input(of.bias, as)[last_of(i, count)]);
                out.put(i, math::convert<T>(x));
            });
            if (!statistics) return;
            c.output(1, as).put(row, nothing ? T{} : math::convert<T>(m.mean));
            c.output(2, as).put(row, math::convert<T>(rstd));
        });
    });
}

/// native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps): (out, mean,
/// 1/std)
struct native_layer_norm {
    static constexpr std::string_view name = "aten.native_layer_norm.default";
    enum at : int { input, normalized_shape, weight, bias, eps };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("normalized_shape", parameter_kind::int_list),
        required("weight", parameter_kind::optional_tensor), required("bias", parameter_kind::optional_tensor),
        required("eps", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        const auto shape = c.ints(at::normalized_shape);
        if (!check_normalized_shape(c, c.tensor(at::input), c.ints(at::normalized_shape)) ||
            !check_affine(c, at::weight, shape) || !check_affine(c, at::bias, shape))
            return false;
        const auto statistics = tensor_of(t.type, sizes_without(t, last_dims(t.rank, shape.size), true));
        return c.results(3) && c.set(0, tensor_of(t.type, sizes_of(t))) && c.set(1, statistics) && c.set(2, statistics);
    }
    static constexpr void evaluate(auto& c) {
        evaluate_layer_norm(c, c.ints(at::normalized_shape).size, {.weight = at::weight, .bias = at::bias},
                            c.real(at::eps), true);
    }
};
/// layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool
/// cudnn_enable=True)
struct layer_norm {
    static constexpr std::string_view name = "aten.layer_norm.default";
    enum at : int { input, normalized_shape, weight, bias, eps, cudnn_enable };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("normalized_shape", parameter_kind::int_list),
                                           defaulted("weight", parameter_kind::optional_tensor),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("eps", parameter_kind::real, argument::of(1e-05)),
                                           defaulted("cudnn_enable", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::input);
        return check_normalized_shape(c, c.tensor(at::input), c.ints(at::normalized_shape)) &&
               check_affine(c, at::weight, c.ints(at::normalized_shape)) &&
               check_affine(c, at::bias, c.ints(at::normalized_shape)) && c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        evaluate_layer_norm(c, c.ints(at::normalized_shape).size, {.weight = at::weight, .bias = at::bias},
                            c.real(at::eps), false);
    }
};
/// rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None): eps is the dtype's epsilon
/// unless given
struct rms_norm {
    static constexpr std::string_view name = "aten.rms_norm.default";
    enum at : int { input, normalized_shape, weight, eps };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("normalized_shape", parameter_kind::int_list),
        defaulted("weight", parameter_kind::optional_tensor), defaulted("eps", parameter_kind::optional_real)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::input);
        return check_normalized_shape(c, c.tensor(at::input), c.ints(at::normalized_shape)) &&
               check_affine(c, at::weight, c.ints(at::normalized_shape)) && c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        const double epsilon = c.tensor(at::input).type == dtype::f64 ? std::numeric_limits<double>::epsilon()
                                                                      : std::numeric_limits<float>::epsilon();
        evaluate_layer_norm(c, c.ints(at::normalized_shape).size, {.weight = at::weight},
                            c.is_given(at::eps) ? c.real(at::eps) : epsilon, false);
    }
};

/// Each group of channels normalised; statistics go to results 1 and 2 where asked for.
constexpr void evaluate_group_norm(auto& c, const affine_parameters& of, std::int64_t groups, double eps,
                                   bool statistics) {
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        const auto& t = in.type();
        const auto per_group = t.size(1) / groups;
        auto window = sizes_of(t);
        window[0] = 1;
        window[1] = per_group;
        std::int64_t count = 1;
        for (auto size : window) count *= size;
        for_each_index({t.size(0), groups}, [&](const int_list& group) {
            auto walk = [&](auto g) {
                for_each_index(window, [&](int_list i) {
                    i[0] = group[0];
                    i[1] += group[1] * per_group;
                    g(static_cast<const int_list&>(i));
                });
            };
            const auto m = moments_of(in, walk, count, 0);
            const double rstd = 1 / math::sqrt(m.variance + eps);
            walk([&](const int_list& i) {
                double x = (static_cast<double>(in[i]) - m.mean) * rstd;
                if (c.is_given(of.weight)) x *= static_cast<double>(c.input(of.weight, as)[{i[1]}]);
                if (c.is_given(of.bias)) x += static_cast<double>(c.input(of.bias, as)[{i[1]}]);
                out.put(i, math::convert<T>(x));
            });
            if (!statistics) return;
            c.output(1, as).put(group, count == 0 ? T{} : math::convert<T>(m.mean));
            c.output(2, as).put(group, math::convert<T>(rstd));
        });
    });
}
constexpr bool check_groups(infer_context& c, const affine_parameters& of, std::int64_t groups) {
    const auto& t = c.tensor(first_parameter);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
    if (groups < 1 || t.size(1) % groups != 0)
        return c.refuse(fault::channels_differ, short_text() << "channels divisible by " << groups, print(t));
    return check_affine(c, of.weight, {t.size(1)}) && check_affine(c, of.bias, {t.size(1)});
}
/// native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps):
/// (out, mean [N, group], 1/std [N, group]); each group of channels is normalised
struct native_group_norm {
    static constexpr std::string_view name = "aten.native_group_norm.default";
    enum at : int { input, weight, bias, N, C, HxW, group, eps };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("N", parameter_kind::integer),
                                           required("C", parameter_kind::integer),
                                           required("HxW", parameter_kind::integer),
                                           required("group", parameter_kind::integer),
                                           required("eps", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        if (!check_groups(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::group))) return false;
        const auto statistics = tensor_of(t.type, {t.size(0), c.integer(at::group)});
        return c.results(3) && c.set(0, in_format_of(t, tensor_of(t.type, sizes_of(t)))) && c.set(1, statistics) &&
               c.set(2, statistics);
    }
    static constexpr void evaluate(auto& c) {
        evaluate_group_norm(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::group), c.real(at::eps), true);
    }
};
/// group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool
/// cudnn_enabled=True)
struct group_norm {
    static constexpr std::string_view name = "aten.group_norm.default";
    enum at : int { input, num_groups, weight, bias, eps, cudnn_enabled };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("num_groups", parameter_kind::integer),
                                           defaulted("weight", parameter_kind::optional_tensor),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("eps", parameter_kind::real, argument::of(1e-05)),
                                           defaulted("cudnn_enabled", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        return check_groups(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::num_groups)) &&
               c.result(in_format_of(c.tensor(at::input),
                                     tensor_of(c.tensor(at::input).type, sizes_of(c.tensor(at::input)))));
    }
    static constexpr void evaluate(auto& c) {
        evaluate_group_norm(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::num_groups), c.real(at::eps),
                            false);
    }
};

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
constexpr bool infer_batch_norm(infer_context& c, bool training, bool functional) {
    using at = schemas::batch_norm::at;
    const auto t = c.tensor(at::input);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
    for (int i : {at::weight, at::bias, at::running_mean, at::running_var})
        if (!check_affine(c, i, {t.size(1)})) return false;
    if ((!training || functional) && !(c.is_given(at::running_mean) && c.is_given(at::running_var)))
        return c.refuse(fault::argument_is_missing, "running_mean and running_var", "None");
    const auto statistics = tensor_of(t.type, {training ? t.size(1) : 0});
    const auto running = tensor_of(t.type, {t.size(1)});
    return c.results(functional ? 5 : 3) && c.set(0, in_format_of(t, tensor_of(t.type, sizes_of(t)))) &&
           c.set(1, statistics) && c.set(2, statistics) && (!functional || (c.set(3, running) && c.set(4, running)));
}
/// native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool
/// training, float momentum,
///                   float eps): (out, mean, 1/std), the last two empty unless training
struct native_batch_norm : schemas::batch_norm {
    static constexpr std::string_view name = "aten.native_batch_norm.default";
    static constexpr bool infer(infer_context& c) {
        if (c.boolean(at::training) && (c.is_given(at::running_mean) || c.is_given(at::running_var)))
            return c.refuse(fault::in_place_needs_alias_analysis, "_native_batch_norm_legit_functional",
                            "running statistics written");
        return infer_batch_norm(c, c.boolean(at::training), false);
    }
    static constexpr void evaluate(auto& c) {
        evaluate_batch_norm(c, c.boolean(at::training), c.real(at::momentum), c.real(at::eps), false);
    }
};
/// _native_batch_norm_legit_functional: as native_batch_norm; the new running statistics are results 3 and 4
struct native_batch_norm_functional : schemas::batch_norm {
    static constexpr std::string_view name = "aten._native_batch_norm_legit_functional.default";
    static constexpr bool infer(infer_context& c) { return infer_batch_norm(c, c.boolean(at::training), true); }
    static constexpr void evaluate(auto& c) {
        evaluate_batch_norm(c, c.boolean(at::training), c.real(at::momentum), c.real(at::eps), true);
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
    static constexpr bool infer(infer_context& c) { return infer_batch_norm(c, false, false); }
    static constexpr void evaluate(auto& c) {
        evaluate_batch_norm(c, false, c.real(at::momentum), c.real(at::eps), false);
    }
};

using normalise_ops = op_list<native_layer_norm, layer_norm, rms_norm, native_group_norm, group_norm, native_batch_norm,
                              native_batch_norm_functional, native_batch_norm_no_training>;

} // namespace ahead::aten
