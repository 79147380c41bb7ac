// The order of launches on several streams against the graph of who comes behind whom: launches, events and waits by chance; what a stream knows is what can
// be reached, the times are those of the longest way, and what used some bytes last is all that a launch must be asked about.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/npu/accesses.hpp>
#include <ahead/npu/launch_order.hpp>

#include <random>
#include <set>

using namespace ahead;
using namespace test;

namespace {

constexpr std::int32_t streams = 4;
constexpr machine::ticks toll{3};

using launch_id = std::pair<std::int32_t, std::uint64_t>; // stream, number

struct model_stream {
    std::set<launch_id> before; // whatever is launched here next
    std::int64_t done_at = 0;
};
struct model_point {
    std::int32_t stream = 0;
    model_stream seen;
};

void games() {
    int unordered = 0, ordered = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        const auto chance = [&](std::int32_t n) { return static_cast<std::int32_t>(random() % static_cast<unsigned>(n)); };
        std::vector<npu::launch_order> real;
        for (std::int32_t s = 0; s < streams; ++s) real.emplace_back(s);
        std::vector<model_stream> model(streams);
        std::vector<std::pair<npu::launch_point, model_point>> points;
        npu::accesses uses;
        std::vector<std::pair<launch_id, bool>> all_uses; // and whether it wrote
        for (int step = 0; step < 120; ++step) {
            const auto s = chance(streams);
            auto& mine = real[static_cast<std::size_t>(s)];
            auto& same = model[static_cast<std::size_t>(s)];
            switch (chance(3)) {
            case 0: {
                const auto next = mine.next();
                const bool writes = chance(2) == 0;
                bool is_ordered = true;
                for (const auto& [id, wrote] : all_uses) is_ordered = is_ordered && (!(wrote || writes) || same.before.contains(id));
                if (!check_equal(uses.unordered(mine.known(), writes) == nullptr, is_ordered)) return;
                ++(is_ordered ? ordered : unordered);
                const auto now = mine.launch();
                if (!check(now.stream == s && now.number == next.number && mine.last().number == now.number)) return;
                same.before.insert({s, now.number});
                same.done_at += 1 + chance(9);
                mine.done_at(machine::ticks{same.done_at});
                if (!is_ordered) break; // a race: who refuses it uses nothing
                uses.add(now, writes);
                all_uses.emplace_back(launch_id{s, now.number}, writes);
                break;
            }
            case 1:
                points.push_back({{}, {s, same}});
                mine.mark(points.back().first);
                break;
            default:
                if (points.empty()) break;
                const auto& [p, m] = points[static_cast<std::size_t>(chance(static_cast<std::int32_t>(points.size())))];
                mine.wait(p, toll);
                same.before.insert(m.seen.before.begin(), m.seen.before.end());
                if (m.stream != s) same.done_at = std::max(same.done_at, m.seen.done_at + toll.count);
            }
            if (!check(mine.done_at() == machine::ticks{same.done_at})) return;
            for (std::int32_t of = 0; of < streams; ++of)
                for (std::uint64_t n = 1; n <= real[static_cast<std::size_t>(of)].last().number; ++n)
                    if (!check_equal(mine.known().knows({of, n}), same.before.contains({of, n}))) return;
        }
    }
    check(ordered > 1000 && unordered > 1000);
}

/// What is waited for is what the stream knew when the point was marked, whatever it was launched on.
void marks_carry_what_was_waited_for() {
    npu::launch_order a(0), b(1), c(2);
    a.launch();
    npu::launch_point p, q;
    a.mark(p);
    b.wait(p, toll);
    b.mark(q); // nothing was launched on b
    c.wait(q, toll);
    check(c.known().knows({0, 1}) && !a.known().knows({1, 1}));
    a.launch();
    check(!c.known().knows(a.last()));
}

} // namespace

int main() {
    games();
    marks_carry_what_was_waited_for();
    return report();
}
