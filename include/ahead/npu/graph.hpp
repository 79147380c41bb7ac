// SPDX-License-Identifier: MIT
// Capture and replay: launches on a stream between capture_begin() and capture_end() are recorded instead of run, and
// replay() runs all of them as one launch.
//     npu::graph g(npu);
//     {
//         // capture_begin; without end(), or after an exception, nothing has changed
//         npu::capture c(g, side);
//         y = c.launch(relu_of, c.launch(sum_of, x, step));
//         c.end();                                       // capture_end
//     }
//     g.replay(side);                                    // y has its value now
// A graph holds the tensors that it was given, so a replay never uses an address that belongs to another tensor. bind()
// replaces them without a new capture.
// Captured graphs may be nodes of another graph:
//     c.if_(is_large, halve, keep);                          // read when it is replayed: a bool on the device
//     c.while_(goes_on, step, 100);                          // at most 100 rounds
//     c.child(tail); c.switch_(which, {a, b, d}); c.host([] { ... });
// The outer graph and all `graph` objects of the part share ownership of it: the part can be replayed alone, in order
// with the whole, and be a node of other graphs, or several nodes of one. reset() of such an object releases only its
// reference; the whole keeps the part. A part keeps its tensors: bind() of the part is refused, and find() and bind()
// of the whole cover only the tensors of its own launches and predicates. A node uses everything that any of its graphs
// uses, whichever of them runs. Branches return results in existing tensors, which they write in place; a tensor that
// not all branches write needs a value before the replay, and so does a result of a branch that only some write.
// Branches may share a pool.
// Invariant: replay() runs the launches in a recorded valid order; it allocates nothing. Semantics: torch.npu.NPUGraph,
// torch.npu.graph.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/npu/host_parameter.hpp>
#include <ahead/npu/nodes/chosen_by.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

namespace detail {
/// A call that is wrong wherever it is written.
template <fault What, fixed_string Op, class...> struct refused_call {
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = Op.view();
        if (What == fault::stream_is_default) refuse(d, What, "a stream of new_stream()", "the default stream");
        else refuse(d, What, "this before the capture, or after it", "it in the capture");
        return d;
    }();
};
} // namespace detail

/// Identifies a tensor that a capture was given; the argument of bind().
template <class Type> struct given {
    std::size_t number = 0;
    std::uint64_t graph = 0; // the id of the captured graph that used it
};

/// A host parameter that a capture was given; its value may change between replays.
struct graph_parameter {
    std::size_t number = 0;   // index among the tensors given to the capture
    bool has_changed = false; // it was updated since the last replay
};

/// Not copied; a graph that was moved from is like a new one. A graph must be destroyed before its context and before
/// the prepared weights that it launches, and so must all graphs that contain it. One thread at a time uses it, and
/// these.
class graph {
public:
    explicit graph(context& npu) : npu_(&npu), captured_(made_for(npu)) {}
    graph(graph&& other) : graph(*other.npu_) { captured_.swap(other.captured_); }
    graph& operator=(graph other) noexcept {
        std::swap(npu_, other.npu_);
        captured_.swap(other.captured_);
        return *this;
    }

    /// pool: from graph_pool_handle() or of another graph; a new one by default. Throws graph_is_captured_already,
    /// stream_is_default, capture_is_underway, pool_handle_is_invalid, pool_is_recording.
    void capture_begin(const stream& on, std::optional<mempool_id> pool = {},
                       capture_mode mode = capture_mode::global) {
        npu_->begin_capture(*captured_, on, pool, mode);
    }
    template <class... More> void capture_begin(const default_stream&, const More&...) {
        static_cast<void>(require<detail::refused_call<fault::stream_is_default, "capture_begin", More...>>{});
    }
    /// Throws capture_has_not_begun and capture_ends_on_another_stream, after which the capture is still underway; and
    /// stream_is_not_joined, or std::system_error if the system has no more threads for its streams, after which the
    /// capture is discarded.
    void capture_end(const stream& on) { npu_->end_capture(*captured_, on); }
    /// Undoes capture_begin(). Without effect if no capture is underway.
    void capture_abandon() noexcept { npu_->abandon_capture(*captured_); }

    /// Replays as one launch on any stream, including the default one; with execution::threads, a capture of several
    /// streams runs on as many threads. Throws graph_is_not_captured, device_is_another, call_is_illegal_in_capture;
    /// streams_race if it is not ordered after the pending uses of its tensors, or after the last replay in its pool;
    /// memory_is_still_held; tensor_has_no_value; with execution::in_order, what a kernel throws.
    void replay(const stream& on) { npu_->replay(*captured_, on); }

    /// Waits for the last replay, and releases all memory except that of held tensors, and of a graph that is part of
    /// another one. Then it may capture again.
    void reset() {
        npu_->check_not_called_back("reset");
        if (is_part()) captured_ = made_for(*npu_);
        else end{npu_}.forget(*captured_);
    }
    /// Its pool, for another graph to share. Throws graph_is_not_captured.
    mempool_id pool() const {
        check_captured("pool");
        return captured_->pool;
    }

    /// A tensor that the capture used but did not create. Throws graph_is_not_captured, tensor_is_not_bound.
    template <class Type> given<Type> find(const tensor<Type>& t) const {
        check_captured("find");
        const auto* address = reinterpret_cast<const std::byte*>(t.data());
        for (std::size_t i = 0; i < captured_->given.size(); ++i)
            if (captured_->given[i].address == address && captured_->given[i].block == t.memory().block() &&
                !captured_->given[i].is_states)
                return {i, captured_->id};
        refuse_call(fault::tensor_is_not_bound, "find", {}, "a tensor that the capture was given", print(Type::type));
    }
    /// The graph uses and holds `t` in that place from now on. Waits for the last replay. Throws tensor_is_empty,
    /// tensor_is_not_bound, device_is_another; inputs_overlap: a tensor that the graph writes, or one of its results,
    /// must not overlap another tensor; graph_is_part_of_another for a part of another graph, or for a tensor that a
    /// part uses.
    template <class Type> void bind(given<Type> in_place_of, const tensor<Type>& t) {
        detail::check_exists(t, "bind");
        if (in_place_of.graph == 0 || in_place_of.graph != captured_->id)
            refuse_call(fault::tensor_is_not_bound, "bind", {}, "what find() of this graph gave",
                        "what another one gave, or none");
        npu_->check_mine(t.memory().npu(), "bind");
        check_is_whole("bind");
        npu_->rebind(*captured_, in_place_of.number, t.memory().block(), reinterpret_cast<const std::byte*>(t.data()));
    }

    /// The next replays read this value: host_parameter::update, for a parameter that the graph uses. Throws
    /// graph_is_not_captured, device_is_another, tensor_is_not_bound, and what host_parameter::update throws.
    template <class Type, class Value> void update(host_parameter<Type>& parameter, const Value& value) {
        if (parameter.exists()) npu_->check_mine(parameter.memory().npu(), "update");
        if (!uses(parameter))
            refuse_call(fault::tensor_is_not_bound, "update", {}, "a host parameter that the capture was given",
                        print(Type::type));
        parameter.update(value);
    }
    /// Whether the capture was given the parameter. Throws graph_is_not_captured.
    template <class Type> bool uses(const host_parameter<Type>& parameter) const {
        check_captured("update");
        return std::any_of(captured_->given.begin(), captured_->given.end(),
                           [&](const given_tensor& t) { return t.block == parameter.memory().block(); });
    }
    /// All host parameters of the graph, with a flag for those that changed since the last replay. Throws
    /// graph_is_not_captured.
    std::vector<graph_parameter> parameters() const {
        check_captured("parameters");
        std::vector<graph_parameter> out;
        for (std::size_t i = 0; i < captured_->given.size(); ++i)
            if (const auto updates = npu_->updates_of(captured_->given[i].block); updates > 0)
                out.push_back({i, updates != captured_->given[i].seen});
        return out;
    }

    /// From now on each replay is passed its tensors, and its memory is a lease: the graph holds neither. pre: the
    /// graph was captured, and is one kernel launch. Throws graph_is_part_of_another.
    void release_given() {
        check_is_whole("release_given");
        npu_->release_given(*captured_);
    }
    /// Replays a graph after release_given(), with the operands of its launch, in order. Waits for the last replay if
    /// an operand has moved. Throws as replay(on) does, and output_is_still_held; then nothing has changed.
    block_lease replay(const stream& on, std::span<const operand> operands) {
        return {*npu_, npu_->replay(*captured_, on, operands)};
    }
    /// Whether the memory that such a replay returns is held.
    bool is_held() const { return npu_->is_held(*captured_); }

    bool is_captured() const { return captured_->is_complete; }
    /// Whether a node of another graph runs it.
    bool is_part() const { return captured_.use_count() > 1; }
    /// The launches of one replay, in a valid order, with their begin and end on the simulated clock.
    std::span<const captured_step> steps() const { return captured_->steps; }
    /// Time from a replay's first launch to its last, on the simulated clock.
    machine::ticks makespan() const { return captured_->makespan; }
    context& npu() const { return *npu_; }
    /// The whole recording, as print/print_capture.hpp shows it.
    const captured_graph& captured() const { return *captured_; }

private:
    friend class stream;
    /// Deleter: the last owner releases what the graph holds.
    struct end {
        context* npu;
        void forget(captured_graph& g) const noexcept {
            npu->abandon_capture(g);
            if (g.is_complete) npu->forget(g);
        }
        void operator()(captured_graph* g) const noexcept {
            forget(*g);
            delete g;
        }
    };
    context* npu_;
    std::shared_ptr<captured_graph> captured_; // shared with the nodes of other graphs

    static std::shared_ptr<captured_graph> made_for(context& npu) { return {new captured_graph, end{&npu}}; }
    void check_captured(const short_text& op) const {
        if (!captured_->is_complete)
            refuse_call(fault::graph_is_not_captured, op, {}, "a graph that was captured", "one that was not");
    }
    void check_is_whole(const short_text& op) const {
        if (is_part())
            refuse_call(fault::graph_is_part_of_another, op, {}, "a graph that is no part of another",
                        "one that a node runs");
    }
};

inline void stream::capture_node(graph_node&& node, std::span<const graph* const> graphs,
                                 std::span<const operand> read) const {
    for (const auto* g : graphs) {
        npu_->check_mine(g->npu_, call_of(node.kind));
        node.graphs.push_back(g->captured_);
    }
    npu_->capture_node(*this, std::make_unique<graph_node>(std::move(node)), read);
}
template <class Checked, class Chosen>
void stream::capture_choice(graph_node&& node, const Chosen& by, std::span<const graph* const> graphs) const {
    static_cast<void>(require<Checked>{});
    if constexpr (Checked::error.ok()) {
        node.is_narrow = Chosen::type::type.type == dtype::i32;
        const operand read[] = {detail::operand_of(*npu_, by, call_of(node.kind))};
        capture_node(std::move(node), graphs, read);
    }
}
inline void stream::child(const graph& part) const {
    capture_node({.kind = captured_kind::child}, std::array{&part}, {});
}
template <class Predicate> void stream::if_(const Predicate& predicate, const graph& yes) const {
    capture_choice<detail::chosen_by<"if_", Predicate, false>>({.kind = captured_kind::if_}, predicate,
                                                               std::array{&yes});
}
template <class Predicate> void stream::if_(const Predicate& predicate, const graph& yes, const graph& no) const {
    capture_choice<detail::chosen_by<"if_", Predicate, false>>({.kind = captured_kind::if_}, predicate,
                                                               std::array{&yes, &no});
}
template <class Predicate>
void stream::while_(const Predicate& predicate, const graph& body, std::int64_t bound, std::string_view name) const {
    capture_choice<detail::chosen_by<"while_", Predicate, false>>(
        {.kind = captured_kind::while_, .bound = bound, .name = name}, predicate, std::array{&body});
}
template <class Index> void stream::switch_(const Index& index, std::initializer_list<graph_ref> parts) const {
    switch_(index, std::span(parts.begin(), parts.size()));
}
template <class Index> void stream::switch_(const Index& index, std::span<const graph_ref> parts) const {
    std::vector<const graph*> graphs;
    for (const graph& g : parts) graphs.push_back(&g);
    capture_choice<detail::chosen_by<"switch_", Index, true>>({.kind = captured_kind::switch_}, index, graphs);
}
template <class F, class... Read> void stream::host(F f, const Read&... read) const {
    using checked = detail::read_by_host<Read...>;
    static_cast<void>(require<checked>{});
    if constexpr (checked::error.ok()) {
        graph_node node{.kind = captured_kind::host, .npu = npu_};
        node.function = [f = std::move(f)](const std::byte* const* externals) mutable {
            [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
                f(std::span<const typename Read::element, Read::extent>(
                    reinterpret_cast<const typename Read::element*>(externals[Nth]), Read::extent)...);
            }(std::index_sequence_for<Read...>{});
        };
        const std::array<operand, sizeof...(Read)> operands{detail::operand_of(*npu_, read, "host")...};
        capture_node(std::move(node), {}, operands);
    }
}

/// A capture as a scope, like torch.npu.graph: the constructor waits for the device and begins; without end() the
/// capture is abandoned. Calls that would wait for recorded launches do not compile here.
class capture {
public:
    capture(graph& into, const stream& on, std::optional<mempool_id> pool = {},
            capture_mode mode = capture_mode::global)
        : graph_(&into), on_(on) {
        into.npu().synchronize();
        into.npu().empty_cache();
        into.capture_begin(on, pool, mode);
        id_ = into.captured().id;
    }
    template <class... More> capture(graph& into, const default_stream& on, const More&...) : graph_(&into), on_(on) {
        static_cast<void>(require<detail::refused_call<fault::stream_is_default, "capture", More...>>{});
    }
    capture(const capture&) = delete;
    capture& operator=(const capture&) = delete;
    ~capture() {
        if (graph_->captured().id == id_) graph_->capture_abandon(); // otherwise it captures something else now
    }
    void end() { graph_->capture_end(on_); }

    template <class F, class... Given> auto launch(F&& f, Given&&... tensors) const {
        return on_.launch(std::forward<F>(f), std::forward<Given>(tensors)...);
    }
    /// Nodes: see stream.hpp.
    void child(const graph& part) const { on_.child(part); }
    template <class Predicate> void if_(const Predicate& predicate, const graph& yes) const { on_.if_(predicate, yes); }
    template <class Predicate> void if_(const Predicate& predicate, const graph& yes, const graph& no) const {
        on_.if_(predicate, yes, no);
    }
    template <class Predicate>
    void while_(const Predicate& predicate, const graph& body, std::int64_t bound, std::string_view name = {}) const {
        on_.while_(predicate, body, bound, name);
    }
    template <class Index> void switch_(const Index& index, std::initializer_list<graph_ref> parts) const {
        on_.switch_(index, parts);
    }
    template <class Index> void switch_(const Index& index, std::span<const graph_ref> parts) const {
        on_.switch_(index, parts);
    }
    template <class F, class... Read> void host(F f, const Read&... read) const { on_.host(std::move(f), read...); }
    void record(event& e) const { on_.record(e); }
    void wait(const event& e) const { on_.wait(e); }
    const stream& on() const { return on_; }

    template <class... More> void synchronize(const More&...) const {
        static_cast<void>(require<detail::refused_call<fault::stream_is_captured, "synchronize", More...>>{});
    }
    template <class... More> bool query(const More&...) const {
        static_cast<void>(require<detail::refused_call<fault::stream_is_captured, "query", More...>>{});
        return false;
    }
    /// item() and copy() of PyTorch: the host reads a value.
    template <class Type> auto copy(const tensor<Type>&) const {
        static_cast<void>(require<detail::refused_call<fault::call_is_illegal_in_capture, "copy", Type>>{});
        return std::array<typename tensor<Type>::element, tensor<Type>::extent>{};
    }
    template <class Type, class... More> void write(const tensor<Type>&, const More&...) const {
        static_cast<void>(require<detail::refused_call<fault::call_is_illegal_in_capture, "write", Type>>{});
    }

private:
    graph* graph_;
    stream on_;
    std::uint64_t id_ = 0;
};

} // namespace ahead::npu
