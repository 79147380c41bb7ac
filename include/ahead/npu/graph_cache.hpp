// SPDX-License-Identifier: MIT
// The graphs of several programs, looked up by graph_key: captured at the first call, replayed later, in one pool.
// Implements the policies.
// Invariant: a call that throws leaves graphs, pool and counters unchanged. compiled_graphs.hpp calls it with what it
// knows of a program's types.
#pragma once
#include <ahead/machine/cost.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/graph_report.hpp>
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// Facts about an input of a program that a call needs.
struct input_facts {
    std::int64_t bytes = 0;
};

/// One call of a program: its launch, and its arguments.
struct graph_call {
    graph_key key;
    launch_request (*request)(const std::byte* constants) = nullptr; // without operands
    std::span<const operand> operands;
    const input_facts* inputs = nullptr; // one per operand, then one of -1 bytes; outlives every launch
    short_text (*name_of_input)(std::int32_t input) = nullptr;
    std::chrono::steady_clock::time_point began{}; // set if there is a listener
};

class graph_cache {
public:
    /// largest: the memory in bytes of the largest program. Throws option_is_out_of_range, option_has_no_effect,
    /// stream_is_default.
    graph_cache(context& npu, const stream& side, const graph_options& options, std::int64_t largest)
        : npu_(&npu), side_(side), options_(checked(options, npu, side)), largest_(largest),
          own_(options.pool ? nullptr : &npu), pool_(options.pool ? *options.pool : own_.id) {}

    /// Runs the call, and returns the memory of its outputs. Waits for the graph's last replay if a tensor is given at
    /// another address than before.
    block_lease call(const graph_call& c) {
        if (side_.is_capturing())
            refuse_call(fault::stream_is_captured, "call", {}, "a stream that is not captured", "one that is");
        graph_report now{.key = c.key, .name_of_input = c.name_of_input, .stream = side_.number()};
        auto memory = call(c, now);
        if (listener_.heard) now.times.process_inputs = now_if_heard() - c.began - now.times.capture - now.times.run;
        last_ = now;
        if (listener_.heard) listener_.heard(listener_.who, last_, options_);
        return memory;
    }

    /// Calls that would capture are refused from now on (call_would_capture).
    void run_only(bool on) {
        check_captures("run_only", on);
        run_only_ = on;
    }
    void force_recapture(bool on) {
        check_captures("force_recapture", on);
        forced_ = on;
    }
    void listen(graph_listener listener) { listener_ = listener; }
    /// The time when a call begins, if there is a listener.
    std::chrono::steady_clock::time_point now_if_heard() const {
        return listener_.heard ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
    }

    void reset() {
        gone_.make_room(entries_.size());
        for (const auto& e : entries_) gone_.add(e.key, capture_reason::was_reset);
        entries_.clear();
    }
    const graph_report& last_call() const { return last_; }
    const graph_counters& counters() const { return counters_; }
    const graph_options& options() const { return options_; }
    context& npu() const { return *npu_; }
    mempool_id pool() const { return pool_; }
    std::vector<graph_key> keys() const {
        std::vector<graph_key> out;
        for (const auto& e : entries_) out.push_back(e.key);
        return out;
    }

private:
    struct entry {
        graph_key key;
        npu::graph graph;
        std::vector<const std::byte*> given; // addresses of the tensors given in the last call
        std::vector<block_lease> staged;     // of copy_back, per input: the graph's tensor, if it replaced one
        std::uint64_t last_call = 0;
    };
    /// Released after all graphs.
    struct own_pool {
        context* npu;
        mempool_id id;
        explicit own_pool(context* of) : npu(of), id(of ? of->graph_pool_handle() : mempool_id{}) {}
        own_pool(const own_pool&) = delete;
        own_pool& operator=(const own_pool&) = delete;
        ~own_pool() {
            if (npu) npu->disown_pool(id);
        }
    };

    context* npu_;
    stream side_;
    graph_options options_;
    std::int64_t largest_;
    own_pool own_;
    mempool_id pool_;
    std::vector<entry> entries_;
    graph_counters counters_;
    std::uint64_t calls_ = 0;
    gone_graphs gone_;
    graph_report last_;
    graph_listener listener_;
    bool run_only_ = false;
    bool forced_ = false;

    block_lease call(const graph_call& c, graph_report& now) {
        if (options_.force_eager) return run_eagerly(c, now);
        const auto e =
            std::find_if(entries_.begin(), entries_.end(), [&](const entry& one) { return one.key == c.key; });
        if (e == entries_.end()) return first_call(c, now);
        const bool is_kept = options_.held_outputs == held_policy::keep;
        if (forced_ && (is_kept || !e->graph.is_held()))
            return recapture(*e, c, now, capture_reason::forced, counters_.recaptured_by_force);
        if (options_.moved_inputs == moved_policy::recapture)
            if (now.input = written_elsewhere(*e, c); now.input >= 0)
                return recapture(*e, c, now, capture_reason::mutated_input_moved,
                                 counters_.recaptured_for_mutated_inputs);
        if (is_kept && e->graph.is_held())
            return recapture(*e, c, now, capture_reason::output_is_held, counters_.recaptured_for_held_outputs);
        now.step = graph_step::replayed;
        return timed(now.times.run, [&] { return replay_entry(*e, c); });
    }
    /// f(), and the time it took, if there is a listener.
    template <class F> std::invoke_result_t<F> timed(std::chrono::nanoseconds& took, F f) const {
        const auto began = now_if_heard();
        auto made = f();
        took = now_if_heard() - began;
        return made;
    }
    void check_captures(std::string_view op, bool on) const {
        if (on && options_.force_eager)
            refuse_call(fault::option_has_no_effect, op, {}, "left out: nothing is captured",
                        "given, with force_eager");
    }
    void check_may_capture(const graph_key& key, capture_reason why) const {
        if (run_only_)
            refuse_call(fault::call_would_capture, "call", std::string_view(print(key)),
                        "a call whose graph was captured before run_only()", words_of(why));
    }

    static const graph_options& checked(const graph_options& options, const context& npu, const stream& side) {
        if (diagnosis d; !check_options(options, d)) refuse_call(d);
        npu.check_mine(&side.npu(), "compiled_graphs");
        if (side.number() == 0 && !options.force_eager)
            refuse_call(fault::stream_is_default, "compiled_graphs", {}, "a stream of new_stream()", "the default one");
        return options;
    }

    /// f(); if it throws, the pool is restored.
    template <class F> auto or_as_before(F f) {
        const auto mark = npu_->mark();
        try {
            return f();
        } catch (...) {
            npu_->give_back_since(mark, pool_);
            throw;
        }
    }
    launch_request request(const graph_call& c, std::span<const operand> operands) const {
        auto what = c.request(c.key.parameters);
        what.operands = operands;
        return what;
    }
    block_lease launch(const graph_call& c, std::span<const operand> operands) const {
        return {*npu_, npu_->launch(side_, request(c, operands))};
    }
    block_lease run_eagerly(const graph_call& c, graph_report& now) {
        auto memory = timed(now.times.run, [&] { return launch(c, c.operands); });
        now.step = graph_step::run_eagerly;
        ++counters_.run_eagerly;
        return memory;
    }

    /// facts: a row per pair of externals (destination, source), terminated by a row of -1 bytes. Pairs of equal
    /// addresses are not copied.
    static void copy_bytes(const std::byte* const* externals, const std::byte* facts, std::byte*) {
        for (const auto* f = reinterpret_cast<const input_facts*>(facts); f->bytes >= 0; ++f, externals += 2)
            if (externals[0] != externals[1])
                std::memcpy(const_cast<std::byte*>(externals[0]), externals[1], static_cast<std::size_t>(f->bytes));
    }
    /// Copies the tensors that the graph writes from one place to the other, in one launch: all or nothing is copied.
    void copy(const graph_call& c, std::span<const operand> from, std::span<const operand> to) const {
        std::vector<operand> operands;
        launch_request what;
        for (std::size_t i = 0; i < to.size(); ++i) {
            auto target = to[i];
            target.is_written = target.is_written && from[i].address != to[i].address;
            target.is_changed = false;
            operands.insert(operands.end(), {target, {from[i].block, from[i].address, false}});
            const auto moved = 2 * c.inputs[i].bytes;
            if (target.is_written)
                what.takes.alone +=
                    machine::time_of(machine::work{.moved_bytes = moved}, npu_->device(), {moved, moved});
        }
        what.name = "copy";
        what.run = &copy_bytes;
        what.constants = reinterpret_cast<const std::byte*>(c.inputs);
        what.operands = operands;
        static_cast<void>(npu_->launch(side_, what));
    }
    block_lease new_tensor(const input_facts& facts) const {
        return {*npu_, npu_->allocate(facts.bytes, "compiled_graphs")};
    }
    operand in(const block_lease& memory) const { return {memory.block(), npu_->address(memory.block()), true}; }

    void warm_up(const graph_call& c) const {
        if (options_.num_warmups == 0) return;
        std::vector<operand> operands(c.operands.begin(), c.operands.end());
        std::vector<block_lease> copies;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (!operands[i].is_written) continue;
            copies.push_back(new_tensor(c.inputs[i]));
            operands[i] = in(copies.back());
        }
        if (!copies.empty()) copy(c, c.operands, operands);
        for (std::int64_t i = 0; i < options_.num_warmups; ++i) static_cast<void>(launch(c, operands));
    }
    entry capture(const graph_call& c) const {
        entry made{c.key, npu::graph(*npu_), {}, std::vector<block_lease>(c.operands.size()), 0};
        for (const auto& o : c.operands) made.given.push_back(o.address);
        if (npu_->statistics(pool_).reserved_bytes == 0) static_cast<void>(npu_->reserve(pool_, largest_));
        npu::capture scope(made.graph, side_, pool_, options_.mode);
        static_cast<void>(launch(c, c.operands));
        scope.end();
        made.graph.release_given();
        return made;
    }

    block_lease first_call(const graph_call& c, graph_report& now) {
        now.reason = gone_.reason_of(c.key, std::any_of(entries_.begin(), entries_.end(), [&](const entry& one) {
                                         return one.key.program == c.key.program;
                                     }));
        check_may_capture(c.key, now.reason);
        now.limit_is_reached = std::ssize(entries_) >= options_.capture_limit;
        if (now.limit_is_reached && options_.when_full == full_policy::run_eagerly) return run_eagerly(c, now);
        if (now.limit_is_reached && options_.when_full == full_policy::refuse)
            refuse_call(fault::capture_limit_is_reached, "call", "capture_limit",
                        short_text("at most ") << options_.capture_limit << " graphs", std::string_view(print(c.key)));
        return or_as_before([&] {
            entries_.reserve(entries_.size() + 1);
            gone_.make_room(1);
            auto made = timed(now.times.capture, [&] {
                warm_up(c);
                return capture(c);
            });
            auto memory = timed(now.times.run, [&] { return made.graph.replay(side_, c.operands); });
            made.last_call = ++calls_;
            if (now.limit_is_reached) {
                const auto oldest =
                    std::min_element(entries_.begin(), entries_.end(),
                                     [](const entry& a, const entry& b) { return a.last_call < b.last_call; });
                now.evicted = oldest->key;
                gone_.add(oldest->key, capture_reason::was_evicted);
                std::swap(*oldest, made);
                ++counters_.evicted;
            } else {
                entries_.push_back(std::move(made));
            }
            now.step = graph_step::captured;
            forced_ = false;
            ++counters_.captured;
            ++counters_.replayed;
            return memory;
        });
    }
    /// Captures again under the same key, not as a new graph. The old graph is released after the new one has run.
    block_lease recapture(entry& e, const graph_call& c, graph_report& now, capture_reason why, std::int64_t& counter) {
        check_may_capture(c.key, why);
        return or_as_before([&] {
            auto made = timed(now.times.capture, [&] { return capture(c); });
            auto memory = timed(now.times.run, [&] { return made.graph.replay(side_, c.operands); });
            made.last_call = ++calls_;
            std::swap(e, made);
            now.step = graph_step::recaptured;
            now.reason = why;
            forced_ = false;
            ++counter;
            ++counters_.replayed;
            return memory;
        });
    }
    /// The first input that the graph writes whose address differs from the last call's; -1: none.
    static std::int32_t written_elsewhere(const entry& e, const graph_call& c) {
        for (std::size_t i = 0; i < c.operands.size(); ++i)
            if (c.operands[i].is_written && c.operands[i].address != e.given[i]) return static_cast<std::int32_t>(i);
        return -1;
    }
    block_lease replay_entry(entry& e, const graph_call& c) {
        if (options_.moved_inputs == moved_policy::copy_back && (written_elsewhere(e, c) >= 0 || is_staged(e)))
            return copy_back(e, c);
        auto memory = e.graph.replay(side_, c.operands);
        finish(e, c, false);
        return memory;
    }
    static bool is_staged(const entry& e) {
        return std::any_of(e.staged.begin(), e.staged.end(), [](const block_lease& one) { return one.block() >= 0; });
    }
    /// The first time, each tensor that the graph writes is replaced by one of its own: the captured one is the
    /// caller's, and may be in use elsewhere. States belong to the object, and stay.
    block_lease copy_back(entry& e, const graph_call& c) {
        auto staged = e.staged;
        std::vector<operand> operands(c.operands.begin(), c.operands.end());
        std::int64_t copies = 0;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (!operands[i].is_written || operands[i].is_states) continue;
            if (staged[i].block() < 0) staged[i] = new_tensor(c.inputs[i]);
            operands[i] = in(staged[i]);
            ++copies;
        }
        copy(c, c.operands, operands);
        auto memory = e.graph.replay(side_, operands);
        copy(c, operands, c.operands);
        e.staged = std::move(staged);
        finish(e, c, true);
        counters_.copied_back += copies;
        return memory;
    }
    void finish(entry& e, const graph_call& c, bool is_copied) {
        for (std::size_t i = 0; i < c.operands.size(); ++i) {
            if (is_copied && c.operands[i].is_written) continue;
            counters_.bound += e.given[i] != c.operands[i].address;
            e.given[i] = c.operands[i].address;
        }
        e.last_call = ++calls_;
        ++counters_.replayed;
    }
};

} // namespace ahead::npu
