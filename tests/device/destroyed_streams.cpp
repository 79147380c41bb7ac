// SPDX-License-Identifier: MIT
// Streams that are destroyed: what was launched there runs, places and threads are given back, handles are refused; owners of streams.
// fault: stream_is_destroyed
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"
#include "splitmix64.hpp"

#include <ahead/npu/launch.hpp>

#include <filesystem>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 8>;
constexpr row counted{1, 2, 3, 4, 5, 6, 7, 8};
constexpr auto doubled = [](auto a) { return mul(a, 2); };
constexpr auto add_to = [](auto a, auto b) { return outputs(copy_(a, add(a, b))); };

void cut_in_place(const std::byte* const* given, const std::byte*, std::byte* out) { at(out) = at(const_cast<std::byte*>(given[0])) &= 0xffff; }

row times(float by) {
    auto out = counted;
    for (auto& x : out) x *= by;
    return out;
}
machine::device with_streams(std::int32_t count) {
    auto on = machine::npu;
    on.streams = count;
    return on;
}
/// -1 where the system does not say.
std::ptrdiff_t threads() {
    std::error_code e;
    const std::filesystem::directory_iterator all("/proc/self/task", e);
    return e ? -1 : std::distance(begin(all), end(all));
}

/// The device's streams count as long as they are there, and a new one in an old place knows nothing of the one before.
void places(npu::execution run) {
    npu::context npu({.run = run, .device = with_streams(3)});
    const auto x = npu.to_device<f32<8>>(counted);
    const auto other = npu.new_stream();
    auto old = npu.new_stream();
    check_refusal([&] { static_cast<void>(npu.new_stream()); }, fault::device_streams_are_exceeded, "at most 3 streams, found 4");
    for (int i = 0; i < 100; ++i) { // more launches than one queue has room for, all in all
        npu::tensor<f32<8>> y;
        for (int k = 0; k < 5; ++k) y = old.launch(doubled, x);
        npu.destroy(old);
        npu.destroy(old); // once more: nothing
        check(!old.exists() && other.exists());
        check(y.copy() == times(2)); // what was launched there runs
        const auto next = npu.new_stream();
        check(next.exists() && !(next == old) && next.number() == old.number());
        check_refusal([&] { static_cast<void>(npu.new_stream()); }, fault::device_streams_are_exceeded);
        old = next;
    }
    check(old.launch(doubled, x).copy() == times(2));
}

/// Every call with a handle is refused by name, and what the stream's place is now goes on.
void handles(npu::execution run) {
    npu::context npu({.run = run}), another;
    const auto x = npu.to_device<f32<8>>(counted);
    const auto gone = npu.new_stream();
    npu.destroy(gone);
    const auto here = npu.new_stream();
    check_equal(here.number(), gone.number());
    npu::event e;
    npu::graph g(npu);
    const auto refused = [&](auto call, std::string_view op, location where = location::current()) {
        check_fault(call, {.what = fault::stream_is_destroyed, .op = op, .name = "stream 1", .words = "107003: invalid stream handle"}, where);
    };
    refused([&] { static_cast<void>(raw_launch{.read = {npu.empty<i64<>>()}}.on(gone)); }, "raw");
    refused([&] { gone.record(e); }, "record");
    refused([&] { gone.wait(e); }, "wait");
    refused([&] { static_cast<void>(gone.query()); }, "query");
    refused([&] { gone.synchronize(); }, "synchronize");
    refused([&] { static_cast<void>(gone.is_capturing()); }, "is_capturing");
    refused([&] { static_cast<void>(gone.busy_until()); }, "busy_until");
    refused([&] { g.capture_begin(gone); }, "capture_begin");
    refused([&] { g.replay(gone); }, "replay");
    const auto pool = npu.graph_pool_handle();
    refused([&] { npu.begin_allocate_to_pool(pool, gone); }, "beginAllocateToPool");

    check_refusal([&] { npu.destroy(npu.default_stream()); }, fault::stream_is_default, "destroy");
    check_refusal([&] { another.destroy(here); }, fault::device_is_another);
    npu.begin_allocate_to_pool(pool, here);
    check_refusal([&] { npu.destroy(here); }, fault::pool_is_recording, "destroy");
    npu.end_allocate_to_pool(pool);
    check(here.launch(doubled, x).copy() == times(2));
}

/// What was captured there is replayed; while it is captured it stays.
void captured(npu::execution run) {
    npu::context npu({.run = run});
    auto x = npu.to_device<f32<8>>(counted);
    const auto one = npu.to_device<f32<8>>(counted);
    const auto side = npu.new_stream(), branch = npu.new_stream();
    npu::graph g(npu);
    npu::tensor<f32<8>> y, z;
    {
        npu::capture c(g, side);
        npu::event fork, join;
        c.record(fork);
        branch.wait(fork);
        y = c.launch(doubled, x);
        z = branch.launch(doubled, one);
        check_refusal([&] { npu.destroy(side); }, fault::stream_is_captured, "destroy");
        check_refusal([&] { npu.destroy(branch); }, fault::stream_is_captured, "destroy");
        join.record(branch);
        c.wait(join);
        c.end();
    }
    npu.destroy(side);
    npu.destroy(branch);
    const auto next = npu.new_stream();
    for (int i = 0; i < 20; ++i) g.replay(next);
    npu.destroy(next);
    check(y.copy() == times(2) && z.copy() == times(2));
    g.replay(npu.default_stream());
    npu.synchronize();
}

/// A place orders nothing: what raced on two streams races where the second has the first one's place.
void races(npu::execution run) {
    npu::context npu({.run = run});
    auto x = npu.to_device<f32<8>>(counted);
    const auto one = npu.to_device<f32<8>>(counted);
    const auto first = npu.new_stream();
    static_cast<void>(first.launch(add_to, x, one));
    npu::event behind;
    behind.record(first);
    npu.destroy(first);
    const auto second = npu.new_stream();
    check_refusal([&] { static_cast<void>(second.launch(doubled, x)); }, fault::streams_race);
    second.wait(behind); // a point of a stream that is gone
    check(second.launch(doubled, x).copy() == times(4));
    behind.synchronize();
    check(behind.query());
}

/// Destroying returns while the stream still works; its thread goes when that is done.
void at_once() {
    const auto before = threads();
    npu::context npu({.run = npu::execution::threads, .device = with_streams(2)});
    gate g;
    const auto x = npu.to_device<i64<>>(std::array<std::int64_t, 1>{4});
    auto s = npu.new_stream();
    if (before >= 0) check_equal(threads(), before + 2);
    const auto y = raw_launch{.run = pass_gate, .read = {x}, .constants = constants(g)}.on(s);
    npu.destroy(s); // the kernel stands at the gate
    g.open();
    check_equal(y.copy()[0], 5);
    const auto next = npu.new_stream(); // in the same place: there is no other
    check_equal(next.number(), s.number());
    npu.destroy(next);
    npu.synchronize();
    for (int i = 0; i < 2000 && threads() > before + 1; ++i) { // the default stream's
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        npu.destroy(npu.new_stream());
    }
    if (before >= 0) check(threads() <= before + 2);

    // The host waits for a place, and is told what was thrown there.
    s = npu.new_stream();
    static_cast<void>(raw_launch{.run = fails, .read = {x}}.on(s));
    npu.destroy(s);
    check_throws<std::runtime_error>([&] { static_cast<void>(npu.new_stream()); }, "the kernel failed");
    s = npu.new_stream();
    check_equal(raw_launch{.read = {x}}.on(s).copy()[0], 5);
}

void owners(npu::execution run) {
    npu::context npu({.run = run, .device = with_streams(2)});
    const auto x = npu.to_device<f32<8>>(counted);
    npu::tensor<f32<8>> y;
    {
        npu::unique_stream s(npu.new_stream());
        auto t = std::move(s);
        y = t->launch(doubled, x);
        check((*t).exists() && t.get() == *t);
    }
    check(y.copy() == times(2));
    npu::graph g(npu);
    std::optional<npu::unique_stream> s(npu.new_stream());
    const auto handle = **s;
    {
        npu::capture c(g, **s);
        y = c.launch(doubled, x);
        s.reset(); // goes when the capture is over
        check(handle.exists());
        c.end();
    }
    check(!handle.exists());
    g.replay(npu.default_stream());
    check(y.copy() == times(2));
    s.emplace(npu.new_stream());
    const auto again = **s;
    *s = npu::unique_stream(again); // assigned: the old owner lets go of it
    check(!again.exists());
}

/// Law: whichever streams come and go in between, with events and without waits of the host, cells hold what the launches in order would leave; at most as many places are
/// taken as the device has.
void random_lives(npu::execution run, std::uint64_t seed) {
    const auto dice = [&] { return seed = splitmix64(seed); };
    npu::context npu({.run = run, .device = with_streams(5)});
    struct known_cell {
        cell on_device;
        std::int64_t value = 0;
        npu::event used; // behind all that used it
    };
    std::vector<known_cell> cells;
    for (std::int64_t i = 0; i < 4; ++i) cells.push_back({npu.to_device<i64<>>(std::array<std::int64_t, 1>{i}), i, {}});
    std::vector<npu::stream> streams;
    for (int i = 0; i < 3000; ++i) {
        const auto what = dice() % 16;
        if (streams.size() < 4 && (streams.empty() || what == 0)) {
            streams.push_back(npu.new_stream(-static_cast<std::int32_t>(dice() % 8)));
            if (!check(streams.back().number() < 5)) return;
        } else if (what == 1) {
            const auto gone = streams.begin() + static_cast<std::ptrdiff_t>(dice() % streams.size());
            npu.destroy(*gone);
            streams.erase(gone);
        } else if (what == 2) {
            auto& c = cells[dice() % cells.size()];
            if (!check(c.on_device.copy()[0] == c.value)) return;
        } else {
            const auto& s = streams[dice() % streams.size()];
            auto &from = cells[dice() % cells.size()], &to = cells[dice() % cells.size()];
            if (&from == &to) continue;
            s.wait(from.used);
            s.wait(to.used);
            static_cast<void>(raw_launch{.run = add_in_place, .read = {from.on_device}, .written = {to.on_device}}.on(s));
            to.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(to.value) + static_cast<std::uint64_t>(from.value)) & 0xffff;
            static_cast<void>(raw_launch{.run = cut_in_place, .written = {to.on_device}}.on(s));
            to.used.record(s);
            from.used = to.used;
        }
    }
    for (const auto& c : cells) check_equal(c.on_device.copy()[0], c.value);
}

} // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (auto run : {npu::execution::in_order, npu::execution::threads}) random_lives(run, seed);
    for (auto run : {npu::execution::in_order, npu::execution::threads}) {
        places(run);
        handles(run);
        captured(run);
        races(run);
        owners(run);
    }
    at_once();
    return report();
}
