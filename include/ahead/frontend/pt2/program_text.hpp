// SPDX-License-Identifier: MIT
// The parts of a program's text: names, strings, types and arguments of the model.json of a .pt2 archive, as PyTorch
// prints them. Source: torch/_export/serde/schema.py, schema version 8; torch/fx/graph.py.
// Invariant: what the text cannot say is refused, with the node that has it. Called by print_program.hpp.
#pragma once
#include <ahead/frontend/pt2/symbolic_text.hpp>
#include <ahead/io/pt2_archive.hpp>
#include <string>
#include <unordered_map>

namespace AHEAD_NAMESPACE::detail {

struct pt2_word {
    std::string_view key, text;
};
/// torch/_export/serde/schema.py: Layout, MemoryFormat.
inline constexpr pt2_word pt2_layouts[] = {{"7", "torch.strided"}};
inline constexpr pt2_word pt2_memory_formats[] = {{"1", "torch.contiguous_format"},
                                                  {"2", "torch.channels_last"},
                                                  {"3", "torch.channels_last_3d"},
                                                  {"4", "torch.preserve_format"}};

/// The base of the printers of a program.
class program_text {
protected:
    using json = io::json_value;
    program_text(std::string& out, diagnosis& d) : out_(out), d_(d) {}

    std::string& out_;
    diagnosis& d_;
    std::string_view node_;                                        // the node that is being printed
    std::unordered_map<std::string_view, const json*> types_;      // tensor_values of the graph
    std::vector<std::pair<std::string_view, const json*>> blocks_; // graphs that its calls hold

    template <class Found> bool refuse(const short_text& expected, const Found& found) {
        if (d_.ok()) d_.name = node_;
        if constexpr (std::is_same_v<Found, short_text>) return refuse_as(expected, found);
        else return refuse_as(expected, std::string_view(found));
    }
    bool refuse_as(const short_text& expected, const short_text& found) {
        return ahead::refuse(d_, fault::file_is_malformed, expected, found);
    }
    const json* need(const json& of, std::string_view key) {
        const auto* found = of.find(key);
        if (!found) refuse(short_text("'") << key << "' in model.json", "none");
        return found;
    }
    const json* need_list(const json& of, std::string_view key) {
        const auto* found = need(of, key);
        if (!found || found->is_list()) return found;
        refuse(short_text("a list as '") << key << "'", found->text);
        return nullptr;
    }
    bool need_text(const json& of, std::string_view key, std::string_view& out) {
        const auto* found = need(of, key);
        if (found) out = found->text;
        return found != nullptr;
    }
    /// The only member of a union, {"as_int": 3}.
    const io::json_member* choice(const json& of) {
        if (of.members.size() == 1) return &of.members[0];
        refuse("one kind of argument, such as as_tensor", short_text() << of.members.size());
        return nullptr;
    }
    /// The name of a tensor, or of a symbolic number.
    bool need_name(const io::json_member& of, std::string_view& out) {
        return need_text(of.value, of.key == "as_tensor" ? "name" : "as_name", out);
    }
    void put(std::string_view text) { out_ += text; }
    void put_line(int indent, std::string_view text = {}) {
        out_.append(static_cast<std::size_t>(indent), ' ');
        out_ += text;
    }
    template <class Each> bool put_list(const json& list, std::string_view open, std::string_view close, Each each) {
        if (!list.is_list()) return refuse("a list", list.text);
        put(open);
        std::string_view between;
        for (const auto& e : list.elements) {
            put(std::exchange(between, ", "));
            if (!each(e)) return false;
        }
        put(close);
        return true;
    }
    /// A name is a Python identifier: no text may end the string or the line around it.
    bool put_name(std::string_view name) {
        bool ok = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
        for (const char c : name)
            ok = ok && (c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
        put(name);
        return ok || refuse("a name of letters, digits and _", name);
    }
    /// As Python's repr.
    bool put_string(std::string_view text) {
        constexpr std::string_view digits = "0123456789abcdef";
        const char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
        out_ += quote;
        for (const char c : text) {
            const auto code = static_cast<unsigned char>(c);
            if (c == '\n') out_ += "\\n";
            else if (code < 0x20 || code == 0x7f) (out_ += "\\x") += {digits[code / 16], digits[code % 16]};
            else if (c == quote || c == '\\') (out_ += '\\') += c;
            else out_ += c;
        }
        out_ += quote;
        return true;
    }
    bool put_word(array_view<const pt2_word> words, std::string_view number, std::string_view what) {
        for (const auto& one : words)
            if (one.key == number) return put(one.text), true;
        return refuse(short_text(what) << " that a graph here may have", short_text("number ") << number);
    }

    // ---- types

    bool read_dtype(std::string_view number, dtype& out) {
        const auto known = io::pt2_dtype_of(number);
        if (known) out = *known;
        return known || refuse("a dtype that a graph here may have", short_text("ScalarType ") << number);
    }
    /// A size: as_int, or as_expr, whose text is an expression of symbols.
    bool put_size(const json& size) {
        const auto* c = choice(size);
        if (!c) return false;
        if (c->key == "as_int") return put(c->value.text), true;
        std::string_view text;
        return c->key == "as_expr" ? need_text(c->value, "expr_str", text) && put_symbolic(text)
                                   : refuse("as_int or as_expr as a size", c->key);
    }
    bool put_symbolic(std::string_view text) {
        return symbolic_text(text).print(out_) || refuse("an expression of symbols as sympy.srepr prints it", text);
    }
    bool put_annotation(std::string_view name) {
        const auto found = types_.find(name);
        if (found == types_.end()) return refuse(short_text("a type of '") << name << "' in tensor_values", "none");
        const json* sizes = need(*found->second, "sizes");
        std::string_view type;
        if (!sizes || !need_text(*found->second, "dtype", type)) return false;
        dtype known;
        if (!read_dtype(type, known)) return false;
        put(": \"");
        put(facts_of(known).annotation);
        return put_list(*sizes, "[", "]\"", [&](const json& s) { return put_size(s); });
    }
    /// The value of a sym_int, sym_bool or sym_float: "Sym(s0)".
    bool put_symbol_annotation(const json& graph, std::string_view table, std::string_view name) {
        const auto* values = graph.find(table);
        const auto* value = values ? values->find(name) : nullptr;
        const auto* as = value ? choice(*value) : nullptr;
        if (!as || as->key != "as_expr") return true;
        std::string_view text;
        if (!need_text(as->value, "expr_str", text)) return false;
        put(": \"Sym(");
        return put_symbolic(text) && (put(")\""), true);
    }

    // ---- arguments

    bool put_tensor_name(const json& tensor) {
        std::string_view name;
        return need_text(tensor, "name", name) && put_name(name);
    }
    /// as_name, a node, or a number or a word.
    bool put_symbolic_argument(const json& of) {
        const auto* c = choice(of);
        if (!c) return false;
        if (c->key == "as_name") return put_name(c->value.text);
        if (c->key == "as_bool") return put_bool(c->value);
        return put_number(c->value);
    }
    bool put_bool(const json& value) {
        if (value.text != "true" && value.text != "false") return refuse("true or false", value.text);
        return put(value.text == "true" ? "True" : "False"), true;
    }
    /// A number as Python prints it; words for what JSON cannot spell.
    bool put_number(const json& value) {
        if (value.is == json::kind::number) return put(value.text), true;
        if (value.text == "Infinity" || value.text == "inf") return put("inf"), true;
        if (value.text == "-Infinity" || value.text == "-inf") return put("-inf"), true;
        if (value.text == "NaN" || value.text == "nan") return put("nan"), true;
        return refuse("a number", value.text);
    }
    bool put_device(const json& value) {
        std::string_view type;
        if (!need_text(value, "type", type)) return false;
        put("device(type=");
        if (!put_string(type)) return false;
        if (const auto* index = value.find("index"); index && !index->is_null()) {
            put(", index=");
            if (!put_number(*index)) return false;
        }
        return put(")"), true;
    }
    bool put_argument(const json& of) {
        const auto* c = choice(of);
        if (!c) return false;
        const std::string_view key = c->key;
        const auto& value = c->value;
        const auto numbers = [&](const json& e) { return put_number(e); };
        const auto one = [&](const json& e) { return put_argument(e); };
        const auto symbolic = [&](const json& e) { return put_symbolic_argument(e); };
        if (key == "as_none") return put("None"), true;
        if (key == "as_tensor") return put_tensor_name(value);
        if (key == "as_tensors")
            return put_list(value, "[", "]", [&](const json& e) { return put_tensor_name(e); });
        if (key == "as_optional_tensors") return put_list(value, "[", "]", one);
        if (key == "as_int" || key == "as_float") return put_number(value);
        if (key == "as_ints" || key == "as_floats") return put_list(value, "[", "]", numbers);
        if (key == "as_bool") return put_bool(value);
        if (key == "as_bools") return put_list(value, "[", "]", [&](const json& e) { return put_bool(e); });
        if (key == "as_sym_int" || key == "as_sym_bool" || key == "as_sym_float") return put_symbolic_argument(value);
        if (key == "as_sym_ints" || key == "as_sym_bools" || key == "as_sym_floats")
            return put_list(value, "[", "]", symbolic);
        if (key == "as_string") return put_string(value.text);
        if (key == "as_strings") return put_list(value, "[", "]", [&](const json& e) { return put_string(e.text); });
        if (key == "as_scalar_type") {
            dtype known;
            return read_dtype(value.text, known) && (put(facts_of(known).torch), true);
        }
        if (key == "as_layout") return put_word(pt2_layouts, value.text, "a layout");
        if (key == "as_memory_format") return put_word(pt2_memory_formats, value.text, "a memory format");
        if (key == "as_device") return put_device(value);
        if (key == "as_operator") return put_target(value.text);
        if (key == "as_graph") {
            std::string_view name;
            const json* graph = need(value, "graph");
            if (!graph || !need_text(value, "name", name)) return false;
            blocks_.emplace_back(name, graph);
            return put_name(name);
        }
        return refuse("an argument that a text can say", key);
    }
    /// A dotted name, such as torch.ops.aten.mm.default.
    bool put_target(std::string_view target) {
        std::string_view rest = target;
        while (true) {
            const auto end = rest.find('.');
            if (!put_name(rest.substr(0, end))) return false;
            if (end == rest.npos) return true;
            put(".");
            rest.remove_prefix(end + 1);
        }
    }
};

} // namespace ahead::detail
