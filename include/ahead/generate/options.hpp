// SPDX-License-Identifier: MIT
// The options of the generator, and the first lines of every generated file. Called by all writers of generate/.
#pragma once
#include <ahead/aot/manifest.hpp>
#include <ahead/plan/plan.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace AHEAD_NAMESPACE::generate {

struct options {
    std::string name;       // of the namespace, and of the files
    std::string source;     // the text's file, for comments
    std::int32_t units = 1; // of a run
    std::string header{};   // of a user's toolchain; empty: ahead's
    std::string tools = "ahead::toolchain<>";
    std::string registry = "ahead::aten::registry";
    bool verify_while_compiling = false;
    std::vector<int> levels{}; // of x86-64, to compile the tasks for, increasing; none: as the rest
};

struct file {
    std::string name, text;
};

inline std::string version_text() { return std::string(aot::ahead_version().view()); }
inline std::string first_line(const options& asked, std::string_view what) {
    return "// " + asked.name + ": " + std::string(what) + ". Written by ahead " + version_text() + " from " +
           asked.source + "; an edit is gone when that is read again.\n";
}
inline std::string include_of(const options& asked) {
    return asked.header.empty() ? "" : "#include \"" + asked.header + "\"\n";
}

} // namespace ahead::generate
