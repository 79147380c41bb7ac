// Reads every FX text of the folders and files given and prints one line each: "typed", "parsed" (not typed: why) or "refused <line> <reason>".
// A parsed text must print back equal to itself, up to blanks at line ends, blank lines and comment lines. Where a folder holds INDEX.tsv
// (file, format, class, ...), files of class "aten" must be parsed and others refused; files that INCONSISTENT.tsv names must be refused.
// Fails on any violation, and on a refusal without line or reason. Not part of the default tests: the texts are not part of the project.
// SPDX-License-Identifier: MIT
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx_parse.hpp>
#include <ahead/io/print_fx.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace ahead;

namespace {

constexpr op_table ops{};

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

// Without blanks at line ends, blank lines and comment lines.
std::string normal(const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(' ') + 1);
        const auto first = line.find_first_not_of(' ');
        if (first != line.npos && line[first] != '#') out += line + '\n';
    }
    return out;
}

std::string first_difference(const std::string& a, const std::string& b) {
    std::istringstream left(a), right(b);
    std::string l, r;
    while (true) {
        const bool more_left = static_cast<bool>(std::getline(left, l));
        const bool more_right = static_cast<bool>(std::getline(right, r));
        if (!more_left && !more_right) return {};
        if (!more_left) l = "(end)";
        if (!more_right) r = "(end)";
        if (l != r) {
            std::size_t at = 0;
            while (at < l.size() && at < r.size() && l[at] == r[at]) ++at;
            at = at > 40 ? at - 40 : 0;
            return "\n      text:    " + l.substr(at, 160) + "\n      printed: " + r.substr(at, 160);
        }
    }
}

struct totals {
    int files = 0, parsed = 0, refused = 0, violations = 0;
};

// The first column of a table -> its third one.
std::map<std::string, std::string> table(const fs::path& path) {
    std::map<std::string, std::string> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        std::string name, format, kind;
        std::getline(cells, name, '\t');
        std::getline(cells, format, '\t');
        std::getline(cells, kind, '\t');
        rows[name] = kind;
    }
    return rows;
}

void run(const fs::path& path, const std::string& expected_class, bool inconsistent, totals& sum) {
    const auto text = read(path);
    heap_storage storage(count_fx(text));
    fx_style style;
    diagnosis d;
    const bool ok = parse_fx(text, ops, storage.edit(), style, d);
    ++sum.files;
    std::cout << path.string() << ": ";
    const auto violation = [&](const std::string& what) {
        ++sum.violations;
        std::cout << "\n  !! " << what;
    };
    if (ok) {
        ++sum.parsed;
        std::cout << "parsed, " << storage.header.live_nodes << " nodes";
        std::string printed;
        print_fx(storage.view(), style, printed);
        if (normal(printed) != normal(text)) violation("prints back differently" + first_difference(normal(text), normal(printed)));
        if (storage.header.used.values != 0) violation("values were given before typing");
        if (inconsistent) violation("contradicts itself and must be refused");
        else if (!expected_class.empty() && expected_class.substr(0, 4) != "aten") violation("is of class " + expected_class + " and must be refused");
    } else {
        ++sum.refused;
        std::cout << "refused " << d.line << ' ' << name_of(d.what) << ": expected " << d.expected.view() << ", found " << d.found.view();
        if (d.line <= 0 || d.line > 1 + std::count(text.begin(), text.end(), '\n') || d.expected.length == 0 || d.found.length == 0)
            violation("the refusal lacks a line or a reason");
        if (expected_class == "aten" && !inconsistent) violation("is of class aten and must be parsed");
    }
    std::cout << '\n';
}

} // namespace

int main(int argc, char** argv) {
    totals sum;
    for (int i = 1; i < argc; ++i) {
        const fs::path root = argv[i];
        std::vector<fs::path> files;
        if (fs::is_directory(root)) {
            for (const auto& entry : fs::recursive_directory_iterator(root))
                if (entry.path().extension() == ".txt") files.push_back(entry.path());
        } else files.push_back(root);
        std::sort(files.begin(), files.end());
        const auto classes = table(root / "INDEX.tsv");
        const auto inconsistent = table(root / "INCONSISTENT.tsv");
        for (const auto& file : files) {
            const auto name = file.filename().string();
            const auto found = classes.find(name);
            run(file, found == classes.end() ? "" : found->second, inconsistent.contains(name), sum);
        }
    }
    std::cout << sum.files << " texts: " << sum.parsed << " parsed, " << sum.refused << " refused, " << sum.violations << " violations\n";
    return sum.violations == 0 && sum.files > 0 ? 0 : 1;
}
