// The passes that remove no-ops, duplicates and dead code: each before and after, where it must not fire, off, and in
// pipelines.
// SPDX-License-Identifier: MIT
#include "after_passes.hpp"
#include "harness.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/pass/functionalise.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/equivalent.hpp>

#include <string>

using namespace ahead;
using namespace test;
using namespace test::after_passes;

namespace {

constexpr pass::pipeline<pass::remove_noop_ops_pass> noops;
constexpr pass::pipeline<pass::eliminate_duplicates_pass> duplicates;
constexpr pass::pipeline<pass::eliminate_dead_code_pass> dead_code;

// ---- remove_noop_ops

constexpr std::string_view many_noops = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", i: "i64[2, 3]"):
        sin: "f32[2, 3]" = torch.ops.aten.sin.default(x);  x = None
        slice_1: "f32[2, 3]" = torch.ops.aten.slice.Tensor(sin, 1, 0, 9223372036854775807);  sin = None
        repeat: "f32[2, 3]" = torch.ops.aten.repeat.default(slice_1, [1, 1]);  slice_1 = None
        pad: "f32[2, 3]" = torch.ops.aten.constant_pad_nd.default(repeat, [0, 0]);  repeat = None
        pow_1: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(pad, 1);  pad = None
        cat: "f32[2, 3]" = torch.ops.aten.cat.default([pow_1]);  pow_1 = None
        view: "f32[2, 3]" = torch.ops.aten.view.default(cat, [2, 3]);  cat = None
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(view);  view = None
        ceil: "i64[2, 3]" = torch.ops.aten.ceil.default(i);  i = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(clone, ceil);  clone = ceil = None
        return (add,)
)fx";
constexpr std::string_view no_noops_left = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", i: "i64[2, 3]"):
        sin: "f32[2, 3]" = torch.ops.aten.sin.default(x);  x = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(sin, i);  sin = i = None
        return (add,)
)fx";
static_assert(becomes(noops, many_noops, no_noops_left));

// The clone of an input that is returned; a clone that changes the layout; half a slice; two pads; the ceiling of fractions; a square.
constexpr std::string_view no_noops = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(x)
        permute: "f32[3, 2]" = torch.ops.aten.permute.default(x, [1, 0])
        clone_1: "f32[3, 2]" = torch.ops.aten.clone.default(permute, memory_format = torch.contiguous_format);  permute = None
        slice_1: "f32[2, 2]" = torch.ops.aten.slice.Tensor(x, 1, 1, 3);  x = None
        pad: "f32[2, 3]" = torch.ops.aten.constant_pad_nd.default(slice_1, [0, 1]);  slice_1 = None
        ceil: "f32[2, 3]" = torch.ops.aten.ceil.default(pad);  pad = None
        pow_1: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(ceil, 2);  ceil = None
        return (clone, clone_1, pow_1)
)fx";
static_assert(stays(noops, no_noops));

// One of each kind, and what looks like it but is not.
constexpr std::string_view noop_pairs[][2] = {
    {"aten.slice.Tensor(a, 0, 0, 9223372036854775807)", "aten.slice.Tensor(a, 0, 0, 9223372036854775807, 2)"},
    {"aten.slice.Tensor(a, 1, -3)", "aten.slice.Tensor(a, 1, -2)"},
    {"aten.slice_scatter.default(x, a, 1)", "aten.slice_scatter.default(x, b, 1, 1)"},
    {"aten.constant_pad_nd.default(a, [0, 0, 0, 0], 3.0)", "aten.constant_pad_nd.default(a, [1, -1], 3.0)"},
    {"aten.repeat.default(a, [1, 1])", "aten.repeat.default(a, [1, 1, 1])"},
    {"aten.pow.Tensor_Scalar(a, 1.0)", "aten.pow.Tensor_Scalar(a, -1.0)"},
    {"aten.pow.Tensor_Scalar(i, 1)", "aten.pow.Tensor_Scalar(i, 1.0)"},
    {"aten.ceil.default(i)", "aten.ceil.default(a)"},
    {"aten.floor.default(i)", "aten.floor.default(a)"},
    {"aten.round.default(i)", "aten.round.default(a)"},
    {"aten.trunc.default(i)", "aten.trunc.default(a)"},
    {"aten.cat.default([a], 1)", "aten.cat.default([a, a], 1)"},
    {"aten._to_copy.default(a, dtype = torch.float32)", "aten._to_copy.default(a, dtype = torch.float64)"},
    {"prims.convert_element_type.default(i, torch.int64)", "prims.convert_element_type.default(i, torch.int32)"},
    {"aten.view.default(a, [2, -1])", "aten.view.default(a, [3, 2])"},
    {"aten.expand.default(a, [-1, 3])", "aten.expand.default(a, [1, 2, 3])"},
    {"aten.permute.default(a, [0, 1])", "aten.permute.default(a, [1, 0])"},
    {"aten.alias.default(a)", "aten.neg.default(a)"},
    {"aten.clone.default(a)", "aten.clone.default(x)"}, // the latter is returned, and is not to be the input
    {"aten.clone.default(a, memory_format = torch.contiguous_format)", "aten.clone.default(t, memory_format = torch.contiguous_format)"},
};
std::string graph_of_call(std::string_view call) {
    return "def forward(self, x : f32[2, 3], i : i64[2, 3]):\n    a = torch.ops.aten.sin.default(x)\n    b = torch.ops.aten.slice.Tensor(a, 1, 1, 3)\n"
           "    t = torch.ops.aten.permute.default(a, [1, 0])\n    c = torch.ops." + std::string(call) + "\n    d = torch.ops.aten.cos.default(a)\n    return (c, d)\n";
}
void each_noop() {
    for (const auto& [fires, stays] : noop_pairs) {
        const auto text = graph_of_call(fires);
        const auto call_of = [](std::string_view call) { return call.substr(0, call.find('(')); };
        const auto listing = after(noops, text);
        // An input comes back as an output only if something copies it: the rounding of i, which is returned, stays where i is read straight.
        const bool of_input = call_of(fires) != fires && fires.find("(i") != fires.npos;
        if (of_input) continue;
        check(listing.view().find(std::string(call_of(fires)) + "(" + std::string(fires.substr(call_of(fires).size() + 1))) == std::string_view::npos, fires);
        const auto other = graph_of_call(stays);
        check(after(noops, other).view().find(stays) != std::string_view::npos, stays);
    }
    for (const auto& [fires, stays] : noop_pairs) { // of integers that the graph computed
        if (fires.find("(i") == fires.npos) continue;
        const auto of_computed = [](std::string_view call) {
            auto text = graph_of_call(call);
            text.insert(text.find("    a = "), "    j = torch.ops.aten.neg.default(i)\n");
            const auto at = text.find("(i", text.find("    c = "));
            if (at != text.npos) text[at + 1] = 'j';
            return text;
        };
        const auto name = fires.substr(0, fires.find('('));
        check(after(noops, of_computed(fires)).view().find(name) == std::string_view::npos, fires);
        check(after(noops, of_computed(stays)).view().find(stays.substr(0, stays.find('('))) != std::string_view::npos, stays);
    }
}
// A clone that is written afterwards: functional, the clone is not needed, and the input keeps its value.
void clone_in_place() {
    constexpr std::string_view text = "def forward(self, x : f32[2, 3]):\n    c = torch.ops.aten.clone.default(x)\n    d = torch.ops.aten.add_.Tensor(c, 1)\n"
                                      "    return (d, x)\n";
    const reading before(text);
    reading r(text);
    diagnosis d;
    check(pass::functionalise(r.storage.edit(), op_rows, d) && pass::run(noops, config{}, r.storage.edit(), op_rows, d));
    check(equivalent(before.storage.view(), r.storage.view(), 1, d), d.found.view());
    for (node_id n : r.storage.view()) check(r.storage.view()[n].target != "aten.clone.default");
}

// A list of any length is an argument of a new call.
void long_lists() {
    reading r("def forward(self, x : f32[2, 3]):\n    return (x,)\n");
    diagnosis d;
    graph_editor g(r.storage.edit(), op_rows, d, "joins");
    const auto x = g.view().first();
    const auto joined = g.call("aten.cat.default", {nodes({x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x})});
    check(d.ok() && g.type_of(joined).size(0) == 40 && g.use_count(x) == 21);
}
// Two outputs are two tensors, whichever pass looks at them. Views of what is returned are returned as what they are.
void two_outputs_are_two_tensors() {
    const auto targets = [](std::string_view body, const auto& passes) {
        const auto text = "def forward(self, x : f32[2, 3]):\n    a = torch.ops.aten.relu.default(x)\n" + std::string(body);
        reading r(text);
        diagnosis d = r.error;
        check(d.ok() && pass::run(passes, config{}, r.storage.edit(), op_rows, d), name_of(d.what));
        const auto g = r.storage.view();
        const auto& returned = g[g[g.last()].arguments[0]].children;
        return std::string(g[g[returned[0]].node()].target) + (g[returned[0]].bits == g[returned[1]].bits ? " is " : " and ") + std::string(g[g[returned[1]].node()].target);
    };
    constexpr std::string_view clone = "    b = torch.ops.aten.clone.default(a)\n";
    check_equal(targets(std::string(clone) + "    return (a, b)\n", pass::builtin), "aten.relu.default and aten.clone.default");
    check_equal(targets(std::string(clone) + "    return (b, a)\n", pass::builtin), "aten.clone.default and aten.relu.default");
    check_equal(targets(std::string(clone) + "    c = torch.ops.aten.view.default(a, [6])\n    return (b, c)\n", pass::builtin), "aten.clone.default and aten.view.default");
    check_equal(targets(std::string(clone) + "    c = torch.ops.aten.sin.default(b)\n    return (a, c)\n", pass::builtin), "aten.relu.default and aten.sin.default");
    check_equal(targets("    b = torch.ops.aten.relu.default(x)\n    return (a, b)\n", pass::builtin), "aten.relu.default and aten.relu.default");
    check_equal(targets("    b = torch.ops.aten.view.default(a, [2, 3])\n    return (a, b)\n", pass::builtin), "aten.relu.default is aten.relu.default");
    constexpr auto drop_neg = pass::rule<"drop_neg">([](any<"a"> a) { return rewrite(neg(neg(a)), a); });
    constexpr auto drop = pass::pipeline<std::remove_cvref_t<decltype(drop_neg)>>{};
    constexpr std::string_view negated = "    b = torch.ops.aten.neg.default(a)\n    c = torch.ops.aten.neg.default(b)\n";
    check_equal(targets(std::string(negated) + "    return (a, c)\n", drop), "aten.relu.default and aten.neg.default");
    check_equal(targets(std::string(negated) + "    return (c, x)\n", drop), "aten.relu.default and x");
}

// ---- eliminate_duplicates

static_assert(becomes(duplicates, twice, once));

// Another number, another keyword, other operands, and two outputs that are to be two tensors.
constexpr std::string_view all_differ = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", y: "f32[2, 3]"):
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(x, 2)
        mul_1: "f32[2, 3]" = torch.ops.aten.mul.Scalar(x, 3)
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(mul, mul_1);  mul = mul_1 = None
        add_1: "f32[2, 3]" = torch.ops.aten.add.Tensor(add, y, alpha = 2)
        add_2: "f32[2, 3]" = torch.ops.aten.add.Tensor(add, y, alpha = 3);  add = None
        sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(add_1, add_2);  add_1 = add_2 = None
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        sub_1: "f32[2, 3]" = torch.ops.aten.sub.Tensor(sub, y);  sub = y = None
        exp_1: "f32[2, 3]" = torch.ops.aten.exp.default(sub_1)
        exp_2: "f32[2, 3]" = torch.ops.aten.exp.default(sub_1);  sub_1 = None
        return (exp, exp_1, exp_2)
)fx";
static_assert(stays(duplicates, all_differ));

// ---- eliminate_dead_code

constexpr std::string_view with_dead_code = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 4]", unused: "f32[1]"):
        split = torch.ops.aten.split.Tensor(x, 2, 1)
        getitem: "f32[2, 2]" = split[0];  split = None
        relu: "f32[2, 2]" = torch.ops.aten.relu.default(getitem);  getitem = relu = None
        exp: "f32[2, 4]" = torch.ops.aten.exp.default(x);  x = None
        return (exp,)
)fx";
static_assert(becomes(dead_code, with_dead_code, without_dead_code));

// What writes into a tensor stays, though nobody reads what it returns.
constexpr std::string_view with_writes = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2]", y: "f32[2]"):
        exp: "f32[2]" = torch.ops.aten.exp.default(x)
        copy_: "f32[2]" = torch.ops.aten.copy_.default(y, exp);  y = copy_ = None
        sub: "f32[2]" = torch.ops.aten.sub.Tensor(x, exp);  x = exp = None
        return (sub,)
)fx";
static_assert(stays(dead_code, with_writes));

} // namespace

int main() {
    each_noop();
    clone_in_place();
    two_outputs_are_two_tensors();
    long_lists();
    check_becomes(noops, many_noops, no_noops_left);
    check_becomes(duplicates, twice, once);
    check_becomes(dead_code, with_dead_code, without_dead_code);
    check_equal(after(noops, no_noops).view(), no_noops);
    check_equal(after(duplicates, all_differ).view(), all_differ);
    check_equal(after(dead_code, with_writes).view(), with_writes);

    // A pass that is off does not run.
    check_equal(after(noops, many_noops, config{.remove_noop_ops = false}).view(), many_noops);
    check_equal(after(duplicates, twice, config{.eliminate_duplicates = false}).view(), twice);
    check_equal(after(dead_code, with_dead_code, config{.eliminate_dead_code = false}).view(), with_dead_code);

    // Looking on: one call for each pass, with how often it changed the graph.
    constexpr auto three = pass::remove_noop_ops | pass::eliminate_duplicates | pass::eliminate_dead_code;
    reading r(twice);
    std::string log;
    pass::run(three, config{}, r.storage.edit(), op_rows, r.error, [&](std::string_view name, graph_view g, std::int32_t changes) {
        log.append(name).append(" ").append(std::to_string(changes)).append(" ").append(std::to_string(g.header().live_nodes)).append("; ");
    });
    check_equal(log, "remove_noop_ops 0 7; eliminate_duplicates 4 5; eliminate_dead_code 0 5; ");

    // A part of a pipeline.
    reading part(twice);
    pass::run(three, config{}, part.storage.edit(), op_rows, part.error, {.first = 2});
    check(part.storage.header.live_nodes == 7);
    pass::run(three, config{}, part.storage.edit(), op_rows, part.error, {.first = 1, .end = 2});
    check(part.storage.header.live_nodes == 5);
    return report();
}
