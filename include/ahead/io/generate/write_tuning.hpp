// SPDX-License-Identifier: MIT
// A program that measures the kernels that each key of a model may have, as C++: NAME_tune.cpp, its main(), and
// NAME_tune_0.cpp and so on, the kernels, in as many units as a run's. Called by main.hpp, where a build asks for it.
// Invariant: keys are whole calls' and none is chosen, so that the program is the same whatever a choice file says.
#pragma once
#include <ahead/io/generate/options.hpp>
#include <ahead/io/tune/choice_report.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::generate {

/// report: of the graph, whose plan says how many bytes a run goes over.
inline std::vector<file> write_tuning(const choice_report& report, const plan_summary& plan, const options& asked) {
    std::vector<file> out;
    const auto units = static_cast<std::size_t>(asked.units);
    std::string declared, rows;
    std::vector<std::string> texts(units);
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        const auto& row = report.rows[i];
        const auto call = "ahead::tune::tuned_key key_" + std::to_string(i) + "()";
        texts[i % units] += "// " + row.key + "\n" + call + " {\n    return ahead::tune::tuned<" + row.operator_type +
                            ", " + row.key_type + ">();\n}\n";
        declared += call + ";\n";
        rows += "&" + asked.name + "::tuning::key_" + std::to_string(i) + ", ";
    }
    for (std::size_t unit = 0; unit < units; ++unit) {
        const auto number = std::to_string(unit);
        out.push_back({asked.name + "_tune_" + number + ".cpp",
                       first_line(asked, "kernels that are measured, unit " + number + " of " + std::to_string(units)) +
                           "#include <ahead/io/tune/candidates.hpp>\n\nnamespace " + asked.name + "::tuning {\n\n" +
                           texts[unit] + "\n} // namespace " + asked.name + "::tuning\n"});
    }
    out.push_back(
        {asked.name + "_tune.cpp",
         first_line(asked, "measures which kernels are the fastest here, and writes the choice file") +
             "#include <ahead/io/tune/tune.hpp>\n\nnamespace " + asked.name + "::tuning {\n" + declared +
             "} // namespace " + asked.name +
             "::tuning\n\nint main(int count, char** arguments) {\n    constexpr ahead::tune::key_maker keys[] "
             "= {" +
             rows + "nullptr};\n    return ahead::tune::run_main(\"" + asked.name + "\", " +
             std::to_string(plan.constant_bytes + plan.peak_bytes) + ", keys, count, arguments);\n}\n"});
    return out;
}

} // namespace ahead::generate
