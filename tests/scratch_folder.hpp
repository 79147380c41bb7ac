// A folder of a test's own, gone with it, and what stands in such folders. Used by the tests of dumps.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace test {

/// A new folder among the temporary ones, removed with all that is in it.
struct scratch_folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("ahead_" + std::to_string(std::random_device()()));
    scratch_folder() { std::filesystem::create_directories(path); }
    scratch_folder(const scratch_folder&) = delete;
    ~scratch_folder() { std::filesystem::remove_all(path); }
    /// A folder in it.
    std::filesystem::path made(const char* name) const {
        std::filesystem::create_directories(path / name);
        return path / name;
    }
};

inline std::string content(const std::filesystem::path& path) {
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
}

/// The files and the empty folders below the folder, one a line, in alphabetical order.
inline std::string names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (!entry.is_directory() || std::filesystem::is_empty(entry.path()))
            names.push_back(entry.path().lexically_relative(folder).generic_string());
    std::sort(names.begin(), names.end());
    std::string out;
    for (const auto& name : names) out += name + "\n";
    return out;
}

} // namespace test
