// SPDX-License-Identifier: MIT
// segment_reduce: reduces segments of a dim; the segments' lengths or bounds are data.
// Source: aten/src/ATen/native/SegmentReduce.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

enum class segment_fold { sum, mean, max, min, prod };

/// segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int
/// axis=0, bool unsafe=False, Scalar? initial=None): reduces S segments of dim `axis` of [.., K, ..] to [.., S, ..].
/// lengths [.., S] has the dims before axis and the length of each segment; offsets [.., S + 1] has the begin of each
/// segment and the end of the last. initial is the initial value; without it an empty segment's mean is NaN. A segment
/// that exceeds K is an error at run time
struct segment_reduce {
    static constexpr std::string_view name = "aten.segment_reduce.default"sv;
    enum at : int { data, reduce, lengths, indices, offsets, axis, unsafe, initial };
    static constexpr parameter schema[] = {required("data", parameter_kind::tensor),
                                           one_of<segment_fold>(required("reduce", parameter_kind::string)),
                                           defaulted("lengths", parameter_kind::optional_tensor),
                                           defaulted("indices", parameter_kind::optional_tensor),
                                           defaulted("offsets", parameter_kind::optional_tensor),
                                           defaulted("axis", parameter_kind::integer, argument::of(0)),
                                           defaulted("unsafe", parameter_kind::boolean, argument::of(false)),
                                           defaulted("initial", parameter_kind::optional_scalar)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::data);
        int dim = 0;
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (c.is_given(at::indices)) return c.refuse(fault::argument_is_unknown, "lengths or offsets", "indices");
        if (c.is_given(at::lengths) == c.is_given(at::offsets))
            return c.refuse(fault::argument_is_missing, "either lengths or offsets",
                            c.is_given(at::lengths) ? "both" : "neither");
        if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
        if (!c.wrap_dim(c.integer(at::axis), t.rank, dim)) return false;
        const auto& bounds = c.tensor(c.is_given(at::lengths) ? at::lengths : at::offsets);
        if (bounds.type != dtype::i64 && bounds.type != dtype::i32)
            return c.refuse(fault::dtype_is_unsupported, "i64 or i32", print(bounds));
        if (bounds.rank != dim + 1)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << dim + 1, print(bounds));
        auto sizes = sizes_of(t), wanted = sizes_of(bounds);
        for (int d = 0; d < dim; ++d) wanted[d] = t.size(d);
        if (wanted != sizes_of(bounds))
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(bounds.type, wanted)), print(bounds));
        sizes[dim] = bounds.size(dim) - !c.is_given(at::lengths);
        return c.check_sizes(sizes, "an offset at least") && c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto kind = c.template word<segment_fold>(at::reduce);
        const bool by_lengths = c.is_given(at::lengths);
        const auto bounds = c.input(by_lengths ? at::lengths : at::offsets, std::int64_t{});
        const auto& t = c.tensor(at::data);
        const int dim = wrapped_dim(c.integer(at::axis), t.rank);
        double start = 0; // initial value
        if (c.is_given(at::initial)) start = c.real(at::initial);
        else if (kind == segment_fold::max) start = -math::detail::infinity;
        else if (kind == segment_fold::min) start = math::detail::infinity;
        else if (kind == segment_fold::prod) start = 1;
        c.compute_real([&](auto as) {
            const auto in = c.input(at::data, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list run = at;
                run.size = dim + 1;
                std::int64_t begin = 0, end = 0;
                if (by_lengths) {
                    for (run[dim] = 0; run[dim] < at[dim]; ++run[dim]) begin += bounds[run];
                    end = begin + bounds[run];
                } else {
                    begin = bounds[run];
                    ++run[dim];
                    end = bounds[run];
                }
                if (!c.index(begin, t.size(dim) + 1) || !c.index(end - begin, t.size(dim) - begin + 1)) return;
                double total = start;
                auto i = at;
                for (i[dim] = begin; i[dim] < end; ++i[dim]) {
                    const auto x = static_cast<double>(in[i]);
                    switch (kind) {
                    case segment_fold::sum:
                    case segment_fold::mean: total += x; break;
                    case segment_fold::prod: total *= x; break;
                    case segment_fold::max: total = math::isnan(x) || x > total ? x : total; break;
                    case segment_fold::min: total = math::isnan(x) || x < total ? x : total; break;
                    }
                }
                if (kind == segment_fold::mean) {
                    if (end > begin) total /= static_cast<double>(end - begin);
                    else if (!c.is_given(segment_reduce::initial)) total = std::numeric_limits<double>::quiet_NaN();
                }
                out.put(at, math::convert<decltype(as)>(total));
            });
        });
    }
};

using segment_reduce_ops = op_list<segment_reduce>;

} // namespace ahead::aten
