// SPDX-License-Identifier: MIT
// Files that are written together: dumps of graphs and of data. At run time.
// Invariant: all files are written, or an exception with the path that failed is thrown and the folder is as before.
// Called by print/dump/dump_*.hpp.
#pragma once
#include <ahead/core/error.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace AHEAD_NAMESPACE::printers {

/// Any text as part of a file's name: letters, digits, '-', '_' and '.', everything else becomes '_'.
inline std::string file_name_of(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                          c == '_' || c == '.';
        if (!fits) c = '_';
    }
    return out;
}

/// Throws file_is_unwritable with the path.
[[noreturn]] inline void refuse_path(const std::filesystem::path& path, std::string_view expected) {
    diagnosis d;
    d.name = std::string_view(path.string());
    refuse(d, fault::file_is_unwritable, expected);
    raise(d);
}

class written_files {
public:
    void add(std::string name, std::string content) { files_.push_back({std::move(name), std::move(content)}); }

    /// Writes all into `folder`, which is created if it does not exist, and returns their paths. Throws error
    /// (file_is_unwritable) with the path; then, unless the disk is full, no file is written.
    std::vector<std::filesystem::path> write(const std::filesystem::path& folder) const {
        std::error_code failed;
        std::filesystem::create_directories(folder, failed);
        if (!std::filesystem::is_directory(folder, failed)) refuse_path(folder, "a folder");
        open_all(folder);
        std::vector<std::filesystem::path> paths;
        for (const auto& file : files_) {
            paths.push_back(folder / file.name);
            std::ofstream out(paths.back(), std::ios::binary);
            out << file.content;
            out.close();
            if (!out) refuse_path(paths.back(), "room for the file");
        }
        return paths;
    }

private:
    struct one_file {
        std::string name, content;
    };
    std::vector<one_file> files_;

    /// Checks that each file can be written, before the first one is.
    void open_all(const std::filesystem::path& folder) const {
        std::vector<std::filesystem::path> written;
        for (const auto& file : files_) {
            const auto path = folder / file.name;
            std::error_code ignored;
            const bool is_new = !std::filesystem::exists(path, ignored);
            if (std::ofstream(path, std::ios::app)) {
                if (is_new) written.push_back(path);
                continue;
            }
            for (const auto& other : written) std::filesystem::remove(other, ignored);
            refuse_path(path, "a file that may be written");
        }
    }
};

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::written_files;
} // namespace ahead
