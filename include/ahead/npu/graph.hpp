// SPDX-License-Identifier: MIT
// Capture and replay: what is launched on a stream between capture_begin() and capture_end() is recorded instead of
// run, and replay() runs all of it as one launch.
//     npu::graph g(npu);
//     {
//         // capture_begin; without end(), or when an exception passes, nothing has happened
//         npu::capture c(g, side);
//         y = c.launch(relu_of, c.launch(sum_of, x, step));
//         c.end();                                       // capture_end
//     }
//     g.replay(side);                                    // y has its value now
// A graph holds the tensors that it was given, so a replay never meets an address of something else. bind() puts others
// in their place, without a new capture.
// Graphs that were captured may be nodes of the next one:
//     c.if_(is_large, halve, keep);                          // read when it is replayed: a bool on the device
//     c.while_(goes_on, step, 100);                          // at most 100 rounds
//     c.child(tail); c.switch_(which, {a, b, d}); c.host([] { ... });
// The whole and whoever has a `graph` of the part own it together: it can be replayed by itself, in order with the
// whole, and be a node of other graphs, or twice of one. reset() of such a graph lets go of it, and the whole keeps it.
// It keeps its tensors: bind() is refused, and find() and bind() of the whole are for what its own launches use, and
// for predicates. A node uses what all its graphs use, whichever runs. Branches give results in tensors that are there
// before, which they write in place; what not all of them write needs a value before the replay, and so does what only
// some write of a branch's own results. They may share a pool.
// Invariant: what replay() runs was recorded in an order in which it may run; it allocates nothing. Semantics:
// torch.npu.NPUGraph, torch.npu.graph.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/npu/host_parameter.hpp>
#include <ahead/npu/nodes/chosen_by.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

namespace detail {
/// A call that cannot be right where it is written.
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

/// A tensor that a capture was given, as bind() takes it.
template <class Type> struct given {
    std::size_t number = 0;
    std::uint64_t graph = 0; // whose capture it was
};

/// A host parameter that a capture was given: what replays may find changed.
struct graph_parameter {
    std::size_t number = 0;   // among what the capture was given
    bool has_changed = false; // it was updated since the last replay
};

/// Not copied; one that was moved from is as new. Gone before its context, and before the prepared weights that it
/// launches, and so are all graphs that it is a part of. One thread at a time uses it, and these.
class graph {
public:
    explicit graph(context& npu) : npu_(&npu), captured_(made_for(npu)) {}
    graph(graph&& other) : graph(*other.npu_) { captured_.swap(other.captured_); }
    graph& operator=(graph other) noexcept {
        std::swap(npu_, other.npu_);
        captured_.swap(other.captured_);
        return *this;
    }

    /// pool: of graph_pool_handle(), or of another graph; otherwise a new one. Throws graph_is_captured_already,
    /// stream_is_default, capture_is_underway, pool_handle_is_invalid, pool_is_recording.
    void capture_begin(const stream& on, std::optional<mempool_id> pool = {},
                       capture_mode mode = capture_mode::global) {
        npu_->begin_capture(*captured_, on, pool, mode);
    }
    template <class... More> void capture_begin(const default_stream&, const More&...) {
        static_cast<void>(require<detail::refused_call<fault::stream_is_default, "capture_begin", More...>>{});
    }
    /// Throws capture_has_not_begun and capture_ends_on_another_stream, which leave the capture underway; and
    /// stream_is_not_joined, or std::system_error where the system has no more threads for its streams, after which
    /// nothing of it is left.
    void capture_end(const stream& on) { npu_->end_capture(*captured_, on); }
    /// As if capture_begin() had not been called. Without effect where no capture is underway.
    void capture_abandon() noexcept { npu_->abandon_capture(*captured_); }

    /// One launch on any stream, the default one as well; on threads, what was captured on several streams runs on as
    /// many threads. Throws graph_is_not_captured, device_is_another, call_is_illegal_in_capture; streams_race where
    /// nothing orders it behind those who use its tensors, or the last replay in its pool; memory_is_still_held;
    /// tensor_has_no_value; in order, what a kernel throws.
    void replay(const stream& on) { npu_->replay(*captured_, on); }

    /// Waits for the last replay, and gives back all memory but that of tensors that somebody still holds, and of a
    /// graph that is a node's of another one. Then it may capture again.
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

    /// A tensor that the capture read or wrote and did not make. Throws graph_is_not_captured, tensor_is_not_bound.
    template <class Type> given<Type> find(const tensor<Type>& t) const {
        check_captured("find");
        const auto* address = reinterpret_cast<const std::byte*>(t.data());
        for (std::size_t i = 0; i < captured_->given.size(); ++i)
            if (captured_->given[i].address == address && captured_->given[i].block == t.memory().block() &&
                !captured_->given[i].is_states)
                return {i, captured_->id};
        refuse_call(fault::tensor_is_not_bound, "find", {}, "a tensor that the capture was given", print(Type::type));
    }
    /// From now on the graph uses `t` there, and holds it. Waits for the last replay. Throws tensor_is_empty,
    /// tensor_is_not_bound, device_is_another, inputs_overlap: what the graph writes, or one of its own results, is no
    /// other tensor's; graph_is_part_of_another for a graph that a node runs, and for a tensor that such a graph uses.
    template <class Type> void bind(given<Type> in_place_of, const tensor<Type>& t) {
        detail::check_exists(t, "bind");
        if (in_place_of.graph == 0 || in_place_of.graph != captured_->id)
            refuse_call(fault::tensor_is_not_bound, "bind", {}, "what find() of this graph gave",
                        "what another one gave, or none");
        npu_->check_mine(t.memory().npu(), "bind");
        check_is_whole("bind");
        npu_->rebind(*captured_, in_place_of.number, t.memory().block(), reinterpret_cast<const std::byte*>(t.data()));
    }

    /// The next replay, and those after it, read this value: host_parameter::update, of one that the graph uses. Throws
    /// graph_is_not_captured, device_is_another, tensor_is_not_bound, and what that throws.
    template <class Type, class Value> void update(host_parameter<Type>& parameter, const Value& value) {
        if (parameter.exists()) npu_->check_mine(parameter.memory().npu(), "update");
        if (!uses(parameter))
            refuse_call(fault::tensor_is_not_bound, "update", {}, "a host parameter that the capture was given",
                        print(Type::type));
        parameter.update(value);
    }
    /// Whether the capture was given it. Throws graph_is_not_captured.
    template <class Type> bool uses(const host_parameter<Type>& parameter) const {
        check_captured("update");
        return std::any_of(captured_->given.begin(), captured_->given.end(),
                           [&](const given_tensor& t) { return t.block == parameter.memory().block(); });
    }
    /// All that may change between replays without a new capture, and what did since the last one. Throws
    /// graph_is_not_captured.
    std::vector<graph_parameter> parameters() const {
        check_captured("parameters");
        std::vector<graph_parameter> out;
        for (std::size_t i = 0; i < captured_->given.size(); ++i)
            if (const auto updates = npu_->updates_of(captured_->given[i].block); updates > 0)
                out.push_back({i, updates != captured_->given[i].seen});
        return out;
    }

    /// From now on each replay is given its tensors, and its memory is a lease: the graph holds neither. pre: it was
    /// captured, and is one launch of a kernel. Throws graph_is_part_of_another.
    void release_given() {
        check_is_whole("release_given");
        npu_->release_given(*captured_);
    }
    /// Such a replay: an operand for each one of the launch, in its order. Waits for the last replay where one has
    /// moved. Throws as replay(on) does, and output_is_still_held, and changes nothing then.
    block_lease replay(const stream& on, std::span<const operand> operands) {
        return {*npu_, npu_->replay(*captured_, on, operands)};
    }
    /// Whether somebody holds the memory that such a replay gives.
    bool is_held() const { return npu_->is_held(*captured_); }

    bool is_captured() const { return captured_->is_complete; }
    /// Whether a node of another graph runs it.
    bool is_part() const { return captured_.use_count() > 1; }
    /// The launches of one replay, in an order in which they may run, and when each begins and ends on the simulated
    /// clock.
    std::span<const captured_step> steps() const { return captured_->steps; }
    /// From a replay's first launch to its last, on the simulated clock.
    machine::ticks makespan() const { return captured_->makespan; }
    context& npu() const { return *npu_; }
    /// All that it has recorded, as print/print_capture.hpp shows it.
    const captured_graph& captured() const { return *captured_; }

private:
    friend class stream;
    /// Who owns it last gives back what it holds.
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
    std::shared_ptr<captured_graph> captured_; // the nodes' of other graphs as well

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

/// A capture as a scope, as torch.npu.graph is: waits for the device, begins, and is abandoned where end() is not
/// reached. What would wait for what does not run does not compile here.
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
        if (graph_->captured().id == id_) graph_->capture_abandon(); // else it captures something else by now
    }
    void end() { graph_->capture_end(on_); }

    template <class F, class... Given> auto launch(F&& f, Given&&... tensors) const {
        return on_.launch(std::forward<F>(f), std::forward<Given>(tensors)...);
    }
    /// Nodes: stream.hpp says what they are.
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
