// SPDX-License-Identifier: MIT
// The graph signature and the ranges of symbols of a program, as print(ExportedProgram) prints them. Source:
// torch/export/graph_signature.py.
// Called by print_program.hpp.
#pragma once
#include <ahead/frontend/pt2/program_text.hpp>

namespace AHEAD_NAMESPACE::detail {

class signature_text : protected program_text {
protected:
    using program_text::program_text;

    /// The name of an input, and which kind of argument it is; none of a constant or a token.
    bool name_of_input(const json& spec, std::string_view& kind, std::string_view& name) {
        const auto* c = choice(spec);
        if (!c) return false;
        kind = "as_tensor";
        if (c->key == "constant_input") return kind = "", need_text(c->value, "name", name);
        const json* arg = need(c->value, "arg");
        if (!arg) return false;
        if (c->key == "token") kind = "";
        if (c->key != "user_input") return need_text(*arg, "name", name);
        const auto* as = choice(*arg);
        if (!as) return false;
        kind = as->key;
        return need_name(*as, name);
    }
    struct spec_word {
        std::string_view key, printed, target;
    };
    static constexpr spec_word input_words[] = {{"user_input", "USER_INPUT", ""},
                                                {"constant_input", "USER_INPUT", ""},
                                                {"parameter", "PARAMETER", "parameter_name"},
                                                {"buffer", "BUFFER", "buffer_name"},
                                                {"tensor_constant", "CONSTANT_TENSOR", "tensor_constant_name"},
                                                {"token", "TOKEN", ""}};
    static constexpr spec_word output_words[] = {
        {"user_output", "USER_OUTPUT", ""},
        {"loss_output", "LOSS_OUTPUT", ""},
        {"buffer_mutation", "BUFFER_MUTATION", "buffer_name"},
        {"parameter_mutation", "PARAMETER_MUTATION", "parameter_name"},
        {"user_input_mutation", "USER_INPUT_MUTATION", "user_input_name"},
        {"gradient_to_parameter", "GRADIENT_TO_PARAMETER", "parameter_name"},
        {"gradient_to_user_input", "GRADIENT_TO_USER_INPUT", "user_input_name"},
        {"token", "TOKEN", ""}};

    template <std::size_t Count> bool print_spec(const spec_word (&words)[Count], const json& spec) {
        const auto* c = choice(spec);
        if (!c) return false;
        for (const auto& word : words) {
            if (word.key != c->key) continue;
            put(": ");
            put(word.printed);
            if (word.target.empty()) return true;
            std::string_view target;
            put(" target=");
            if (!need_text(c->value, word.target, target) || !put_string(target)) return false;
            const auto* kept = c->value.find("persistent");
            if (!kept) return true;
            put(" persistent=");
            return put_bool(*kept);
        }
        return refuse("a kind of input or output that a text can say", c->key);
    }
    bool print_signature(const json& signature) {
        const json *inputs = need_list(signature, "input_specs"), *outputs = need_list(signature, "output_specs");
        if (!inputs || !outputs) return false;
        put("\nGraph signature:\n    # inputs\n");
        for (const auto& s : inputs->elements) {
            std::string_view kind, name;
            if (!name_of_input(s, kind, name)) return false;
            put_line(4);
            if (!put_name(name) || !print_spec(input_words, s)) return false;
            put("\n");
        }
        put("\n    # outputs\n");
        for (const auto& s : outputs->elements) {
            const auto* c = choice(s);
            const json* arg = c ? need(c->value, "arg") : nullptr;
            if (!arg) return false;
            put_line(4);
            if (arg->find("name") ? !put_tensor_name(*arg) : !put_argument(*arg)) return false;
            if (!print_spec(output_words, s)) return false;
            put("\n");
        }
        return true;
    }
    bool print_ranges(const json& ranges) {
        put("\nRange constraints: {");
        std::string_view between;
        for (const auto& m : ranges.members) {
            const json *low = need(m.value, "min_val"), *high = need(m.value, "max_val");
            if (!low || !high) return false;
            put(std::exchange(between, ", "));
            if (!put_name(m.key)) return false;
            put(": VR[");
            put(low->is_null() ? "-int_oo" : std::string_view(low->text));
            put(", ");
            put(high->is_null() ? "int_oo" : std::string_view(high->text));
            put("]");
        }
        return put("}\n"), true;
    }
};

} // namespace ahead::detail
