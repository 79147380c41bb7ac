// SPDX-License-Identifier: MIT
// Prints the model.json of a .pt2 archive as print(ExportedProgram) prints the program, which frontend/fx/ reads: one
// reader decides what a graph means. Source: torch/_export/serde/schema.py, schema version 8, and
// torch/fx/graph.py, ExportGraphSignature.__str__.
// Invariant: what the text cannot say is refused, with the entry of model.json; nothing is left out silently, but for
// results without readers that PyTorch names name_unused_k.
// Called by pt2.hpp.
#pragma once
#include <ahead/frontend/pt2/signature_text.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

/// The only major version of the schema that is known.
inline constexpr std::string_view schema_major = "8";

/// Python's operators on numbers, which texts write between their operands.
inline constexpr pt2_word pt2_infix[] = {{"add", "+"},      {"sub", "-"}, {"mul", "*"}, {"truediv", "/"},
                                         {"floordiv", "//"}, {"mod", "%"}, {"pow", "**"}, {"eq", "=="},
                                         {"ne", "!="},      {"lt", "<"},  {"le", "<="}, {"gt", ">"},
                                         {"ge", ">="},      {"and_", "&"}, {"or_", "|"}};

class program_printer : signature_text {
public:
    program_printer(const io::json_value& program, std::string& out, diagnosis& d)
        : signature_text(out, d), program_(program) {}

    bool print() {
        const json *version = need(program_, "schema_version"), *module = need(program_, "graph_module");
        if (!version || !module) return false;
        const json *major = need(*version, "major"), *graph = need(*module, "graph");
        if (!major || !graph) return false;
        if (major->text != schema_major)
            return refuse(short_text("schema version ") << schema_major,
                          short_text("version ") << major->text << "; save the program with a PyTorch that writes it");
        const json *signature = need(*module, "signature"), *ranges = need(program_, "range_constraints");
        if (!signature || !ranges) return false;
        out_ = "ExportedProgram:\n";
        return print_graph("GraphModule", *graph, signature, 4) && print_signature(*signature) && print_ranges(*ranges);
    }

private:
    const json& program_;

    // ---- graphs

    bool print_graph(std::string_view name, const json& graph, const json* signature, int indent) {
        const json *inputs = need_list(graph, "inputs"), *outputs = need_list(graph, "outputs"),
                   *nodes = need_list(graph, "nodes");
        const json* types = need(graph, "tensor_values");
        if (!inputs || !outputs || !nodes || !types) return false;
        auto outer_types = std::move(types_);
        auto outer_blocks = std::move(blocks_);
        types_ = {};
        blocks_ = {};
        for (const auto& m : types->members) types_.emplace(m.key, &m.value);
        put_line(indent, "class ");
        if (!put_name(name)) return false;
        put("(torch.nn.Module):\n");
        put_line(indent + 4, "def forward(self");
        if (signature ? !print_main_inputs(graph, *signature) : !print_inputs(graph, *inputs)) return false;
        put("):\n");
        for (const auto& n : nodes->elements)
            if (!print_node(graph, n, indent + 8)) return false;
        node_ = "output";
        put_line(indent + 8, "return ");
        const auto* single = graph.find("is_single_tensor_return");
        const bool is_single = single && single->text == "true" && outputs->elements.size() == 1;
        if (is_single) {
            if (!put_argument(outputs->elements[0])) return false;
        } else if (!put_list(*outputs, "(", outputs->elements.size() == 1 ? ",)" : ")",
                             [&](const json& o) { return put_argument(o); })) return false;
        put("\n");
        const auto blocks = std::move(blocks_);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const json* earlier = nullptr; // two calls may hold one graph
            for (std::size_t k = 0; k < i; ++k)
                if (blocks[k].first == blocks[i].first) earlier = blocks[k].second;
            if (earlier && !(*earlier == *blocks[i].second)) return refuse("one graph of a name", blocks[i].first);
            put("\n");
            if (!earlier && !print_graph(blocks[i].first, *blocks[i].second, nullptr, indent + 4)) return false;
        }
        types_ = std::move(outer_types);
        blocks_ = std::move(outer_blocks);
        return true;
    }
    bool print_input(const json& graph, std::string_view kind, std::string_view name) {
        node_ = name;
        put(", ");
        if (!put_name(name)) return false;
        if (kind == "as_tensor") return put_annotation(name);
        if (kind == "as_sym_int") return put_symbol_annotation(graph, "sym_int_values", name);
        return true;
    }
    bool print_inputs(const json& graph, const json& inputs) {
        for (const auto& i : inputs.elements) {
            const auto* c = choice(i);
            std::string_view name;
            if (!c || !need_name(*c, name) || !print_input(graph, c->key, name)) return false;
        }
        return true;
    }
    /// Only the signature has the names of constant inputs.
    bool print_main_inputs(const json& graph, const json& signature) {
        const json* specs = need_list(signature, "input_specs");
        if (!specs) return false;
        for (const auto& s : specs->elements) {
            std::string_view kind, name;
            if (!name_of_input(s, kind, name)) return false;
            if (!print_input(graph, kind, name)) return false;
        }
        return true;
    }

    // ---- nodes

    bool print_node(const json& graph, const json& n, int indent) {
        node_ = {};
        std::string_view target;
        const json *inputs = need_list(n, "inputs"), *outputs = need_list(n, "outputs");
        if (!inputs || !outputs || !need_text(n, "target", target)) return false;
        std::string_view name;
        if (const auto* own = n.find("name"); own && !own->is_null()) name = own->text;
        const auto* only = outputs->elements.size() == 1 ? choice(outputs->elements[0]) : nullptr;
        const auto* hop = n.find("is_hop_single_tensor_return");
        const bool is_tuple = !only || only->key == "as_tensors" || (hop && hop->text == "false");
        if (!is_tuple && only->key != "as_none" && !need_name(*only, name)) return false;
        node_ = name;
        for (const auto& i : inputs->elements) { // a graph is an attribute first
            const auto* arg = i.find("arg");
            const auto* block = arg ? arg->find("as_graph") : nullptr;
            std::string_view of;
            if (!block) continue;
            if (!need_text(*block, "name", of)) return false;
            put_line(indent);
            if (!put_name(of)) return false;
            put(" = self.");
            put(of);
            put("\n");
        }
        print_origin(n, indent);
        put_line(indent);
        if (!put_name(name)) return false;
        if (!is_tuple) {
            if (only->key == "as_tensor" ? !put_annotation(name)
                : only->key == "as_sym_int" ? !put_symbol_annotation(graph, "sym_int_values", name)
                : only->key == "as_sym_bool" ? !put_symbol_annotation(graph, "sym_bool_values", name)
                : only->key == "as_sym_float" ? !put_symbol_annotation(graph, "sym_float_values", name)
                                              : false)
                return false;
        }
        put(" = ");
        if (!print_call(target, *inputs)) return false;
        put("\n");
        if (!is_tuple) return true;
        return print_results(name, only && only->key == "as_tensors" ? only->value : *outputs, indent);
    }
    bool print_call(std::string_view target, const json& inputs) {
        constexpr std::string_view python = "_operator.";
        if (target.starts_with(python)) {
            for (const auto& infix : pt2_infix)
                if (infix.key == target.substr(python.size()) && inputs.elements.size() == 2) {
                    const json *left = need(inputs.elements[0], "arg"), *right = need(inputs.elements[1], "arg");
                    if (!left || !right || !put_argument(*left)) return false;
                    put(" ");
                    put(infix.text);
                    put(" ");
                    return put_argument(*right);
                }
            target.remove_prefix(1); // operator.neg
        }
        if (!put_target(target)) return false;
        put("(");
        std::string_view between;
        for (const auto& i : inputs.elements) {
            const json* arg = need(i, "arg");
            if (!arg) return false;
            put(std::exchange(between, ", "));
            if (const auto* kind = i.find("kind"); kind && kind->text == "2") {
                std::string_view keyword;
                if (!need_text(i, "name", keyword) || !put_name(keyword)) return false;
                put(" = ");
            }
            if (!put_argument(*arg)) return false;
        }
        return put(")"), true;
    }
    /// One getitem for each result that is read. A result is {"as_tensor": {...}}, or {"name": ...} in a list of
    /// tensors.
    bool print_results(std::string_view name, const json& results, int indent) {
        if (!results.is_list()) return refuse("a list of results", results.text);
        for (std::size_t k = 0; k < results.elements.size(); ++k) {
            const json* tensor = &results.elements[k];
            if (!tensor->find("name")) {
                const auto* c = choice(*tensor);
                if (!c) return false;
                if (c->key == "as_none") continue;
                if (c->key != "as_tensor") return refuse("tensors as several results", c->key);
                tensor = &c->value;
            }
            std::string_view own;
            if (!need_text(*tensor, "name", own)) return false;
            const auto number = std::to_string(k);
            if (own == std::string(name) + "_unused_" + number) continue;
            put_line(indent);
            if (!put_name(own) || !put_annotation(own)) return false;
            put(" = ");
            put(name);
            put("[" + number + "]\n");
        }
        return true;
    }
    /// The innermost frame of the stack trace, as print_readable shows it.
    void print_origin(const json& n, int indent) {
        const auto* metadata = n.find("metadata");
        const auto* trace = metadata ? metadata->find("stack_trace") : nullptr;
        if (!trace) return;
        const std::string_view all = trace->text;
        const auto at = all.rfind("File \"");
        if (at == all.npos) return;
        auto frame = all.substr(at + 6);
        const auto quote = frame.find('"');
        const auto path = frame.substr(0, quote);
        constexpr std::string_view line = ", line ";
        if (quote == frame.npos || !frame.substr(quote + 1).starts_with(line)) return;
        frame.remove_prefix(quote + 1 + line.size());
        const auto comma = frame.find(", in "), end = frame.find('\n');
        if (comma == frame.npos || end == frame.npos || comma > end) return;
        auto code = frame.substr(end + 1);
        code = code.substr(0, code.find('\n'));
        code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
        for (const auto part : {path, frame.substr(0, end), code})
            for (const char c : part)
                if (static_cast<unsigned char>(c) < 0x20) return; // a comment is one line
        put_line(indent, "# File: ");
        put(path);
        put(":");
        put(frame.substr(0, comma));
        put(" in ");
        put(frame.substr(comma + 5, end - comma - 5));
        put(", code: ");
        put(code);
        put("\n");
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// Appends the text of a program. If it returns false, `d` names the node and what model.json lacks.
inline bool print_exported_program(const io::json_value& program, std::string& out, diagnosis& d) {
    return ahead::detail::program_printer(program, out, d).print();
}

} // namespace ahead::frontend
