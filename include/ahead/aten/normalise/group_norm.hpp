// SPDX-License-Identifier: MIT
// Group norm. Moments accumulate in double. Source: aten/src/ATen/native/group_norm.cpp.
#pragma once
#include <ahead/aten/normalise/layer_norm.hpp>
#include <ahead/ir/type/memory_format.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Calls f(group, walk, count) for each group of channels, [n, g]; walk(h) calls h(i) for each of its `count` elements.
template <class F> constexpr void for_each_group(const tensor_type& t, std::int64_t groups, F f) {
    const auto per_group = t.size(1) / groups;
    auto window = sizes_of(t);
    window[0] = 1;
    window[1] = per_group;
    std::int64_t count = 1;
    for (auto size : window) count *= size;
    for_each_index({t.size(0), groups}, [&](const int_list& group) {
        f(
            group,
            [&](auto g) {
                for_each_index(window, [&](int_list i) {
                    i[0] = group[0];
                    i[1] += group[1] * per_group;
                    g(static_cast<const int_list&>(i));
                });
            },
            count);
    });
}

/// Normalises each group of channels; writes statistics to results 1 and 2 if requested.
constexpr void evaluate_group_norm(auto& c, const affine_parameters& of, std::int64_t groups, double eps,
                                   bool statistics) {
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_group(in.type(), groups, [&](const int_list& group, auto walk, std::int64_t count) {
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

/// Checks that the channels divide into `groups` groups.
constexpr bool check_groups(infer_context& c, int input, std::int64_t groups) {
    const auto& t = c.tensor(input);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
    if (groups < 1 || t.size(1) % groups != 0)
        return c.refuse(fault::channels_differ, short_text() << "channels divisible by " << groups, print(t));
    return true;
}
constexpr bool check_groups(infer_context& c, const affine_parameters& of, std::int64_t groups) {
    return check_groups(c, first_parameter, groups) &&
           check_affine(c, of.weight, {c.tensor(first_parameter).size(1)}) &&
           check_affine(c, of.bias, {c.tensor(first_parameter).size(1)});
}

} // namespace detail

/// native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps):
/// (out, mean [N, group], 1/std [N, group]); normalises each group of channels
struct native_group_norm {
    static constexpr std::string_view name = "aten.native_group_norm.default"sv;
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
        if (!detail::check_groups(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::group))) return false;
        const auto statistics = tensor_of(t.type, {t.size(0), c.integer(at::group)});
        return c.results(3) && c.set(0, tensor_of(t.type, sizes_of(t))) && c.set(1, statistics) && c.set(2, statistics);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_group_norm(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::group), c.real(at::eps),
                                    true);
    }
};

/// group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool
/// cudnn_enabled=True)
struct group_norm {
    static constexpr std::string_view name = "aten.group_norm.default"sv;
    enum at : int { input, num_groups, weight, bias, eps, cudnn_enabled };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("num_groups", parameter_kind::integer),
                                           defaulted("weight", parameter_kind::optional_tensor),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("eps", parameter_kind::real, argument::of(1e-05)),
                                           defaulted("cudnn_enabled", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        return detail::check_groups(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::num_groups)) &&
               c.result(tensor_of(c.tensor(at::input).type, sizes_of(c.tensor(at::input))));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_group_norm(c, {.weight = at::weight, .bias = at::bias}, c.integer(at::num_groups),
                                    c.real(at::eps), false);
    }
};

using group_norm_ops = op_list<native_group_norm, group_norm>;

} // namespace ahead::aten
