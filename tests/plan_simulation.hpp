// What a plan does to every byte, and what it says of itself, found out the long way: every region as cells that know
// whose bytes they hold, every order that records and waits allow. What a kernel may overwrite it takes from
// kernel_needs. Slow, and knowing nothing of the verifier or of the planner.
// SPDX-License-Identifier: MIT
#pragma once
#include "every_path.hpp"
#include "harness.hpp"
#include "plan_description.hpp"

#include <ahead/air/stream_map.hpp>

#include <optional>

namespace test {

class plan_simulation : public plan_description {
public:
    /// known: the order of the tasks, where it was found out before.
    plan_simulation(graph_view g, array_view<const device::kernel_needs> needs, plan_view plan, const every_path* known = nullptr)
        : plan_description(g, needs, plan), known_(known) {}
    /// Whether every reader finds what was written for it, and every number is what it says.
    bool is_right() {
        if (!is_sane_ || !tasks_are_listed() || !describes_itself() || !places_are_legal()) return false;
        if (plan_.summary.streams > 1 || !plan_.syncs.empty()) {
            if (!known_) known_ = &paths_.emplace(plan_);
            if (!known_->is_legal || !streams_do_as_the_graph_says()) return false;
        }
        return bytes_are_right();
    }

private:
    const every_path* known_;
    std::optional<every_path> paths_;

    // ---- whether it may

    bool places_are_legal() const {
        const auto is_aligned = [](std::int64_t offset) { return offset >= 0 && offset % machine::npu.alignment == 0; };
        int effect = -1, number = 0;
        std::vector<int> order(task_of_.size(), 0);
        for (node_id id : g_) order[static_cast<std::size_t>(id.index)] = number++;
        for (std::int32_t v = 0; v < values_; ++v) {
            const auto& p = place(v);
            if (p.where != region::nowhere && (p.part_of.exists() ? p.offset < 0 : !is_aligned(p.offset))) return false;
            const auto n = owner_[static_cast<std::size_t>(v)];
            if (!n.exists() || g_[n].kind != node_kind::call || p.where == region::nowhere || g_[value_id{v}].storage.index != v) continue;
            const auto t = task_of(n);
            const bool preparing = t >= 0 && t < plan_.summary.prepare_tasks;
            if (preparing ? p.where != region::scratch && p.where != region::constants : p.where != region::arena && !is_port(p)) return false;
            if (is_port(p) && port_computed_by(v) < 0) return false;
        }
        for (std::int32_t t = 0; t < total_; ++t) {
            const auto& n = g_[job(t).node];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
                if (place(v).where == region::nowhere) return false;
            if (!is_aligned(job(t).workspace_offset)) return false;
            if (t < plan_.summary.prepare_tasks && job(t).stream != 0) return false;
            if (n.values.count > 0) continue;
            if (t < plan_.summary.prepare_tasks || order[static_cast<std::size_t>(job(t).node.index)] < effect) return false;
            effect = order[static_cast<std::size_t>(job(t).node.index)];
        }
        std::vector<int> reads(static_cast<std::size_t>(values_), 0);
        for (auto t = plan_.summary.prepare_tasks; t <= total_; ++t)
            for_each_operand(g_, (t == total_ ? g_[g_.last()] : g_[job(t).node]).arguments, [&](const argument& a) { reads[static_cast<std::size_t>(storage_of(a))] = 1; });
        for (std::int32_t i = 0; i < plan_.summary.copies; ++i) {
            const auto& c = plan_.copies[static_cast<std::size_t>(i)];
            if (!is_aligned(c.offset) || c.bytes != aligned(needed(c.parameter.index)) || place(c.parameter.index).copy != i) return false;
        }
        for (std::int32_t v = 0; v < values_; ++v)
            if (place(v).where == region::state ? place(v).copy < 0 && g_[owner_[static_cast<std::size_t>(v)]].kind != node_kind::call
                                                : place(v).where == region::parameter && (place(v).copy >= 0) != (reads[static_cast<std::size_t>(v)] != 0))
                return false;
        return true;
    }
    bool is_before(int a, int b) const { return !known_ || known_->before[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] != 0; }
    /// On streams of the graph's own each task is where the graph says, and what a wait names comes before all that follows it. On others effects come one
    /// after the other.
    bool streams_do_as_the_graph_says() const {
        const air::stream_map map(g_);
        const auto first = plan_.summary.prepare_tasks;
        const auto run_task = [&](node_id id) { return task_of(id) - first; };
        if (!map.any()) {
            int last = -1;
            for (std::int32_t t = first; t < total_; ++t) {
                if (g_[job(t).node].values.count > 0) continue;
                if (last >= 0 && !is_before(last, t - first)) return false;
                last = t - first;
            }
            return true;
        }
        if (plan_.summary.streams == 1) return true;
        for (std::int32_t t = first; t < total_; ++t)
            if (job(t).stream != map.of(job(t).node).stream) return false;
        std::vector<node_id> above;
        for (node_id wait : g_) {
            const auto word = air::stream_word_of(g_[wait]);
            std::vector<node_id> records;
            if (word == air::stream_word::wait) for_each_operand(g_, g_[wait].arguments, [&](const argument& a) { records.push_back(a.node()); });
            if (word == air::stream_word::tagged_event_wait)
                for (auto id : above)
                    if (air::stream_word_of(g_[id]) == air::stream_word::tagged_event_record && g_.argument_of(g_[id], 0).text == g_.argument_of(g_[wait], 0).text) records.assign(1, id);
            for (auto record : records)
                for (node_id earlier : g_) {
                    if (earlier == record) break;
                    if (run_task(earlier) < 0 || map.of(earlier).stream != map.of(record).stream) continue;
                    for (auto later = wait; later.exists(); later = g_[later].next)
                        if (run_task(later) >= 0 && map.of(later).stream == map.of(wait).stream && !is_before(run_task(earlier), run_task(later))) return false;
                }
            above.push_back(wait);
        }
        return true;
    }

    // ---- the bytes

    struct content { // byte x of the space holds byte x - base of the storage
        std::int32_t origin = -1;
        std::int64_t base = 0;
        friend bool operator==(const content&, const content&) = default;
    };
    struct use {
        int task = 0;
        bool writes = false;
        int space = 0;
        std::int64_t begin = 0, end = 0;
        content what;
    };
    /// f(content, begin, end) of the storage at an address: of a concatenation, what the parts in their places hold.
    template <class F> void each_content(std::int32_t v, std::int64_t at, const F& f) const {
        const auto* j = join_at(v);
        if (is_woven_part(v)) {
            each_run(g_[value_id{v}].type, [&](std::int64_t begin, std::int64_t end) { f(content{v, at}, at + begin, at + end); });
            return;
        }
        if (!j || !(j->are_blocks || (j->are_woven && all_lie_there(*j)))) {
            if (held(v) > 0) f(content{v, at}, at, at + held(v));
            return;
        }
        for (const auto& s : j->slices) {
            if (is_part(*j, s)) each_content(s.part, at + s.begin, f);
            else if (s.bytes > 0) f(content{v, at}, at + s.begin, at + s.begin + s.bytes);
        }
        if (needed(v) < held(v)) f(content{v, at}, at + needed(v), at + held(v));
    }
    bool bytes_are_right() const {
        std::vector<use> uses;
        const auto first = plan_.summary.prepare_tasks;
        const auto read = [&](int t, std::int32_t v, bool running) {
            const auto a = address_of(v, running);
            if (a.space == -2) return true;
            if (a.space < 0) return false;
            each_content(v, a.at, [&](content c, std::int64_t begin, std::int64_t end) { uses.push_back({t, false, a.space, begin, end, c}); });
            return true;
        };
        for (std::int32_t i = 0; i < plan_.summary.copies; ++i) {
            const auto& c = plan_.copies[static_cast<std::size_t>(i)];
            uses.push_back({-1, true, 2, c.offset, c.offset + c.bytes, {c.parameter.index, c.offset}});
        }
        for (std::int32_t t = 0; t <= total_; ++t) {
            if (t == first) { // what prepare leaves, and what a session and the caller bring
                for (std::int32_t v = 0; v < values_; ++v) {
                    const auto n = owner_[static_cast<std::size_t>(v)];
                    const auto& p = place(v);
                    if (!n.exists() || p.where == region::nowhere) continue;
                    if (p.where == region::constants || p.copy >= 0) {
                        const auto at = p.where == region::constants ? p.offset : plan_.copies[static_cast<std::size_t>(p.copy)].offset;
                        if (p.where == region::constants) each_content(v, at, [&](content c, std::int64_t begin, std::int64_t end) { uses.push_back({-1, false, 2, begin, end, c}); });
                        else uses.push_back({-1, false, 2, at, at + needed(v), {v, at}});
                    }
                    if (g_[n].kind == node_kind::call || !is_port(p)) continue;
                    const auto a = address_of(v, true);
                    uses.push_back({-1, true, a.space, a.at, a.at + p.bytes, {v, a.at}});
                    if (p.where == region::state) // apart from the others
                        for (std::int32_t w = 0; w < v; ++w)
                            if (place(w).where == region::state && g_[owner_[static_cast<std::size_t>(w)]].kind != node_kind::call && place(w).offset < p.offset + p.bytes &&
                                p.offset < place(w).offset + place(w).bytes)
                                return false;
                }
            }
            if (t == total_) break;
            const auto& n = g_[job(t).node];
            bool found = true;
            for_each_operand(g_, n.arguments, [&](const argument& a) { found = found && read(t, storage_of(a), t >= first); });
            if (!found || !writes_are_legal(t, uses)) return false;
        }
        bool found = true;
        for_each_operand(g_, g_[g_.last()].arguments, [&](const argument& a) { found = found && place(storage_of(a)).where == region::arena && read(total_, storage_of(a), true); });
        for (auto id : assigns_) {
            const auto port = address_of(storage_of(g_.argument_of(g_[id], 0)), true);
            const auto& source = g_.value_of(g_.argument_of(g_[id], 1));
            const auto& type = g_.value_of(g_.argument_of(g_[id], 0)).type;
            if (task_of(id) < 0 && (port_computed_by(source.storage.index) < 0 || !(source.type == type) || !(g_[source.storage].type == type))) return false;
            const auto what = task_of(id) < 0 ? source.storage.index : g_[id].values.first;
            if (port.space < 0) return false;
            each_content(what, port.at, [&](content c, std::int64_t begin, std::int64_t end) { uses.push_back({total_, false, port.space, begin, end, c}); });
        }
        return found && readers_find_their_own(uses);
    }
    /// Adds what task t writes. False where it writes over what it reads and may not.
    bool writes_are_legal(std::int32_t t, std::vector<use>& uses) const {
        const auto id = job(t).node;
        const auto& n = g_[id];
        const bool running = t >= plan_.summary.prepare_tasks;
        const auto from = uses.size();
        const auto meets_reading = [&](const use& w, std::int32_t result) {
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto meets = [&](const argument& a) {
                    if (a.kind != argument_kind::node) return false;
                    const auto r = address_of(storage_of(a), running);
                    bool found = false;
                    each_content(storage_of(a), r.at, [&](content, std::int64_t begin, std::int64_t end) { found = found || (r.space == w.space && begin < w.end && w.begin < end); });
                    return found;
                };
                const auto& a = g_.argument_of(n, i);
                if (meets(a) && !(result >= 0 && may_overwrite(id, i, result, running))) return true;
                for (std::int32_t k = 0; k < a.children.count; ++k)
                    if (meets(g_[a.children[k]])) return true;
            }
            return false;
        };
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            const auto& p = place(v);
            if (g_[value_id{v}].storage.index != v) { // npu.assign
                const auto a = address_of(g_[value_id{v}].storage.index, running);
                const auto source = storage_of(g_.argument_of(n, 1));
                const auto from_there = address_of(source, running);
                if (a.space < 0 || (from_there.space == a.space && from_there.at < a.at + p.bytes && a.at < from_there.at + held(source))) return false;
                uses.push_back({t, true, a.space, a.at, a.at + p.bytes, {v, a.at}});
                continue;
            }
            const auto a = address_of(v, running);
            if (a.space < 0) return false;
            const auto* j = join_at(v);
            std::vector<use> mine;
            if (j && j->are_blocks) {
                for (const auto& s : j->slices)
                    if (s.bytes > 0 && !is_part(*j, s)) mine.push_back({t, true, a.space, a.at + s.begin, a.at + s.begin + s.bytes, {v, a.at}});
                if (needed(v) < p.bytes) mine.push_back({t, true, a.space, a.at + needed(v), a.at + p.bytes, {v, a.at}});
            } else if (is_woven_part(v)) {
                each_content(v, a.at, [&](content c, std::int64_t begin, std::int64_t end) { mine.push_back({t, true, a.space, begin, end, c}); });
            } else if (p.bytes > 0) {
                mine.push_back({t, true, a.space, a.at, a.at + p.bytes, {v, a.at}});
            }
            for (const auto& w : mine)
                if (meets_reading(w, v)) return false;
            uses.insert(uses.end(), mine.begin(), mine.end());
        }
        if (const auto& w = job(t); w.workspace_bytes > 0) {
            const use mine{t, true, running ? 0 : 1, w.workspace_offset, w.workspace_offset + w.workspace_bytes, {-2 - t, 0}};
            if (meets_reading(mine, -1)) return false;
            uses.push_back(mine);
        }
        for (auto a = from; a < uses.size(); ++a) // two results, or one and the workspace
            for (auto b = from; b < a; ++b)
                if (uses[a].space == uses[b].space && uses[a].begin < uses[b].end && uses[b].begin < uses[a].end) return false;
        return true;
    }
    bool readers_find_their_own(std::vector<use>& uses) const {
        std::vector<std::pair<int, std::int64_t>> cuts; // between two of them all bytes fare alike
        for (const auto& u : uses) {
            cuts.push_back({u.space, u.begin});
            cuts.push_back({u.space, u.end});
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        std::vector<std::vector<const use*>> cells(cuts.size());
        for (const auto& u : uses)
            for (auto at = std::lower_bound(cuts.begin(), cuts.end(), std::pair{u.space, u.begin}); at->second != u.end; ++at)
                cells[static_cast<std::size_t>(at - cuts.begin())].push_back(&u);
        const auto first = plan_.summary.prepare_tasks;
        for (const auto& here : cells) {
            content holds;
            for (std::size_t b = 0; b < here.size(); ++b) {
                const auto& later = *here[b];
                if (!later.writes && !(later.what == holds)) return false;
                if (later.writes) holds = later.what;
                for (std::size_t a = 0; known_ && a < b && later.task >= first && later.task < total_; ++a)
                    if (here[a]->task >= first && here[a]->task != later.task && (here[a]->writes || later.writes) && !is_before(here[a]->task - first, later.task - first)) return false;
            }
        }
        return true;
    }
};

/// Whether the plan does what the graph says, whatever its streams do in between, and says of itself what is so.
inline bool plan_is_right(graph_view g, array_view<const device::kernel_needs> needs, plan_view plan, const every_path* known = nullptr) { return plan_simulation(g, needs, plan, known).is_right(); }
/// The plan after a change of where or when something is computed: whatever it says of itself is so again, where that can be.
template <class Plan> Plan redescribed(graph_view g, array_view<const device::kernel_needs> needs, const Plan& plan) {
    auto out = plan;
    if (const plan_simulation simulation(g, needs, plan.view()); simulation.is_sane()) simulation.redescribe(out);
    return out;
}

} // namespace test
