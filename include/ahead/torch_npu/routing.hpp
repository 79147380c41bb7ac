// SPDX-License-Identifier: MIT
// torch_npu's routing of tokens to experts. Runs on the AI CPU, because the data movement depends on data.
// Invariant: of equal scores the one with the lower index comes first. Source: the equivalent numpy of
// docs/zh/custom_APIs/torch_npu/torch_npu-npu_moe_*.md of op-plugin.
#pragma once
#include <ahead/torch_npu/expansion.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

/// Calls f(order, place) for the k largest scores, in descending order. score(place) is a double, not NaN; minus
/// infinity comes last.
constexpr void for_each_largest(std::int64_t size, std::int64_t k, auto score, auto f) {
    std::int64_t last = -1;
    for (std::int64_t order = 0; order < k; ++order) {
        std::int64_t best = -1;
        for (std::int64_t place = 0; place < size; ++place) {
            const double x = score(place);
            if (last >= 0 && (x > score(last) || (x == score(last) && place <= last))) continue; // already taken
            if (best < 0 || x > score(best)) best = place;
        }
        f(order, last = best);
    }
}
/// e^(x - largest) / sum over the last dim of parameter 0, for the row `at`.
struct row_softmax {
    double largest = -math::detail::infinity, sum = 0;
    constexpr row_softmax(const auto& x, int_list at) {
        const auto size = x.type().size(x.type().rank - 1);
        auto& place = at[at.size - 1];
        for (place = 0; place < size; ++place) largest = std::max(largest, static_cast<double>(x[at]));
        for (place = 0; place < size; ++place) sum += math::exp(static_cast<double>(x[at]) - largest);
    }
    constexpr double operator()(double x) const { return math::exp(x - largest) / sum; }
};
constexpr bool check_k(infer_context& c, std::int64_t k, std::int64_t experts) {
    return (k >= 1 && k <= experts) || c.refuse(fault::index_is_out_of_range,
                                                short_text("k from 1 to ") << experts << " experts", short_text() << k);
}

} // namespace detail

/// npu_moe_gating_top_k_softmax(Tensor x, Tensor? finished=None, int k=1): (y, expert_idx, row_idx): y has the k
/// largest elements of each row's softmax; expert_idx their indices, i32, or the number of experts where finished, b8,
/// is True; row_idx is order * rows + row, i32. x: [rows, experts] or [N, rows, experts]; finished: x's sizes without
/// the last
struct npu_moe_gating_top_k_softmax {
    static constexpr std::string_view name = "npu.npu_moe_gating_top_k_softmax.default"sv;
    enum at : int { x, finished, k };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           defaulted("finished", parameter_kind::optional_tensor),
                                           defaulted("k", parameter_kind::integer, argument::of(1))};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x);
        if (!check_floating(c, at::x) || !check_rank(c, at::x, 2, 3) ||
            !detail::check_k(c, c.integer(at::k), t.size(t.rank - 1)))
            return false;
        auto sizes = aten::sizes_without(t, 1u << (t.rank - 1), false);
        if (c.is_given(at::finished) && (!check_dtype(c, at::finished, dtype::b8) || !check_is(c, at::finished, sizes)))
            return false;
        sizes.push_back(c.integer(at::k));
        return c.results(3) && c.set(0, tensor_of(t.type, sizes)) && c.set(1, tensor_of(dtype::i32, sizes)) &&
               c.set(2, tensor_of(dtype::i32, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::x, float{});
        const auto y = c.output(0, float{});
        const auto places = c.output(1, std::int64_t{}), numbers = c.output(2, std::int64_t{});
        auto rows = sizes_of(in.type());
        const auto experts = rows[--rows.size];
        const auto count = element_count(in.type()) / std::max<std::int64_t>(experts, 1);
        std::int64_t number = 0;
        for_each_index(rows, [&](const int_list& row) {
            auto at = row;
            at.push_back(0);
            const detail::row_softmax softmax(in, at);
            const bool is_over = c.is_given(at::finished) && c.input(at::finished, bool{})[row];
            const auto score = [&](std::int64_t place) {
                auto of = at;
                of[row.size] = place;
                return static_cast<double>(in[of]);
            };
            detail::for_each_largest(experts, c.integer(at::k), score, [&](std::int64_t order, std::int64_t place) {
                auto to = at;
                to[row.size] = order;
                y.put(to, static_cast<float>(softmax(score(place))));
                places.put(to, is_over ? experts : place);
                numbers.put(to, order * count + number);
            });
            ++number;
        });
    }
};

/// npu_moe_gating_top_k(Tensor x, int k, *, Tensor? bias=None, int k_group=1, int group_count=1, int
/// group_select_mode=0, int renorm=0, int norm_type=0, bool out_flag=False, float routed_scaling_factor=1.0, float
/// eps=1e-20): (y, expert_idx, out). Scores are the softmax (norm_type 0) or sigmoid (1) of x. Scores plus bias choose
/// k experts from the k_group best of group_count groups; a group is ranked by its largest score (group_select_mode 0)
/// or the sum of its two largest (1). y is the chosen scores without bias, with norm_type 1 divided by their sum plus
/// eps, times the factor; expert_idx is i32; out is the scores, f32, with out_flag, else zeros. x: [rows, experts];
/// bias: [experts]
struct npu_moe_gating_top_k {
    static constexpr std::string_view name = "npu.npu_moe_gating_top_k.default"sv;
    enum at : int {
        x,
        k,
        bias,
        k_group,
        group_count,
        group_select_mode,
        renorm,
        norm_type,
        out_flag,
        routed_scaling_factor,
        eps
    };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("k", parameter_kind::integer),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("k_group", parameter_kind::integer, argument::of(1)),
                                           defaulted("group_count", parameter_kind::integer, argument::of(1)),
                                           defaulted("group_select_mode", parameter_kind::integer, argument::of(0)),
                                           defaulted("renorm", parameter_kind::integer, argument::of(0)),
                                           defaulted("norm_type", parameter_kind::integer, argument::of(0)),
                                           defaulted("out_flag", parameter_kind::boolean, argument::of(false)),
                                           defaulted("routed_scaling_factor", parameter_kind::real, argument::of(1.0)),
                                           defaulted("eps", parameter_kind::real, argument::of(1e-20))};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x);
        if (!check_floating(c, at::x) || !check_rank(c, at::x, 2, 2)) return false;
        const auto experts = t.size(1), groups = c.integer(at::group_count), taken = c.integer(at::k_group);
        if (groups < 1 || experts % groups != 0)
            return c.refuse(fault::split_sizes_do_not_add_up, short_text() << experts << " experts in equal groups",
                            short_text() << groups);
        if (taken < 1 || taken > groups)
            return c.refuse(fault::index_is_out_of_range, short_text("k_group from 1 to ") << groups,
                            short_text() << taken);
        for (int i : {at::group_select_mode, at::norm_type})
            if (c.integer(i) < 0 || c.integer(i) > 1)
                return c.refuse(fault::argument_has_wrong_kind, short_text(schema[i].name) << ": 0 or 1",
                                short_text() << c.integer(i));
        if (c.integer(at::renorm) != 0)
            return c.refuse(fault::argument_has_wrong_kind, "renorm: 0", short_text() << c.integer(at::renorm));
        if (c.is_given(at::bias) && (!check_is(c, at::bias, {experts}) || !check_same_dtype(c, at::bias, at::x)))
            return false;
        const int_list sizes{t.size(0), c.integer(at::k)};
        return detail::check_k(c, c.integer(at::k), experts / groups * taken) && c.results(3) &&
               c.set(0, tensor_of(t.type, sizes)) && c.set(1, tensor_of(dtype::i32, sizes)) &&
               c.set(2, tensor_of(dtype::f32, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::x, float{});
        const auto y = c.output(0, float{}), out = c.output(2, float{});
        const auto experts = in.type().size(1), groups = c.integer(at::group_count), each = experts / groups;
        const auto k = c.integer(at::k), taken = c.integer(at::k_group);
        for (std::int64_t row = 0; row < in.type().size(0); ++row) {
            const detail::row_softmax softmax(in, {row, 0});
            const bool bends = c.integer(at::norm_type) == 1;
            const auto plain = [&](std::int64_t e) {
                const auto x = static_cast<double>(in[{row, e}]);
                return bends ? 1 / (1 + math::exp(-x)) : softmax(x);
            };
            const auto score = [&](std::int64_t e) {
                return plain(e) + (c.is_given(at::bias) ? static_cast<double>(c.input(at::bias, float{})[{e}]) : 0.0);
            };
            const auto of_group = [&](std::int64_t g) {
                double sum = 0;
                const auto counted = c.integer(at::group_select_mode) == 0 ? 1 : std::min<std::int64_t>(2, each);
                detail::for_each_largest(
                    each, counted, [&](std::int64_t e) { return score(g * each + e); },
                    [&](std::int64_t, std::int64_t e) { sum += score(g * each + e); });
                return sum;
            };
            const auto is_taken = [&](std::int64_t group) {
                std::int64_t better = 0;
                for (std::int64_t g = 0; taken < groups && g < groups; ++g)
                    better += of_group(g) > of_group(group) || (of_group(g) == of_group(group) && g < group);
                return better < taken;
            };
            const auto allowed = [&](std::int64_t e) {
                return is_taken(e / each) ? score(e) : -math::detail::infinity;
            };
            double sum = 0;
            const auto chosen = [&](auto f) { detail::for_each_largest(experts, k, allowed, f); };
            chosen([&](std::int64_t, std::int64_t e) { sum += plain(e); });
            const double factor = c.real(at::routed_scaling_factor) / (bends ? sum + c.real(at::eps) : 1);
            chosen([&](std::int64_t order, std::int64_t e) {
                y.put({row, order}, static_cast<float>(plain(e) * factor));
                c.output(1, std::int64_t{}).put({row, order}, e);
            });
            for (std::int64_t e = 0; e < experts; ++e)
                out.put({row, e}, c.boolean(at::out_flag) ? static_cast<float>(plain(e)) : 0.0f);
        }
    }
};

using gating_ops = op_list<npu_moe_gating_top_k_softmax, npu_moe_gating_top_k>;

} // namespace ahead::torch_npu
