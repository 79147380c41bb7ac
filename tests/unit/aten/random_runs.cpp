// What a program with random operators does from run to run, and the distributions of what it draws. Every number is a function of seed and offset, so
// nothing here depends on luck.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <algorithm>
#include <set>
#include <thread>

using namespace ahead;
using namespace test;

namespace {

using state = std::array<std::int64_t, 1>;

inline constexpr auto two_calls = trace([](input<"x", f32<3>> x) { return outputs(rand_like(x), rand_like(x), x + 1); });
using pair = compiled<two_calls>;
static_assert(pair::plan.inputs == 3 && pair::output_count == 3);
static_assert(!pair::input_port<1>::is_mutated && pair::input_port<2>::is_mutated && pair::plan.inputs_written == 1);

const std::array<float, 3> given{1, 2, 3};

void from_run_to_run() {
    const auto weights = pair::prepare();
    pair::session run{weights};
    const state seed{5};
    state offset{0};
    const auto draw = [&](const state& with, state& from) {
        const auto [a, b, c] = run(given, with, from);
        return std::array{a.copy(), b.copy()};
    };
    const auto first = draw(seed, offset);
    check(offset == state{8} && first[0] != first[1], "two calls draw different numbers"); // 3 rounded up to 4, twice
    const auto second = draw(seed, offset);
    check(offset == state{16} && second[0] != first[0] && second[1] != first[1] && second[0] != first[1],
          "the next run draws the next numbers");
    state again{0}, middle{4};
    check(draw(seed, again) == first && draw(seed, again) == second, "the same seed and offset, the same numbers");
    check(draw(seed, middle)[0] == first[1], "the second call begins 4 numbers later");
    state other{0};
    check(draw(state{6}, other)[0] != first[0], "a new seed holds at once");
    state large{0}, negative{-8};
    check(draw(state{5 + (std::int64_t{1} << 40)}, large)[0] != first[0], "all bits of the seed count");
    draw(seed, negative);
    check(negative == state{0} && draw(seed, negative) == first);

    // Another session with a state of its own, at the same time.
    std::vector<std::array<std::array<float, 3>, 2>> seen[2];
    const auto work = [&](std::size_t k) {
        pair::session mine{weights};
        const state my_seed{5};
        state from{0};
        for (int i = 0; i < 50; ++i) {
            const auto [a, b, c] = mine(given, my_seed, from);
            seen[k].push_back({a.copy(), b.copy()});
        }
    };
    std::thread one(work, 0), two(work, 1);
    one.join();
    two.join();
    check(seen[0] == seen[1] && seen[0][0] == first && seen[0][1] == second, "sessions are independent");
    std::set<float> values;
    for (const auto& all : seen[0])
        for (const auto& part : all) values.insert(part.begin(), part.end());
    check(values.size() > 295, "300 draws of 24 bits");
}

// A call that nobody reads goes; the others draw what they would have drawn.
inline constexpr auto with_dead_call = trace([](input<"x", f32<3>> x) {
    auto a = rand_like(x);
    static_cast<void>(randn<5>(x));
    return outputs(a, rand_like(x));
});
inline constexpr auto with_live_call = trace([](input<"x", f32<3>> x) {
    auto a = rand_like(x);
    auto b = randn<5>(x);
    return outputs(a, rand_like(x), b);
});
void dead_calls() {
    using dead = compiled<with_dead_call>;
    using live = compiled<with_live_call>;
    static_assert(dead::plan.run_tasks == live::plan.run_tasks - 1);
    const auto dead_weights = dead::prepare();
    const auto live_weights = live::prepare();
    dead::session run_dead{dead_weights};
    live::session run_live{live_weights};
    const state seed{3};
    state offset{0}, live_offset{0};
    const auto [a, b] = run_dead(given, seed, offset);
    const auto [c, d, e] = run_live(given, seed, live_offset);
    check(a.copy() == c.copy() && b.copy() == d.copy() && offset == live_offset && offset == state{16});
}

// Two calls of the graph are never one: they begin at other numbers.
void duplicates() {
    int uniforms = 0;
    const auto g = pair::optimized_graph();
    for (node_id id : g) uniforms += g[id].target == "philox.uniform.default";
    check_equal(uniforms, 2);
    for (std::uint64_t seed : {1u, 2u})
        check(equivalent(pair::captured(), g, seed) && !equivalent(pair::captured(), compiled<with_dead_call>::captured(), seed));
    // Passes that are given the graph before it is functional leave its random calls alone.
    heap_storage copy(pass::room_for_passes(pass::builtin, compiled<with_dead_call>::captured(), aten::registry::table,
                                            compiled<with_dead_call>::captured().header().used));
    copy_graph(compiled<with_dead_call>::captured(), copy.edit());
    diagnosis d;
    check(pass::run(pass::builtin, config{}, copy.edit(), aten::registry::table, d) &&
          copy.view().header().live_nodes == compiled<with_dead_call>::captured().header().live_nodes);
}

// What is made from weights alone is prepared once; what is drawn is not.
inline constexpr auto mixed = trace([](input<"x", f32<4>> x, param<"w", f32<4>> w) { return outputs(x * exp(w) + dropout(w, 0.5)); });
void weights_are_dropped_anew() {
    using program = compiled<mixed>;
    weights file;
    const std::array<float, 4> w{1, 2, 3, 4};
    file.add("w", dtype::f32, {4}, std::as_bytes(std::span(w)));
    const auto ready = program::prepare(file);
    program::session run{ready};
    const state seed{1};
    state offset{0};
    std::set<std::array<float, 4>> seen;
    for (int i = 0; i < 20; ++i) seen.insert(std::get<0>(run(std::array<float, 4>{}, seed, offset)).copy());
    check(seen.size() > 5 && offset == state{80});
}

// The kernels draw what random_numbers says, wherever they begin and however many they draw.
template <device::randomness Kind, class T> void draws_the_same() {
    for (const std::int64_t offset : {0, 1, 2, 3, 63, 1001, -1, -70, -64}) // modulo 2^64
        for (const std::int64_t count : {0, 1, 5, 63, 64, 65, 130, 1000}) {
            const std::int64_t seed = 0x123456789abcdef - offset, low = -5;
            const auto draw = [&] {
                if constexpr (Kind == device::randomness::integers) return kernels::detail::draw<Kind, T>(low, 1000);
                else return kernels::detail::draw<Kind, T>(-1.5, 2);
            }();
            std::vector<T> got(static_cast<std::size_t>(count) + 1, T(77));
            kernels::detail::fill_random(draw, static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(offset), count, got.data());
            random_numbers numbers(seed, offset);
            bool same = got.back() == T(77);
            for (std::int64_t i = 0; i < count; ++i) {
                const auto wanted = [&]() -> T {
                    if constexpr (Kind == device::randomness::integers) return low + numbers.below(i, 1005);
                    else if constexpr (Kind == device::randomness::uniform) return T(-1.5) + T(3.5) * numbers.template uniform<T>(i);
                    else return T(-1.5) + T(2) * numbers.template normal<T>(i);
                }();
                const auto off = math::abs(static_cast<double>(got[static_cast<std::size_t>(i)] - wanted));
                same &= off <= (std::same_as<T, double> ? 1e-14 : std::same_as<T, float> ? 1e-6 : 0);
            }
            check(same, std::to_string(offset) + " " + std::to_string(count));
        }
}

// ---- distributions

inline constexpr std::int64_t many = 16384;
inline constexpr auto draws = trace([](input<"x", f32<many>> x, input<"y", f64<many>> y) {
    auto [dropped, mask] = native_dropout(x, 0.25);
    return outputs(rand<many>(x), randn<many>(x), rand_like(y), randn_like(y), randint<-8, 8, many>(x), randperm<many>(x),
                   bernoulli(x, 0.75), dropped, mask, uniform(x, 2, 4), normal(x, 3, 0.5), bernoulli(x), dropout(x, 0.75));
});

struct moments {
    double mean = 0, variance = 0, least = 0, most = 0;
};
moments moments_of(const auto& all) {
    moments out{.least = 1e300, .most = -1e300};
    double square = 0;
    for (auto each : all) {
        const auto v = static_cast<double>(each);
        out.mean += v;
        square += v * v;
        out.least = std::min(out.least, v);
        out.most = std::max(out.most, v);
    }
    const auto n = static_cast<double>(std::distance(all.begin(), all.end()));
    out.mean /= n;
    out.variance = square / n - out.mean * out.mean;
    return out;
}
// Within 5 standard errors of the mean, and the variance within 5 %.
void check_moments(const moments& got, double mean, double variance, location where = location::current()) {
    check(math::abs(got.mean - mean) < 5 * math::sqrt(variance / many) && math::abs(got.variance / variance - 1) < 0.05,
          std::to_string(got.mean) + " " + std::to_string(got.variance), where);
}
// Chi-square of 16 buckets, which bucket(v) gives, for 15 degrees of freedom: above 37.7 once in a thousand times.
void check_even(const auto& all, auto bucket, location where = location::current()) {
    std::array<double, 16> counts{};
    for (auto v : all) ++counts.at(static_cast<std::size_t>(bucket(v)));
    const double expected = static_cast<double>(std::distance(all.begin(), all.end())) / 16;
    double sum = 0;
    for (auto count : counts) sum += (count - expected) * (count - expected) / expected;
    check(sum < 37.7, std::to_string(sum), where);
}
void distributions() {
    using program = compiled<draws>;
    const auto weights = program::prepare();
    program::session run{weights};
    std::vector<float> ones(many, 1.f);
    const std::vector<double> y(many);
    for (std::int64_t k : {1, 2, 3}) {
        const state seed{k};
        state offset{0};
        const auto [u, n, u64, n64, i, perm, b, dropped, mask, from_2_to_4, around_3, certain, halved] = run(ones, y, seed, offset);
        for (const auto& [m, low] : {std::pair{moments_of(u), 0.}, {moments_of(u64), 0.}}) {
            check_moments(m, 0.5, 1. / 12);
            check(m.least >= low && m.least < 0.001 && m.most < 1 && m.most > 0.999);
        }
        check_even(u, [](float v) { return v * 16; });
        check_even(u64, [](double v) { return v * 16; });
        check_even(u64, [](double v) { return static_cast<std::int64_t>(v * 0x1p40) % 16; }); // bits that float has not
        for (const auto& m : {moments_of(n), moments_of(n64)}) {
            check_moments(m, 0, 1);
            check(m.least < -3 && m.least > -6.7 && m.most > 3 && m.most < 6.7);
        }
        check_even(n, [](float v) { return 8 * math::erfc(-v / 1.41421356f); });
        check_even(n64, [](double v) { return 8 * math::erfc(-v / 1.4142135623730951); });
        double product = 0; // of the two that one angle gives
        for (std::size_t j = 0; j < many; j += 2) product += static_cast<double>(n.elements()[j] * n.elements()[j + 1]);
        check(math::abs(product) < 5 * math::sqrt(many / 2.));
        check_even(i, [](std::int64_t v) { return v + 8; });
        std::vector<bool> met(many);
        for (auto v : perm) met[static_cast<std::size_t>(v)] = true;
        check(std::count(met.begin(), met.end(), true) == many);
        std::vector<std::int64_t> in_front(perm.begin(), perm.begin() + many / 4);
        check_even(in_front, [](std::int64_t v) { return v * 16 / many; });
        check_moments(moments_of(b), 0.75, 0.75 * 0.25);
        check_moments(moments_of(mask), 0.75, 0.75 * 0.25);
        check_moments(moments_of(dropped), 1, 0.75 * 0.25 / 0.5625);
        check_moments(moments_of(halved), 1, 3);
        for (std::size_t j = 0; j < many; ++j) check(dropped.elements()[j] == (mask.elements()[j] ? static_cast<float>(1 / 0.75) : 0.f));
        check_moments(moments_of(from_2_to_4), 3, 4. / 12);
        check(moments_of(from_2_to_4).least >= 2 && moments_of(from_2_to_4).most <= 4);
        check_moments(moments_of(around_3), 3, 0.25);
        check(moments_of(certain).least == 1, "probability 1");
    }
}

} // namespace

int main() {
    from_run_to_run();
    dead_calls();
    duplicates();
    weights_are_dropped_anew();
    draws_the_same<device::randomness::uniform, float>();
    draws_the_same<device::randomness::uniform, double>();
    draws_the_same<device::randomness::normal, float>();
    draws_the_same<device::randomness::normal, double>();
    draws_the_same<device::randomness::integers, std::int64_t>();
    distributions();
    return report();
}
