// Random device graphs with concatenations along inner dims, whose parts have the whole's strides: each part lies between the others in memory, and tasks on
// several streams write them side by side. What is read is there, byte by byte; and of plans with events taken away, buffers moved and tasks put on other
// streams the verifier accepts none that is not right. It refuses some that are: nobody but its parts may use a whole's bytes from the first of them on.
// SPDX-License-Identifier: MIT
#include "../harness.hpp"
#include "../plan_simulation.hpp"
#include "../random_concats.hpp"
#include "../timed.hpp"

#include <ahead/plan/check.hpp>

#include <random>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

constexpr capacity size = test::random_concats::size;
using streamed_plan = plan_storage<size, 512>;

struct random_graph : test::random_concats {
    node_id add_copy(const tensor_type& type) {
        std::vector<argument> arguments;
        for (int k = 0; k <= pick(3); ++k) arguments.push_back(argument::of(recent()));
        const bool is_alike = type == g().value_of(arguments[0]).type;
        const auto id = finish(add_call("npu.copy", arguments), type);
        auto& need = needs_of(id);
        need.is_task = true;
        need.workspace = pick(5) == 0 ? pick(300) : 0;
        need.may_overwrite = is_alike ? 1 : 0;
        return id;
    }
    /// [2, n] of two to three parts, perhaps one of them copied by others besides, or all of it one block of another whole.
    void add_woven() {
        const int rows = 2 + pick(2), count = 2 + pick(2);
        std::vector<int> columns;
        int all = 0;
        for (int k = 0; k < count; ++k) columns.push_back(1 + pick(16)), all += columns.back();
        std::vector<node_id> parts;
        for (const auto n : columns) {
            auto type = tensor_of(dtype::f32, {rows, all});
            type.sizes.at[1] = n;
            parts.push_back(add_copy(type));
        }
        if (pick(8) == 0) parts[1] = parts[0], columns[1] = columns[0]; // of which only copies can be made
        all = 0;
        for (const auto n : columns) all += n;
        const auto whole = tensor_of(dtype::f32, {rows, all});
        add_concat(1, parts, whole);
        if (pick(4) > 0) return;
        const auto first = made.back();
        const auto other = add_copy(tensor_of(dtype::f32, {1, all}));
        add_concat(0, {other, first}, tensor_of(dtype::f32, {rows + 1, all}));
    }
    explicit random_graph(std::mt19937& from) : random_concats(from) {
        node input;
        input.kind = node_kind::placeholder;
        node_id id;
        append_node(g(), input, id, d);
        finish(id, tensor_of(dtype::f32, {8, 8}));
        for (int i = 4 + pick(6); i > 0; --i)
            if (pick(2) == 0) add_woven();
            else add_copy(pick(2) ? g().value_of(recent()).type : tensor_of(dtype::f32, {1 + pick(8), 1 + pick(12)}));
        node output;
        output.kind = node_kind::output;
        std::vector<argument> outputs;
        for (const auto one : made)
            if (needs_of(one).is_task && (one == made.back() || pick(6) == 0)) outputs.push_back(argument::of(one));
        reserve_arguments(g(), static_cast<std::int32_t>(outputs.size()), output.arguments, d);
        append_node(g(), output, id, d);
        for (std::int32_t i = 0; i < output.arguments.count; ++i) set_argument(g(), output.arguments[i], outputs[static_cast<std::size_t>(i)], id);
        check(d.ok());
    }
};

struct tally {
    int right = 0, refused_in_vain = 0, wrong = 0, refused = 0;
};
void judge(random_graph& made, const streamed_plan& plan, tally& all) {
    diagnosis why;
    const bool accepted = check_plan(made.g(), made.needs, plan.view(), why), is_right = test::plan_is_right(made.g(), made.needs, plan.view());
    ++(is_right ? all.right : all.wrong);
    all.refused += !is_right && !accepted;
    all.refused_in_vain += is_right && !accepted;
}

} // namespace

int main() {
    std::mt19937 random(11);
    int woven = 0, on_two = 0, deleted = 0, delete_caught = 0, side_by_side = 0;
    tally shaken_plans;
    for (int round = 0; round < 600; ++round) {
        random_graph made(random);
        const auto demands = test::random_demands(random, 96);
        const launch_rules rules{2 + round % 2, demands, {}};
        streamed_plan plan;
        make_plan(made.g(), made.needs, plan, machine::npu, round % 7 > 0, &rules);
        diagnosis d;
        check(check_plan(made.g(), made.needs, plan.view(), d), d.found.view());
        check(test::plan_is_right(made.g(), made.needs, plan.view()));
        on_two += plan.summary.streams > 1;
        const auto tasks_of = [&](std::int32_t v) { return plan.tasks[static_cast<std::size_t>(plan.placements[static_cast<std::size_t>(v)].first_task)]; };
        for (const auto id : made.made) {
            const auto v = made.g()[id].values.first;
            const auto& mine = plan.placements[static_cast<std::size_t>(v)];
            if (!mine.part_of.exists() || is_contiguous(made.g().value_of(id).type)) continue;
            ++woven;
            for (const auto other : made.made)
                if (const auto w = made.g()[other].values.first; w < v && plan.placements[static_cast<std::size_t>(w)].part_of == mine.part_of)
                    side_by_side += tasks_of(w).stream != tasks_of(v).stream;
        }
        for (std::int32_t s = 0; s < plan.summary.syncs; ++s) {
            const auto wrong = test::without_sync(plan, s);
            diagnosis why;
            ++deleted;
            delete_caught += !check_plan(made.g(), made.needs, wrong.view(), why);
        }
        const auto arena = test::values_in_arena(plan);
        for (int i = 0; i < 24 && !arena.empty(); ++i) {
            auto shaken = plan;
            auto& task = shaken.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks) + random() % static_cast<unsigned>(plan.summary.run_tasks)];
            auto& moved = shaken.placements[static_cast<std::size_t>(arena[random() % arena.size()])];
            switch (i % 6) {
            case 0: moved.offset = static_cast<std::int64_t>(random() % 12) * 64; break;
            case 1: moved.offset += static_cast<std::int64_t>(random() % 17) * 4 - 32; break;
            case 2: moved.part_of.index = static_cast<std::int32_t>(random() % arena.size()) - 1; break;
            case 3: task.stream = static_cast<std::int32_t>(random() % static_cast<unsigned>(plan.summary.streams)); break;
            case 4: task.workspace_offset = static_cast<std::int64_t>(random() % 12) * 64; break;
            default:
                if (plan.summary.syncs == 0) continue;
                shaken.syncs[random() % static_cast<unsigned>(plan.summary.syncs)].stream = static_cast<std::int32_t>(random() % static_cast<unsigned>(plan.summary.streams));
            }
            judge(made, shaken, shaken_plans);
            judge(made, test::redescribed(made.g(), made.needs, shaken), shaken_plans);
        }
    }
    std::cout << "plans that use several streams: " << on_two << ", woven parts " << woven << ", pairs of one whole on several streams " << side_by_side << '\n';
    std::cout << "records and waits taken away, caught: " << delete_caught << '/' << deleted << '\n';
    std::cout << "wrong and refused " << shaken_plans.refused << '/' << shaken_plans.wrong << ", right and refused " << shaken_plans.refused_in_vain << '/' << shaken_plans.right << '\n';
    check(woven > 1000 && on_two > 300 && side_by_side > 200);
    check(deleted > 1000 && delete_caught == deleted);
    check(shaken_plans.wrong > 5000 && shaken_plans.refused == shaken_plans.wrong);
    check(shaken_plans.right > 1000 && shaken_plans.refused_in_vain * 50 < shaken_plans.right);
    return test::report();
}
