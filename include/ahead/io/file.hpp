// SPDX-License-Identifier: MIT
// The common parts of file readers: loads a whole file into memory (read or mapped), guesses its kind, and parses
// natural numbers.
// Invariant: if a file cannot be read, the diagnosis is file_is_unreadable and nothing else has changed. Called by
// npy.hpp, safetensors.hpp, dump_steps.hpp.
#pragma once
#include <ahead/ir/weights.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace AHEAD_NAMESPACE::io {

/// Parses the number from 0 to 2^63 - 1 at the start of `text`. Returns its number of digits; 0 without a number, or if
/// it is larger.
constexpr std::size_t read_natural(std::string_view text, std::int64_t& out) {
    constexpr auto limit = std::numeric_limits<std::int64_t>::max();
    std::int64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
        const int digit = text[digits] - '0';
        if (number > (limit - digit) / 10) return 0;
        number = number * 10 + digit;
    }
    out = number;
    return digits;
}

/// The file's name for a diagnosis: the path as given, or only its last component if the path is too long.
inline short_text file_text(std::string_view path) {
    return path.size() <= 127 ? path : path.substr(path.rfind('/') + 1);
}

/// The kind of a file that does not begin with the expected magic.
constexpr std::string_view kind_of_file(std::span<const std::byte> file) {
    constexpr std::pair<std::string_view, std::string_view> kinds[] = {
        {"\x93NUMPY", "a .npy file"},
        {"PK\x03\x04", "a zip archive, as torch.save and numpy.savez write"},
        {"\x80\x02", "a Python pickle"},
        {"version https://git-lfs", "a Git LFS pointer"},
        {"\x89HDF", "an HDF5 file"}};
    for (const auto& [magic, kind] : kinds) {
        bool same = file.size() >= magic.size();
        for (std::size_t i = 0; same && i < magic.size(); ++i) same = static_cast<char>(file[i]) == magic[i];
        if (same) return kind;
    }
    return file.size() > 8 && static_cast<char>(file[8]) == '{' ? "a .safetensors file" : "another file";
}

} // namespace ahead::io
namespace AHEAD_NAMESPACE::detail {

struct open_file {
    std::FILE* stream;
    explicit open_file(const std::string& path) : stream(std::fopen(path.c_str(), "rb")) {}
    open_file(const open_file&) = delete;
    ~open_file() {
        if (stream) std::fclose(stream);
    }
    /// As far as the system can tell: 0 for a pipe, any value for a folder.
    std::size_t size() const {
        const auto end = std::fseek(stream, 0, SEEK_END) == 0 ? std::ftell(stream) : 0;
        std::rewind(stream);
        return end > 0 ? static_cast<std::size_t>(end) : 0;
    }
};
inline bool refuse_file(const std::string& path, diagnosis& d) {
    return refuse_weight(d, fault::file_is_unreadable, file_text(path).view(), "a file that may be read",
                         std::strerror(errno));
}

inline bool read_stream(const open_file& file, const std::string& path, aligned_memory& memory,
                        std::span<const std::byte>& out, diagnosis& d) {
    const auto told = file.size();
    std::size_t room = 1 << 16, size = 0;
    aligned_memory read(room);
    while (true) {
        size += std::fread(read.get() + size, 1, room - size, file.stream);
        if (std::ferror(file.stream)) return refuse_file(path, d);
        if (size < room) break;
        room = room <= told ? told + 1 : 2 * room; // trust the size only once the file has delivered bytes
        aligned_memory larger(room);
        std::memcpy(larger.get(), read.get(), size);
        read = std::move(larger);
    }
    memory = std::move(read);
    out = {memory.get(), size};
    return true;
}
/// Maps the file; false if the system cannot. Pages are read when they are first touched.
inline bool map_stream([[maybe_unused]] const open_file& file, [[maybe_unused]] aligned_memory& memory,
                       [[maybe_unused]] std::span<const std::byte>& out) {
#if __has_include(<sys/mman.h>)
    const auto size = file.size();
    auto* mapped = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, ::fileno(file.stream), 0);
    if (mapped == MAP_FAILED) return false;
    auto* first = static_cast<std::byte*>(mapped);
    memory = aligned_memory(first, size, [](std::byte* begin, std::size_t bytes) { ::munmap(begin, bytes); });
    out = {first, size};
    return true;
#else
    return false;
#endif
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::io {

/// Reads the whole file into `memory`. Refuses anything but a readable file: file_is_unreadable.
inline bool read_file(const std::string& path, aligned_memory& memory, std::span<const std::byte>& out, diagnosis& d) {
    const detail::open_file file(path);
    return file.stream ? detail::read_stream(file, path, memory, out, d) : detail::refuse_file(path, d);
}
/// The same, but maps the file read-only if the system can, and reads it otherwise. A mapped file is read only when
/// touched: writes of other processes to the file while `memory` lives may become visible, and if the file is truncated
/// or the disk fails, the first touch terminates the program.
inline bool map_file(const std::string& path, aligned_memory& memory, std::span<const std::byte>& out, diagnosis& d) {
    const detail::open_file file(path);
    if (!file.stream) return detail::refuse_file(path, d);
    return detail::map_stream(file, memory, out) || detail::read_stream(file, path, memory, out, d);
}

} // namespace ahead::io
