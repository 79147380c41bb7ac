// Random device graphs with concatenations: what the planner has computed in its place is there when it is read, element by element, and a plan that
// was changed is accepted only where that is still so. Prints how much is not copied, and what that does to the arena. AHEAD_LONG=1: three
// times as many.
// SPDX-License-Identifier: MIT
#include "../harness.hpp"
#include "../plan_simulation.hpp"
#include "../random_concats.hpp"
#include "../timed.hpp"

#include <ahead/plan/check.hpp>

#include <cstdlib>
#include <random>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

constexpr capacity size = test::random_concats::size;
constexpr std::size_t room = 1 << 15; // elements of a region

struct random_graph : test::random_concats {
    bool& is_constant(node_id id) { return g()[id].constant; }

    node_id add_input(bool parameter) {
        node n;
        n.kind = node_kind::placeholder;
        if (parameter) n.role = input_role::parameter;
        node_id id;
        append_node(g(), n, id, d);
        is_constant(id) = parameter;
        return finish(id, tensor_of(dtype::f32, {pick(20) + 1}));
    }
    void add_joined() {
        std::vector<node_id> parts;
        std::int64_t total = 0;
        bool all_constant = true;
        for (int k = 1 + pick(4); k > 0; --k) {
            const auto part = recent();
            const auto more = element_count(g().value_of(part).type);
            if (k > 1 && total + more > 500) continue;
            parts.push_back(part);
            total += more;
            all_constant = all_constant && is_constant(part);
        }
        if (total > 600) return;
        const auto id = add_concat(0, parts, tensor_of(dtype::f32, {total}));
        is_constant(id) = all_constant;
    }
    void add_view() {
        const auto of = recent();
        const auto type = g().value_of(of).type;
        auto cut = tensor_of(dtype::f32, {pick(3) > 0 ? type.size(0) : 1 + pick(static_cast<int>(type.size(0)))});
        if (cut.size(0) < type.size(0))
            cut.offset = type.offset + pick(static_cast<int>(type.size(0) - cut.size(0)) + 1);
        else
            cut.offset = type.offset;
        const auto constant_too = is_constant(of);
        const auto id = finish(add_call("npu.view", {argument::of(of)}), cut, g().value_of(of).storage);
        is_constant(id) = constant_too;
    }
    void add_copy() { // of several, the first one element by element
        std::vector<argument> arguments;
        bool all_constant = true;
        for (int k = 0; k <= pick(3); ++k) {
            arguments.push_back(argument::of(recent()));
            all_constant = all_constant && is_constant(arguments.back().node());
        }
        const auto like = g().value_of(arguments[0]).type;
        const auto type = pick(2) ? tensor_of(dtype::f32, {like.size(0)}) : tensor_of(dtype::f32, {pick(40) + 1});
        const auto id = finish(add_call("npu.copy", arguments), type);
        is_constant(id) = all_constant;
        auto& need = needs_of(id);
        need.is_task = true;
        need.on_ai_cpu = id.index % 3 == 0;
        need.workspace = pick(4) == 0 ? pick(300) : 0;
        need.may_overwrite = static_cast<std::uint16_t>(type == like ? 1 : 0);
    }
    explicit random_graph(std::mt19937& from) : random_concats(from) {
        add_input(false);
        add_input(true);
        for (int i = 5 + pick(25); i > 0; --i)
            if (const auto kind = pick(10); kind < 3)
                add_joined();
            else if (kind < 4)
                add_view();
            else
                add_copy();
        node output;
        output.kind = node_kind::output;
        std::vector<node_id> outputs;
        for (auto id : made)
            if (!is_constant(id) && needs_of(id).is_task && (pick(8) == 0 || g()[id].use_count == 0)) outputs.push_back(id);
        reserve_arguments(g(), static_cast<std::int32_t>(outputs.size()), output.arguments, d);
        node_id id;
        append_node(g(), output, id, d);
        for (std::int32_t i = 0; i < output.arguments.count; ++i)
            set_argument(g(), output.arguments[i], argument::of(outputs[static_cast<std::size_t>(i)]), id);
        check(d.ok(), d.expected.view());
    }
};

/// Plays a plan on memory whose elements say what they are: number i of value v, or, in a concatenation, of the operand that they come from.
class player {
public:
    player(graph_view g, const std::vector<device::kernel_needs>& needs, plan_view plan)
        : g_(g), needs_(needs), plan_(plan), contents_(static_cast<std::size_t>(g.header().used.values)), arena_(room, -1), scratch_(room, -1),
          constants_(room, -1) {
        for (node_id id : g)
            for (auto v = g[id].values.first; v < g[id].values.first + g[id].values.count; ++v) {
                auto& mine = contents_[static_cast<std::size_t>(v)];
                if (g[value_id{v}].storage.index != v) continue;
                if (g[id].target == "npu.concat") {
                    for (const auto& part : operands(g[id])) {
                        const auto more = content(part);
                        mine.insert(mine.end(), more.begin(), more.end());
                    }
                } else {
                    for (std::int64_t i = 0; i < element_count(g[value_id{v}].type); ++i) mine.push_back(v * 100'000 + static_cast<int>(i));
                }
            }
    }
    bool run() {
        for (std::int32_t t = 0; t < plan_.summary.prepare_tasks + plan_.summary.run_tasks; ++t)
            if (!play(plan_.tasks[static_cast<std::size_t>(t)], t < plan_.summary.prepare_tasks ? scratch_ : arena_)) return false;
        return reads(g_[g_.last()]);
    }

    /// The same in an order that several streams may take: each goes on by itself, but for what it waits for.
    bool run_in_any_order(std::mt19937& random) {
        const auto first = plan_.summary.prepare_tasks, end = first + plan_.summary.run_tasks;
        for (std::int32_t t = 0; t < first; ++t)
            if (!play(plan_.tasks[static_cast<std::size_t>(t)], scratch_)) return false;
        struct step {
            const task* job = nullptr;
            const ahead::plan::sync* event = nullptr;
        };
        std::vector<std::vector<step>> streams(static_cast<std::size_t>(plan_.summary.streams));
        auto next = plan_.syncs.begin();
        for (auto t = first; t <= end; ++t) {
            for (; next != plan_.syncs.end() && next->before == t; ++next)
                streams[static_cast<std::size_t>(next->stream)].push_back({nullptr, next});
            if (t == end) break;
            const auto& job = plan_.tasks[static_cast<std::size_t>(t)];
            streams[static_cast<std::size_t>(job.stream)].push_back({&job, nullptr});
        }
        std::vector<std::size_t> at(streams.size());
        std::vector<bool> recorded(static_cast<std::size_t>(plan_.summary.events));
        for (std::size_t left = 1; left > 0;) {
            left = 0;
            for (std::size_t s = 0; s < streams.size(); ++s) left += streams[s].size() - at[s];
            const auto s = random() % streams.size();
            if (at[s] == streams[s].size()) continue;
            const auto& now = streams[s][at[s]];
            if (now.event && now.event->kind == sync_kind::wait && !recorded[static_cast<std::size_t>(now.event->event)]) continue;
            if (now.event) recorded[static_cast<std::size_t>(now.event->event)] = true;
            if (now.job && !play(*now.job, arena_)) return false;
            ++at[s];
        }
        return reads(g_[g_.last()]);
    }

private:
    graph_view g_;
    const std::vector<device::kernel_needs>& needs_;
    plan_view plan_;
    std::vector<std::vector<int>> contents_; // by storage
    std::vector<int> arena_, scratch_, constants_;

    std::vector<value> operands(const node& n) const {
        std::vector<value> out;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(n, i);
            if (a.kind == argument_kind::node) out.push_back(g_.value_of(a));
            for (std::int32_t k = 0; k < a.children.count; ++k) out.push_back(g_.value_of(g_[a.children[k]]));
        }
        return out;
    }
    std::vector<int> content(const value& v) const {
        const auto& all = contents_[static_cast<std::size_t>(v.storage.index)];
        return {all.begin() + v.type.offset, all.begin() + v.type.offset + v.type.size(0)};
    }
    const placement& place(value_id storage) const { return plan_.placements[static_cast<std::size_t>(storage.index)]; }
    std::vector<int>* memory(region where) {
        return where == region::arena ? &arena_ : where == region::scratch ? &scratch_ : where == region::constants ? &constants_ : nullptr;
    }
    std::int64_t address(const value& v) const { return place(v.storage).offset + v.type.offset * 4; }
    bool reads(const node& n) {
        for (const auto& v : operands(n)) {
            const auto* from = memory(place(v.storage).where);
            if (!from) continue; // the caller's
            const auto wanted = content(v);
            for (std::size_t i = 0; i < wanted.size(); ++i)
                if ((*from)[static_cast<std::size_t>(address(v)) / 4 + i] != wanted[i]) return false;
        }
        return true;
    }
    /// Whether what v is read from may be overwritten by the result meanwhile: in place, where the kernel allows it, or not at all.
    bool stands(const node& n, const value& result, const value& v, bool may_be_overwritten) const {
        const auto &p = place(result.storage), &q = place(v.storage);
        const auto begin = address(v), end = begin + v.type.size(0) * 4;
        const auto apart = [&](std::int64_t from, std::int64_t to) { return p.where != q.where || begin >= to || from >= end; };
        if (n.target != "npu.concat") return apart(p.offset, p.offset + p.bytes) || (may_be_overwritten && begin == p.offset);
        auto slice = p.offset; // is not written where the operand lies there
        for (const auto& part : operands(n)) {
            const auto behind = slice + part.type.size(0) * 4;
            if (!(place(part.storage).where == p.where && address(part) == slice) && !apart(slice, behind)) return false;
            slice = behind;
        }
        return apart(slice, p.offset + p.bytes);
    }
    bool play(const task& job, std::vector<int>& own) {
        const auto& n = g_[job.node];
        const auto& result = g_[value_id{n.values.first}];
        const auto& p = place(result.storage);
        if (!reads(n)) return false;
        for (std::int64_t b = 0; b < job.workspace_bytes; b += 4) own[static_cast<std::size_t>(job.workspace_offset + b) / 4] = -2;
        if (!reads(n)) return false;
        if (job.workspace_bytes > 0 && memory(p.where) == &own && p.offset < job.workspace_offset + job.workspace_bytes &&
            job.workspace_offset < p.offset + p.bytes)
            return false;
        const auto read = operands(n);
        for (std::size_t k = 0; k < read.size(); ++k)
            if (!stands(n, result, read[k], k == 0 && (needs_[static_cast<std::size_t>(job.node.index)].may_overwrite & 1) != 0)) return false;
        auto& to = *memory(p.where);
        const auto& wanted = contents_[static_cast<std::size_t>(n.values.first)];
        for (std::int64_t i = 0; i < p.bytes / 4; ++i)
            to[static_cast<std::size_t>(p.offset / 4 + i)] =
                i < static_cast<std::int64_t>(wanted.size()) ? wanted[static_cast<std::size_t>(i)] : -3;
        return true;
    }
};

} // namespace

int main() {
    std::mt19937 random(11);
    const auto below = [&](std::int32_t n) { return static_cast<std::int32_t>(random() % static_cast<unsigned>(n)); };
    std::int64_t peak = 0, peak_copied = 0, smaller = 0, larger = 0;
    int cats = 0, removed = 0, parts = 0, changed = 0, accepted = 0, unsound = 0, harmless = 0, on_streams = 0, parts_on_streams = 0;
    const int rounds = std::getenv("AHEAD_LONG") != nullptr ? 1500 : 500;
    for (int round = 0; round < rounds; ++round) {
        random_graph made(random);
        const graph_view g = made.g();
        plan_storage<size> plan, copied;
        make_plan(g, made.needs, plan);
        make_plan(g, made.needs, copied, machine::npu, false);
        diagnosis d;
        check(check_plan(g, made.needs, plan.view(), d), d.expected.view());
        check(check_plan(g, made.needs, copied.view(), d), d.expected.view());
        check(player(g, made.needs, plan.view()).run() && player(g, made.needs, copied.view()).run());
        check(copied.summary.parts_in_place == 0 && plan.summary.run_tasks == copied.summary.run_tasks - plan.summary.cats_removed);
        check(plan.summary.largest_live_bytes <= plan.summary.peak_bytes);
        for (std::int32_t t = copied.summary.prepare_tasks; t < copied.summary.prepare_tasks + copied.summary.run_tasks; ++t)
            cats += g[copied.tasks[static_cast<std::size_t>(t)].node].target == "npu.concat";
        removed += plan.summary.cats_removed;
        parts += plan.summary.parts_in_place;
        peak += plan.summary.peak_bytes;
        peak_copied += copied.summary.peak_bytes;
        smaller += plan.summary.peak_bytes < copied.summary.peak_bytes;
        larger += plan.summary.peak_bytes > copied.summary.peak_bytes;

        // On several streams, in whatever order they run.
        const auto demands = test::random_demands(random, 96);
        const launch_rules rules{2 + round % 2, demands, {}};
        plan_storage<size, 512> streamed;
        make_plan(g, made.needs, streamed, machine::npu, true, &rules);
        check(check_plan(g, made.needs, streamed.view(), d), d.expected.view());
        for (int i = 0; i < 4; ++i) check(player(g, made.needs, streamed.view()).run_in_any_order(random));
        static_cast<void>(test::timed(streamed.view(), demands, machine::npu.launch));
        on_streams += streamed.summary.streams > 1;
        parts_on_streams += streamed.summary.streams > 1 ? streamed.summary.parts_in_place : 0;

        // A value of the run's elsewhere, a part or a takeover that is not said to be one, a task too early, too late or not at all: what is accepted computes the same.
        const auto tasks = plan.summary.prepare_tasks + plan.summary.run_tasks;
        for (int i = 0; i < 25 && plan.summary.run_tasks > 1; ++i) {
            auto other = plan;
            const auto first = plan.summary.prepare_tasks + below(plan.summary.run_tasks),
                       second = plan.summary.prepare_tasks + below(plan.summary.run_tasks);
            auto& p = other.placements[static_cast<std::size_t>(below(g.header().used.values))];
            if (p.where != region::arena) continue;
            auto& task_1 = other.tasks[static_cast<std::size_t>(first)];
            auto& task_2 = other.tasks[static_cast<std::size_t>(second)];
            switch (below(6)) {
            case 0:
                p.offset = below(20) * 64;
                break;
            case 1:
                p.offset = std::max<std::int64_t>(0, p.offset + (below(9) - 4) * 4);
                break;
            case 2:
                p.part_of = {};
                break;
            case 3:
                std::swap(task_1, task_2);
                break;
            case 4:
                p.shares = {};
                break;
            default:
                for (auto t = first; t + 1 < tasks; ++t)
                    other.tasks[static_cast<std::size_t>(t)] = other.tasks[static_cast<std::size_t>(t + 1)];
                --other.summary.run_tasks;
            }
            if (i % 5 > 0) other = test::redescribed(g, made.needs, other);
            diagnosis why;
            const bool says = check_plan(g, made.needs, other.view(), why);
            const bool is = player(g, made.needs, other.view()).run();
            ++changed;
            accepted += says;
            unsound += says && !is;
            harmless += !says && is;
        }
    }
    std::cout << "concatenations: " << cats << ", removed " << removed << ", parts in place " << parts << '\n';
    std::cout << "arena: " << static_cast<double>(peak) / static_cast<double>(peak_copied) << " of that with copies; smaller " << smaller
              << ", larger " << larger << " of " << rounds << "\n";
    std::cout << "changed plans: " << changed << ", accepted " << accepted << ", of these wrong " << unsound << "; refused though right "
              << harmless << '\n';
    std::cout << "on several streams: " << on_streams << ", parts in place " << parts_on_streams << '\n';
    check(removed > 2 * rounds / 3 && parts > removed);
    check(on_streams > rounds / 3 && parts_on_streams > 2 * rounds / 3);
    check(accepted > 2 * rounds / 3 && changed - accepted > 20 * rounds / 3 && unsound == 0);
    check(peak <= peak_copied);
    return test::report();
}
