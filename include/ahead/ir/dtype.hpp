// SPDX-License-Identifier: MIT
// The element types of tensors, spelled as FX prints them in annotations ("f32[2, 3]").
// Invariant: f32, f64, i64, i32 and bool run; the others are known to the type system only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ahead {

enum class dtype : std::uint8_t { b8, u8, i8, i16, i32, i64, f16, bf16, f32, f64 };

/// Categories in PyTorch's order of promotion: a higher category wins over a lower one.
enum class dtype_category : std::uint8_t { boolean, integral, floating };

struct dtype_facts {
    dtype type;
    std::string_view annotation; // as in "f32[2, 3]"
    std::string_view torch;      // as in torch.float32
    std::size_t bytes;
    dtype_category category;
    bool runs; // kernels and the reference execute it
};

inline constexpr dtype_facts dtype_table[] = {
    {dtype::b8, "b8", "torch.bool", 1, dtype_category::boolean, true},
    {dtype::u8, "u8", "torch.uint8", 1, dtype_category::integral, false},
    {dtype::i8, "i8", "torch.int8", 1, dtype_category::integral, false},
    {dtype::i16, "i16", "torch.int16", 2, dtype_category::integral, false},
    {dtype::i32, "i32", "torch.int32", 4, dtype_category::integral, true},
    {dtype::i64, "i64", "torch.int64", 8, dtype_category::integral, true},
    {dtype::f16, "f16", "torch.float16", 2, dtype_category::floating, false},
    {dtype::bf16, "bf16", "torch.bfloat16", 2, dtype_category::floating, false},
    {dtype::f32, "f32", "torch.float32", 4, dtype_category::floating, true},
    {dtype::f64, "f64", "torch.float64", 8, dtype_category::floating, true},
};

constexpr const dtype_facts& facts_of(dtype type) { return dtype_table[static_cast<std::size_t>(type)]; }
constexpr std::size_t bytes_of(dtype type) { return facts_of(type).bytes; }
constexpr bool is_floating(dtype type) { return facts_of(type).category == dtype_category::floating; }

/// The dtype that FX spells `name`, as an annotation ("f32") or as torch does ("torch.float32", "torch.float").
constexpr std::optional<dtype> dtype_named(std::string_view name) {
    for (const auto& facts : dtype_table)
        if (facts.annotation == name || facts.torch == name) return facts.type;
    if (name == "torch.float") return dtype::f32;
    if (name == "torch.double") return dtype::f64;
    if (name == "torch.half") return dtype::f16;
    if (name == "torch.long") return dtype::i64;
    if (name == "torch.int") return dtype::i32;
    return std::nullopt;
}

/// torch.promote_types: the smallest dtype both convert to. Source: c10/core/ScalarType.h.
/// u8 with a signed type widens to the next signed type; f16 with bf16 gives f32.
constexpr dtype promote(dtype a, dtype b) {
    if (a == b) return a;
    if (facts_of(a).category != facts_of(b).category) return facts_of(a).category > facts_of(b).category ? a : b;
    if (is_floating(a)) {
        const bool mixed_halves = (a == dtype::f16 && b == dtype::bf16) || (a == dtype::bf16 && b == dtype::f16);
        return mixed_halves ? dtype::f32 : (a > b ? a : b);
    }
    if ((a == dtype::u8 && b == dtype::i8) || (a == dtype::i8 && b == dtype::u8)) return dtype::i16;
    return a > b ? a : b;
}

/// The C++ type that holds one element on host and device; only dtypes that run have one.
template <dtype Type> struct element;
template <> struct element<dtype::b8> { using type = bool; };
template <> struct element<dtype::i32> { using type = std::int32_t; };
template <> struct element<dtype::i64> { using type = std::int64_t; };
template <> struct element<dtype::f32> { using type = float; };
template <> struct element<dtype::f64> { using type = double; };
template <dtype Type> using element_t = typename element<Type>::type;

} // namespace ahead
