// SPDX-License-Identifier: MIT
// Normalisations, variances and norms, as sums, means and pointwise operators.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// (x - mean) / sqrt(var + eps) * weight + bias with running statistics, as x * scale + shift: prepare computes both if
/// they depend on weights alone.
template <class Op> struct batch_norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 9;
    static constexpr bool when(const call_view& call) {
        if constexpr (requires { at::training; }) return !call.boolean(at::training);
        else if constexpr (requires { at::use_input_stats; }) return !call.boolean(at::use_input_stats);
        else return true;
    }
    static constexpr void decompose(auto& c) {
        const int rank = c.aten.tensor(at::input).rank;
        auto scale = c.call("aten.rsqrt.default", {c.call(add, {c.operand(at::running_var), c.aten.real(at::eps)})});
        if (c.aten.is_given(at::weight)) scale = c.call(mul, {scale, c.operand(at::weight)});
        const auto offset = c.call(mul, {c.operand(at::running_mean), scale});
        const auto shift = c.aten.is_given(at::bias) ? c.call(sub, {c.operand(at::bias), offset})
                                                     : c.call("aten.neg.default", {offset});
        if (!c.editor().ok()) return;
        c.bind_result(c.call(
            add, {c.call(mul, {c.operand(at::input), of_channels(c, scale, rank)}), of_channels(c, shift, rank)}));
        for (int k = 1; k < c.editor()[c.aten.id()].values.count; ++k) // they have no elements
            if (c.is_result_used(k))
                c.bind_result(c.call("aten.slice.Tensor", {c.operand(at::running_mean), 0, 0, 0}), k);
    }
};

/// Each group of channels is a row of a layer norm.
template <class Op, bool HasStatistics> struct group_norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int64_t groups_of(const call_view& call) {
        if constexpr (HasStatistics) return call.integer(at::group);
        else if constexpr (requires { at::use_input_stats; }) return call.tensor(at::input).size(1);
        else return call.integer(at::num_groups);
    }
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool when(const call_view& call) {
        if constexpr (requires { at::use_input_stats; })
            if (!call.boolean(at::use_input_stats)) return false;
        return element_count(call.tensor(at::input)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto type = c.aten.tensor(at::input);
        const auto groups = groups_of(c.aten), rows = type.size(0) * groups, columns = element_count(type) / rows;
        const auto normal = c.call("aten.native_layer_norm.default",
                                   {c.call(reshape, {c.operand(at::input), int_list{rows, columns}}), int_list{columns},
                                    call_argument{}, call_argument{}, c.aten.real(at::eps)});
        auto out = c.call(view, {c.pick(normal, 0), sizes_of(type)});
        if (!c.editor().ok()) return;
        if (c.aten.is_given(at::weight)) out = c.call(mul, {out, of_channels(c, c.operand(at::weight), type.rank)});
        if (c.aten.is_given(at::bias)) out = c.call(add, {out, of_channels(c, c.operand(at::bias), type.rank)});
        c.bind_result(out);
        for (int k = 1; k < 3; ++k)
            if (HasStatistics && c.is_result_used(k))
                c.bind_result(c.call(view, {c.pick(normal, k), int_list{type.size(0), groups}}), k);
    }
};

/// x / sqrt(mean(x^2) + eps) * weight
template <class Op> struct rms_norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 6;
    static constexpr void decompose(auto& c) {
        const auto& type = c.aten.tensor(at::input);
        const double smallest = type.type == dtype::f64 ? std::numeric_limits<double>::epsilon()
                                                        : static_cast<double>(std::numeric_limits<float>::epsilon());
        const auto dims = dims_of(aten::last_dims(type.rank, c.aten.ints(at::normalized_shape).size), type.rank);
        const auto x = c.operand(at::input);
        const auto squares = c.call(mean, {c.call(mul, {x, x}), dims, true});
        const auto scale = c.call("aten.rsqrt.default",
                                  {c.call(add, {squares, c.aten.is_given(at::eps) ? c.aten.real(at::eps) : smallest})});
        const auto out = c.call(mul, {x, scale});
        c.bind_result(c.aten.is_given(at::weight) ? c.call(mul, {out, c.operand(at::weight)}) : out);
        c.bind_result(scale, 1);
    }
};

// ---- reductions

/// The mean of (x - mean)^2 or its root, and with WithMean the mean of x. Two passes, for numerical accuracy.
template <class Op, bool Root, bool WithMean> struct variance {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 9;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).rank > 0; }
    static constexpr void decompose(auto& c) {
        const auto& type = c.aten.tensor(at::self);
        int dim = no_parameter, correction = no_parameter;
        bool keep = false;
        if constexpr (requires { at::unbiased; }) correction = at::unbiased;
        else correction = at::correction;
        if constexpr (requires { at::dim; }) {
            dim = at::dim;
            keep = c.aten.boolean(at::keepdim);
        }
        const auto mask = aten::reduced_dims(c.aten, dim, type.rank);
        const auto dims = dims_of(mask, type.rank);
        const double freedom =
            static_cast<double>(aten::reduced_count(type, mask)) - aten::detail::correction_of(c.aten, correction);
        const auto middle = c.call(mean, {c.operand(at::self), dims, true});
        const auto off = c.call(sub, {c.operand(at::self), middle});
        auto out = c.call(sum, {c.call(mul, {off, off}), dims, keep});
        out = c.call("aten.div.Tensor", {out, freedom > 0 ? freedom : 0.0});
        if (Root) out = c.call("aten.sqrt.default", {out});
        c.bind_result(out);
        if (WithMean && c.is_result_used(1))
            c.bind_result(keep ? middle : c.call(view, {middle, sizes_of(c.aten.result_type(1))}), 1);
    }
};

/// log(sum(e^(x - largest))) + largest, where an infinite largest is clamped to the finite number next to it.
struct logsumexp {
    using op = aten::logsumexp;
    using at = op::at;
    static constexpr std::int32_t most_calls = 8;
    static constexpr bool when(const call_view& call) {
        return is_floating(call.tensor(at::self).type) && call.tensor(at::self).rank > 0 &&
               element_count(call.tensor(at::self)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto& type = c.aten.tensor(at::self);
        const auto dims = dims_of(aten::reduced_dims(c.aten, at::dim, type.rank), type.rank);
        const double most = type.type == dtype::f64 ? std::numeric_limits<double>::max()
                                                    : static_cast<double>(std::numeric_limits<float>::max());
        const bool keep = c.aten.boolean(at::keepdim);
        const auto largest =
            c.call("aten.clamp.default", {c.call("aten.amax.default", {c.operand(at::self), dims, true}), -most, most});
        const auto total =
            c.call(sum, {c.call("aten.exp.default", {c.call(sub, {c.operand(at::self), largest})}), dims, keep});
        const auto back = keep ? largest : c.call(view, {largest, sizes_of(c.aten.result_type())});
        c.bind_result(c.call(add, {c.call("aten.log.default", {total}), back}));
    }
};

/// v * (g / norm), and the norm of v: computed in f32 where v is bf16.
struct weight_norm_interface {
    using op = aten::weight_norm_interface;
    using at = op::at;
    static constexpr std::int32_t most_calls = 9;
    static constexpr bool when(const call_view& call) { return element_count(call.tensor(at::v)) > 0; }
    static constexpr void decompose(auto& c) {
        const auto &type = c.aten.tensor(at::v), &of_norm = c.aten.result_type(1);
        const auto as = [&](const argument& x, dtype to) {
            return c.type_of(x).type == to ? x : c.call("prims.convert_element_type.default", {x, to});
        };
        const auto v = as(c.operand(at::v), of_norm.type), g = as(c.operand(at::g), of_norm.type);
        const auto dims = dims_of(op::dims_of_norm(c.aten), type.rank);
        const auto norm = dims.size > 0
                              ? c.call("aten.sqrt.default", {c.call(sum, {c.call(mul, {v, v}), dims, true})})
                              : c.call("aten.abs.default", {v});
        const auto out = c.call(mul, {v, c.call("aten.div.Tensor", {g, norm})});
        if (!c.editor().ok()) return;
        c.bind_result(as(out, type.type));
        if (c.is_result_used(1)) c.bind_result(norm, 1);
    }
};

/// In steps of 1, 2, 4, ..: the logarithm of the sum of two partial sums, one shifted by the step.
struct logcumsumexp {
    using op = aten::logcumsumexp;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3 * 63;
    static constexpr bool when(const call_view& call) {
        const auto& t = call.tensor(at::self);
        return is_floating(t.type) && has_kernels(t.type) && t.rank > 0 && element_count(t) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto type = c.aten.tensor(at::self);
        const int dim = wrapped_dim(c.aten.integer(at::dim), type.rank);
        int_list before;
        for (int d = type.rank; d-- > dim;) {
            before.push_back(0);
            before.push_back(0);
        }
        auto out = c.operand(at::self);
        for (std::int64_t step = 1; step < type.size(dim); step *= 2) {
            before[before.size - 2] = step;
            const auto kept = c.call("aten.slice.Tensor", {out, dim, 0, type.size(dim) - step});
            const auto moved =
                c.call("aten.constant_pad_nd.default", {kept, before, -std::numeric_limits<double>::infinity()});
            out = c.call("aten.logaddexp.default", {out, moved});
        }
        c.bind_result(type.size(dim) > 1 ? out : c.call("aten.clone.default", {out}));
    }
};

/// The sum, with NaN replaced by 0.
struct nansum {
    using op = aten::nansum;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) {
        const auto& t = call.tensor(at::self);
        return is_floating(t.type) && has_kernels(t.type) && call.result_type().type == t.type && t.rank > 0 &&
               element_count(t) > 0;
    }
    static constexpr void decompose(auto& c) {
        const int rank = c.aten.tensor(at::self).rank;
        const double most = std::numeric_limits<double>::infinity();
        c.bind_result(c.call(sum, {c.call("aten.nan_to_num.default", {c.operand(at::self), 0.0, most, -most}),
                              dims_of(aten::reduced_dims(c.aten, at::dim, rank), rank), c.aten.boolean(at::keepdim)}));
    }
};

/// The norms that are a sum or a maximum.
template <class Op> struct norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr double order(const call_view& call) {
        int p = no_parameter;
        if constexpr (requires { at::ord; }) p = at::ord;
        else if constexpr (requires { at::p; }) p = at::p;
        return p != no_parameter && call.is_given(p) ? call.real(p) : 2;
    }
    static constexpr bool when(const call_view& call) {
        const auto p = order(call);
        return (p == 1 || p == 2 || p == std::numeric_limits<double>::infinity()) &&
               call.tensor(at::self).type == call.result_type().type && is_floating(call.tensor(at::self).type) &&
               call.tensor(at::self).rank > 0 && element_count(call.tensor(at::self)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto p = order(c.aten);
        const int rank = c.aten.tensor(at::self).rank;
        int dim = no_parameter;
        bool keep = false;
        if constexpr (requires { at::dim; }) {
            dim = at::dim;
            keep = c.aten.boolean(at::keepdim);
        }
        const auto dims = dims_of(aten::reduced_dims(c.aten, dim, rank), rank);
        const auto x = c.operand(at::self);
        const auto sizes = p == 2 ? c.call(mul, {x, x}) : c.call("aten.abs.default", {x});
        const auto total = c.call(p == 1 || p == 2 ? sum : "aten.amax.default", {sizes, dims, keep});
        c.bind_result(p == 2 ? c.call("aten.sqrt.default", {total}) : total);
    }
};

/// Distances between rows: euclidean ones of many rows as sqrt(x^2 + y^2 - 2xy), where PyTorch uses a product, too;
/// others as the norms of all differences, [.., P, 1, M] - [.., 1, R, M], if these are few enough to be stored.
template <class Op> struct cdist {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int64_t most_differences = 1 << 22;
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool is_product(const call_view& call) {
        const auto &x = call.tensor(at::x1), &y = call.tensor(at::x2);
        const auto mode = call.is_given(at::compute_mode) ? call.integer(at::compute_mode) : 0;
        const bool many = x.size(x.rank - 2) > 25 || y.size(y.rank - 2) > 25;
        return call.real(at::p) == 2 && (mode == 1 || (mode == 0 && many)) && x.rank == y.rank &&
               (x.rank == 2 || (x.rank == 3 && x.size(0) == y.size(0)));
    }
    static constexpr bool when(const call_view& call) {
        const auto columns = call.tensor(at::x1).size(call.tensor(at::x1).rank - 1);
        const auto distances = element_count(call.result_type());
        return call.real(at::p) > 0 && call.result_type().rank < max_rank && distances > 0 && columns > 0 &&
               (is_product(call) || columns <= most_differences / distances);
    }
    static constexpr void decompose(auto& c) {
        const auto x = c.operand(at::x1), y = c.operand(at::x2);
        const auto p = c.aten.real(at::p);
        if (is_product(c.aten)) {
            const auto squares = [&](const argument& t) {
                return c.call(sum, {c.call(mul, {t, t}), int_list{-1}, true});
            };
            const auto turned = [&](const argument& t) { return c.call("aten.transpose.int", {t, -2, -1}); };
            const auto both = c.call(add, {squares(x), turned(squares(y))});
            const auto product = c.call(c.aten.tensor(at::x1).rank == 2 ? mm : bmm, {x, turned(y)});
            const auto squared = c.call(sub, {both, c.call(mul, {product, 2})});
            return c.bind_result(c.call("aten.sqrt.default", {c.call("aten.clamp_min.default", {squared, 0})}));
        }
        const bool largest = p == std::numeric_limits<double>::infinity();
        const auto off =
            c.call(sub, {c.call("aten.unsqueeze.default", {x, -2}), c.call("aten.unsqueeze.default", {y, -3})});
        auto sizes = p == 2 ? c.call(mul, {off, off}) : c.call("aten.abs.default", {off});
        if (p != 1 && p != 2 && !largest) sizes = c.call("aten.pow.Tensor_Scalar", {sizes, p});
        const auto total = c.call(largest ? "aten.amax.default" : sum, {sizes, int_list{-1}});
        c.bind_result(p == 2              ? c.call("aten.sqrt.default", {total})
                 : p == 1 || largest ? total
                                     : c.call("aten.pow.Tensor_Scalar", {total, 1 / p}));
    }
};

/// The norm of a difference.
struct dist {
    using op = aten::dist;
    using at = op::at;
    static constexpr std::int32_t most_calls = 4;
    static constexpr bool when(const call_view& call) {
        const auto p = call.real(at::p);
        return (p == 1 || p == 2 || p == std::numeric_limits<double>::infinity()) &&
               call.tensor(at::self).rank + call.tensor(at::other).rank > 0 &&
               element_count(call.tensor(at::self)) > 0 && element_count(call.tensor(at::other)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto p = c.aten.real(at::p);
        const auto off = c.call(sub, {c.operand(at::self), c.operand(at::other)});
        const auto sizes = p == 2 ? c.call(mul, {off, off}) : c.call("aten.abs.default", {off});
        const auto total =
            c.call(p == 1 || p == 2 ? sum : "aten.amax.default", {sizes, dims_of(~0u, c.type_of(sizes).rank)});
        c.bind_result(p == 2 ? c.call("aten.sqrt.default", {total}) : total);
    }
};

} // namespace ahead::decomposition
