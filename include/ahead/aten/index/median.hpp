// SPDX-License-Identifier: MIT
// Selection of one element per line by rank: median, nanmedian, kthvalue; or by frequency: mode. NaN is largest.
// Of equal elements the index of the first one of that rank is returned; by mode the last one.
// Source: aten/src/ATen/native/Sorting.cpp, cpu/SortingKernel.cpp, TensorCompareKernel.cpp.
#pragma once
#include <ahead/aten/index/sort.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// For each line along `dims` of the first parameter: sorts the elements with their indices, and writes the entry
/// pick(line, size) to result 0 and its index to result 1, if there is one.
constexpr void evaluate_picked(auto& c, unsigned dims, bool keepdim, bool with_place, auto pick) {
    const auto& t = c.tensor(first_parameter);
    c.compute(t.type, [&](auto as) {
        using T = decltype(as);
        using entry = std::pair<T, std::int64_t>;
        const auto in = c.input(first_parameter, as);
        const auto size = reduced_count(t, dims);
        auto memory = c.scratch(2 * size + 1, entry{}); // at least one
        const auto before = [](const entry& x, const entry& y) { return beats<true>(y.first, x.first); };
        for_each_reduced(t, dims, keepdim, [&](const int_list& at, auto walk) {
            entry* line = memory.data();
            std::int64_t place = 0;
            walk([&](const int_list& i) {
                line[place] = {in[i], place};
                ++place;
            });
            const auto picked = pick(sort_stably(line, line + size, size, before), size);
            c.output(0, as).put(at, picked.first);
            if (with_place) c.output(1, std::int64_t{}).put(at, picked.second);
        });
    });
}
constexpr std::int64_t picked_scratch(const tensor_type& t, unsigned dims) {
    return 16 * (2 * reduced_count(t, dims) + 1);
}

/// The lower middle element; with SkipsNan among the non-NaN elements, else NaN wins.
template <bool SkipsNan> constexpr auto middle_of(const auto* line, std::int64_t size) {
    auto numbers = size;
    while (numbers > 0 && math::isnan(line[numbers - 1].first)) --numbers;
    if (numbers == size || (SkipsNan && numbers > 0)) return line[numbers > 0 ? (numbers - 1) / 2 : 0];
    return line[numbers]; // the first NaN
}

/// Infers results (values, indices) along the dim of parameter `along`.
constexpr bool infer_picked(infer_context& c, int along, int keepdim, bool takes_bools = false) {
    const auto& t = c.tensor(first_parameter);
    int dim = 0;
    if (t.type == dtype::b8 && !takes_bools) return c.refuse(fault::dtype_is_unsupported, "numbers", print(t));
    if (!c.wrap_dim(c.integer(along), t.rank, dim)) return false;
    if (t.rank > 0 && t.size(dim) == 0) return c.refuse(fault::window_does_not_fit, "at least one element", print(t));
    const auto out = tensor_of(t.type, sizes_without(t, 1u << dim, c.boolean(keepdim)));
    return c.results(2) && c.set(0, out) && c.set(1, tensor_of(dtype::i64, sizes_of(out)));
}
constexpr unsigned picked_dims(const auto& c, int along) {
    return 1u << wrapped_dim(c.integer(along), c.tensor(first_parameter).rank);
}

template <bool SkipsNan> struct median_dim : schemas::reduce_dim {
    static constexpr bool infer(infer_context& c) { return infer_picked(c, at::dim, at::keepdim); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return picked_scratch(c.tensor(at::self), picked_dims(c, at::dim));
    }
    static constexpr void evaluate(auto& c) {
        evaluate_picked(c, picked_dims(c, at::dim), c.boolean(at::keepdim), true,
                        [](const auto* line, std::int64_t size) { return middle_of<SkipsNan>(line, size); });
    }
};

/// The median of all elements; NaN if there are none.
template <bool SkipsNan> struct median_of_all : schemas::only_self {
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(t));
        if (element_count(t) == 0 && !is_floating(t.type))
            return c.refuse(fault::window_does_not_fit, "at least one element", print(t));
        return c.result(tensor_of(t.type, {}));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return picked_scratch(c.tensor(at::self), ~0u); }
    static constexpr void evaluate(auto& c) {
        evaluate_picked(c, ~0u, false, false, [](const auto* line, std::int64_t size) {
            auto picked = *line;
            using T = decltype(picked.first);
            if (size > 0) picked = middle_of<SkipsNan>(line, size);
            else if constexpr (std::floating_point<T>) picked.first = std::numeric_limits<T>::quiet_NaN();
            return picked;
        });
    }
};

} // namespace detail

/// median.dim(Tensor self, int dim, bool keepdim=False): (values, indices); NaN if any element is NaN
struct median_dim : detail::median_dim<false> {
    static constexpr std::string_view name = "aten.median.dim"sv;
};
/// nanmedian.dim(Tensor self, int dim, bool keepdim=False): (values, indices) of the elements that are not NaN
struct nanmedian_dim : detail::median_dim<true> {
    static constexpr std::string_view name = "aten.nanmedian.dim"sv;
};
/// median(Tensor self)
struct median : detail::median_of_all<false> {
    static constexpr std::string_view name = "aten.median.default"sv;
};
/// nanmedian(Tensor self)
struct nanmedian : detail::median_of_all<true> {
    static constexpr std::string_view name = "aten.nanmedian.default"sv;
};

/// kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False): (values, indices); the k-th smallest, counted from
/// 1
struct kthvalue {
    static constexpr std::string_view name = "aten.kthvalue.default"sv;
    enum at : int { self, k, dim, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("k", parameter_kind::integer),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int dim = 0;
        if (!c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        const auto size = t.rank > 0 ? t.size(dim) : 1;
        if (c.integer(at::k) < 1 || c.integer(at::k) > size)
            return c.refuse(fault::index_is_out_of_range, short_text("k from 1 to ") << size,
                            short_text() << c.integer(at::k));
        return detail::infer_picked(c, at::dim, at::keepdim);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::picked_scratch(c.tensor(at::self), detail::picked_dims(c, at::dim));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_picked(c, detail::picked_dims(c, at::dim), c.boolean(at::keepdim), true,
                                [&](const auto* line, std::int64_t) { return line[c.integer(at::k) - 1]; });
    }
};

/// mode(Tensor self, int dim=-1, bool keepdim=False): (values, indices); the smallest of the most frequent values
struct mode {
    static constexpr std::string_view name = "aten.mode.default"sv;
    enum at : int { self, dim, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1)),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) { return detail::infer_picked(c, at::dim, at::keepdim, true); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return detail::picked_scratch(c.tensor(at::self), detail::picked_dims(c, at::dim));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_picked(c, detail::picked_dims(c, at::dim), c.boolean(at::keepdim), true,
                                [](const auto* line, std::int64_t size) {
                                    std::int64_t best = 0, most = 0, count = 0;
                                    for (std::int64_t k = 0; k < size; ++k) {
                                        count = k > 0 && line[k].first == line[k - 1].first ? count + 1 : 1;
                                        if (count <= most) continue;
                                        most = count;
                                        best = k;
                                    }
                                    return line[best];
                                });
    }
};

using median_ops = op_list<median_dim, nanmedian_dim, median, nanmedian, kthvalue, mode>;

} // namespace ahead::aten
