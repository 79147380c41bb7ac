// Concatenations that are not copied, in the plan: the verifier refuses every way to get it wrong, and a listing says
// why parts are copied.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "plan_simulation.hpp"
#include "removed_cats.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/print_cats.hpp>

#include <algorithm>

using namespace ahead;
using namespace test;
using namespace test::removed_cats;

namespace {

template <class Program> std::string verdict(plan_view plan) {
    diagnosis d;
    if (check_plan(Program::lowered_graph(), Program::needs, plan, d)) return "accepted";
    return std::string(d.name.view()) + ": " + std::string(d.expected.view());
}
struct shown { // cat is no task, and read by exp; cat_1 copies one of its parts
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    one = torch.ops.aten.relu.default(x)
    two = torch.ops.aten.abs.default(y)
    cat = torch.ops.aten.cat.default([one, two])
    other = torch.ops.aten.sum.dim_IntList(x, [0], True)
    three = torch.ops.aten.sum.dim_IntList(cat, [0], True)
    beside = torch.ops.aten.sum.dim_IntList(one, [0], True)
    cat_1 = torch.ops.aten.cat.default([beside, three, x])
    return (cat_1, other)
)fx";
};
void broken_plans_are_refused() {
    static constexpr std::string_view needed = "operands that are written and not yet overwritten";
    static constexpr auto& net = fx<shown>;
    using program = compiled<net>;
    static_assert(program::plan.cats_removed == 1 && program::plan.parts_in_place == 4 && program::plan.run_tasks == 6);
    const auto g = program::lowered_graph();
    auto plan = program::planned;
    const auto node_of = [&](std::string_view name) {
        for (node_id id : g)
            if (print(g[id].name).view() == name) return id;
        return node_id{};
    };
    const auto place = [&](std::string_view name) -> placement& {
        return plan.placements[static_cast<std::size_t>(g[node_of(name)].values.first)];
    };
    const auto task_of = [&](std::string_view name) -> task& {
        for (auto& t : plan.tasks)
            if (t.node == node_of(name)) return t;
        return plan.tasks.back();
    };
    const auto said = [&] {
        const auto out = verdict<program>(plan.view());
        plan = program::planned;
        return out;
    };
    check_equal(said(), "accepted");
    check(place("two").part_of.index == g[node_of("cat")].values.first && place("two").offset == place("one").offset + 24 &&
          place("cat").offset == place("one").offset);

    // A part elsewhere: inside the whole, on another part, outside of it; or it does not say that it is one.
    for (const auto by : {-24, -4, 4, 64}) {
        place("two").offset += by;
        check(said().find("slice") != std::string::npos);
    }
    place("one").offset += 4;
    check(said().find("slice") != std::string::npos);
    place("cat").offset += 64;
    check(said().find("slice") != std::string::npos);
    place("two").part_of = {};
    check_equal(said(), "cat: a task, or all parts in their slices");
    place("other").part_of = place("one").part_of;
    check_equal(said(), "other: its slice of a concatenation");
    plan.summary.parts_in_place = 0; // and says nothing
    check(said() != "accepted");

    // A part that nobody computes, or after it was read.
    std::shift_left(&task_of("two"), plan.tasks.data() + plan.summary.run_tasks, 1);
    --plan.summary.run_tasks;
    check_equal(said(), "two: a task");
    std::swap(task_of("two"), task_of("three"));
    check(said().ends_with(needed));
    std::swap(task_of("beside"), task_of("cat_1"));
    check(said().ends_with(needed));

    // Something over a slice that is read later.
    for (const auto part : {"one", "two"}) {
        place("other").offset = place("cat").offset;
        place("other").bytes = 64;
        place(part).bytes = 24;
        check_equal(said(), "other: bytes that nobody reads any more");
    }
    place("three").part_of = {};
    check_equal(said().empty(), false);
}
// A plan with copies, changed to one without: right where the parts are blocks of the result, in the order they are read in.
constexpr auto blocks = trace([](input_x x, input_y y) { return outputs(cat<0>(relu(x), abs(y))); });
constexpr auto columns = trace([](input_x x, input_y y) { return outputs(cat<1>(relu(x), abs(y))); });
constexpr auto turned = trace([](input<"x", f32<3, 3>> x) { return outputs(cat<0>(permute<1, 0>(relu(x)), abs(x))); });
template <const auto& Net>
std::string pretended() {
    using program = compiled<Net, copied>;
    const auto g = program::lowered_graph();
    auto plan = program::planned;
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.target != device::concat::name) continue;
        auto& whole = plan.placements[static_cast<std::size_t>(n.values.first)];
        auto offset = whole.offset = plan.summary.peak_bytes;
        plan.summary.peak_bytes += whole.bytes;
        const auto parts = g.argument_of(n, 0).children;
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g.value_of(g[parts[k]]);
            auto& mine = plan.placements[static_cast<std::size_t>(part.storage.index)];
            mine.part_of = {n.values.first};
            mine.offset = offset;
            mine.bytes = element_count(part.type) * 4;
            offset += mine.bytes;
        }
        plan.summary.parts_in_place += parts.count;
        const auto task = std::find_if(plan.tasks.begin(), plan.tasks.end(), [&](const auto& t) { return t.node == id; });
        std::shift_left(task, plan.tasks.end(), 1);
        --plan.summary.run_tasks;
    }
    return verdict<program>(test::redescribed(g, program::needs, plan).view());
}
void pretended_plans() {
    check_equal(pretended<blocks>(), "accepted");
    check_equal(pretended<columns>(), "cat: a task, or all parts in their slices");
    check_equal(pretended<turned>(), "cat: a task, or all parts in their slices");
}
void in_place_of_a_whole_with_parts() {
    using program = compiled<not_taken_over>;
    const auto g = program::lowered_graph();
    auto plan = program::planned;
    check_equal(verdict<program>(plan.view()), "accepted");
    // exp in place of the concatenation, of which relu is read again.
    for (node_id id : g) {
        if (print(g[id].name).view() != "exp") continue;
        auto& mine = plan.placements[static_cast<std::size_t>(g[id].values.first)];
        const auto whole = g.value_of(g.argument_of(g[id], 0)).storage;
        mine.shares = whole;
        mine.offset = plan.placements[static_cast<std::size_t>(whole.index)].offset;
    }
    check_equal(verdict<program>(plan.view()), "exp: bytes that nobody reads any more");

    using beside = compiled<part_beside_whole>;
    const auto h = beside::lowered_graph();
    auto other = beside::planned;
    check_equal(verdict<beside>(other.view()), "accepted");
    for (node_id id : h) {
        if (print(h[id].name).view() != "mul") continue;
        auto& mine = other.placements[static_cast<std::size_t>(h[id].values.first)];
        const auto whole = h.value_of(h.argument_of(h[id], 0)).storage;
        mine.shares = whole;
        mine.offset = other.placements[static_cast<std::size_t>(whole.index)].offset;
    }
    check_equal(verdict<beside>(other.view()), "mul: bytes that nobody reads any more");
}

// The converter makes no concatenation of nothing, but a device graph may have one: it stays a task, on several streams as well.
constexpr auto inputs_joined = trace([](input_x x, input_y y) { return outputs(cat<0>(x, y)); });
constexpr bool stays_a_task(std::int32_t streams) {
    using program = compiled<inputs_joined>;
    const auto joined = program::lowered_graph();
    heap_storage storage(joined.header().used);
    const auto g = storage.edit();
    copy_graph(joined, g);
    for (auto& v : g.values()) v.type = tensor_of(dtype::f32, {0, 3});
    const machine::demand demands[program::needs.size()]{};
    const launch_rules rules{streams, demands, {}};
    plan_storage<capacity{8, 8, 8}, 8> plan;
    make_plan(g, program::needs, plan, machine::npu, true, &rules);
    text_buffer<100> listed;
    const auto sum = print_cats(g, plan.view(), listed);
    diagnosis d;
    return check_plan(g, program::needs, plan.view(), d) && plan.summary.cats_removed == 0 && plan.summary.run_tasks == 1 && plan.summary.peak_bytes == 0 &&
           sum.cats == 1 && sum.removed == 0 && listed.view() == "cat: of nothing\nremoved 0 of 1, in place 0 (0 bytes), copied 0 (0 bytes)\n";
}
static_assert(stays_a_task(1) && stays_a_task(2));

// ---- The listing.

template <const auto& Net, class Tools = toolchain<>>
std::string listed() {
    std::string text;
    const auto sum = print_cats<compiled<Net, Tools>>(text);
    check(sum == cats_of<compiled<Net, Tools>>());
    check(sum.removed == compiled<Net, Tools>::plan.cats_removed && sum.in_place == compiled<Net, Tools>::plan.parts_in_place);
    return text;
}
void reasons_are_listed() {
    check_equal(listed<two>(), "cat: all computed in place\n"
                               "removed 1 of 1, in place 2 (48 bytes), copied 0 (0 bytes)\n");
    check_equal(listed<two, copied>(), "cat: copies relu (remove_cat_ops is off), abs (remove_cat_ops is off)\n"
                                       "removed 0 of 1, in place 0 (0 bytes), copied 2 (48 bytes)\n");
    check_equal(listed<columns>(), "cat: copies relu, abs; these are no blocks of the result\n"
                                   "removed 0 of 1, in place 0 (0 bytes), copied 2 (48 bytes)\n");
    check_equal(listed<twice_in_one>(), "cat: copies relu (in place in cat_1), relu (in place in cat_1)\n"
                                        "cat_1: copies relu (in place elsewhere in it)\n"
                                        "removed 0 of 2, in place 2 (48 bytes), copied 3 (72 bytes)\n");
    check_equal(listed<without_task>(),
                "cat: copies permute (not all of exp in its order), slice (not all of exp in its order), p_p (a constant), c (a "
                "constant), relu (a constant)\n"
                "removed 0 of 1, in place 2 (72 bytes), copied 5 (144 bytes)\n");
    check_equal(listed<fx<part_is_an_input_now>>(), "cat: copies mul_ (an input)\n"
                                                    "cat_1: copies exp, neg; it is written into an input of the run\n"
                                                    "removed 0 of 2, in place 1 (48 bytes), copied 3 (72 bytes)\n");
}

} // namespace

int main() {
    broken_plans_are_refused();
    pretended_plans();
    reasons_are_listed();
    in_place_of_a_whole_with_parts();
    check(stays_a_task(1) && stays_a_task(2));
    return report();
}
