// Runs recorded single-operator cases through parse, inference and the reference, and compares with PyTorch's outputs.
// Arguments: a folder of folders, and optionally an operator's name. Each case is a folder with manifest.tsv (role, name, npy, dtype, shape),
// graph.f1.txt (typed by the manifest) and graph.f2.txt (typed by its annotations). One line per failing text; then the operators not
// covered, with the reason; then totals. Fails if any result is wrong. A case is covered if its operators are registered and its dtypes run.
// SPDX-License-Identifier: MIT
#include <ahead/aten/aten.hpp>
#include <ahead/aten/reference.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx_parse.hpp>
#include <ahead/io/npy.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

namespace fs = std::filesystem;
using namespace ahead;

namespace {

enum class outcome : std::uint8_t {
    passed,
    failed,
    uncovered
};

struct verdict {
    outcome what = outcome::passed;
    std::string why;
};

struct recorded {
    std::vector<std::string> names; // of the inputs
    std::vector<host_tensor> inputs, outputs;
    std::string unsupported; // the first dtype that does not run
};

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

bool read_tensor(const fs::path& path, host_tensor& out, std::string& why) {
    weights_tensor file;
    diagnosis d;
    if (!read_npy(path, file, d)) {
        why = std::string(name_of(d.what));
        return false;
    }
    const tensor_bytes& bytes = *file;
    int_list sizes;
    for (auto size : bytes.sizes) sizes.push_back(size);
    if (from_bytes(tensor_of(bytes.type, sizes), bytes.bytes, out)) return true;
    why = std::string("dtype ") + std::string(facts_of(bytes.type).annotation);
    return false;
}

recorded read_case(const fs::path& folder) {
    recorded out;
    std::istringstream lines(read_text(folder / "manifest.tsv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string role, name, npy;
        std::getline(fields, role, '\t');
        std::getline(fields, name, '\t');
        std::getline(fields, npy, '\t');
        host_tensor tensor;
        std::string why;
        if (!read_tensor(folder / npy, tensor, why) && out.unsupported.empty()) out.unsupported = why;
        if (role == "output")
            out.outputs.push_back(std::move(tensor));
        else {
            out.names.push_back(name);
            out.inputs.push_back(std::move(tensor));
        }
    }
    return out;
}

std::string text_of(const diagnosis& d) {
    std::ostringstream out;
    out << name_of(d.what) << " (" << d.op.view() << " expected " << d.expected.view() << ", found " << d.found.view() << ")";
    return out.str();
}

// Largest excess over the tolerance; empty if equal.
std::string difference(const host_tensor& got, const host_tensor& wanted, double relative) {
    if (got.type.type != wanted.type.type || sizes_of(got.type) != sizes_of(wanted.type))
        return "type " + std::string(print(got.type).view()) + " instead of " + std::string(print(wanted.type).view());
    std::string found;
    for_each_index(sizes_of(wanted.type), [&](const int_list& at) {
        if (!found.empty()) return;
        bool equal = false;
        std::ostringstream values;
        if (is_floating(wanted.type.type)) {
            const auto a = got.get<double>(at);
            const auto b = wanted.get<double>(at);
            equal = a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= 1e-5 + relative * std::fabs(b);
            values << a << " instead of " << b;
        } else {
            const auto a = got.get<std::int64_t>(at);
            const auto b = wanted.get<std::int64_t>(at);
            equal = a == b;
            values << a << " instead of " << b;
        }
        if (equal) return;
        found = values.str() + " at [";
        for (auto i : at) found += std::to_string(i) + ",";
        found += "]";
    });
    return found;
}

verdict run_text(const std::string& text, const recorded& given, bool typed_by_text) {
    diagnosis d;
    fx_style style;
    heap_storage storage(count_fx(text));
    const auto g = storage.edit();
    if (!parse_fx(text, aten::registry::table, g, style, d)) return {outcome::failed, "parse: " + text_of(d)};
    std::size_t input = 0;
    for (node_id id : g) {
        auto& n = g[id];
        if (n.kind == node_kind::call && !n.op.exists()) return {outcome::uncovered, "unregistered " + std::string(n.target)};
        if (n.kind != node_kind::placeholder || typed_by_text) continue;
        if (input == given.inputs.size() || !reserve_values(g, id, 1, d)) return {outcome::failed, "more placeholders than inputs"};
        g.value_of(id) = {value_kind::tensor, given.inputs[input++].type, n.values[0]};
    }
    if (!given.unsupported.empty()) {
        if (!typed_by_text) return {outcome::uncovered, given.unsupported};
        if (!infer_types(g, aten::registry::table, d)) return {outcome::failed, "infer: " + text_of(d)};
        return {outcome::uncovered, given.unsupported};
    }
    if (!infer_types(g, aten::registry::table, d))
        return {d.what == fault::dimension_is_dynamic ? outcome::uncovered : outcome::failed, "infer: " + text_of(d)};
    std::vector<host_tensor> outputs;
    if (!interpret<aten::registry>(g, given.inputs, outputs, d)) {
        const bool known = d.what == fault::dtype_is_unsupported || d.what == fault::operator_has_no_meaning;
        return {known ? outcome::uncovered : outcome::failed, "interpret: " + text_of(d)};
    }
    if (outputs.size() != given.outputs.size()) return {outcome::failed, std::to_string(outputs.size()) + " outputs"};
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const auto found = difference(outputs[k], given.outputs[k], 1e-4);
        if (!found.empty()) return {outcome::failed, "output " + std::to_string(k) + ": " + found};
    }
    return {};
}

struct tally {
    int cases = 0, passed = 0, failed = 0, uncovered = 0;
    std::string why;
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cout << "usage: " << argv[0] << " folder [operator]\n";
        return 2;
    }
    std::map<std::string, tally> by_operator;
    for (const auto& entry : fs::recursive_directory_iterator(argv[1])) {
        if (entry.path().filename() != "manifest.tsv") continue;
        const auto folder = entry.path().parent_path();
        const auto name = folder.parent_path().filename().string();
        if (argc > 2 && name != argv[2]) continue;
        auto& sum = by_operator[name];
        ++sum.cases;
        const auto given = read_case(folder);
        auto worst = outcome::passed;
        for (const char* form : {"graph.f1.txt", "graph.f2.txt"}) {
            if (!fs::exists(folder / form)) continue;
            const auto v = run_text(read_text(folder / form), given, std::string_view(form) == "graph.f2.txt");
            if (v.what == outcome::failed) std::cout << name << "/" << folder.filename().string() << " " << form << ": " << v.why << "\n";
            if (v.what == outcome::uncovered) sum.why = v.why;
            if (v.what == outcome::failed || worst == outcome::passed) worst = v.what;
        }
        ++(worst == outcome::passed ? sum.passed : worst == outcome::failed ? sum.failed : sum.uncovered);
    }
    tally total;
    int covered_operators = 0;
    for (const auto& [name, sum] : by_operator) {
        total.cases += sum.cases;
        total.passed += sum.passed;
        total.failed += sum.failed;
        total.uncovered += sum.uncovered;
        covered_operators += sum.uncovered < sum.cases;
        if (sum.uncovered > 0) std::cout << "uncovered " << name << " " << sum.uncovered << "/" << sum.cases << ": " << sum.why << "\n";
    }
    std::cout << by_operator.size() << " operators, " << covered_operators << " covered; " << total.cases << " cases: " << total.passed
              << " passed, " << total.failed << " failed, " << total.uncovered << " uncovered" << std::endl;
    return total.failed == 0 && total.passed > 0 ? 0 : 1;
}
