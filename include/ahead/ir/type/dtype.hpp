// SPDX-License-Identifier: MIT
// The element types of tensors, spelled as FX prints them in annotations ("f32[2, 3]").
// Invariant: elements of all dtypes can be moved unchanged. Arithmetic is done in f32, f64, i64, i32 and bool; f16 and
// bf16 are computed in f32 and rounded after every operator; small integers are computed in i64 and wrapped after every
// operator; u16, u32, u64 and the f8 are only moved and converted; c64 and c128 are moved, and computed in c128 by the
// operators that declare support for them (effects::takes_complex).
#pragma once
#include <ahead/core/float8.hpp>
#include <ahead/core/math/complex.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace AHEAD_NAMESPACE::ir {

enum class dtype : std::uint8_t {
    b8,
    u8,
    i8,
    i16,
    i32,
    i64,
    u16,
    u32,
    u64,
    f8_e4m3,
    f8_e5m2,
    f16,
    bf16,
    f32,
    f64,
    c64,
    c128
};

/// Categories in PyTorch's order of promotion: a higher category wins over a lower one.
enum class dtype_category : std::uint8_t { boolean, integral, floating, complex };

struct dtype_facts {
    dtype type;
    std::string_view annotation; // as in "f32[2, 3]"
    std::string_view torch;      // as in torch.float32
    std::size_t bytes;
    dtype_category category;
    bool has_kernels; // kernels of every operator compute in this dtype
};

inline constexpr dtype_facts dtype_table[] = {
    {dtype::b8, "b8", "torch.bool", 1, dtype_category::boolean, true},
    {dtype::u8, "u8", "torch.uint8", 1, dtype_category::integral, false},
    {dtype::i8, "i8", "torch.int8", 1, dtype_category::integral, false},
    {dtype::i16, "i16", "torch.int16", 2, dtype_category::integral, false},
    {dtype::i32, "i32", "torch.int32", 4, dtype_category::integral, true},
    {dtype::i64, "i64", "torch.int64", 8, dtype_category::integral, true},
    {dtype::u16, "u16", "torch.uint16", 2, dtype_category::integral, false},
    {dtype::u32, "u32", "torch.uint32", 4, dtype_category::integral, false},
    {dtype::u64, "u64", "torch.uint64", 8, dtype_category::integral, false},
    {dtype::f8_e4m3, "f8e4m3fn", "torch.float8_e4m3fn", 1, dtype_category::floating, false},
    {dtype::f8_e5m2, "f8e5m2", "torch.float8_e5m2", 1, dtype_category::floating, false},
    {dtype::f16, "f16", "torch.float16", 2, dtype_category::floating, false},
    {dtype::bf16, "bf16", "torch.bfloat16", 2, dtype_category::floating, false},
    {dtype::f32, "f32", "torch.float32", 4, dtype_category::floating, true},
    {dtype::f64, "f64", "torch.float64", 8, dtype_category::floating, true},
    {dtype::c64, "c64", "torch.complex64", 8, dtype_category::complex, false},
    {dtype::c128, "c128", "torch.complex128", 16, dtype_category::complex, false},
};

static_assert([] {
    for (std::size_t i = 0; i < std::size(dtype_table); ++i)
        if (dtype_table[i].type != static_cast<dtype>(i)) return false;
    return std::size(dtype_table) == static_cast<std::size_t>(dtype::c128) + 1;
}());

constexpr const dtype_facts& facts_of(dtype type) { return dtype_table[static_cast<std::size_t>(type)]; }
constexpr std::size_t bytes_of(dtype type) { return facts_of(type).bytes; }
/// The number of bytes of `elements` elements.
constexpr std::int64_t bytes_of(dtype type, std::int64_t elements) {
    return elements * static_cast<std::int64_t>(facts_of(type).bytes);
}
constexpr bool is_floating(dtype type) { return facts_of(type).category == dtype_category::floating; }
constexpr bool is_complex(dtype type) { return type >= dtype::c64; }
/// Whether the dtype has numbers between 0 and 1.
constexpr bool has_fractions(dtype type) { return facts_of(type).category >= dtype_category::floating; }
/// The dtype of a complex number's parts; of_parts is the complex dtype with parts of a given dtype.
constexpr dtype part_of(dtype type) { return type == dtype::c128 ? dtype::f64 : dtype::f32; }
constexpr dtype of_parts(dtype type) { return type == dtype::f64 ? dtype::c128 : dtype::c64; }
constexpr bool has_kernels(dtype type) { return facts_of(type).has_kernels; }
constexpr bool is_half(dtype type) { return type == dtype::f16 || type == dtype::bf16; }
constexpr bool is_f8(dtype type) { return type == dtype::f8_e4m3 || type == dtype::f8_e5m2; }
/// Whether elements are only moved and converted: PyTorch has hardly any operator for these dtypes, promotes u16, u32
/// and u64 with no integer, and the f8 with nothing.
constexpr bool is_only_moved(dtype type) { return type >= dtype::u16 && type <= dtype::f8_e5m2; }
/// The dtype, with kernels except c128, in which an operator computes the values.
constexpr dtype computed_as(dtype type) {
    return has_kernels(type) ? type : is_floating(type) ? dtype::f32 : is_complex(type) ? dtype::c128 : dtype::i64;
}
/// The dtype whose copy kernels are used: dtypes without kernels share those of a dtype of the same size.
constexpr dtype moved_as(dtype type) {
    if (has_kernels(type)) return type;
    const auto bytes = bytes_of(type);
    return bytes == 1 ? dtype::u8 : bytes == 2 ? dtype::i16 : bytes == 4 ? dtype::i32 : bytes == 8 ? dtype::i64 : type;
}

/// The dtype that FX spells `name`, as an annotation ("f32") or as torch does ("torch.float32", "torch.float").
constexpr std::optional<dtype> dtype_named(std::string_view name) {
    for (const auto& facts : dtype_table)
        if (facts.annotation == name || facts.torch == name) return facts.type;
    if (name == "torch.float") return dtype::f32;
    if (name == "torch.double") return dtype::f64;
    if (name == "torch.half") return dtype::f16;
    if (name == "torch.long") return dtype::i64;
    if (name == "torch.int") return dtype::i32;
    if (name == "torch.cfloat") return dtype::c64;
    if (name == "torch.cdouble") return dtype::c128;
    return std::nullopt;
}

/// torch.promote_types: the smallest dtype both convert to. Source: c10/core/ScalarType.h.
/// u8 with a signed type widens to the next signed type; f16 with bf16 gives f32. PyTorch does not promote u16, u32 and
/// u64 with another integer, nor the f8 with any dtype: here they win, and operators that compute in the result refuse
/// it (ir/check_dtypes.hpp).
constexpr dtype promote(dtype a, dtype b) {
    if (a == b || is_f8(a)) return a;
    if (is_f8(b)) return b;
    if ((a == dtype::c64 && b == dtype::f64) || (a == dtype::f64 && b == dtype::c64)) return dtype::c128;
    if (facts_of(a).category != facts_of(b).category) return facts_of(a).category > facts_of(b).category ? a : b;
    if (is_floating(a)) {
        const bool mixed_halves = (a == dtype::f16 && b == dtype::bf16) || (a == dtype::bf16 && b == dtype::f16);
        return mixed_halves ? dtype::f32 : (a > b ? a : b);
    }
    if ((a == dtype::u8 && b == dtype::i8) || (a == dtype::i8 && b == dtype::u8)) return dtype::i16;
    return a > b ? a : b;
}

/// The C++ type that holds one element on host and device.
template <dtype Type> struct element;
template <> struct element<dtype::b8> {
    using type = bool;
};
template <> struct element<dtype::u8> {
    using type = std::uint8_t;
};
template <> struct element<dtype::i8> {
    using type = std::int8_t;
};
template <> struct element<dtype::i16> {
    using type = std::int16_t;
};
template <> struct element<dtype::u16> {
    using type = std::uint16_t;
};
template <> struct element<dtype::u32> {
    using type = std::uint32_t;
};
template <> struct element<dtype::u64> {
    using type = std::uint64_t;
};
template <> struct element<dtype::f8_e4m3> {
    using type = float8_e4m3;
};
template <> struct element<dtype::f8_e5m2> {
    using type = float8_e5m2;
};
template <> struct element<dtype::f16> {
    using type = float16;
};
template <> struct element<dtype::bf16> {
    using type = bfloat16;
};
template <> struct element<dtype::i32> {
    using type = std::int32_t;
};
template <> struct element<dtype::i64> {
    using type = std::int64_t;
};
template <> struct element<dtype::f32> {
    using type = float;
};
template <> struct element<dtype::f64> {
    using type = double;
};
template <> struct element<dtype::c64> {
    using type = complex64;
};
template <> struct element<dtype::c128> {
    using type = complex128;
};
template <dtype Type> using element_t = typename element<Type>::type;

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::dtype, ir::element_t;
} // namespace ahead
