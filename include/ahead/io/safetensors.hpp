// SPDX-License-Identifier: MIT
// Reads .safetensors: eight bytes of header length, a JSON header, the data. Every byte of the data belongs to exactly
// one tensor.
// Invariant: a file that is refused changes nothing but the diagnosis; nothing is read beyond the bytes given.
// Source: the format's description at huggingface.co/docs/safetensors.
#pragma once
#include <ahead/io/safetensors/header.hpp>

namespace AHEAD_NAMESPACE::io {

inline constexpr std::uint64_t longest_safetensors_header = 100'000'000; // bytes

} // namespace ahead::io
namespace AHEAD_NAMESPACE::detail {

/// How a tensor is added: copied, or viewed in place.
using take_tensor = bool(tensor_bytes t, weights_tensor& out, diagnosis& d);

/// `memory` owns the bytes of `file` if `out` is to take them over; otherwise it is empty.
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

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::io {

/// Reads a .safetensors file from memory and adds its tensors to `out`, in the order of the header. The dtypes are
/// those that io/safetensors/entry.hpp lists; tensors of dtypes that it cannot read, such as F4, are added by name only
/// (weights::unread) and refused if a program asks for one. Refuses: file_is_truncated, header_is_oversized,
/// file_is_malformed, weight_dtype_is_unknown, offsets_are_invalid (not integers, reversed, not of the shape's size,
/// outside the data), tensors_overlap, tensors_leave_a_hole, file_has_trailing_bytes, weight_is_defined_twice (also if
/// `out` has it), weight_is_not_boolean; then `out` is unchanged.
inline bool read_safetensors(std::span<const std::byte> file, weights& out, diagnosis& d) {
    return detail::take_safetensors(file, weights_tensor::copy, {}, out, d);
}

/// The same without a copy: the tensors are views of `file`, which must outlive `out` and not change. Only a tensor
/// that is misaligned for its elements is copied; files of the safetensors library are aligned if `file` begins at a
/// multiple of 8.
inline bool view_safetensors(std::span<const std::byte> file, weights& out, diagnosis& d) {
    return detail::take_safetensors(file, weights_tensor::see, {}, out, d);
}

/// The same for a file on disk, which is mapped if the system can (see map_file for what must not happen to it
/// meanwhile) and read otherwise: `out` owns the memory, and its tensors are views of it. Refuses what read_safetensors
/// refuses, and file_is_unreadable. The diagnosis names the tensor, or the file if the fault concerns the whole file.
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
/// Overloads that throw `error` instead.
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

} // namespace ahead::io

namespace AHEAD_NAMESPACE {
using io::load_safetensors, io::read_safetensors, io::view_safetensors;
} // namespace ahead
