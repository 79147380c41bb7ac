// SPDX-License-Identifier: MIT
// Writes at data-dependent indices along a dim: scatter, scatter_add, scatter_reduce; functional and in place. If
// indices repeat, the last one in row-major order wins. Negative indices are out of range.
// Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/index/gather.hpp>
#include <ahead/aten/pointwise/division.hpp>
#include <ahead/ir/words.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::aten {

/// Copies the first parameter; no-op if the result aliases it.
constexpr void copy_self(auto& c, auto as) {
    if (c.is_in_place()) return;
    const auto self = c.input(first_parameter, as);
    const auto out = c.output(0, as);
    for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, self[at]); });
}

/// Base of operators that copy self and then write only changed elements: on the AI CPU the result may reuse its
/// memory.
struct writes_part_of_self {
    static constexpr effects effect{.takes_complex = true};
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i == first_parameter && c.tensor(first_parameter) == c.result_type();
    }
};

/// First parameters of operators that write along a dim.
struct scattered_along {
    enum at : int { self, dim, index, src };
};

namespace detail {

/// self, dim, index [, src]: equal ranks; index's sizes are at most those of src, and of self except in dim.
constexpr bool infer_scattered(infer_context& c, bool has_source) {
    using at = scattered_along::at;
    const auto& t = c.tensor(at::self);
    const auto& index = c.tensor(at::index);
    int dim = 0;
    if (!check_index(c, index) || !c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
    if (index.rank != t.rank && element_count(index) > 0)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(t.rank), print(index));
    for (int d = 0; d < t.rank && d < index.rank; ++d)
        if (d != dim && index.size(d) > t.size(d))
            return c.refuse(fault::shapes_do_not_broadcast, print(t), print(index));
    if (has_source && c.is_tensor(at::src)) {
        const auto& src = c.tensor(at::src);
        if (src.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(src));
        if (src.rank != index.rank)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(index.rank), print(src));
        for (int d = 0; d < src.rank; ++d)
            if (index.size(d) > src.size(d)) return c.refuse(fault::shapes_do_not_broadcast, print(src), print(index));
    }
    return c.result(tensor_of(t.type, sizes_of(t)));
}

/// Calls f(to, at) for each element `at` of the index; `to` is the element of self that it addresses.
template <class F> constexpr void for_each_scattered(auto& c, F f) {
    using parameters = scattered_along::at;
    const auto index = c.input(parameters::index, std::int64_t{});
    const auto& self = c.tensor(parameters::self);
    const int dim = wrapped_dim(c.integer(parameters::dim), self.rank);
    for_each_index(sizes_of(index.type()), [&](const int_list& at) {
        int_list to = at;
        if (const auto i = c.index(index[at], self.rank > 0 ? self.size(dim) : 1)) {
            if (self.rank > 0) to[dim] = *i;
            f(static_cast<const int_list&>(to), at);
        }
    });
}

} // namespace detail

/// scatter.src(Tensor self, int dim, Tensor index, Tensor src): out[index[i][j]][j] = src[i][j] for dim 0
struct scatter_src : writes_part_of_self {
    static constexpr std::string_view name = "aten.scatter.src"sv;
    enum at : int { self, dim, index, src };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("index", parameter_kind::tensor), required("src", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return detail::infer_scattered(c, true); }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto out = c.output(0, as);
            detail::for_each_scattered(
                c, [&](const int_list& to, const int_list& at) { out.put(to, c.input(at::src, as)[at]); });
        });
    }
};

/// scatter.value(Tensor self, int dim, Tensor index, Scalar value)
struct scatter_value : writes_part_of_self {
    static constexpr std::string_view name = "aten.scatter.value"sv;
    enum at : int { self, dim, index, value };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("index", parameter_kind::tensor), required("value", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) { return detail::infer_scattered(c, false); }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto out = c.output(0, as);
            detail::for_each_scattered(
                c, [&](const int_list& to, const int_list&) { out.put(to, c.number(at::value, as)); });
        });
    }
};

/// scatter_add(Tensor self, int dim, Tensor index, Tensor src)
struct scatter_add : writes_part_of_self {
    static constexpr std::string_view name = "aten.scatter_add.default"sv;
    using at = scatter_src::at;
    static constexpr auto& schema = scatter_src::schema;
    static constexpr bool infer(infer_context& c) { return detail::infer_scattered(c, true); }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto out = c.output(0, as);
            detail::for_each_scattered(c, [&](const int_list& to, const int_list& at) {
                out.put(to, math::add(out[to], c.input(at::src, as)[at]));
            });
        });
    }
};

/// Reduction of the elements that scatter_reduce writes to one position.
enum class scatter_fold { sum, prod, mean, amax, amin };

namespace detail {

/// Reduces by `kind`. each(f) calls f(to, x) for each x to fold into element `to` of the result, which starts as a copy
/// of self; unless self is included, the first x replaces it.
constexpr void evaluate_folded(auto& c, auto as, scatter_fold kind, bool include_self, auto each) {
    using T = decltype(as);
    copy_self(c, as);
    const auto out = c.output(0, as);
    auto counts = c.scratch(element_count(out.type()), std::int64_t{0});
    auto place = [&](const int_list& at) {
        std::int64_t k = 0;
        for (int d = 0; d < at.size; ++d) k = k * out.type().size(d) + at[d];
        return static_cast<std::size_t>(k);
    };
    each([&](const int_list& to, T x) {
        const T old = out[to];
        const auto seen = counts[place(to)]++ + include_self;
        if (seen == 0) out.put(to, x);
        else if (kind == scatter_fold::sum || kind == scatter_fold::mean) out.put(to, math::add(old, x));
        else if (kind == scatter_fold::prod) out.put(to, math::mul(old, x));
        else if (math::isnan(x) || (kind == scatter_fold::amax ? x > old : x < old)) out.put(to, x);
    });
    if (kind != scatter_fold::mean) return;
    for_each_index(sizes_of(out.type()), [&](const int_list& at) {
        const auto count = counts[place(at)];
        if (count == 0) return;
        const auto divisor = math::convert<T>(count + include_self);
        if constexpr (std::floating_point<T>) out.put(at, out[at] / divisor);
        else if constexpr (!std::is_same_v<T, bool>) out.put(at, floor_quotient(out[at], divisor));
    });
}

} // namespace detail

/// scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True): sum,
/// prod, mean (of integers rounded down), amax, amin
struct scatter_reduce {
    static constexpr std::string_view name = "aten.scatter_reduce.two"sv;
    enum at : int { self, dim, index, src, reduce, include_self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("index", parameter_kind::tensor),
                                           required("src", parameter_kind::tensor),
                                           one_of<scatter_fold>(required("reduce", parameter_kind::string)),
                                           defaulted("include_self", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        if (c.word<scatter_fold>(at::reduce) == scatter_fold::mean && c.tensor(at::self).type == dtype::b8)
            return c.refuse(fault::dtype_is_unsupported, "numbers, for a mean", print(c.tensor(at::self)));
        return detail::infer_scattered(c, true);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.tensor(at::self)); }
    static constexpr void evaluate(auto& c) {
        const auto kind = c.template word<scatter_fold>(at::reduce);
        c.compute([&](auto as) {
            detail::evaluate_folded(c, as, kind, c.boolean(at::include_self), [&](auto f) {
                detail::for_each_scattered(
                    c, [&](const int_list& to, const int_list& at) { f(to, c.input(at::src, as)[at]); });
            });
        });
    }
};

/// How scatter.reduce combines elements.
enum class scatter_with { add, multiply };

namespace detail {

/// scatter.reduce and scatter.value_reduce: adds src, or a number, to self, or multiplies self by it.
struct scattered_with : writes_part_of_self {
    enum at : int { self, dim, index, src, reduce };
    static constexpr bool infer(infer_context& c) { return infer_scattered(c, true); }
    static constexpr void evaluate(auto& c) {
        const bool adds = c.template word<scatter_with>(scattered_with::reduce) == scatter_with::add;
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto out = c.output(0, as);
            for_each_scattered(c, [&](const int_list& to, const int_list& at) {
                const auto x = c.is_tensor(scattered_with::src) ? c.input(scattered_with::src, as)[at]
                                                                : c.number(scattered_with::src, as);
                out.put(to, adds ? math::add(out[to], x) : math::mul(out[to], x));
            });
        });
    }
};

} // namespace detail

/// scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce): add or multiply
struct scatter_with_reduce : detail::scattered_with {
    static constexpr std::string_view name = "aten.scatter.reduce"sv;
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("index", parameter_kind::tensor), required("src", parameter_kind::tensor),
        one_of<scatter_with>(required("reduce", parameter_kind::string))};
};
/// scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce): add or multiply
struct scatter_value_with_reduce : detail::scattered_with {
    static constexpr std::string_view name = "aten.scatter.value_reduce"sv;
    enum at : int { self, dim, index, value, reduce };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("index", parameter_kind::tensor), required("value", parameter_kind::scalar),
        one_of<scatter_with>(required("reduce", parameter_kind::string))};
};

using scatter_ops =
    op_list<scatter_src, scatter_value, scatter_add, scatter_reduce, scatter_with_reduce, scatter_value_with_reduce,
            in_place<scatter_src>, in_place<scatter_value>, in_place<scatter_add>>;

} // namespace ahead::aten
