// What is printed for people: the log of passes, exactly, at run time and at compile time, and graphs for dot.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/print_dot.hpp>
#include <ahead/print/print_passes.hpp>

#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

using reading = typed_reading<capacity{32, 120, 40}>;

template <class Passes>
constexpr auto logged(const Passes& passes, std::string_view text, const config& options = {}) {
    text_buffer<4096> out;
    reading r(text);
    if (r.error.ok()) print_passes(r.storage.view(), passes, options, op_rows, out, r.error);
    return out;
}

// x * 2 becomes x + x.
struct double_by_adding {
    static constexpr std::string_view name = "double_by_adding";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g) {
            if (!g.calls(n, "aten.mul.Scalar") || g.argument_of(n, 1).bits != 2) continue;
            const auto x = g.operand(n, 0);
            g.inserting_before(n);
            g.replace_all_uses_with(n, g.call("aten.add.Tensor", {x, x}));
            g.erase_node(n);
        }
    }
};

// ---- the log of passes

constexpr auto four_passes = pass::remove_noop_ops | pass::recompose | pass::eliminate_duplicates | pass::eliminate_dead_code;

constexpr std::string_view noops_and_dead_code = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x)
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(exp);  exp = None
        view: "f32[2, 3]" = torch.ops.aten.view.default(clone, [2, 3]);  clone = None
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = relu = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(view, 2);  view = None
        return (mul,)
)fx";
constexpr std::string_view log_of_noops_and_dead_code = R"log(original graph: 7 nodes
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x)
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(exp);  exp = None
        view: "f32[2, 3]" = torch.ops.aten.view.default(clone, [2, 3]);  clone = None
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = relu = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(view, 2);  view = None
        return (mul,)
remove_noop_ops: 7 -> 5 nodes, 4 changes: - aten.clone.default clone (line 4), - aten.view.default view (line 5)
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x)
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = relu = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(exp, 2);  exp = None
        return (mul,)
recompose: nothing to do
eliminate_duplicates: nothing to do
eliminate_dead_code: 5 -> 4 nodes, 1 change: - aten.relu.default relu (line 6)
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(exp, 2);  exp = None
        return (mul,)
)log";
static_assert(logged(four_passes, noops_and_dead_code).view() == log_of_noops_and_dead_code);

constexpr std::string_view plain = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]", y: "f32[2]"):
        sub: "f32[2]" = torch.ops.aten.sub.Tensor(x, x);  x = None
        return (sub,)
)fx";
constexpr std::string_view nothing_to_do = R"log(original graph: 4 nodes
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]", y: "f32[2]"):
        sub: "f32[2]" = torch.ops.aten.sub.Tensor(x, x);  x = None
        return (sub,)
remove_noop_ops: nothing to do
recompose: nothing to do
eliminate_duplicates: nothing to do
eliminate_dead_code: nothing to do
)log";
static_assert(logged(four_passes, plain).view() == nothing_to_do);

// The lines between the graphs.
template <class Passes>
std::string summary(const Passes& passes, std::string_view text, const config& options = {}) {
    const auto log = logged(passes, text, options);
    std::string out;
    for (auto rest = log.view(); !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
        const auto line = rest.substr(0, rest.find('\n') + 1);
        if (line[0] != ' ' && line.substr(0, 6) != "class ") out += line;
    }
    return out;
}

constexpr auto read_y = pass::named<"read_y">([](graph_editor& g, const config&) {
    const auto y = g[g.view().first()].next;
    g.replace_operand(g.find_node("aten.sub.Tensor"), 1, y);
});
constexpr auto drop_y = pass::named<"drop_y">([](graph_editor& g, const config&) { g.erase_node(g[g.view().first()].next); });
constexpr auto drop_sub = pass::named<"drop_sub">([](graph_editor& g, const config&) { g.erase_node(g.find_node("aten.sub.Tensor")); });
// What is made and erased within one pass was never there.
constexpr auto change_of_mind =
    pass::named<"change_of_mind">([](graph_editor& g, const config&) { g.erase_node(g.call("aten.exp.default", {g.view().first()})); });

// ---- a compiled program: its functional graph, its passes and options

struct in_place {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        relu_: "f32[2, 3]" = torch.ops.aten.relu_.default(exp);  exp = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(relu_, 2);  relu_ = None
        return (mul,)
)fx";
};
inline constexpr config my_tools_options{.eliminate_duplicates = false};
using my_tools = toolchain<>::with_post_pass<double_by_adding{}>::with_options<my_tools_options>;
using program = compiled<fx<in_place>, my_tools>;

constexpr std::string_view log_of_program = R"log(original graph: 5 nodes
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        relu_: "f32[2, 3]" = torch.ops.aten.relu.default(exp);  exp = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(relu_, 2);  relu_ = None
        return (mul,)
double_by_adding: 5 -> 5 nodes, 3 changes: - aten.mul.Scalar mul (line 5), + aten.add.Tensor add_5 (line 5)
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        relu_: "f32[2, 3]" = torch.ops.aten.relu.default(exp);  exp = None
        add_5: "f32[2, 3]" = torch.ops.aten.add.Tensor(relu_, relu_);  relu_ = None
        return (add_5,)
)log";
// Without the lines of passes that changed nothing.
constexpr auto program_log() {
    text_buffer<2048> log, out;
    print_passes<program>(log);
    for (auto rest = log.view(); !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
        if (const auto line = rest.substr(0, rest.find('\n') + 1); !line.ends_with(": nothing to do\n")) out.append(line);
    return out;
}
static_assert(program_log().view() == log_of_program);

// ---- graphs for dot

constexpr std::string_view parts = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 4]"):
        split = torch.ops.aten.split.Tensor(x, 2, 1);  x = None
        getitem: "f32[2, 2]" = split[0]
        getitem_1: "f32[2, 2]" = split[1];  split = None
        cat: "f32[6, 2]" = torch.ops.aten.cat.default([getitem_1, getitem, getitem_1]);  getitem_1 = getitem = None
        return (cat,)
)fx";
constexpr std::string_view dot_of_parts = R"dot(digraph {
    node [shape=box];
    n0 [label="x\nf32[2, 4]", shape=ellipse];
    n1 [label="split\nsplit.Tensor\nf32[2, 2], f32[2, 2]"];
    n0 -> n1;
    n2 [label="getitem\noperator.getitem\nf32[2, 2]"];
    n1 -> n2 [label="0"];
    n3 [label="getitem_1\noperator.getitem\nf32[2, 2]"];
    n1 -> n3 [label="1"];
    n4 [label="cat\ncat.default\nf32[6, 2]"];
    n3 -> n4;
    n2 -> n4;
    n3 -> n4;
    n5 [label="output", shape=doubleoctagon];
    n4 -> n5;
}
)dot";

constexpr auto dot_of(graph_view g) {
    text_buffer<4096> out;
    print_dot(g, out);
    return out;
}
constexpr auto dot_of_text(std::string_view text) {
    const reading r(text);
    return dot_of(r.storage.view());
}
static_assert(dot_of_text(parts).view() == dot_of_parts);

// Names and operators may be any text; nothing is typed yet.
constexpr auto dot_of_odd_names() {
    heap_storage storage(capacity{3, 2, 0});
    diagnosis d;
    node_id x, f;
    node made;
    made.kind = node_kind::placeholder;
    made.name = {"a\"b", 2};
    append_node(storage.edit(), made, x, d);
    made.kind = node_kind::call;
    made.name = {"c\\d", 0};
    made.target = "line\nline";
    const argument read[] = {argument::of(x)};
    insert_call(storage.edit(), made, read, {}, f, d);
    return dot_of(storage.view());
}
static_assert(dot_of_odd_names().view() == R"dot(digraph {
    node [shape=box];
    n0 [label="a\"b_2", shape=ellipse];
    n1 [label="c\\d\nline\nline"];
    n0 -> n1;
}
)dot");

inline constexpr auto product = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 4>> w) { return outputs(mm(x, w)); });

// A box for every live node and an arrow for every use.
void check_complete(graph_view g) {
    const auto out = dot_of(g);
    const auto has = [&](std::string_view text) { return out.view().find(text) != std::string_view::npos; };
    std::int32_t uses = 0, arrows = 0, boxes = 0;
    for (node_id id : g) {
        check(has("\n    n" + std::to_string(id.index) + " [label=\""));
        for (auto use = g[id].first_use; use.exists(); use = g[use].next_use)
            check(has("\n    n" + std::to_string(id.index) + " -> n" + std::to_string(g[use].owner.index)));
        uses += g[id].use_count;
    }
    for (std::size_t at = 0; at < out.size; ++at) {
        const auto rest = out.view().substr(at);
        arrows += rest.substr(0, 5) == " -> n";
        boxes += rest.substr(0, 5) == "\n    " && rest.substr(0, rest.find('\n', 1)).find(" -> ") == rest.npos;
    }
    check_equal(arrows, uses);
    check_equal(boxes, g.header().live_nodes + 1); // "node [shape=box]" is a line as well
    check_equal(out.lost, 0u);
}

} // namespace

int main() {
    // At run time as at compile time.
    std::string out;
    reading r(noops_and_dead_code);
    check(print_passes(r.storage.view(), four_passes, config{}, op_rows, out, r.error));
    check_equal(out, log_of_noops_and_dead_code);
    check_equal(r.storage.header.live_nodes, 7); // the passes had a copy

    // What is removed and what is made; a pass that is off; one pass alone.
    check_equal(summary(four_passes | double_by_adding{}, noops_and_dead_code),
                "original graph: 7 nodes\n"
                "remove_noop_ops: 7 -> 5 nodes, 4 changes: - aten.clone.default clone (line 4), - aten.view.default view (line 5)\n"
                "recompose: nothing to do\n"
                "eliminate_duplicates: nothing to do\n"
                "eliminate_dead_code: 5 -> 4 nodes, 1 change: - aten.relu.default relu (line 6)\n"
                "double_by_adding: 4 -> 4 nodes, 3 changes: - aten.mul.Scalar mul (line 7), + aten.add.Tensor add_7 (line 7)\n");
    check_equal(summary(double_by_adding{} | four_passes, noops_and_dead_code, config{.remove_noop_ops = false}),
                "original graph: 7 nodes\n"
                "double_by_adding: 7 -> 7 nodes, 3 changes: - aten.mul.Scalar mul (line 7), + aten.add.Tensor add_7 (line 7)\n"
                "recompose: nothing to do\n"
                "eliminate_duplicates: nothing to do\n"
                "eliminate_dead_code: 7 -> 6 nodes, 1 change: - aten.relu.default relu (line 6)\n");
    check_equal(summary(read_y, plain), "original graph: 4 nodes\nread_y: 4 -> 4 nodes, 1 change\n");
    check_equal(summary(drop_y, plain), "original graph: 4 nodes\ndrop_y: 4 -> 3 nodes, 1 change: - placeholder y (line 2)\n");
    check_equal(summary(change_of_mind, plain), "original graph: 4 nodes\nchange_of_mind: 4 -> 4 nodes, 2 changes\n");
    // Each pass is compared with what the one before it left.
    check_equal(summary(drop_y | double_by_adding{} | change_of_mind, plain), "original graph: 4 nodes\n"
                                                                              "drop_y: 4 -> 3 nodes, 1 change: - placeholder y (line 2)\n"
                                                                              "double_by_adding: nothing to do\n"
                                                                              "change_of_mind: 3 -> 3 nodes, 2 changes\n");

    // A refusal: the log ends before it, the diagnosis names the pass.
    reading bad(plain);
    out.clear();
    check(!print_passes(bad.storage.view(), four_passes | drop_sub | read_y, config{}, op_rows, out, bad.error));
    check_equal(out, nothing_to_do);
    check_fault(bad.error, {.what = fault::node_is_in_use, .words = ", in the pass drop_sub"});

    check_equal(program_log().view(), log_of_program);

    check_equal(dot_of_text(parts).view(), dot_of_parts);
    check_equal(dot_of(compiled<product>::lowered_graph()).view(), R"dot(digraph {
    node [shape=box];
    n0 [label="x\nf32[2, 3]", shape=ellipse];
    n1 [label="p_w\nf32[3, 4]", shape=cylinder];
    n2 [label="mm\nnpu.pack_matmul\npacked"];
    n1 -> n2;
    n3 [label="mm\nnpu.matmul\nf32[2, 4]"];
    n0 -> n3;
    n2 -> n3;
    n4 [label="output", shape=doubleoctagon];
    n3 -> n4;
}
)dot");
    check_complete(reading(parts).storage.view());
    check_complete(reading(noops_and_dead_code).storage.view());
    check_complete(program::captured());
    check_complete(program::optimized_graph());
    check_complete(program::lowered_graph());
    check_complete(compiled<product>::lowered_graph());
    return report();
}
