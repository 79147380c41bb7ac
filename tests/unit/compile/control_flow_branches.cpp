// Branches that run: each block a program of its own, planned and verified, in the task of the call that holds it. The
// same numbers as by the reference, on one thread, on several, launched and replayed, with the predicate as it is when
// the task runs.
// SPDX-License-Identifier: MIT
#include "control_flow.hpp"
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

#include <vector>

// fault: block_draws_numbers

using namespace ahead;
using namespace test;
using namespace test::control_flow;

namespace {

template <class Session> void run_nested(Session& run, const std::source_location& where = std::source_location::current()) {
    for (int which = 0; which < 4; ++which) {
        const row x{1, 2, static_cast<float>(which)}, y{0.5f, -1, 2};
        const boolean p{(which & 1) != 0}, q{(which & 2) != 0};
        const host_tensor inputs[] = {host(row_type, x), host(row_type, y), host(flag_type, p), host(flag_type, q)};
        const auto wanted = reference<nested>(inputs);
        const auto before = test::allocations.load();
        const auto [sum, first] = run(x, y, p, q);
        check_equal(test::allocations.load(), before, where);
        same(sum, wanted[0], where);
        same(first, wanted[1], where);
    }
}
void check_branches() {
    const auto prepared = nested_program::prepare();
    nested_program::session run(prepared);
    run_nested(run);
    threaded_session<nested_program> threaded(prepared);
    run_nested(threaded);

    // What is planned while compiling is planned at run time.
    const auto made = inspect_fx(nested_text::text);
    check(made.error.ok() && made.blocks.size() == 2 && made.blocks[0].blocks.size() == 2, render(made.error));
    check(made.plan() == nested_program::planned.summary);
    check(made.makespan() == nested_program::plan.makespan);
    using yes = nested_program::compiled_block<ahead::detail::held_by<nested_program::optimized>[0].index>::program;
    check(made.blocks[0].plan() == yes::planned.summary);

    // The task takes as long as its longer branch, in memory for the larger one.
    std::int64_t larger = 0;
    machine::ticks longer{};
    for (const auto& one : made.blocks) {
        larger = std::max(larger, one.plan().peak_bytes);
        longer = std::max(longer, one.as_block().makespan);
    }
    bool found = false;
    for (std::int32_t t = 0; t < made.plan().run_tasks; ++t) {
        const auto& task = made.planned.tasks[static_cast<std::size_t>(t)];
        if (made.lowered_graph()[task.node].target != "npu.cond") continue;
        found = true;
        check_equal(made.needs[static_cast<std::size_t>(task.node.index)].workspace, larger);
        const auto& when = made.timeline[static_cast<std::size_t>(t)];
        check(when.end - when.start >= longer);
    }
    check(found);
}

// Weights and constants in branches: what they make of them is prepared.
struct weighted_text {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4]", w: "f32[4, 4]", b: "f32[4]", p: "b8[]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x, w, b]);  p = true_graph_0 = false_graph_0 = x = w = b = None
        getitem: "f32[2, 4]" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[2, 4]", w: "f32[4, 4]", b: "f32[4]"):
            addmm: "f32[2, 4]" = torch.ops.aten.addmm.default(b, x, w);  b = x = w = None
            arange: "f32[4]" = torch.ops.aten.arange.default(4, dtype = torch.float32)
            mul: "f32[2, 4]" = torch.ops.aten.mul.Tensor(addmm, arange);  addmm = arange = None
            return (mul,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[2, 4]", w: "f32[4, 4]", b: "f32[4]"):
            t: "f32[4, 4]" = torch.ops.aten.permute.default(w, [1, 0]);  w = None
            mm: "f32[2, 4]" = torch.ops.aten.mm.default(x, t);  x = t = None
            return (mm,)
)fx";
    static constexpr fx_input inputs[] = {{"w", "layer.w", {}}, {"b", "layer.b", {}}};
};
inline constexpr auto weighted = fx<weighted_text>;
void check_weights() {
    using program = compiled<weighted>;
    std::array<float, 16> w{};
    std::array<float, 4> b{1, 2, 3, 4};
    std::array<float, 8> x{};
    for (std::size_t i = 0; i < 16; ++i) w[i] = static_cast<float>(i % 5) - 2;
    for (std::size_t i = 0; i < 8; ++i) x[i] = static_cast<float>(i) / 4 - 1;
    weights given;
    given.add("layer.w", dtype::f32, {4, 4}, std::as_bytes(std::span(w)));
    given.add("layer.b", dtype::f32, {4}, std::as_bytes(std::span(b)));
    static_assert(program::plan.prepare_tasks == 2);
    const auto prepared = program::prepare(given);
    program::session run(prepared);
    for (const bool yes : {true, false}) {
        const host_tensor inputs[] = {host(tensor_of(dtype::f32, {2, 4}), x), host(tensor_of(dtype::f32, {4, 4}), w), host(tensor_of(dtype::f32, {4}), b), host(flag_type, boolean{yes})};
        const auto [y] = run(x, boolean{yes});
        same(y, reference<weighted>(inputs)[0]);
    }
}

// What blocks give may be an operand of theirs, one tensor twice, one that lies in memory expanded or turned, or nobody's; and what a branch refuses, it refuses where
// it runs.
struct edge_text {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]", i: "i64[2]", p: "b8[]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x, y])
        getitem: "f32[3]" = cond[0]
        getitem_1: "f32[3]" = cond[1]
        getitem_3: "f32[2, 3]" = cond[3]
        true_graph_1 = self.true_graph_1
        false_graph_1 = self.false_graph_1
        cond_1 = torch.ops.higher_order.cond(p, true_graph_1, false_graph_1, [i, x])
        getitem_4: "f32[2]" = cond_1[0]
        true_graph_2 = self.true_graph_2
        false_graph_2 = self.false_graph_2
        cond_2 = torch.ops.higher_order.cond(p, true_graph_2, false_graph_2, [])
        getitem_5: "f32[0, 3]" = cond_2[0]
        getitem_6: "f32[3, 2]" = cond_2[1]
        return (getitem, getitem_1, getitem_3, getitem_4, getitem_5, getitem_6)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]", y: "f32[3]"):
            expand: "f32[2, 3]" = torch.ops.aten.expand.default(x, [2, 3])
            return (x, y, x, expand)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]", y: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(x, y)
            expand: "f32[2, 3]" = torch.ops.aten.expand.default(add, [2, 3])
            return (add, add, y, expand)

    class true_graph_1(torch.nn.Module):
        def forward(self, i: "i64[2]", x: "f32[3]"):
            index: "f32[2]" = torch.ops.aten.index.Tensor(x, [i])
            return (index,)

    class false_graph_1(torch.nn.Module):
        def forward(self, i: "i64[2]", x: "f32[3]"):
            slice_1: "f32[2]" = torch.ops.aten.slice.Tensor(x, 0, 1, 3)
            return (slice_1,)

    class true_graph_2(torch.nn.Module):
        def forward(self):
            full: "f32[0, 3]" = torch.ops.aten.full.default([0, 3], 1.0)
            full_1: "f32[2, 3]" = torch.ops.aten.full.default([2, 3], 2.0)
            permute: "f32[3, 2]" = torch.ops.aten.permute.default(full_1, [1, 0])
            return (full, permute)

    class false_graph_2(torch.nn.Module):
        def forward(self):
            full: "f32[0, 3]" = torch.ops.aten.full.default([0, 3], 3.0)
            full_1: "f32[2, 3]" = torch.ops.aten.full.default([2, 3], 4.0)
            permute: "f32[3, 2]" = torch.ops.aten.permute.default(full_1, [1, 0])
            return (full, permute)
)fx";
};
inline constexpr auto edges = fx<edge_text>;
void check_edges() {
    using program = compiled<edges>;
    const auto prepared = program::prepare();
    program::session run(prepared);
    const row x{1, 2, 3}, y{4, 5, 6};
    for (const bool yes : {true, false}) {
        const std::array<std::int64_t, 2> i{2, -1};
        const host_tensor inputs[] = {host(row_type, x), host(row_type, y), host(tensor_of(dtype::i64, {2}), i), host(flag_type, boolean{yes})};
        const auto wanted = reference<edges>(inputs);
        const auto [a, b, c, d, e, f] = run(x, y, i, boolean{yes});
        same(a, wanted[0]);
        same(b, wanted[1]);
        same(c, wanted[2]);
        same(d, wanted[3]);
        same(e, wanted[4]);
        same(f, wanted[5]);
    }
    const std::array<std::int64_t, 2> beyond{0, 7};
    check(run.try_run(x, y, beyond, boolean{false}).ok());
    check_equal(test::sentence(run.try_run(x, y, beyond, boolean{true}).why()), "line 33: aten.index.Tensor 'index': index is out of range: expected an index below 3, found 7");
}

// ---- launched, captured, replayed

void check_device() {
    npu::context npu;
    const auto side = npu.new_stream();
    const auto prepared = nested_program::prepare();
    const row x{1, 2, 3}, y{0.5f, -1, 2};
    const auto dx = npu.to_device<f32<3>>(x), dy = npu.to_device<f32<3>>(y);
    auto p = npu.to_device<b8<>>(boolean{true}), q = npu.to_device<b8<>>(boolean{false});
    npu::graph graph(npu);
    npu::tensor<f32<3>> sum;
    {
        npu::capture c(graph, side);
        sum = std::get<0>(c.launch(prepared, dx, dy, p, q));
        c.end();
    }
    for (int which = 0; which < 4; ++which) {
        p.write(boolean{(which & 1) != 0});
        q.write(boolean{(which & 2) != 0});
        graph.replay(side);
        const host_tensor inputs[] = {host(row_type, x), host(row_type, y), host(flag_type, boolean{(which & 1) != 0}), host(flag_type, boolean{(which & 2) != 0})};
        const auto wanted = reference<nested>(inputs);
        const auto got = sum.copy();
        for (std::size_t i = 0; i < 3; ++i) check(is_close(got[i], wanted[0].data.get<double>(static_cast<std::int64_t>(i))));
    }
    // A loop that does not end in time is what the replay throws.
    const auto loops = loop_program::prepare();
    const auto n = npu.to_device<i64<>>(count{11});
    check_throws<error>([&] { side.launch(loops, dx, n); npu.synchronize(); }, "loop exceeds bound: expected at most 10 rounds");
}

// ---- gears

struct geared_text {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, s: "Sym(s0)", x: "f32[s0, 3]", p: "b8[]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[s0, 3]" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 3]"):
            cos: "f32[s0, 3]" = torch.ops.aten.cos.default(x);  x = None
            return (cos,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 3]"):
            sin: "f32[s0, 3]" = torch.ops.aten.sin.default(x);  x = None
            return (sin,)
)fx";
};
void check_gears() {
    const symbol_value two[] = {{"s0", 2}}, nine[] = {{"s0", 9}};
    for (const auto& sizes : {symbol_values(two), symbol_values(nine)}) {
        const auto made = inspect_fx(geared_text::text, config{}, {}, sizes);
        check(made.error.ok() && made.blocks.size() == 2, render(made.error));
        check_equal(made.blocks[0].captured().value_of(made.blocks[0].captured().first()).type.size(0), sizes[0].value);
    }
}

// ---- what is refused

void check_refusals() {
    std::string text(nested_text::text);
    text.replace(text.find("torch.ops.aten.cos.default(y)"), 29, "torch.ops.aten.rand_like.default(y)");
    const auto made = inspect_fx(text);
    check_fault(made.error, {fault::block_draws_numbers});
    check_equal(test::sentence(made.error), "line 34: aten.rand_like.default 'cos': block draws numbers: expected random numbers that the block is given, found aten.rand_like.default");
    // A race on one path only: in the branch, two streams, and nobody waits.
    constexpr std::string_view racing = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", p: "b8[]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[3]" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]"):
            cos: "f32[3]" = torch.ops.aten.cos.default(x);  x = None
            return (cos,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]"):
            sin: "f32[3]" = torch.ops.aten.sin.default(x)
            scope_enter_default = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side']);  scope_enter_default = None
            exp: "f32[3]" = torch.ops.aten.exp.default(sin)
            scope_exit_default = torch.ops.air.scope_exit.default();  scope_exit_default = None
            add: "f32[3]" = torch.ops.aten.add.Tensor(exp, x);  exp = x = None
            return (add,)
)fx";
    const auto race = inspect_fx(racing, config{.mode = mode::reduce_overhead});
    check_equal(test::sentence(race.error), "line 20: npu.add.Tensor 'add': streams race: expected an event between exp and it, found reads what side may still write, on default");
}

} // namespace

int main() {
    check_branches();
    check_weights();
    check_edges();
    check_device();
    check_gears();
    check_refusals();
    return report();
}
