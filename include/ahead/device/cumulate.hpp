// SPDX-License-Identifier: MIT
// npu.cumulate: cumulative sums, products or extremes along a dim.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/reduce.hpp>

namespace AHEAD_NAMESPACE::device {

/// x[outer, count, inner] -> the same sizes, and for extremes an i64 result of these sizes; kind: not mean.
struct cumulate_key {
    dtype type = dtype::f32;
    reduction kind = reduction::sum;
    std::int64_t outer = 1, count = 1, inner = 1;
    friend constexpr bool operator==(const cumulate_key&, const cumulate_key&) = default;
};
AHEAD_FIELDS(cumulate_key, type, kind, outer, count, inner)

constexpr bool gives_places(const cumulate_key& key) {
    return key.kind == reduction::largest || key.kind == reduction::smallest;
}

/// Columns in vectors; or several rows at a time, whose elements each depend on the previous one.
constexpr machine::work work_of(const cumulate_key& key) {
    machine::work out;
    if (key.inner >= 8 && !gives_places(key)) out.vector = {key.outer * key.count, key.inner, 4, 0};
    else out.scalar_steps = 4 * key.outer * key.count * key.inner;
    return out;
}

/// npu.cumulate(Tensor x, int dim, int kind): x is contiguous; dim counts from 0; kind: reduction's sum, product,
/// largest or smallest. The last two have a second result: the last place in dim of the extreme so far. A NaN is an
/// extreme.
struct cumulate {
    static constexpr std::string_view name = "npu.cumulate"sv;
    enum at : int { x, dim, kind };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("kind", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto sizes = sizes_of(c.tensor(at::x));
        const bool both = gives_places({.kind = static_cast<reduction>(c.integer(at::kind))});
        return c.results(both ? 2 : 1) && c.set(0, tensor_of(c.tensor(at::x).type, sizes)) &&
               (!both || c.set(1, tensor_of(dtype::i64, sizes)));
    }
    static constexpr cumulate_key key(const call_view& c) {
        const auto& t = c.tensor(at::x);
        const auto along = static_cast<int>(c.integer(at::dim));
        cumulate_key key{.type = t.type, .kind = static_cast<reduction>(c.integer(at::kind))};
        key.count = t.size(along);
        for (int d = 0; d < t.rank; ++d)
            if (d != along) (d < along ? key.outer : key.inner) *= t.size(d);
        return key;
    }
    /// Each element is read before its place is written.
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i == at::x && c.tensor(at::x) == c.result_type();
    }
    static constexpr bounded_call bounded(const auto& c) {
        return bounded_count<cumulate>(c, at::x, &cumulate_key::outer);
    }
};

} // namespace ahead::device
