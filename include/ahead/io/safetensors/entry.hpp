// SPDX-License-Identifier: MIT
// One tensor as the header of a .safetensors file describes it.
// Invariant: an accepted entry has exactly the bytes of data that its dtype and sizes need. Called by header.hpp.
#pragma once
#include <ahead/io/file.hpp>
#include <ahead/io/json.hpp>

namespace AHEAD_NAMESPACE::detail {

struct safetensors_dtype {
    std::string_view name;
    dtype type;
};
inline constexpr safetensors_dtype safetensors_dtypes[] = {
    {"BOOL", dtype::b8}, {"U8", dtype::u8},           {"I8", dtype::i8},           {"I16", dtype::i16},
    {"I32", dtype::i32}, {"I64", dtype::i64},         {"U16", dtype::u16},         {"U32", dtype::u32},
    {"U64", dtype::u64}, {"F16", dtype::f16},         {"BF16", dtype::bf16},       {"F32", dtype::f32},
    {"F64", dtype::f64}, {"F8_E4M3", dtype::f8_e4m3}, {"F8_E5M2", dtype::f8_e5m2}, {"C64", dtype::c64},
};

/// Dtypes that a file may hold but no tensor here: a tensor of one cannot be read, the others in the file can.
struct unread_dtype {
    std::string_view name;
    std::uint64_t bits;
};
inline constexpr unread_dtype unread_dtypes[] = {{"F4", 4},      {"F6_E2M3", 6},     {"F6_E3M2", 6},
                                                 {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}};

struct safetensors_entry {
    std::string name;
    dtype type = dtype::f32;
    std::string_view unread; // the dtype's name, if it is an unread_dtype
    std::vector<std::int64_t> sizes;
    std::uint64_t begin = 0, end = 0; // bytes into the data
};

/// Reads a number from 0 to 2^63 - 1 without sign, fraction or exponent; any other number is the fault `if_other`.
inline bool take_natural(json_reader& json, fault if_other, std::string_view tensor, std::int64_t& out) {
    std::string_view spelling;
    if (!json.number(spelling)) return false;
    if (read_natural(spelling, out) == spelling.size()) return true;
    return refuse_weight(json.d, if_other, tensor, "an integer from 0 to 2^63 - 1", spelling);
}

/// {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, in any order; other members are skipped.
inline bool take_entry(json_reader& json, safetensors_entry& out) {
    std::string type;
    std::vector<std::int64_t> offsets;
    bool has_type = false, has_shape = false, has_offsets = false;
    const auto member = [&](const std::string& key) {
        bool* seen = key == "dtype"          ? &has_type
                     : key == "shape"        ? &has_shape
                     : key == "data_offsets" ? &has_offsets
                                             : nullptr;
        if (seen == nullptr) return json.skip_value();
        if (*seen) return json.malformed("dtype, shape and data_offsets once each");
        *seen = true;
        if (seen == &has_type) return json.string(type);
        auto& list = seen == &has_shape ? out.sizes : offsets;
        const auto if_other = seen == &has_shape ? fault::file_is_malformed : fault::offsets_are_invalid;
        return json.array([&] {
            std::int64_t number = 0;
            if (!take_natural(json, if_other, out.name, number)) return false;
            list.push_back(number);
            return true;
        });
    };
    if (!json.object(member)) return false;
    auto& d = json.d;
    if (!has_type || !has_shape || !has_offsets)
        return refuse_weight(d, fault::file_is_malformed, out.name, "dtype, shape and data_offsets", "fewer members");

    const safetensors_dtype* known = nullptr;
    for (const auto& entry : safetensors_dtypes)
        if (entry.name == type) known = &entry;
    const unread_dtype* unread = nullptr;
    for (const auto& entry : unread_dtypes)
        if (entry.name == type) unread = &entry;
    if (!known && !unread)
        return refuse_weight(d, fault::weight_dtype_is_unknown, out.name,
                             "C64, F64 to F16, BF16, F8_E4M3, F8_E5M2, I64 to I8, U64 to U8 or BOOL", short_text(type));
    if (known) out.type = known->type;
    else out.unread = unread->name;
    if (offsets.size() != 2)
        return refuse_weight(d, fault::offsets_are_invalid, out.name, "2 offsets", short_text() << offsets.size());
    if (offsets[0] > offsets[1])
        return refuse_weight(d, fault::offsets_are_invalid, out.name, "a begin before the end",
                             short_text() << offsets[0] << " to " << offsets[1]);
    out.begin = static_cast<std::uint64_t>(offsets[0]);
    out.end = static_cast<std::uint64_t>(offsets[1]);
    auto bytes = byte_count(known ? out.type : dtype::u8, out.sizes);
    if (bytes && unread) bytes = *bytes / 8 * unread->bits + (*bytes % 8 * unread->bits + 7) / 8;
    if (!bytes || *bytes != out.end - out.begin)
        return refuse_weight(d, fault::offsets_are_invalid, out.name,
                             bytes ? bytes_text(*bytes) : short_text("a shape of less than 2^63 bytes"),
                             bytes_text(out.end - out.begin));
    return true;
}

} // namespace ahead::detail
