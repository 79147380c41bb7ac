// SPDX-License-Identifier: MIT
// Writes at indices: index_put and put to elements, index_add, index_copy and index_reduce to slices; functional and in
// place. If indices repeat, the last one in row-major order wins. In index_put and put negative indices count from the
// end; elsewhere they are out of range. Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp.
#pragma once
#include <ahead/aten/index/index.hpp>
#include <ahead/aten/index/scatter.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// The value sizes of index_put with a mask: self's sizes with 1 for the mask's dims, which all get the same value.
constexpr int_list sizes_behind_mask(const tensor_type& self, mask_place mask) {
    int_list out;
    for (int d = 0; d < self.rank; ++d) {
        if (d < mask.first || d >= mask.behind()) out.push_back(self.size(d));
        else if (d == mask.first) out.push_back(1);
    }
    return out;
}
constexpr bool infer_mask_put(infer_context& c, mask_place place, const tensor_type& values) {
    const auto& self = c.tensor(indexed::self);
    const auto& mask = c.in().value_of(c.element(indexed::indices, place.first)).type;
    bool fits = place.behind() <= self.rank;
    for (int d = 0; fits && d < mask.rank; ++d) fits = mask.size(d) == self.size(place.first + d);
    if (!fits) return c.refuse(fault::shapes_do_not_broadcast, print(self), print(mask));
    const auto wanted = sizes_behind_mask(self, place);
    auto sizes = wanted;
    const bool broadcasts = values.rank <= wanted.size && broadcast_into(c, sizes, values);
    return (broadcasts && sizes == wanted) ||
           c.refuse(fault::dimension_is_dynamic, "one value for all that the mask picks, or torch.where",
                    print(values));
}

} // namespace detail

/// index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False). A mask that is the only index, with
/// one value for all masked elements, is where(mask, values, self).
struct index_put : writes_part_of_self {
    static constexpr std::string_view name = "aten.index_put.default"sv;
    enum at : int { self, indices, values, accumulate };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("indices", parameter_kind::tensor_list),
                                           required("values", parameter_kind::tensor),
                                           defaulted("accumulate", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto mask = mask_of(c);
        if (!mask && !check_indices(c)) return false;
        if (c.tensor(at::values).type != c.tensor(at::self).type)
            return c.refuse(fault::dtypes_differ, print(c.tensor(at::self)), print(c.tensor(at::values)));
        if (mask)
            return detail::infer_mask_put(c, mask, c.tensor(at::values)) &&
                   c.result(like(c.tensor(at::self), c.tensor(at::self).type));
        const auto wanted = index_plan_of(c).result;
        auto sizes = wanted;
        if (!broadcast_into(c, sizes, c.tensor(at::values))) return false;
        if (sizes != wanted)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(c.tensor(at::self).type, wanted)),
                            print(c.tensor(at::values)));
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) {
        const auto mask = mask_of(c);
        const auto plan = mask ? index_plan{} : index_plan_of(c);
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto out = c.output(0, as);
            const auto values = c.input(at::values, as);
            const auto put = [&](const int_list& to, auto value) {
                out.put(to, c.boolean(at::accumulate) ? math::add(out[to], value) : value);
            };
            if (mask) {
                const auto picks = c.list_input(at::indices, mask.first, bool{});
                return for_each_index(sizes_of(out.type()), [&](const int_list& to) {
                    int_list own, from;
                    for (int d = 0; d < to.size; ++d) {
                        if (d >= mask.first && d < mask.behind()) own.push_back(to[d]);
                        if (d < mask.first || d >= mask.behind()) from.push_back(to[d]);
                        else if (d == mask.first) from.push_back(0);
                    }
                    if (picks[own]) put(to, values[broadcast_index(values.type(), from)]);
                });
            }
            for_each_index(plan.result, [&](const int_list& at) {
                int_list to;
                if (!indexed_position(c, plan, at, to)) return;
                put(to, values[broadcast_index(values.type(), at)]);
            });
        });
    }
};

/// First parameters of index_add and index_copy: index, of rank 0 or 1, gives the target of source's slices along dim.
struct index_slices {
    enum at : int { self, dim, index, source };
};

namespace detail {

constexpr bool infer_index_slices(infer_context& c) {
    using at = index_slices::at;
    const auto& t = c.tensor(at::self);
    const auto& index = c.tensor(at::index);
    const auto& source = c.tensor(at::source);
    int dim = 0;
    if (!check_index(c, index) || !c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
    if (index.rank > 1) return c.refuse(fault::rank_is_wrong, "rank 0 or 1", print(index));
    if (source.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(source));
    auto sizes = sizes_of(t);
    if (t.rank > 0) sizes[dim] = element_count(index);
    if (sizes_of(source) != sizes)
        return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, sizes)), print(source));
    return c.result(tensor_of(t.type, sizes_of(t)));
}

/// Calls f(to, x) for each element x of source and its target index.
constexpr void for_each_sliced(auto& c, auto as, auto f) {
    using parameters = index_slices::at;
    const auto& self = c.tensor(parameters::self);
    const auto index = c.input(parameters::index, std::int64_t{});
    const auto source = c.input(parameters::source, as);
    const int dim = wrapped_dim(c.integer(parameters::dim), self.rank);
    for_each_index(sizes_of(source.type()), [&](const int_list& at) {
        int_list to = at;
        if (at.size > 0) {
            const auto i = c.index(index.type().rank == 0 ? index[{}] : index[{at[dim]}], self.size(dim));
            if (!i) return;
            to[dim] = *i;
        }
        f(to, source[at]);
    });
}

/// Writes the slices; or adds them, multiplied by parameter `alpha`.
constexpr void evaluate_index_slices(auto& c, int alpha = no_parameter) {
    c.compute_any([&](auto as) {
        copy_self(c, as);
        const auto out = c.output(0, as);
        for_each_sliced(c, as, [&](const int_list& to, auto x) {
            if (alpha == no_parameter) out.put(to, x);
            else out.put(to, math::add(out[to], math::mul(c.number(alpha, as), x)));
        });
    });
}

} // namespace detail

/// index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1)
struct index_add : writes_part_of_self {
    static constexpr std::string_view name = "aten.index_add.default"sv;
    enum at : int { self, dim, index, source, alpha };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("index", parameter_kind::tensor), required("source", parameter_kind::tensor),
        defaulted("alpha", parameter_kind::scalar, argument::of(1))};
    static constexpr bool infer(infer_context& c) { return detail::infer_index_slices(c); }
    static constexpr void evaluate(auto& c) { detail::evaluate_index_slices(c, at::alpha); }
};

/// index_copy(Tensor self, int dim, Tensor index, Tensor source)
struct index_copy : writes_part_of_self {
    static constexpr std::string_view name = "aten.index_copy.default"sv;
    enum at : int { self, dim, index, source };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("index", parameter_kind::tensor), required("source", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return check_long_index(c, c.tensor(at::index)) && detail::infer_index_slices(c);
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_index_slices(c); }
};

namespace detail {

/// Fills the slices in `dim` at the given indices with a number or a tensor of one element. Negative indices count from
/// the end.
template <parameter_kind Value> struct filled_slices : writes_part_of_self {
    enum at : int { self, dim, index, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("index", parameter_kind::tensor), required("value", Value)};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &index = c.tensor(at::index);
        int dim = 0;
        if (!check_long_index(c, index) || !c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        if (index.rank > 1) return c.refuse(fault::rank_is_wrong, "rank 0 or 1", print(index));
        if (c.is_tensor(at::value) && c.tensor(at::value).rank != 0)
            return c.refuse(fault::rank_is_wrong, "a value of rank 0", print(c.tensor(at::value)));
        return c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto out = c.output(0, as);
            const auto index = c.input(at::index, std::int64_t{});
            const int dim = wrapped_dim(c.integer(at::dim), out.type().rank);
            const auto value = c.is_tensor(at::value) ? c.input(at::value, as)[{}] : c.number(at::value, as);
            for (std::int64_t k = 0; k < element_count(index.type()); ++k) {
                const auto i =
                    c.wrapped_index(index[index_of(index.type(), k)], out.type().rank > 0 ? out.type().size(dim) : 1);
                if (!i) return;
                auto slice = sizes_of(out.type());
                if (slice.size > 0) slice[dim] = 1;
                for_each_index(slice, [&](int_list at) {
                    if (at.size > 0) at[dim] = *i;
                    out.put(at, value);
                });
            }
        });
    }
};

} // namespace detail

/// index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value)
struct index_fill : detail::filled_slices<parameter_kind::scalar> {
    static constexpr std::string_view name = "aten.index_fill.int_Scalar"sv;
};

/// index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value)
struct index_fill_tensor : detail::filled_slices<parameter_kind::tensor> {
    static constexpr std::string_view name = "aten.index_fill.int_Tensor"sv;
};

/// Reductions of index_reduce; unlike scatter_reduce it has no sum.
enum class index_fold { prod, mean, amax, amin };
constexpr scatter_fold fold_of(index_fold kind) { return static_cast<scatter_fold>(static_cast<int>(kind) + 1); }

/// index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True): like
/// scatter_reduce, with slices
struct index_reduce {
    static constexpr std::string_view name = "aten.index_reduce.default"sv;
    enum at : int { self, dim, index, source, reduce, include_self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("index", parameter_kind::tensor),
                                           required("source", parameter_kind::tensor),
                                           one_of<index_fold>(required("reduce", parameter_kind::string)),
                                           defaulted("include_self", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::self).type == dtype::b8)
            return c.refuse(fault::dtype_is_unsupported, "numbers", print(c.tensor(at::self)));
        return detail::infer_index_slices(c);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.tensor(at::self)); }
    static constexpr void evaluate(auto& c) {
        const auto kind = fold_of(c.template word<index_fold>(at::reduce));
        c.compute([&](auto as) {
            detail::evaluate_folded(c, as, kind, c.boolean(at::include_self),
                                    [&](auto f) { detail::for_each_sliced(c, as, f); });
        });
    }
};

/// put(Tensor self, Tensor index, Tensor source, bool accumulate=False): writes source's elements, one per index, at
/// row-major indices
struct put : writes_part_of_self {
    static constexpr std::string_view name = "aten.put.default"sv;
    enum at : int { self, index, source, accumulate };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("index", parameter_kind::tensor),
                                           required("source", parameter_kind::tensor),
                                           defaulted("accumulate", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &source = c.tensor(at::source);
        if (!check_long_index(c, c.tensor(at::index))) return false;
        if (source.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(source));
        if (element_count(source) != element_count(c.tensor(at::index)))
            return c.refuse(fault::element_counts_differ, print(c.tensor(at::index)), print(source));
        return c.result(like(t, t.type));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto out = c.output(0, as);
            const auto index = c.input(at::index, std::int64_t{});
            const auto source = c.input(at::source, as);
            std::int64_t next = 0;
            for_each_index(sizes_of(index.type()), [&](const int_list& at) {
                const auto x = source[index_of(source.type(), next++)];
                const auto place = c.wrapped_index(index[at], element_count(out.type()));
                if (!place) return;
                const auto to = index_of(out.type(), *place);
                out.put(to, c.boolean(put::accumulate) ? math::add(out[to], x) : x);
            });
        });
    }
};

using index_put_ops = op_list<index_put, index_add, index_copy, index_fill, index_fill_tensor, index_reduce, put,
                              in_place<index_put>, in_place<index_add>, in_place<index_copy>>;

} // namespace ahead::aten
