// SPDX-License-Identifier: MIT
// Reads .safetensors: eight bytes of header length, a JSON header, the data. Every byte of the data belongs to exactly
// one tensor.
// Invariant: a file that is refused changes nothing but the diagnosis; nothing is read beyond the bytes given.
// Source: the format's description at huggingface.co/docs/safetensors.
#pragma once
#include <ahead/io/safetensors/header.hpp>

namespace AHEAD_NAMESPACE {

inline constexpr std::uint64_t longest_safetensors_header = 100'000'000; // bytes

namespace detail {

/// How a tensor is added: copied, or seen where it lies.
using take_tensor = bool(tensor_bytes t, weights_tensor& out, diagnosis& d);

/// `memory` is what `file` lies in where that is the set's from now on.
inline bool take_safetensors(std::span<const std::byte> file, take_tensor* take, aligned_memory&& memory, weights& out,
                             diagnosis& d) {
    constexpr std::size_t length_bytes = 8;
    if (file.size() < length_bytes)
        return refuse(d, fault::file_is_truncated, "at least 8 bytes", bytes_text(file.size()));
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
    const auto longest = file.size() - length_bytes < longest_safetensors_header ? file.size() - length_bytes
                                                                                 : longest_safetensors_header;
    if (length > file.size() - length_bytes && file.size() > length_bytes && file[length_bytes] != std::byte{'{'})
        return refuse(d, fault::file_is_malformed, "a .safetensors file", kind_of_file(file));
    if (length > longest)
        return refuse(d, fault::header_is_oversized, short_text("a header of at most ") << bytes_text(longest).view(),
                      bytes_text(length));
    const auto header = file.subspan(length_bytes, static_cast<std::size_t>(length));
    const auto data = file.subspan(length_bytes + header.size());

    std::vector<safetensors_entry> entries;
    if (!read_safetensors_header({reinterpret_cast<const char*>(header.data()), header.size()}, entries, d))
        return false;
    if (!verify_tiling(entries, data.size(), d)) return false;
    weights read;
    for (auto& entry : entries) {
        const auto bytes =
            data.subspan(static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(entry.end - entry.begin));
        if (!entry.unread.empty()) {
            if (!read.add_unread(std::move(entry.name), std::string(entry.unread), d)) return false;
            continue;
        }
        weights_tensor tensor;
        if (!take({std::move(entry.name), entry.type, std::move(entry.sizes), bytes}, tensor, d) ||
            !read.add(std::move(tensor), d))
            return false;
    }
    read.keep(std::move(memory));
    return out.merge(std::move(read), d);
}

} // namespace detail

/// Reads a .safetensors file from memory and adds its tensors to `out`, in the order of the header, of dtypes that
/// io/safetensors/entry.hpp lists; those that nobody can read, F4 and its kin, are there by name (weights::unread), and
/// refused where a program asks for one. Refuses: file_is_truncated, header_is_oversized, file_is_malformed,
/// weight_dtype_is_unknown, offsets_are_invalid (not integers, reversed, not of the shape's size, outside the data),
/// tensors_overlap, tensors_leave_a_hole, file_has_trailing_bytes, weight_is_defined_twice (also: by `out`),
/// weight_is_not_boolean; nothing in `out` changes then.
inline bool read_safetensors(std::span<const std::byte> file, weights& out, diagnosis& d) {
    return detail::take_safetensors(file, weights_tensor::copy, {}, out, d);
}

/// The same without a copy: the tensors are seen in `file`, which must be there, unchanged, as long as `out`. One that
/// is not aligned there as its elements are to be is copied, alone; what the safetensors library writes is aligned
/// where `file` begins at a multiple of 8.
inline bool view_safetensors(std::span<const std::byte> file, weights& out, diagnosis& d) {
    return detail::take_safetensors(file, weights_tensor::see, {}, out, d);
}

/// The same for a file, which the system maps where it can (map_file, which says what must not happen to it meanwhile)
/// and is otherwise read: `out` owns the one memory of it, which its tensors are seen in. Refuses what read_safetensors
/// refuses, and file_is_unreadable. A fault of the file as a whole carries the file's name, one of a tensor the
/// tensor's.
inline bool load_safetensors(const std::string& path, weights& out, diagnosis& d) {
    aligned_memory memory;
    std::span<const std::byte> file;
    if (!map_file(path, memory, file, d)) return false;
    diagnosis refused;
    if (detail::take_safetensors(file, weights_tensor::see, std::move(memory), out, refused)) return true;
    return refuse_weight(d, refused.what, (refused.name.length != 0 ? refused.name : file_text(path)).view(),
                         refused.expected, refused.found);
}

#if defined(__cpp_exceptions)
/// The forms that throw `error` instead.
inline weights read_safetensors(std::span<const std::byte> file) {
    diagnosis d;
    weights out;
    if (!read_safetensors(file, out, d)) raise(d);
    return out;
}
inline weights view_safetensors(std::span<const std::byte> file) {
    diagnosis d;
    weights out;
    if (!view_safetensors(file, out, d)) raise(d);
    return out;
}
inline weights load_safetensors(const std::string& path) {
    diagnosis d;
    weights out;
    if (!load_safetensors(path, out, d)) raise(d);
    return out;
}
#endif

} // namespace ahead
