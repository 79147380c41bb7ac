// SPDX-License-Identifier: MIT
// The arena's solver on random buffers, of one order of tasks and of tasks on streams: nothing overlaps that is alive together, more effort never takes more
// bytes, and the same effort places the same. How near it comes to the most bytes alive at once.
#include <ahead/plan/arena/check_offsets.hpp>
#include <ahead/plan/arena/offset_solver.hpp>

#include "../harness.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

using namespace ahead;
using test::check;

namespace {

/// Live at the same time: in an order of tasks; or, of buffers on streams of their own, all but those whose last task an event brings.
struct streams_apart {
    const arena_buffer* all;
    const std::int32_t* stream;
    std::int32_t lag; // tasks until another stream knows
    constexpr bool operator()(std::int32_t a, std::int32_t b) const { return is_before(a, b) || is_before(b, a); }
    constexpr bool is_over(std::int32_t a, std::int32_t b) const { return all[a].live.last + lag < all[b].live.first; }
    constexpr bool is_before(std::int32_t a, std::int32_t b) const { return all[a].live.last + (stream[a] == stream[b] ? 0 : lag) < all[b].live.first; }
};

std::vector<arena_buffer> random_buffers(std::mt19937& random, int count, int longest) {
    std::vector<arena_buffer> out;
    for (int i = 0; i < count; ++i) {
        const auto first = static_cast<std::int32_t>(random() % static_cast<unsigned>(count));
        out.push_back({{first, first + static_cast<std::int32_t>(random() % static_cast<unsigned>(longest))}, 64 * (1 + static_cast<std::int64_t>(random() % 40)), 0});
    }
    std::sort(out.begin(), out.end(), [](const arena_buffer& a, const arena_buffer& b) { return a.live.first < b.live.first; });
    return out;
}

template <class Apart> bool is_sound(const std::vector<arena_buffer>& all, const Apart& apart, std::int64_t peak) {
    std::int64_t highest = 0;
    for (std::size_t a = 0; a < all.size(); ++a) {
        highest = std::max(highest, all[a].offset + all[a].bytes);
        for (std::size_t b = 0; b < a; ++b)
            if (!apart(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)) && all[a].offset < all[b].offset + all[b].bytes &&
                all[b].offset < all[a].offset + all[a].bytes)
                return false;
    }
    return highest == peak && peak >= largest_live_set(all);
}

/// The bytes with each effort.
template <class Apart> std::int64_t solve_with_all(const std::vector<arena_buffer>& buffers, std::vector<arena_buffer>& made, const Apart& apart) {
    std::int64_t least = -1;
    for (const auto most : {effort{0}, effort{300}, effort::constant, effort{100'000}}) {
        made = buffers;
        const auto peak = solve_offsets(made, apart, most);
        check(is_sound(made, apart, peak) && check_offsets<Apart>(made, apart, peak) && (least < 0 || peak <= least));
        least = peak;
        check(!check_offsets<Apart>(made, apart, peak + 64));
        const auto same = made;
        for (auto& moved : made) { // onto the region's begin: the validator says of it what is_sound says
            const auto offset = std::exchange(moved.offset, 0);
            check(check_offsets<Apart>(made, apart, peak) == is_sound(made, apart, peak));
            moved.offset = offset;
        }
        made = buffers;
        check(solve_offsets(made, apart, most) == peak && std::equal(made.begin(), made.end(), same.begin(), [](const auto& a, const auto& b) { return a.offset == b.offset; }));
    }
    return least;
}

} // namespace

int main() {
    std::mt19937 random(11);
    std::int64_t peak = 0, by_time = 0, live = 0;
    for (int round = 0; round < 150; ++round) {
        const auto buffers = random_buffers(random, 2 + static_cast<int>(random() % 60), 2 + round % 20);
        std::vector<arena_buffer> made = buffers;
        by_time += solve_offsets(made, effort{0});
        live += largest_live_set(buffers);
        peak += solve_with_all(buffers, made, apart_in_time{made.data()});
        std::vector<std::int32_t> stream(buffers.size());
        for (auto& s : stream) s = static_cast<std::int32_t>(random() % 3);
        static_cast<void>(solve_with_all(buffers, made, streams_apart{buffers.data(), stream.data(), 3}));
    }
    std::cout << "over the most bytes alive: by time " << static_cast<double>(by_time) / static_cast<double>(live) << ", with effort " << static_cast<double>(peak) / static_cast<double>(live) << '\n';
    check(peak * 1000 <= live * 1020);
    // Many that live for ever, and many that nothing else lives beside: no step of it is as many as their pairs.
    for (const int longest : {1, 30'000}) {
        auto many = random_buffers(random, 20'000, longest);
        const auto bytes = solve_offsets(many, effort::constant);
        check(bytes >= largest_live_set(many));
    }
    return test::report();
}
