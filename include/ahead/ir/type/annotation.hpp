// SPDX-License-Identifier: MIT
// Reads a type as FX prints it: f32[2, 3], f32[2, 3][3, 1]cpu, f32[][]cuda:0. Called for placeholders, and to compare
// every printed type with the inferred one.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/type/symbols.hpp>
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::ir {

struct annotation {
    tensor_type type;
    bool has_strides = false;
    std::string_view device; // empty if none was printed
};

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// Reads and removes "[2, 3]" from the front of `rest`; also "[s0, 2*s0]" if the symbols are given.
constexpr bool read_int_list(std::string_view& rest, symbol_values symbols, int_list& out) {
    if (rest.empty() || rest[0] != '[') return false;
    rest.remove_prefix(1);
    while (!rest.empty() && rest[0] != ']') {
        if (out.size > 0) {
            if (rest.substr(0, 2) != ", ") return false;
            rest.remove_prefix(2);
        }
        std::int64_t number = 0;
        if (!symbols.empty()) {
            size_expression one(rest, symbols);
            if (out.size == max_rank || !one.read(number) || one.is_boolean || one.is_real || number < 0) return false;
            out.push_back(number);
            rest = one.rest();
            continue;
        }
        std::size_t digits = 0;
        for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9'; ++digits)
            if (number < element_limit) number = number * 10 + (rest[digits] - '0');
        if (digits == 0 || out.size == max_rank) return false;
        out.push_back(number);
        rest.remove_prefix(digits);
    }
    if (rest.empty()) return false;
    rest.remove_prefix(1);
    return true;
}
/// Whether the text between the brackets has symbols, as in [s0, 2*s1], and not only numbers, as in [1e4].
constexpr bool is_symbolic(std::string_view list) {
    char before = '[';
    for (char c : list.substr(0, list.find(']'))) {
        if (((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && !(before >= '0' && before <= '9')) return true;
        before = c;
    }
    return false;
}
/// Whether FX prints this dtype but ahead does not support it.
constexpr bool is_foreign_dtype(std::string_view name) {
    for (std::string_view known : {"c32", "b16", "b1x8", "f8e4m3fnuz", "f8e5m2fnuz", "f8e8m0fnu", "f4e2m1fnx2"})
        if (name == known) return true;
    return false;
}
/// Whether the text is empty, or a device name with or without an index: cpu, cuda:0.
constexpr bool is_device(std::string_view text) {
    bool index = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool digit = c >= '0' && c <= '9';
        if (c == ':' && i > 0 && !index) index = true;
        else if (index ? !digit : !digit && c != '_' && !(c >= 'a' && c <= 'z')) return false;
    }
    return true;
}
/// Reads exactly "f32[2, 3]", with a supported dtype, in few steps: nearly every node of a text has such a type. If it
/// returns false, the text may still be a type in another form.
constexpr bool read_plain_type(std::string_view text, tensor_type& out) {
    const char* p = text.data();
    const auto size = static_cast<std::int32_t>(text.size());
    if (size < 5 || p[size - 1] != ']') return false;
    std::int32_t at = 4;
    if (p[2] == '[' && p[0] == 'b' && p[1] == '8') {
        out.type = dtype::b8;
        at = 3;
    } else if (p[3] != '[' || (p[0] != 'f' && p[0] != 'i')) return false;
    else if (p[1] == '3' && p[2] == '2') out.type = p[0] == 'f' ? dtype::f32 : dtype::i32;
    else if (p[1] == '6' && p[2] == '4') out.type = p[0] == 'f' ? dtype::f64 : dtype::i64;
    else return false;
    int rank = 0;
    std::int64_t count = 1;
    while (true) {
        std::int64_t number = 0;
        const auto first = at;
        for (; p[at] >= '0' && p[at] <= '9' && at < first + 7; ++at) number = number * 10 + (p[at] - '0');
        if (at == first || at > first + 6 || rank == max_rank) return false;
        out.sizes.at[rank++] = number;
        count *= number > 0 ? number : 1;
        if (count > 1'000'000'000) return false;
        if (p[at] == ']') break;
        if (p[at] != ',' || p[at + 1] != ' ') return false;
        at += 2;
    }
    out.rank = static_cast<std::uint8_t>(rank);
    make_contiguous(out);
    return at == size - 1;
}
/// Reads a known number, Sym(2), or Sym(s0 + 1) if the symbols are given: the type is i64[], or b8[] for Sym(s0 > 4),
/// or f64[] for Sym(0.5*ToFloat(s0)), whose value is not read.
constexpr bool read_number(std::string_view text, symbol_values symbols, std::int64_t& out, dtype& type) {
    if (text.size() < 6 || text.substr(0, 4) != "Sym(" || text.back() != ')') return false;
    size_expression one(text.substr(4, text.size() - 5), symbols);
    if (!one.read(out) || !one.rest().empty()) return false;
    type = one.is_real ? dtype::f64 : one.is_boolean ? dtype::b8 : dtype::i64;
    return true;
}
/// Whether a printed type contains a symbol.
constexpr bool names_symbols(std::string_view text) {
    if (text.substr(0, 4) == "Sym(") return true;
    const auto bracket = text.find('['), behind = text.find(']');
    if (bracket == text.npos || behind == text.npos) return false;
    return is_symbolic(text.substr(bracket)) ||
           (text.substr(behind + 1, 1) == "[" && is_symbolic(text.substr(behind + 1)));
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Reads a printed type. A known number, Sym(2), has type i64[], because queries about types are i64[]; Sym(1.5) has
/// f64[]. symbols: the values of the text's symbols. Refuses sizes with other symbols (dimension_is_dynamic), dtypes
/// that ahead does not support (dtype_is_unsupported), Python types, which do not state dtype and sizes
/// (input_type_is_missing), tensors too large for any memory (tensor_is_too_large), and any other text that is not a
/// tensor type (text_is_malformed).
constexpr bool read_annotation(std::string_view text, annotation& out, diagnosis& d, symbol_values symbols = {}) {
    if (detail::read_plain_type(text, out.type)) return true;
    out = {};
    constexpr std::string_view
        wanted = "a type such as f32[2, 3]",
        static_sizes = "constant sizes: numbers for its symbols (gears), or an export without dynamic_shapes";
    const auto bracket = text.find('[');
    const auto type = bracket == text.npos ? std::nullopt : dtype_named(text.substr(0, bracket));
    if (!type) {
        if (bracket != text.npos && detail::is_foreign_dtype(text.substr(0, bracket)))
            return refuse(d, fault::dtype_is_unsupported, "a dtype from b8 to c128", text);
        std::int64_t number = 0;
        if (dtype of = dtype::i64; detail::read_number(text, symbols, number, of)) {
            out.type = tensor_of(of, {});
            return true;
        }
        if (text.substr(0, 4) == "Sym(") return refuse(d, fault::dimension_is_dynamic, static_sizes, text);
        return refuse(
            d, text == "torch.Tensor" || text == "Tensor" ? fault::input_type_is_missing : fault::text_is_malformed,
            wanted, text);
    }
    auto rest = text.substr(bracket);
    const auto list_fault = [](std::string_view list) {
        return detail::is_symbolic(list) ? fault::dimension_is_dynamic : fault::text_is_malformed;
    };
    int_list sizes;
    if (const auto list = rest; !detail::read_int_list(rest, symbols, sizes))
        return refuse(d, list_fault(list),
                      detail::is_symbolic(list)         ? static_sizes
                      : list.find('-') < list.find(']') ? "sizes from 0"
                                                        : "at most 8 constant sizes",
                      text);
    out.type = tensor_of(*type, sizes);
    out.has_strides = !rest.empty() && rest[0] == '[';
    if (out.has_strides) {
        int_list strides;
        if (const auto list = rest; !detail::read_int_list(rest, symbols, strides))
            return refuse(d, list_fault(list), "constant strides", text);
        if (strides.size != sizes.size) return refuse(d, fault::text_is_malformed, "as many strides as sizes", text);
        for (int i = 0; i < strides.size; ++i) out.type.strides[static_cast<std::size_t>(i)] = strides[i];
    }
    if (!detail::is_device(rest)) return refuse(d, fault::text_is_malformed, wanted, text);
    if (!is_addressable(out.type)) return refuse(d, fault::tensor_is_too_large, "fewer than 2^48 elements", text);
    out.device = rest;
    return true;
}

} // namespace ahead::ir
