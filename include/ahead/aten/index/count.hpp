// SPDX-License-Identifier: MIT
// Membership and counts: isin, bincount, histc; and repeat_interleave by counts that are data.
// Source: aten/src/ATen/native/TensorCompare.cpp, SummaryOps.cpp, Histogram.cpp, Repeat.cpp.
#pragma once
#include <ahead/aten/index/gather.hpp>
#include <ahead/aten/pointwise/pointwise.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Whether each of elements is in test_elements; either may be a number. assume_unique does not change the result.
struct among {
    enum at : int { elements, test_elements, assume_unique, invert };
    static constexpr parameter assume_unique_option =
        defaulted("assume_unique", parameter_kind::boolean, argument::of(false));
    static constexpr parameter invert_option = defaulted("invert", parameter_kind::boolean, argument::of(false));
    static constexpr dtype common_of(const auto& c) {
        common_dtype common;
        for (int i : {at::elements, at::test_elements}) {
            if (c.is_tensor(i)) common.add(c.tensor(i));
            else common.add(c.at(i));
        }
        return common.get();
    }
    static constexpr bool infer(infer_context& c) {
        if (const auto type = common_of(c); type == dtype::b8) return refuse_dtype(c, type, "numbers");
        return c.result(
            tensor_of(dtype::b8, c.is_tensor(at::elements) ? sizes_of(c.tensor(at::elements)) : int_list{}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute(common_of(c), [&](auto as) {
            const auto for_each = [&](int i, auto f) {
                if (!c.is_tensor(i)) return f(int_list{}, c.number(i, as));
                const auto in = c.input(i, as);
                for_each_index(sizes_of(in.type()), [&](const int_list& at) { f(at, in[at]); });
            };
            for_each(at::elements, [&](const int_list& at, auto x) {
                bool found = false;
                for_each(at::test_elements, [&](const int_list&, auto y) { found = found || x == y; });
                c.output(0, bool{}).put(at, found != c.boolean(among::invert));
            });
        });
    }
};

} // namespace detail

/// isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False)
struct isin : detail::among {
    static constexpr std::string_view name = "aten.isin.Tensor_Tensor"sv;
    static constexpr parameter schema[] = {required("elements", parameter_kind::tensor),
                                           required("test_elements", parameter_kind::tensor), assume_unique_option,
                                           invert_option};
};
/// isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False)
struct isin_scalar : detail::among {
    static constexpr std::string_view name = "aten.isin.Tensor_Scalar"sv;
    enum at : int { elements, test_element, assume_unique, invert };
    static constexpr parameter schema[] = {required("elements", parameter_kind::tensor),
                                           required("test_element", parameter_kind::scalar), assume_unique_option,
                                           invert_option};
};

/// isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False)
struct isin_element : detail::among {
    static constexpr std::string_view name = "aten.isin.Scalar_Tensor"sv;
    enum at : int { element, test_elements, assume_unique, invert };
    static constexpr parameter schema[] = {required("element", parameter_kind::scalar),
                                           required("test_elements", parameter_kind::tensor), assume_unique_option,
                                           invert_option};
};

/// bincount(Tensor self, Tensor? weights=None, SymInt minlength=0): how often each of 0, 1, .. occurs, or the sum of
/// its weights, in f64, or in f32 for f32 weights. The result size depends on data: minlength must give it, and a
/// larger or equal element is an error at run time.
struct bincount {
    static constexpr std::string_view name = "aten.bincount.default"sv;
    enum at : int { self, weights, minlength };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("weights", parameter_kind::optional_tensor),
                                           defaulted("minlength", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto size = c.integer(at::minlength);
        if (is_floating(t.type) || t.type == dtype::b8 || is_only_moved(t.type))
            return c.refuse(fault::dtype_is_unsupported, "integers", print(t));
        if (t.rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(t));
        if (size < 0) return c.refuse(fault::size_is_negative, "minlength from 0", short_text() << size);
        if (size == 0 && t.size(0) > 0)
            return c.refuse(fault::dimension_is_dynamic, "minlength: above every element", "as many as data says");
        if (!c.is_given(at::weights)) return c.result(tensor_of(dtype::i64, {size}));
        const auto& weights = c.tensor(at::weights);
        if (sizes_of(weights) != sizes_of(t)) return c.refuse(fault::shapes_do_not_broadcast, print(t), print(weights));
        return c.result(tensor_of(weights.type == dtype::f32 ? dtype::f32 : dtype::f64, {size}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            const auto in = c.input(at::self, std::int64_t{});
            const auto out = c.output(0, as);
            const auto size = out.type().size(0);
            for (std::int64_t k = 0; k < size; ++k) out.put({k}, as);
            for (std::int64_t k = 0; k < in.type().size(0); ++k)
                if (const auto bin = c.index(in[{k}], size))
                    out.put({*bin}, out[{*bin}] + (c.is_given(at::weights) ? c.input(at::weights, as)[{k}]
                                                                           : static_cast<decltype(as)>(1)));
        });
    }
};

/// histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0): counts elements in `bins` equal bins from min to max,
/// both included; if min == max, the range is from the least to the largest element
struct histc {
    static constexpr std::string_view name = "aten.histc.default"sv;
    enum at : int { self, bins, min, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("bins", parameter_kind::integer, argument::of(100)),
                                           defaulted("min", parameter_kind::scalar, argument::of(0)),
                                           defaulted("max", parameter_kind::scalar, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(t));
        if (c.integer(at::bins) < 1)
            return c.refuse(fault::argument_has_wrong_kind, "bins from 1", short_text() << c.integer(at::bins));
        const auto low = c.real(at::min), high = c.real(at::max);
        if (!(low <= high) || math::isinf(low) || math::isinf(high))
            return c.refuse(fault::argument_has_wrong_kind, "min up to max, both finite", "others");
        return c.result(tensor_of(t.type, {c.integer(at::bins)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto type = c.tensor(at::self).type;
        c.compute_real(is_floating(type) ? type : dtype::f64, [&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto bins = out.type().size(0);
            T low = math::convert<T>(c.real(at::min)), high = math::convert<T>(c.real(at::max));
            if (!is_floating(type)) {
                low = math::trunc(low);
                high = math::trunc(high);
            }
            const auto each = [&](auto f) {
                for_each_index(sizes_of(in.type()), [&](const int_list& at) { f(in[at]); });
            };
            if (low == high && element_count(in.type()) > 0) {
                low = std::numeric_limits<T>::infinity();
                high = -low;
                each([&](T x) {
                    if (x < low) low = x;
                    if (x > high) high = x;
                });
            }
            if (low == high) {
                low -= 1;
                high += 1;
            }
            for (std::int64_t k = 0; k < bins; ++k) out.put({k}, T{});
            each([&](T x) {
                if (!(x >= low && x <= high)) return;
                const auto count = static_cast<T>(bins);
                const auto bin = static_cast<std::int64_t>(is_floating(type) ? (x - low) / (high - low) * count
                                                                             : (x - low) * count / (high - low));
                const int_list to{bin < bins ? bin : bins - 1};
                out.put(to, out[to] + 1);
            });
        });
    }
};

namespace detail {
/// Calls put(place, k) for places 0 to `size` - 1: each k below `count` repeats_of(k) times, in order. Refuses counts
/// whose sum is not `size`.
constexpr void repeat_each(auto& c, std::int64_t count, std::int64_t size, auto repeats_of, auto put) {
    std::int64_t next = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const auto times = c.index(repeats_of(k), size - next + 1); // at most the remaining places
        if (!times) return;
        for (std::int64_t i = 0; i < *times; ++i) put(next++, k);
    }
    if (next < size) c.index(size, next + 1);
}
} // namespace detail

/// repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None): each of 0, 1, .. repeated by its count in
/// repeats. The result size depends on data: output_size must give it, and a mismatch is an error at run time.
struct repeat_interleave_by_tensor {
    static constexpr std::string_view name = "aten.repeat_interleave.Tensor"sv;
    enum at : int { repeats, output_size };
    static constexpr parameter schema[] = {required("repeats", parameter_kind::tensor),
                                           defaulted("output_size", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::repeats);
        if (!check_index(c, t)) return false;
        if (t.rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(t));
        if (!c.is_given(at::output_size))
            return c.refuse(fault::dimension_is_dynamic, "output_size: the sum of repeats", "as many as data says");
        return c.result(tensor_of(t.type, {c.integer(at::output_size)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto repeats = c.input(at::repeats, std::int64_t{});
        const auto out = c.output(0, std::int64_t{});
        detail::repeat_each(
            c, repeats.type().size(0), out.type().size(0), [&](std::int64_t k) { return repeats[{k}]; },
            [&](std::int64_t place, std::int64_t k) { out.put({place}, k); });
    }
};

/// repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None): repeats
/// element k along dim repeats[k] times, or all equally if repeats has one number. Without dim, self is flattened.
/// output_size as in repeat_interleave.Tensor.
struct repeat_interleave_self {
    static constexpr std::string_view name = "aten.repeat_interleave.self_Tensor"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, repeats, dim, output_size };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("repeats", parameter_kind::tensor),
        defaulted("dim", parameter_kind::optional_integer), defaulted("output_size", parameter_kind::optional_integer)};
    /// The dim, after flattening if none is given; then the number of elements along it.
    static constexpr int dim_of(const auto& c) {
        return c.is_given(at::dim) ? wrapped_dim(c.integer(at::dim), c.tensor(at::self).rank) : 0;
    }
    static constexpr std::int64_t size_of(const auto& c) {
        const auto& t = c.tensor(at::self);
        return c.is_given(at::dim) ? t.size(dim_of(c)) : element_count(t);
    }
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &repeats = c.tensor(at::repeats);
        int dim = 0;
        if (!check_index(c, repeats)) return false;
        if (c.is_given(at::dim) && t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
        if (c.is_given(at::dim) && !c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        if (repeats.rank > 1) return c.refuse(fault::rank_is_wrong, "rank 0 or 1", print(repeats));
        if (const auto size = size_of(c); element_count(repeats) != 1 && repeats.size(0) != size)
            return c.refuse(fault::element_counts_differ, short_text() << size << " repeats, or 1", print(repeats));
        if (!c.is_given(at::output_size))
            return c.refuse(fault::dimension_is_dynamic, "output_size: the sum of repeats", "as many as data says");
        auto sizes = c.is_given(at::dim) ? sizes_of(t) : int_list{1};
        sizes[dim] = c.integer(at::output_size);
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto self = c.input(at::self, as);
            const auto repeats = c.input(at::repeats, std::int64_t{});
            const auto out = c.output(0, as);
            const int dim = dim_of(c);
            const auto is_one = element_count(repeats.type()) == 1;
            auto slice = sizes_of(out.type());
            slice[dim] = 1;
            detail::repeat_each(
                c, size_of(c), out.type().size(dim),
                [&](std::int64_t k) { return repeats[index_of(repeats.type(), is_one ? 0 : k)]; },
                [&](std::int64_t place, std::int64_t k) {
                    for_each_index(slice, [&](int_list at) {
                        auto from = at;
                        from[dim] = k;
                        at[dim] = place;
                        out.put(at, self[c.is_given(repeat_interleave_self::dim) ? from : index_of(self.type(), k)]);
                    });
                });
        });
    }
};

using count_ops =
    op_list<isin, isin_scalar, isin_element, bincount, histc, repeat_interleave_by_tensor, repeat_interleave_self>;

} // namespace ahead::aten
