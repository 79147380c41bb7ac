// SPDX-License-Identifier: MIT
// A tensor of a file, seen: its name, dtype, sizes and bytes; and the words that readers of files use of it.
// Invariant: a view of bytes that others own. Called by ir/weights.hpp and the readers of files.
#pragma once
#include <ahead/core/aligned_memory.hpp>
#include <ahead/core/array_view.hpp>
#include <ahead/core/error.hpp>
#include <ahead/ir/type/dtype.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace AHEAD_NAMESPACE {

/// A tensor seen, not owned: valid as long as the weights or the weights_tensor it was read from.
struct tensor_bytes {
    std::string name;
    dtype type = dtype::f32;
    std::vector<std::int64_t> sizes;
    std::span<const std::byte> bytes;

#if defined(__cpp_exceptions)
    /// The elements in row-major order as T: float for f32, float16 for f16, std::uint8_t for u8, bool for b8, ...
    /// Throws weight_has_wrong_dtype for another T.
    template <class T>
        requires(std::is_arithmetic_v<T> || is_half<T>)
    std::span<const T> as() const;
#endif
};

/// "f32[2, 3]", as FX prints it.
[[gnu::cold]] inline short_text print(const tensor_bytes& t) {
    short_text out;
    out << facts_of(t.type).annotation << "[";
    for (std::size_t d = 0; d < t.sizes.size(); ++d) out << (d != 0 ? ", " : "") << t.sizes[d];
    return out << "]";
}

#if defined(__cpp_exceptions)
template <class T>
    requires(std::is_arithmetic_v<T> || is_half<T>)
std::span<const T> tensor_bytes::as() const {
    constexpr bool is_bool = std::is_same_v<T, bool>;
    const bool same_kind = is_floating(type) == (std::is_floating_point_v<T> || is_half<T>) &&
                           (type == dtype::b8) == is_bool &&
                           (type == dtype::u8 || type == dtype::b8 || is_only_moved(type)) == std::is_unsigned_v<T> &&
                           (type == dtype::bf16) == std::is_same_v<T, bfloat16>;
    if (bytes_of(type) == sizeof(T) && same_kind)
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    diagnosis d;
    d.name = std::string_view(name);
    const auto kind = is_bool                                     ? "bool"
                      : std::is_same_v<T, bfloat16>               ? "bfloat"
                      : std::is_floating_point_v<T> || is_half<T> ? "float"
                      : std::is_unsigned_v<T>                     ? "unsigned"
                                                                  : "int";
    refuse(d, fault::weight_has_wrong_dtype, short_text(kind) << 8 * sizeof(T) << ", as it is read", print(*this));
    raise(d);
}
#endif

/// The bytes of a tensor of these sizes; none where a size is negative, or where strides or bytes would pass 2^63 - 1.
/// A size of 0 counts as 1 against that bound, because it does in strides.
constexpr std::optional<std::uint64_t> byte_count(dtype type, array_view<const std::int64_t> sizes) {
    constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t bound = bytes_of(type);
    bool empty = false;
    for (auto size : sizes) {
        if (size < 0) return std::nullopt;
        empty |= size == 0;
        const auto factor = size == 0 ? 1 : static_cast<std::uint64_t>(size);
        if (bound > limit / factor) return std::nullopt;
        bound *= factor;
    }
    return empty ? 0 : bound;
}

/// "8 bytes", also for numbers that short_text cannot write.
constexpr short_text bytes_text(std::uint64_t bytes) {
    if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return "2^63 bytes or more";
    return short_text() << static_cast<std::int64_t>(bytes) << " bytes";
}

/// refuse(), with the name of the tensor or file concerned.
constexpr bool refuse_weight(diagnosis& d, fault what, std::string_view name, short_text expected = {},
                             short_text found = {}) {
    if (d.ok()) d.name = name;
    return refuse(d, what, expected, found);
}

} // namespace ahead
