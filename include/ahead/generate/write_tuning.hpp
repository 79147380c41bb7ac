// SPDX-License-Identifier: MIT
// A program that measures the kernels that each key of a model may have, as C++: NAME_tune.cpp, its main(), and
// NAME_tune_0.cpp and so on, the kernels, in as many units as a run has. Called by main.hpp, if a build requests it.
// Invariant: keys are those of whole calls without a choice, so the program does not depend on a choice file.
#pragma once
#include <ahead/generate/options.hpp>
#include <ahead/generate/write_units.hpp>
#include <ahead/print/choice_report.hpp>

namespace AHEAD_NAMESPACE::generate {

/// report: of the graph; its plan determines how many bytes a run touches.
inline std::vector<file> write_tuning(const choice_report& report, const plan_summary& plan, const options& asked) {
    std::vector<file> out;
    const auto units = static_cast<std::size_t>(asked.units);
    const auto inside = asked.name + "::tuning";
    std::string declared, list;
    std::vector<std::string> kernels(units), keys(units);
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        const auto& row = report.rows[i];
        const auto number = std::to_string(i);
        kernels[i % units] += "// " + row.key + '\n';
        append_kernel(kernels[i % units], i, {row.call, {}, 0}, asked.header.empty() ? "" : asked.tools);
        keys[i % units] +=
            "ahead::tune::tuned_key key_" + number + "() { return ahead::tune::tuned<kernel_" + number + ">(); }\n";
        declared += "ahead::tune::tuned_key key_" + number + "();\n";
        list += "&" + inside + "::key_" + number + ", ";
    }
    for (std::size_t unit = 0; unit < units; ++unit) {
        const auto number = std::to_string(unit);
        out.push_back({asked.name + "_tune_" + number + ".cpp",
                       first_line(asked, "kernels that are measured, unit " + number + " of " + std::to_string(units)) +
                           include_of(asked) +
                           "#include <ahead/aten/aten.hpp>\n#include <ahead/tune/candidates.hpp>\n\nnamespace " +
                           inside + " {\n\nnamespace {\n\nusing namespace ahead::aot::task_names;\n\n" + kernels[unit] +
                           "\n} // namespace\n" + keys[unit] + "\n} // namespace " + inside + '\n'});
    }
    out.push_back({asked.name + "_tune.cpp",
                   first_line(asked, "measures which kernels are the fastest here, and writes the choice file") +
                       "#include <ahead/tune/tune.hpp>\n\nnamespace " + inside + " {\n" + declared +
                       "} // namespace " + inside +
                       "\n\nint main(int count, char** arguments) {\n    constexpr ahead::tune::key_maker keys[] = {" +
                       list + "nullptr};\n    return ahead::tune::run_main(\"" + asked.name + "\", " +
                       std::to_string(plan.constant_bytes + plan.peak_bytes) + ", keys, count, arguments);\n}\n"});
    return out;
}

} // namespace ahead::generate
