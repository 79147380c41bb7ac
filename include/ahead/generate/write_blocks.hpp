// SPDX-License-Identifier: MIT
// The programs of blocks as C++: in the unit of the task that runs a block, or prepares its constants, a namespace with
// its tasks, and in it `program`, which the task's kernel takes. Called by write_program.hpp.
// Invariant: as write_units.hpp's; a block is written once in the unit that runs it, and once where it is prepared.
#pragma once
#include <ahead/device/blocks/block_ops.hpp>
#include <ahead/generate/write_interface.hpp>
#include <ahead/generate/write_units.hpp>

namespace AHEAD_NAMESPACE::generate {

namespace detail {

/// The blocks that a device call runs or prepares.
inline std::vector<const compile::inspected_graph*> blocks_called(const compile::inspected_graph& made, const node& n) {
    std::vector<const compile::inspected_graph*> out;
    const auto g = made.lowered_graph();
    device::with_block_op(n, [&]<class Op>() {
        for (const int parameter : Op::blocks)
            for (const auto& block : made.blocks)
                if (block.of.index == g.argument_of(n, parameter).integer()) out.push_back(&block);
    });
    return out;
}
/// "    template <std::int64_t Block> using held = ...;": the member of the kernel's struct that names its blocks.
inline std::string name_blocks(const std::vector<const compile::inspected_graph*>& blocks) {
    if (blocks.empty()) return {};
    const auto program = [](const compile::inspected_graph& block) { return name_of(block) + "::program"; };
    auto held = program(*blocks.back());
    if (blocks.size() > 1)
        held = "std::conditional_t<Block == " + std::to_string(blocks[0]->of.index) + ", " + program(*blocks[0]) +
               ", " + held + '>';
    return "    template <std::int64_t Block> using held = " + held + ";\n";
}

} // namespace detail

template <class DeviceRegistry>
std::string write_block(const compile::inspected_graph& block, const std::string& tools, bool prepares);

/// The kernels of a program that belong to this unit by `is_here`, after the blocks that they run. prepares: whether
/// they are prepare's kernels.
template <class DeviceRegistry>
std::string write_kernels(const compile::inspected_graph& made, const std::vector<kernel_text>& kernels,
                          const std::string& tools, bool prepares, auto is_here) {
    std::string out;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        if (!is_here(kernels[k])) continue;
        const auto& n =
            made.lowered_graph()[made.planned.tasks[static_cast<std::size_t>(kernels[k].tasks.front())].node];
        const auto blocks = detail::blocks_called(made, n);
        for (const auto* block : blocks) out += write_block<DeviceRegistry>(*block, tools, prepares);
        append_kernel(out, k, kernels[k], tools, detail::name_blocks(blocks));
    }
    return out;
}

/// A block with the tasks of its run, or of its prepare.
template <class DeviceRegistry>
std::string write_block(const compile::inspected_graph& block, const std::string& tools, bool prepares) {
    const auto& plan = block.plan();
    const auto first = plan.prepare_tasks;
    const auto begin = prepares ? 0 : first, end = prepares ? first : first + plan.run_tasks;
    const std::string kind = prepares ? "prepare_" : "task_";
    auto out = "\n// A block: " + std::string(print(block.captured()[block.captured().last()].name).view()) + " of " +
               std::to_string(end - begin) + " tasks.\nnamespace " + detail::name_of(block) + " {\n";
    const auto kernels = list_kernels<DeviceRegistry>(block, begin, end, 1);
    out += write_kernels<DeviceRegistry>(block, kernels, tools, prepares, [](const kernel_text&) { return true; });
    for (std::size_t k = 0; k < kernels.size(); ++k)
        for (const auto t : kernels[k].tasks) append_task(out, block, t, k);
    std::string calls;
    for (auto t = begin; t < end; ++t)
        calls += (calls.empty() ? "" : " &&\n               ") + kind + std::to_string(t - begin) + "(m, &d)";
    if (calls.empty()) calls = "true";
    std::string bytes; // of the block's operands, in the order of the ports, which is the graph's
    const auto g = block.lowered_graph();
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder &&
            block.planned.placements[static_cast<std::size_t>(g[id].values.first)].where == region::input)
            bytes += std::to_string(bytes_of(g.value_of(id).type.type, extent_of(g.value_of(id).type))) + ", ";
    const auto parameters = detail::parameters_of(block);
    if (prepares) out += write_literals(block, parameters);
    out += "struct program {\n";
    if (!prepares)
        out += "    static constexpr bool has_constants = " + std::string(plan.constant_bytes > 0 ? "true" : "false") +
               ";\n    template <std::int32_t Nth> static constexpr std::int64_t input_bytes() {\n"
               "        constexpr std::int64_t all[] = {" +
               bytes + "0};\n        return all[Nth];\n    }\n";
    if (prepares) {
        out +=
            "    static bool prepare([[maybe_unused]] const std::byte* const* weights, std::byte* constants, "
            "std::byte* scratch,\n                        [[maybe_unused]] diagnosis& d) {\n        const std::byte* "
            "parameters[" +
            std::to_string(parameters.size() + 1) + "]{};\n";
        std::size_t weight = 0;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const auto& p = parameters[i];
            const auto from = "parameters[" + std::to_string(i) + ']';
            out += "        " + from + " = " +
                   (p.literal >= 0 ? "reinterpret_cast<const std::byte*>(literal_" + std::to_string(i) + ")"
                                   : "weights[" + std::to_string(weight++) + ']') +
                   ";\n";
            if (p.copy_to >= 0 && p.bytes > 0)
                out += "        std::memcpy(constants + " + std::to_string(p.copy_to) + ", " + from + ", " +
                       std::to_string(p.bytes) + ");\n";
        }
        out += "        [[maybe_unused]] const region_bases m{parameters, constants, scratch};\n        return " +
               calls + ";\n    }\n";
    } else {
        out += "    static bool run(const std::byte* const* externals, const std::byte* constants, std::byte* arena,\n"
               "                    [[maybe_unused]] diagnosis& d) {\n"
               "        [[maybe_unused]] const region_bases m{externals, constants, arena};\n        return " +
               calls + ";\n    }\n";
    }
    return out + "};\n} // namespace " + detail::name_of(block) + "\n";
}

} // namespace ahead::generate
