// SPDX-License-Identifier: MIT
// A program that was planned at run time, as readable C++ that compiles in seconds:
//     NAME.hpp            its inputs, outputs and needs, and how to run it, for callers that do not include ahead
//     NAME_program.hpp    the same as a program of ahead, with its device graph and its plan
//     NAME_graphs.hpp     the same with its ATen graphs, for reports and comparisons
//     NAME_prepare.cpp    the tasks of prepare, and which bytes it copies
//     NAME_0.cpp, ...     the tasks of the run, in the requested number of units
//     NAME_interface.cpp  the definitions of NAME.hpp
//     NAME_sets.hpp, NAME_x86_64_v3.cpp, ...   the selection among levels of x86-64, and the tasks of each, if these
//                         are compiled for several
//     NAME_manifest.hpp   its generator and target, which the sources check: version, options, device
//     NAME_verify.cpp     a test: the verifier's result on the contents of the other files
// Called by main.hpp, which is the program that a build runs.
// Invariant: the same graph and options give the same bytes.
#pragma once
#include <ahead/generate/graph_literal.hpp>
#include <ahead/generate/write_blocks.hpp>
#include <ahead/generate/write_interface.hpp>
#include <ahead/generate/write_units.hpp>

namespace AHEAD_NAMESPACE::generate {

/// The headers with kernels on Eigen's own functions: a source includes one if the text of its kernels has the word.
/// These functions have the same names for every instruction set.
struct eigen_header {
    std::string_view word, line;
};
inline constexpr eigen_header eigen_headers[] = {
    {"ahead::device::decompose", "#include <ahead/linalg.hpp>\n"},
    {"ahead::device::solve", "#include <ahead/linalg.hpp>\n"},
    {"_choice::eigen", "#include <ahead/eigen.hpp>\n"},
};

namespace detail {

/// A source of tasks; `body` comes after the line that opens its namespaces.
inline std::string write_unit(const options& asked, std::string_view what, const std::string& body) {
    std::string headers;
    for (const auto& [word, line] : eigen_headers)
        if (body.find(word) != body.npos && headers.find(line) == headers.npos) headers += line;
    return first_line(asked, what) + "#include \"" + asked.name + "_tasks.hpp\"\n" + include_of(asked) +
           "#include <ahead/aten/aten.hpp>\n#include <ahead/kernels/kernels.hpp>\n" + headers +
           "#include <cstring>\n\nnamespace " + asked.name +
           "::tasks {\n\nnamespace {\n\nusing namespace ahead::aot::task_names;\n\n" + body;
}
inline std::string tools_of_units(const options& asked) { return asked.header.empty() ? "" : asked.tools; }

/// The tasks [begin, end) of one unit, after their kernels.
template <class DeviceRegistry>
std::string list_unit(const options& asked, const compile::inspected_graph& made,
                      const std::vector<kernel_text>& kernels, std::int32_t unit, bool prepares,
                      std::vector<std::int32_t>& tasks) {
    auto out = write_kernels<DeviceRegistry>(made, kernels, tools_of_units(asked), prepares,
                                             [&](const kernel_text& kernel) { return kernel.unit == unit; });
    std::map<std::int32_t, std::size_t> kernel_of;
    for (std::size_t k = 0; k < kernels.size(); ++k)
        if (kernels[k].unit == unit)
            for (const auto t : kernels[k].tasks) kernel_of[t] = k;
    out += "\n} // namespace\n";
    for (const auto& [t, k] : kernel_of) {
        append_task(out, made, t, k);
        tasks.push_back(t);
    }
    return out;
}
/// "    return task_0(m, d) &&\n           task_1(m, d);": it stops at the first that refuses.
inline std::string call_all(const std::string& kind, std::int32_t count) {
    std::string out = "    return ";
    for (std::int32_t i = 0; i < count; ++i)
        out += (i == 0 ? "" : " &&\n           ") + kind + std::to_string(i) + "(m, d)";
    return out + (count == 0 ? "true;\n" : ";\n");
}
/// A row of a unit's table.
inline std::string table_row(const std::string& function, const std::string& at) {
    return "{&" + function + ", at_" + at + ", static_cast<int>(std::size(at_" + at + "))},";
}

} // namespace detail

/// The files of a program. pre: made.error.ok()
template <class Tools> std::vector<file> write_program(const compile::inspected_graph& made, const options& asked) {
    using namespace detail;
    const auto& plan = made.plan();
    const auto prepare = plan.prepare_tasks, all = prepare + plan.run_tasks;
    std::vector<file> out;
    out.push_back({asked.name + ".hpp", write_interface(made, asked)});

    // Units.
    std::vector<std::string> place(static_cast<std::size_t>(all)); // by task: "&unit_0[3]"
    std::string declared;
    const auto add_unit = [&](const std::string& array, const std::string& kind, std::int32_t first,
                              const std::vector<std::int32_t>& tasks) {
        std::string rows = "\nextern const task " + array + "[];\nconst task " + array + "[] = {\n";
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const auto name = kind + std::to_string(tasks[i] - first);
            rows += "    " + table_row(name, name) + "\n";
            place[static_cast<std::size_t>(tasks[i])] = "&" + array + '[' + std::to_string(i) + ']';
        }
        if (tasks.empty()) rows += "    {}\n";
        declared += "extern const ahead::aot::task " + array + '[' +
                    std::to_string(std::max<std::size_t>(tasks.size(), 1)) + "];\n";
        return rows + "};\n";
    };
    {
        const auto kernels = list_kernels<typename Tools::device_registry>(made, 0, prepare, 1);
        std::vector<std::int32_t> tasks;
        auto text = list_unit<typename Tools::device_registry>(asked, made, kernels, 0, true, tasks);
        text += add_unit("prepare_unit", "prepare_", 0, tasks);
        text += "\nbool prepare([[maybe_unused]] const region_bases& m, [[maybe_unused]] diagnosis* d) {\n" +
                call_all("prepare_", prepare) + "}\n\n} // namespace " + asked.name + "::tasks\n";
        out.push_back({asked.name + "_prepare.cpp", write_unit(asked, "what is done once, with the weights", text)});
    }
    const auto kernels = list_kernels<typename Tools::device_registry>(made, prepare, all, asked.units);
    for (std::int32_t unit = 0; unit < asked.units; ++unit) {
        std::vector<std::int32_t> tasks;
        const auto number = std::to_string(unit);
        auto text = list_unit<typename Tools::device_registry>(asked, made, kernels, unit, false, tasks);
        text += add_unit("unit_" + number, "task_", prepare, tasks);
        if (unit == 0) {
            std::string others;
            for (auto t = prepare; t < all; ++t) {
                const auto name = "task_" + std::to_string(t - prepare);
                if (!std::binary_search(tasks.begin(), tasks.end(), t))
                    others += "bool " + name + "(const region_bases& m, diagnosis* d);\n";
            }
            text += (others.empty() ? "" : "\n// of other units\n") + others;
            text += "\n// A run.\nbool run([[maybe_unused]] const region_bases& m, [[maybe_unused]] diagnosis* d) {\n" +
                    call_all("task_", all - prepare) + "}\n";
        }
        text += "\n} // namespace " + asked.name + "::tasks\n";
        const auto what = "unit " + number + " of " + std::to_string(asked.units) + " of a run";
        out.push_back({asked.name + '_' + number + ".cpp", write_unit(asked, what, text)});
    }
    {
        auto text = first_line(asked, "where the tasks of the program stand");
        text += "#pragma once\n#include \"" + asked.name +
                "_manifest.hpp\"\n#include <ahead/aot/task.hpp>\n\nnamespace " + asked.name +
                "::tasks {\n\n" + declared + "inline constexpr const ahead::aot::task* of_prepare[] = {";
        for (std::int32_t t = 0; t < prepare; ++t) text += place[static_cast<std::size_t>(t)] + ", ";
        text += "nullptr};\ninline constexpr const ahead::aot::task* of_run[] = {";
        for (auto t = prepare; t < all; ++t) text += place[static_cast<std::size_t>(t)] + ", ";
        text += "nullptr};\nbool prepare(const ahead::runtime::region_bases& m, ahead::diagnosis* d);\n"
                "bool run(const ahead::runtime::region_bases& m, ahead::diagnosis* d);\n\n} // namespace " +
                asked.name + "::tasks\n";
        out.push_back({asked.name + "_tasks.hpp", std::move(text)});
    }
    write_sets(asked, out);
    out.push_back({asked.name + "_manifest.hpp", write_manifest(asked, Tools::options, Tools::device)});
    out.push_back({asked.name + "_interface.cpp", write_plain_run(made, asked)});
    out.push_back({asked.name + "_program.hpp", write_plan(made, asked)});
    out.push_back({asked.name + "_graphs.hpp", write_graphs(made, asked)});
    out.push_back(
        {asked.name + "_verify.cpp",
         first_line(asked, "what the verifier says of the files beside this one") + "#include \"" + asked.name +
             "_program.hpp\"\n#include <ahead/aot/verify_written.hpp>\n#include <cstdio>\n\n" +
             (asked.verify_while_compiling ? "static_assert(ahead::verify_plan<" + asked.name +
                                                "::program>().ok(), \"the plan of " + asked.name + " is broken\");\n\n"
                                          : "") +
             "int main() {\n"
             "    const auto found = ahead::verify_written<" +
             asked.name +
             "::program>();\n    if (!found.ok()) std::puts(ahead::render(found).c_str());\n    return found.ok() ? 0 "
             ": 1;\n}\n"});
    return out;
}

} // namespace ahead::generate
