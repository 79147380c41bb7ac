// SPDX-License-Identifier: MIT
// npu.search: the places where elements would be inserted into a sorted line.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::device {

/// x[lines, each] in sorted[lines, count] -> places[lines, each]. right: after equal elements, not before them.
struct search_key {
    dtype type = dtype::f32, place = dtype::i64;
    bool right = false;
    std::int64_t lines = 1, count = 1, each = 1;
    friend constexpr bool operator==(const search_key&, const search_key&) = default;
};
AHEAD_FIELDS(search_key, type, place, right, lines, count, each)

/// A binary search in the line for each element.
constexpr machine::work work_of(const search_key& key) {
    return {.scalar_steps = key.lines * key.each *
                            (2 + 4 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(key.count))))};
}

/// npu.search(Tensor sorted, Tensor x, bool right, ScalarType dtype): both are contiguous and of one dtype; sorted has
/// one line for each line of x, or one for all of x. Result: i64 or i32, of x's sizes. NaN is the largest.
struct search {
    static constexpr std::string_view name = "npu.search"sv;
    enum at : int { sorted, x, right, dtype };
    static constexpr parameter schema[] = {
        required("sorted", parameter_kind::tensor), required("x", parameter_kind::tensor),
        required("right", parameter_kind::boolean), required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.type(at::dtype), sizes_of(c.tensor(at::x))));
    }
    static constexpr search_key key(const call_view& c) {
        const auto &sorted = c.tensor(at::sorted), &x = c.tensor(at::x);
        search_key key{sorted.type, c.type(at::dtype), c.boolean(at::right)};
        key.count = sorted.size(sorted.rank - 1);
        for (int d = 0; d + 1 < sorted.rank; ++d) key.lines *= sorted.size(d);
        key.each = sorted.rank > 1 ? x.size(x.rank - 1) : element_count(x);
        return key;
    }
};

} // namespace ahead::device
