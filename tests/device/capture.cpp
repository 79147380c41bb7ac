// Streams, events, eager launches, capture and replay: what they compute, and every refusal, with the field's words,
// which leaves everything as it was.
// fault: stream_is_default
// fault: stream_is_captured
// fault: call_is_illegal_in_capture
// fault: capture_is_underway
// fault: capture_has_not_begun
// fault: capture_ends_on_another_stream
// fault: event_is_outside_the_capture
// fault: graph_is_captured_already
// fault: graph_is_not_captured
// fault: tensor_is_not_bound
// fault: pool_handle_is_invalid
// fault: pool_is_recording
// fault: pool_is_not_recording
// fault: memory_is_still_held
// fault: tensor_is_empty
// fault: tensor_has_no_value
// fault: device_is_another
// fault: device_memory_is_exhausted
// fault: device_is_impossible
// SPDX-License-Identifier: MIT
#include "device_refusal.hpp"
#include "device_with.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 8>;
using row_tensor = npu::tensor<f32<8>>;
constexpr row counted{1, 2, 3, 4, 5, 6, 7, 8};
constexpr row ones{1, 1, 1, 1, 1, 1, 1, 1};
constexpr auto sum_of = [](auto a, auto b) { return add(a, b); };
constexpr auto doubled = [](auto a) { return mul(a, 2); };
constexpr auto add_to = [](auto a, auto b) { return outputs(copy_(a, add(a, b))); };

row plus(const row& a, float b) {
    auto out = a;
    for (auto& x : out) x += b;
    return out;
}

void launches(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(counted), one = npu.to_device<f32<8>>(ones);
    auto y = x;
    for (int i = 0; i < 1000; ++i) y = s.launch(sum_of, y, one);
    check(y.copy() == plus(counted, 1000));
    const auto z = s.launch([](auto a, auto b) { return outputs(add(a, b), sub(a, b)); }, y, one);
    check(std::get<0>(z).copy() == plus(counted, 1001));
    check(std::get<1>(z).copy() == plus(counted, 999));

    // A result is not overwritten while somebody holds it, and its memory is used again afterwards.
    const auto held = npu.statistics().held_bytes;
    for (int i = 0; i < 100; ++i) static_cast<void>(s.launch(doubled, y));
    check_equal(npu.statistics().held_bytes, held);
    check(y.copy() == plus(counted, 1000));

    // Between streams: an event, or the host.
    const auto a = s.launch(doubled, x);
    check_refusal([&] { t.launch(doubled, a); }, fault::streams_race, "Record an event");
    npu::event e;
    t.wait(e); // nothing recorded it: nothing to wait for
    check_refusal([&] { t.launch(doubled, a); }, fault::streams_race);
    e.record(s);
    t.wait(e);
    check(t.launch(doubled, a).copy() == [] {
        auto out = counted;
        for (auto& v : out) v *= 4;
        return out;
    }());
    const auto b = s.launch(doubled, x);
    s.synchronize();
    static_cast<void>(t.launch(doubled, b));

    // A write comes behind all reads.
    auto c = npu.to_device<f32<8>>(counted);
    static_cast<void>(t.launch(doubled, c));
    check_refusal([&] { s.launch(add_to, c, one); }, fault::streams_race, "writes what that launch uses");
    e.record(t);
    s.wait(e);
    static_cast<void>(s.launch(add_to, c, one));
    check(c.copy() == plus(counted, 1));
    check_refusal([&] { s.launch(add_to, c, c); }, fault::inputs_overlap);
    c.write(counted);
    check(c.copy() == counted);
}

void events() {
    npu::context npu;
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(counted);
    npu::event before, behind;
    check(before.query());
    before.record(s);
    static_cast<void>(s.launch(doubled, x));
    behind.record(s);
    check(before.query());
    check(!behind.query(), "the simulated device is still at it");
    check_equal(npu.launches(), 1);
    const auto launched = npu.now();
    behind.synchronize();
    check(behind.query() && s.query());
    check(npu.now() > launched);
    check(before.elapsed_time(behind) > machine::ticks{0});
    static_cast<void>(s.launch(doubled, x));
    behind.record(s);
    int asked = 0;
    while (!behind.query()) ++asked;
    check(asked > 0 && asked < 1000);
}

void captures(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto main = npu.default_stream();
    auto x = npu.to_device<f32<8>>(counted);
    const auto one = npu.to_device<f32<8>>(ones);
    npu::graph g(npu);
    check_refusal([&] { g.replay(s); }, fault::graph_is_not_captured, "Called NPUGraph::replay without a preceding successful capture.");
    check_refusal([&] { static_cast<void>(g.pool()); }, fault::graph_is_not_captured, "Called NPUGraph::pool() without a preceding successful capture.");
    check_refusal([&] { g.capture_end(s); }, fault::capture_has_not_begun, "capture_end() called before capture_begin().");
    const npu::stream& any = main;
    check_refusal([&] { g.capture_begin(any); }, fault::stream_is_default,
                "NPU graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on the default stream.)");
    check_refusal([&] { g.capture_begin(s, npu::mempool_id{}); }, fault::pool_handle_is_invalid, "Invalid graph pool handle type");
    check_refusal([&] { g.capture_begin(s, npu::mempool_id{1, 1}); }, fault::pool_handle_is_invalid);
    check_refusal([&] { g.capture_begin(s, npu::mempool_id{0, 7}); }, fault::pool_handle_is_invalid);

    row_tensor y, z;
    {
        npu::capture c(g, s);
        check(s.is_capturing() && !t.is_capturing());
        npu::graph other(npu);
        check_refusal([&] { other.capture_begin(t); }, fault::capture_is_underway);
        check_refusal([&] { other.capture_end(s); }, fault::capture_has_not_begun);
        check_refusal([&] { s.synchronize(); }, fault::stream_is_captured, "107027");
        check_refusal([&] { npu.synchronize(); }, fault::stream_is_captured);
        check_refusal([&] { npu.empty_cache(); }, fault::call_is_illegal_in_capture, "107030");
        check_refusal([&] { static_cast<void>(npu.empty<f32<8>>()); }, fault::call_is_illegal_in_capture);
        check_refusal([&] { static_cast<void>(x.copy()); }, fault::call_is_illegal_in_capture);
        check_refusal([&] { x.write(ones); }, fault::call_is_illegal_in_capture);
        y = c.launch(sum_of, x, one);
        z = c.launch(doubled, y);
        npu::event inside, outside;
        c.record(inside);
        outside.record(t);
        check_refusal([&] { static_cast<void>(inside.query()); }, fault::stream_is_captured);
        check_refusal([&] { inside.synchronize(); }, fault::stream_is_captured);
        check_refusal([&] { c.wait(outside); }, fault::event_is_outside_the_capture);
        check_refusal([&] { main.wait(inside); }, fault::stream_is_default);
        check_refusal([&] { static_cast<void>(y.copy()); }, fault::call_is_illegal_in_capture);
        check_refusal([&] { t.launch(doubled, y); }, fault::tensor_has_no_value);
        check_refusal([&] { g.capture_end(t); }, fault::capture_ends_on_another_stream, "Capture must end on the same stream it began on.");
        c.end();
        check_refusal([&] { t.wait(inside); }, fault::event_is_outside_the_capture);
    }
    check(!s.is_capturing());
    check_equal(g.steps().size(), std::size_t{2});
    check_refusal([&] { static_cast<void>(z.copy()); }, fault::tensor_has_no_value, "Replay the graph");
    check_refusal([&] { g.capture_begin(s); }, fault::graph_is_captured_already, "This NPUGraph instance already owns a captured graph. To capture a new graph, create a new instance.");
    const auto before = npu.launches();
    g.replay(main);
    check_equal(npu.launches(), before + 1);
    npu.synchronize();
    check(y.copy() == plus(counted, 1));
    x.write(ones);
    g.replay(s);
    check(y.copy() == plus(ones, 1) && z.copy() == plus(ones, 3));

    // Other tensors in its place: nothing is captured again, nothing is copied.
    const auto place = g.find(x);
    const auto other = npu.to_device<f32<8>>(counted);
    g.bind(place, other);
    g.replay(s);
    check(y.copy() == plus(counted, 1) && x.copy() == ones);
    check_refusal([&] { g.bind(place, row_tensor{}); }, fault::tensor_is_empty);
    check_refusal([&] { static_cast<void>(g.find(y)); }, fault::tensor_is_not_bound);
    npu::context second;
    check_refusal([&] { g.bind(place, second.to_device<f32<8>>(ones)); }, fault::device_is_another);
    check_refusal([&] { s.launch(doubled, second.to_device<f32<8>>(ones)); }, fault::device_is_another);
    {
        auto from = npu.to_device<f32<8>>(ones);
        const auto to = std::move(from);
        check_refusal([&] { s.launch(doubled, from); }, fault::tensor_is_empty);
        check(to.copy() == ones);
    }
    constexpr auto grow = [](auto a) { return outputs(copy_(a, mul(a, 2))); };
    constexpr auto fill = [](auto a, auto b) { return outputs(copy_(a, mul(b, 2))); };
    auto nothing = npu.empty<f32<8>>();
    check_refusal([&] { s.launch(grow, nothing); }, fault::tensor_has_no_value);
    static_cast<void>(s.launch(fill, nothing, other)); // written only: it needs no value
    static_cast<void>(s.launch(grow, nothing));
    check_refusal([&] { s.launch(doubled, row_tensor{}); }, fault::tensor_is_empty);
    check_refusal([&] { s.launch(doubled, npu.empty<f32<8>>()); }, fault::tensor_has_no_value);

    // What it held goes back.
    const auto id = g.pool();
    check_equal(npu.statistics(id).users, 1);
    g.reset();
    check_equal(npu.statistics(id).users, 0);
    check_equal(npu.statistics(id).held_bytes, 128); // y and z
    check(y.copy() == plus(counted, 1));
    y = z = row_tensor{};
    check_equal(npu.statistics(id).reserved_bytes, 0);
}

void forks(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(counted), one = npu.to_device<f32<8>>(ones);
    npu::graph g(npu);
    npu::event fork, join;
    row_tensor y;
    {
        npu::capture c(g, s);
        const auto a = c.launch(doubled, x);
        c.record(fork);
        t.wait(fork);
        check(t.is_capturing());
        const auto b = t.launch(sum_of, a, one);
        check_refusal([&] { s.launch(sum_of, a, b); }, fault::streams_race);
        join.record(t);
        c.wait(join);
        y = c.launch(sum_of, a, b);
        c.end();
    }
    check(!t.is_capturing());
    g.replay(t);
    check(y.copy() == [] {
        row out;
        for (std::size_t i = 0; i < 8; ++i) out[i] = 4 * counted[i] + 1;
        return out;
    }());

    // Not joined: nothing is left of the capture.
    const auto unreserved = npu.unreserved_bytes();
    npu::graph h(npu);
    h.capture_begin(s);
    fork.record(s);
    t.wait(fork);
    static_cast<void>(t.launch(doubled, x));
    check_refusal([&] { h.capture_end(s); }, fault::stream_is_not_joined, "107025");
    check(!s.is_capturing() && !t.is_capturing() && !h.is_captured());
    check_equal(npu.unreserved_bytes(), unreserved);
}

void pools() {
    npu::context npu;
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(counted);
    const auto id = npu.graph_pool_handle();
    check_refusal([&] { npu.end_allocate_to_pool(id); }, fault::pool_is_not_recording, "endAllocatePool: not currently recording to mempool_id");
    npu.begin_allocate_to_pool(id, s);
    check_refusal([&] { npu.begin_allocate_to_pool(id); }, fault::pool_is_recording, "beginAllocateToPool: already recording to mempool_id");
    npu::graph g(npu), h(npu);
    check_refusal([&] { g.capture_begin(s, id); }, fault::pool_is_recording);
    npu.end_allocate_to_pool(id);

    // Two graphs, one pool: what A computed is not overwritten while it is held, neither by B's capture nor by its replay.
    row_tensor a, b;
    {
        npu::capture c(g, s, id);
        a = c.launch(doubled, c.launch(doubled, x));
        c.end();
    }
    {
        npu::capture c(h, s, g.pool());
        b = c.launch(doubled, c.launch(doubled, c.launch(doubled, x)));
        c.end();
    }
    g.replay(s);
    h.replay(s);
    g.replay(s);
    check(a.copy()[0] == 4 && b.copy()[0] == 8);
    check_equal(npu.statistics(id).users, 3);

    // B took the memory of what A gave up: A would write into it.
    a = row_tensor{};
    npu::graph third(npu);
    row_tensor taken;
    {
        npu::capture c(third, s, id);
        taken = c.launch(doubled, x);
        c.end();
    }
    third.replay(s);
    check_refusal([&] { g.replay(s); }, fault::memory_is_still_held, "pool of its own");
    check(taken.copy()[0] == 2);
    taken = row_tensor{};
    g.replay(s);

    npu.release_pool(id);
    g.reset(), h.reset(), third.reset();
    check_equal(npu.statistics(id).users, 0);
    b = row_tensor{};
    check_equal(npu.statistics(id).reserved_bytes, 0);

    for (const std::int64_t wrong : {0, 1, 48, -64}) check_refusal([&] { npu::context({.device = device_with([&](auto& d) { d.alignment = wrong; })}); }, fault::device_is_impossible);
    check_refusal([&] { npu::context({.memory_bytes = -1}); }, fault::option_is_out_of_range);
    check_refusal([&] { npu::context({.rank_id = -1}); }, fault::option_is_out_of_range);

    check_refusal([&] { npu::context({.memory_bytes = 4096, .device = device_with([](auto& d) { d.memory[0].bytes = 4095; })}); }, fault::device_memory_is_exceeded);

    npu::context small({.memory_bytes = 64 * 1024});
    check_refusal([&] { static_cast<void>(small.empty<f32<20'000>>()); }, fault::device_memory_is_exhausted, "memory_bytes");
    check(small.to_device<f32<8>>(counted).copy() == counted);
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        launches(run);
        captures(run);
        forks(run);
    }
    events();
    pools();
    return report();
}
