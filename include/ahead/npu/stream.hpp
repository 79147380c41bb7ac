// SPDX-License-Identifier: MIT
// Streams and events of the simulated device. context.hpp makes and keeps them.
// Invariant: handles are values; they are used with their context alone, and gone before it.
#pragma once
#include <ahead/npu/launch_order.hpp>
#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace AHEAD_NAMESPACE::npu {

class context;
class graph;
struct graph_node;
struct operand;

/// A graph in a list of them: vectors of these are such lists.
using graph_ref = std::reference_wrapper<const graph>;

namespace detail {

/// One of the device's events, as long as somebody holds the point that it was recorded for.
struct taken_event {
    std::shared_ptr<std::atomic<std::int32_t>> taken; // of the context
    explicit taken_event(std::shared_ptr<std::atomic<std::int32_t>> of) : taken(std::move(of)) { ++*taken; }
    taken_event(const taken_event&) = delete;
    taken_event& operator=(const taken_event&) = delete;
    ~taken_event() { --*taken; }
};

} // namespace detail

/// A point in a stream: happens when all that was launched there before has run. A value; copies are the same point.
/// In an event that nothing recorded there is nothing to wait for.
class event {
public:
    event() = default;
    /// From now on: behind all that was launched on this stream. Throws device_events_are_exceeded: points that are
    /// held count, each once.
    void record(const class stream& on);
    /// Whether it has happened: on threads, in fact; in order, on the simulated clock, where a query takes the host a
    /// microsecond. Throws stream_is_captured.
    bool query() const;
    /// The host waits for it. Throws stream_is_captured, and what the launches before it threw.
    void synchronize() const;
    /// From this one to `end`, on the simulated clock.
    machine::ticks elapsed_time(const event& end) const { return end.when_.at - when_.at; }

private:
    friend class context;
    context* npu_ = nullptr;
    launch_point when_;
    std::uint64_t capture_ = 0; // in which it was recorded; 0: in none
    std::shared_ptr<const detail::taken_event> taken_;
};

/// Handles of streams: number 0 is the default one. A handle owns nothing: the context has the stream until
/// context::destroy(), after which every call with a handle of it throws stream_is_destroyed, or until a unique_stream
/// that owns it is gone. The number may be another stream's then.
class stream {
public:
    std::int32_t number() const { return number_; }
    context& npu() const { return *npu_; }

    /// One launch of an operator, a graph or a program: launch.hpp.
    template <class F, class... Given> auto launch(F&& f, Given&&... given) const;
    /// Copies from the host's memory and to it as launches, for which the host does not wait (launch/transfers.hpp): it
    /// stays there, and `from` as it is, until they have run; captured, as long as the graph. Elements in the order of
    /// their indices. Throw tensor_is_empty, device_is_another, stream_is_destroyed, streams_race, and read()
    /// tensor_has_no_value.
    template <class Tensor>
    void write(const Tensor& t, std::span<const typename Tensor::element, Tensor::extent> from) const;
    template <class Tensor> void read(const Tensor& t, std::span<typename Tensor::element, Tensor::extent> to) const;

    // ---- nodes of the graph that is being captured here: other graphs, captured before, as parts of it (graph.hpp).
    // All throw stream_is_not_captured, graph_is_not_captured, device_is_another, streams_race, memory_is_still_held
    // where a part would write what somebody else's tensor lies in, and call_is_illegal_in_callback.

    /// Each replay runs all of it.
    void child(const graph& part) const;
    /// Each replay runs `yes` where the predicate, an npu::tensor of one bool, holds by then, and `no`, or nothing,
    /// where not. A compile error: input_has_wrong_type. Throws tensor_is_empty.
    template <class Predicate> void if_(const Predicate& predicate, const graph& yes) const;
    template <class Predicate> void if_(const Predicate& predicate, const graph& yes, const graph& no) const;
    /// Each replay runs `body` as long as the predicate holds, which is read before each round. After `bound` rounds,
    /// 1 at least, that is an error: the replay throws loop_exceeds_bound as what a kernel throws, and calls the
    /// loop by `name`, or by its step. Otherwise as if_(), and throws option_is_out_of_range.
    template <class Predicate>
    void while_(const Predicate& predicate, const graph& body, std::int64_t bound, std::string_view name = {}) const;
    /// Each replay runs the graph whose number the index, an npu::tensor of one i64 or i32, has by then; none where it
    /// is negative, or there are not so many. Otherwise as if_().
    template <class Index> void switch_(const Index& index, std::initializer_list<graph_ref> parts) const;
    template <class Index> void switch_(const Index& index, std::span<const graph_ref> parts) const;
    /// Each replay calls f, on the thread that it runs on: behind what was captured here before, and before what is
    /// captured behind it. f: copied, and called by replays alone, with the elements of the tensors as std::span; it
    /// makes no call of the context, and lets go of no tensor. What it throws is thrown as what a kernel throws; what
    /// it calls that launches, waits, reads, writes, allocates or captures throws call_is_illegal_in_callback. It takes
    /// no time on the simulated clock. A compile error: input_has_wrong_type, for what is no contiguous tensor. Throws
    /// tensor_is_empty.
    template <class F, class... Read> void host(F f, const Read&... read) const;

    void record(event& e) const;
    /// What is launched here afterwards comes behind the event. Throws event_is_outside_the_capture.
    void wait(const event& e) const;
    /// Whether all that was launched here has run; as event::query.
    bool query() const;
    /// The host waits for all that was launched here. Throws stream_is_captured, and what a launch threw.
    void synchronize() const;
    bool is_capturing() const;
    /// Whether it was not destroyed.
    bool exists() const;
    /// As new_stream() was given it.
    std::int32_t priority() const;
    /// When all that was launched here is done, on the simulated clock.
    machine::ticks busy_until() const;

    friend bool operator==(const stream&, const stream&) = default;

private:
    friend class context;
    friend class graph;
    stream(context& of, std::int32_t number, std::uint64_t life = 0) : npu_(&of), number_(number), life_(life) {}
    context* npu_;
    std::int32_t number_;
    std::uint64_t life_; // how many streams had the number before

    void capture_node(graph_node&& node, std::span<const graph* const> graphs, std::span<const operand> read) const;
    template <class Checked, class Chosen>
    void capture_choice(graph_node&& node, const Chosen& by, std::span<const graph* const> graphs) const;
};

/// A stream that is known to be the default one where it is written: capturing on it does not compile.
class default_stream : public stream {
    friend class context;
    using stream::stream;
};

/// Owns a stream, which is destroyed with it, or, where a capture uses it then, as soon as that is over. Moved, not
/// copied; one that was moved from owns none. Gone before its context.
class unique_stream {
public:
    explicit unique_stream(const stream& owned) : stream_(owned) {}
    unique_stream(unique_stream&& other) noexcept : stream_(std::exchange(other.stream_, std::nullopt)) {}
    unique_stream& operator=(unique_stream other) noexcept {
        std::swap(stream_, other.stream_);
        return *this;
    }
    ~unique_stream();
    /// pre: it owns one
    const stream& get() const { return *stream_; }
    const stream& operator*() const { return *stream_; }
    const stream* operator->() const { return &*stream_; }

private:
    std::optional<stream> stream_;
};

} // namespace ahead::npu
