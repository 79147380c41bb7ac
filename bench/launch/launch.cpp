// SPDX-License-Identifier: MIT
// What a launch and a replay cost the host, each beside the same without what makes it dear, in the same run: TSV, a row
// a case.
//     ahead_bench_launch
// Exit code 1 where a launch among 30,000 live tensors takes more than 1.5 times as long as among 10, one while another
// thread synchronises more than 3 times as long as alone, two chains of eight products of 512 x 512, captured on two
// streams, are replayed less than 1.7 times as fast as on one, or one of ten million replays, each behind an update of a
// host parameter, or of a hundred thousand on threads, gives another result than it asks for, or allocates. The last
// row's first time is that of a replay with nothing new.
#include "counted_allocations.hpp"
#include "run/timing.hpp"

#include <ahead/ahead.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

using namespace ahead;
using namespace ahead::rooms;
using row = f32<64>;
using square = f32<512, 512>;

using bench::median;

/// Nanoseconds of one of `count` calls of f.
double time_of(std::size_t count, auto f) { return bench::detail::nanoseconds(f, count) / static_cast<double>(count); }
/// The median over rounds of b over a, measured in turns.
double ratio(int rounds, auto a, auto b, double& first) {
    std::vector<double> ratios, firsts;
    for (int i = 0; i < rounds; ++i) {
        const auto x = a(), y = b();
        firsts.push_back(x);
        ratios.push_back(y / x);
    }
    first = median(firsts);
    return median(ratios);
}

class launches {
public:
    explicit launches(int live, npu::execution how) : npu_({.memory_bytes = 128 << 20, .run = how}) {
        const std::vector<float> ones(64, 1.0f);
        x_ = npu_.to_device<row>(std::span<const float, 64>(ones.data(), 64));
        for (int i = 0; i < live; ++i) held_.push_back(launch());
        side_.synchronize();
    }
    double operator()() {
        const auto each = time_of(200, [&] { static_cast<void>(launch()); });
        side_.synchronize();
        return each;
    }
    npu::context& device() { return npu_; }

private:
    npu::tensor<row> launch() {
        return side_.launch([](auto a) { return add(a, 1); }, x_);
    }
    npu::context npu_;
    npu::stream side_ = npu_.new_stream();
    npu::tensor<row> x_;
    std::vector<npu::tensor<row>> held_;
};

/// Another thread, which launches what takes a millisecond or so and waits for it, again and again while it is asked to.
class synchronising {
public:
    explicit synchronising(npu::context& npu) : npu_(npu) {
        const std::vector<float> ones(512 * 512, 1.0f);
        a_ = npu_.to_device<square>(std::span<const float, 512 * 512>(ones.data(), 512 * 512));
        other_ = std::thread([this] {
            while (!is_over_)
                if (is_wanted_) {
                    static_cast<void>(work_.launch([](auto a) { return mm(a, a); }, a_));
                    work_.synchronize();
                } else std::this_thread::yield();
        });
    }
    ~synchronising() {
        is_over_ = true;
        other_.join();
    }
    void want(bool it) { is_wanted_ = it; }

private:
    npu::context& npu_;
    npu::stream work_ = npu_.new_stream();
    npu::tensor<square> a_;
    std::atomic<bool> is_wanted_{false}, is_over_{false};
    std::thread other_;
};

constexpr auto product = [](auto a, auto b) { return mm(a, b); };

/// Two chains of eight products, captured on one stream or on two, and replayed.
class chains {
public:
    explicit chains(bool apart) {
        const std::vector<float> some(512 * 512, 0.001f);
        const std::span<const float, 512 * 512> all(some.data(), some.size());
        const auto a = npu_.to_device<square>(all), x = npu_.to_device<square>(all), y = npu_.to_device<square>(all);
        const auto& second = apart ? other_ : side_;
        npu::event fork, join;
        npu::capture c(graph_, side_);
        if (apart) c.record(fork), other_.wait(fork);
        x_ = c.launch(product, x, a), y_ = second.launch(product, y, a);
        for (int i = 1; i < 8; ++i) x_ = c.launch(product, x_, a), y_ = second.launch(product, y_, a);
        if (apart) join.record(other_), c.wait(join);
        c.end();
    }
    double operator()() {
        return time_of(3, [&] {
            graph_.replay(side_);
            side_.synchronize();
        });
    }

private:
    npu::context npu_{{.memory_bytes = 128 << 20, .run = npu::execution::threads}};
    npu::stream side_ = npu_.new_stream(), other_ = npu_.new_stream();
    npu::graph graph_{npu_};
    npu::tensor<square> x_, y_;
};

/// A captured graph with a host parameter that is updated before each replay.
class updated {
public:
    explicit updated(npu::execution how) : npu_({.memory_bytes = 1 << 20, .run = how}) {
        const std::array<float, 64> ones{};
        const auto x = npu_.to_device<row>(ones);
        npu::capture c(graph_, side_);
        y_ = c.launch([](auto a, auto by) { return add(mul(a, 2), by); }, x, by_);
        c.end();
    }
    void replay() { graph_.replay(side_); }
    void update_and_replay(float by) {
        by_.update(by);
        replay();
    }
    /// Whether the last replay gave what the parameter asked for.
    bool gave(float by) const {
        const auto y = y_.copy();
        return y[0] == by && y[63] == by;
    }

private:
    npu::context npu_;
    npu::stream side_ = npu_.new_stream();
    npu::graph graph_{npu_};
    npu::host_parameter<f32<1>> by_{npu_, 0.0f};
    npu::tensor<row> y_;
};

} // namespace

int main() {
    bool ok = true;
    std::puts("case\tfirst_ns\tratio\tlimit");
    const auto print = [&](const char* name, double first, double found, double limit, bool at_least = false) {
        std::printf("%s\t%.0f\t%.3f\t%s%.1f\n", name, first, found, at_least ? "at least " : "at most ", limit);
        std::fflush(stdout);
        ok = ok && (at_least ? found >= limit : found <= limit);
    };
    double first = 0;
    for (const auto how : {npu::execution::in_order, npu::execution::threads}) {
        const bool runtime::on_threads = how == npu::execution::threads;
        launches few(10, how), many(30'000, how);
        const auto among = ratio(60, [&] { return few(); }, [&] { return many(); }, first);
        print(runtime::on_threads ? "live_30000_threads" : "live_30000", first, among, 1.5);
    }
    {
        launches alone(10, npu::execution::threads);
        synchronising other(alone.device());
        const auto beside = ratio(
            60,
            [&] {
                other.want(false);
                std::this_thread::sleep_for(std::chrono::milliseconds(5)); // it ends what it is at
                return alone();
            },
            [&] {
                other.want(true);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                return alone();
            },
            first);
        print("beside_synchronize", first, beside, 3);
    }
    {
        chains one(false), two(true);
        const auto slower = ratio(15, [&] { return two(); }, [&] { return one(); }, first);
        print("replay_on_two_streams", first, slower, 1.7, true);
    }
    {
        updated one(npu::execution::in_order), queued(npu::execution::threads);
        for (auto* both : {&one, &queued}) // what they remember from then on takes its room
            for (int i = 0; i < 4; ++i) both->update_and_replay(0), static_cast<void>(both->gave(0));
        const auto alone = time_of(100'000, [&] { one.replay(); });
        const auto before = test::allocations.load();
        int i = 0;
        long wrong = 0;
        const auto each = time_of(10'000'000, [&] {
            const auto by = static_cast<float>(++i % 1'000'003);
            one.update_and_replay(by);
            wrong += !one.gave(by);
        });
        print("replays_updated", alone, each / alone, 5);
        // On threads the host runs ahead, and looks at one in a thousand.
        for (i = 1; i <= 100'000; ++i) {
            queued.update_and_replay(static_cast<float>(i));
            if (i % 1000 == 0) wrong += !queued.gave(static_cast<float>(i));
        }
        const auto allocated = test::allocations.load() - before;
        std::printf("of 10,100,000 updated replays %ld were wrong, and allocated %ld times\n", wrong, allocated);
        ok = ok && wrong == 0 && allocated == 0;
    }
    return ok ? 0 : 1;
}
