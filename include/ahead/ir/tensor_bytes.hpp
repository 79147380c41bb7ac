// SPDX-License-Identifier: MIT
// A non-owning view of a tensor in a file: its name, dtype, sizes and bytes; and text for the errors of file readers.
// Invariant: a view of bytes with another owner. Called by ir/weights.hpp and the readers of files.
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

namespace AHEAD_NAMESPACE::ir {

/// A tensor view: valid as long as the weights or the weights_tensor it was read from.
struct tensor_bytes {
    std::string name;
    dtype type = dtype::f32;
    std::vector<std::int64_t> sizes;
    std::span<const std::byte> bytes;

#if defined(__cpp_exceptions)
    /// The elements in row-major order as T: float for f32, float16 for f16, std::uint8_t for u8, bool for b8,
    /// complex64 for c64, ...
    /// Throws weight_has_wrong_dtype for another T.
    template <class T>
        requires(std::is_arithmetic_v<T> || is_small_float<T> || is_complex_number<T>)
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

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// The dtype name of element type T: "float32".
template <class T> constexpr short_text element_name() {
    if (std::is_same_v<T, bfloat16>) return "bfloat16";
    if (std::is_same_v<T, float8_e4m3>) return "float8_e4m3";
    if (std::is_same_v<T, float8_e5m2>) return "float8_e5m2";
    const auto kind = is_complex_number<T>                               ? "complex"
                      : std::is_same_v<T, bool>                          ? "bool"
                      : std::is_floating_point_v<T> || is_small_float<T> ? "float"
                      : std::is_unsigned_v<T>                            ? "unsigned"
                                                                         : "int";
    return short_text(kind) << 8 * sizeof(T);
}
/// Whether T is the element type of a dtype.
template <class T> constexpr bool holds(dtype type) {
    if constexpr (is_small_float<T>)
        return (type == dtype::f16 && std::is_same_v<T, float16>) ||
               (type == dtype::bf16 && std::is_same_v<T, bfloat16>) ||
               (type == dtype::f8_e4m3 && std::is_same_v<T, float8_e4m3>) ||
               (type == dtype::f8_e5m2 && std::is_same_v<T, float8_e5m2>);
    else if constexpr (is_complex_number<T>) return is_complex(type) && bytes_of(type) == sizeof(T);
    const bool is_unsigned = type <= dtype::u8 || (type >= dtype::u16 && type <= dtype::u64);
    return bytes_of(type) == sizeof(T) && (type == dtype::b8) == std::is_same_v<T, bool> &&
           is_unsigned == std::is_unsigned_v<T> && is_floating(type) == std::is_floating_point_v<T> &&
           !is_complex(type);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

template <class T>
    requires(std::is_arithmetic_v<T> || is_small_float<T> || is_complex_number<T>)
std::span<const T> tensor_bytes::as() const {
    if (detail::holds<T>(type)) return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    diagnosis d;
    d.name = std::string_view(name);
    refuse(d, fault::weight_has_wrong_dtype, detail::element_name<T>() << ", as it is read", print(*this));
    raise(d);
}
#endif

/// The number of bytes of a tensor of these sizes; none if a size is negative, or if strides or bytes would exceed 2^63
/// - 1. A size of 0 counts as 1 against that bound, because it does in strides.
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
constexpr bool refuse_weight(diagnosis& d, fault what, std::string_view name, const short_text& expected = {},
                             const short_text& found = {}) {
    if (d.ok()) d.name = name;
    return refuse(d, what, expected, found);
}

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::print;
} // namespace ahead
