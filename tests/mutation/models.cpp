// SPDX-License-Identifier: MIT
// The models on two and four streams: each event taken away, each buffer moved onto each that lives at the same time, and plans broken at random; of small
// ones, on one stream and on two, each field changed. Run in tests/. Prints <caught>/<injected> for each, and what the streams bring: time over the least that can be, and memory.
#include "../plan_mutations.hpp"
#include "../planned.hpp"

#include <iomanip>
#include <random>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

/// The tasks' times one after the other along the longest way that their operands make, and all of them over the streams.
test::quality quality_of(const test::device_model& model, const test::model_plan& plan, std::int32_t streams) {
    const auto g = model.graph();
    const auto tasks = static_cast<std::size_t>(plan.summary.run_tasks);
    const auto demands = test::demands_of_tasks(plan.view(), model.demands);
    std::vector<std::int64_t> end(static_cast<std::size_t>(g.header().used.values), 0); // by storage
    std::int64_t work = 0, longest = 0;
    const auto ends = [&](auto&& self, std::int32_t storage) -> std::int64_t {
        auto latest = end[static_cast<std::size_t>(storage)];
        for (std::int32_t v = 0; v < g.header().used.values; ++v)
            if (plan.placements[static_cast<std::size_t>(v)].part_of.index == storage) latest = std::max(latest, self(self, v));
        return latest;
    };
    for (std::size_t i = 0; i < tasks; ++i) {
        const auto& n = g[plan.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks) + i].node];
        std::int64_t start = 0;
        for_each_operand(g, n.arguments, [&](const argument& a) { start = std::max(start, ends(ends, g.value_of(a).storage.index)); });
        for (std::int32_t k = 0; k < n.values.count; ++k) end[static_cast<std::size_t>(n.values.first + k)] = start + demands[i].alone.count;
        longest = std::max(longest, start + demands[i].alone.count);
        work += demands[i].alone.count;
    }
    auto bound = std::max(longest, (work + streams - 1) / streams);
    for (int u = 0; u < machine::units; ++u) {
        std::int64_t busy = 0;
        for (const auto& one : demands) busy += one.at_peak[u].count;
        bound = std::max(bound, busy);
    }
    return {makespan_of(test::timed(plan.view(), model.demands, machine::npu.launch)).count - machine::npu.launch.graph.count, bound};
}

struct tally {
    int injected = 0, caught = 0;
    void count(bool is_caught) {
        ++injected;
        caught += is_caught;
    }
};
std::ostream& operator<<(std::ostream& out, const tally& t) { return out << t.caught << '/' << t.injected; }

template <class Plan> bool is_refused(const test::device_model& model, const Plan& plan) {
    diagnosis d;
    return !check_plan(model.graph(), model.needs(), plan.view(), d);
}

} // namespace

int main() {
    const char* files[] = {"../examples/02_digits/digits.txt", "mutation/mlp3.txt",       "../examples/04_speech/silero_vad.txt", "mutation/lenet.txt",
                           "../bench/run/resnet18_w16.txt",    "../bench/run/vit_tiny.txt", "../bench/run/gpt_block.txt",           "mutation/lstm4.txt"};
    std::mt19937 random(4);
    std::vector<double> ratios;
    test::plan_mutations changes; // of each field of the small models
    std::cout << std::fixed << std::setprecision(3);
    for (const std::filesystem::path file : files) {
        const test::device_model model(corpus::read_text(file));
        const auto one = model.plan();
        check(!is_refused(model, one));
        if (one.summary.run_tasks <= 40) {
            changes.run(model.graph(), model.needs(), one, random, 2);
            changes.run(model.graph(), model.needs(), model.plan(2), random, 2);
        }
        test::check_equal(one.summary.peak_bytes, one.summary.largest_live_bytes); // the least there can be, of every model
        const auto quick = model.plan(1, effort{0});
        check(quick.view().effort == effort{0} && one.view().effort == effort::constant && quick.summary.peak_bytes >= one.summary.peak_bytes && !is_refused(model, quick));
        for (const std::int32_t streams : {2, 4}) {
            const auto plan = model.plan(streams);
            diagnosis d;
            check(check_plan(model.graph(), model.needs(), plan.view(), d), d.found.view());
            check(test::plan_is_right(model.graph(), model.needs(), plan.view()));
            tally events, moved;
            for (std::int32_t s = 0; s < plan.summary.syncs; ++s) events.count(is_refused(model, test::without_sync(plan, s)));
            test::for_each_overlap(plan, [&](const auto& wrong) { moved.count(is_refused(model, wrong)); });
            const auto arena = test::values_in_arena(plan);
            // At random: a buffer elsewhere, a task on another stream, a sync on another stream or for another event.
            int agreed = 0, shaken = 0, wrong = 0;
            for (; shaken < 650 && plan.summary.run_tasks > 1; ++shaken) {
                auto other = plan;
                const auto any = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
                const auto kind = plan.summary.syncs > 0 ? shaken % 4 : 0;
                auto& sync = other.syncs[static_cast<std::size_t>(any(plan.summary.syncs > 0 ? plan.summary.syncs : 1))];
                if (kind == 0) other.placements[static_cast<std::size_t>(arena[static_cast<std::size_t>(any(static_cast<std::int64_t>(arena.size())))])].offset = any(plan.summary.peak_bytes / 64) * 64;
                if (kind == 1) other.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks + any(plan.summary.run_tasks))].stream = static_cast<std::int32_t>(any(plan.summary.streams));
                if (kind == 2) sync.stream = static_cast<std::int32_t>(any(plan.summary.streams));
                if (kind == 3) sync.event = static_cast<std::int32_t>(any(plan.summary.events));
                other = test::redescribed(model.graph(), model.needs(), other);
                const bool is_right = test::plan_is_right(model.graph(), model.needs(), other.view());
                agreed += is_refused(model, other) == !is_right;
                wrong += !is_right;
            }
            const auto q = quality_of(model, plan, streams);
            const auto gain = static_cast<double>(q.makespan) / static_cast<double>(quality_of(model, one, 1).makespan);
            const auto memory = static_cast<double>(plan.summary.peak_bytes) / static_cast<double>(one.summary.peak_bytes);
            ratios.push_back(q.ratio());
            std::cout << std::left << std::setw(14) << file.stem().string() << ' ' << streams << " streams: records and waits " << events << ", overlaps " << moved
                      << ", verdicts " << agreed << '/' << shaken << " (" << wrong << " wrong plans); " << plan.summary.events << " events, time " << q.ratio()
                      << " of the least there can be; of one stream's time " << gain << ", arena " << memory << '\n';
            check(events.caught == events.injected && moved.caught == moved.injected && agreed == shaken);
        }
    }
    std::sort(ratios.begin(), ratios.end());
    if (!ratios.empty()) std::cout << "median time over the least there can be: " << ratios[ratios.size() / 2] << '\n';
    check(!ratios.empty() && ratios[ratios.size() / 2] <= 1.05);
    changes.report(0);
    return test::report();
}
