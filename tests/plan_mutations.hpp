// A plan with any one of its numbers changed: every field of every record of plan.hpp, found in the records themselves, so that a new field is changed unasked.
// The verifier's verdict on each against the simulation of bytes. Prints how many of each field were harmful.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan_simulation.hpp"

#include <ahead/plan/check.hpp>

#include <array>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <limits>
#include <random>
#include <string>

namespace test {

struct field {
    std::size_t offset = 0, size = 0, alignment = 0;
};

/// The fields of an aggregate of numbers, enums and ids, by what its members are initialised with.
template <class T> class field_list {
public:
    static const std::vector<field>& all() {
        static const auto found = find();
        return found;
    }

private:
    struct anything {
        std::vector<field>* seen = nullptr;
        template <class U> operator U() const {
            static_assert(std::is_integral_v<U> || std::is_enum_v<U> || sizeof(U) == sizeof(node_id), "a number, or something of one");
            if (seen) seen->push_back({0, sizeof(U), alignof(U)});
            return {};
        }
    };
    template <std::size_t... I> static constexpr bool takes(std::index_sequence<I...>) { return requires { T{(static_cast<void>(I), anything{})...}; }; }
    template <std::size_t N = 40> static constexpr std::size_t count() {
        if constexpr (takes(std::make_index_sequence<N>{})) return N;
        else return count<N - 1>();
    }
    template <std::size_t... I> static std::vector<field> list(std::index_sequence<I...>) {
        std::vector<field> out;
        [[maybe_unused]] const T seen{(static_cast<void>(I), anything{&out})...};
        std::size_t end = 0;
        for (auto& f : out) {
            f.offset = (end + f.alignment - 1) / f.alignment * f.alignment;
            end = f.offset + f.size;
        }
        end = (end + alignof(T) - 1) / alignof(T) * alignof(T);
        if (end != sizeof(T) || out.size() != sizeof...(I)) throw std::logic_error("fields that lie elsewhere");
        return out;
    }
    static std::vector<field> find() { return list(std::make_index_sequence<count()>{}); }
};

template <class T> std::int64_t get_field(const T& record, const field& f) {
    const auto* from = reinterpret_cast<const std::byte*>(&record) + f.offset;
    if (f.size == 1) return static_cast<std::int64_t>(*from);
    std::int32_t small = 0;
    std::int64_t large = 0;
    if (f.size == 4) std::memcpy(&small, from, 4);
    else std::memcpy(&large, from, 8);
    return f.size == 4 ? small : large;
}
template <class T> void set_field(T& record, const field& f, std::int64_t x) {
    auto* to = reinterpret_cast<std::byte*>(&record) + f.offset;
    const auto small = static_cast<std::int32_t>(x);
    if (f.size == 1) *to = static_cast<std::byte>(x);
    else if (f.size == 4) std::memcpy(to, &small, 4);
    else std::memcpy(to, &x, 8);
}

struct mutation_count {
    std::string record, name;
    int harmful = 0, harmless = 0, refused = 0, refused_in_vain = 0;
};

class plan_mutations {
public:
    plan_mutations() {
        add<placement>("placement", {"where", "port", "offset", "bytes", "first_task", "last_task", "shares", "part_of", "copy"});
        add<task>("task", {"node", "workspace_offset", "workspace_bytes", "stream", "parts"});
        add<constant_copy>("constant_copy", {"parameter", "offset", "bytes"});
        add<ahead::plan::sync>("sync", {"kind", "event", "stream", "before"});
        add<plan_summary>("plan_summary", {"prepare_tasks", "run_tasks", "ai_cpu_tasks", "copies", "inputs", "parameters", "inputs_written", "inputs_written_in_place", "states",
                                           "states_written_in_place", "cats_removed", "parts_in_place", "streams", "cores", "events", "syncs", "peak_bytes", "state_bytes",
                                           "constant_bytes", "scratch_bytes", "workspace_bytes", "largest_live_bytes"});
    }
    const std::vector<mutation_count>& counts() const { return counts_; }

    /// Changes each field of `times` records of each kind, in every way. One change to a plan at a time.
    template <class Plan> void run(graph_view g, array_view<const device::kernel_needs> needs, const Plan& plan, std::mt19937& random, int times) {
        const every_path paths(plan.view());
        const known_plan<Plan> known{g, needs, plan, paths};
        diagnosis d;
        check(check_plan(g, needs, plan.view(), d), d.expected.view());
        check(plan_is_right(g, needs, plan.view(), &paths));
        const auto tasks = plan.summary.prepare_tasks + plan.summary.run_tasks;
        std::size_t row = 0;
        mutate<placement>(known, g.header().used.values, row, random, times, [](Plan& p, std::size_t i) -> placement& { return p.placements[i]; });
        mutate<task>(known, tasks, row, random, times, [](Plan& p, std::size_t i) -> task& { return p.tasks[i]; });
        mutate<constant_copy>(known, plan.summary.copies, row, random, times, [](Plan& p, std::size_t i) -> constant_copy& { return p.copies[i]; });
        mutate<ahead::plan::sync>(known, plan.summary.syncs, row, random, times, [](Plan& p, std::size_t i) -> ahead::plan::sync& { return p.syncs[i]; });
        mutate<plan_summary>(known, 1, row, random, 1, [](Plan& p, std::size_t) -> plan_summary& { return p.summary; });
    }
    /// least: how many harmful ones there must be of each field.
    void report(int least) const {
        std::string record;
        int harmful = 0, harmless = 0, refused = 0, in_vain = 0;
        for (const auto& c : counts_) {
            if (record != c.record) std::cout << (record.empty() ? "" : "\n") << c.record << ": harmful and refused, harmless and refused\n";
            record = c.record;
            std::cout << "  " << std::left << std::setw(24) << c.name << ' ' << c.refused << '/' << c.harmful << ", " << c.refused_in_vain << '/' << c.harmless << '\n';
            harmful += c.harmful;
            harmless += c.harmless;
            refused += c.refused;
            in_vain += c.refused_in_vain;
            check(c.harmful >= least, c.name);
        }
        std::cout << "\nin all: harmful and refused " << refused << '/' << harmful << ", harmless and refused " << in_vain << '/' << harmless << '\n';
        check(refused == harmful && in_vain == 0);
    }

private:
    template <class Plan> struct known_plan {
        graph_view g;
        array_view<const device::kernel_needs> needs;
        const Plan& plan;
        const every_path& paths;
    };
    std::vector<mutation_count> counts_;

    template <class T> void add(std::string record, std::vector<std::string> names) {
        for (std::size_t i = 0; i < field_list<T>::all().size(); ++i) counts_.push_back({record, i < names.size() ? names[i] : "number " + std::to_string(i)});
    }
    template <class T, class Plan, class At>
    void mutate(const known_plan<Plan>& known, std::int32_t records, std::size_t& row, std::mt19937& random, int times, const At& at) {
        const auto any = [&](std::int64_t n) { return static_cast<std::size_t>(random() % static_cast<std::uint64_t>(n)); };
        // What a change may do to the order of the tasks has to be found out anew.
        constexpr bool orders = !std::is_same_v<T, placement> && !std::is_same_v<T, constant_copy>;
        for (const auto& f : field_list<T>::all()) {
            auto& count = counts_[row++];
            for (int k = 0; k < times && records > 0; ++k) {
                const auto i = any(records), other = any(records);
                auto changed = known.plan;
                auto& mine = at(changed, i);
                const auto x = get_field(mine, f), y = get_field(at(changed, other), f);
                const auto limit = f.size == 1 ? 255 : f.size == 4 ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
                std::vector<std::int64_t> values{x - 1, x + 1, x + 64, x - 64, 0, -1, y, static_cast<std::int64_t>(any(12)), 64 * static_cast<std::int64_t>(any(12)), limit, f.size == 1 ? 0 : -limit - 1};
                if (f.size == 1)
                    for (auto& v : values) v &= 7;
                for (const auto to : values) {
                    if (to == x) continue;
                    set_field(mine, f, to);
                    judge(known, changed, count, orders);
                }
                if (x == y) continue;
                set_field(mine, f, y);
                set_field(at(changed, other), f, x);
                judge(known, changed, count, orders);
            }
        }
    }
    /// The change as it is, and with all that follows from it.
    template <class Plan> static void judge(const known_plan<Plan>& known, const Plan& changed, mutation_count& count, bool orders) {
        const auto verdict = [&](const Plan& plan) {
            diagnosis d;
            const bool accepted = check_plan(known.g, known.needs, plan.view(), d);
            const bool is_right = plan_is_right(known.g, known.needs, plan.view(), orders ? nullptr : &known.paths);
            ++(is_right ? count.harmless : count.harmful);
            count.refused += !accepted && !is_right;
            count.refused_in_vain += !accepted && is_right;
            if (accepted != is_right && (count.harmful - count.refused) + count.refused_in_vain < 4)
                std::cout << count.record << '.' << count.name << (accepted ? ": accepted though harmful" : ": refused though harmless: ") << d.name.view() << ": " << d.expected.view() << ", " << d.found.view() << '\n';
        };
        verdict(changed);
        const auto again = redescribed(known.g, known.needs, changed);
        const auto is = [&](const Plan& other) {
            return again.summary == other.summary && again.placements == other.placements && again.tasks == other.tasks && again.copies == other.copies && again.syncs == other.syncs;
        };
        if (!is(changed) && !is(known.plan)) verdict(again);
    }
};

} // namespace test
