// SPDX-License-Identifier: MIT
// Parses a schema as PyTorch spells it, "Tensor self, int n=1, Tensor? prepend=None", into parameters. It is parsed
// when a call is bound to it; schemas without calls cost the compiler only their text.
// Invariant: the texts belong to the library, so malformed text has no separate error: the call is refused.
// Called by composite_call.hpp. Source of the texts: aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::detail {

struct schema_text {
    parameter parameters[max_parameters];
    std::size_t size = 0;

    constexpr explicit schema_text(std::string_view text) {
        while (!text.empty() && size < max_parameters) {
            const auto comma = end_of_parameter(text);
            parameters[size++] = read(text.substr(0, comma));
            text = comma + 2 < text.size() ? text.substr(comma + 2) : std::string_view();
        }
    }
    constexpr array_view<const parameter> all() const { return {parameters, size}; }

private:
    /// A comma inside a default list, "[0, 1]", does not end the parameter.
    static constexpr std::size_t end_of_parameter(std::string_view text) {
        std::size_t at = 0;
        for (bool in_list = false; at < text.size() && (in_list || text[at] != ','); ++at)
            in_list = text[at] == '[' || (in_list && text[at] != ']');
        return at;
    }
    static constexpr parameter read(std::string_view text) {
        const auto space = text.find(' '), equals = text.find('=');
        parameter out{text.substr(space + 1, equals - space - 1), kind_of(text.substr(0, space))};
        if (equals == text.npos) return out;
        out.has_default = true;
        const auto value = text.substr(equals + 1);
        const bool is_real = out.kind == parameter_kind::real || value.find('.') != value.npos;
        if (value == "None") return out;
        out.value = read_default(value, is_real);
        return out;
    }
    static constexpr argument read_default(std::string_view value, bool is_real) {
        if (value == "True" || value == "False") return argument::of(value == "True");
        if (value[0] == '"') return {.kind = argument_kind::string, .text = value.substr(1, value.size() - 2)};
        if (value == "[]") return {.kind = argument_kind::list};
        if (is_real) {
            argument real{.kind = argument_kind::real};
            read_decimal(value, real.bits);
            return real;
        }
        std::int64_t number = 0;
        for (const char c : value)
            if (c != '-') number = number * 10 + (c - '0');
        return argument::of(value[0] == '-' ? -number : number);
    }
    static constexpr parameter_kind kind_of(std::string_view type) {
        using enum parameter_kind;
        struct spelled_kind {
            std::string_view name;
            parameter_kind kind;
        };
        constexpr spelled_kind kinds[] = {{"Tensor", tensor},
                                          {"Tensor?", optional_tensor},
                                          {"Tensor[]", tensor_list},
                                          {"Scalar", scalar},
                                          {"Scalar?", optional_scalar},
                                          {"int", integer},
                                          {"int?", optional_integer},
                                          {"int[]", int_list},
                                          {"int[]?", optional_int_list},
                                          {"float", real},
                                          {"float?", optional_real},
                                          {"float[]", real_list},
                                          {"bool", boolean},
                                          {"bool?", optional_boolean},
                                          {"str", string},
                                          {"str?", optional_string},
                                          {"ScalarType", dtype},
                                          {"ScalarType?", optional_dtype},
                                          {"Device", device},
                                          {"Layout", layout},
                                          {"MemoryFormat", memory_format}};
        for (const auto& each : kinds)
            if (each.name == type) return each.kind;
        return block; // no call passes one
    }
};

} // namespace ahead::detail
