// SPDX-License-Identifier: MIT
// npu.layer_norm: of contiguous rows without gaps between them.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

struct layer_norm_key {
    dtype type = dtype::f32;
    bool weight = false, bias = false; // one row each
    bool statistics = false;           // mean and 1 / std of each row are results, too
    single_choice choice = single_choice::by_rule;
    std::int64_t rows = 0, count = 0;
    std::int64_t eps_bits = 0; // the bits of a double
    friend constexpr bool operator==(const layer_norm_key&, const layer_norm_key&) = default;
};
AHEAD_FIELDS(layer_norm_key, type, weight, bias, statistics, choice, rows, count, eps_bits)
constexpr bool takes_eigen(const layer_norm_key& key) {
    return (key.type == dtype::f32 || key.type == dtype::f64) && key.count > 0 && !key.statistics;
}

/// Mean, variance and the normalised row, in f64: two instructions where f32 takes one; the work waits for
/// three quotients and a root.
constexpr machine::work work_of(const layer_norm_key& key) {
    return {.vector = {key.rows, key.count, 2 * (2 + 4 + 5), 6}};
}

/// npu.layer_norm(Tensor x, Tensor? weight, Tensor? bias, int count, float eps, bool statistics): of rows of `count`
/// elements; all are contiguous. Results: the rows and, if `statistics` is set, mean and 1 / std of each.
struct layer_norm : partitioned_rows<layer_norm> {
    static constexpr std::string_view name = "npu.layer_norm"sv;
    enum at : int { x, weight, bias, count, eps, statistics, choice };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("count", parameter_kind::integer),
                                           required("eps", parameter_kind::real),
                                           required("statistics", parameter_kind::boolean),
                                           defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::x);
        const auto out = tensor_of(x.type, sizes_of(x));
        if (!c.boolean(at::statistics)) return c.result(out);
        auto sizes = sizes_of(x);
        for (std::int64_t covered = 1; covered < c.integer(at::count);) {
            int d = sizes.size - 1;
            while (sizes[d] == 1) --d;
            covered *= sizes[d];
            sizes[d] = 1;
        }
        const auto moments = tensor_of(x.type, sizes);
        return c.results(3) && c.set(0, out) && c.set(1, moments) && c.set(2, moments);
    }
    static constexpr layer_norm_key key(const call_view& c) {
        const auto& x = c.tensor(at::x);
        return {.type = x.type,
                .weight = c.is_given(at::weight),
                .bias = c.is_given(at::bias),
                .statistics = c.boolean(at::statistics),
                .choice = choice_of<single_choice>(c, at::choice),
                .rows = element_count(x) / c.integer(at::count),
                .count = c.integer(at::count),
                .eps_bits = std::bit_cast<std::int64_t>(c.real(at::eps))};
    }
    using kernel_choice = single_choice;
    static constexpr operand_sizes operands(const layer_norm_key& k) {
        return {.type = k.type,
                .x = k.rows * k.count,
                .weight = k.weight ? k.count : 0,
                .bias = k.bias ? k.count : 0,
                .out = k.rows * k.count};
    }
    static constexpr bounded_call bounded(const auto& c) {
        return bounded_count<layer_norm>(c, at::x, &layer_norm_key::rows);
    }
};

} // namespace ahead::device
