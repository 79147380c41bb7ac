// SPDX-License-Identifier: MIT
// The simulated device as a program uses it: streams, events, memory, and which graph is being captured.
//     // or npu::context npu({.run = npu::execution::threads});
//     npu::context npu;
//     auto side = npu.new_stream();
//     auto x = npu.to_device<f32<8>>(values);                     // tensors: device_tensor.hpp
//     auto y = side.launch([](auto a) { return relu(a); }, x);    // launch.hpp
//     npu::graph g(npu);                                          // capture and replay: graph.hpp
// What is launched on a stream runs in order. Order between streams comes from events and from the host's
// synchronize(), and is known when something is launched: a launch that would race with another one is refused
// (streams_race), whatever the machine would have done. Two executions with the same bits: in order, on the caller's
// thread; or each stream on a thread of its own, those that a graph was captured on as well when it is replayed, and
// those of a launched program's plan. The simulated clock is the same in both: that of the context's device, whatever
// device a program was planned for. Any thread may use it; calls take turns, but for who waits: other threads go on
// launching while one synchronizes or reads a tensor. A kernel does not call the device on whose thread it runs.
// Invariant: a call that throws has changed nothing, but what a kernel that threw was to write: that has no value; a
// capture that cannot end is over; and where memory is short, the host has waited. Whatever a context made is gone
// before it.
#pragma once
#include <ahead/npu/captured_graph.hpp>
#include <ahead/npu/context_options.hpp>
#include <ahead/npu/device_words.hpp>
#include <ahead/npu/stream.hpp>
#include <ahead/program/tensor_elements.hpp>
#include <ahead/target/shared_machine.hpp>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

template <class Type> class tensor;

class context {
public:
    explicit context(const context_options& options = {})
        : options_(detail::checked(options)), memory_(options.memory_bytes, options.device.alignment) {
        add_stream();
    }
    context(const context&) = delete;
    context& operator=(const context&) = delete;
    /// Waits for all that was launched.
    ~context() {
        for (auto& s : streams_)
            if (s.queue) s.queue->stop();
    }

    npu::default_stream default_stream() { return {*this, 0}; }
    /// Throws device_streams_are_exceeded; the default stream is one of them.
    stream new_stream() {
        const std::scoped_lock turn(turn_);
        if (count() >= options_.device.streams)
            refuse_call(fault::device_streams_are_exceeded, "new_stream", {},
                        short_text("at most ") << options_.device.streams << " streams", short_text() << count() + 1);
        add_stream();
        return {*this, static_cast<std::int32_t>(streams_.size()) - 1};
    }
    /// The host waits for all streams. Throws stream_is_captured while a graph is captured, and what a launch threw.
    void synchronize() {
        turn_lock turn(turn_);
        if (capture_)
            refuse_call(fault::stream_is_captured, "synchronize", {}, "no capture underway",
                        name_of_stream(capture_->origin));
        for (std::int32_t s = 0; s < count(); ++s) wait_for_stream(turn, s);
        for (std::int32_t s = 0; s < count(); ++s) rethrow({s, host_.of(s)});
    }

    const target::device& device() const { return options_.device; }
    /// The host's time on the simulated clock, and how many launches it has made.
    target::ticks now() const {
        const std::scoped_lock turn(turn_);
        return now_;
    }
    std::int64_t launches() const {
        const std::scoped_lock turn(turn_);
        return launches_;
    }

    // ---- tensors (device_tensor.hpp)

    /// A copy of the host's elements, in the order of their indices. Throws device_memory_is_exhausted,
    /// call_is_illegal_in_capture.
    template <class Type> tensor<Type>
    to_device(std::span<const element_t<Type::type.type>, tensor_elements<Type>::extent> elements);
    /// One that has no value yet: a launch, or write(), gives it one.
    template <class Type> tensor<Type> empty();

    // ---- memory

    /// A pool for several graphs to share; yours until release_pool().
    mempool_id graph_pool_handle() {
        const std::scoped_lock turn(turn_);
        const mempool_id id{0, ++user_pools_};
        memory_.make_pool(id);
        return id;
    }
    /// Tensors and graphs in it keep it until they are gone. Throws pool_handle_is_invalid for a pool that is not yours
    /// any more, or never was; pool_is_recording.
    void release_pool(mempool_id id) {
        const std::scoped_lock turn(turn_);
        const auto row = pool_of(id, "release_pool");
        if (!memory_.pool(row).is_users)
            refuse_call(fault::pool_handle_is_invalid, "release_pool", print(id), "what graph_pool_handle() gave",
                        "a pool of graphs alone");
        check_not_recording(row, "release_pool");
        disown_pool(id);
    }
    /// The same for whoever made it and ends: graphs, captures and recordings in it go on, and keep it until they are
    /// gone.
    void disown_pool(mempool_id id) noexcept {
        const std::scoped_lock turn(turn_);
        const auto row = memory_.find_pool(id);
        if (row < 0 || !memory_.pool(row).is_users) return;
        memory_.pool(row).is_users = false;
        memory_.leave(row);
    }
    /// What is launched eagerly on `on`, or anywhere, takes its memory from the pool until end_allocate_to_pool().
    /// Throws pool_handle_is_invalid, device_is_another, pool_is_recording.
    void begin_allocate_to_pool(mempool_id id, std::optional<stream> on = {}) {
        const std::scoped_lock turn(turn_);
        const auto row = pool_of(id, "beginAllocateToPool");
        if (on) check_mine(on->npu_, "beginAllocateToPool");
        check_not_recording(row, "beginAllocateToPool");
        memory_.use(row);
        recordings_.push_back({row, on ? on->number() : -1});
    }
    /// Throws pool_handle_is_invalid, pool_is_not_recording.
    void end_allocate_to_pool(mempool_id id) {
        const std::scoped_lock turn(turn_);
        const auto row = pool_of(id, "endAllocatePool");
        const auto r =
            std::find_if(recordings_.begin(), recordings_.end(), [&](const recording& one) { return one.pool == row; });
        if (r == recordings_.end())
            refuse_call(fault::pool_is_not_recording, "endAllocatePool", print(id), "a pool that is recorded to",
                        "one that is not");
        recordings_.erase(r);
        memory_.leave(row);
    }
    /// All zeros for a pool that is gone.
    pool_statistics statistics(mempool_id id = {}) const {
        const std::scoped_lock turn(turn_);
        const auto row = memory_.find_pool(id);
        if (row < 0) return {id, 0, 0, 0};
        const auto& p = memory_.pools()[static_cast<std::size_t>(row)];
        return {p.id, p.users, p.reserved, p.held};
    }
    std::int64_t memory_bytes() const { return memory_.bytes(); }
    std::int64_t unreserved_bytes() const {
        const std::scoped_lock turn(turn_);
        return memory_.unreserved();
    }
    /// Gives segments that no tensor lies in back, of what is launched eagerly in no pool. Throws
    /// call_is_illegal_in_capture.
    void empty_cache() {
        const std::scoped_lock turn(turn_);
        check_host_call("empty_cache");
        memory_.give_back(0);
    }

    /// Sees to it that the pool has so many bytes in one piece that nobody holds; false where the device has not.
    bool reserve(mempool_id id, std::int64_t bytes) {
        const std::scoped_lock turn(turn_);
        const auto row = pool_of(id, "reserve");
        check_host_call("reserve");
        return memory_.provide(row, bytes);
    }
    /// For who wants a pool back as it was: a mark now, and later what it has taken since and nobody holds goes back.
    std::int32_t mark() const {
        const std::scoped_lock turn(turn_);
        return memory_.segments();
    }
    void give_back_since(std::int32_t mark, mempool_id id) noexcept {
        const std::scoped_lock turn(turn_);
        if (const auto row = memory_.find_pool(id); row >= 0) memory_.give_back(row, mark);
    }

    /// The n-th step from now fails with device_failed_as_told, once: steps are what a launch, a capture or a replay
    /// does. To see that a program survives it.
    void fail_at(std::int64_t n) {
        const std::scoped_lock turn(turn_);
        fails_in_ = n;
    }
    /// Steps until the failure; 0: it has happened, or none was asked for.
    std::int64_t steps_to_failure() const {
        const std::scoped_lock turn(turn_);
        return fails_in_;
    }

    // ---- what launch.hpp, graph.hpp and device_tensor.hpp are made of

    /// Runs, queues, or records a launch. Gives the block of its memory, with one holder; -1 where it asks for none.
    /// Where what.outputs is given, its outputs' blocks have the holders, and what is no output's goes back.
    std::int32_t launch(std::int32_t on, const launch_request& what);
    /// A block of its own for a tensor; `what` as errors call it.
    std::int32_t allocate(std::int64_t bytes, short_text what) {
        const std::scoped_lock turn(turn_);
        check_host_call(what);
        return take(-1, bytes, what);
    }
    void hold(std::int32_t block) {
        const std::scoped_lock turn(turn_);
        memory_.hold(block);
    }
    void drop(std::int32_t block) {
        const std::scoped_lock turn(turn_);
        memory_.drop(block);
    }
    std::byte* address(std::int32_t block) const {
        const std::scoped_lock turn(turn_);
        return memory_.address(block);
    }
    /// Whether somebody still holds it as what the graph computed.
    bool is_result(const captured_graph& g, std::int32_t block) const {
        const std::scoped_lock turn(turn_);
        return memory_[block].graph == g.id;
    }
    byte_range range_of(std::int32_t block) const {
        const std::scoped_lock turn(turn_);
        return {memory_[block].offset, memory_[block].offset + memory_[block].bytes};
    }
    /// The host reads or writes a block: waits for those who use it, then f().
    template <class F> void access(std::int32_t block, bool writing, short_text what, F f) {
        turn_lock turn(turn_);
        for (;;) { // other threads may have used it, and captured, while this one waited
            check_host_call(what);
            const auto& b = memory_[block];
            if (b.in_capture.written.number != 0 || !b.in_capture.read.empty())
                refuse_call(fault::stream_is_captured, what, {}, "a tensor that no capture underway uses",
                            "one that it uses");
            const auto* use = b.uses.unordered(host_, writing);
            if (!use) break;
            const auto waited_for = *use;
            wait_for_stream(turn, waited_for.stream);
            rethrow(waited_for);
        }
        if (!writing) check_value(what, memory_[block]);
        f();
        if (writing) {
            memory_[block].uses.clear();
            memory_[block].has_value = true;
        }
    }

    void begin_capture(captured_graph& into, const stream& on, std::optional<mempool_id> pool, capture_mode mode);
    void end_capture(captured_graph& into, const stream& on);
    /// Ends a capture of this graph, if there is one, without a graph.
    void abandon_capture(captured_graph& into) noexcept {
        const std::scoped_lock turn(turn_);
        if (is_capturing_into(into)) abandon();
    }
    void replay(captured_graph& g, const stream& on);
    /// Lets go of the tensors that the graph was given; from now on every replay is given them.
    void release_given(captured_graph& g) {
        const std::scoped_lock turn(turn_);
        g.next.resize(g.externals.size());
        g.given.reserve(g.externals.size());
        for (const auto& t : g.given) memory_.drop(t.block);
        g.given.clear();
    }
    /// Such a replay, of a graph that is one launch: an operand for each external. Gives the block of its memory, with
    /// one holder.
    std::int32_t replay(captured_graph& g, const stream& on, std::span<const operand> operands);
    /// Whether somebody holds memory that a replay writes.
    bool is_held(const captured_graph& g) const {
        const std::scoped_lock turn(turn_);
        return holder_of(g) >= 0;
    }
    /// Gives back what the graph holds.
    void forget(captured_graph& g) noexcept {
        const std::scoped_lock turn(turn_);
        settled(g);
        for (const auto& t : g.given) memory_.drop(t.block);
        memory_.leave(g.pool_row);
        g.clear();
    }
    /// Puts the tensor in a block, at `address`, into the place of given tensor number `which`.
    void rebind(captured_graph& g, std::size_t which, std::int32_t block, const std::byte* address);
    block_memory& memory() { return memory_; }
    const captured_graph* capturing() const {
        const std::scoped_lock turn(turn_);
        return capture_ ? capture_->into : nullptr;
    }

private:
    friend class event;
    friend class stream;
    using turn_lock = std::unique_lock<std::recursive_mutex>;

    /// What was launched on a stream, or was captured there.
    struct lane {
        std::uint64_t launched = 0;
        history known;
        target::ticks free; // when all of it is done
    };
    struct stream_state {
        lane eager, captured;
        bool is_captured = false;
        std::unique_ptr<stream_queue> queue; // none: in order
    };
    struct recording {
        std::int32_t pool = 0;
        std::int32_t stream = -1; // -1: all
    };
    struct capture {
        captured_graph* into = nullptr;
        std::int32_t origin = 0;
        std::int32_t pool = 0;
        capture_mode mode = capture_mode::global;
        std::thread::id thread;
        std::uint64_t id = 0;
        std::int32_t segments = 0;          // that there were before
        target::shared_machine machine{64}; // from the replay's begin
    };

    context_options options_;
    mutable std::recursive_mutex turn_; // calls are made of calls
    block_memory memory_;
    std::deque<stream_state> streams_;
    history host_;               // what the host has waited for
    std::vector<history> spare_; // room for what is being waited for
    std::vector<recording> recordings_;
    std::optional<capture> capture_;
    std::uint64_t captures_ = 0, user_pools_ = 0, captured_pools_ = 0;
    std::vector<const std::byte*> externals_; // of the launch at hand
    std::vector<std::pair<const target::device*, bool>>
        devices_; // that launches were planned for, and whether they are this one
    std::vector<std::pair<decltype(launch_request::takes_on), target::demand>>
        times_; // of those that were planned for another; sorted
    target::ticks now_;
    target::shared_machine machine_{1024}; // what streams have launched shares it
    std::shared_ptr<std::atomic<std::int32_t>> events_taken_ = std::make_shared<std::atomic<std::int32_t>>(0);
    std::int64_t launches_ = 0, fails_in_ = 0;

    std::int32_t count() const { return static_cast<std::int32_t>(streams_.size()); }
    stream_state& at(std::int32_t s) { return streams_[static_cast<std::size_t>(s)]; }
    void add_stream() {
        stream_state s;
        if (options_.run == execution::threads) s.queue = std::make_unique<stream_queue>();
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
    void check_not_recording(std::int32_t pool, short_text op) const {
        bool is_recording = capture_ && capture_->pool == pool;
        for (const auto& r : recordings_) is_recording = is_recording || r.pool == pool;
        if (is_recording)
            refuse_call(fault::pool_is_recording, op, print(memory_.pool(pool).id), "a pool that nothing records to",
                        "one that is recorded to");
    }
    std::int32_t pool_of(mempool_id id, short_text op) const {
        const auto row = (id.by_capture == 0) == (id.by_user == 0) ? -1 : memory_.find_pool(id);
        if (row < 0)
            refuse_call(fault::pool_handle_is_invalid, op, print(id), "the handle of a pool that is there",
                        "no such pool");
        return row;
    }
    void step(short_text op) {
        if (fails_in_ > 0 && --fails_in_ == 0) refuse_call(fault::device_failed_as_told, op, {}, {}, {});
    }
    bool forbids_host_calls() const {
        return capture_ && (capture_->mode == capture_mode::global || (capture_->mode == capture_mode::this_thread &&
                                                                       capture_->thread == std::this_thread::get_id()));
    }
    void check_host_call(short_text op) const {
        if (forbids_host_calls())
            refuse_call(fault::call_is_illegal_in_capture, op, {}, "no capture underway",
                        capture_->mode == capture_mode::global ? "one in global mode" : "one of this thread");
    }
    void check_mine(const context* of, short_text op) const {
        if (of != this)
            refuse_call(fault::device_is_another, op, {}, "what this context made", "what another one made");
    }

    /// The host waits for all that is known of, a stream's own launches and those that it waits for, until a time on
    /// the simulated clock.
    void finish(const history& known, target::ticks time);
    void finish(std::int32_t s) { finish(at(s).eager.known, at(s).eager.free); }
    /// The same for a call that holds nothing but its turn, which is another thread's while this one waits. What is
    /// launched meanwhile is not waited for.
    void finish(turn_lock& turn, const history& known, target::ticks time);
    void wait_for_stream(turn_lock& turn, std::int32_t s) { finish(turn, at(s).eager.known, at(s).eager.free); }
    /// Throws what a launch threw that came before the end of m, once: then all streams have been waited for, and what
    /// was to be written by it, or by those that waited for it and did not run, has no value.
    void rethrow(moment m);
    /// Throws tensor_has_no_value, and what the launch threw that was to write it, if that is over.
    void check_value(short_text op, const block& b);
    void settled(const captured_graph& g) {
        if (g.last_replay.number != 0) finish(g.last_replay.stream);
    }

    /// On this device, whatever the launch was planned for. Throws where its plan does not fit here.
    target::demand time_of(const launch_request& what);
    /// From when its stream and the host are there, beside what runs on other streams. Gives its end.
    target::ticks run_on_machine(const lane& on, const target::demand& takes) {
        if (machine_.is_full()) machine_.forget_before(now_);
        return machine_.run(std::max(on.free, now_), takes);
    }

    // ---- events

    void record(event& e, const stream& on);
    void mark(event& e, const stream& on);
    void wait(const event& e, const stream& on);
    bool query(const event& e);
    void synchronize(const event& e);
    void check_not_captured(const event& e, short_text op) const;
    void check_not_captured(std::int32_t s, short_text op) {
        if (at(s).is_captured)
            refuse_call(fault::stream_is_captured, op, name_of_stream(s), "a stream that is not captured",
                        "one that is");
    }

    // ---- launches

    std::int32_t take(std::int32_t on, std::int64_t bytes, short_text op);
    [[noreturn]] void refuse_memory(std::int64_t bytes, short_text op) const {
        refuse_call(fault::device_memory_is_exhausted, op, {}, short_text() << bytes << " bytes in one piece",
                    short_text() << memory_.unreserved() << " of " << memory_.bytes() << " bytes in no pool");
    }
    void check_order(short_text op, const block& b, const history& known, bool writing, bool capturing) const {
        const auto* other = (capturing ? b.in_capture : b.uses).unordered(known, writing);
        if (other)
            refuse_call(fault::streams_race, op, name_of_stream(other->stream),
                        "an event between a launch there and this one",
                        writing ? "it writes what that launch uses" : "it reads what that launch writes");
    }
    /// A launch, or the replay of a graph, uses a block: it needs its value, unless it writes it only, and comes behind
    /// whoever used it.
    void check_use(short_text op, const block& b, const history& known, bool reading, bool writing) {
        if (reading) check_value(op, b);
        else if (host_.knows(b.uses.written)) rethrow(b.uses.written);
        check_order(op, b, known, writing, false);
    }
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
};

} // namespace ahead::npu

#include <ahead/npu/context_events.hpp>
#include <ahead/npu/context_launch.hpp>
