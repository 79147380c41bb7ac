// SPDX-License-Identifier: MIT
// Converts the elements of a host tensor to and from raw bytes in the layout of the dtype. A separate header, because
// it converts every element type to every other one, which costs each compilation as much as a few hundred functions.
#pragma once
#include <ahead/reference/host_tensor.hpp>
#include <cstddef>
#include <span>

namespace AHEAD_NAMESPACE::interpreter {

/// Reads row-major elements of the dtype. pre: bytes.size() is the byte size of t.
inline void from_bytes(const tensor_type& t, std::span<const std::byte> bytes, host_tensor& out) {
    out = host_tensor(t);
    detail::with_element(t.type, [&](auto v) {
        for (std::int64_t i = 0; i < out.data.size(); ++i) {
            __builtin_memcpy(&v, bytes.data() + static_cast<std::size_t>(i) * sizeof v, sizeof v);
            out.data.put(i, v);
        }
    });
}

/// The inverse: writes element_count * bytes_of bytes in row-major order, for any strides.
inline void to_bytes(const host_tensor& t, std::span<std::byte> bytes) {
    auto* next = bytes.data();
    detail::with_element(t.type.type, [&](auto as) {
        for_each_index(sizes_of(t.type), [&](const int_list& at) {
            const auto v = t.get<decltype(as)>(at);
            __builtin_memcpy(next, &v, sizeof v);
            next += sizeof v;
        });
    });
}

} // namespace ahead::interpreter
