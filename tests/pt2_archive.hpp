// SPDX-License-Identifier: MIT
// Writes zip archives of stored entries, and .pt2 archives, for the tests of their readers.
#pragma once
#include <ahead/io/zip.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace test {

struct stored_file {
    std::string name, data;
    std::uint16_t flags = 0, method = 0;
};

/// has_zip64: the end of the directory also as zip64's record, as PyTorch writes it.
inline std::string zip_of(const std::vector<stored_file>& files, bool has_zip64 = true) {
    std::string out, directory;
    const auto put = [](std::string& to, std::uint64_t number, int bytes) {
        for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i) & 0xFF);
    };
    for (const auto& f : files) {
        const auto offset = out.size();
        const auto crc = ahead::detail::crc32_of(f.data);
        const auto common = [&](std::string& to) {
            put(to, f.flags, 2), put(to, f.method, 2), put(to, 0, 4), put(to, crc, 4);
            put(to, f.data.size(), 4), put(to, f.data.size(), 4), put(to, f.name.size(), 2);
        };
        out += "PK\3\4";
        put(out, 20, 2), common(out), put(out, 0, 2);
        out += f.name + f.data;
        directory += "PK\1\2";
        put(directory, 20, 2), put(directory, 20, 2), common(directory), put(directory, 0, 12), put(directory, offset, 4);
        directory += f.name;
    }
    const auto begin = out.size(), end = begin + directory.size();
    out += directory;
    if (has_zip64) {
        out += "PK\6\6";
        put(out, 44, 8), put(out, 45, 2), put(out, 45, 2), put(out, 0, 8), put(out, files.size(), 8), put(out, files.size(), 8);
        put(out, directory.size(), 8), put(out, begin, 8);
        out += "PK\6\7";
        put(out, 0, 4), put(out, end, 8), put(out, 1, 4);
    }
    out += "PK\5\6";
    put(out, 0, 4), put(out, files.size(), 2), put(out, files.size(), 2), put(out, directory.size(), 4), put(out, begin, 4), put(out, 0, 2);
    return out;
}

} // namespace test
