// SPDX-License-Identifier: MIT
// Reads NumPy's .npy, versions 1, 2 and 3: one tensor, little endian, C or Fortran order. No pickles, no structured
// dtypes. npy/print_npy.hpp writes version 1.
// Invariant: a file that is refused changes nothing but the diagnosis; nothing is read beyond the bytes given.
// Source: numpy.lib.format (NEP 1).
#pragma once
#include <ahead/io/npy/dtypes.hpp>
#include <ahead/io/npy/header.hpp>
#include <ahead/io/npy/print_npy.hpp>
#include <ahead/io/npy/row_major.hpp>

namespace AHEAD_NAMESPACE::io {

/// Reads a .npy file from memory as the tensor `name`, of any rank and of a dtype that io/npy/dtypes.hpp lists; Fortran
/// order is converted to C order. Refuses: file_is_malformed, header_is_oversized, file_is_truncated,
/// file_has_trailing_bytes, file_is_big_endian, weight_dtype_is_unknown, weight_is_not_boolean; then `out` is
/// unchanged.
inline bool read_npy(std::span<const std::byte> file, std::string name, weights_tensor& out, diagnosis& d) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    constexpr std::string_view magic = "\x93NUMPY";
    if (text.substr(0, magic.size()) != magic.substr(0, text.size()))
        return refuse_weight(d, fault::file_is_malformed, name, "a .npy file", kind_of_file(file));
    const auto byte_at = [&](std::size_t i) { return static_cast<std::uint32_t>(std::to_integer<unsigned>(file[i])); };
    const std::size_t length_at = magic.size() + 2;
    if (file.size() < length_at)
        return refuse_weight(d, fault::file_is_truncated, name, "at least 10 bytes", bytes_text(file.size()));
    const auto version = byte_at(magic.size());
    if (version < 1 || version > 3)
        return refuse_weight(d, fault::file_is_malformed, name, "format version 1, 2 or 3",
                             short_text() << static_cast<int>(version));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t header_at = length_at + length_bytes;
    if (file.size() < header_at)
        return refuse_weight(d, fault::file_is_truncated, name, short_text("at least ") << bytes_text(header_at).view(),
                             bytes_text(file.size()));
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length |= byte_at(length_at + i) << (8 * i);
    if (length > file.size() - header_at)
        return refuse_weight(d, fault::header_is_oversized, name,
                             short_text("at most ") << bytes_text(file.size() - header_at).view(), bytes_text(length));

    detail::npy_header header;
    if (!detail::npy_header_reader(text.substr(header_at, length), d, name).read(header)) return false;
    const auto* const known = detail::find_npy_dtype(header.descr);
    if (!known) {
        const bool big = header.descr.starts_with('>');
        return refuse_weight(d, big ? fault::file_is_big_endian : fault::weight_dtype_is_unknown, name,
                             "<f8 <f4 <f2 <c16 <c8 <i8 to <i2, |i1, <u8 to <u2, |u1 or |b1", short_text(header.descr));
    }

    auto data = file.subspan(header_at + length);
    const auto expected = byte_count(known->type, header.sizes);
    if (!expected) return refuse_weight(d, fault::file_is_malformed, name, "a shape of less than 2^63 bytes");
    if (data.size() != *expected)
        return refuse_weight(d, data.size() < *expected ? fault::file_is_truncated : fault::file_has_trailing_bytes,
                             name, short_text(bytes_text(*expected)) << " of data", bytes_text(data.size()));
    const aligned_memory reordered(header.fortran && header.sizes.size() > 1 ? data.size() : 0);
    if (reordered.get()) {
        detail::row_major_from_column_major(data, header.sizes, bytes_of(known->type), reordered.get());
        data = {reordered.get(), data.size()};
    }
    return weights_tensor::copy({std::move(name), known->type, std::move(header.sizes), data}, out, d);
}

/// The same for a file on disk; the tensor is named after the file without folder and extension: "fc1.weight" for
/// "digits/fc1.weight.npy". Also refuses file_is_unreadable. A diagnosis carries the file's name.
inline bool load_npy(const std::string& path, weights_tensor& out, diagnosis& d) {
    aligned_memory memory;
    std::span<const std::byte> file;
    if (!read_file(path, memory, file, d)) return false;
    diagnosis refused;
    auto name = path.substr(path.rfind('/') + 1);
    if (const auto dot = name.rfind('.'); dot != 0 && dot != name.npos) name.resize(dot);
    if (read_npy(file, std::move(name), out, refused)) return true;
    return refuse_weight(d, refused.what, file_text(path).view(), refused.expected, refused.found);
}

#if defined(__cpp_exceptions)
/// Overloads that throw `error` instead.
inline weights_tensor read_npy(std::span<const std::byte> file, std::string name) {
    diagnosis d;
    weights_tensor out;
    if (!read_npy(file, std::move(name), out, d)) raise(d);
    return out;
}
inline weights_tensor load_npy(const std::string& path) {
    diagnosis d;
    weights_tensor out;
    if (!load_npy(path, out, d)) raise(d);
    return out;
}
#endif

} // namespace ahead::io

namespace AHEAD_NAMESPACE {
using io::load_npy, io::read_npy;
} // namespace ahead
