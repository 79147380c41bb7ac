// SPDX-License-Identifier: MIT
// The additional files of a program whose tasks are compiled for several levels of x86-64: the selection of a level,
// and a source for each. Called by write_interface.hpp and write_program.hpp.
// Invariant: only the sources of levels include the units; all others refer to them through aot/instruction_set.hpp.
#pragma once
#include <ahead/generate/options.hpp>

namespace AHEAD_NAMESPACE::generate {

namespace detail {

/// "x86_64_v3", and for the whole program: "ahead_digits_x86_64_v3"
inline std::string name_of_level(int level) { return "x86_64_v" + std::to_string(level); }
inline std::string symbol_of_level(const options& asked, int level) {
    return "ahead_" + asked.name + '_' + name_of_level(level);
}
/// The header through which sources that do not belong to a level call the tasks.
inline std::string tasks_header(const options& asked) {
    return asked.name + (asked.levels.empty() ? "_tasks.hpp" : "_sets.hpp");
}

/// The part of NAME.hpp that declares the levels.
inline std::string declare_levels(const options& asked) {
    if (asked.levels.empty()) return {};
    std::string out = "\n/// What the tasks are compiled for. The highest that the processor has runs; it is found out "
                      "once, before the first\n/// task. Where the processor has none of them prepare() and run() give "
                      "false.\nenum class instruction_set {\n    none,\n";
    for (const int level : asked.levels) out += "    " + name_of_level(level) + " = " + std::to_string(level) + ",\n";
    return out +
           "};\n"
           "/// Which one runs.\n"
           "instruction_set chosen();\n"
           "/// Whether the processor has it.\n"
           "bool has(instruction_set set);\n"
           "/// From now on this one runs, with the constants and states that there are; not while a run is under "
           "way. False, and\n/// nothing changes, where the processor lacks it.\n"
           "bool use(instruction_set set);\n";
}
/// The part of NAME_interface.cpp that defines the levels.
inline std::string define_levels(const options& asked) {
    if (asked.levels.empty()) return {};
    std::string declared, rows;
    for (const int level : asked.levels) {
        const auto symbol = symbol_of_level(asked, level);
        declared += "extern \"C\" [[gnu::visibility(\"hidden\")]] const ahead::instruction_set " + symbol + ";\n";
        rows += "    {" + std::to_string(level) + ", &" + symbol + "},\n";
    }
    return declared + "\nnamespace " + asked.name + " {\n\nnamespace tasks {\nnamespace {\nconstexpr " +
           "ahead::aot::level_row levels[] = {\n" + rows +
           "};\n} // namespace\nconstinit ahead::aot::chosen_set sets{levels};\n} // namespace tasks\n\n"
           "instruction_set chosen() { return instruction_set{tasks::sets.level()}; }\n"
           "bool has(instruction_set set) { return tasks::sets.has(static_cast<int>(set)); }\n"
           "bool use(instruction_set set) { return tasks::sets.use(static_cast<int>(set)); }\n\n} // namespace " +
           asked.name + "\n\n";
}
/// How `kind`, prepare or run, is called in NAME_interface.cpp.
inline std::string call_tasks(const options& asked, const std::string& kind, const std::string& memory,
                              const plan_summary& plan) {
    if (asked.levels.empty()) return "tasks::" + kind + '(' + memory + ", &d)";
    const auto first = kind == "run" ? plan.prepare_tasks : 0;
    return "tasks::sets.run(" + std::to_string(first) + ", " +
           std::to_string(plan.prepare_tasks + (kind == "run" ? plan.run_tasks : 0)) + ", " + memory + ", d)";
}
/// The part of NAME_program.hpp that defines `written`.
inline std::string name_tasks(const options& asked) {
    if (!asked.levels.empty()) return "static constexpr auto& sets = tasks::sets;\n";
    return "static constexpr const auto& of_prepare = tasks::of_prepare;\n"
           "static constexpr const auto& of_run = tasks::of_run;\n"
           "static bool prepare(const ahead::runtime::region_bases& m, ahead::diagnosis* d) { return tasks::prepare(m, "
           "d); "
           "}\n"
           "static bool run(const ahead::runtime::region_bases& m, ahead::diagnosis* d) { return tasks::run(m, d); }\n";
}

} // namespace detail

/// NAME_sets.hpp, and NAME_x86_64_vN.cpp for each level.
inline void write_sets(const options& asked, std::vector<file>& out) {
    using namespace detail;
    if (asked.levels.empty()) return;
    out.push_back({tasks_header(asked), first_line(asked, "its tasks, compiled for several instruction sets") +
                                            "#pragma once\n#include \"" + asked.name +
                                            "_manifest.hpp\"\n#include <ahead/aot/chosen_set.hpp>\n\n"
                                            "namespace " +
                                            asked.name +
                                            "::tasks {\n\nextern ahead::aot::chosen_set sets;\n\n} // "
                                            "namespace " +
                                            asked.name + "::tasks\n"});
    for (const int level : asked.levels) {
        const auto symbol = symbol_of_level(asked, level);
        auto text = first_line(asked, "its tasks for x86-64-v" + std::to_string(level) +
                                          ", by the one symbol of these objects that others see");
        text += "#include \"" + asked.name +
                "_tasks.hpp\"\n#include <ahead/aot/set_of_tasks.hpp>\n\n"
                "static_assert(ahead::aot::build_level == " +
                std::to_string(level) + ", \"compiled with other flags than -march=x86-64-v" + std::to_string(level) +
                "\");\n\nnamespace {\nstruct tasks_here {\n"
                "    static constexpr const auto& of_prepare = " +
                asked.name +
                "::tasks::of_prepare;\n"
                "    static constexpr const auto& of_run = " +
                asked.name +
                "::tasks::of_run;\n"
                "    static bool prepare(const ahead::runtime::region_bases& m, ahead::diagnosis* d) { return " +
                asked.name +
                "::tasks::prepare(m, d); }\n"
                "    static bool run(const ahead::runtime::region_bases& m, ahead::diagnosis* d) { return " +
                asked.name +
                "::tasks::run(m, d); }\n};\nusing set = ahead::aot::set_of_tasks<tasks_here>;\n} // namespace\n\n"
                "extern \"C\" [[gnu::visibility(\"hidden\")]] const ahead::instruction_set " +
                symbol + ";\nconst ahead::instruction_set " + symbol + "{&set::run, &set::address};\n";
        out.push_back({asked.name + '_' + name_of_level(level) + ".cpp", std::move(text)});
    }
}

} // namespace ahead::generate
