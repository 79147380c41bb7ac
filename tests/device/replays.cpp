// SPDX-License-Identifier: MIT
// Compiled graphs for long: random calls with every policy against sessions, and replays with random tensors, which allocate nothing and lose nothing.
//     device_replays [<replays>]     50'000 of them where nothing is said; AHEAD_LONG=1: four times as many, and random calls
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/npu/compiled_graphs.hpp>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>

using namespace ahead;
using namespace test;

namespace {

// c = x - c; return c * w + x, x
template <std::int64_t N>
inline constexpr auto stepping = trace([](input<"c", f32<N>> c, input<"x", f32<N>> x, param<"w", f32<1>> w) {
    copy_(c, sub(x, c));
    return outputs(add(mul(c, w), x), x);
});
template <std::size_t N>
using program = compiled<stepping<static_cast<std::int64_t>(N)>>;
template <std::size_t N>
using row = std::array<float, N>;
template <std::size_t N>
using row_tensor = npu::tensor<f32<static_cast<std::int64_t>(N)>>;
constexpr std::size_t a = 8, b = 24, c = 2000;

weights weight(float value) {
    weights out;
    out.add("w", dtype::f32, {1}, std::as_bytes(std::span(&value, 1)));
    return out;
}
/// Of one shape: tensors that are read and written, with what must be in them; prepared weights, and a session for each.
template <std::size_t N>
struct shape {
    using taken = program<N>;
    prepared_weights<taken> by_two = taken::prepare(weight(2)), by_three = taken::prepare(weight(3));
    typename taken::session run_two{by_two}, run_three{by_three};
    bool uses_three = false;
    struct variable {
        row<N> value{};
        row_tensor<N> tensor;
    };
    std::array<variable, 4> read, written;
    struct output {
        row<N> value{};
        row_tensor<N> tensor;
    };
    std::deque<output> held;

    explicit shape(npu::context& npu) {
        for (auto* all : {&read, &written})
            for (auto& v : *all) renew(npu, v, static_cast<float>(&v - all->data()));
    }
    static void renew(npu::context& npu, variable& v, float value) {
        for (std::size_t i = 0; i < N; ++i) v.value[i] = value + static_cast<float>(i % 5);
        v.tensor = npu.to_device<f32<static_cast<std::int64_t>(N)>>(v.value);
    }
    bool is_right(const output& o) const { return o.tensor.copy() == o.value; }
    void drop_all() {
        for (const auto& o : held) check(is_right(o), "a held output has changed");
        held.clear();
    }
};

template <class Net>
class caller {
public:
    caller(npu::context& npu, Net& net, std::uint32_t seed) : npu_(npu), net_(net), random_(seed) {}
    std::int64_t refused = 0;

    template <std::size_t N>
    void call(shape<N>& of) {
        auto& x = of.read[below(4)];
        auto& w = of.written[below(4)];
        if (below(16) == 0) shape<N>::renew(npu_, x, static_cast<float>(below(9)));
        if (below(16) == 0) shape<N>::renew(npu_, w, static_cast<float>(below(9)));
        if (below(16) == 0) {
            of.uses_three = !of.uses_three;
            net_.use(of.uses_three ? of.by_three : of.by_two);
        }
        auto expected = w.value;
        const auto y = [&] {
            auto outputs = (of.uses_three ? of.run_three : of.run_two)(expected, x.value);
            row<N> out{};
            std::copy_n(std::get<0>(outputs).data(), N, out.data());
            return out;
        }();
        typename shape<N>::output got{y, {}};
        row_tensor<N> same;
        try {
            std::tie(got.tensor, same) = net_(w.tensor, x.tensor);
        } catch (const error& e) {
            check_fault(e.what_happened, {fault::output_is_still_held});
            check(w.tensor.copy() == w.value, "a call that was refused has written");
            ++refused;
            return;
        }
        w.value = expected;
        check(of.is_right(got), "wrong result");
        check(same.data() == x.tensor.data() && x.tensor.copy() == x.value, "an input was written");
        check(w.tensor.copy() == w.value, "what the graph writes is wrong");
        if (below(3) == 0) of.held.push_back(std::move(got));
        if (of.held.size() > below(4)) {
            check(of.is_right(of.held.front()), "a held output has changed");
            of.held.pop_front();
        }
    }
    std::size_t below(std::size_t n) { return random_() % n; }

private:
    npu::context& npu_;
    Net& net_;
    std::mt19937 random_;
};

void random_calls(npu::execution run, std::int64_t calls) {
    std::uint32_t seed = 1;
    npu::graph_counters sum;
    std::int64_t refused = 0;
    for (const auto moved : {npu::moved_policy::bind, npu::moved_policy::recapture, npu::moved_policy::copy_back})
        for (const auto held : {npu::held_policy::refuse, npu::held_policy::keep})
            for (const auto full : {npu::full_policy::evict_oldest, npu::full_policy::run_eagerly}) {
                npu::context npu({.run = run});
                const auto s = npu.new_stream();
                shape<a> first(npu);
                shape<b> second(npu);
                shape<c> third(npu);
                npu::compiled_graphs<program<a>, program<b>, program<c>> net(
                    npu, s, {.capture_limit = 4, .when_full = full, .moved_inputs = moved, .held_outputs = held}, first.by_two,
                    second.by_two, third.by_two);
                caller all(npu, net, ++seed);
                for (std::int64_t i = 0; i < calls / 12; ++i) {
                    const auto which = all.below(16);
                    if (which < 8)
                        all.call(first);
                    else if (which < 15)
                        all.call(second);
                    else
                        all.call(third);
                    if (all.refused != refused) { // somebody lets go of all that he holds
                        refused = all.refused;
                        first.drop_all(), second.drop_all(), third.drop_all();
                    }
                }
                first.drop_all(), second.drop_all(), third.drop_all();
                refused = 0;
                check_equal(npu.statistics(net.pool()).held_bytes, 0);
                check(net.keys().size() == 4);
                check(held == npu::held_policy::refuse ? all.refused > 0 : all.refused == 0);
                const auto& n = net.counters();
                sum.captured += n.captured, sum.replayed += n.replayed, sum.bound += n.bound, sum.evicted += n.evicted,
                    sum.run_eagerly += n.run_eagerly, sum.copied_back += n.copied_back;
                sum.recaptured_for_held_outputs += n.recaptured_for_held_outputs,
                    sum.recaptured_for_mutated_inputs += n.recaptured_for_mutated_inputs;
            }
    std::cout << "random calls: " << print(sum) << '\n';
}

/// c = x - c and c * 2 + x, in numbers that floats have.
template <std::size_t N>
bool step(const row<N>& x, row<N>& state, const row<N>& y) {
    bool same = true;
    for (std::size_t i = 0; i < N; ++i) {
        state[i] = x[i] - state[i];
        same = same && y[i] == state[i] * 2 + x[i];
    }
    return same;
}

void replays(npu::execution run, std::int64_t count) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    shape<a> first(npu);
    shape<b> second(npu);
    shape<40> third(npu);
    npu::compiled_graphs<program<a>, program<b>, program<40>> net(npu, s, {}, first.by_two, second.by_two, third.by_two);
    std::mt19937 random(7);
    std::int64_t wrong = 0;
    const auto once = [&]<std::size_t N>(shape<N>& of, std::uint32_t bits) {
        const auto& x = of.read[bits % 4];
        auto& w = of.written[bits / 4 % 4];
        const auto [y, same] = net(w.tensor, x.tensor);
        row<N> got;
        y.copy_to(got);
        wrong += !step(x.value, w.value, got);
    };
    const auto turn = [&] {
        const auto bits = static_cast<std::uint32_t>(random());
        if (bits >> 31)
            once(first, bits);
        else if (bits >> 30)
            once(second, bits);
        else
            once(third, bits);
    };
    for (int i = 0; i < 1000; ++i) turn();
    npu.synchronize();
    const auto counters = net.counters();
    const auto statistics = npu.statistics(net.pool()), eager = npu.statistics();
    const auto allocated = allocations.load();
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < count; ++i) turn();
    npu.synchronize();
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    check_equal(allocations.load() - allocated, 0L);
    check_equal(wrong, 0);
    check(npu.statistics(net.pool()) == statistics && npu.statistics() == eager);
    check_equal(net.counters().replayed - counters.replayed, count);
    check_equal(net.counters().captured, 3);
    for (const auto& v : first.written) check(v.tensor.copy() == v.value);
    for (const auto& v : second.written) check(v.tensor.copy() == v.value);
    for (const auto& v : third.written) check(v.tensor.copy() == v.value);
    std::cout << (run == npu::execution::in_order ? "in order: " : "threads: ") << count << " replays, "
              << net.counters().bound - counters.bound << " tensors bound, " << wrong << " wrong, " << allocations.load() - allocated
              << " allocations, " << static_cast<std::int64_t>(1e9 * seconds / static_cast<double>(count)) << " ns each\n";
}

} // namespace

int main(int argc, char** argv) {
    const std::int64_t times = std::getenv("AHEAD_LONG") != nullptr ? 4 : 1;
    const std::int64_t count = argc > 1 ? std::atoll(argv[1]) : 50'000 * times;
    replays(npu::execution::in_order, count);
    replays(npu::execution::threads, argc > 1 ? count : count / 20);
    random_calls(npu::execution::in_order, 24'000 * times);
    random_calls(npu::execution::threads, 4'800 * times);
    return report();
}
