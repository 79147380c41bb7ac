// Blocks under edits and passes, in every printer, and refused where their programs are not made.
// fault: control_flow_is_not_run
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "nested_blocks.hpp"
#include "rendered.hpp"

#include <ahead/frontend/pbtxt/read_pbtxt.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/builtin.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>
#include <ahead/print/print_coverage.hpp>
#include <ahead/print/print_dot.hpp>
#include <ahead/print/print_passes.hpp>

using namespace ahead;
using namespace test;
using namespace test::nested_blocks;

namespace {

// ---- edits

constexpr pass::pipeline<pass::eliminate_dead_code_pass> dead_code;
constexpr pass::pipeline<pass::eliminate_duplicates_pass> duplicates;

// Whether a pass may go over it, what it left, and that the graph is whole.
template <class Pipeline>
void check_becomes(Pipeline passes, std::string_view text, std::string_view wanted, location where = location::current()) {
    check(pass::any_applies(passes, config{}, reading(text).storage.view(), op_rows) == (text != wanted), "applies", where);
    heap_storage storage(pass::room_for_passes(passes, reading(text).storage.view(), op_rows, reading(text).storage.header.used));
    copy_graph(reading(text).storage.view(), storage.edit());
    diagnosis d;
    fx_style style = reading(text).style;
    style.types = fx_types::inferred;
    check(pass::run(passes, config{}, storage.edit(), op_rows, d) && verify(storage.view(), d), render(d), where);
    check_equal(printed(storage.view(), style), wanted, where);
}

struct transpose_operand {
    static constexpr std::string_view name = "transpose_operand";
    constexpr void operator()(graph_editor& g, const config&) const {
        if (const auto neg = g.find_node("aten.neg.default"); neg.exists()) g.replace_all_uses_with(neg, g.find_node("aten.t.default"));
    }
};

void check_edits() {
    const auto without_relu = replaced(nested, "            relu: \"f32[3]\" = torch.ops.aten.relu.default(x);  x = relu = None\n", "");
    check_becomes(dead_code, nested, without_relu);
    check_becomes(dead_code, without_relu, without_relu);
    {
        // Nobody reads what the call gives: it goes, and its blocks with it.
        const auto unread = replaced(nested, "add.Tensor(getitem, getitem_1);  getitem = getitem_1 = None", "add.Tensor(x, y)");
        reading r(unread);
        diagnosis d;
        check(r.error.ok(), render(r.error));
        check(pass::run(dead_code, config{}, r.storage.edit(), op_rows, d) && verify(r.storage.view(), d), render(d));
        check_equal(r.storage.view().header().live_nodes, 6);
        check(r.storage.view().header().blocks == 0 && !r.storage.view().inside(no).first().exists());
        // But for what a block does besides.
        const auto printing =
            replaced(unread, "sum_1: \"f32[]\" = torch.ops.aten.sum.default(y);  y = None",
                     "print_1 = torch.ops.air.print.default([y], '{}', '{}', 3)\n                sum_1 = torch.ops.aten.sum.default(y)");
        reading prints(printing);
        check(prints.error.ok(), render(prints.error));
        check(pass::run(dead_code, config{}, prints.storage.edit(), op_rows, d), render(d));
        check(named(prints.storage.view(), "cond").exists() && named(prints.storage.view(), inner_no, "print_1").exists());
        check(!named(prints.storage.view(), no, "relu").exists());
    }
    // The same call in the graph and in a branch, and twice in a branch: one branch's are one.
    const auto many = replaced(nested,
                               "            relu: \"f32[3]\" = torch.ops.aten.relu.default(x);  x = relu = None\n            sum_1: "
                               "\"f32[]\" = torch.ops.aten.sum.default(y);  y = None",
                               "            cos_1: \"f32[3]\" = torch.ops.aten.cos.default(y);  y = None\n"
                               "            sum_1: \"f32[]\" = torch.ops.aten.sum.default(cos_1);  cos_1 = None");
    const auto one = replaced(replaced(replaced(many, "            cos_1: \"f32[3]\" = torch.ops.aten.cos.default(y);  y = None\n", ""),
                                       "sum.default(cos_1);  cos_1 = None", "sum.default(cos)"),
                              "cos.default(y)\n", "cos.default(y);  y = None\n");
    check_becomes(duplicates, many, one);
    {
        // Random numbers are drawn where they stand.
        const auto drawn = replaced(
            many, "cos_1: \"f32[3]\" = torch.ops.aten.cos.default(y);  y = None",
            "rand: \"f32[3]\" = torch.ops.aten.rand.default([3])\n            rand_1: \"f32[3]\" = torch.ops.aten.rand.default([3])\n"
            "            cos_1: \"f32[3]\" = torch.ops.aten.add.Tensor(rand, rand_1);  y = rand = rand_1 = None");
        reading r(drawn);
        diagnosis d;
        check(r.error.ok() && pass::run(duplicates, config{}, r.storage.edit(), op_rows, d), render(r.error) + render(d));
        check(named(r.storage.view(), no, "rand_1").exists());
    }
    {
        // An operand with other strides: the branches are typed again, and what the text says of them is forgotten.
        reading r(R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 2]", p: "b8[]"):
        t: "f32[2, 2]" = torch.ops.aten.t.default(x)
        neg: "f32[2, 2]" = torch.ops.aten.neg.default(x)
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [neg])
        getitem: "f32[2, 2][2, 1]" = cond[0]
        return (getitem, t)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[2, 2][2, 1]"):
            sin: "f32[2, 2][2, 1]" = torch.ops.aten.sin.default(x)
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[2, 2][2, 1]"):
            cos: "f32[2, 2][2, 1]" = torch.ops.aten.cos.default(x)
            return (cos,)
)fx");
        diagnosis d;
        const auto g = r.storage.edit();
        check(r.error.ok() && pass::run(pass::pipeline<transpose_operand>{}, config{}, g, op_rows, d), render(r.error) + render(d));
        for (auto [b, name] : {std::pair{block_id{4}, "sin"}, {block_id{5}, "cos"}, {whole, "getitem"}})
            check_equal(print(g.value_of(named(g, b, name)).type, true).view(), "f32[2, 2][1, 2]");
    }
    {
        // Results with other strides: what reads them in the graph is typed again.
        reading r(R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 2]", p: "b8[]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x])
        getitem: "f32[2, 2][2, 1]" = cond[0]
        relu: "f32[2, 2][2, 1]" = torch.ops.aten.relu.default(getitem)
        return (relu,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[2, 2]"):
            t: "f32[2, 2]" = torch.ops.aten.t.default(x)
            neg: "f32[2, 2]" = torch.ops.aten.neg.default(x)
            sin: "f32[2, 2]" = torch.ops.aten.sin.default(neg)
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[2, 2]"):
            t: "f32[2, 2]" = torch.ops.aten.t.default(x)
            neg: "f32[2, 2]" = torch.ops.aten.neg.default(x)
            cos: "f32[2, 2]" = torch.ops.aten.cos.default(neg)
            return (cos,)
)fx");
        diagnosis d;
        const auto g = r.storage.edit();
        check(r.error.ok() && pass::run(pass::pipeline<transpose_operand>{}, config{}, g, op_rows, d), render(r.error) + render(d));
        for (auto name : {"cond", "getitem", "relu"}) check_equal(print(g.value_of(named(g, name)).type, true).view(), "f32[2, 2][1, 2]");
    }
    {
        // Appended by hand: a block is built as a graph is, and erased with its call.
        reading r(nested);
        const auto g = r.storage.edit();
        diagnosis d;
        block_id more;
        const auto used = g.header().used;
        heap_storage larger({used.nodes + 3, used.arguments + 8, used.values + 4});
        copy_graph(g, larger.edit());
        const auto in = larger.edit();
        d = {};
        node call;
        call.name = {"invoke"};
        call.op = find_op(op_rows, "aten.relu.default");
        id_range<argument_id> given;
        node_id holder, output;
        check(reserve_arguments(in, 1, given, d));
        call.arguments = given;
        check(insert_node(in, call, in.last(), holder, d));
        in[given[0]].owner = holder;
        node head;
        head.name = {"made"};
        head.target = "made";
        check(append_block(in, head, given[0], more, d) && in.header().blocks == 5);
        node end;
        end.kind = node_kind::output;
        check(append_node(in.inside(more), end, output, d) && verify(in, d), render(d));
        check(!append_block(in, head, given[0], more, d));
        check_fault(d, {fault::graph_exceeds_capacity});
        d = {};
        check_equal(in.header().live_nodes, all_nodes + 2);
        erase(in, holder);
        check(verify(in, d) && in.header().blocks == 4 && in.header().live_nodes == all_nodes, render(d));
        check(structurally_equal(in, g, op_rows));
    }
}

// ---- printers

void check_printers() {
    const reading r(nested);
    const auto g = r.storage.view();
    std::string out;
    print_dot(g, out);
    std::size_t boxes = 0;
    for (auto at = out.find("[label=\""); at != out.npos; at = out.find("[label=\"", at + 1))
        boxes += out.compare(at + 8, 1, "0") != 0 && out.compare(at + 8, 1, "1") != 0;
    check_equal(boxes, static_cast<std::size_t>(all_nodes));
    check(out.find("    subgraph cluster16 {\n    label=\"true_graph_0\";\n") != out.npos && out.find(" [style=dotted];\n") != out.npos,
          out);

    out.clear();
    print_pbtxt(g, op_rows, out);
    check(out.find("library {\n  function {\n    signature {\n      name: \"true_graph_0.5\"\n    }\n    node_def {\n") != out.npos, out);
    check(out.find("s: \"false_graph_0.17\"") != out.npos);
    const pbtxt_graph again(out, op_rows);
    check_fault(again.error, {fault::control_flow_is_not_run});
    diagnosis d;

    out.clear();
    print_coverage(g, op_rows, out);
    check(out.find("higher_order.cond\tsupported\t2\t") != out.npos, out);
    check(out.find("aten.sum.default\tsupported\t3\t") != out.npos && out.find("aten.cos.default\t") != out.npos, out);

    out.clear();
    check(print_passes(g, dead_code, config{}, op_rows, out, d = {}), render(d));
    check(out.starts_with("original graph: 33 nodes\n") &&
              out.find("eliminate_dead_code: 33 -> 32 nodes, 1 change: - aten.relu.default relu (line 35)\n") != out.npos,
          out);
}

// ---- what runs them only where their programs are made

void check_not_run() {
    // fault: control_flow_is_not_run
    constexpr std::string_view sentence =
        "line 6: higher_order.cond 'cond': control flow is not run: expected no branches and loops, found a call that holds true_graph_0 false_graph_0";
    const reading r(nested);
    const auto g = r.storage.view();
    diagnosis d;
    heap_storage device(convert::usual_lowered_capacity(g));
    using tools = toolchain<>;
    check(!convert::lower_graph(g, op_rows, tools::converters::table, device.edit(), tools::device_registry::table, tools::options, d));
    check_fault(d, {fault::control_flow_is_not_run});
    check_equal(test::sentence(d), sentence);

    d = {};
    plan_storage<capacity{48, 128, 96}> plan;
    check(!check_plan(g, {}, plan.view(), d));
    check_equal(test::sentence(d), sentence);
}

} // namespace

int main() {
    check_edits();
    check_printers();
    check_not_run();
    return report();
}
