// SPDX-License-Identifier: MIT
// npu.fused: several pointwise operators as one loop, which reads every operand once and writes the result of the last
// step and of other steps that have readers outside the loop. key/fused_steps.hpp describes its program.
// Invariant: all operands, steps and results have one floating dtype, the results one type. Made by
// pass/device/fuse_pointwise.hpp and fuse_multi_output.hpp.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/key/fused_steps.hpp>
#include <ahead/device/partition.hpp>

namespace AHEAD_NAMESPACE::device {

struct fused_key {
    basic_strided_key<max_fused_operands + 1> loop{};
    std::int32_t count = 0;
    single_choice choice = single_choice::by_rule;
    std::array<fused_step, max_fused_steps> steps{};
    std::int64_t results = 0; // bit s: step s is also a result, after the last step's
    friend constexpr bool operator==(const fused_key&, const fused_key&) = default;
};
AHEAD_FIELDS(fused_key, loop, count, choice, steps, results)
constexpr bool takes_eigen(const fused_key& key) {
    return key.loop.types[0] == dtype::f32 || key.loop.types[0] == dtype::f64;
}

/// npu.fused(Tensor a0, Tensor? a1, ..., Tensor? a6, *, Scalar[] program, int results): see above.
struct fused : partitioned_loop {
    static constexpr std::string_view name = "npu.fused"sv;
    static constexpr parameter schema[] = {required("a0", parameter_kind::tensor),
                                           defaulted("a1", parameter_kind::optional_tensor),
                                           defaulted("a2", parameter_kind::optional_tensor),
                                           defaulted("a3", parameter_kind::optional_tensor),
                                           defaulted("a4", parameter_kind::optional_tensor),
                                           defaulted("a5", parameter_kind::optional_tensor),
                                           defaulted("a6", parameter_kind::optional_tensor),
                                           required("program", parameter_kind::real_list),
                                           defaulted("results", parameter_kind::integer, argument::of(0))};
    static constexpr int program = max_fused_operands, results = program + 1;
    using graph_choice = single_choice;

    /// The results have the type that the converter gave the last step's.
    static constexpr bool infer(infer_context& c) {
        return c.in().is_typed(c.id()) || c.result(c.tensor(first_parameter));
    }
    static constexpr fused_key key(const call_view& c) {
        fused_key key;
        std::array<const tensor_type*, max_fused_operands> tensors{};
        std::size_t operands = 0;
        while (operands < tensors.size() && c.is_tensor(static_cast<int>(operands))) {
            tensors[operands] = &c.tensor(static_cast<int>(operands));
            ++operands;
        }
        key.loop = strided_key_of<max_fused_operands + 1>(c.result_type(), array_view(tensors.data(), operands));
        key.count = read_steps(c, program, key.steps);
        key.results = c.integer(results);
        if (c.in().header().on_eigen && takes_eigen(key)) key.choice = single_choice::eigen;
        return key;
    }
    static constexpr device::step_ops step_ops(const call_view& c) { return ops_of_steps(c, program); }
    /// costs: by row of the device's registry.
    static constexpr machine::work work(const call_view& c, const machine::steps* costs) {
        const auto all = steps_of(step_ops(c), costs);
        const auto own = key(c);
        auto out = rows_of(own.loop, {all.in_vectors, true});
        out.scalar_steps += all.one_by_one * own.loop.elements();
        return out;
    }
    /// An operand of the results' type is read at the place that is written.
    static constexpr bool each_may_overwrite = true;
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i < max_fused_operands && c.is_tensor(i) && c.tensor(i) == c.result_type();
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        const auto sizes = slice_operands(p, c, s);
        const int_list all[] = {sizes, sizes, sizes, sizes};
        static_assert(std::size(all) == max_fused_results);
        return p.make(all);
    }
    static constexpr bool is_elementwise = true;
    static constexpr bounded_call bounded(const auto& c) { return bounded_loop(c); }
};

} // namespace ahead::device
