// SPDX-License-Identifier: MIT
// Archives of torch.export.save: the program prints as PyTorch prints it, and is the graph of that text; weights are those of the config; what is missing, unknown or
// damaged is refused by name.
#include "harness.hpp"
#include "pt2_archive.hpp"
#include "refusal.hpp"
#include "scratch_folder.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/frontend/any_importer.hpp>
#include <ahead/ir/equal.hpp>

#include <cstring>
#include <fstream>

using namespace ahead;
using namespace test;

namespace {

std::string tensor(std::string_view name, std::string_view sizes, int dtype = 7) {
    std::string out = "\"" + std::string(name) + "\": {\"dtype\": " + std::to_string(dtype) + ", \"sizes\": [";
    return out + std::string(sizes) + "]}";
}
constexpr std::string_view two = R"json({"as_int": 2})json", symbol = R"json({"as_expr": {"expr_str": "Symbol('s0', integer=True)", "hint": null}})json";
std::string sizes(std::string_view a, std::string_view b) { return std::string(a) + ", " + std::string(b); }

// A weight, a buffer that is written, an operator with several results of which one is read, keywords, numbers of several kinds, a branch, symbols.
std::string model_json() {
    const auto twice = sizes(R"json({"as_expr": {"expr_str": "Mul(Integer(2), Add(Symbol('s0', positive=True), Integer(-1)))", "hint": {"as_int": 2}}})json", two);
    return R"json({"graph_module": {"graph": {
"inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "b_n"}}, {"as_tensor": {"name": "x"}}],
"outputs": [{"as_tensor": {"name": "add"}}, {"as_tensor": {"name": "getitem_2"}}],
"nodes": [
 {"target": "torch.ops.aten.add.Tensor", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "b_n"}}, "kind": 1}, {"name": "other", "arg": {"as_float": 1e-05}, "kind": 1},
  {"name": "alpha", "arg": {"as_int": 2}, "kind": 2}], "outputs": [{"as_tensor": {"name": "add"}}], "name": "add", "is_hop_single_tensor_return": null,
  "metadata": {"stack_trace": "  File \"/a/model.py\", line 7, in forward\n    self.n.add_(1e-5)"}},
 {"target": "torch.ops.aten.max.dim", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}, {"name": "dim", "arg": {"as_int": -1}, "kind": 1},
  {"name": "keepdim", "arg": {"as_bool": true}, "kind": 1}], "outputs": [{"as_tensor": {"name": "getitem"}}, {"as_tensor": {"name": "max_1_unused_1"}}], "name": "max_1"},
 {"target": "torch.ops.aten.split.Tensor", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}, {"name": "split_size", "arg": {"as_int": 1}, "kind": 1}],
  "outputs": [{"as_tensors": [{"name": "getitem_1"}, {"name": "split_unused_1"}]}], "name": "split"},
 {"target": "torch.ops.aten.full.default", "inputs": [{"name": "size", "arg": {"as_ints": []}, "kind": 1}, {"name": "fill_value", "arg": {"as_bool": true}, "kind": 1},
  {"name": "dtype", "arg": {"as_scalar_type": 12}, "kind": 2}, {"name": "layout", "arg": {"as_layout": 7}, "kind": 2}, {"name": "device", "arg": {"as_device": {"type": "cpu", "index": null}}, "kind": 2},
  {"name": "pin_memory", "arg": {"as_bool": false}, "kind": 2}], "outputs": [{"as_tensor": {"name": "full"}}], "name": "full"},
 {"target": "torch.ops.higher_order.cond", "inputs": [{"name": "", "arg": {"as_tensor": {"name": "full"}}, "kind": 1}, {"name": "", "arg": {"as_graph": {"name": "true_graph_0", "graph": {
  "inputs": [{"as_tensor": {"name": "w_1"}}], "outputs": [{"as_tensor": {"name": "mul"}}], "nodes": [{"target": "torch.ops.aten.mul.Tensor", "inputs": [{"name": "self",
  "arg": {"as_tensor": {"name": "w_1"}}, "kind": 1}, {"name": "other", "arg": {"as_tensor": {"name": "w_1"}}, "kind": 1}], "outputs": [{"as_tensor": {"name": "mul"}}], "name": "mul"}],
  "tensor_values": {)json" + tensor("w_1", sizes(R"json({"as_int": 1})json", two)) + ", " + tensor("mul", sizes(R"json({"as_int": 1})json", two)) + R"json(}, "is_single_tensor_return": false}}}, "kind": 1},
  {"name": "", "arg": {"as_graph": {"name": "false_graph_0", "graph": {
  "inputs": [{"as_tensor": {"name": "w_1"}}], "outputs": [{"as_tensor": {"name": "neg"}}], "nodes": [{"target": "torch.ops.aten.neg.default", "inputs": [{"name": "self",
  "arg": {"as_tensor": {"name": "w_1"}}, "kind": 1}], "outputs": [{"as_tensor": {"name": "neg"}}], "name": "neg"}],
  "tensor_values": {)json" + tensor("w_1", sizes(R"json({"as_int": 1})json", two)) + ", " + tensor("neg", sizes(R"json({"as_int": 1})json", two)) + R"json(}, "is_single_tensor_return": false}}}, "kind": 1},
  {"name": "", "arg": {"as_tensors": [{"name": "getitem_1"}]}, "kind": 1}], "outputs": [{"as_tensor": {"name": "getitem_2"}}], "is_hop_single_tensor_return": false, "name": "cond"},
 {"target": "torch.ops.aten.sym_size.int", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}, {"name": "dim", "arg": {"as_int": 0}, "kind": 1}],
  "outputs": [{"as_sym_int": {"as_name": "sym_size_int"}}], "name": "sym_size_int"},
 {"target": "_operator.mul", "inputs": [{"name": "", "arg": {"as_sym_int": {"as_name": "sym_size_int"}}, "kind": 1}, {"name": "", "arg": {"as_int": 2}, "kind": 1}],
  "outputs": [{"as_sym_int": {"as_name": "mul_1"}}], "name": "mul_1"}
],
"tensor_values": {)json" +
           tensor("p_w", sizes(two, two)) + ", " + tensor("b_n", R"json({"as_int": 3})json") + ", " + tensor("x", sizes(symbol, two)) + ", " + tensor("add", R"json({"as_int": 3})json") + ", " +
           tensor("getitem", sizes(symbol, R"json({"as_int": 1})json")) + ", " + tensor("getitem_1", sizes(R"json({"as_int": 1})json", two)) + ", " + tensor("full", "", 12) + ", " +
           tensor("getitem_2", sizes(R"json({"as_int": 1})json", two)) + ", " + tensor("unread", twice) +
           R"json(}, "sym_int_values": {"sym_size_int": )json" + std::string(symbol) + R"json(, "mul_1": {"as_expr": {"expr_str": "Mul(Integer(2), Symbol('s0', integer=True))"}}},
"is_single_tensor_return": false}, "signature": {
"input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}}, {"buffer": {"arg": {"name": "b_n"}, "buffer_name": "n", "persistent": true}}, {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
"output_specs": [{"buffer_mutation": {"arg": {"name": "add"}, "buffer_name": "n"}}, {"user_output": {"arg": {"as_tensor": {"name": "getitem_2"}}}}]}},
"range_constraints": {"s0": {"min_val": 2, "max_val": null}}, "schema_version": {"major": 8, "minor": 20}})json";
}
constexpr std::string_view printed = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[2, 2]", b_n: "f32[3]", x: "f32[s0, 2]"):
            # File: /a/model.py:7 in forward, code: self.n.add_(1e-5)
            add: "f32[3]" = torch.ops.aten.add.Tensor(b_n, 1e-05, alpha = 2)
            max_1 = torch.ops.aten.max.dim(x, -1, True)
            getitem: "f32[s0, 1]" = max_1[0]
            split = torch.ops.aten.split.Tensor(p_w, 1)
            getitem_1: "f32[1, 2]" = split[0]
            full: "b8[]" = torch.ops.aten.full.default([], True, dtype = torch.bool, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
            true_graph_0 = self.true_graph_0
            false_graph_0 = self.false_graph_0
            cond = torch.ops.higher_order.cond(full, true_graph_0, false_graph_0, [getitem_1])
            getitem_2: "f32[1, 2]" = cond[0]
            sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
            mul_1: "Sym((2*s0))" = sym_size_int * 2
            return (add, getitem_2)

        class true_graph_0(torch.nn.Module):
            def forward(self, w_1: "f32[1, 2]"):
                mul: "f32[1, 2]" = torch.ops.aten.mul.Tensor(w_1, w_1)
                return (mul,)

        class false_graph_0(torch.nn.Module):
            def forward(self, w_1: "f32[1, 2]"):
                neg: "f32[1, 2]" = torch.ops.aten.neg.default(w_1)
                return (neg,)

Graph signature:
    # inputs
    p_w: PARAMETER target='w'
    b_n: BUFFER target='n' persistent=True
    x: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='n'
    getitem_2: USER_OUTPUT

Range constraints: {s0: VR[2, int_oo]}
)fx";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const auto at = text.find(from);
    check(at != text.npos, std::string("the text has ") + std::string(from));
    return at == text.npos ? text : text.replace(at, from.size(), to);
}
std::string archive_of(const std::string& json, std::string_view format = "pt2") {
    return zip_of({{"net/models/model.json", json}, {"net/archive_format", std::string(format)}, {"net/byteorder", "little"}});
}

void program_is_that_of_its_text() {
    const auto archive = archive_of(model_json());
    std::string text;
    diagnosis d;
    check(frontend::print_pt2(archive, text, d), render(d));
    check_equal(text, printed);
    std::string strings;
    check(frontend::print_pt2(archive_of(replaced(model_json(), R"json({"as_int": 2}, "kind": 2)json", R"json({"as_string": "a'\n\"\u0001"}, "kind": 2)json")), strings, d), render(d));
    check(strings.find(R"fx(alpha = 'a\'\n"\x01'))fx") != strings.npos, strings);
    const symbol_value values[] = {{"s0", 4}};
    const auto made = inspect<frontend::pt2_importer>(archive, {}, {}, values), any = inspect<any_importer>(archive, {}, {}, values),
               expected = inspect_fx(printed, {}, {}, values);
    check(made.error.ok() && any.error.ok() && expected.error.ok(), render(made.error) + render(expected.error));
    const auto difference = ir::first_difference(made.captured(), expected.captured(), aten::registry::table);
    check(!difference.found, std::string(difference.what.view()));
    check(!ir::first_difference(made.captured(), any.captured(), aten::registry::table).found);
    check(made.plan_view().tasks.size() == expected.plan_view().tasks.size());
    for (node_id n : made.captured()) check(made.captured()[n].from.line == 0);
}

void check_refused(const std::string& archive, std::string_view words) {
    const symbol_value values[] = {{"s0", 4}};
    const auto made = inspect<frontend::pt2_importer>(archive, {}, {}, values);
    check(!made.error.ok() && made.error.line == 0, words);
    check(render(made.error).find(words) != std::string::npos, render(made.error));
}
void refusals() {
    const auto json = model_json();
    check_refused("no archive", "no end of the central directory");
    check_refused(archive_of(json, "aoti"), "archive_format pt2");
    check_refused(zip_of({{"net/archive_format", "pt2"}}), "models/model.json in the archive");
    check_refused(zip_of({{"net/archive_format", "pt2"}, {"net/byteorder", "big"}}), "byteorder little");
    check_refused(archive_of("{"), "is malformed");
    check_refused(archive_of(replaced(json, R"json({"as_ints": []})json", R"json({"as_ints": 3})json")), "expected a list, found 3");
    check_refused(archive_of(replaced(json, R"json("nodes": [)json", R"json("nodes": {}, "others": [)json")), "a list as 'nodes'");
    check_refused(archive_of(replaced(json, R"json({"name": "getitem_1"}]}, "kind": 1}], "outputs": [)json", R"json({"name": {}}]}, "kind": 1}], "outputs": [)json")), "a name of letters, digits and _");
    check_refused(archive_of(replaced(json, "false_graph_0", "true_graph_0")), "one graph of a name");
    check_refused(archive_of(R"json({"a": 1, "a": 2})json"), "once in an object");
    check_refused(archive_of(std::string(100, '[')), "nested at most 64 deep");
    check_refused(archive_of(replaced(json, R"json("major": 8)json", R"json("major": 9)json")), "schema version 8");
    check_refused(archive_of(replaced(json, R"json("schema_version")json", R"json("schema")json")), "'schema_version' in model.json");
    check_refused(archive_of(replaced(json, R"json("as_int": -1)json", R"json("as_custom_obj": -1)json")), "an argument that a text can say");
    check_refused(archive_of(replaced(json, R"json("as_scalar_type": 12)json", R"json("as_scalar_type": 9)json")), "ScalarType 9");
    check_refused(archive_of(replaced(json, R"json("as_layout": 7)json", R"json("as_layout": 1)json")), "a layout that a graph here may have");
    check_refused(archive_of(replaced(json, R"json({"name": "x"}}}}])json", R"json({"name": "x):"}}}}])json")), "a name of letters, digits and _");
    check_refused(archive_of(replaced(json, "Symbol('s0', integer=True)", "Symbol('s0'")), "an expression of symbols");
    check_refused(archive_of(replaced(json, "torch.ops.aten.neg.default", "torch.ops.aten.neg..default")), "a name of letters, digits and _");
    check_refused(archive_of(replaced(json, "torch.ops.aten.neg.default", "torch.ops.aten.no_such.default")), "no_such");
}

std::string config(std::string_view members) { return "{\"config\": {" + std::string(members) + "}}"; }
std::string entry(std::string_view name, std::string_view path, std::string_view sizes, std::string_view strides, std::string_view offset = "0", std::string_view pickled = "false") {
    const auto list = [](std::string_view all) {
        std::string out;
        for (const char c : all) out += (out.empty() ? "{\"as_int\": " : ", {\"as_int\": ") + std::string(1, c) + "}";
        return out;
    };
    return "\"" + std::string(name) + R"json(": {"path_name": ")json" + std::string(path) + R"json(", "use_pickle": )json" + std::string(pickled) + R"json(, "tensor_meta": {"dtype": 7, "sizes": [)json" + list(sizes) +
           R"json(], "strides": [)json" + list(strides) + R"json(], "storage_offset": {"as_int": )json" + std::string(offset) + "}}}";
}
void weights_of(std::string_view listed, std::string_view refusal, const auto& look) {
    const scratch_folder folder;
    const auto path = (folder.path / "net.pt2").string();
    const float numbers[] = {0, 1, 2, 3, 4, 5};
    std::string bytes(sizeof numbers, '\0');
    std::memcpy(bytes.data(), numbers, sizeof numbers);
    std::ofstream(path, std::ios::binary) << zip_of({{"net1/data/weights/weight_0", bytes},
                                                     {"net/data/weights/model_weights_config.json", config(listed)},
                                                     {"net/data/constants/model_constants_config.json", config("")},
                                                     {"net/archive_format", "pt2"}});
    weights out;
    diagnosis d;
    const bool ok = io::load_pt2_weights(path, out, d);
    check(ok == refusal.empty(), render(d));
    if (!ok) check(render(d).find(refusal) != std::string::npos, render(d));
    else look(out);
}
void weights_are_read() {
    const auto is = [](const weights& all, std::string_view name, std::vector<float> expected) {
        const auto* t = all.find(name);
        check(t && std::equal(t->as<float>().begin(), t->as<float>().end(), expected.begin(), expected.end()), name);
    };
    weights_of(entry("a", "weight_0", "23", "31") + ", " + entry("tied", "weight_0", "23", "31") + ", " + entry("turned", "weight_0", "32", "13") + ", " +
                   entry("inside", "weight_0", "2", "2", "1") + ", " + entry("spread", "weight_0", "22", "01") + ", " + entry("one", "weight_0", "", "", "5") + ", " + entry("first", "weight_0", "22", "21"),
               "", [&](const weights& all) {
                   check_equal(all.size(), std::size_t{7});
                   is(all, "a", {0, 1, 2, 3, 4, 5}), is(all, "turned", {0, 3, 1, 4, 2, 5}), is(all, "inside", {1, 3}), is(all, "spread", {0, 1, 0, 1}), is(all, "one", {5}), is(all, "first", {0, 1, 2, 3});
                   check(all.find("a")->bytes.data() == all.find("tied")->bytes.data(), "tied weights have the same bytes");
               });
    const auto nothing = [](const weights&) {};
    weights_of(entry("a", "weight_1", "23", "31"), "weight_1 in the archive", nothing);
    weights_of(entry("a", "weight_0", "23", "31", "0", "true"), "a pickled one", nothing);
    weights_of(entry("a", "weight_0", "33", "31"), "elements within the tensor's bytes", nothing);
    weights_of(entry("a", "weight_0", "23", "91"), "elements within the tensor's bytes", nothing);
    weights_of(entry("a", "weight_0", "23", "3"), "as many strides as sizes", nothing);
    weights_of(entry("a", "weight_0", "23", "31", "-1"), "a number of at least 0", nothing);
    weights_of(entry("a", "weight_0", "23", "31") + ", " + entry("a", "weight_0", "23", "31"), "once in an object", nothing);
}

} // namespace

int main() {
    program_is_that_of_its_text();
    refusals();
    weights_are_read();
    return report();
}
