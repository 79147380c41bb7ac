// write <out.cpp> <text>...: lowers the graphs of these texts and writes a program that checks each kernel's key, once: what is printed is C++, and
// compiled it prints as it did. Called by the build, see CMakeLists.txt.
// SPDX-License-Identifier: MIT
#include "planned.hpp"

#include <ahead/print/print_key.hpp>

#include <fstream>
#include <set>

int main(int argc, char** argv) {
    std::set<std::string> keys, lists;
    std::set<std::string> op_rows;
    for (int i = 2; i < argc; ++i) {
        const test::device_model model(corpus::read_text(argv[i]));
        const auto g = model.graph();
        for (ahead::node_id id : g) {
            if (!model.needs()[static_cast<std::size_t>(id.index)].is_task) continue;
            const auto call = ahead::printers::print_call<ahead::device::registry>(g, id);
            op_rows.insert(call.op);
            keys.insert(call.key);
            if (!call.epilogue.empty()) keys.insert(call.epilogue);
            if (!call.operators.empty()) lists.insert(call.operators);
        }
    }
    if (test::failed != 0) return 1;
    std::ofstream out(argv[1]);
    out << "#include \"harness.hpp\"\n#include <ahead/print/print_key.hpp>\n#include <ahead/kernels/kernels.hpp>\n#include <ahead/aten/aten.hpp>\n"
           "int main() {\n";
    for (const auto& key : keys) out << "    {\n        constexpr auto key = " << key << ";\n        test::check_equal(ahead::print_key(key), std::string(R\"key(" << key << ")key\"));\n    }\n";
    for (const auto& list : lists) out << "    test::check_equal(ahead::printers::print_operators(" << list << "{}), std::string(\"" << list << "\"));\n";
    for (const auto& op : op_rows) out << "    test::check(sizeof(ahead::kernels::kernel_for<" << op << ">) > 0);\n";
    out << "    return test::report();\n}\n";
}
