// SPDX-License-Identifier: MIT
// write <out.cpp> <family> <first> <count>: a unit of so many random cases of the family, with the kernels that they become, each by its key.
// Seeds go on from `first`; a case that is no kernel's is left out and another one drawn, but of a family whose cases are counted. Prints how many those were.
// Called by the build, and by long.cmake.
#include "inspected_case.hpp"

#include <ahead/generate/write_units.hpp>

#include <fstream>
#include <iostream>

using namespace ahead;
using namespace ahead::rooms;

int main(int count, char** arguments) {
    if (count != 5) return 2;
    const std::string_view name = arguments[2];
    const test::family* of = nullptr;
    for (const auto& f : test::families)
        if (f.name == name) of = &f;
    if (of == nullptr) return 2;
    std::map<std::string, std::size_t> kernels; // by their text
    std::map<std::string, int> left_out;
    std::string structs, cases;
    const auto wanted = std::stoi(arguments[4]);
    auto seed = std::stoull(arguments[3]);
    const bool is_counted = of->count != nullptr;
    const auto end = is_counted ? std::min<std::uint64_t>(seed + static_cast<std::uint64_t>(wanted), of->count()) : ~std::uint64_t{0};
    int written = 0, refused = 0;
    for (; written < wanted && seed < end; ++seed) {
        const test::inspected_case one(*of, seed);
        if (const auto why = one.why_not(); !why.empty()) {
            ++left_out[why];
            if (++refused > 20 && refused > wanted && !is_counted) return std::cerr << "most cases are left out, the last one: " << why << '\n' << one.text, 1;
            continue;
        }
        ++written;
        cases += "    {" + std::to_string(seed) + ", " + std::to_string(test::number_of(one.text)) + "u, {";
        std::string between;
        one.for_each_task([&](node_id id) {
            const auto g = one.graph();
            const generate::kernel_text kernel{print_call<test::device_registry>(g, id), {}, 0};
            const auto next = kernels.size();
            const auto [at, is_new] = kernels.try_emplace(kernel.call.op + kernel.call.key + kernel.call.epilogue + kernel.call.operators, next);
            if (is_new) structs += "// " + generate::describe_task(g, g[id]) + '\n', generate::append_kernel(structs, next, kernel, {});
            int operands = 0;
            for_each_operand(g, g[id].arguments, [&](const argument&) { ++operands; });
            cases += between + "launch<kernel_" + std::to_string(at->second) + ", " + std::to_string(operands) + ", " + std::to_string(g[id].values.count) + ">";
            between = ", ";
        });
        cases += "}},\n";
    }
    std::ofstream out(arguments[1]);
    out << "// " << written << " cases of " << name << ", " << kernels.size() << " kernels\n#include <ahead/aten/aten.hpp>\n#include <ahead/kernels/kernels.hpp>\n#include <random_keys/launch.hpp>\n\nnamespace {\n\nusing namespace ahead::aot::task_names;\nusing test::launch;\n\n"
        << structs << "\nconst test::written_unit unit(\"" << name << "\", {\n" << cases << "});\n\n} // namespace\n";
    std::cout << name << ": " << written << " cases, " << kernels.size() << " kernels, up to seed " << seed;
    for (const auto& [why, times] : left_out) std::cout << "; left out " << times << ' ' << why;
    std::cout << std::endl;
    return out.good() ? 0 : 1;
}
