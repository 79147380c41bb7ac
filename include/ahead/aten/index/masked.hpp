// SPDX-License-Identifier: MIT
// Selection by a mask, in row-major order: masked_scatter; and indices of nonzero elements, up to a given count.
// Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp, TensorFactories (nonzero_static).
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// masked_scatter(Tensor self, Tensor mask, Tensor source): self and mask broadcast; where mask is true, takes the next
/// element of source, in row-major order. Too few elements in source are an error at run time.
struct masked_scatter {
    static constexpr std::string_view name = "aten.masked_scatter.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, mask, source };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor),
                                           required("source", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &mask = c.tensor(at::mask), &source = c.tensor(at::source);
        if (mask.type != dtype::b8 && mask.type != dtype::u8) return refuse_dtype(c, mask.type, "b8");
        if (source.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(source));
        int_list sizes;
        return broadcast_into(c, sizes, t) && broadcast_into(c, sizes, mask) && c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto t = c.input(at::self, as), source = c.input(at::source, as);
            const auto mask = c.input(at::mask, bool{});
            const auto out = c.output(0, as);
            std::int64_t next = 0;
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                if (!mask[broadcast_index(mask.type(), at)]) return out.put(at, t[broadcast_index(t.type(), at)]);
                if (const auto k = c.index(next++, element_count(source.type())))
                    out.put(at, source[index_of(source.type(), *k)]);
            });
        });
    }
};

/// nonzero_static(Tensor self, *, SymInt size, int fill_value=-1): [size, rank]; the indices of the first `size`
/// nonzero elements, in row-major order, padded with rows of fill_value
struct nonzero_static {
    static constexpr std::string_view name = "aten.nonzero_static.default"sv;
    enum at : int { self, size, fill_value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::integer),
                                           defaulted("fill_value", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(dtype::i64, {c.integer(at::size), c.tensor(at::self).rank}));
    }
    static constexpr void evaluate(auto& c) {
        const auto out = c.output(0, std::int64_t{});
        const auto size = c.integer(at::size);
        std::int64_t row = 0;
        c.compute(c.tensor(at::self).type, [&](auto as) {
            const auto in = c.input(at::self, as);
            for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                if (row == size || in[at] == decltype(as){}) return;
                for (int d = 0; d < at.size; ++d) out.put({row, d}, at[d]);
                ++row;
            });
        });
        for (; row < size; ++row)
            for (int d = 0; d < c.tensor(at::self).rank; ++d) out.put({row, d}, c.integer(at::fill_value));
    }
};

/// nonzero(Tensor self): refused, because the row count depends on data. nonzero_static takes an upper bound.
struct nonzero {
    static constexpr std::string_view name = "aten.nonzero.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.refuse(fault::dimension_is_dynamic, "as many rows as a size says: nonzero_static",
                        "as many as data says");
    }
};

/// masked_select(Tensor self, Tensor mask): refused, because the element count depends on data
struct masked_select {
    static constexpr std::string_view name = "aten.masked_select.default"sv;
    enum at : int { self, mask };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.refuse(fault::dimension_is_dynamic,
                        "as many elements as a size says: where, or nonzero_static and index", "as many as data says");
    }
};

using masked_ops = op_list<masked_scatter, nonzero_static, nonzero, masked_select>;

} // namespace ahead::aten
