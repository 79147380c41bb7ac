// Graphs compiled from the text of a GraphDef: the plans and the bits of the FX text that they were printed from, at compile time and at run time; texts
// that are refused, with their lines.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "harness.hpp"
#include "random_graph.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/dynamic/bounded/compiled_bounded.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/frontend/any_importer.hpp>
#include <ahead/print/print_coverage.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

// fault: text_has_another_format

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;
static_assert(importer<fx_importer> && importer<pbtxt_importer> && importer<any_importer>);

// ---- sources

/// The typed graph of Source as a GraphDef.
template <class Source> struct as_pbtxt {
    using importer = pbtxt_importer;
    static constexpr auto printed = [] {
        text_buffer<16'384> out;
        print_pbtxt(fx_graph<Source>::storage.view(), op_rows, out);
        return out;
    }();
    static constexpr std::string_view text = printed.view();
};
/// The graph of Source before it is typed, with its symbols.
template <class Source> struct as_untyped_pbtxt {
    using importer = pbtxt_importer;
    static constexpr auto printed = [] {
        text_buffer<16'384> out;
        print_pbtxt(parsed_fx<Source, aten::registry>::storage.view(), op_rows, out);
        return out;
    }();
    static constexpr std::string_view text = printed.view();
};

// Several results, one of them read; views; strides; a comment with quotes; weights; a write; None.
struct mixed {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[6, 4]", b_m: "f32[4, 6]", x: "f32[4, 6]"):
            # File: a.py:3, code: x["a"] + 'b'
            t: "f32[4, 6][1, 4]" = torch.ops.aten.permute.default(p_w, [1, 0]);  p_w = None
            add: "f32[4, 6]" = torch.ops.aten.add.Tensor(x, t, alpha = 2);  t = None
            split = torch.ops.aten.split.Tensor(add, 2, 1);  add = None
            getitem: "f32[4, 2]" = split[2];  split = None
            topk = torch.ops.aten.topk.default(x, 2)
            getitem_1: "f32[4, 2]" = topk[0]
            getitem_2: "i64[4, 2]" = topk[1];  topk = None
            mul: "f32[4, 2]" = torch.ops.aten.mul.Tensor(getitem, getitem_1);  getitem = getitem_1 = None
            add_1: "f32[4, 6]" = torch.ops.aten.add.Tensor(b_m, x);  b_m = x = None
            return (add_1, mul, getitem_2)

Graph signature: 
    # inputs
    p_w: PARAMETER target='fc.w'
    b_m: BUFFER target='bn.m' persistent=True
    x: USER_INPUT

    # outputs
    add_1: BUFFER_MUTATION target='bn.m'
    mul: USER_OUTPUT
    getitem_2: USER_OUTPUT

Range constraints: {}

)fx";
};
struct open_size {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[s0, 4]", w: "f32[4, 4]"):
    mm: "f32[s0, 4]" = torch.ops.aten.mm.default(x, w)
    relu: "f32[s0, 4]" = torch.ops.aten.relu.default(mm)
    return (relu,)
)fx";
    static constexpr fx_input inputs[] = {{"w", "fc.w"}};
};
struct open_pbtxt : as_untyped_pbtxt<open_size> {
    static constexpr input_description inputs[] = {{"w", "fc.w"}};
};

// ---- while compiling

using of_fx = compiled<fx<mixed>>;
using of_pbtxt = compiled<pbtxt<as_pbtxt<mixed>>>;
static_assert(of_fx::planned.summary == of_pbtxt::planned.summary && of_fx::plan.makespan == of_pbtxt::plan.makespan);
static_assert(of_pbtxt::plan.state_bytes > 0 && of_pbtxt::plan.parameters == of_fx::plan.parameters);

constexpr bool is_same_plan(plan_view a, plan_view b) {
    return a.summary == b.summary && std::ranges::equal(a.tasks, b.tasks) && std::ranges::equal(a.placements, b.placements) &&
           std::ranges::equal(a.copies, b.copies) && std::ranges::equal(a.syncs, b.syncs);
}
// Untyped, too: no _output_shapes, and an edge from a result that no type counts.
using of_untyped = compiled<pbtxt<as_untyped_pbtxt<mixed>>>;
static_assert(of_fx::planned.summary == of_untyped::planned.summary);

void same_bits() {
    check(is_same_plan(of_fx::plan_view(), of_pbtxt::plan_view()) && is_same_plan(of_fx::plan_view(), of_untyped::plan_view()));
    std::array<float, 24> w{}, m{}, x{};
    for (std::size_t i = 0; i < 24; ++i) {
        const auto f = static_cast<float>(i);
        w[i] = f * 0.3f - 2, m[i] = 5 - f * f, x[i] = static_cast<float>((i * 7) % 24) * 0.37f;
    }
    weights given;
    given.add("fc.w", dtype::f32, {6, 4}, std::as_bytes(std::span(w)));
    given.add("bn.m", dtype::f32, {4, 6}, std::as_bytes(std::span(m)));
    const auto run_once = [&]<class Program>(std::type_identity<Program>) {
        const auto prepared = Program::prepare(given);
        typename Program::session run{prepared};
        std::vector<float> out;
        {
            const auto [product, indices] = run(x);
            out.assign(product.begin(), product.end());
            for (auto i : indices) out.push_back(static_cast<float>(i));
        }
        const auto state = run.template state<"bn.m">();
        out.insert(out.end(), state.begin(), state.end());
        return out;
    };
    const auto expected = run_once(std::type_identity<of_fx>{});
    check_equal(expected.size(), std::size_t{8 + 8 + 24});
    check(run_once(std::type_identity<of_pbtxt>{}) == expected);
    check(run_once(std::type_identity<of_untyped>{}) == expected);
}

// ---- symbols

using of_gears = compiled_gears<open_pbtxt, gears<"s0", 2, 6>>;
static_assert(of_gears::program<1>::planned.summary == compiled_gears<open_size, gears<"s0", 2, 6>>::program<1>::planned.summary);
using of_bound = compiled_bounded<open_pbtxt, bound<"s0", 8>>;
static_assert(of_bound::program::planned.summary == compiled_bounded<open_size, bound<"s0", 8>>::program::planned.summary);
static_assert(of_bound::least == 1);

/// A symbol as the name of a dim.
constexpr std::string_view named_dim = R"pb(node {
  name: "x"
  op: "Placeholder"
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 name: "s0" } dim { size: 3 } } } } }
  attr { key: "_output_types" value { list { type: DT_FLOAT } } }
}
node {
  name: "relu"
  op: "aten.relu.default"
  input: "x"
  attr { key: "self" value { placeholder: "0" } }
}
node {
  name: "output"
  op: "NetOutput"
  input: "relu"
  attr { key: "arg0" value { placeholder: "0" } }
}
)pb";
struct named_dim_source {
    using importer = pbtxt_importer;
    static constexpr std::string_view text = named_dim;
    static constexpr symbol_value symbols[] = {{"s0", 5}};
};
static_assert(compiled<pbtxt<named_dim_source>>::input_port<0>::type.size(0) == 5);

void open_sizes() {
    check_equal(sentence(inspect<pbtxt_importer>(named_dim).error),
                "line 3: 'x': dimension is dynamic: expected constant sizes: numbers for its symbols (gears), or an export without "
                "dynamic_shapes, found f32[s0, 3]");
    constexpr symbol_value four[] = {{"s0", 4}}, other[] = {{"s1", 4}};
    const auto made = inspect<pbtxt_importer>(named_dim, {}, {}, four);
    check(made.error.ok() && made.plan().peak_bytes >= 4 * 3 * 4, render(made.error));
    check_equal(sentence(inspect<pbtxt_importer>(named_dim, {}, {}, other).error),
                "symbol is unknown: expected a symbol of the text, such as s0, found s1");
    // a number that is given at each run
    constexpr std::string_view text = "def forward(self, n: \"Sym(s1)\", x: \"f32[4]\"):\n    add: \"f32[4]\" = torch.ops.aten.add.Scalar(x, n)\n    return (add,)\n";
    constexpr symbol_value host[] = {host_symbol("s1")};
    std::string printed;
    const auto of_text = inspect_fx(text, {}, {}, host);
    print_pbtxt(inspect_fx(text, {}, {}, host, [](inspect_stage) {}, inspect_stage::parse).captured(), op_rows, printed);
    const auto of_host = inspect<pbtxt_importer>(printed, {}, {}, host);
    check(of_text.error.ok() && of_host.error.ok() && is_same_plan(of_text.plan_view(), of_host.plan_view()), render(of_host.error));
    // a text without symbols
    check_equal(sentence(inspect<pbtxt_importer>(as_pbtxt<mixed>::text, {}, {}, four).error), "symbol is unknown: expected a text with symbols, found s0");
}

// ---- at run time

/// The plan of FX text, and of its graph as a pbtxt before and after typing; each by the importer of its format and by that of any.
void same_plans(std::string_view text) {
    const auto made = inspect_fx(text);
    if (!check(made.error.ok(), render(made.error))) return;
    std::string untyped, typed;
    const auto parsed = inspect_fx(text, {}, {}, {}, [](inspect_stage) {}, inspect_stage::parse);
    print_pbtxt(parsed.captured(), op_rows, untyped);
    print_pbtxt(made.captured(), op_rows, typed);
    for (const auto& printed : {untyped, typed}) {
        const auto again = inspect<pbtxt_importer>(printed), any = inspect<any_importer>(printed);
        if (!check(again.error.ok() && any.error.ok(), render(again.error) + "\n" + printed)) return;
        check(is_same_plan(made.plan_view(), again.plan_view()) && is_same_plan(made.plan_view(), any.plan_view()), printed);
        check(made.timeline == again.timeline && again.notes.names_writes);
        std::string rows, same;
        print_coverage(made.captured(), op_rows, rows);
        print_coverage(again.captured(), op_rows, same);
        check_equal(same, rows);
    }
    check(is_same_plan(made.plan_view(), inspect<any_importer>(text).plan_view()));
}

// Calls of many results of which one is read: typing has room for all of them, though an untyped text counts none.
void many_results() {
    for (const int parts : {2, 8, 12}) {
        const auto last = std::to_string(parts - 1);
        std::string text = "def forward(self, x : f32[24]):\n", printed;
        for (int i = 0; i < 60; ++i) {
            const auto n = std::to_string(i);
            text += "    split_" + n + " = torch.ops.aten.split.Tensor(x, " + std::to_string(24 / parts) + ")\n    part_" + n + " = split_" + n + "[" +
                    (i % 2 == 0 ? last : "0") + "]\n";
        }
        text += "    return (part_0, part_1)\n";
        print_pbtxt(inspect_fx(text, {}, {}, {}, [](inspect_stage) {}, inspect_stage::parse).captured(), op_rows, printed);
        const auto made = inspect<pbtxt_importer>(printed);
        check(made.error.ok(), render(made.error));
    }
}

// ---- refusals

constexpr std::string_view small = R"pb(node {
  name: "x"
  op: "Placeholder"
  attr { key: "_output_shapes" value { list { shape { dim { size: 4 } dim { size: 6 } } } } }
  attr { key: "_output_types" value { list { type: DT_FLOAT } } }
}
node {
  name: "split"
  op: "aten.split.Tensor"
  input: "x"
  attr { key: "_line" value { i: 99 } }
  attr { key: "self" value { placeholder: "0" } }
  attr { key: "split_size" value { i: 3 } }
  attr { key: "dim" value { i: 1 } }
}
node {
  name: "getitem"
  op: "operator.getitem"
  input: "split:1"
  attr { key: "_annotation" value { s: "f32[4, 3]" } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 4 } dim { size: 3 } } } } }
  attr { key: "_output_types" value { list { type: DT_FLOAT } } }
  attr { key: "_output_strides" value { list { shape { dim { size: 6 } dim { size: 1 } } } } }
  attr { key: "results" value { placeholder: "0" } }
  attr { key: "index" value { i: 1 } }
}
node {
  name: "output"
  op: "NetOutput"
  input: "getitem"
  attr { key: "arg0" value { placeholder: "0" } }
}
)pb";
std::string changed(std::string_view from, std::string_view to) {
    std::string text(small);
    const auto at = text.find(from);
    check(at != text.npos, from);
    return text.replace(at, from.size(), to);
}
void refused(const std::string& text, std::string_view expected, const location& where = location::current()) {
    const auto made = inspect<pbtxt_importer>(text);
    check_equal(sentence(made.error), expected, where);
}
void refusals() {
    check(inspect<pbtxt_importer>(small).error.ok(), render(inspect<pbtxt_importer>(small).error));
    // the type of a call is compared with inference; the line is the operator's in this text, not that of _line
    refused(changed("split:1", "split:2"), "line 26: operator.getitem 'getitem': text is malformed: expected result 1 as input, found 2");
    refused(changed("i: 3", "i: 2"), "line 18: operator.getitem 'getitem': annotation differs from inference: expected 2 in dim 1: f32[4, 2][6, 1], "
                                     "found 3 in dim 1: f32[4, 3][6, 1]");
    refused(changed("size: 6 } dim { size: 1", "size: 3 } dim { size: 1"),
            "line 18: operator.getitem 'getitem': annotation differs from inference: expected stride 6 in dim 0: f32[4, 3][6, 1], "
            "found stride 3 in dim 0: f32[4, 3][3, 1]");
    refused(changed("f32[4, 3]", "f32[3, 4]"),
            "line 26: operator.getitem 'getitem': text is malformed: expected the same type in _annotation and _output_shapes, found f32[3, 4]");
    refused(changed("f32[4, 3]", "f32[s0, 3]"),
            "line 26: operator.getitem 'getitem': text is malformed: expected the same type in _annotation and _output_shapes, found f32[s0, 3]");
    refused(changed("aten.split.Tensor", "npu.matmul"), "line 9: 'split': operator npu.matmul is unknown: expected a registered operator, or your own, given to the registry, found npu.matmul");
    refused(changed("input: \"x\"", "input: \"y\""), "line 10: aten.split.Tensor: name 'split' is undefined: expected the name of a node above, found y");
    refused(changed("operator.getitem", "aten.relu.default"),
            "line 19: aten.relu.default 'getitem': result is not a tensor: expected operator.getitem, which picks one of several results, found split:1");
    refused(changed("size: 4 }", "size: -1 }"), "line 4: Placeholder 'x': dimension is dynamic: expected a size of at least 0, found -1");
    refused(changed("size: 3 }", "size: 3 name: \"s0\" }"),
            "line 26: operator.getitem 'getitem': text is malformed: expected sizes without symbols beside _output_strides, found a symbol");
    refused(changed("size: 1 }", "size: 1 name: \"s0\" }"), "line 23: operator.getitem 'getitem': text is malformed: expected a stride, found s0");
    refused(changed("DT_FLOAT } } }\n}", "DT_FLOAT } } }\n  attr { key: \"_output_offsets\" value { list { i: 2 } } }\n}"),
            "line 7: Placeholder 'x': text is malformed: expected an input that begins at its first element, not packed, "
            "found _output_offsets or _output_packed");
    refused(changed("  attr { key: \"_output_types\" value { list { type: DT_FLOAT } } }\n", ""),
            "line 5: Placeholder 'x': text is malformed: expected 0 shapes, found 1");
    refused(changed("  attr { key: \"_output_shapes\" value { list { shape { dim { size: 4 } dim { size: 6 } } } } }\n"
                    "  attr { key: \"_output_types\" value { list { type: DT_FLOAT } } }\n", ""),
            "line 3: 'x': input type is missing: expected a type such as f32[2, 3], found none");
    refused(std::string(small.substr(0, small.size() - 30)), "line 31: NetOutput 'output': text is malformed: expected 'value {', found 'v'");
    constexpr input_description unknown[] = {{"w", "fc.w"}};
    check_equal(sentence(inspect<pbtxt_importer>(small, {}, unknown).error),
                "parameter 'w' is not a placeholder: expected a placeholder of the graph, found w");

    // the format of another importer, or of none
    refused(std::string(open_size::text), "text has another format: expected a pbtxt, found FX text: fx<source>, inspect_fx(text)");
    check_equal(sentence(inspect_fx(small).error), "text has another format: expected FX text, found a pbtxt: pbtxt<source>, inspect<pbtxt_importer>(text)");
    check(inspect_fx(small).error.what == fault::text_has_another_format);
    check_equal(sentence(inspect_fx("# a comment\n\n" + std::string(small)).error),
                "text has another format: expected FX text, found a pbtxt: pbtxt<source>, inspect<pbtxt_importer>(text)");
    for (std::string_view neither : {"", "hello\n", "nodes: 3\n"})
        check(inspect<any_importer>(neither).error.what == fault::text_is_not_a_graph, neither);
    refused("hello\n", "line 1: text is malformed: expected 'node {', found the end of the line");
    check(inspect<any_importer>(changed("input: \"x\"", "input: \"y\"")).error.what == fault::name_is_undefined);
}

// An operator that the registry lacks is a row of the coverage; its readers have the types that the text states.
void unknown_operator() {
    const auto made = inspect<pbtxt_importer>(changed("aten.split.Tensor", "GatherV2"));
    check(made.error.what == fault::operator_is_unknown && made.stage == inspect_stage::infer);
    std::string rows;
    print_coverage(made.captured(), op_rows, rows);
    check(rows.find("GatherV2\tmissing\t1\t1 x (f32[4, 6])\t1 x (?)\toperator_is_unknown, line 9\n") != rows.npos, rows);
}

// ---- an importer of one's own: FX text that is stored backwards, so that no name of the graph is a part of the text

constexpr bool is_backwards(std::string_view text) { return text.ends_with("fed"); }
constexpr text_format backwards_format{"FX text, backwards", "backwards<source>", is_backwards};
struct backwards_importer {
    static constexpr const text_format& format = backwards_format;
    static constexpr import_room count(std::string_view text) {
        const std::string forwards(text.rbegin(), text.rend());
        return {count_fx(forwards), static_cast<std::int32_t>(text.size())};
    }
    static constexpr bool read(std::string_view text, op_table table, graph g, array_view<char> characters, import_notes& notes, diagnosis& d) {
        for (std::size_t i = 0; i < text.size(); ++i) characters[i] = text[text.size() - 1 - i];
        return fx_importer::read({characters.data(), text.size()}, table, g, {}, notes, d);
    }
};
static_assert(importer<backwards_importer>);
struct backwards {
    static constexpr auto reversed = [] {
        std::array<char, open_size::text.size()> out{};
        std::reverse_copy(open_size::text.begin(), open_size::text.end(), out.begin());
        return out;
    }();
    using importer = backwards_importer;
    static constexpr std::string_view text{reversed.data(), reversed.size()};
    static constexpr input_description inputs[] = {{"w", "fc.w"}};
};
static_assert(compiled_gears<backwards, gears<"s0", 2, 6>>::program<1>::planned.summary == of_gears::program<1>::planned.summary);

void own_importer() {
    constexpr symbol_value four[] = {{"s0", 4}};
    const auto made = inspect<backwards_importer>(backwards::text, {}, backwards::inputs, four), fx = inspect_fx(open_size::text, {}, open_size::inputs, four);
    check(made.error.ok() && is_same_plan(made.plan_view(), fx.plan_view()), render(made.error));
    check_equal(sentence(inspect<backwards_importer>(small).error),
                "text has another format: expected FX text, backwards, found a pbtxt: pbtxt<source>, inspect<pbtxt_importer>(text)");
}

} // namespace

int main() {
    same_bits();
    open_sizes();
    same_plans(mixed::text);
    for (auto text : exported_printouts) same_plans(text);
    for (std::uint64_t seed = 0; seed < 40 && failed == 0; ++seed) {
        const auto made = write_graph(seed);
        same_plans({made.text.data(), made.size});
    }
    many_results();
    refusals();
    unknown_operator();
    own_importer();
    return report();
}
