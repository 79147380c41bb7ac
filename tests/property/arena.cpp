// SPDX-License-Identifier: MIT
// The arena's solver on random buffers, of one order of tasks and of tasks on streams: nothing overlaps that is alive together, more effort never takes more
// bytes, and the same effort places the same. That it finds the least: of few buffers, where all orders are tried here, and of regions that were cut up without
// a byte left over. How near it comes to the most bytes alive at once otherwise.
#include <ahead/plan/arena/check_offsets.hpp>
#include <ahead/plan/arena/offset_solver.hpp>
#include <ahead/plan/arena/colocate_workspaces.hpp>

#include "../harness.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_equal;

namespace {

using buffers = std::vector<arena_buffer>;

/// Live at the same time: in an order of tasks; or, of buffers on streams of their own, all but those whose last task an event brings.
struct streams_apart {
    const arena_buffer* all;
    const std::int32_t* stream;
    std::int32_t lag; // tasks until another stream knows
    std::int32_t streams = 3;
    constexpr bool operator()(std::int32_t a, std::int32_t b) const { return is_before(a, b) || is_before(b, a); }
    constexpr bool is_over(std::int32_t a, std::int32_t b) const { return all[a].live.last + lag < all[b].live.first; }
    constexpr bool is_before(std::int32_t a, std::int32_t b) const { return all[a].live.last + (stream[a] == stream[b] ? 0 : lag) < all[b].live.first; }
};

int below(std::mt19937& random, int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }

buffers sorted(buffers all) {
    std::sort(all.begin(), all.end(), [](const arena_buffer& a, const arena_buffer& b) {
        return std::tie(a.live.first, a.live.last, a.bytes) < std::tie(b.live.first, b.live.last, b.bytes);
    });
    return all;
}
buffers random_buffers(std::mt19937& random, int count, int longest) {
    buffers out;
    for (int i = 0; i < count; ++i) {
        const auto first = below(random, count);
        out.push_back({{first, first + below(random, longest)}, 64 * (1 + below(random, 40)), 0});
    }
    return sorted(out);
}
/// So many bytes for so many tasks, cut into buffers until none is left to cut: the least region is known.
buffers cut_up(std::mt19937& random, arena_size bytes, task_number tasks, int cuts) {
    buffers out{{{0, tasks - 1}, bytes, 0}};
    for (int i = 0; i < cuts; ++i) {
        const auto which = static_cast<std::size_t>(below(random, static_cast<int>(out.size())));
        auto one = out[which], other = one;
        if (const auto units = static_cast<int>(one.bytes / 64), length = one.live.last - one.live.first + 1; below(random, 2) == 0 && length > 1) {
            one.live.last = one.live.first + below(random, length - 1);
            other.live.first = one.live.last + 1;
        } else if (units > 1) {
            one.bytes = 64 * (1 + below(random, units - 1));
            other.bytes -= one.bytes;
        } else {
            continue;
        }
        out[which] = one;
        out.push_back(other);
    }
    return sorted(out);
}

/// What the solver's own validator says, in other words.
template <class Apart> bool is_sound(const buffers& all, const Apart& apart, arena_size region) {
    arena_size highest = 0;
    for (std::size_t a = 0; a < all.size(); ++a) {
        highest = std::max(highest, all[a].offset + all[a].bytes);
        if (all[a].offset < 0) return false;
        for (std::size_t b = 0; b < a; ++b)
            if (!apart(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)) && all[a].offset < all[b].offset + all[b].bytes &&
                all[b].offset < all[a].offset + all[a].bytes)
                return false;
    }
    return highest == region;
}
/// The least of all orders, each buffer on top of all before it that are alive beside it.
template <class Apart> arena_size least_of_all_orders(const buffers& all, const Apart& apart) {
    std::vector<std::int32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<arena_size> top(all.size());
    arena_size least = -1;
    do {
        arena_size highest = 0;
        for (std::size_t k = 0; k < order.size(); ++k) {
            arena_size offset = 0;
            for (std::size_t n = 0; n < k; ++n)
                if (!apart(order[k], order[n])) offset = std::max(offset, top[static_cast<std::size_t>(order[n])]);
            const auto i = static_cast<std::size_t>(order[k]);
            highest = std::max(highest, top[i] = offset + all[i].bytes);
        }
        least = least < 0 ? highest : std::min(least, highest);
    } while (std::next_permutation(order.begin(), order.end()));
    return least;
}

/// The bytes with each effort.
template <class Apart> arena_size solve_with_all(const buffers& problem, buffers& made, const Apart& apart) {
    offset_answer best{-1, 0};
    for (const auto most : {effort{0}, effort{300}, effort::constant, effort{100'000}}) {
        made = problem;
        const auto answer = solve_offsets(made, apart, most);
        const auto region = answer.region;
        check(is_sound(made, apart, region) && check_offsets<Apart>(made, apart, region, 64) == offset_verdict::good);
        check((best.region < 0 || region <= best.region) && best.least <= answer.least && largest_live_set(made) <= answer.least && answer.least <= region);
        best = answer;
        check(check_offsets<Apart>(made, apart, region + 64) == offset_verdict::bad_region);
        const auto same = made;
        for (auto& moved : made) { // onto the region's begin: the validator says of it what is_sound says
            const auto offset = std::exchange(moved.offset, 0);
            check((check_offsets<Apart>(made, apart, region) == offset_verdict::good) == is_sound(made, apart, region));
            moved.offset = offset;
        }
        made = problem;
        check(solve_offsets(made, apart, most).region == region && std::equal(made.begin(), made.end(), same.begin(), [](const auto& a, const auto& b) { return a.offset == b.offset; }));
    }
    return best.region;
}

/// Workspaces, which one task has, are settled: nothing overlaps, and nothing else moves. How many end where their stream's last one did, before and afterwards.
std::pair<int, int> settle_random(std::mt19937& random, const std::vector<std::int32_t>& stream, int longest) {
    auto all = random_buffers(random, 60, longest);
    std::vector<std::int32_t> stream_of;
    for (std::size_t i = 0; i < all.size(); ++i) stream_of.push_back(all[i].live.first == all[i].live.last ? stream[i] : -1);
    const streams_apart apart{all.data(), stream.data(), 3};
    const auto region = solve_offsets(all, apart).region;
    const auto before = all;
    detail::workspace_settling(array_view<arena_buffer>(all), apart, stream_of.data(), region).run();
    check(is_sound(all, apart, region));
    std::pair<int, int> follow{};
    arena_size ends[2][3]{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (stream_of[i] < 0) {
            check_equal(all[i].offset, before[i].offset);
            continue;
        }
        const auto end_of = [&](const buffers& of) { return of[i].offset + of[i].bytes; };
        const auto s = static_cast<std::size_t>(stream_of[i]);
        follow.first += std::exchange(ends[0][s], end_of(before)) == end_of(before);
        follow.second += std::exchange(ends[1][s], end_of(all)) == end_of(all);
    }
    return follow;
}

/// In order of time the quick way places each buffer where the way for all streams does; zero bytes may lie anywhere.
struct in_time_as_streams : disjoint_lifetimes {};
void check_same_by_time(const buffers& problem) {
    auto quick = problem, slow = problem;
    const auto region = detail::greedy_by_start(array_view<arena_buffer>(quick), disjoint_lifetimes{quick.data()});
    check_equal(detail::greedy_by_start(array_view<arena_buffer>(slow), in_time_as_streams{{slow.data()}}), region);
    check(std::equal(quick.begin(), quick.end(), slow.begin(), [](const auto& a, const auto& b) { return a.offset == b.offset || a.bytes == 0; }));
}

/// Few buffers: the answer is the least there is, and known to be.
template <class Apart> int check_is_least(const buffers& problem, const Apart& apart) {
    auto made = problem;
    const auto answer = solve_offsets(made, apart, effort{50'000});
    const auto least = least_of_all_orders(problem, apart);
    check_equal(answer.region, least);
    check_equal(answer.least, least);
    check(is_sound(made, apart, answer.region));
    return largest_live_set(problem) < least;
}

void check_verdicts() {
    buffers two{{{0, 2}, 128, 0}, {{1, 3}, 64, 128}};
    const disjoint_lifetimes apart{two.data()};
    const auto verdict = [&](arena_size region, arena_size alignment = 64) { return check_offsets<disjoint_lifetimes>(two, apart, region, alignment); };
    check(verdict(192) == offset_verdict::good && verdict(128) == offset_verdict::bad_region && verdict(256) == offset_verdict::bad_region);
    check(verdict(192, 128) == offset_verdict::good && verdict(192, 256) == offset_verdict::bad_alignment);
    two[1].offset = 64;
    check(verdict(128) == offset_verdict::bad_overlap);
    check(print(verdict(128)) == "two buffers that are alive at the same time share a byte");
    two[1].offset = -64;
    check(verdict(128) == offset_verdict::bad_offset);
}

/// Zero bytes, none at all, and a capacity that will do or that is too small.
void check_corners() {
    buffers none;
    check(solve_offsets(none, effort{1'000}).region == 0);
    // Two pairs of two that no order of time places without a gap, and something without bytes among them.
    buffers gap{{{0, 0}, 64, 0}, {{0, 1}, 64, 0}, {{0, 3}, 0, 0}, {{1, 2}, 128, 0}, {{2, 3}, 64, 0}};
    const auto problem = gap;
    const auto answer = solve_offsets(gap, effort{10'000});
    check(answer.region == 192 && answer.least == 192 && is_sound(gap, disjoint_lifetimes{gap.data()}, 192));
    gap = problem;
    const auto enough = solve_offsets(gap, effort{10'000}, 1'024);
    check(enough.region <= 1'024 && enough.least == 192 && is_sound(gap, disjoint_lifetimes{gap.data()}, enough.region));
}


/// Four buffers of which order of time makes a gap that nothing fits into, placed while compiling.
constexpr offset_answer solve_four(effort most) {
    arena_buffer all[] = {{{2, 3}, 64, 0}, {{4, 4}, 64, 0}, {{4, 7}, 192, 0}, {{5, 6}, 128, 0}};
    return solve_offsets({all, 4}, most);
}
static_assert(solve_four(effort{0}).region == 384 && solve_four(effort{0}).least == 320);
static_assert(solve_four(effort::constant).region == 320);

/// The search alone, from nothing, while compiling and not: what fits into 320 bytes is found, and what does not fit is known not to.
constexpr detail::search_end search_four(arena_size capacity) {
    arena_buffer all[] = {{{2, 3}, 64, 0}, {{4, 4}, 64, 0}, {{4, 7}, 192, 0}, {{5, 6}, 128, 0}};
    detail::neighbours beside;
    std::int64_t steps = 1'000;
    if (!beside.find(4, disjoint_lifetimes{all}, steps)) return detail::search_end::spent;
    const detail::arena_sections sections({all, 4}, beside);
    detail::canonical_search ways({all, 4}, beside, sections);
    return ways.run(detail::search_order::section_area_width, capacity, steps);
}
static_assert(search_four(320) == detail::search_end::found && search_four(256) == detail::search_end::none);

} // namespace

int main() {
    check_verdicts();
    check_corners();
    std::mt19937 random(11);
    arena_size peak = 0, by_time = 0, live = 0;
    std::vector<std::int32_t> stream(64);
    for (int round = 0; round < 150; ++round) {
        const auto problem = random_buffers(random, 2 + below(random, 60), 2 + round % 20);
        buffers made = problem;
        check_same_by_time(problem);
        by_time += solve_offsets(made, effort{0}).region;
        live += largest_live_set(problem);
        peak += solve_with_all(problem, made, disjoint_lifetimes{made.data()});
        for (auto& s : stream) s = below(random, 3);
        static_cast<void>(solve_with_all(problem, made, streams_apart{problem.data(), stream.data(), 3}));
    }
    std::cout << "over the most bytes alive: by time " << static_cast<double>(by_time) / static_cast<double>(live) << ", with effort " << static_cast<double>(peak) / static_cast<double>(live) << '\n';
    check(peak * 1000 <= live * 1020);
    std::mt19937 others(12);
    std::pair<int, int> follow{};
    for (int round = 0; round < 200; ++round) {
        const auto more = settle_random(others, stream, 1 + round % 3);
        follow.first += more.first, follow.second += more.second;
    }
    std::cout << follow.first << " workspaces follow one of their stream, " << follow.second << " settled\n";
    check(follow.second > 4 * follow.first);
    int over = 0;
    for (int round = 0; round < 300; ++round) {
        auto problem = random_buffers(random, 3 + below(random, 5), 2 + round % 6);
        if (round % 3 == 0) problem[problem.size() / 2].bytes = 0;
        check_same_by_time(problem);
        for (auto& s : stream) s = below(random, 2);
        over += check_is_least(problem, disjoint_lifetimes{problem.data()});
        over += check_is_least(problem, streams_apart{problem.data(), stream.data(), 2});
    }
    std::cout << over << " of 600 need more than the most bytes alive\n";
    check(over > 10);
    for (int round = 0; round < 60; ++round) {
        auto all = cut_up(random, 64 * 1024, 256, 40 + round);
        const auto problem = all;
        const auto answer = solve_offsets(all, effort{1'000'000});
        check_equal(answer.region, 64 * 1024);
        check(check_offsets<disjoint_lifetimes>(all, disjoint_lifetimes{all.data()}, answer.region, 64) == offset_verdict::good);
        all = problem;
        const auto larger = solve_offsets(all, effort{1'000'000}, 66 * 1024);
        check(larger.region <= 66 * 1024 && larger.least == 64 * 1024 && is_sound(all, disjoint_lifetimes{all.data()}, larger.region));
    }
    // Many that live for ever, and many that nothing else lives beside: no step of it is as many as their pairs.
    for (const int longest : {1, 30'000}) {
        auto many = random_buffers(random, 20'000, longest);
        const auto bytes = solve_offsets(many, effort::constant).region;
        check(bytes >= largest_live_set(many));
    }
    return test::report();
}
