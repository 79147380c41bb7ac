// SPDX-License-Identifier: MIT
// Copies the elements of a strided tensor in row-major order. Called by io/npy.hpp, io/pt2_archive.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <cstring>
#include <span>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// post: element (i0, i1, ...) of `out`, in row-major order, is the one at from + i0 * steps[0] + i1 * steps[1] + ...
/// steps: in bytes. item: bytes of an element. out: of as many elements as `sizes` says
inline void copy_row_major(const std::byte* from, const std::vector<std::int64_t>& sizes,
                           const std::vector<std::int64_t>& steps, std::size_t item, std::span<std::byte> out) {
    const auto rank = static_cast<std::int64_t>(sizes.size());
    fixed_buffer<std::int64_t> index(rank);
    std::int64_t at = 0;
    for (std::size_t to = 0; to < out.size(); to += item) {
        std::memcpy(out.data() + to, from + at, item);
        for (auto dim = rank; dim-- > 0;) {
            const auto step = steps[static_cast<std::size_t>(dim)];
            at += step;
            if (++index[dim] != sizes[static_cast<std::size_t>(dim)]) break;
            at -= step * index[dim];
            index[dim] = 0;
        }
    }
}

/// The same of `bytes` in column-major order. post: out has as many bytes
inline void row_major_from_column_major(std::span<const std::byte> bytes, const std::vector<std::int64_t>& sizes,
                                        std::size_t item, std::byte* out) {
    std::vector<std::int64_t> steps;
    auto step = static_cast<std::int64_t>(item);
    for (const auto size : sizes) {
        steps.push_back(step);
        step *= size;
    }
    copy_row_major(bytes.data(), sizes, steps, item, {out, bytes.size()});
}

} // namespace ahead::detail
