// SPDX-License-Identifier: MIT
// Streams and events of the simulated device. context.hpp creates and owns them.
// Invariant: handles are values; they are used only with their context, and destroyed before it.
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

/// An element of a list of graphs, such as a vector.
using graph_ref = std::reference_wrapper<const graph>;

namespace detail {

/// Occupies one of the device's events while the point that it was recorded for is held.
struct taken_event {
    std::shared_ptr<std::atomic<std::int32_t>> taken; // the context's counter
    explicit taken_event(std::shared_ptr<std::atomic<std::int32_t>> of) : taken(std::move(of)) { ++*taken; }
    taken_event(const taken_event&) = delete;
    taken_event& operator=(const taken_event&) = delete;
    ~taken_event() { --*taken; }
};

} // namespace detail

/// A point in a stream: it happens when all earlier launches there have run. A value; copies are the same point.
/// Waiting for an event that was never recorded has no effect.
class event {
public:
    event() = default;
    /// Sets the event to the point after all launches on this stream so far. Throws device_events_are_exceeded: each
    /// point that is held counts once.
    void record(const class stream& on);
    /// Whether it has happened: with execution::threads, in real time; with execution::in_order, on the simulated
    /// clock, where a query takes the host a microsecond. Throws stream_is_captured.
    bool query() const;
    /// The host waits for it. Throws stream_is_captured, and what earlier launches threw.
    void synchronize() const;
    /// Time from this event to `end`, on the simulated clock.
    machine::ticks elapsed_time(const event& end) const { return end.when_.at - when_.at; }

private:
    friend class context;
    context* npu_ = nullptr;
    launch_point when_;
    std::uint64_t capture_ = 0; // the capture that it was recorded in; 0: none
    std::shared_ptr<const detail::taken_event> taken_;
};

/// A handle of a stream: number 0 is the default one. A handle owns nothing: the stream exists until
/// context::destroy(), after which every call with a handle of it throws stream_is_destroyed, or until a unique_stream
/// that owns it is destroyed. Then another stream may get the number.
class stream {
public:
    std::int32_t number() const { return number_; }
    context& npu() const { return *npu_; }

    /// One launch of an operator, a graph or a program: launch.hpp.
    template <class F, class... Given> auto launch(F&& f, Given&&... given) const;
    /// Copies to and from the host's memory as launches, for which the host does not wait (launch/transfers.hpp): the
    /// host memory must exist, and `from` must not change, until they have run; if captured, as long as the graph
    /// exists. Elements in the order of their indices. Throw tensor_is_empty, device_is_another, stream_is_destroyed,
    /// streams_race; read() also tensor_has_no_value.
    template <class Tensor>
    void write(const Tensor& t, std::span<const typename Tensor::element, Tensor::extent> from) const;
    template <class Tensor> void read(const Tensor& t, std::span<typename Tensor::element, Tensor::extent> to) const;

    // ---- nodes of the graph that is being captured here: previously captured graphs as its parts (graph.hpp). All
    // throw stream_is_not_captured, graph_is_not_captured, device_is_another, streams_race, memory_is_still_held if a
    // part would overwrite another tensor, and call_is_illegal_in_callback.

    /// Each replay runs the part.
    void child(const graph& part) const;
    /// Each replay runs `yes` if the predicate, an npu::tensor of one bool, is then true, and `no`, or nothing,
    /// otherwise. A compile error: input_has_wrong_type. Throws tensor_is_empty.
    template <class Predicate> void if_(const Predicate& predicate, const graph& yes) const;
    template <class Predicate> void if_(const Predicate& predicate, const graph& yes, const graph& no) const;
    /// Each replay runs `body` while the predicate, which is read before each round, is true. If it still is after
    /// `bound` >= 1 rounds, the replay throws loop_exceeds_bound like an exception of a kernel, with `name`, or the
    /// step, of the loop. Otherwise as if_(), and throws option_is_out_of_range.
    template <class Predicate>
    void while_(const Predicate& predicate, const graph& body, std::int64_t bound, std::string_view name = {}) const;
    /// Each replay runs the graph whose number the index, an npu::tensor of one i64 or i32, then holds; none if the
    /// index is negative or too large. Otherwise as if_().
    template <class Index> void switch_(const Index& index, std::initializer_list<graph_ref> parts) const;
    template <class Index> void switch_(const Index& index, std::span<const graph_ref> parts) const;
    /// Each replay calls f, on the thread that the replay runs on, after the work captured on this stream before and
    /// before the work captured on it later. f is copied, and called only by replays, with the elements of the tensors
    /// as std::span; it must not call the context, and must not release tensors. An exception of f is treated like one
    /// of a kernel; calls in f that launch, wait, read, write, allocate or capture throw call_is_illegal_in_callback. f
    /// takes no time on the simulated clock. A compile error: input_has_wrong_type, for an argument that is not a
    /// contiguous tensor. Throws tensor_is_empty.
    template <class F, class... Read> void host(F f, const Read&... read) const;

    void record(event& e) const;
    /// Later launches here are ordered after the event. Throws event_is_outside_the_capture.
    void wait(const event& e) const;
    /// Whether all launches here have run; as event::query.
    bool query() const;
    /// The host waits for all launches here. Throws stream_is_captured, and what a launch threw.
    void synchronize() const;
    bool is_capturing() const;
    /// False after the stream was destroyed.
    bool exists() const;
    /// The priority given to new_stream().
    std::int32_t priority() const;
    /// When all launches here are done, on the simulated clock.
    machine::ticks busy_until() const;

    friend bool operator==(const stream&, const stream&) = default;

private:
    friend class context;
    friend class graph;
    stream(context& of, std::int32_t number, std::uint64_t life = 0) : npu_(&of), number_(number), life_(life) {}
    context* npu_;
    std::int32_t number_;
    std::uint64_t life_; // number of earlier streams with this number

    void capture_node(graph_node&& node, std::span<const graph* const> graphs, std::span<const operand> read) const;
    template <class Checked, class Chosen>
    void capture_choice(graph_node&& node, const Chosen& by, std::span<const graph* const> graphs) const;
};

/// The default stream as a type of its own: capturing on it does not compile.
class default_stream : public stream {
    friend class context;
    using stream::stream;
};

/// Owns a stream, which is destroyed with it; if a capture uses the stream then, at the end of the capture. Moved, not
/// copied; an object that was moved from owns none. Destroyed before its context.
class unique_stream {
public:
    explicit unique_stream(const stream& owned) : stream_(owned) {}
    unique_stream(unique_stream&& other) noexcept : stream_(std::exchange(other.stream_, std::nullopt)) {}
    unique_stream& operator=(unique_stream other) noexcept {
        std::swap(stream_, other.stream_);
        return *this;
    }
    ~unique_stream();
    /// pre: it owns a stream
    const stream& get() const { return *stream_; }
    const stream& operator*() const { return *stream_; }
    const stream* operator->() const { return &*stream_; }

private:
    std::optional<stream> stream_;
};

} // namespace ahead::npu
