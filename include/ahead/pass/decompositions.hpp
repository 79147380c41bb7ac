// SPDX-License-Identifier: MIT
// The built-in decompositions: operators without a kernel of their own, as expressions of operators that have one. What
// remains runs on the AI CPU. They come after fold_batch_norm, which wants batch norms whole, and before duplicates are
// looked for. A user's converter for one of these operators keeps its calls whole. Sources:
// torch/_decomp/decompositions.py and torch/_refs for what an operator is made of.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/pass/decompose.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::decomposition {

constexpr std::string_view add = "aten.add.Tensor", sub = "aten.sub.Tensor", mul = "aten.mul.Tensor",
                           view = "aten.view.default", reshape = "aten.reshape.default", expand = "aten.expand.default",
                           mean = "aten.mean.dim", sum = "aten.sum.dim_IntList", mm = "aten.mm.default",
                           bmm = "aten.bmm.default";

constexpr bool is_one(const argument& a) { return call_view::to_real(a) == 1; }
constexpr bool is_zero(const argument& a) { return call_view::to_real(a) == 0; }
constexpr argument scaled(decompose_context& c, const argument& x, const argument& factor) {
    return is_one(factor) ? x : c.call(mul, {x, factor});
}
/// The bits of a mask of dims as a list.
constexpr int_list dims_of(unsigned mask, int rank) {
    int_list out;
    for (int d = 0; d < rank; ++d)
        if (mask >> d & 1) out.push_back(d);
    return out;
}
/// One value for each channel as a tensor that broadcasts against [N, channels, ...].
constexpr argument of_channels(decompose_context& c, const argument& x, int rank) {
    int_list sizes{c.type_of(x).size(0)};
    for (int d = 2; d < rank; ++d) sizes.push_back(1);
    return rank > 2 ? c.call(view, {x, sizes}) : x;
}

// ---- products

/// beta * self + alpha * (a @ b), where the factors are not 1: the kernels know none. beta 0 leaves self out, as
/// PyTorch does.
template <class Op, bool Batch>
struct scaled_product {
    using op = Op;
    using at = aten::biased_parameters::at;
    static constexpr std::int32_t most_calls = 4;
    static constexpr bool when(const call_view& call) {
        return is_floating(call.result_type().type) &&
               (Batch || !is_one(call.at(at::beta)) || !is_one(call.at(at::alpha)));
    }
    static constexpr void decompose(decompose_context& c) {
        const auto product =
            scaled(c, c.call(Batch ? bmm : mm, {c.operand(at::a), c.operand(at::b)}), c.operand(at::alpha));
        c.finish(is_zero(c.aten.at(at::beta))
                     ? product
                     : c.call(add, {scaled(c, c.operand(at::self), c.operand(at::beta)), product}));
    }
};

/// Python's a @ b: what is a matrix or can be seen as one is mm, batches that broadcast are bmm, a vector is a row or
/// column.
template <class Op>
struct product {
    using op = Op;
    using at = aten::product::at;
    static constexpr std::int32_t most_calls = 8;
    static constexpr bool when(const call_view& call) {
        return is_floating(call.result_type().type) && element_count(call.tensor(at::a)) > 0 &&
               element_count(call.tensor(at::b)) > 0;
    }
    static constexpr void decompose(decompose_context& c) {
        auto a = c.operand(at::a), b = c.operand(at::b);
        if (c.type_of(a).rank == 1) a = c.call("aten.unsqueeze.default", {a, 0});
        if (c.type_of(b).rank == 1) b = c.call("aten.unsqueeze.default", {b, 1});
        if (!c.editor().ok()) return;
        const auto out = sizes_of(c.aten.result_type());
        const auto m = c.type_of(a).size(c.type_of(a).rank - 2), k = c.type_of(b).size(c.type_of(b).rank - 2);
        const auto n = c.type_of(b).size(c.type_of(b).rank - 1);
        argument made;
        if (c.type_of(b).rank == 2) {
            if (c.type_of(a).rank > 2) a = c.call(reshape, {a, int_list{element_count(c.type_of(a)) / k, k}});
            made = c.call(mm, {a, b});
        } else {
            int_list batch;
            for (int d = 0; d < out.size; ++d) batch.push_back(out[d]);
            batch.size -= (c.aten.tensor(at::a).rank > 1) + (c.aten.tensor(at::b).rank > 1);
            const auto as_batch = [&](const argument& whole, std::int64_t rows, std::int64_t columns) {
                auto sizes = batch;
                sizes.push_back(rows);
                sizes.push_back(columns);
                std::int64_t count = 1;
                for (auto size : batch) count *= size;
                const bool spread = sizes_of(c.type_of(whole)) != sizes;
                const auto all = spread ? c.call(expand, {whole, sizes}) : whole;
                return batch.size == 1 ? all : c.call(reshape, {all, int_list{count, rows, columns}});
            };
            const auto left = as_batch(a, m, k), right = as_batch(b, k, n);
            made = c.call(bmm, {left, right});
        }
        if (!c.editor().ok()) return;
        c.finish(sizes_of(c.type_of(made)) == out ? made : c.call(view, {made, out}));
    }
};

// ---- normalisations

/// (x - mean) / sqrt(var + eps) * weight + bias by running statistics, as x * scale + shift: prepare computes both
/// where they are weights.
template <class Op>
struct batch_norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 9;
    static constexpr bool when(const call_view& call) {
        if constexpr (requires { at::training; }) return !call.boolean(at::training);
        else return true;
    }
    static constexpr void decompose(decompose_context& c) {
        const int rank = c.aten.tensor(at::input).rank;
        auto scale = c.call("aten.rsqrt.default", {c.call(add, {c.operand(at::running_var), c.aten.real(at::eps)})});
        if (c.aten.is_given(at::weight)) scale = c.call(mul, {scale, c.operand(at::weight)});
        const auto offset = c.call(mul, {c.operand(at::running_mean), scale});
        const auto shift = c.aten.is_given(at::bias) ? c.call(sub, {c.operand(at::bias), offset})
                                                     : c.call("aten.neg.default", {offset});
        if (!c.editor().ok()) return;
        c.finish(c.call(
            add, {c.call(mul, {c.operand(at::input), of_channels(c, scale, rank)}), of_channels(c, shift, rank)}));
        for (int k = 1; k < 3; ++k) // they have no elements
            if (c.is_result_used(k)) c.finish(c.call("aten.slice.Tensor", {c.operand(at::running_mean), 0, 0, 0}), k);
    }
};

/// Each group of channels is a row of a layer norm.
template <class Op, bool HasStatistics>
struct group_norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int64_t groups_of(const call_view& call) {
        if constexpr (HasStatistics) return call.integer(at::group);
        else return call.integer(at::num_groups);
    }
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool when(const call_view& call) { return element_count(call.tensor(at::input)) > 0; }
    static constexpr void decompose(decompose_context& c) {
        const auto type = c.aten.tensor(at::input);
        const auto groups = groups_of(c.aten), rows = type.size(0) * groups, columns = element_count(type) / rows;
        const auto normal = c.call("aten.native_layer_norm.default",
                                   {c.call(reshape, {c.operand(at::input), int_list{rows, columns}}), int_list{columns},
                                    call_argument{}, call_argument{}, c.aten.real(at::eps)});
        auto out = c.call(view, {c.pick(normal, 0), sizes_of(type)});
        if (!c.editor().ok()) return;
        if (c.aten.is_given(at::weight)) out = c.call(mul, {out, of_channels(c, c.operand(at::weight), type.rank)});
        if (c.aten.is_given(at::bias)) out = c.call(add, {out, of_channels(c, c.operand(at::bias), type.rank)});
        c.finish(out);
        for (int k = 1; k < 3; ++k)
            if (HasStatistics && c.is_result_used(k))
                c.finish(c.call(view, {c.pick(normal, k), int_list{type.size(0), groups}}), k);
    }
};

/// x / sqrt(mean(x^2) + eps) * weight
struct rms_norm {
    using op = aten::rms_norm;
    using at = op::at;
    static constexpr std::int32_t most_calls = 6;
    static constexpr void decompose(decompose_context& c) {
        const auto& type = c.aten.tensor(at::input);
        const double smallest = type.type == dtype::f64 ? std::numeric_limits<double>::epsilon()
                                                        : static_cast<double>(std::numeric_limits<float>::epsilon());
        const auto dims = dims_of(aten::last_dims(type.rank, c.aten.ints(at::normalized_shape).size), type.rank);
        const auto x = c.operand(at::input);
        const auto squares = c.call(mean, {c.call(mul, {x, x}), dims, true});
        const auto scale = c.call("aten.rsqrt.default",
                                  {c.call(add, {squares, c.aten.is_given(at::eps) ? c.aten.real(at::eps) : smallest})});
        const auto out = c.call(mul, {x, scale});
        c.finish(c.aten.is_given(at::weight) ? c.call(mul, {out, c.operand(at::weight)}) : out);
    }
};

// ---- reductions

/// The mean of (x - mean)^2, and what is made of it. Two passes, as it is numerically best.
template <class Op, bool Root, bool WithMean>
struct variance {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 9;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).rank > 0; }
    static constexpr void decompose(decompose_context& c) {
        const auto& type = c.aten.tensor(at::self);
        const auto mask = aten::reduced_dims(c.aten, at::dim, type.rank);
        const auto dims = dims_of(mask, type.rank);
        const bool keep = c.aten.boolean(at::keepdim);
        const double correction = c.aten.is_given(at::correction) ? c.aten.real(at::correction) : 1,
                     freedom = static_cast<double>(aten::reduced_count(type, mask)) - correction;
        const auto middle = c.call(mean, {c.operand(at::self), dims, true});
        const auto off = c.call(sub, {c.operand(at::self), middle});
        auto out = c.call(sum, {c.call(mul, {off, off}), dims, keep});
        out = c.call("aten.div.Tensor", {out, freedom > 0 ? freedom : 0.0});
        if (Root) out = c.call("aten.sqrt.default", {out});
        c.finish(out);
        if (WithMean && c.is_result_used(1))
            c.finish(keep ? middle : c.call(view, {middle, sizes_of(c.aten.result_type(1))}), 1);
    }
};

/// log(sum(e^(x - largest))) + largest, where an infinite largest counts as the largest finite number.
struct logsumexp {
    using op = aten::logsumexp;
    using at = op::at;
    static constexpr std::int32_t most_calls = 8;
    static constexpr bool when(const call_view& call) {
        return is_floating(call.tensor(at::self).type) && call.tensor(at::self).rank > 0 &&
               element_count(call.tensor(at::self)) > 0;
    }
    static constexpr void decompose(decompose_context& c) {
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
        c.finish(c.call(add, {c.call("aten.log.default", {total}), back}));
    }
};

/// The norms that are a sum or a largest element.
template <class Op>
struct norm {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr double order(const call_view& call) {
        int p = no_parameter;
        if constexpr (requires { at::ord; }) p = at::ord;
        else p = at::p;
        return call.is_given(p) ? call.real(p) : 2;
    }
    static constexpr bool when(const call_view& call) {
        const auto p = order(call);
        return (p == 1 || p == 2 || p == std::numeric_limits<double>::infinity()) &&
               call.tensor(at::self).type == call.result_type().type && is_floating(call.tensor(at::self).type) &&
               call.tensor(at::self).rank > 0 && element_count(call.tensor(at::self)) > 0;
    }
    static constexpr void decompose(decompose_context& c) {
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
        c.finish(p == 2 ? c.call("aten.sqrt.default", {total}) : total);
    }
};

/// The mean or sum of |x - y| or (x - y)^2.
template <class Op, bool Squared>
struct pairwise_loss {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).type == call.result_type().type; }
    static constexpr void decompose(decompose_context& c) {
        const auto off = c.call(sub, {c.operand(at::self), c.operand(at::target)});
        const auto loss = Squared ? c.call(mul, {off, off}) : c.call("aten.abs.default", {off});
        const auto reduction = c.aten.integer(at::reduction);
        c.finish(reduction == 0 ? loss : c.call(reduction == 1 ? "aten.mean.default" : "aten.sum.default", {loss}));
    }
};

// ---- windows and layouts

/// Means of windows that tile the input: a dim becomes two, of windows and of places in them.
template <class Op, int Spatial>
struct tiled_mean {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) {
        const auto& x = call.tensor(at::self);
        const auto& out = call.result_type();
        if (x.rank + Spatial > max_rank || !is_floating(x.type) || element_count(x) == 0) return false;
        for (int d = x.rank - Spatial; d < x.rank; ++d)
            if (out.size(d) == 0 || x.size(d) % out.size(d) != 0) return false;
        return true;
    }
    static constexpr void decompose(decompose_context& c) {
        const auto& x = c.aten.tensor(at::self);
        int_list tiled, dims;
        for (int d = 0; d < x.rank; ++d) {
            if (d < x.rank - Spatial) {
                tiled.push_back(x.size(d));
                continue;
            }
            const auto windows = c.aten.result_type().size(d);
            tiled.push_back(windows);
            dims.push_back(tiled.size);
            tiled.push_back(x.size(d) / windows);
        }
        c.finish(c.call(mean, {c.call(reshape, {c.operand(at::self), tiled}), dims}));
    }
};

/// [.., c r r, h, w] is [.., c, h r, w r]: only an exchange of dims.
struct pixel_shuffle {
    using op = aten::pixel_shuffle;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) { return call.tensor(at::self).rank < 6; }
    static constexpr void decompose(decompose_context& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto r = c.aten.integer(at::upscale_factor);
        const int lead = x.rank - 3;
        int_list apart, order;
        for (int d = 0; d < lead; ++d) {
            apart.push_back(x.size(d));
            order.push_back(d);
        }
        for (auto size : {x.size(lead) / (r * r), r, r, x.size(lead + 1), x.size(lead + 2)}) apart.push_back(size);
        for (int d : {0, 3, 1, 4, 2}) order.push_back(lead + d); // c, h, r, w, r
        const auto turned = c.call("aten.permute.default", {c.call(reshape, {c.operand(at::self), apart}), order});
        c.finish(c.call(reshape, {turned, sizes_of(c.aten.result_type())}));
    }
};

/// Copies side by side: an expanded dim before each one that is repeated.
struct repeat {
    using op = aten::repeat;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) {
        bool repeats = false;
        for (auto times : call.ints(at::repeats)) repeats = repeats || times > 1;
        return repeats && 2 * call.result_type().rank <= max_rank && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(decompose_context& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto times = c.aten.ints(at::repeats);
        int_list apart, spread;
        for (int d = 0; d < times.size; ++d) {
            const int own = d - (times.size - x.rank);
            const auto size = own < 0 ? 1 : x.size(own);
            apart.push_back(1);
            apart.push_back(size);
            spread.push_back(times[d]);
            spread.push_back(size);
        }
        const auto seen = c.call(expand, {c.call(reshape, {c.operand(at::self), apart}), spread});
        c.finish(c.call(reshape, {seen, sizes_of(c.aten.result_type())}));
    }
};

} // namespace ahead::decomposition

namespace AHEAD_NAMESPACE::pass {

using builtin_decompositions = decomposition_list<
    decomposition::scaled_product<aten::addmm, false>, decomposition::scaled_product<aten::baddbmm, true>,
    decomposition::product<aten::matmul>, decomposition::product<aten::mv>, decomposition::product<aten::dot>,
    decomposition::batch_norm<aten::native_batch_norm>, decomposition::batch_norm<aten::native_batch_norm_no_training>,
    decomposition::group_norm<aten::native_group_norm, true>, decomposition::group_norm<aten::group_norm, false>,
    decomposition::rms_norm, decomposition::variance<aten::var, false, false>,
    decomposition::variance<aten::std_correction, true, false>, decomposition::variance<aten::var_mean, false, true>,
    decomposition::logsumexp, decomposition::norm<aten::linalg_vector_norm>, decomposition::norm<aten::norm_scalar>,
    decomposition::norm<aten::norm_dim>, decomposition::pairwise_loss<aten::mse_loss, true>,
    decomposition::pairwise_loss<aten::l1_loss, false>, decomposition::tiled_mean<aten::adaptive_avg_pool2d, 2>,
    decomposition::tiled_mean<aten::adaptive_avg_pool1d, 1>, decomposition::pixel_shuffle, decomposition::repeat>;

/// A struct rather than a name for its base, so that symbols do not list the decompositions.
struct decompose_pass : builtin_decompositions::builtin_pass {};
inline constexpr decompose_pass decompose;

} // namespace ahead::pass
