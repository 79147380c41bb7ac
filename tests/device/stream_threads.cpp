// SPDX-License-Identifier: MIT
// Streams on threads: the bits that the plan gives in order, whatever the graph writes; the same exceptions; sleepers wake up; sessions share weights.
// AHEAD_LONG=1: five times as many runs.
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "streamed_programs.hpp"

#include <ahead/ahead.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <thread>

using namespace ahead;
using namespace ahead::rooms;
using test::allocations;
using test::check;
using test::lookups;
using test::thrown_by;
using test::writes;

namespace {

const int times = std::getenv("AHEAD_LONG") != nullptr ? 5 : 1;

inline constexpr config one_by_one_options{.mode = mode::reduce_overhead};
using one_by_one = toolchain<>::with_options<one_by_one_options>;
template <int Streams> inline constexpr config spread_options{.streams = Streams};
template <int Streams> using spread = toolchain<>::with_options<spread_options<Streams>>;

// ---- graphs

template <int N>
using square = f32<N, N>;

/// Four columns of products, each of which reads one of the column before it and one of another column: which one, the seed says.
template <int N, int Levels, unsigned Seed>
inline constexpr auto mesh = trace([](input<"x", square<N>> x, input<"y", square<N>> y) {
    auto a = mul(x, 0.25), b = mul(y, 0.5), c = add(x, y), d = sub(x, y);
    unsigned dice = Seed;
    for (int level = 0; level < Levels; ++level) {
        dice = dice * 1664525u + 1013904223u;
        const auto p = dice >> 30 & 1 ? mm(a, b) : mm(a, x), q = dice >> 29 & 1 ? mm(b, c) : mm(b, y);
        const auto r = dice >> 28 & 1 ? mm(c, d) : mm(c, x), s = dice >> 27 & 1 ? mm(d, a) : mm(d, y);
        a = tanh(p), b = tanh(q), c = tanh(r), d = tanh(s);
    }
    return outputs(a, b, c, d);
});

/// Two streams besides the main one, each waiting for another; memory goes from one to the next.
struct relay {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[24, 24], y : f32[24, 24]):
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['first'])
    a = torch.ops.aten.mm.default(x, y)
    b = torch.ops.aten.tanh.default(a)
    enter_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['second'])
    c = torch.ops.aten.mm.default(b, y)
    d = torch.ops.aten.sin.default(c)
    r = torch.ops.air.record.default()
    exit_1 = torch.ops.air.scope_exit.default()
    e = torch.ops.aten.exp.default(b)
    w = torch.ops.air.wait.default([r])
    f = torch.ops.aten.mm.default(d, e)
    r_1 = torch.ops.air.record.default()
    exit_2 = torch.ops.air.scope_exit.default()
    g = torch.ops.aten.cos.default(x)
    w_1 = torch.ops.air.wait.default([r_1])
    h = torch.ops.aten.add.Tensor(f, g)
    return (h, g)
)fx";
};

/// The state is read and written on a stream of its own.
inline constexpr auto steps = trace([](input<"x", square<24>> x, input<"y", square<24>> y, param<"h", square<24>> h) {
    scope_enter<"side">(x);
    copy_(h, tanh(add(mm(x, h), y)));
    const auto r = record(x);
    scope_exit(x);
    const auto z = mm(x, y);
    wait(r);
    return outputs(add(z, h));
});

template <class Program>
using threaded = threaded_session<Program>;

// ---- runs

template <std::size_t Size>
std::array<float, Size> numbers(unsigned seed) {
    std::array<float, Size> out;
    for (auto& x : out) x = static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) / static_cast<float>(1 << 23) - 1;
    return out;
}
weights given_weights() {
    weights out;
    const auto h = numbers<576>(7);
    out.add("h", dtype::f32, {24, 24}, std::as_bytes(std::span(h)));
    return out;
}

/// All bits that one run leaves: outputs, then inputs.
template <class Session, std::size_t Size>
std::vector<float> bits_of(Session& run, unsigned seed) {
    auto x = numbers<Size>(seed), y = numbers<Size>(seed + 1);
    std::vector<float> out;
    const auto results = run(x, y);
    std::apply([&](const auto&... each) { (out.insert(out.end(), each.begin(), each.end()), ...); }, results);
    out.insert(out.end(), x.begin(), x.end());
    out.insert(out.end(), y.begin(), y.end());
    return out;
}
bool same(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Law: run after run, the threads leave what the same plan leaves in order.
template <class Program, std::size_t Size>
void agrees(std::int32_t streams, const weights& from = {}, int runs = 40 * times, test::location where = test::location::current()) {
    test::check_equal(Program::plan.streams, streams, where);
    const auto prepared = Program::prepare(from);
    const auto expected = std::make_unique<typename Program::session>(prepared);
    const auto found = std::make_unique<threaded<Program>>(prepared);
    bool all = true;
    for (unsigned i = 0; i < static_cast<unsigned>(runs); ++i)
        all = all && same(bits_of<typename Program::session, Size>(*expected, i), bits_of<threaded<Program>, Size>(*found, i));
    check(all, {}, where);
}

void same_bits() {
    agrees<compiled<fx<relay>, one_by_one>, 576>(3);
    agrees<compiled<fx<writes>>, 576>(2);
    agrees<compiled<mesh<24, 6, 1>, spread<2>>, 576>(2);
    agrees<compiled<mesh<24, 6, 3>, spread<4>>, 576>(4);
    agrees<compiled<mesh<5, 33, 4>, spread<2>>, 25>(2); // more than one chunk
}
void same_states() {
    using program = compiled<steps>;
    agrees<program, 576>(2, given_weights());
    const auto prepared = program::prepare(given_weights());
    threaded<program> run{prepared};
    const auto first = bits_of<threaded<program>, 576>(run, 1);
    check(!same(bits_of<threaded<program>, 576>(run, 1), first));
    check(run.state<"h">().copy()[0] != numbers<576>(7)[0]);
    run.reset();
    check(same(bits_of<threaded<program>, 576>(run, 1), first));
}

/// A program of one stream has no threads: its session is as large as one that runs in order.
void one_stream() {
    using program = compiled<mesh<24, 6, 1>>;
    static_assert(program::plan.streams == 1 && sizeof(threaded<program>) == sizeof(program::session));
    agrees<program, 576>(1);
}

void leases_and_memory() {
    using program = compiled<mesh<24, 6, 1>, spread<2>>;
    const auto prepared = program::prepare();
    alignas(64) static std::array<std::byte, threaded<program>::bytes> arena;
    threaded<program> run(prepared, arena);
    const auto x = numbers<576>(1), y = numbers<576>(2);
    {
        const auto held = run(x, y);
        check(reinterpret_cast<const std::byte*>(std::get<0>(held).data()) >= arena.data());
        test::check_throws<error>([&] { run(x, y); }, "output is still held");
    }
    const auto before = allocations.load();
    for (int i = 0; i < 200 * times; ++i) run(x, y);
    check(allocations.load() == before);
}

/// Threads that nobody needs for a while sleep, and are there again; so are those of a session that never runs.
void sleepers_wake_up() {
    using program = compiled<mesh<24, 6, 3>, spread<4>>;
    const auto prepared = program::prepare();
    const threaded<program> unused{prepared};
    program::session expected{prepared};
    threaded<program> run{prepared};
    for (unsigned i = 0; i < 20; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(i % 4));
        check(same(bits_of<threaded<program>, 576>(run, i), bits_of<program::session, 576>(expected, i)));
    }
}

void many_sessions() {
    using program = compiled<mesh<24, 6, 1>, spread<2>>;
    using stateful = compiled<steps>;
    const auto prepared = program::prepare();
    const auto with_state = stateful::prepare(given_weights());
    std::atomic<int> agreed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&] {
            program::session expected{prepared};
            threaded<program> run{prepared};
            stateful::session expected_state{with_state};
            threaded<stateful> run_state{with_state};
            bool all = true;
            for (unsigned i = 0; i < 10u * static_cast<unsigned>(times); ++i) {
                all = all && same(bits_of<program::session, 576>(expected, i), bits_of<threaded<program>, 576>(run, i));
                all = all && same(bits_of<stateful::session, 576>(expected_state, i), bits_of<threaded<stateful>, 576>(run_state, i));
            }
            agreed += all;
        });
    for (auto& t : threads) t.join();
    check(agreed == 6);
}

// ---- tasks that throw

/// Law: whichever lookups fail, the run throws what it throws in order, nothing reads what a failed one left, and the next run is as if nothing had been.
void exceptions() {
    using program = compiled<fx<lookups>>;
    static_assert(program::plan.streams == 3);
    const auto prepared = program::prepare();
    program::session expected{prepared};
    threaded<program> run{prepared};
    using ids = std::array<std::int64_t, 4>;
    const std::array<std::int64_t, 8> table{3, 1, 4, 1, 5, 2, 6, 5}, wild{3, 1, 4, 1, 500, 2, 6, 5};
    const ids good{0, 1, 2, 3}, bad{0, 1, 8, 3}, worse{0, -9, 1, 1}, leads_astray{4, 4, 4, 4};
    int thrown = 0;
    for (int round = 0; round < 10 * times; ++round)
        for (const auto& x : {good, bad, leads_astray})
            for (const auto& y : {good, worse, leads_astray})
                for (const auto& z : {good, worse})
                    for (const auto& t : {table, wild}) {
                        const auto in_order = thrown_by(expected, t, x, y, z);
                        thrown += in_order != "nothing";
                        if (!test::check_equal(thrown_by(run, t, x, y, z), in_order)) return;
                        const auto [e, f, g] = run(table, good, good, good);
                        check(f.data()[0] == 1 && f.data()[1] == 1); // 0 -> 3 -> 1 -> 1
                    }
    check(thrown > 100);
}

} // namespace

int main() {
    same_bits();
    same_states();
    one_stream();
    leases_and_memory();
    sleepers_wake_up();
    many_sessions();
    exceptions();
    return test::report();
}
