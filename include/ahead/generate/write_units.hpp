// SPDX-License-Identifier: MIT
// The tasks of a program as C++: each kernel once, by its key, and each task as a call of one, with its name, line,
// types and addresses. Called by write_program.hpp.
// Invariant: tasks with one kernel are in one unit, so that it is compiled once; within a unit they are in the order of
// the plan.
#pragma once
#include <ahead/compile/inspect.hpp>
#include <ahead/print/print_key.hpp>
#include <ahead/runtime/launch/instantiate_kernels.hpp>
#include <map>

namespace AHEAD_NAMESPACE::generate {

/// A kernel of the program, and the tasks that call it.
struct kernel_text {
    printed_call call;
    std::vector<std::int32_t> tasks;
    std::int32_t unit = 0;
};

/// The approximate compile-time cost of a kernel: products and convolutions are unrolled.
inline std::int64_t cost_of(const kernel_text& kernel) {
    const bool is_large =
        kernel.call.op.find("convolution") != std::string::npos || kernel.call.op.find("matmul") != std::string::npos;
    return (is_large ? 8 : 2) + static_cast<std::int64_t>(kernel.call.key.size() + kernel.call.epilogue.size()) / 200;
}

/// The kernels of tasks [begin, end), spread over `units` units as evenly as their costs allow.
template <class DeviceRegistry>
std::vector<kernel_text> list_kernels(const compile::inspected_graph& made, std::int32_t begin, std::int32_t end,
                                      std::int32_t units) {
    std::vector<kernel_text> out;
    std::map<std::string, std::size_t> found;
    for (auto t = begin; t < end; ++t) {
        const auto id = made.planned.tasks[static_cast<std::size_t>(t)].node;
        auto call = print_call<DeviceRegistry>(made.lowered_graph(), id);
        const auto [at, is_new] =
            found.try_emplace(call.op + '\n' + call.key + '\n' + call.epilogue + '\n' + call.operators, out.size());
        if (is_new) out.push_back({std::move(call), {}, 0});
        out[at->second].tasks.push_back(t);
    }
    std::vector<std::size_t> by_cost(out.size());
    for (std::size_t i = 0; i < by_cost.size(); ++i) by_cost[i] = i;
    std::sort(by_cost.begin(), by_cost.end(), [&](std::size_t a, std::size_t b) {
        const auto x = cost_of(out[a]), y = cost_of(out[b]);
        return x != y ? x > y : a < b;
    });
    std::vector<std::int64_t> load(static_cast<std::size_t>(units));
    for (const auto i : by_cost) {
        const auto least = std::min_element(load.begin(), load.end()) - load.begin();
        load[static_cast<std::size_t>(least)] += cost_of(out[i]);
        out[i].unit = static_cast<std::int32_t>(least);
    }
    return out;
}

/// "f32[8, 512] = npu.matmul(relu f32[8, 3], w f32[3, 512])", with strides if they are not row-major.
inline std::string describe_task(graph_view g, const node& n) {
    const auto type_of = [](const value& v) {
        return std::string(print(v.type, !has_row_major_strides(v.type)).view());
    };
    std::string out;
    for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
        out += (out.empty() ? "" : ", ") + type_of(g[value_id{v}]);
    out += (n.values.count > 0 ? " = " : "") + std::string(n.target) + '(';
    std::string_view between;
    for_each_operand(g, n.arguments, [&](const argument& a) {
        // A packed operand is named after the product or convolution that it is packed for: name its source instead.
        const node* operand = &g[a.node()];
        const bool is_packed = operand->target.starts_with("npu.pack_");
        if (is_packed) operand = &g[g.argument_of(*operand, 0).node()];
        out += std::string(between) + (is_packed ? "packed " : "") + std::string(print(operand->name).view()) + ' ' +
               type_of(g.value_of(a));
        between = ", ";
    });
    return out + ')';
}

/// "constants(1024)"
inline std::string spell(const runtime::address& at, bool is_workspace) {
    const auto offset = std::to_string(at.offset);
    const auto at_port = [&](const char* name) {
        return name + ('(' + std::to_string(at.port)) + (at.offset == 0 ? "" : ", " + offset) + ')';
    };
    if (is_workspace) return "workspace(" + offset + ')';
    if (at.where == region::input) return at_port("input");
    if (at.where == region::parameter) return at_port("parameter");
    if (at.where == region::state) return at_port("state");
    if (at.where == region::constants) return "constants(" + offset + ')';
    return (at.where == region::scratch ? "scratch(" : "arena(") + offset + ')';
}

/// A kernel's struct. tools: the user's toolchain; empty: the default kernels. more: further members that its kernel
/// uses.
inline void append_kernel(std::string& out, std::size_t number, const kernel_text& kernel, const std::string& tools,
                          const std::string& more = {}) {
    const auto& call = kernel.call;
    const auto name = "kernel_" + std::to_string(number);
    const auto with_tools = (tools.empty() ? "" : ", " + tools) + '>';
    const bool by_itself = call.key.starts_with("ahead::device::call_key<");
    out += "struct " + name +
           (by_itself ? " : written_call_by_itself<" + name + ", " + call.op : " : written_call<" + call.op) +
           with_tools + " {\n";
    if (!call.operators.empty()) out += "    using operators = " + call.operators + ";\n";
    if (!call.epilogue.empty()) out += "    static constexpr auto epilogue = " + call.epilogue + ";\n";
    out += more + "    static constexpr auto key = " + call.key + ";\n};\n";
}
/// A task: its addresses, and its call.
inline void append_task(std::string& out, const compile::inspected_graph& made, std::int32_t t, std::size_t kernel) {
    const auto g = made.lowered_graph();
    const auto& n = g[made.planned.tasks[static_cast<std::size_t>(t)].node];
    const bool is_done_once = t < made.plan().prepare_tasks;
    const auto number = std::to_string(is_done_once ? t : t - made.plan().prepare_tasks);
    const auto kind = std::string(is_done_once ? "prepare_" : "task_");
    const std::string name(print(n.name).view());
    const std::string called(operator_lowered_from(made.optimized_graph(), n));
    std::vector<runtime::address> all;
    runtime::detail::for_each_address(g, made.plan_view(), t, [&](const runtime::address& at) { all.push_back(at); });
    out += "\n// " + kind + number + ": " + name + ' ' + describe_task(g, n) + "\n";
    out += "constexpr address at_" + kind + number + "[] = {";
    for (std::size_t i = 0; i < all.size(); ++i) out += (i == 0 ? "" : ", ") + spell(all[i], i + 1 == all.size());
    out += "};\nbool " + kind + number + "(const region_bases& m, diagnosis* d) {\n    return " +
           (is_done_once ? "call_shared" : "call") + "<kernel_" + std::to_string(kernel) + ", " +
           std::to_string(n.values.count) + ">({\"" + called + "\", \"" + name + "\", " + std::to_string(n.from.line) +
           "}, at_" + kind + number + ", m, d);\n}\n";
}

} // namespace ahead::generate
