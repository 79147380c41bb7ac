// SPDX-License-Identifier: MIT
// Layer norm and root mean square norm. Moments accumulate in double. Source: aten/src/ATen/native/layer_norm.cpp.
#pragma once
#include <ahead/aten/reduce/variance.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Checks that parameter `i`, if given, has these sizes and the first parameter's dtype.
constexpr bool check_affine(infer_context& c, int i, const int_list& sizes) {
    if (!c.is_given(i)) return true;
    const auto wanted = tensor_of(c.tensor(first_parameter).type, sizes);
    if (sizes_of(c.tensor(i)) != sizes)
        return c.refuse(fault::shapes_do_not_broadcast, print(wanted), print(c.tensor(i)));
    if (c.tensor(i).type != wanted.type) return c.refuse(fault::dtypes_differ, print(wanted), print(c.tensor(i)));
    return true;
}

/// Parameter numbers of scale and shift, either of which may be None.
struct affine_parameters {
    int weight, bias = no_parameter;
};

namespace detail {

/// Checks that the last dims of t, which layer_norm averages over, have these sizes.
constexpr bool check_normalized_shape(infer_context& c, const tensor_type& t, const int_list& shape) {
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (shape.size == 0 || shape.size > t.rank)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << shape.size << " at least", print(t));
    for (int d = 0; d < shape.size; ++d)
        if (shape[d] != t.size(t.rank - shape.size + d))
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, shape)), print(t));
    return true;
}

} // namespace detail

constexpr unsigned last_dims(int rank, int count) { return ((1u << count) - 1) << (rank - count); }

namespace detail {

constexpr int_list last_of(const int_list& at, int count) {
    int_list out;
    for (int d = at.size - count; d < at.size; ++d) out.push_back(at[d]);
    return out;
}

/// Takes moments over the last `count` dims, then out = (x - mean) * rstd * weight + bias; writes statistics to results
/// 1 and 2 if requested. Without a bias parameter (rms_norm) there is neither centring nor a mean.
constexpr void evaluate_layer_norm(auto& c, int count, const affine_parameters& of, double eps, bool statistics) {
    const bool centred = of.bias != no_parameter;
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        const auto& t = in.type();
        const auto dims = last_dims(t.rank, count);
        const bool nothing = reduced_count(t, dims) == 0; // mean 0, deviation NaN
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
            if (centred) c.output(1, as).put(row, nothing ? T{} : math::convert<T>(m.mean));
            c.output(centred ? 2 : 1, as).put(row, math::convert<T>(rstd));
        });
    });
}

} // namespace detail

/// native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps): (out, mean,
/// 1/std)
struct native_layer_norm {
    static constexpr std::string_view name = "aten.native_layer_norm.default"sv;
    enum at : int { input, normalized_shape, weight, bias, eps };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("normalized_shape", parameter_kind::int_list),
        required("weight", parameter_kind::optional_tensor), required("bias", parameter_kind::optional_tensor),
        required("eps", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        const auto shape = c.ints(at::normalized_shape);
        if (!detail::check_normalized_shape(c, c.tensor(at::input), c.ints(at::normalized_shape)) ||
            !check_affine(c, at::weight, shape) || !check_affine(c, at::bias, shape))
            return false;
        const auto statistics = tensor_of(t.type, sizes_without(t, last_dims(t.rank, shape.size), true));
        return c.results(3) && c.set(0, tensor_of(t.type, sizes_of(t))) && c.set(1, statistics) && c.set(2, statistics);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_layer_norm(c, c.ints(at::normalized_shape).size, {.weight = at::weight, .bias = at::bias},
                                    c.real(at::eps), true);
    }
};

/// layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool
/// cudnn_enable=True)
struct layer_norm {
    static constexpr std::string_view name = "aten.layer_norm.default"sv;
    enum at : int { input, normalized_shape, weight, bias, eps, cudnn_enable };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("normalized_shape", parameter_kind::int_list),
                                           defaulted("weight", parameter_kind::optional_tensor),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("eps", parameter_kind::real, argument::of(1e-05)),
                                           defaulted("cudnn_enable", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::input);
        return detail::check_normalized_shape(c, c.tensor(at::input), c.ints(at::normalized_shape)) &&
               check_affine(c, at::weight, c.ints(at::normalized_shape)) &&
               check_affine(c, at::bias, c.ints(at::normalized_shape)) && c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_layer_norm(c, c.ints(at::normalized_shape).size, {.weight = at::weight, .bias = at::bias},
                                    c.real(at::eps), false);
    }
};

/// rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None): eps defaults to the dtype's
/// epsilon
struct rms_norm {
    static constexpr std::string_view name = "aten.rms_norm.default"sv;
    enum at : int { input, normalized_shape, weight, eps };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("normalized_shape", parameter_kind::int_list),
        defaulted("weight", parameter_kind::optional_tensor), defaulted("eps", parameter_kind::optional_real)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::input);
        return detail::check_normalized_shape(c, c.tensor(at::input), c.ints(at::normalized_shape)) &&
               check_affine(c, at::weight, c.ints(at::normalized_shape)) && c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) { evaluate_with(c, false); }
    static constexpr void evaluate_with(auto& c, bool statistics) {
        const double epsilon = c.tensor(at::input).type == dtype::f64 ? std::numeric_limits<double>::epsilon()
                                                                      : std::numeric_limits<float>::epsilon();
        detail::evaluate_layer_norm(c, c.ints(at::normalized_shape).size, {.weight = at::weight},
                                    c.is_given(at::eps) ? c.real(at::eps) : epsilon, statistics);
    }
};

/// _fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps): (rms_norm, 1/rms)
struct fused_rms_norm {
    static constexpr std::string_view name = "aten._fused_rms_norm.default"sv;
    using at = rms_norm::at;
    static constexpr auto& schema = rms_norm::schema;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        const auto shape = c.ints(at::normalized_shape);
        return detail::check_normalized_shape(c, c.tensor(at::input), shape) && check_affine(c, at::weight, shape) &&
               c.results(2) && c.set(0, tensor_of(t.type, sizes_of(t))) &&
               c.set(1, tensor_of(has_kernels(t.type) ? t.type : dtype::f32,
                                  sizes_without(t, last_dims(t.rank, shape.size), true)));
    }
    static constexpr void evaluate(auto& c) { rms_norm::evaluate_with(c, true); }
};

using layer_norm_ops = op_list<native_layer_norm, layer_norm, rms_norm, fused_rms_norm>;

} // namespace ahead::aten
