// Blocks: the branches and loop bodies that a call holds are read, typed, verified, printed, compared, copied and
// counted; and run by the reference alone.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "nested_blocks.hpp"
#include "rendered.hpp"

#include <ahead/core/error.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/reference/interpreter.hpp>

using namespace ahead;
using namespace test;
using namespace test::nested_blocks;

namespace {

// A printed type of a block's input that the call does not give is refused in a constant, too: only calls have a row in the table of operators.
inline constexpr std::string_view wrong_block_input = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", x: "f32[3]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[3]" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[4]"):
            sin: "f32[3]" = torch.ops.aten.sin.default(x);  x = None
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]"):
            cos: "f32[3]" = torch.ops.aten.cos.default(x);  x = None
            return (cos,)
)fx";
static_assert([] {
    const reading r(wrong_block_input);
    return r.error.what == fault::annotation_differs_from_inference && r.error.line == 10;
}());

// Compile time and run time.
constexpr bool is_read() {
    const reading r(nested);
    const auto g = r.storage.view();
    diagnosis d;
    if (!r.error.ok() || !verify(g, d) || g.header().blocks != 4 || g.header().live_nodes != all_nodes) return false;
    const auto cond = named(g, "cond"), inside = named(g, yes, "cond");
    return g[cond].values.count == 2 && print(g.value_of(cond, 1).type).view() == "f32[]" && holder_of(g, yes) == cond &&
           holder_of(g, no) == cond && holder_of(g, inner_yes) == inside && holder_of(g, inner_no) == inside && holds_blocks(g, g[cond]) &&
           !holds_blocks(g, g[named(g, "add")]);
}
static_assert(is_read());

constexpr bool is_walked() {
    const reading r(nested);
    const auto g = r.storage.view();
    std::int32_t own = 0, all = 0, blocks = 0;
    for (node_id id : g) own += block_of(g, id) == whole;
    const bool outer_first = for_each_graph(g, [&](graph_view in) {
        ++blocks;
        for (node_id id : in) {
            if (block_of(g, id) != in.own()) return false;
            ++all;
        }
        return true;
    });
    std::int32_t graphs = 0;
    for_each_graph(g, [&](graph_view) { return ++graphs < 2; });
    return outer_first && own == 10 && all == all_nodes && blocks == 5 && graphs == 2;
}
static_assert(is_walked());

constexpr bool is_copied() {
    const reading r(nested);
    typed_reading<capacity{60, 140, 100}> other("");
    copy_graph(r.storage.view(), other.storage.edit());
    diagnosis d;
    return verify(other.storage.view(), d) && structurally_equal(r.storage.view(), other.storage.view(), op_rows) &&
           other.storage.view().header().blocks == 4 && other.storage.view().room().nodes == 60;
}
static_assert(is_copied());

void check_text() {
    for (auto text : {nested, loop}) {
        reading r(text);
        if (!check(r.error.ok(), render(r.error))) continue;
        check_equal(printed(r.storage.view(), r.style), text);
        auto types = r.style;
        types.types = fx_types::inferred;
        check_equal(printed(r.storage.view(), types), text);
        // Below its class lines the text of print(gm.graph) has no place for them.
        const auto listing = printed(r.storage.view(), listing_style());
        check(listing.find("= get_attr[target=") != listing.npos && listing.find("\n\n") != listing.npos);
    }
    const reading r(nested);
    const auto listing = printed(r.storage.view(), listing_style());
    check(listing.find("\n\nfalse_graph_0 = graph():\n    %x : [num_users=1] = placeholder[target=x]\n") != listing.npos, listing);
    // As export prints it: more indented, and with a signature behind all classes.
    std::string exported = "ExportedProgram:\n";
    for (std::size_t at = 0, end; at < nested.size(); at = end + 1) {
        end = nested.find('\n', at);
        exported.append(end == at ? "" : "    ").append(nested.substr(at, end - at + 1));
    }
    exported += "\nGraph signature:\n    # inputs\n    x: USER_INPUT\n    y: USER_INPUT\n    p: USER_INPUT\n    q: USER_INPUT\n"
                "\n    # outputs\n    add: USER_OUTPUT\n    x: USER_OUTPUT\n\nRange constraints: {}\n";
    reading e(exported);
    check(e.error.ok(), render(e.error));
    check_equal(printed(e.storage.view(), e.style), exported);
    check(structurally_equal(e.storage.view(), r.storage.view(), op_rows));
}

void check_counts() {
    for (auto text : {nested, loop}) {
        const auto room = count_fx(text);
        heap_storage storage(room);
        fx_style style;
        diagnosis d;
        check(read_fx(text, op_rows, storage.edit(), style, d) && infer_types(storage.edit(), op_rows, d), render(d));
        const auto used = storage.header.used;
        check(used.nodes <= room.nodes && used.arguments <= room.arguments && used.values <= room.values);
    }
    typed_reading<capacity{6, 128, 96}> small(nested);
    check_fault(small.error, {.what = fault::graph_exceeds_capacity, .name = "false_graph_0"});
}

// A text that is refused, and how.
void check_refused(std::string_view text, fault what, std::string_view sentence, location where = location::current()) {
    const typed_reading<capacity{64, 160, 128}> r(text);
    check_fault(r.error, {what}, where);
    check_equal(test::sentence(r.error), sentence, where);
}

void check_refused_texts() {
    // fault: block_is_missing
    const auto gone = replaced(nested, "class false_graph_0(torch.nn.Module):\n        def forward(self, x: \"f32[3]\", y: \"f32[3]\", q",
                               "class other_graph_0(torch.nn.Module):\n        def forward(self, x: \"f32[3]\", y: \"f32[3]\", q");
    check_refused(
        gone, fault::block_is_missing,
        "line 6: higher_order.cond 'false_graph_0': block is missing: expected class false_graph_0, as print_readable() shows it below, "
        "found none in the text");
    check_refused(
        R"fx(graph():
    %x : [num_users=1] = placeholder[target=x]
    %true_graph_0 : [num_users=1] = get_attr[target=true_graph_0]
    %false_graph_0 : [num_users=1] = get_attr[target=false_graph_0]
    %cond : [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%x, %true_graph_0, %false_graph_0, (%x,)), kwargs = {})
    return (cond,)
)fx",
        fault::block_is_missing,
        "line 5: higher_order.cond 'true_graph_0': block is missing: expected class true_graph_0, as print_readable() shows it below, "
        "found print(gm.graph), which shows no bodies");
    check_refused(replaced(nested, "false_graph_0 = self.false_graph_0", "false_graph_0 = self.true_graph_0"), fault::text_is_malformed,
                  "line 32: 'false_graph_0': text is malformed: expected a class that the body above it reads once, as self.<class>, "
                  "found class false_graph_0");
    check_refused(replaced(nested, "(p, true_graph_0, false_graph_0, [", "(p, true_graph_0, true_graph_0, ["),
                  fault::node_kind_is_unsupported,
                  "line 4: node 'true_graph_0' kind is unsupported: expected one call that holds the block, found 2 uses");
    check_refused(replaced(replaced(nested,
                                    "cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [mul, y, q]);  p = true_graph_0 = "
                                    "false_graph_0 = mul = y = q = None",
                                    "cond = torch.ops.aten.split.Tensor(mul, 1)"),
                           "getitem_1: \"f32[]\"", "getitem_1"),
                  fault::node_kind_is_unsupported,
                  "line 4: node 'true_graph_0' kind is unsupported: expected one call that holds the block, found 0 uses");
    check_refused(replaced(nested, "false_graph_0 = self.false_graph_0", "mul = self.false_graph_0"), fault::name_is_defined_twice,
                  "line 5: self.false_graph_0: name 'mul' is defined twice: expected a new name, found mul, which an earlier line defines");
    check_refused(replaced(nested, "true_graph_0 = self.true_graph_0\n        false_graph_0 = self.false_graph_0",
                           "false_graph_0 = self.true_graph_0\n        false_graph_0 = self.false_graph_0"),
                  fault::name_is_defined_twice,
                  "line 5: self.false_graph_0: name 'false_graph_0' is defined twice: expected a new name, found false_graph_0, which an "
                  "earlier line defines");
    check_refused(replaced(nested, "relu.default(x);  x", "relu.default(mul);  x"), fault::name_is_undefined,
                  "line 35: aten.relu.default: name 'mul' is undefined: expected a name that a line above defines, found mul");
    check_refused(replaced(nested, "            return (cos, sum_1)\n", ""), fault::text_has_no_return,
                  "line 37: text has no return: expected a line 'return ...', found the end of the text");

    // fault: block_parameters_differ
    check_refused(
        replaced(nested, "cond(q, true_graph_0, false_graph_0, [sin, y])", "cond(q, true_graph_0, false_graph_0, [sin])"),
        fault::block_parameters_differ,
        "line 17: higher_order.cond 'cond': block parameters differ: expected 1 parameters, as many as higher_order.cond gives its blocks, "
        "found 2 of true_graph_0");
    check_refused(replaced(nested, "[sin, y]", "[sin, None]"), fault::block_parameters_differ,
                  "line 17: higher_order.cond 'cond': block parameters differ: expected a tensor for y, found None");
    check_refused(replaced(nested, "(self, x: \"f32[3]\", y: \"f32[3]\"):", "(self, x: \"f32[3]\", y: \"f32[4]\"):"),
                  fault::annotation_differs_from_inference,
                  "line 22: 'y': annotation differs from inference: expected 3 in dim 0: f32[3], found 4 in dim 0: f32[4]");
    // fault: block_results_differ
    check_refused(replaced(nested, "return (cos, sum_1)", "return (cos, cos)"), fault::block_results_differ,
                  "line 6: higher_order.cond 'cond': block results differ: expected f32[] as result 1 of false_graph_0, as of "
                  "true_graph_0, found f32[3]");
    check_refused(
        replaced(nested, "return (cos, sum_1)", "return (cos,)"), fault::block_results_differ,
        "line 6: higher_order.cond 'cond': block results differ: expected 2 results, as of true_graph_0, found 1 of false_graph_0");
    check_refused(replaced(nested, "return (cos, sum_1)", "return (cos, 1)"), fault::block_results_differ,
                  "line 6: higher_order.cond 'cond': block results differ: expected tensors returned by false_graph_0, found int");
    check_refused(replaced(nested, "getitem_1: \"f32[]\" = cond[1]", "getitem_1: \"f32[]\" = cond[2]"), fault::index_is_out_of_range,
                  "line 8: operator.getitem 'getitem_1': index is out of range: expected a result from 0 to 1, found 2");
    // fault: operand_is_outside_its_block
    check_refused(replaced(nested, "relu: \"f32[3]\" = torch.ops.aten.relu.default(x);  x = relu = None", "relu = self.weight"),
                  fault::operand_is_outside_its_block,
                  "line 35: weight 'relu': operand is outside its block: expected an operand of cond, found a weight");
    check_refused(
        replaced(nested, "relu.default(x)", "relu_.default(x)"), fault::in_place_needs_alias_analysis,
        "line 35: aten.relu_.default 'relu': in place needs alias analysis: expected the functional operator: a block writes nothing, "
        "found aten.relu_.default");
    check_refused(replaced(nested, "p: \"b8[]\"", "p: \"f32[]\""), fault::dtype_is_unsupported,
                  "line 6: higher_order.cond 'cond': dtype is unsupported: expected a bool as pred, found f32[]");
    check_refused(replaced(nested, "p: \"b8[]\"", "p: \"b8[2]\""), fault::element_counts_differ,
                  "line 6: higher_order.cond 'cond': element counts differ: expected 1 element in pred, found b8[2]");
    check_refused(replaced(loop, "return (sub, mul)", "return (sub,)"), fault::block_results_differ,
                  "line 5: higher_order.while_loop 'while_loop': block results differ: expected 2 results of while_loop_body_graph_0, "
                  "as many as are carried, found 1");
    check_refused(
        replaced(loop, "return (sub, mul)", "return (mul, sub)"), fault::block_results_differ,
        "line 5: higher_order.while_loop 'while_loop': block results differ: expected i64[][] as result 0 of while_loop_body_graph_0, "
        "as is carried, found f32[3][1]");
    check_refused(
        replaced(loop, "return gt", "return arg0_1"), fault::dtype_is_unsupported,
        "line 5: higher_order.while_loop 'while_loop': dtype is unsupported: expected a bool as while_loop_cond_graph_0, found i64[]");
}

// A graph that no text makes, and how it is refused.
template <class Change> void check_broken(Change change, fault what, std::string_view sentence, location where = location::current()) {
    reading r(nested);
    diagnosis d;
    const auto g = r.storage.edit();
    check(verify(g, d), {}, where);
    change(g);
    check(!verify(g, d), "verify() takes it", where);
    check_fault(d, {what}, where);
    check_equal(test::sentence(d), sentence, where);
}
void read_instead(graph g, node_id reader, node_id what) { set_argument(g, g[reader].arguments[0], argument::of(what), reader); }

void check_verified() {
    check_broken([](graph g) { read_instead(g, named(g, yes, "sin"), named(g, "mul")); }, fault::operand_is_outside_its_block,
                 "line 14: aten.sin.default 'sin': operand is outside its block: expected a node of true_graph_0, found mul");
    check_broken([](graph g) { read_instead(g, named(g, no, "cos"), named(g, yes, "sin")); }, fault::operand_is_outside_its_block,
                 "line 34: aten.cos.default 'cos': operand is outside its block: expected a node of false_graph_0, found sin");
    check_broken([](graph g) { read_instead(g, named(g, yes, "sin"), named(g, no, "cos")); }, fault::operand_is_outside_its_block,
                 "line 14: aten.sin.default 'sin': operand is outside its block: expected a node of true_graph_0, found cos");
    check_broken([](graph g) { read_instead(g, named(g, "add"), named(g, yes, "sin")); }, fault::operand_is_outside_its_block,
                 "line 9: aten.add.Tensor 'add': operand is outside its block: expected a node of the graph, found sin");
    check_broken([](graph g) { read_instead(g, named(g, yes, "sin"), named(g, yes, "getitem")); }, fault::graph_is_broken,
                 "line 14: aten.sin.default 'sin': graph is broken: expected operands above it, found getitem");
    check_broken(
        [](graph g) { erase(g.inside(no), g.inside(no).last()); }, fault::graph_is_broken,
        "line 36: aten.sum.default 'sum_1': graph is broken: expected one output, as the last node of false_graph_0, found 0 outputs");
    check_broken(
        [](graph g) {
            while (g.inside(no).last().exists()) erase(g.inside(no), g.inside(no).last());
        },
        fault::graph_is_broken,
        "line 6: higher_order.cond 'cond': graph is broken: expected one output, as the last node of false_graph_0, found 0 outputs");
    check_broken([](graph g) { detail::release_block(g, no); }, fault::graph_is_broken,
                 "line 6: higher_order.cond 'cond': graph is broken: expected blocks of its own, found block 6");
    check_broken([](graph g) { g[inner_no].first_use = g[no].first_use; }, fault::graph_is_broken,
                 "line 17: higher_order.cond 'cond': graph is broken: expected blocks of its own, found block 17");
    check_broken([](graph g) { g.argument_of(g[named(g, "cond")], 2).bits = yes.index; }, fault::graph_is_broken,
                 "line 6: higher_order.cond 'cond': graph is broken: expected blocks of its own, found block 5");
    check_broken([](graph g) { g.argument_of(g[named(g, "cond")], 2).bits = 99; }, fault::graph_is_broken,
                 "line 6: higher_order.cond 'cond': graph is broken: expected blocks of its own, found block 99");
    check_broken([](graph g) { ++g[no].use_count; }, fault::graph_is_broken,
                 "line 10: 'output': graph is broken: expected one call above it that holds false_graph_0, found 1");
    check_broken([](graph g) { ++g.header().blocks; }, fault::graph_is_broken,
                 "line 10: 'output': graph is broken: expected 33 nodes, 5 blocks, found 33 nodes, 4 blocks");
    check_broken([](graph g) { --g[named(g, inner_yes, "sub")].use_count; }, fault::graph_is_broken,
                 "line 23: aten.sub.Tensor 'sub': graph is broken: expected 1 uses, found 0");
    check_broken([](graph g) { --g.header().live_nodes; }, fault::graph_is_broken,
                 "line 29: aten.sum.default 'sum_1': graph is broken: expected as many nodes as are counted, found more");
    check_broken([](graph g) { g[named(g, no, "x")].role = input_role::parameter; }, fault::graph_is_broken,
                 "line 33: 'x': graph is broken: expected parameters that stand for operands, found parameter");
}

void check_equality() {
    const reading base(nested);
    const auto difference = [&](const std::string& text) {
        const typed_reading<capacity{64, 160, 128}> other(text);
        check(other.error.ok(), render(other.error));
        return first_difference(base.storage.view(), other.storage.view(), op_rows);
    };
    const auto g = base.storage.view();
    check(!difference(std::string(nested)).found);
    check(!difference(replaced(nested, "            relu: \"f32[3]\"", "            relu")).found);
    auto d = difference(replaced(nested, "sub.Tensor(x, y)", "mul.Tensor(x, y)"));
    check(d.found && d.what.view() == "operator" && d.left == named(g, inner_yes, "sub") && d.right_is.view() == "aten.mul.Tensor",
          d.what.view());
    d = difference(replaced(nested, "cos.default(y)", "cos.default(x)"));
    check(d.found && d.what.view() == "argument self" && d.left == named(g, no, "cos"), d.what.view());
    d = difference(replaced(nested, "            relu: \"f32[3]\" = torch.ops.aten.relu.default(x);  x = relu = None\n", ""));
    check(d.found && block_of(g, d.left) == no, d.what.view());
    d = difference(replaced(nested, "add.Tensor(getitem, getitem_1)", "add.Tensor(getitem_1, getitem)"));
    check(d.found && d.left == named(g, "add"), d.what.view());
}

} // namespace

int main() {
    check(is_read());
    check(is_walked());
    check(is_copied());
    check_text();
    check_counts();
    check_refused_texts();
    check_verified();
    check_equality();
    return report();
}
