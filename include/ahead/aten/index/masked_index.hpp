// SPDX-License-Identifier: MIT
// Indexing under a mask, which Inductor emits for the gradients of pooling and padding: an index is ignored where the
// mask is false, and may have any value there. Source: torch/_decomp/decompositions.py.
#pragma once
#include <ahead/aten/index/index_put.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// The common part: the mask broadcasts to the indexed sizes. Indices count from 0, or also from the end if they wrap,
/// and are clamped.
struct masked_indexed {
    enum at : int { self, mask, indices };
    static constexpr bool check_operands(infer_context& c, int_list& sizes) {
        const auto& mask = c.tensor(at::mask);
        if (mask.type != dtype::b8) return c.refuse(fault::dtype_is_unsupported, "b8", print(mask));
        if (!check_indices(c, at::indices)) return false;
        const auto wanted = index_plan_of(c, at::indices).result;
        sizes = wanted;
        return broadcast_into(c, sizes, mask) &&
               (sizes == wanted || c.refuse(fault::shapes_do_not_broadcast,
                                            print(tensor_of(c.tensor(at::self).type, wanted)), print(mask)));
    }
    /// Calls f(at, from) for each indexed element `at` where the mask is true, with its index in self; calls
    /// missing(at) for the others.
    static constexpr void for_each(auto& c, bool wraps, auto f, auto missing) {
        const auto plan = index_plan_of(c, at::indices);
        const auto mask = c.input(at::mask, bool{});
        for_each_index(plan.result, [&](const int_list& at) {
            int_list from;
            if (!mask[broadcast_index(mask.type(), at)] || element_count(c.tensor(masked_indexed::self)) == 0)
                return missing(at);
            indexed_position(c, plan, at, from, masked_indexed::indices, [&](std::int64_t given, std::int64_t size) {
                const auto least = wraps ? -size : 0;
                given = given < least ? least : given < size ? given : size - 1;
                return std::optional(wrapped(given, size));
            });
            f(at, from);
        });
    }
};

} // namespace detail

/// _unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill): index.Tensor where the mask is true,
/// with indices clamped into each dim; elsewhere fill
struct unsafe_masked_index {
    static constexpr std::string_view name = "aten._unsafe_masked_index.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, mask, indices, fill };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("mask", parameter_kind::tensor),
        required("indices", parameter_kind::tensor_list), required("fill", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        return detail::masked_indexed::check_operands(c, sizes) && c.result(tensor_of(c.tensor(at::self).type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto self = c.input(at::self, as);
            const auto out = c.output(0, as);
            detail::masked_indexed::for_each(
                c, false, [&](const int_list& at, const int_list& from) { out.put(at, self[from]); },
                [&](const int_list& at) { out.put(at, c.number(unsafe_masked_index::fill, as)); });
        });
    }
};

/// _unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values): accumulating
/// index_put where the mask is true; negative indices count from the end, and indices are clamped
struct unsafe_masked_index_put_accumulate : writes_part_of_self {
    static constexpr std::string_view name = "aten._unsafe_masked_index_put_accumulate.default"sv;
    enum at : int { self, mask, indices, values };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("mask", parameter_kind::tensor),
        required("indices", parameter_kind::tensor_list), required("values", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &values = c.tensor(at::values);
        int_list sizes;
        if (values.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(values));
        if (!detail::masked_indexed::check_operands(c, sizes)) return false;
        const auto wanted = sizes;
        if (!broadcast_into(c, sizes, values)) return false;
        if (sizes != wanted)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, wanted)), print(values));
        return c.result(like(t, t.type));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            copy_self(c, as);
            const auto values = c.input(at::values, as);
            const auto out = c.output(0, as);
            detail::masked_indexed::for_each(
                c, true,
                [&](const int_list& at, const int_list& to) {
                    out.put(to, math::add(out[to], values[broadcast_index(values.type(), at)]));
                },
                [](const int_list&) {});
        });
    }
};

using masked_index_ops = op_list<unsafe_masked_index, unsafe_masked_index_put_accumulate>;

} // namespace ahead::aten
