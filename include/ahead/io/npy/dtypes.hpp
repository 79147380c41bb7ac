// SPDX-License-Identifier: MIT
// The names of dtypes in .npy files. Called by io/npy.hpp and print_npy.hpp.
#pragma once
#include <ahead/ir/type/dtype.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

struct npy_dtype {
    std::string_view descr;
    dtype type;
};
inline constexpr npy_dtype npy_dtypes[] = {
    {"|b1", dtype::b8},  {"|u1", dtype::u8},  {"|i1", dtype::i8},  {"<i2", dtype::i16},   {"<i4", dtype::i32},
    {"<i8", dtype::i64}, {"<u2", dtype::u16}, {"<u4", dtype::u32}, {"<u8", dtype::u64},   {"<f2", dtype::f16},
    {"<f4", dtype::f32}, {"<f8", dtype::f64}, {"<c8", dtype::c64}, {"<c16", dtype::c128},
};

/// The row of a descr, by its letter and size. '=' is the byte order of the machine that wrote the file and '|' means
/// that there is none; both are taken as native, as NumPy does when it reads; dtypes of one byte have no order. Null if
/// no row matches or the descr is big endian.
constexpr const npy_dtype* find_npy_dtype(std::string_view descr) {
    const bool is_ordered = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
    for (const auto& entry : npy_dtypes)
        if (is_ordered && entry.descr.substr(1) == descr.substr(1))
            return descr[0] != '>' || bytes_of(entry.type) == 1 ? &entry : nullptr;
    return nullptr;
}

} // namespace ahead::detail
