// SPDX-License-Identifier: MIT
// npu.sort: the elements of each line in order, or some of them, and the places that they had.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

enum class ordering : std::uint8_t {
    all,      ///< sorted, stably
    selected, ///< the first of them, in any order
    first,    ///< the same in order
    // One of them, of the line in order, stably:
    middle,            ///< the lower middle one, or the first NaN
    middle_of_numbers, ///< the lower middle one of those that are not NaN, if any
    most_frequent,     ///< the last occurrence of the most frequent element, of several the smallest; NaN are not equal
};
constexpr bool is_one_of_all(ordering kind) { return kind >= ordering::middle; }

/// x[outer, count, inner] -> i64[outer, kept, inner]; if `values` is set, the elements are the first result. Elements
/// `skipped` and following of the sorted line are kept.
struct sort_key {
    dtype type = dtype::f32;
    ordering kind = ordering::all;
    bool descending = false, values = false;
    std::int64_t outer = 1, count = 1, inner = 1, kept = 1, skipped = 0;
    friend constexpr bool operator==(const sort_key&, const sort_key&) = default;
};
AHEAD_FIELDS(sort_key, type, kind, descending, values, outer, count, inner, kept, skipped)

/// Whether lines are sorted by radix; else each element is compared to all others.
constexpr bool by_digits(const sort_key& key) {
    return (key.kind == ordering::all || is_one_of_all(key.kind)) && key.count > 64;
}

/// Elements become entries one by one, which are moved once for each digit or compared in vectors.
constexpr machine::work work_of(const sort_key& key) {
    const bool selects = key.kind == ordering::selected || key.kind == ordering::first;
    const std::int64_t moves = selects          ? 3
                               : by_digits(key) ? 2 * static_cast<std::int64_t>(bytes_of(key.type))
                                                : 1 + key.count / 16;
    return {.scalar_steps = key.outer * key.inner * key.count * (2 + 4 * moves)};
}

/// npu.sort(Tensor x, int dim, int ordering, bool descending, bool values, int kept, int skipped=0): x is contiguous;
/// dim counts from 0. Results: the elements, if `values` is set, and the places that they had in dim, i64. NaN is
/// largest.
struct sort {
    static constexpr std::string_view name = "npu.sort"sv;
    enum at : int { x, dim, ordering, descending, values, kept, skipped };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("ordering", parameter_kind::integer),
                                           required("descending", parameter_kind::boolean),
                                           required("values", parameter_kind::boolean),
                                           required("kept", parameter_kind::integer),
                                           defaulted("skipped", parameter_kind::integer, argument::of(0))};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(at::x));
        sizes[static_cast<int>(c.integer(at::dim))] = c.integer(at::kept);
        const bool both = c.boolean(at::values);
        return c.results(both ? 2 : 1) && (!both || c.set(0, tensor_of(c.tensor(at::x).type, sizes))) &&
               c.set(both, tensor_of(dtype::i64, sizes));
    }
    static constexpr sort_key key(const call_view& c) {
        const auto& t = c.tensor(at::x);
        const auto along = static_cast<int>(c.integer(at::dim));
        sort_key key{.type = t.type,
                     .kind = static_cast<device::ordering>(c.integer(at::ordering)),
                     .descending = c.boolean(at::descending),
                     .values = c.boolean(at::values)};
        key.count = t.size(along);
        key.kept = c.integer(at::kept);
        key.skipped = c.integer(at::skipped);
        for (int d = 0; d < t.rank; ++d)
            if (d != along) (d < along ? key.outer : key.inner) *= t.size(d);
        return key;
    }
    /// Two lines of entries; an entry takes twice the bytes of the larger of an element and an i32.
    static constexpr std::int64_t workspace(const sort_key& k) {
        return 2 * k.count * (bytes_of(k.type) > 4 ? 16 : 8);
    }
    static constexpr bounded_call bounded(const auto& c) { return bounded_count<sort>(c, at::x, &sort_key::outer); }
};

} // namespace ahead::device
