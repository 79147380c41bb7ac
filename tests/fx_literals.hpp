// SPDX-License-Identifier: MIT
// The printed graphs that stand in the sources of tests. Called by tests that damage every text there is.
#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace test {

inline std::string read_file(const std::filesystem::path& path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
}
/// What stands between R"fx( and )fx" in a source.
inline void add_literals(const std::filesystem::path& path, std::vector<std::string>& out) {
    const auto source = read_file(path);
    constexpr std::string_view open = "R\"fx(", close = ")fx\"";
    for (auto at = source.find(open); at != source.npos; at = source.find(open, at)) {
        at += open.size();
        out.push_back(source.substr(at, source.find(close, at) - at));
    }
}

} // namespace test
