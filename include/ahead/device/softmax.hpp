// SPDX-License-Identifier: MIT
// npu.softmax: of contiguous rows without gaps between them.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/steps.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

struct softmax_key {
    dtype type = dtype::f32;
    bool logarithm = false;
    bool safe = false; // a row of only -infinity gives zeros
    single_choice choice = single_choice::by_rule;
    std::int64_t rows = 0, count = 0; // count: elements of a row
    friend constexpr bool operator==(const softmax_key&, const softmax_key&) = default;
};
AHEAD_FIELDS(softmax_key, type, logarithm, safe, choice, rows, count)
constexpr bool takes_eigen(const softmax_key& key) {
    return (key.type == dtype::f32 || key.type == dtype::f64) && key.count > 0;
}

/// The maximum, then exp of the difference, its sum and a product; rows are independent.
constexpr machine::work work_of(const softmax_key& key) {
    return {.vector = {key.rows, key.count, 2 + machine::exp_steps + 4 + 2, 0}};
}

/// npu.softmax(Tensor x, int count, bool log, int? choice): of rows of `count` elements; x is contiguous.
struct softmax : partitioned_rows<softmax> {
    static constexpr std::string_view name = "npu.softmax"sv;
    enum at : int { x, count, log, choice };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("count", parameter_kind::integer),
        required("log", parameter_kind::boolean), defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.tensor(at::x).type, sizes_of(c.tensor(at::x))));
    }
    static constexpr softmax_key key(const call_view& c) {
        return {.type = c.tensor(at::x).type,
                .logarithm = c.boolean(at::log),
                .choice = choice_of<single_choice>(c, at::choice),
                .rows = element_count(c.tensor(at::x)) / c.integer(at::count),
                .count = c.integer(at::count)};
    }
    using kernel_choice = single_choice;
    static constexpr operand_sizes operands(const softmax_key& k) {
        return {.type = k.type, .x = k.rows * k.count, .out = k.rows * k.count};
    }
    /// Fewer rows; or fewer elements of each.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.has_sound_values()) return {};
        const auto x = c.given(at::x);
        const auto key = c.template key<softmax>();
        if (x.follows() && !x.follows_in(c.type(at::x).rank - 1))
            return bounded_count<softmax>(c, at::x, &softmax_key::rows);
        if (!x.follows() || !c.has_equal_numbers(at::count) || key.count != x.each * c.of.bound || is_half(key.type))
            return c.refuse("rows, or elements of each, that follow the symbol", ahead::print(c.result_type()));
        return {.how = bounded_call::way::dynamic, .in = dynamic_extent::columns, .columns = x.each};
    }
};

} // namespace ahead::device
