// SPDX-License-Identifier: MIT
// NumPy's integer indexing, with a tensor per dim: index.Tensor, and the part that index_put shares. Negative indices
// count from the end.
// Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp.
#pragma once
#include <ahead/aten/index/gather.hpp>
#include <ahead/ir/broadcast.hpp>

namespace AHEAD_NAMESPACE::aten {

/// First parameters of operators with an advanced index: the list indexes self.
struct indexed {
    enum at : int { self, indices };
};

/// The result dims of an advanced index: index tensors broadcast to `sizes`; their dims replace the indexed dims if
/// these are adjacent, else they come first.
struct index_plan {
    unsigned indexed = 0;
    int_list sizes;
    int start = 0;
    int_list result;
};

constexpr index_plan index_plan_of(const auto& call, int list = indexed::indices) {
    index_plan plan;
    const auto& self = call.tensor(indexed::self);
    int first = -1;
    int last = -1;
    int used = 0;
    for (std::int32_t k = 0; k < call.list_size(list); ++k) {
        if (call.element(list, k).kind != argument_kind::node) continue;
        const auto& t = call.in().value_of(call.element(list, k)).type;
        plan.indexed |= 1u << k;
        if (first < 0) first = k;
        last = k;
        ++used;
        while (plan.sizes.size < t.rank) {
            for (int d = plan.sizes.size++; d > 0; --d) plan.sizes[d] = plan.sizes[d - 1];
            plan.sizes[0] = 1;
        }
        for (int d = 0; d < t.rank; ++d) {
            auto& size = plan.sizes[plan.sizes.size - t.rank + d];
            if (size == 1) size = t.size(d);
        }
    }
    plan.start = last - first + 1 == used ? first : 0;
    bool are_placed = false;
    for (int d = 0; d <= self.rank; ++d) {
        if (plan.result.size == plan.start && !are_placed) {
            for (auto size : plan.sizes) plan.result.push_back(size);
            are_placed = true;
        }
        if (d < self.rank && !(plan.indexed >> d & 1)) plan.result.push_back(self.size(d));
    }
    return plan;
}

/// Computes the index into self for the result's element `at`; false if a data index is out of range.
/// find(given, size) returns the index into a dim.
constexpr bool indexed_position(auto& c, const index_plan& plan, const int_list& at, int_list& from, int list,
                                auto find) {
    const auto& self = c.tensor(indexed::self);
    from = {};
    int rest = 0;
    for (int d = 0; d < self.rank; ++d) {
        if (!(plan.indexed >> d & 1)) {
            from.push_back(at[rest < plan.start ? rest : rest + plan.sizes.size]);
            ++rest;
            continue;
        }
        const auto index = c.list_input(list, d, std::int64_t{});
        const auto i = broadcast_index(index.type(), at, index.type().rank, plan.start + plan.sizes.size);
        const std::optional<std::int64_t> found = find(index[i], self.size(d));
        if (!found) return false;
        from.push_back(*found);
    }
    return true;
}
constexpr bool indexed_position(auto& c, const index_plan& plan, const int_list& at, int_list& from) {
    return indexed_position(c, plan, at, from, indexed::indices,
                            [&](std::int64_t given, std::int64_t size) { return c.wrapped_index(given, size); });
}

/// A mask that is the only index, and the dims of self that it covers; dims is 0 if none was found.
struct mask_place {
    int first = 0, dims = 0;
    constexpr explicit operator bool() const { return dims > 0; }
    constexpr int behind() const { return first + dims; }
};
constexpr mask_place mask_of(const auto& call, int list = indexed::indices) {
    mask_place out;
    int count = 0;
    for (std::int32_t k = 0; k < call.list_size(list); ++k) {
        if (call.element(list, k).kind != argument_kind::node) continue;
        const auto& t = call.in().value_of(call.element(list, k)).type;
        if (++count > 1) return {};
        if (t.type == dtype::b8) out = {static_cast<int>(k), t.rank};
    }
    return out;
}

/// Refuses masks, whose count is known only at run time, and indices that do not broadcast.
constexpr bool check_indices(infer_context& c, int list = indexed::indices) {
    const auto& self = c.tensor(indexed::self);
    if (c.list_size(list) > self.rank)
        return c.refuse(fault::rank_is_wrong, short_text() << int(self.rank) << " indices at most",
                        short_text() << c.list_size(list));
    int_list sizes;
    int count = 0;
    for (std::int32_t k = 0; k < c.list_size(list); ++k) {
        if (c.element(list, k).kind != argument_kind::node) continue;
        const auto& t = c.in().value_of(c.element(list, k)).type;
        if (t.type == dtype::b8 || t.type == dtype::u8)
            return c.refuse(fault::dimension_is_dynamic,
                            "indices of i64, or torch.where: how many a mask picks is what data says", print(t));
        if (!check_index(c, t) || !broadcast_into(c, sizes, t)) return false;
        ++count;
    }
    if (count == 0) return c.refuse(fault::argument_is_missing, "one index at least", "none");
    if (self.rank - count + sizes.size > max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", print(self));
    return true;
}

/// index.Tensor(Tensor self, Tensor?[] indices): NumPy's integer indexing
struct index {
    static constexpr std::string_view name = "aten.index.Tensor"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, indices };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("indices", parameter_kind::tensor_list)};
    static constexpr bool infer(infer_context& c) {
        if (!check_indices(c)) return false;
        const auto plan = index_plan_of(c);
        const auto& self = c.tensor(at::self);
        auto out = tensor_of(self.type, plan.result);
        auto source = out; // self in the result's dims; indexed dims do not affect the order
        int rest = 0;
        for (int d = 0; d < out.rank; ++d) {
            const bool is_index = d >= plan.start && d < plan.start + plan.sizes.size;
            if (!is_index)
                while (plan.indexed >> rest & 1) ++rest;
            source.strides[static_cast<std::size_t>(d)] = is_index ? 0 : self.stride(rest++);
        }
        const tensor_type* operands[] = {&source};
        set_result_strides(out, operands);
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        const auto plan = index_plan_of(c);
        c.compute_any([&](auto as) {
            const auto self = c.input(at::self, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from;
                if (indexed_position(c, plan, at, from)) out.put(at, self[from]);
            });
        });
    }
};

/// _unsafe_index.Tensor(Tensor self, Tensor?[] indices)
struct unsafe_index : index {
    static constexpr std::string_view name = "aten._unsafe_index.Tensor"sv;
};

using index_ops = op_list<index, unsafe_index>;

} // namespace ahead::aten
