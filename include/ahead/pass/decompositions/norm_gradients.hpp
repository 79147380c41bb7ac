// SPDX-License-Identifier: MIT
// Batch norms in training mode, and gradients of layer, group and batch norms, as sums and means. A call stays as it is
// if a gradient that output_mask excludes, an empty tensor, has a reader.
#pragma once
#include <ahead/pass/decompositions/names.hpp>
#include <concepts>

namespace AHEAD_NAMESPACE::decomposition {

/// Normalises by the batch's own moments over all dims except the channels; two passes, for numerical accuracy. Moments
/// and new running statistics are computed only if they are used.
template <class Op> struct training_batch_norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 32;
    static constexpr bool when(const call_view& call) {
        return call.boolean(at::training) && element_count(call.tensor(at::input)) > 0;
    }
    /// Whether each channel is a row of contiguous elements, as in a layer norm; new running statistics also need the
    /// variance.
    static constexpr bool is_rows(const tensor_type& type) {
        return type.rank > 2 && type.size(0) == 1 && is_contiguous(type) && !is_half(type.type) &&
               !std::same_as<Op, aten::native_batch_norm_functional>;
    }
    static constexpr void decompose(auto& c) {
        const auto type = c.aten.tensor(at::input);
        const auto dims = dims_of(~2u, type.rank);
        const auto channels = type.size(1), count = element_count(type) / channels;
        const bool widens = is_half(type.type); // PyTorch's kernels round once
        const auto as = [&](const argument& x, dtype to) {
            return widens ? c.call("prims.convert_element_type.default", {x, to}) : x;
        };
        const auto x = as(c.operand(at::input), dtype::f32);
        argument middle, spread, rstd, out;
        if (is_rows(type)) { // instance_norm is decomposed to this
            const auto rows =
                c.call("aten.native_layer_norm.default", {c.call(view, {x, int_list{channels, count}}), int_list{count},
                                                          call_argument{}, call_argument{}, c.aten.real(at::eps)});
            out = c.call(view, {c.pick(rows, 0), sizes_of(type)});
            if (c.is_result_used(1)) middle = c.pick(rows, 1);
            if (c.is_result_used(2)) rstd = c.pick(rows, 2);
        } else {
            middle = c.call(mean, {x, dims, true});
            const auto off = c.call(sub, {x, middle});
            spread = c.call(mean, {c.call(mul, {off, off}), dims, true});
            rstd = c.call("aten.rsqrt.default", {c.call(add, {spread, c.aten.real(at::eps)})});
            out = c.call(mul, {off, rstd});
        }
        if (!c.editor().ok()) return;
        if (c.aten.is_given(at::weight)) out = c.call(mul, {out, of_channels(c, c.operand(at::weight), type.rank)});
        if (c.aten.is_given(at::bias)) out = c.call(add, {out, of_channels(c, c.operand(at::bias), type.rank)});
        c.bind_result(as(out, type.type));
        if (c.editor()[c.aten.id()].values.count == 1) return;
        const auto row = [&](const argument& made) { return c.call(view, {made, int_list{channels}}); };
        if (c.is_result_used(1)) c.bind_result(as(row(middle), type.type), 1);
        if (c.is_result_used(2)) c.bind_result(as(row(rstd), type.type), 2);
        if constexpr (std::same_as<Op, aten::native_batch_norm_functional>) {
            const double momentum = c.aten.real(at::momentum);
            const auto blended = [&](int running, const argument& own, double factor) {
                const auto before = as(c.operand(running), dtype::f32);
                return c.call(add, {c.call(mul, {before, 1 - momentum}), c.call(mul, {row(own), factor})});
            };
            const double unbiased = count > 1 ? static_cast<double>(count) / static_cast<double>(count - 1) : 1;
            if (c.is_result_used(3)) c.bind_result(blended(at::running_mean, middle, momentum), 3);
            if (c.is_result_used(4)) c.bind_result(blended(at::running_var, spread, momentum * unbiased), 4);
        }
    }
};

/// Whether a norm's gradient has one dtype, and no gradient that its mask excludes has a reader.
template <class Op> constexpr bool has_whole_gradients(const call_view& call, int middle, int rstd) {
    using at = typename Op::at;
    const auto& t = call.tensor(at::input);
    for (int k = 0; k < 3; ++k)
        if (!call.element(at::output_mask, k).boolean() && is_result_used(call.in(), call.id(), k)) return false;
    return element_count(t) > 0 && call.tensor(middle).type == t.type && call.tensor(rstd).type == t.type;
}

/// The part that the gradients of norms share: x and its gradient g, viewed with the groups' elements in `inner` dims,
/// and with the weight's dims separate from the `outer` ones; moments and weight broadcast to them.
struct norm_gradient {
    argument x, g, mean, rstd, weight;
    int_list inner, outer;
    bool through_moments = true; // else mean and rstd are constants

    constexpr void finish(decompose_context& c) const {
        const auto normal = c.call(mul, {c.call(sub, {x, mean}), rstd});
        const auto seen = [&](const argument& made, std::int32_t k) {
            if (c.editor().ok()) c.bind_result(c.call(view, {made, sizes_of(c.aten.result_type(k))}), k);
        };
        if (c.is_result_used(0)) {
            const auto weighted = weight.kind == argument_kind::node ? c.call(mul, {g, weight}) : g;
            auto off = weighted;
            if (through_moments) {
                const auto level = c.call(decomposition::mean, {weighted, inner, true});
                const auto slope = c.call(decomposition::mean, {c.call(mul, {weighted, normal}), inner, true});
                off = c.call(sub, {c.call(sub, {weighted, level}), c.call(mul, {normal, slope})});
            }
            seen(c.call(mul, {off, rstd}), 0);
        }
        const auto summed = [&](const argument& all) { return outer.size > 0 ? c.call(sum, {all, outer}) : all; };
        if (c.is_result_used(1)) seen(summed(c.call(mul, {g, normal})), 1);
        if (c.is_result_used(2)) seen(summed(g), 2);
    }
};

/// Normalised over the last dims.
struct layer_norm_gradient {
    using op = aten::native_layer_norm_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 16;
    static constexpr bool when(const call_view& call) {
        for (int i : {at::weight, at::bias})
            if (!call.is_given(i) && is_result_used(call.in(), call.id(), i == at::weight ? 1 : 2)) return false;
        return has_whole_gradients<op>(call, at::mean, at::rstd);
    }
    static constexpr void decompose(auto& c) {
        const int rank = c.aten.tensor(at::input).rank;
        const auto inner = aten::last_dims(rank, c.aten.ints(at::normalized_shape).size);
        norm_gradient{c.operand(at::input),  c.operand(at::grad_out), c.operand(at::mean),  c.operand(at::rstd),
                      c.operand(at::weight), dims_of(inner, rank),    dims_of(~inner, rank)}
            .finish(c);
    }
};

/// Viewed as [N, groups, channels of a group, places].
struct group_norm_gradient {
    using op = aten::native_group_norm_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 21;
    static constexpr bool when(const call_view& call) { return has_whole_gradients<op>(call, at::mean, at::rstd); }
    static constexpr void decompose(auto& c) {
        const auto& type = c.aten.tensor(at::input);
        const auto batch = type.size(0), groups = c.aten.integer(at::group), channels = type.size(1) / groups;
        const int_list seen{batch, groups, channels, element_count(type) / (batch * type.size(1))};
        const int_list of_groups{batch, groups, 1, 1};
        const auto weight = c.aten.is_given(at::weight)
                                ? c.call(view, {c.operand(at::weight), int_list{groups, channels, 1}})
                                : argument{};
        norm_gradient{c.call(reshape, {c.operand(at::input), seen}),
                      c.call(reshape, {c.operand(at::grad_out), seen}),
                      c.call(reshape, {c.operand(at::mean), of_groups}),
                      c.call(reshape, {c.operand(at::rstd), of_groups}),
                      weight,
                      {2, 3},
                      {0, 3}}
            .finish(c);
    }
};

/// Each channel by its moments; with running moments, which are constants, a product of the gradient and a factor.
struct batch_norm_gradient {
    using op = aten::native_batch_norm_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 26;
    static constexpr bool when(const call_view& call) {
        const auto of = op::norm_of(call);
        return has_whole_gradients<op>(call, of.mean, of.rstd);
    }
    static constexpr void decompose(auto& c) {
        const auto of = op::norm_of(c.aten);
        const auto& type = c.aten.tensor(at::input);
        const int rank = type.rank;
        const auto channels = [&](const argument& x) { return of_channels(c, x, rank); };
        const auto middle = channels(c.operand(of.mean));
        auto rstd = channels(c.operand(of.rstd));
        const bool trains = c.aten.boolean(at::train);
        if (!trains) rstd = c.call("aten.rsqrt.default", {c.call(add, {rstd, c.aten.real(at::eps)})});
        if (!c.editor().ok()) return;
        const auto weight = c.aten.is_given(at::weight) ? channels(c.operand(at::weight)) : argument{};
        const auto dims = dims_of(~2u, rank);
        norm_gradient{c.operand(at::input), c.operand(at::grad_out), middle, rstd, weight, dims, dims, trains}
            .finish(c);
    }
};

} // namespace ahead::decomposition
