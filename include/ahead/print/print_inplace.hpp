// SPDX-License-Identifier: MIT
// The results that a run writes in place, and those that it could have: one line per task whose kernel may overwrite an
// operand, with the reason if it does not, one line per input and state that the graph writes, and the sums. Computed
// on request from a finished plan, so that other programs do not pay for it.
// Law: a result that is not in place counts as missed if the operand's bytes were in the arena, or belong to an input
// or a state that is written, and it is not part of a concatenation.
#pragma once
#include <ahead/device/assign.hpp>
#include <ahead/device/kernel_needs.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/print/text_sink.hpp>

namespace AHEAD_NAMESPACE::printers {

/// How often a result took the memory of an operand, or of the input or state whose new value it is; and how often it
/// did not. Bytes are those of the results.
struct inplace_summary {
    std::int32_t taken = 0;
    std::int32_t missed = 0;
    std::int64_t taken_bytes = 0;
    std::int64_t missed_bytes = 0;
    friend constexpr bool operator==(const inplace_summary&, const inplace_summary&) = default;
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

class inplace_reporter {
public:
    constexpr inplace_reporter(graph_view g, plan_view plan, array_view<const device::kernel_needs> needs)
        : g_(g), plan_(plan), needs_(needs) {}

    /// One line per decision.
    template <text_sink Sink> constexpr inplace_summary run(Sink& out) const {
        inplace_summary sum;
        const auto total = plan_.summary.prepare_tasks + plan_.summary.run_tasks;
        for (auto t = plan_.summary.prepare_tasks; t < total; ++t) {
            const auto id = task_at(t).node;
            for (std::int32_t k = 0; k < g_[id].values.count; ++k)
                if (may_overwrite(id, k)) describe_result(t, k, sum, out);
        }
        for (node_id id : g_)
            if (device::is_assign(g_[id])) describe_input(id, sum, out);
        return sum;
    }

private:
    graph_view g_;
    plan_view plan_;
    array_view<const device::kernel_needs> needs_;

    constexpr const task& task_at(std::int32_t t) const { return plan_.tasks[static_cast<std::size_t>(t)]; }
    constexpr const placement& placement_of(value_id v) const {
        return plan_.placements[static_cast<std::size_t>(v.index)];
    }
    constexpr std::int64_t bytes_of_result(value_id v) const {
        return bytes_of(g_[v].type.type, element_count(g_[v].type));
    }
    constexpr std::int32_t readings(const node& n, value_id storage) const {
        std::int32_t count = 0;
        for_each_operand(g_, n.arguments, [&](const argument& a) { count += g_.value_of(a).storage == storage; });
        return count;
    }
    /// The first task after t that reads the storage; none if there is none.
    constexpr node_id later_reader(std::int32_t t, value_id storage) const {
        for (auto later = t + 1; later < plan_.summary.prepare_tasks + plan_.summary.run_tasks; ++later)
            if (readings(g_[task_at(later).node], storage) > 0) return task_at(later).node;
        return {};
    }
    /// The last task before t, on another stream, that reads the storage: it may still run. None if there is none.
    constexpr node_id reader_beside(std::int32_t t, value_id storage) const {
        for (auto other = t; other-- > plan_.summary.prepare_tasks;)
            if (task_at(other).stream != task_at(t).stream && readings(g_[task_at(other).node], storage) > 0)
                return task_at(other).node;
        return {};
    }
    constexpr std::int32_t task_of(node_id id) const {
        for (std::int32_t t = 0; t < plan_.summary.prepare_tasks + plan_.summary.run_tasks; ++t)
            if (task_at(t).node == id) return t;
        return -1;
    }
    /// Whether result k may take the memory of the argument, by kernel_needs; the second overload: of any argument.
    constexpr bool may_overwrite(node_id id, std::int32_t k, std::int32_t argument) const {
        const auto& asked = needs_[static_cast<std::size_t>(id.index)];
        const auto& a = g_.argument_of(g_[id], argument);
        return argument < 16 && (asked.may_overwrite >> argument & 1) != 0 && a.kind == argument_kind::node &&
               (asked.each_may_overwrite ? g_.value_of(id, k).type == g_.value_of(a).type : k == 0);
    }
    constexpr bool may_overwrite(node_id id, std::int32_t k) const {
        for (std::int32_t i = 0; i < g_[id].arguments.count; ++i)
            if (may_overwrite(id, k, i)) return true;
        return false;
    }
    /// Whether a result of n takes the memory of the storage.
    constexpr bool is_taken(const node& n, value_id storage) const {
        for (std::int32_t k = 0; k < n.values.count; ++k)
            if (placement_of(n.values[k]).shares == storage) return true;
        return false;
    }
    /// Whether an argument before the i-th has the same storage.
    constexpr bool is_named(const node& n, std::int32_t i, value_id storage) const {
        while (i-- > 0)
            if (const auto& a = g_.argument_of(n, i);
                a.kind == argument_kind::node && g_.value_of(a).storage == storage)
                return true;
        return false;
    }
    static constexpr void count(bool taken, std::int64_t bytes, inplace_summary& sum) {
        ++(taken ? sum.taken : sum.missed);
        (taken ? sum.taken_bytes : sum.missed_bytes) += bytes;
    }

    template <text_sink Sink>
    constexpr void describe_result(std::int32_t t, std::int32_t k, inplace_summary& sum, Sink& out) const {
        const auto id = task_at(t).node;
        const auto& n = g_[id];
        const value_id result = n.values[k];
        const auto& mine = placement_of(result);
        const auto bytes = bytes_of_result(result);
        out.append(print(n.name).view());
        if (k > 0) out.append((short_text() << "[" << k << "]").view());
        if (mine.where == region::input ||
            mine.where == region::state) { // the new value of one, which has a separate line
            out.append(mine.where == region::input ? ": writes an input of the run\n"
                                                   : ": writes a state of the session\n");
            return;
        }
        if (mine.part_of.exists()) {
            out.append(": in its slice of ");
            out.append(print(g_[node_of(g_, mine.part_of)].name).view());
            out.append("\n");
            return;
        }
        if (mine.shares.exists()) {
            count(true, bytes, sum);
            out.append(": in place of ");
            out.append(print(g_[node_of(g_, mine.shares)].name).view());
            out.append("\n");
            return;
        }
        out.append(": in memory of its own");
        bool own_bytes = false;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(n, i);
            if (!may_overwrite(id, k, i)) continue;
            const auto storage = g_.value_of(a).storage;
            if (is_named(n, i, storage)) continue;
            out.append("; ");
            out.append(print(g_[node_of(g_, storage)].name).view());
            const auto& theirs = placement_of(storage);
            const auto reader = later_reader(t, storage);
            own_bytes = own_bytes || theirs.where == region::arena;
            if (theirs.where == region::input) out.append(" is an input");
            else if (theirs.where == region::state) out.append(" is a state");
            else if (theirs.where != region::arena) out.append(" is a constant");
            else if (reader.exists()) {
                out.append(" is read again by ");
                out.append(print(g_[reader].name).view());
            } else if (readings(g_[g_.last()], storage) > 0) out.append(" is returned");
            else if (readings(n, storage) > 1) out.append(" is read elsewhere, too");
            else if (theirs.part_of.exists()) out.append(" is part of a concatenation");
            else if (is_taken(n, storage)) out.append(" has gone to another result");
            else if (const auto beside = reader_beside(t, storage); beside.exists() && theirs.bytes <= mine.bytes) {
                out.append(" is read on another stream by ");
                out.append(print(g_[beside].name).view());
            } else out.append(" is larger");
        }
        if (own_bytes) count(false, bytes, sum);
        out.append("\n");
    }

    template <text_sink Sink> constexpr void describe_input(node_id id, inplace_summary& sum, Sink& out) const {
        const auto port = g_.value_of(g_.argument_of(g_[id], 0)).storage;
        const auto& source = g_.value_of(g_.argument_of(g_[id], 1));
        const auto producer = node_of(g_, source.storage);
        const bool taken = task_of(id) < 0;
        count(taken, bytes_of_result(port), sum);
        out.append(print(g_[node_of(g_, port)].name).view());
        out.append(taken ? ": written by " : ": copied at the end; ");
        out.append(print(g_[producer].name).view());
        if (!taken) {
            const auto& made = placement_of(source.storage);
            auto reader = node_id{};
            if (const auto t = task_of(producer); t >= 0)
                for (auto later = t; !reader.exists() || reader == id;) {
                    reader = later_reader(later, port);
                    if (reader != id) break;
                    later = task_of(id);
                }
            if (made.where != region::arena) out.append(" is not computed by the run");
            else if (!(source.type == g_[port].type) || !(g_[source.storage].type == g_[port].type))
                out.append(" lies in another order");
            else if (readings(g_[g_.last()], source.storage) > 0) out.append(" is returned");
            else if (reader.exists()) {
                out.append(" comes before ");
                out.append(print(g_[reader].name).view());
                out.append(", which reads the old value");
            } else out.append(" reads the old value while it writes");
        }
        out.append("\n");
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// "mul: in place of sin", "add: in memory of its own; sin is read again by mul", "x: written by mul_1", then the sums.
/// Returns the sums.
template <text_sink Sink>
constexpr inplace_summary print_inplace(graph_view g, plan_view plan, array_view<const device::kernel_needs> needs,
                                        Sink& out) {
    const auto sum = detail::inplace_reporter(g, plan, needs).run(out);
    out.append((short_text() << "in place " << sum.taken << " (" << sum.taken_bytes << " bytes), missed " << sum.missed
                             << " (" << sum.missed_bytes << " bytes)\n")
                   .view());
    return sum;
}
/// For a compiled program: `std::string text; print_inplace<program>(text);`
template <class Program, text_sink Sink> constexpr inplace_summary print_inplace(Sink& out) {
    return print_inplace(Program::lowered_graph(), Program::plan_view(),
                         array_view<const device::kernel_needs>(Program::needs.data(), Program::needs.size()), out);
}
/// The sums alone: static_assert(inplace_of<program>().missed == 0);
template <class Program> constexpr inplace_summary inplace_of() {
    no_text nowhere;
    return detail::inplace_reporter(
               Program::lowered_graph(), Program::plan_view(),
               array_view<const device::kernel_needs>(Program::needs.data(), Program::needs.size()))
        .run(nowhere);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::inplace_of, printers::print_inplace;
} // namespace ahead
