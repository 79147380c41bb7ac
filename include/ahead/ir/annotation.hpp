// SPDX-License-Identifier: MIT
// Reads a type as FX prints it: f32[2, 3], f32[2, 3][3, 1]cpu, f32[][]cuda:0. Called for placeholders, and to check every
// printed type against what inference gives.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/tensor_type.hpp>

namespace ahead {

struct annotation {
    tensor_type type;
    bool has_strides = false;
    std::string_view device; // empty where none was printed
};

namespace detail {
constexpr bool read_int_list(std::string_view& rest, int_list& out) {
    if (rest.empty() || rest[0] != '[') return false;
    rest.remove_prefix(1);
    while (!rest.empty() && rest[0] != ']') {
        std::int64_t number = 0;
        std::size_t digits = 0;
        while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') number = number * 10 + (rest[digits++] - '0');
        if (digits == 0 || digits > 18 || out.size == max_rank) return false;
        out.push_back(number);
        rest.remove_prefix(digits);
        if (rest.substr(0, 2) == ", ") rest.remove_prefix(2);
    }
    if (rest.empty()) return false;
    rest.remove_prefix(1);
    return true;
}
} // namespace detail

/// Refuses symbolic sizes (dimension_is_dynamic) and anything that is not a tensor type (text_is_malformed).
constexpr bool read_annotation(std::string_view text, annotation& out, diagnosis& d) {
    const auto bracket = text.find('[');
    const auto type = bracket == text.npos ? std::nullopt : dtype_named(text.substr(0, bracket));
    if (!type) {
        const bool symbolic = text.substr(0, 4) == "Sym(";
        return refuse(d, symbolic ? fault::dimension_is_dynamic : fault::text_is_malformed, "a type such as f32[2, 3]", text);
    }
    auto rest = text.substr(bracket);
    int_list sizes;
    if (!detail::read_int_list(rest, sizes)) return refuse(d, fault::dimension_is_dynamic, "constant sizes, at most 8", text);
    out.type = tensor_of(*type, sizes);
    out.has_strides = !rest.empty() && rest[0] == '[';
    if (out.has_strides) {
        int_list strides;
        if (!detail::read_int_list(rest, strides)) return refuse(d, fault::dimension_is_dynamic, "constant strides", text);
        if (strides.size != sizes.size) return refuse(d, fault::text_is_malformed, "as many strides as sizes", text);
        for (int i = 0; i < strides.size; ++i) out.type.strides[static_cast<std::size_t>(i)] = strides[i];
    }
    out.device = rest;
    return true;
}

} // namespace ahead
