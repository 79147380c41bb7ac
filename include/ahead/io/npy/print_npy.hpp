// SPDX-License-Identifier: MIT
// Writes NumPy's .npy, version 1: one tensor, little endian, C order.
// Invariant: read_npy reads its output. Called by dump_data.hpp. Source: numpy.lib.format (NEP 1).
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/io/npy/dtypes.hpp>
#include <cstddef>
#include <span>
#include <string>

namespace AHEAD_NAMESPACE::io {

/// Appends the file that NumPy's save writes for row-major elements, version 1.0. Refuses weight_dtype_is_unknown: bf16
/// has no descr.
/// pre: bytes.size() is the byte size of type and sizes, and the header fits in 64 KiB.
inline bool print_npy(dtype type, std::span<const std::int64_t> sizes, std::span<const std::byte> bytes,
                      std::string& out, diagnosis& d) {
    std::string_view descr;
    for (const auto& entry : detail::npy_dtypes)
        if (entry.type == type) descr = entry.descr;
    if (descr.empty())
        return refuse(d, fault::weight_dtype_is_unknown, "a dtype that .npy files have", facts_of(type).annotation);
    std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
    for (std::size_t k = 0; k < sizes.size(); ++k) header += (k > 0 ? ", " : "") + std::to_string(sizes[k]);
    header += sizes.size() == 1 ? ",), }" : "), }";
    constexpr std::size_t before = 10, multiple = 64; // bytes before the header; the elements begin at a multiple
    header.append(multiple - 1 - (before + header.size()) % multiple, ' ');
    header += '\n';
    out.append("\x93NUMPY\x01", 7);
    out += '\0';
    out += static_cast<char>(header.size() % 256);
    out += static_cast<char>(header.size() / 256);
    out += header;
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
}

} // namespace ahead::io
