// SPDX-License-Identifier: MIT
// Whether buffers fit into a region of a given size: an exhaustive search that visits one placement of each kind.
// Each buffer is placed as low as those placed before it allow, and buffers are placed from the bottom up: of answers
// that differ only by buffers that could be lower, one is left, and if the search finds none there is none. Branches
// that cannot lead to an answer are cut off: a section whose floor plus unplaced bytes exceed the region, and a gap
// that could hold a buffer that is not placed yet. Where no unplaced buffer crosses from one section to the
// next, both sides are placed separately.
// Called by arena/offset_solver.hpp.
// Invariant: a run does not depend on those before it; the offsets are an answer if the last run found one.
#pragma once
#include <ahead/plan/arena/growing_stack.hpp>
#include <ahead/plan/arena/sections.hpp>

namespace AHEAD_NAMESPACE::detail {

/// How a search ended.
enum class search_end : std::uint8_t {
    found, // all buffers are placed
    none,  // they cannot be placed
    spent, // the steps are spent, and the result is unknown
};

/// Which buffer is tried first among those with the same lowest offset. Width: the number of tasks in the live range.
/// Section: the most bytes that one of its sections has to hold. Area: bytes times width. The largest comes first.
enum class search_order : std::uint8_t { width_area_section, section_area_width, section_width_area };

class canonical_search {
public:
    /// pre: buffers, neighbours and sections outlive this.
    constexpr canonical_search(array_view<const arena_buffer> buffers, const neighbours& beside,
                               const arena_sections& sections)
        : all_(buffers.data()), size_(static_cast<std::int32_t>(buffers.size())), sections_(sections.count),
          beside_(&beside), of_(sections.of.data()), latest_(sections.latest.data()), offset_(size_), lowest_(size_),
          tallest_(size_), is_placed_(size_), floor_(sections_), left_(sections_), crossing_(sections_),
          witness_(sections_), choices_(size_ + 2) {}

    constexpr std::int64_t offset_of(std::int32_t i) const { return offset_[i]; }

    /// steps: the most that may be taken; those taken are subtracted.
    constexpr search_end run(search_order order, std::int64_t capacity, std::int64_t& steps) {
        order_ = order;
        capacity_ = capacity;
        steps_ = steps;
        begin();
        const auto end = walk();
        steps = steps_;
        return end;
    }

private:
    /// A buffer, by its place in the list of its part, and the lowest offset that it can have.
    struct candidate {
        std::int64_t offset = 0;
        std::int32_t place = 0;
    };
    struct change {
        std::int32_t of = 0;
        std::int64_t from = 0;
    };
    /// One buffer to choose among those of a part; the rest of the part is placed after it.
    struct choice {
        std::int64_t list = 0;                 // where the part's buffers begin, those tried first in front
        std::int32_t size = 0;                 // the number of these buffers
        std::int32_t first = 0, behind = 0;    // sections
        std::int64_t candidates = 0, next = 0; // where they begin; the next one, after the current one
        std::int64_t lists = 0;                // sizes of the pools when it was chosen
        std::int64_t lows = 0, floors = 0;
        std::int32_t chosen = -1;
        std::int32_t part = 0; // the section where the next part of the rest begins
        bool is_last = false;  // no unplaced buffer is live at the same time: no other choice can do better
    };

    const arena_buffer* all_;
    std::int32_t size_, sections_;
    const neighbours* beside_;
    const section_span* of_;
    const std::int32_t* latest_;
    search_order order_{};
    std::int64_t capacity_ = 0, steps_ = 0;
    // By buffer.
    fixed_buffer<std::int64_t> offset_, lowest_; // its last offset; the lowest that the placed buffers allow
    fixed_buffer<std::int64_t> tallest_;         // what the tallest of its sections had to hold when its part began
    fixed_buffer<bool> is_placed_;
    // By section.
    fixed_buffer<std::int64_t> floor_, left_; // no buffer comes below the floor any more; bytes of unplaced buffers
    fixed_buffer<std::int32_t> crossing_;     // how many unplaced buffers reach into the next section
    fixed_buffer<std::int32_t> witness_;      // an unplaced buffer that could be on the floor when last checked
    // The choices made, and the state to restore when they are taken back.
    fixed_buffer<choice> choices_;
    growing_stack<std::int32_t> lists_;
    growing_stack<candidate> candidates_;
    growing_stack<change> lows_, floors_;
    std::int32_t failed_ = 0; // the section that last had too much to hold

    constexpr void begin() {
        lists_.size = candidates_.size = lows_.size = floors_.size = 0;
        failed_ = 0;
        for (std::int32_t s = 0; s < sections_; ++s) {
            floor_[s] = left_[s] = crossing_[s] = 0;
            witness_[s] = latest_[s];
        }
        for (std::int32_t i = 0; i < size_; ++i) {
            offset_[i] = lowest_[i] = 0;
            is_placed_[i] = all_[i].bytes == 0; // it shares no byte, wherever it is placed
            if (is_placed_[i]) continue;
            lists_.push(i);
            stay(i, 1);
        }
        choices_[0] = {.size = static_cast<std::int32_t>(lists_.size), .behind = sections_};
        choices_[0].lists = lists_.size;
    }
    /// A buffer is added to (1) or removed from (-1) those that are to be placed.
    constexpr void stay(std::int32_t i, std::int32_t sign) {
        const auto& span = of_[i];
        for (auto s = span.first; s < span.behind; ++s) left_[s] += sign * all_[i].bytes;
        for (auto s = span.first; s + 1 < span.reach; ++s) crossing_[s] += sign;
    }

    constexpr search_end walk() {
        std::int32_t at = 0;
        for (bool is_placed = true;;) { // false: the last choice was wrong
            if (steps_ <= 0) return search_end::spent;
            if (is_placed && choose_part(choices_[at], choices_[at + 1])) {
                ++at;
                is_placed = false;
            } else if (is_placed) { // no buffer is left to place
                if (at == 0) return search_end::found;
                take_back(choices_[at]);
                candidates_.size = choices_[at--].candidates;
                lists_.size = choices_[at].lists;
                continue;
            }
            if (at == 0) return search_end::none;
            if (place_next(choices_[at])) {
                is_placed = true;
                continue;
            }
            candidates_.size = choices_[at--].candidates;
            lists_.size = choices_[at].lists;
            if (at > 0) take_back(choices_[at]);
        }
    }

    /// The next part of the buffers that are left after a choice, as a choice of its own. False: none is left.
    constexpr bool choose_part(choice& from, choice& out) {
        while (from.part < from.behind) {
            const auto first = from.part;
            auto behind = first + 1;
            while (behind < from.behind && crossing_[behind - 1] > 0) ++behind;
            from.part = behind;
            steps_ -= behind - first;
            out = {};
            out.first = first;
            out.behind = behind;
            const bool is_whole = from.chosen >= 0 && first == from.first && behind == from.behind;
            if (is_whole) {
                out.list = from.list;
                out.size = from.size;
            } else {
                list_part(from, out);
            }
            const auto last = is_whole ? candidates_.all[from.next - 1] : candidate{};
            if (list_candidates(out, last)) return true;
        }
        return false;
    }
    /// Lists the buffers of the sections, those tried first in front.
    constexpr void list_part(const choice& from, choice& out) {
        out.list = lists_.size;
        for (std::int32_t k = 0; k < from.size; ++k) {
            const auto i = lists_.all[from.list + k];
            const auto& span = of_[i];
            if (is_placed_[i] || span.first < out.first || span.first >= out.behind) continue;
            lists_.push(i);
            tallest_[i] = 0;
            for (auto s = span.first; s < span.behind; ++s)
                if (tallest_[i] < left_[s]) tallest_[i] = left_[s];
            steps_ -= span.behind - span.first;
        }
        out.size = static_cast<std::int32_t>(lists_.size - out.list);
        steps_ -= from.size + 2 * out.size;
        heap_sort(lists_.all.data() + out.list, out.size,
                  [this](std::int32_t one, std::int32_t other) { return is_tried_before(one, other); });
    }
    constexpr std::int64_t width_of(std::int32_t i) const {
        return std::int64_t{all_[i].live.last} - all_[i].live.first + 1;
    }
    constexpr bool is_tried_before(std::int32_t one, std::int32_t other) const {
        const auto width = width_of(one) - width_of(other), tallest = tallest_[one] - tallest_[other];
        const auto area = width_of(one) * all_[one].bytes - width_of(other) * all_[other].bytes;
        if (order_ != search_order::width_area_section && tallest != 0) return tallest > 0;
        if (order_ != search_order::section_area_width && width != 0) return width > 0;
        if (area != 0) return area > 0;
        if (width != 0) return width > 0;
        return tallest != 0 ? tallest > 0 : one < other;
    }
    /// Lists the buffers that may come next in the part, the lowest first: not before the last one in the order of
    /// placement, and not so high that another one fits below. False: all are placed.
    constexpr bool list_candidates(choice& it, candidate last) {
        it.candidates = it.next = candidates_.size;
        const auto* list = lists_.all.data() + it.list;
        std::int64_t lowest_top = -1;
        for (std::int32_t k = 0; k < it.size; ++k) {
            const auto i = list[k];
            if (is_placed_[i]) continue;
            const auto low = lowest_[i];
            if (lowest_top < 0 || low + all_[i].bytes < lowest_top) lowest_top = low + all_[i].bytes;
            if (low > last.offset || (low == last.offset && k >= last.place)) candidates_.push({low, k});
        }
        steps_ -= it.size;
        auto* found = candidates_.all.data() + it.candidates;
        std::int64_t kept = 0;
        for (auto k = it.candidates; k < candidates_.size; ++k) {
            const auto one = candidates_.all[k];
            if (one.offset >= lowest_top) continue;
            auto to = kept++;
            for (; to > 0 && found[to - 1].offset > one.offset; --to) found[to] = found[to - 1];
            found[to] = one;
        }
        candidates_.size = it.candidates + kept;
        return lowest_top >= 0;
    }

    /// Places the next candidate that may lead to an answer. False: there is none, or the steps are spent.
    constexpr bool place_next(choice& it) {
        while (it.next < candidates_.size && !it.is_last) {
            const auto next = candidates_.all[it.next++];
            it.chosen = lists_.all[it.list + next.place];
            if (!has_room(it.chosen, next.offset)) continue;
            if (it.first <= failed_ && failed_ < it.behind && !leaves_room(failed_, it.chosen, next.offset)) continue;
            place(it, next.offset);
            if (may_succeed(it, next.offset)) return true;
            take_back(it);
            if (steps_ <= 0) return false;
        }
        return false;
    }
    constexpr bool has_room(std::int32_t i, std::int64_t offset) {
        const auto& span = of_[i];
        steps_ -= span.behind - span.first;
        for (auto s = span.first; s < span.behind; ++s)
            if (offset + left_[s] > capacity_) return false;
        return true;
    }
    /// Whether a section would have room for its unplaced buffers if buffer i were placed at `offset`.
    constexpr bool leaves_room(std::int32_t s, std::int32_t i, std::int64_t offset) {
        const auto& span = of_[i];
        const bool is_in = span.first <= s && s < span.behind;
        const auto bytes = all_[i].bytes, left = left_[s] - (is_in ? bytes : 0), highest = capacity_ - left;
        if (left == 0) return true;
        if ((is_in ? offset + bytes : offset) > highest) return false;
        const auto may_lie_low = [&](std::int32_t j) {
            if (is_placed_[j] || j == i || lowest_[j] > highest || of_[j].first > s || of_[j].behind <= s) return false;
            return offset + bytes <= highest || of_[j].first >= span.behind || of_[j].behind <= span.first;
        };
        const auto last = latest_[s];
        if (may_lie_low(witness_[s]) || may_lie_low(last)) return true;
        const auto *from = beside_->of(last), *to = beside_->of(last + 1);
        for (auto* other = from; other != to; ++other)
            if (may_lie_low(*other)) {
                steps_ -= other - from;
                return true;
            }
        steps_ -= to - from;
        return false;
    }
    constexpr void place(choice& it, std::int64_t offset) {
        const auto i = it.chosen;
        const auto& span = of_[i];
        const auto top = offset + all_[i].bytes;
        it.part = it.first;
        it.lists = lists_.size;
        it.lows = lows_.size;
        it.floors = floors_.size;
        offset_[i] = offset;
        is_placed_[i] = true;
        stay(i, -1);
        for (auto s = span.first; s < span.behind; ++s) raise_floor(s, top);
        const auto *from = beside_->of(i), *to = beside_->of(i + 1);
        bool is_last = true;
        for (auto* other = from; other != to; ++other) {
            if (is_placed_[*other]) continue;
            is_last = false;
            if (lowest_[*other] >= top) continue;
            lows_.push({*other, lowest_[*other]});
            lowest_[*other] = top;
        }
        it.is_last = is_last;
        steps_ -= to - from;
    }
    constexpr void raise_floor(std::int32_t s, std::int64_t floor) {
        floors_.push({s, floor_[s]});
        floor_[s] = floor;
    }
    /// Whether the unplaced bytes of each section fit above its floor, below which no unplaced buffer can be. Raises a
    /// floor up to the lowest offset that an unplaced buffer can have. offset: of the buffer that was placed last.
    constexpr bool may_succeed(const choice& it, std::int64_t offset) {
        steps_ -= it.behind - it.first;
        for (auto s = it.first; s < it.behind; ++s)
            if (!may_hold(s, offset)) {
                failed_ = s;
                return false;
            }
        return true;
    }
    constexpr bool may_hold(std::int32_t s, std::int64_t offset) {
        const auto left = left_[s];
        if (left == 0) return true;
        const auto seen = witness_[s];
        auto floor = floor_[s] < offset ? offset : floor_[s];
        if (is_placed_[seen] || lowest_[seen] > floor)
            if (const auto low = find_witness(s, floor); low > floor) raise_floor(s, floor = low);
        return floor + left <= capacity_;
    }
    /// The lowest offset that an unplaced buffer in the section can have, or one that is not above the floor.
    constexpr std::int64_t find_witness(std::int32_t s, std::int64_t floor) {
        auto best = latest_[s];
        bool is_found = !is_placed_[best];
        const auto *from = beside_->of(best), *to = beside_->of(best + 1);
        steps_ -= to - from;
        for (auto* other = from; other != to && !(is_found && lowest_[best] <= floor); ++other) {
            if (is_placed_[*other] || of_[*other].first > s || of_[*other].behind <= s) continue;
            if (is_found && lowest_[*other] >= lowest_[best]) continue;
            best = *other;
            is_found = true;
        }
        witness_[s] = best;
        return lowest_[best];
    }
    constexpr void take_back(choice& it) {
        is_placed_[it.chosen] = false;
        stay(it.chosen, 1);
        while (floors_.size > it.floors) {
            const auto& was = floors_.all[--floors_.size];
            floor_[was.of] = was.from;
        }
        while (lows_.size > it.lows) {
            const auto& was = lows_.all[--lows_.size];
            lowest_[was.of] = was.from;
        }
    }
};

} // namespace ahead::detail
