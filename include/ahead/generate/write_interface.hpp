// SPDX-License-Identifier: MIT
// The contents of a program's headers: its ports and sizes, in standard C++ alone, for any caller; and its graphs and
// plan, for ahead. Called by write_program.hpp.
// Invariant: every number is the plan's.
#pragma once
#include <ahead/compile/inspect.hpp>
#include <ahead/generate/graph_literal.hpp>
#include <ahead/generate/write_sets.hpp>
#include <ahead/runtime/launch/address.hpp>
#include <ahead/runtime/launch/literals.hpp>

namespace AHEAD_NAMESPACE::generate {

namespace detail {

inline std::string quoted(std::string_view text) {
    std::string out;
    ahead::detail::key_printer(out).print(text);
    return out;
}
/// {"x", "f32[8, 3]", bytes, offset}
inline std::string port_row(std::string_view name, const tensor_type& type, std::int64_t offset) {
    return "    {" + quoted(name) + ", \"" + std::string(print(type, !has_row_major_strides(type)).view()) + "\", " +
           std::to_string(extent_of(type) * static_cast<std::int64_t>(bytes_of(type.type))) + ", " +
           std::to_string(offset) + "},\n";
}
inline std::string port_rows(const char* name, const std::string& rows, std::size_t count) {
    return "inline constexpr port " + std::string(name) + '[' + std::to_string(std::max<std::size_t>(count, 1)) +
           "] = {\n" + rows + "};\ninline constexpr std::size_t " + name + "_count = " + std::to_string(count) + ";\n";
}
/// The parameters of prepare, equal to those of a compiled program.
inline std::vector<runtime::prepare_input> parameters_of(const compile::inspected_graph& made) {
    std::vector<runtime::prepare_input> out(static_cast<std::size_t>(made.plan().parameters));
    std::int64_t literal_bytes = 0;
    runtime::fill_parameters(made.lowered_graph(), made.plan_view(), out.data(), literal_bytes);
    return out;
}

} // namespace detail

/// NAME.hpp
inline std::string write_interface(const compile::inspected_graph& made, const options& asked) {
    using namespace detail;
    const auto& plan = made.plan();
    const auto g = made.lowered_graph();
    std::string inputs, outputs, weights;
    std::size_t outputs_count = 0, weights_count = 0;
    std::vector<std::string> by_port(static_cast<std::size_t>(plan.inputs));
    for (node_id id : g) {
        if (g[id].kind == node_kind::call || g[id].kind == node_kind::output) continue;
        const auto& p = made.planned.placements[static_cast<std::size_t>(g[id].values.first)];
        if (p.where == region::input)
            by_port[static_cast<std::size_t>(p.port)] = port_row(print(g[id].name).view(), g.value_of(id).type, 0);
    }
    for (const auto& row : by_port) inputs += row;
    const auto& last = g[g.last()];
    for_each_operand(g, last.arguments, [&](const argument& a) {
        const auto& v = g.value_of(a);
        outputs += port_row(print(g[a.node()].name).view(), v.type,
                            runtime::detail::address_of(g, made.plan_view(), v, false).offset);
        ++outputs_count;
    });
    const auto parameters = parameters_of(made);
    for (const auto& p : parameters) {
        if (p.literal >= 0) continue;
        weights += port_row(p.name, p.type, 0);
        ++weights_count;
    }
    const auto number = [](const char* name, std::int64_t v, const char* says) {
        return "inline constexpr std::size_t " + std::string(name) + " = " + std::to_string(v) + "; // " + says + "\n";
    };
    std::string out = first_line(asked, "what it takes, what it gives, what it needs");
    out += "#pragma once\n#include <cstddef>\n#include <span>\n#include <string_view>\n\nnamespace " + asked.name +
           " {\n\n"
           "/// A tensor that goes in or comes out: its type, as PyTorch prints it, and how many bytes it has. Of "
           "outputs:\n"
           "/// where it lies, in bytes from the arena's begin.\nstruct port {\n    std::string_view name, type;\n"
           "    std::size_t bytes, offset;\n};\n" +
           port_rows("inputs", inputs, by_port.size()) + port_rows("outputs", outputs, outputs_count) +
           "/// By their names in the weight file.\n" + port_rows("weights", weights, weights_count) + "\n";
    out += number("constant_bytes", plan.constant_bytes, "that prepare fills and runs read") +
           number("arena_bytes", plan.peak_bytes + plan.state_bytes, "that a run computes in") +
           number("state_bytes", plan.state_bytes, "the last of them, which go from run to run") +
           number("scratch_bytes", plan.scratch_bytes, "that prepare computes in") +
           number("alignment", made.on->alignment, "of all of them, in bytes") +
           number("run_tasks", plan.run_tasks, "that a run consists of") +
           number("ai_cpu_tasks", plan.ai_cpu_tasks, "those without a kernel, element by element") +
           number("prepare_tasks", plan.prepare_tasks, "that are done once");
    char makespan[32];
    out +=
        "inline constexpr double makespan_us = " +
        std::string(makespan, std::to_chars(makespan, makespan + sizeof makespan, made.makespan().microseconds()).ptr) +
        "; // on the device that it is planned for\n\n";
    out +=
        "/// Fills the constants from the weights, which stand in the order of `weights`, all of them; scratch may go\n"
        "/// afterwards. False where a weight is not what a kernel takes, an index out of range for example.\n"
        "bool prepare(std::span<const void* const, weights_count> from, void* constants, void* scratch);\n"
        "/// Sets the states in an arena to what the weights say. To be done once, where state_bytes > 0.\n"
        "void reset(const void* constants, void* arena);\n"
        "/// Runs once, on the calling thread. Allocates nothing. Inputs stand in the order of `inputs`, all of them;\n"
        "/// outputs lie in the arena until the next run. False where a kernel refuses an input, an index out of "
        "range.\n"
        "bool run(std::span<const void* const, inputs_count> given, const void* constants, void* arena);\n" +
        declare_levels(asked) + "\n} // namespace " + asked.name + "\n";
    return out;
}

/// NAME_manifest.hpp
inline std::string write_manifest(const options& asked, const config& with, const machine::device& on) {
    const auto rows = [](const char* name, const auto& all) {
        std::string out = "inline constexpr ahead::aot::said " + std::string(name) + "[] = {\n";
        aot::for_each_said(all, [&](const aot::said& row) {
            out += "    {" + detail::quoted(row.name) + ", " +
                   (row.text.empty() ? std::to_string(row.number) : detail::quoted(row.text)) + "},\n";
        });
        return out + "};\n";
    };
    return first_line(asked, "by whom and for what its sources were written, which they check") +
           "#pragma once\n#include <ahead/aot/manifest.hpp>\n\nnamespace " + asked.name + " {\n\n" +
           rows("planned_options", with) + rows("planned_device", on) +
           "inline constexpr ahead::aot::manifest manifest{\n    .program = " + detail::quoted(asked.name) +
           ",\n    .version = " + detail::quoted(version_text()) +
           ",\n    .format = " + std::to_string(aot::format) +
           ",\n    .toolchain = " + detail::quoted(asked.tools) +
           ",\n    .options = planned_options,\n    .device = planned_device,\n};\n"
           "static_assert(sizeof(ahead::require<ahead::aot::made_by<manifest>>) > 0);\n\n} // namespace " +
           asked.name + "\n";
}

/// "alignas(64) const unsigned char literal_2[] = {0,0,128,63,};": the literals of the graph, by their ports.
inline std::string write_literals(const compile::inspected_graph& made,
                                  const std::vector<runtime::prepare_input>& parameters) {
    const auto g = made.lowered_graph();
    std::string out;
    for (node_id id : g) {
        if (!is_literal(g[id])) continue;
        const auto port =
            static_cast<std::size_t>(made.planned.placements[static_cast<std::size_t>(g[id].values.first)].port);
        std::vector<std::byte> all(static_cast<std::size_t>(parameters[port].bytes));
        runtime::write_literal(g, id, all.data());
        out += "alignas(64) const unsigned char literal_" + std::to_string(port) + "[] = {";
        for (const auto byte : all) out += std::to_string(std::to_integer<int>(byte)) + ',';
        out += all.empty() ? "0};\n" : "};\n";
    }
    return out;
}

/// NAME_interface.cpp: prepare, reset and run of NAME.hpp.
inline std::string write_plain_run(const compile::inspected_graph& made, const options& asked) {
    using namespace detail;
    const auto parameters = parameters_of(made);
    std::string copies, resets, given, literals;
    std::size_t weights = 0, run = 0; // of consecutive weights
    const auto end_run = [&](std::size_t end) {
        if (run > 0)
            given += "    see(parameters + " + std::to_string(end - run) + ", from.data() + " +
                     std::to_string(weights - run) + ", " + std::to_string(run) + ");\n";
        run = 0;
    };
    literals = write_literals(made, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& p = parameters[i];
        const auto from = "parameters[" + std::to_string(i) + ']';
        if (p.literal >= 0) {
            end_run(i);
            given += "    " + from + " = bytes(literal_" + std::to_string(i) + ");\n";
        } else {
            ++weights;
            ++run;
        }
        if (p.copy_to >= 0 && p.bytes > 0)
            copies += "    std::memcpy(bytes(constants) + " + std::to_string(p.copy_to) + ", " + from + ", " +
                      std::to_string(p.bytes) + ");\n";
        if (p.state_at >= 0)
            resets += "    std::memcpy(bytes(arena) + " + std::to_string(made.plan().peak_bytes + p.state_at) +
                      ", bytes(constants) + " + std::to_string(p.copy_to) + ", " + std::to_string(p.bytes) + ");\n";
    }
    end_run(parameters.size());
    const auto pointers = [](const char* name, std::size_t count) {
        return "    const std::byte* " + std::string(name) + '[' + std::to_string(std::max<std::size_t>(count, 1)) +
               "]{};\n";
    };
    const auto inputs = static_cast<std::size_t>(made.plan().inputs);
    const bool has_states = made.plan().state_bytes > 0;
    return first_line(asked, "what its header declares") + "#include \"" + asked.name + ".hpp\"\n#include \"" +
           tasks_header(asked) + "\"\n" +
           (asked.header.empty() ? "#include <ahead/convert/default_toolchain.hpp>\n" : include_of(asked)) +
           "#include <cstring>\n\n" + define_levels(asked) + "namespace " + asked.name +
           " {\n\nstatic_assert(sizeof(ahead::require<ahead::aot::made_for<manifest, " +
           (asked.header.empty() ? "ahead::default_toolchain" : asked.tools) +
           ">>) > 0);\n\nnamespace {\nconst std::byte* bytes(const void* at) { return static_cast<const "
           "std::byte*>(at); }\n"
           "std::byte* bytes(void* at) { return static_cast<std::byte*>(at); }\n"
           "[[maybe_unused]] void see(const std::byte** out, const void* const* given, std::size_t count) {\n"
           "    for (std::size_t i = 0; i < count; ++i) out[i] = bytes(given[i]);\n}\n" +
           literals +
           "} // namespace\n\nbool prepare([[maybe_unused]] std::span<const void* const, weights_count> from, void* "
           "constants, void* scratch) "
           "{\n" +
           pointers("parameters", parameters.size()) + given + copies + "    ahead::diagnosis d;\n    return " +
           call_tasks(asked, "prepare", "{parameters, bytes(constants), bytes(scratch)}", made.plan()) +
           ";\n}\n"
           "void reset([[maybe_unused]] const void* constants, [[maybe_unused]] void* arena) {\n" +
           resets +
           "}\nbool run([[maybe_unused]] std::span<const void* const, inputs_count> given, const void* constants, "
           "void* arena) {\n" +
           pointers("externals", inputs + (has_states ? 1 : 0)) + "    see(externals, given.data(), " +
           std::to_string(inputs) + ");\n" +
           (has_states ? "    externals[" + std::to_string(inputs) + "] = bytes(arena) + " +
                             std::to_string(made.plan().peak_bytes) + ";\n"
                       : "") +
           "    ahead::diagnosis d;\n"
           "    return " +
           call_tasks(asked, "run", "{externals, bytes(constants), bytes(arena)}", made.plan()) +
           ";\n}\n\n} // namespace " + asked.name + "\n";
}

namespace detail {

/// The first and last lines of a header of literals. lines: its includes
inline std::string begin_header(const options& asked, std::string_view what, const std::string& lines) {
    return first_line(asked, what) + "#pragma once\n" + lines +
           "\n#if defined(__GNUC__)\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "
           "\"-Wmissing-field-initializers\" // they are as usual\n#endif\n\nnamespace " +
           asked.name + " {\n\n";
}
inline std::string end_header(const options& asked) {
    return "\n} // namespace " + asked.name + "\n\n#if defined(__GNUC__)\n#pragma GCC diagnostic pop\n#endif\n";
}

/// "block_5"
inline std::string name_of(const compile::inspected_graph& block) { return "block_" + std::to_string(block.of.index); }
/// The device graph and the plan of a program, and of the blocks in it.
inline void append_plans(std::string& out, const compile::inspected_graph& made) {
    std::string list;
    for (const auto& block : made.blocks) {
        out += "struct " + name_of(block) + " {\n";
        append_plans(out, block);
        const auto needs = block.as_block();
        out += "static constexpr ahead::device::block_needs needs{{" + std::to_string(needs.block.index) + "}, " +
               std::to_string(needs.arena_bytes) + ", " + std::to_string(needs.constant_bytes) + ", " +
               std::to_string(needs.scratch_bytes) + ", {" + std::to_string(needs.makespan.count) + "}};\n};\n";
        list += (list.empty() ? "" : ", ") + name_of(block);
    }
    if (!list.empty()) out += "using blocks = ahead::aot::block_list<" + list + ">;\n";
    ahead::detail::append_graph(out, "lowered", made.lowered_graph());
    out += "static constexpr auto planned = ";
    ahead::detail::append_plan(out, made.lowered_graph(), made.plan_view());
    out += ";\n";
}

} // namespace detail

/// NAME_program.hpp
inline std::string write_plan(const compile::inspected_graph& made, const options& asked) {
    using namespace detail;
    auto out = begin_header(asked, "its device graph and its plan, as a program of ahead's",
                            "#include \"" + asked.name + ".hpp\"\n#include \"" + tasks_header(asked) + "\"\n" +
                                include_of(asked) + "#include <ahead/aot/written_program.hpp>\n");
    out += "struct written {\nusing tools = " + asked.tools +
           ";\nstatic constexpr const auto& manifest = " + asked.name + "::manifest;\n// on the device\n";
    append_plans(out, made);
    out += name_tasks(asked) +
           "};\n\n"
           "/// Stands wherever ahead::compiled<net> does, but where that is asked for its ATen graph.\n"
           "using program = ahead::aot::written_program<written>;\n";
    out += end_header(asked);
    return out;
}
/// NAME_graphs.hpp
inline std::string write_graphs(const compile::inspected_graph& made, const options& asked) {
    using namespace detail;
    auto out = begin_header(asked, "its ATen graphs, as printed and after the passes",
                            "#include \"" + asked.name + "_program.hpp\"\n#include <ahead/aten/aten.hpp>\n");
    out += "struct graphs {\nusing registry = " + asked.registry + ";\n// as printed\n";
    ahead::detail::append_graph(out, "captured", made.captured());
    out += "// without writes and random state\n";
    if (made.is_rewritten()) ahead::detail::append_graph(out, "functional", made.functional_graph());
    else out += "static constexpr const auto& functional = captured;\n";
    out += "// after the passes\n";
    if (made.as_passed.header.live_nodes > 0) ahead::detail::append_graph(out, "optimized", made.optimized_graph());
    else out += "static constexpr const auto& optimized = functional;\n";
    out += "static constexpr std::array<ahead::compile::pass_step, " + std::to_string(made.steps.size()) + "> steps = ";
    ahead::detail::append_rows(out, made.steps.data(), static_cast<std::int32_t>(made.steps.size()));
    out += ";\n};\n\n/// The same program where it is asked for its ATen graph, too: reports, comparisons with the "
           "reference.\n"
           "using described_program = ahead::aot::written_program<written, graphs>;\n";
    out += end_header(asked);
    return out;
}

} // namespace ahead::generate
