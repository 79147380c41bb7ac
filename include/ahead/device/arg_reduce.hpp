// SPDX-License-Identifier: MIT
// npu.arg_reduce: the place of the largest or smallest element along a dim, and that element.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// x[outer, count, inner] -> i64[outer, inner]; if `values` is set, the elements are the first result.
struct arg_reduce_key {
    dtype type = dtype::f32;
    bool largest = true, values = false;
    std::int64_t outer = 1, count = 1, inner = 1;
    friend constexpr bool operator==(const arg_reduce_key&, const arg_reduce_key&) = default;
};
AHEAD_FIELDS(arg_reduce_key, type, largest, values, outer, count, inner)

/// Inner columns: a vector of them per step, which compares and selects an element and its place. Rows: a reduction,
/// then a second pass over part of the row.
constexpr machine::work work_of(const arg_reduce_key& key) {
    machine::work out;
    const auto elements = key.outer * key.count * key.inner;
    if (key.inner >= 8) {
        out.vector = {key.outer * key.count, key.inner, 6, 0};
    } else if (key.inner == 1 && key.count >= 8) {
        out.vector = {key.outer, key.count, 4, 32};
        out.scalar_steps = elements / 4;
    } else {
        out.scalar_steps = 4 * elements;
    }
    return out;
}

/// npu.arg_reduce(Tensor x, int dim, bool largest, bool values): x is contiguous; dim counts from 0, and is not empty
/// unless the results are. Results: the elements, if `values` is set, and their places in dim, i64; dim is left out of
/// both.
struct arg_reduce {
    static constexpr std::string_view name = "npu.arg_reduce"sv;
    enum at : int { x, dim, largest, values };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("largest", parameter_kind::boolean), required("values", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        for (int d = 0; d < c.tensor(at::x).rank; ++d)
            if (d != c.integer(at::dim)) sizes.push_back(c.tensor(at::x).size(d));
        const bool both = c.boolean(at::values);
        return c.results(both ? 2 : 1) && (!both || c.set(0, tensor_of(c.tensor(at::x).type, sizes))) &&
               c.set(both, tensor_of(dtype::i64, sizes));
    }
    static constexpr arg_reduce_key key(const call_view& c) {
        const auto& t = c.tensor(at::x);
        const auto along = static_cast<int>(c.integer(at::dim));
        arg_reduce_key key{.type = t.type, .largest = c.boolean(at::largest), .values = c.boolean(at::values)};
        key.count = t.size(along);
        for (int d = 0; d < t.rank; ++d)
            if (d != along) (d < along ? key.outer : key.inner) *= t.size(d);
        return key;
    }
    static constexpr bounded_call bounded(const auto& c) {
        return bounded_count<arg_reduce>(c, at::x, &arg_reduce_key::outer);
    }
};

} // namespace ahead::device
