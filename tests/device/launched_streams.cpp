// SPDX-License-Identifier: MIT
// Programs of several streams, launched and captured: on threads each stream of the plan has a thread, and all is as in order: bits, exceptions, values that are
// not there. Nothing is allocated by a launch but the first.
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"
#include "streamed_programs.hpp"

#include <ahead/ahead.hpp>
#include <ahead/npu/compiled_graphs.hpp>

#include <mutex>
#include <set>
#include <thread>

using namespace ahead;
using namespace test;

namespace {

// ---- which threads

std::mutex told;
std::set<std::thread::id> threads;
inline void print_telling(std::string_view) {
        const std::scoped_lock turn(told);
        threads.insert(std::this_thread::get_id());
    }
using telling = toolchain<>::with_print<print_telling>;
inline constexpr auto two_streams = trace([](input<"x", f32<8>> x) {
    scope_enter<"side">(x);
    print<"{}">(x);
    const auto a = exp(x);
    const auto r = record(x);
    scope_exit(x);
    print<"{}">(x);
    const auto b = relu(x);
    wait(r);
    return outputs(add(a, b));
});
/// f() on the host, and then on how many threads the program has printed, the host's not counted.
template <class F> std::size_t threads_of(npu::context& npu, F f) {
    npu.synchronize();
    threads.clear();
    f();
    npu.synchronize();
    return threads.size() - threads.count(std::this_thread::get_id());
}
void have_threads() {
    using program = compiled<two_streams, telling>;
    static_assert(program::plan.streams == 2);
    const auto prepared = program::prepare();
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        const std::size_t expected = run == npu::execution::threads ? 2 : 0;
        npu::context npu({.run = run});
        const auto s = npu.new_stream(), t = npu.new_stream();
        const auto x = npu.to_device<f32<8>>(std::array<float, 8>{});
        check_equal(threads_of(npu, [&] { static_cast<void>(s.launch(prepared, x)); }), expected);
        check_equal(threads_of(npu, [&] { static_cast<void>(npu.default_stream().launch(prepared, x)); }), expected);
        npu::graph one(npu), fork(npu);
        {
            npu::capture c(one, s);
            static_cast<void>(c.launch(prepared, x));
            c.end();
        }
        check_equal(threads_of(npu, [&] { one.replay(s); }), expected);
        check_equal(threads_of(npu, [&] { one.replay(t); }), expected);
        {
            npu::capture c(fork, s);
            npu::event forked, joined;
            c.record(forked);
            t.wait(forked);
            static_cast<void>(c.launch(prepared, x));
            static_cast<void>(t.launch(prepared, x));
            joined.record(t);
            c.wait(joined);
            c.end();
        }
        check_equal(threads_of(npu, [&] { fork.replay(s); }), 2 * expected);
        npu::compiled_graphs<program> net(npu, s, {}, prepared);
        check_equal(threads_of(npu, [&] { static_cast<void>(net(x)); }), expected);
        check_equal(threads_of(npu, [&] { static_cast<void>(net(x)); }), expected);
    }
}

// ---- what they compute

constexpr std::int64_t n = 24;
using square = f32<n, n>;
using numbers = std::array<float, n * n>;

/// Levels of four products that read across; one output is small and leaves the rest.
inline constexpr auto mesh = trace([](input<"x", square> x, input<"y", square> y) {
    auto a = mul(x, 0.25), b = mul(y, 0.5), c = add(x, y), d = sub(x, y);
    for (int level = 0; level < 3; ++level) {
        const auto p = tanh(mm(a, b)), q = tanh(mm(b, c)), r = tanh(mm(c, d)), s = tanh(mm(d, a));
        a = p, b = q, c = r, d = s;
    }
    return outputs(sum<1>(add(add(a, b), add(c, d))));
});
inline constexpr config on_four_options{.streams = 4};
using on_four = toolchain<>::with_options<on_four_options>;
using reads = compiled<mesh, on_four>;
static_assert(reads::plan.streams == 4);

numbers numbers_of(unsigned seed) {
    numbers out;
    for (auto& x : out) x = static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) / static_cast<float>(1 << 23) - 1;
    return out;
}
/// A device, and all that a few launches and replays leave there.
template <class First, class Second> struct device {
    npu::context npu;
    npu::stream s = npu.new_stream(), t = npu.new_stream();
    npu::tensor<square> x = npu.to_device<square>(numbers_of(1)), y = npu.to_device<square>(numbers_of(2));
    prepared_weights<First> first = First::prepare();
    prepared_weights<Second> second = Second::prepare();
    npu::graph g{npu};
    decltype(s.launch(first, x, y)) captured;
    npu::event forked, joined;

    explicit device(npu::execution run) : npu({.run = run}) {
        npu::capture c(g, s);
        c.record(forked);
        t.wait(forked);
        const auto beside = t.launch(first, x, y);
        captured = s.launch(first, x, y);
        joined.record(t);
        c.wait(joined);
        static_cast<void>(c.launch(second, x, y));
        c.end();
    }
    auto step() {
        const auto one = s.launch(first, x, y);
        const auto other = s.launch(second, x, y);
        g.replay(s);
        forked.record(s);
        t.wait(forked);
        const auto last = t.launch(first, x, y);
        joined.record(t);
        s.wait(joined);
        return std::tuple{one.copy(), other.copy(), captured.copy(), last.copy(), x.copy(), y.copy()};
    }
};
/// Law: launch after launch, the threads leave what the same plan leaves in order.
template <class First, class Second> void agree() {
    device<First, Second> expected(npu::execution::in_order), found(npu::execution::threads);
    static_assert(Second::plan.streams > 1);
    bool all = true;
    for (int i = 0; i < 40; ++i) all = all && found.step() == expected.step();
    check(all);
}

void allocate_nothing() {
    const auto prepared = reads::prepare();
    npu::context npu({.run = npu::execution::threads});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<square>(numbers_of(1)), y = npu.to_device<square>(numbers_of(2));
    npu::compiled_graphs<reads> net(npu, s, {}, prepared);
    const auto step = [&] {
        static_cast<void>(s.launch(prepared, x, y));
        npu.synchronize();
        static_cast<void>(net(x, y));
        npu.synchronize();
    };
    for (int i = 0; i < 300; ++i) step();
    const auto before = allocations.load();
    for (int i = 0; i < 300; ++i) step();
    check_equal(allocations.load() - before, 0L);
}

// ---- tasks that refuse

/// Law: whichever lookups fail, launches and replays throw what they throw in order, once; nothing of them has a value; and the next one is as if nothing had been.
void exceptions() {
    using program = compiled<fx<lookups>>;
    static_assert(program::plan.streams == 3);
    static const auto prepared = program::prepare();
    using ids = std::array<std::int64_t, 4>;
    const ids good{0, 1, 2, 3}, bad{0, 1, 8, 3}, worse{0, -9, 1, 1}, leads_astray{4, 4, 4, 4};
    const std::array<std::int64_t, 8> calm{3, 1, 4, 1, 5, 2, 6, 5}, wild{3, 1, 4, 1, 500, 2, 6, 5};
    struct device {
        npu::context npu;
        npu::stream s = npu.new_stream();
        npu::tensor<i64<8, 1>> table = npu.empty<i64<8, 1>>();
        npu::tensor<i64<4>> x = npu.empty<i64<4>>(), y = npu.empty<i64<4>>(), z = npu.empty<i64<4>>();
        npu::graph g{npu};
        decltype(s.launch(prepared, table, x, y, z)) captured;
        explicit device(npu::execution run) : npu({.run = run}) {
            npu::capture c(g, s);
            captured = c.launch(prepared, table, x, y, z);
            c.end();
        }
        void write(const std::array<std::int64_t, 8>& t, const ids& a, const ids& b, const ids& c) { table.write(t), x.write(a), y.write(b), z.write(c); }
        std::string launch() {
            return thrown_by([&] {
                const auto out = s.launch(prepared, table, x, y, z);
                npu.synchronize();
                check(std::get<1>(out).copy()[0] == 1);
            });
        }
        std::string replay() {
            return thrown_by([&] {
                g.replay(s);
                npu.synchronize();
                check(std::get<1>(captured).copy()[0] == 1);
            });
        }
    };
    device expected(npu::execution::in_order), found(npu::execution::threads);
    int thrown = 0;
    for (int round = 0; round < 2; ++round)
        for (const auto& x : {good, bad, leads_astray})
            for (const auto& y : {good, worse, leads_astray})
                for (const auto& z : {good, worse})
                    for (const auto& t : {calm, wild}) {
                        if (x == leads_astray && t == calm) continue; // finds others
                        expected.write(t, x, y, z), found.write(t, x, y, z);
                        const auto in_order = expected.launch();
                        thrown += in_order != "nothing";
                        if (!check_equal(found.launch(), in_order) || !check_equal(expected.replay(), in_order) || !check_equal(found.replay(), in_order)) return;
                        if (in_order != "nothing") check_fault([&] { static_cast<void>(std::get<0>(found.captured).copy()); }, fault::tensor_has_no_value);
                        found.write(calm, good, good, good);
                        check_equal(found.launch(), "nothing");
                    }
    check(thrown > 40);
}

} // namespace

int main() {
    have_threads();
    agree<reads, compiled<fx<writes>>>();
    allocate_nothing();
    exceptions();
    return report();
}
