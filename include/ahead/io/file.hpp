// SPDX-License-Identifier: MIT
// What every reader of a file begins with: the whole file in memory, read or mapped, what it seems to be, and numbers
// and sizes in its words.
// Invariant: a file that cannot be read is a diagnosis, file_is_unreadable, and then nothing has changed. Called by
// npy.hpp, safetensors.hpp, dump_steps.hpp.
#pragma once
#include <ahead/ir/weights.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace AHEAD_NAMESPACE {

/// The number from 0 to 2^63 - 1 that `text` begins with. Returns its digits; 0 where there is none, or a larger one.
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

/// The file's name for a diagnosis: the path as given, or its last part where that is all that fits.
inline short_text file_text(std::string_view path) {
    return path.size() <= 127 ? path : path.substr(path.rfind('/') + 1);
}

/// What a file is that does not begin as the reader wants.
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

namespace detail {

struct open_file {
    std::FILE* stream;
    explicit open_file(const std::string& path) : stream(std::fopen(path.c_str(), "rb")) {}
    open_file(const open_file&) = delete;
    ~open_file() {
        if (stream) std::fclose(stream);
    }
    /// As far as it can be told: 0 for a pipe, and anything for a folder.
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
        room = room <= told ? told + 1 : 2 * room; // believed of what has begun to give bytes
        aligned_memory larger(room);
        std::memcpy(larger.get(), read.get(), size);
        read = std::move(larger);
    }
    memory = std::move(read);
    out = {memory.get(), size};
    return true;
}
/// Where the system maps files, and this one. The pages are read when they are first touched.
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

} // namespace detail

/// The whole file, read into `memory`. Refuses what is no file or cannot be read: file_is_unreadable.
inline bool read_file(const std::string& path, aligned_memory& memory, std::span<const std::byte>& out, diagnosis& d) {
    const detail::open_file file(path);
    return file.stream ? detail::read_stream(file, path, memory, out, d) : detail::refuse_file(path, d);
}
/// The same, mapped read-only where the system can, and otherwise read. Mapped, nothing is read yet: what others write
/// into the file while `memory` is there may be seen, and what they cut off, or a disk that fails, ends the program at
/// the first touch.
inline bool map_file(const std::string& path, aligned_memory& memory, std::span<const std::byte>& out, diagnosis& d) {
    const detail::open_file file(path);
    if (!file.stream) return detail::refuse_file(path, d);
    return detail::map_stream(file, memory, out) || detail::read_stream(file, path, memory, out, d);
}

} // namespace ahead
