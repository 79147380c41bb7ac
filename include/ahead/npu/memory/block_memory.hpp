// SPDX-License-Identifier: MIT
// The device's memory, allocated in blocks: pools own segments of it, tensors hold blocks of a pool. First fit by
// address, so that the same calls give the same addresses. A pool exists while a graph or its owner uses it; after
// that each segment is released once it holds no tensors.
// Invariant: a block is given to a stream only if all earlier uses of its bytes are known to have happened before; to a
// capture, if all uses in that capture are: its replays must be ordered after all other uses. Called by npu/context/.
#pragma once
#include <ahead/core/aligned_memory.hpp>
#include <ahead/npu/memory/block_list.hpp>
#include <algorithm>
#include <span>

namespace AHEAD_NAMESPACE::npu {

class block_memory {
public:
    block_memory(std::int64_t bytes, std::int64_t alignment)
        : memory_(static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment)), bytes_(bytes),
          alignment_(alignment), blocks_(bytes) {
        pools_.emplace_back().users = 1;
    }

    std::byte* address(std::int32_t b) const { return memory_.get() + blocks_[b].offset; }
    block& operator[](std::int32_t b) { return blocks_[b]; }
    const block& operator[](std::int32_t b) const { return blocks_[b]; }
    std::int32_t first() const { return blocks_.first(); } // by address; each block links to the next
    const std::vector<pool_state>& pools() const { return pools_; }
    pool_state& pool(std::int32_t row) { return pools_[at(row)]; }
    const pool_state& pool(std::int32_t row) const { return pools_[at(row)]; }
    std::int64_t bytes() const { return bytes_; }
    std::int64_t unreserved() const {
        std::int64_t sum = 0;
        for (auto b = first(); b >= 0; b = blocks_[b].behind)
            if (blocks_[b].pool < 0) sum += blocks_[b].bytes;
        return sum;
    }

    /// -1: not found.
    std::int32_t find_pool(mempool_id id) const {
        for (std::size_t p = 0; p < pools_.size(); ++p)
            if (pools_[p].is_there && pools_[p].id == id) return static_cast<std::int32_t>(p);
        return -1;
    }
    /// The new pool has one user.
    std::int32_t make_pool(mempool_id id) {
        for (std::size_t p = 0; p < pools_.size(); ++p)
            if (!pools_[p].is_there) {
                pools_[p] = {id, 1, id.by_user != 0, true, 0, 0, pools_[p].changes, {}};
                return static_cast<std::int32_t>(p);
            }
        pools_.push_back({id, 1, id.by_user != 0, true, 0, 0, 0, {}});
        blocks_.reserve_pools(pools_.size());
        return static_cast<std::int32_t>(pools_.size()) - 1;
    }
    void use(std::int32_t pool) { ++pools_[at(pool)].users; }
    void leave(std::int32_t pool) {
        --pools_[at(pool)].users;
        tidy(pool);
    }

    /// A block of at least `bytes` whose uses are all in the writer's history, with one holder; -1 if there is none.
    std::int32_t take(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing,
                      bool may_reserve = true) {
        const auto wanted = rounded(bytes, alignment_);
        const auto found =
            may_reserve ? find_or_reserve(pool, wanted, who, capturing) : find_run(pool, wanted, who, capturing);
        if (found < 0) return -1;
        blocks_.cut(found, wanted);
        hand_out(found);
        return found;
    }
    /// Takes these bytes of a segment as one block with one holder. Their uses stay recorded. pre: none of them is
    /// held.
    std::int32_t take_at(std::int64_t offset, std::int64_t bytes, std::int32_t likely = -1) {
        auto found = likely;
        if (!blocks_.is_exactly(likely, offset, bytes)) {
            for (found = first(); blocks_[found].offset + blocks_[found].bytes <= offset;)
                found = blocks_[found].behind;
            if (const auto ahead_of_it = offset - blocks_[found].offset; ahead_of_it > 0) {
                blocks_.cut(found, ahead_of_it);
                found = blocks_[found].behind;
            }
            blocks_.cut(found, bytes);
        }
        hand_out(found);
        return found;
    }
    /// Ensures that a capture finds `bytes` bytes of the pool in one piece; false if the device does not have them.
    bool provide(std::int32_t pool, std::int64_t bytes) {
        return find_or_reserve(pool, rounded(bytes, alignment_), {}, true) >= 0;
    }
    /// The first held block that overlaps these bytes; -1: none. likely: a block that may have exactly these bytes.
    std::int32_t holder_of(std::int64_t offset, std::int64_t bytes, std::int32_t likely = -1) const {
        return blocks_.holder_of(offset, bytes, likely);
    }
    /// Reserves room for `count` more blocks.
    void reserve_blocks(std::size_t count) { blocks_.reserve_blocks(count); }
    void hold(std::int32_t b) { ++blocks_[b].holders; }
    void drop(std::int32_t b) {
        auto& mine = blocks_[b];
        if (--mine.holders > 0) return;
        mine.graph = 0;
        auto& pool = pools_[at(mine.pool)];
        pool.held -= mine.bytes;
        ++pool.changes;
        blocks_.insert_free(b);
        if (pool.users == 0) tidy(mine.pool);
    }
    /// Splits a block into the parts that hold these outputs, and drops the rest; outputs that share bytes, or an
    /// aligned piece, share a block, which each of them holds. All parts inherit the uses of the block. pre: one
    /// holder; reserve_blocks(2 * outputs)
    void keep(std::int32_t b, std::span<launch_output> outputs) {
        const auto base = blocks_[b].offset;
        const auto begin_of = [&](const launch_output& o) { return base + o.begin / alignment_ * alignment_; };
        const auto end_of = [&](const launch_output& o) { return base + rounded(o.end, alignment_); };
        while (true) {
            const auto here = blocks_[b].offset;
            std::int64_t begin = here + blocks_[b].bytes; // start of the next part that is kept
            for (const auto& o : outputs)
                if (end_of(o) > here) begin = std::max(here, std::min(begin, begin_of(o)));
            if (begin == here + blocks_[b].bytes) return drop(b); // no outputs in the rest
            if (begin > here) {
                const auto kept = blocks_.part(b, begin - here);
                drop(b);
                b = kept;
            }
            auto end = begin;
            for (std::size_t i = 0; i < outputs.size(); ++i) // at most this many rounds are needed
                for (const auto& o : outputs)
                    if (begin_of(o) < std::max(end, begin + 1) && end_of(o) > begin) end = std::max(end, end_of(o));
            const bool is_last = end == begin + blocks_[b].bytes;
            const auto rest = is_last ? -1 : blocks_.part(b, end - begin);
            std::int32_t holders = 0;
            for (auto& o : outputs)
                if (begin_of(o) >= begin && begin_of(o) < end) o.block = b, ++holders;
            blocks_[b].holders = holders;
            if (is_last) return;
            b = rest;
        }
    }
    /// Undoes a take, made when there were `segments` segments. pre: one holder
    void undo_take(std::int32_t b, std::int32_t segments) {
        const auto pool = blocks_[b].pool;
        drop(b);
        give_back(pool, segments);
    }
    std::int32_t segments() const { return segments_; } // number made so far
    /// Returns a pool's segments without held blocks to the device: those from number `since` on.
    void give_back(std::int32_t pool, std::int32_t since = 0) {
        for (auto b = first(); b >= 0;) {
            const auto segment = blocks_[b].segment;
            const auto begin = b;
            bool is_free = blocks_[b].pool == pool;
            for (; b >= 0 && blocks_[b].segment == segment; b = blocks_[b].behind)
                is_free = is_free && blocks_[b].holders == 0;
            if (!is_free || segment < since) continue;
            blocks_.join(begin, [&](const block& next) { return next.segment == segment; });
            auto& mine = blocks_[begin];
            pools_[at(pool)].reserved -= mine.bytes;
            blocks_.erase_free(begin);
            mine.pool = mine.segment = -1;
            blocks_.insert_free(begin);
        }
    }

private:
    static constexpr std::int64_t segment_bytes = 64 * 1024;

    aligned_memory memory_;
    std::int64_t bytes_, alignment_;
    block_list blocks_;
    std::vector<pool_state> pools_;
    std::int32_t segments_ = 0;

    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
    static std::int64_t rounded(std::int64_t bytes, std::int64_t to) {
        return (std::max<std::int64_t>(bytes, 1) + to - 1) / to * to;
    }
    /// Like block_list::find_run; outside a capture, only if the last replay in the pool is known to be done.
    std::int32_t find_run(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing) const {
        if (pool >= 0 && !capturing && !who.knows(pools_[at(pool)].last_replay))
            return -1; // graphs compute in all of it
        return blocks_.find_run(pool, bytes, who, capturing);
    }
    /// A new segment, as one free block; -1 if it does not fit.
    std::int32_t reserve(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing) {
        const auto found = find_run(-1, bytes, who, capturing);
        if (found < 0) return -1;
        blocks_.cut(found, bytes);
        blocks_.erase_free(found);
        auto& b = blocks_[found];
        b.pool = pool;
        b.segment = segments_++;
        blocks_.insert_free(found);
        pools_[at(pool)].reserved += bytes;
        return found;
    }
    std::int32_t find_or_reserve(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing) {
        auto found = find_run(pool, bytes, who, capturing);
        if (found < 0) found = reserve(pool, rounded(bytes, segment_bytes), who, capturing);
        if (found < 0) found = reserve(pool, bytes, who, capturing);
        return found;
    }
    /// Gives the block its first holder. The recorded uses stay: a later owner of it, or of the rest, may not know of
    /// them.
    void hand_out(std::int32_t block) {
        blocks_.erase_free(block);
        auto& b = blocks_[block];
        b.holders = 1;
        b.has_value = false;
        b.updates = 0;
        pools_[at(b.pool)].held += b.bytes;
        ++pools_[at(b.pool)].changes;
    }
    void tidy(std::int32_t pool) {
        auto& p = pools_[at(pool)];
        if (p.users > 0) return;
        give_back(pool);
        if (p.reserved == 0) p.is_there = false;
    }
};

} // namespace ahead::npu
