// SPDX-License-Identifier: MIT
// The interface and the state of a context. The other files of this folder implement it, one topic each: context.hpp
// lists them.
// Invariant: every public call locks the context first; private functions are called with the lock held.
#pragma once
#include <ahead/npu/context/state.hpp>
#include <ahead/npu/device_clock.hpp>
#include <ahead/npu/device_words.hpp>
#include <ahead/npu/memory/block_memory.hpp>
#include <ahead/npu/stream.hpp>
#include <ahead/npu/trace/trace_rows.hpp>
#include <ahead/runtime/tensor_elements.hpp>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

template <class Type> class tensor;

class context {
public:
    explicit context(const context_options& options = {})
        : options_(detail::checked(options)), memory_(options.memory_bytes, options.device.alignment) {
        if (options.cores > 0) gate_ = std::make_unique<core_gate>(options.cores);
        add_stream(stream_priorities.lowest);
    }
    context(const context&) = delete;
    context& operator=(const context&) = delete;
    /// Waits for all launches.
    ~context() {
        for (auto& s : streams_)
            if (s.queue) s.queue->stop();
    }

    npu::default_stream default_stream() { return {*this, 0}; }
    /// The device limits the number of streams that exist at a time, including the default stream. Throws
    /// device_streams_are_exceeded. If only slots of destroyed streams are left, the host waits for the launches of one
    /// of these, and this throws what a launch there threw. priority: in stream_priorities, a lower number is higher;
    /// else throws option_is_out_of_range. The priority decides which launch goes first if there are too few cores
    /// (context_options::cores), and which launch of a capture gets the units first on the simulated clock.
    stream new_stream(std::int32_t priority = stream_priorities.lowest);
    /// Returns at once: pending launches still run, recorded points still happen, and captured graphs can still be
    /// replayed; then its thread is released. Without effect on a destroyed stream. Throws device_is_another,
    /// stream_is_default, stream_is_captured, pool_is_recording.
    void destroy(const stream& s);
    /// The host waits for all streams. Throws stream_is_captured while a graph is captured, and what a launch threw.
    void synchronize();

    /// The number of launches and replays that now wait for one of context_options::cores.
    std::int32_t waiting_for_cores() const { return gate_ ? gate_->waiting() : 0; }

    const machine::device& device() const { return options_.device; }
    std::int32_t rank_id() const { return options_.rank_id; }
    /// The host's time on the simulated clock, and the number of launches it has made.
    machine::ticks now() const {
        const std::scoped_lock lock(mutex_);
        return clock_.now();
    }
    std::int64_t launches() const {
        const std::scoped_lock lock(mutex_);
        return clock_.launches();
    }

    // ---- tensors (device_tensor.hpp)

    /// Copies the host's elements, in the order of their indices. Throws device_memory_is_exhausted,
    /// call_is_illegal_in_capture.
    template <class Type>
    tensor<Type>
    to_device(std::span<const element_t<Type::type.type>, runtime::tensor_elements<Type>::extent> elements);
    /// A tensor without a value: a launch, or write(), gives it one.
    template <class Type> tensor<Type> empty();

    // ---- memory

    /// A pool for several graphs to share; the caller owns it until release_pool().
    mempool_id graph_pool_handle();
    /// Tensors and graphs in the pool keep it alive. Throws pool_handle_is_invalid for a pool that the caller does not
    /// own, or owns no longer; pool_is_recording.
    void release_pool(mempool_id id);
    /// The same for an owner that is destroyed: graphs, captures and recordings in the pool continue, and keep it
    /// alive.
    void disown_pool(mempool_id id) noexcept;
    /// Eager launches on `on`, or on all streams, take their memory from the pool until end_allocate_to_pool(). Throws
    /// pool_handle_is_invalid, device_is_another, pool_is_recording.
    void begin_allocate_to_pool(mempool_id id, std::optional<stream> on = {});
    /// Throws pool_handle_is_invalid, pool_is_not_recording.
    void end_allocate_to_pool(mempool_id id);
    /// All zeros for a pool that does not exist any more.
    pool_statistics statistics(mempool_id id = {}) const;
    std::int64_t memory_bytes() const { return memory_.bytes(); }
    std::int64_t unreserved_bytes() const {
        const std::scoped_lock lock(mutex_);
        return memory_.unreserved();
    }
    /// Releases segments without tensors, of the pool of eager launches. Throws call_is_illegal_in_capture.
    void empty_cache();

    /// Ensures that the pool has `bytes` free bytes in one piece; false if the device does not have them.
    bool reserve(mempool_id id, std::int64_t bytes);
    /// To restore a pool: set a mark; later, release the segments that the pool took since and that are not held.
    std::int32_t mark() const {
        const std::scoped_lock lock(mutex_);
        return memory_.segments();
    }
    void give_back_since(std::int32_t mark, mempool_id id) noexcept;

    /// The n-th step from now fails with device_failed_as_told, once; steps are parts of launches, captures and
    /// replays. For tests that a program survives a failure.
    void fail_at(std::int64_t n) {
        const std::scoped_lock lock(mutex_);
        fails_in_ = n;
    }
    /// Steps until the failure; 0 if it has happened, or none was requested.
    std::int64_t steps_to_failure() const {
        const std::scoped_lock lock(mutex_);
        return fails_in_;
    }

    // ---- internal interface for launch.hpp, graph.hpp and device_tensor.hpp

    /// Runs, queues, or records a launch. Returns the block of its memory, with one holder; -1 if it needs no memory.
    /// If what.outputs is given, the blocks of its outputs have the holders instead, and the rest is released.
    std::int32_t launch(const stream& stream, const launch_request& what);
    /// Allocates a block for a tensor; `what`: the operation as errors name it.
    std::int32_t allocate(std::int64_t bytes, const short_text& what) {
        check_not_called_back(what);
        const std::scoped_lock lock(mutex_);
        check_host_call(what);
        return take(-1, bytes, what);
    }
    void hold(std::int32_t block) {
        const std::scoped_lock lock(mutex_);
        memory_.hold(block);
    }
    void drop(std::int32_t block) {
        const std::scoped_lock lock(mutex_);
        memory_.drop(block);
    }
    std::byte* address(std::int32_t block) const {
        const std::scoped_lock lock(mutex_);
        return memory_.address(block);
    }
    /// Whether the block is a result of the graph that is still held.
    bool is_result(const captured_graph& g, std::int32_t block) const {
        const std::scoped_lock lock(mutex_);
        return memory_[block].graph == g.id;
    }
    byte_range range_of(std::int32_t block) const {
        const std::scoped_lock lock(mutex_);
        return {memory_[block].offset, memory_[block].offset + memory_[block].bytes};
    }
    /// Host access to a block: waits for its pending uses, then calls f().
    template <class F> void access(std::int32_t block, bool writing, const short_text& what, F f);

    // Host parameters (host_parameter.hpp): a block that update() writes, and the number of its values so far.
    void make_updatable(std::int32_t block);
    void update(std::int32_t block, std::span<const std::byte> value);
    std::uint64_t updates_of(std::int32_t block) const {
        const std::scoped_lock lock(mutex_);
        return memory_[block].updates;
    }

    void begin_capture(captured_graph& into, const stream& on, std::optional<mempool_id> pool, capture_mode mode);
    void end_capture(captured_graph& into, const stream& on);
    /// Ends a capture into this graph, if one is underway, without a graph.
    void abandon_capture(captured_graph& into) noexcept {
        const std::scoped_lock lock(mutex_);
        if (is_capturing_into(into)) abandon();
    }
    /// Records a node. read: what the node itself reads, in addition to its graphs.
    void capture_node(const stream& stream, std::unique_ptr<graph_node> node, std::span<const operand> read);
    void replay(captured_graph& g, const stream& on);
    /// Releases the tensors that the graph was given; every later replay is passed its tensors.
    void release_given(captured_graph& g);
    /// Such a replay, of a graph that is one launch: an operand for each external. Returns the block of its memory,
    /// with one holder.
    std::int32_t replay(captured_graph& g, const stream& on, std::span<const operand> operands);
    /// Whether memory that a replay writes is held.
    bool is_held(const captured_graph& g) const {
        const std::scoped_lock lock(mutex_);
        return holder_of(g) >= 0;
    }
    /// Releases what the graph holds.
    void forget(captured_graph& g) noexcept;
    /// Replaces given tensor number `which` by the tensor in `block` at `address`.
    void rebind(captured_graph& g, std::size_t which, std::int32_t block, const std::byte* address);
    // Traces (trace/device_trace.hpp): begin, pause or continue, and end the recording of calls into `rows`.
    void begin_trace(trace_rows& rows, bool records);
    void record_trace(trace_rows& rows, bool records, bool waits);
    void finish_trace();
    void end_trace(trace_rows& rows) noexcept;
    /// Throws device_is_another.
    void check_mine(const context* of, std::string_view op) const {
        if (of != this)
            refuse_call(fault::device_is_another, op, {},
                        short_text("what this context made, rank ") << options_.rank_id,
                        short_text("what another one made, rank ") << of->rank_id());
    }
    /// f() copies `bytes` between blocks of two contexts, or of one (transfers.hpp).
    template <class F>
    static void transfer(context& from, std::int32_t source, context& to, std::int32_t target, std::int64_t bytes, F f);
    block_memory& memory() { return memory_; }
    /// Throws call_is_illegal_in_callback, before the context is locked: the thread that holds the lock may be waiting
    /// for this thread.
    void check_not_called_back(const short_text& op) const;
    const captured_graph* capturing() const {
        const std::scoped_lock lock(mutex_);
        return capture_ ? capture_->into : nullptr;
    }

private:
    friend class event;
    friend class stream;
    friend class unique_stream;
    using context_lock = std::unique_lock<std::recursive_mutex>;

    using stream_state = detail::stream_state;
    class traced_call;

    context_options options_;
    mutable std::recursive_mutex mutex_; // recursive: public calls use others
    block_memory memory_;
    std::unique_ptr<core_gate> gate_; // null: the system schedules
    std::deque<stream_state> streams_;
    history host_;               // everything that the host has waited for
    std::vector<history> spare_; // reused buffers for histories that are being waited for
    std::vector<detail::recording> recordings_;
    std::optional<detail::capture> capture_;
    std::uint64_t captures_ = 0, user_pools_ = 0, captured_pools_ = 0;
    std::vector<const std::byte*> externals_; // of the current launch
    device_clock clock_{options_.device};
    std::shared_ptr<std::atomic<std::int32_t>> events_taken_ = std::make_shared<std::atomic<std::int32_t>>(0);
    std::int64_t fails_in_ = 0;
    trace_rows* trace_ = nullptr;  // null: no trace
    std::int32_t updates_on_ = -1; // the stream of updates, once there is a host parameter

    std::int32_t count() const { return static_cast<std::int32_t>(streams_.size()); }
    stream_state& at(std::int32_t s) { return streams_[static_cast<std::size_t>(s)]; }
    // ---- streams

    bool is_there(const stream& s) const;
    void check_exists(const stream& s, std::string_view op) const;
    std::int32_t live_streams() const;
    /// The slot of a destroyed stream, preferably one that the host has waited for. -1: none.
    std::int32_t left_place() const;
    void end_stream(stream_state& s) noexcept;
    void disown(const stream& s) noexcept;
    void add_stream(std::int32_t priority) {
        stream_state s(count());
        s.priority = priority;
        if (options_.run == execution::threads) s.queue = std::make_unique<stream_queue>(gate_.get(), priority);
        streams_.push_back(std::move(s));
    }
    static short_text name_of_stream(std::int32_t s) {
        return s == 0 ? short_text("the default stream") : short_text("stream ") << s;
    }
    static short_text print(mempool_id id) {
        return short_text("pool (") << static_cast<std::int64_t>(id.by_capture) << ", "
                                    << static_cast<std::int64_t>(id.by_user) << ")";
    }
    bool is_capturing_into(const captured_graph& g) const { return capture_ && capture_->into == &g; }
    void check_not_recording(std::int32_t pool, const short_text& op) const;
    std::int32_t pool_of(mempool_id id, const short_text& op) const;
    void step(const short_text& op) {
        if (fails_in_ > 0 && --fails_in_ == 0) refuse_call(fault::device_failed_as_told, op, {}, {}, {});
    }
    bool forbids_host_calls() const { return capture_ && capture_->forbids_host_calls(); }
    void check_host_call(const short_text& op) const {
        if (forbids_host_calls())
            refuse_call(fault::call_is_illegal_in_capture, op, {}, "no capture underway",
                        capture_->mode == capture_mode::global ? "one in global mode" : "one of this thread");
    }

    /// The host waits for everything in `known` (for a stream: its launches and those that it waits for), and until
    /// `time` on the simulated clock.
    void finish(const history& known, machine::ticks time);
    void finish_all(context_lock& lock);
    void finish(std::int32_t s) { finish(at(s).eager.known(), at(s).eager.done_at()); }
    /// The same for a call that holds only the lock, which is released while it waits. It does not wait for launches
    /// that are made meanwhile.
    void finish(context_lock& lock, const history& known, machine::ticks time);
    void wait_for_stream(context_lock& lock, std::int32_t s) {
        finish(lock, at(s).eager.known(), at(s).eager.done_at());
    }
    /// Throws, once, the exception of a launch before the end of m: first it waits for all streams, and marks the
    /// outputs of that launch, and of those that waited for it and did not run, as without a value.
    void rethrow(moment m);
    /// Throws tensor_has_no_value, or the exception of the launch that was to write the value, if the host has already
    /// waited for that launch.
    void check_value(const short_text& op, const block& b);
    void settled(const captured_graph& g) {
        if (g.last_replay.number != 0) finish(g.last_replay.stream);
    }

    // ---- events

    void record(event& e, const stream& on);
    void mark(event& e, const stream& on);
    void wait(const event& e, const stream& on);
    bool query(const event& e);
    void synchronize(const event& e);
    void check_not_captured(const event& e, const short_text& op) const;
    void check_not_captured(std::int32_t s, const short_text& op) {
        if (at(s).is_captured)
            refuse_call(fault::stream_is_captured, op, name_of_stream(s), "a stream that is not captured",
                        "one that is");
    }

    // ---- launches

    std::int32_t take(std::int32_t on, std::int64_t bytes, const short_text& op);
    [[noreturn]] void refuse_memory(std::int64_t bytes, const short_text& op) const {
        refuse_call(fault::device_memory_is_exhausted, op, {}, short_text() << bytes << " bytes in one piece",
                    short_text() << memory_.unreserved() << " of " << memory_.bytes() << " bytes in no pool");
    }
    void check_order(const short_text& op, const block& b, const history& known, bool writing, bool capturing) const;
    /// Checks a block that a launch or the replay of a graph uses: it needs a value, unless it is only written, and the
    /// launch must be ordered after its earlier uses.
    void check_use(const short_text& op, const block& b, const history& known, bool reading, bool writing);
    /// Orders the next launch on s after the update that wrote the block, if one did.
    void follow_update(stream_state& s, const block& b);
    void used(std::int32_t block, moment when, bool writing) {
        memory_[block].uses.add(when, writing);
        memory_[block].has_value = true;
    }
    std::int32_t holder_of(const captured_graph& g) const {
        const auto& own = g.own.front();
        return memory_.holder_of(own.begin, own.end - own.begin, g.kept.empty() ? -1 : g.kept.front());
    }
    std::int32_t capture_launch(std::int32_t on, const launch_request& what);
    void leave_capture() noexcept;
    void abandon() noexcept;
    void check_replay(const captured_graph& g, const history& known);
    void check_memory(const captured_graph& g, const captured_graph& whole, std::uint64_t seen, const history& known);
    std::uint64_t replayed(captured_graph& g, moment now, bool is_certain);

    // ---- nodes

    template <class F> void for_memory_of(const captured_graph& g, F f);
    void check_node(const graph_node& node, std::int32_t on);
    void check_part(const captured_graph& part, const std::vector<graph_part>& all, const history& known,
                    const short_text& op);
};

} // namespace ahead::npu
