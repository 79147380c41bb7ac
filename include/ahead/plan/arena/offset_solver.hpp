// SPDX-License-Identifier: MIT
// Offset assignment: gives the buffers of one region offsets, so that those that are live at the same time do not
// overlap.
// Called by plan/phase/assign_offsets.hpp, once per region. Buffers are placed by time; if the result is not the least
// possible, two searches alternate, for longer each time, until the effort is spent: one finds good answers quickly,
// the other finds the least, or proves that there is none of a given size.
// Invariant: the answer is never larger than that by time, and more effort only continues where less has ended.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/plan/arena/greedy_by_start.hpp>
#include <ahead/plan/arena/canonical_search.hpp>
#include <ahead/plan/arena/order_search.hpp>

namespace AHEAD_NAMESPACE::plan {

/// The result of solve_offsets.
struct offset_answer {
    arena_size region = 0; // the size that the buffers need
    arena_size least = 0;  // no answer needs less: the largest live set, or more if all smaller regions were tried
};

} // namespace ahead::plan
namespace AHEAD_NAMESPACE::detail {

/// The solution of one region in progress. Apart: as disjoint_lifetimes.
template <class Apart> class offset_solver {
public:
    constexpr offset_solver(array_view<arena_buffer> buffers, const Apart& apart, effort most, arena_size capacity)
        : all_(buffers), apart_(apart), most_(static_cast<std::int64_t>(most)), capacity_(capacity) {
        if (most_ > largest) most_ = largest;
    }

    constexpr offset_answer run() {
        const array_view<const arena_buffer> buffers{all_.data(), all_.size()};
        least_ = largest_live_set(buffers);
        peak_ = greedy_by_start(all_, apart_);
        auto steps = most_;
        if (is_enough() || !beside_.find(static_cast<std::int32_t>(all_.size()), apart_, steps)) return {peak_, least_};
        const auto found = most_ - steps;
        looks_ = looks_per_step * (steps + most_ / 4);
        best_ = fixed_buffer<arena_size>(static_cast<std::int64_t>(all_.size()));
        for (std::size_t i = 0; i < all_.size(); ++i) best_[static_cast<std::int64_t>(i)] = all_.data()[i].offset;
        order_search orders(buffers, beside_, best_.data());
        take_turn(orders, first_turn - found);
        if (!is_done()) search(orders);
        auto* best = best_.data();
        for (auto& it : all_) it.offset = *best++;
        return {peak_, least_};
    }

private:
    static constexpr std::int64_t looks_per_step = 16; // canonical search steps in the time of one order search step
    static constexpr std::int64_t largest = std::int64_t{1} << 50; // more effort has no effect
    static constexpr std::int64_t first_turn = static_cast<std::int64_t>(effort::constant);

    array_view<arena_buffer> all_;
    const Apart& apart_;
    std::int64_t most_, looks_ = 0;
    arena_size capacity_, least_ = 0, peak_ = 0;
    fixed_buffer<arena_size> best_; // offsets
    neighbours beside_;

    constexpr arena_size enough() const { return least_ < capacity_ ? capacity_ : least_; }
    constexpr bool is_enough() const { return peak_ <= enough(); }
    constexpr bool is_done() const { return is_enough() || looks_ <= 0; }

    constexpr void take_turn(order_search& orders, std::int64_t most) {
        const auto given = most < looks_ / looks_per_step ? most : looks_ / looks_per_step;
        auto steps = given;
        orders.run(peak_, enough(), steps);
        looks_ -= looks_per_step * (given - steps);
    }
    constexpr void search(order_search& orders) {
        const array_view<const arena_buffer> buffers{all_.data(), all_.size()};
        const arena_sections sections(buffers, beside_);
        canonical_search ways(buffers, beside_, sections);
        arena_size unit = 0; // of all offsets: the greatest common divisor of all sizes
        for (const auto& it : buffers)
            for (auto other = it.bytes; other != 0;) other = std::exchange(unit, other) % other;
        // A multiple of what a descent without a wrong choice takes; for few buffers, enough for all placements.
        auto most = 8 * static_cast<std::int64_t>(all_.size()) * (sections.count + 16);
        if (most < 8 * first_turn) most = 8 * first_turn;
        for (std::int64_t turn = 1; !is_done(); turn *= 2) {
            if (turn > 1) take_turn(orders, turn * first_turn);
            narrow(ways, turn * most, unit);
        }
    }
    /// Aims at what is enough, then half as far below the best answer, and so on, until one is found. most: steps of
    /// the canonical search for one order at the first aim; an eighth of them at each later aim.
    constexpr void narrow(canonical_search& ways, std::int64_t most, arena_size unit) {
        auto below = peak_ - enough();
        for (bool is_first = true; !is_done() && below > 0; is_first = false) {
            const auto aim = peak_ - below;
            const auto end = try_orders(ways, aim, is_first ? most : most / 8);
            if (end == search_end::none) least_ = aim + unit;
            if (end == search_end::spent || below > peak_ - enough()) below /= 2;
            else if (end == search_end::found) below = (peak_ - enough()) / 2;
            below = below / unit * unit;
        }
    }
    constexpr search_end try_orders(canonical_search& ways, arena_size aim, std::int64_t most) {
        constexpr search_order all[] = {search_order::width_area_section, search_order::section_area_width,
                                        search_order::section_width_area};
        for (const auto order : all) {
            const auto given = most < looks_ ? most : looks_;
            auto left = given;
            const auto end = ways.run(order, aim, left);
            looks_ -= given - left;
            if (end == search_end::found) {
                peak_ = 0;
                const auto* it = all_.data();
                for (std::int32_t i = 0; i < static_cast<std::int32_t>(all_.size()); ++i, ++it) {
                    best_[i] = ways.offset_of(i);
                    if (peak_ < best_[i] + it->bytes) peak_ = best_[i] + it->bytes;
                }
            }
            if (end != search_end::spent || looks_ <= 0) return end;
        }
        return search_end::spent;
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::plan {

/// Apart: as disjoint_lifetimes. capacity: the first answer that fits is accepted; 0: the smallest is searched for.
/// pre: sorted by the first task. post: check_offsets finds nothing wrong with the answer.
template <class Apart>
constexpr offset_answer solve_offsets(array_view<arena_buffer> all, const Apart& apart, effort most = effort::constant,
                                      arena_size capacity = 0) {
    return detail::offset_solver<Apart>(all, apart, most, capacity).run();
}
/// The same for one order of tasks.
constexpr offset_answer solve_offsets(array_view<arena_buffer> all, effort most = effort::constant,
                                      arena_size capacity = 0) {
    return solve_offsets(all, disjoint_lifetimes{all.data()}, most, capacity);
}

} // namespace ahead::plan
