// SPDX-License-Identifier: MIT
// The device's memory, given out in blocks: pools own segments of it, tensors hold blocks of a pool. First fit by
// address, so the same calls give the same addresses. A pool is there while a graph, or whoever made it, uses it; its
// segments go back once no tensor is left in them.
// Invariant: a block is given to a stream only if everything that used its bytes before is known to have happened
// before; to a capture, if everything in that capture is: what else used them, its replays must come behind. Called by
// npu/context.hpp.
#pragma once
#include <ahead/core/aligned_memory.hpp>
#include <ahead/npu/free_blocks.hpp>
#include <ahead/npu/history.hpp>
#include <algorithm>
#include <span>

namespace AHEAD_NAMESPACE::npu {

/// A pool's name, as torch.npu has it: (n, 0) was made by a capture, (0, n) by graph_pool_handle(); (0, 0) is the pool
/// of what is launched eagerly.
struct mempool_id {
    std::uint64_t by_capture = 0;
    std::uint64_t by_user = 0;
    friend bool operator==(const mempool_id&, const mempool_id&) = default;
};

/// Who used some bytes, since they were written last.
struct accesses {
    moment written;
    std::vector<moment> read; // one per stream

    /// The first use that `who` does not know of, among those that a reader, or a writer, must come behind.
    const moment* unordered(const history& who, bool writing) const {
        if (!who.knows(written)) return &written;
        if (writing)
            for (const auto& r : read)
                if (!who.knows(r)) return &r;
        return nullptr;
    }
    void add(moment m, bool writing) {
        if (writing) {
            written = m;
            read.clear();
            return;
        }
        for (auto& r : read)
            if (r.stream == m.stream) {
                r.number = std::max(r.number, m.number);
                return;
            }
        read.push_back(m);
    }
    void merge(const accesses& other) {
        if (other.written.number != 0) add(other.written, false);
        for (const auto& r : other.read) add(r, false);
    }
    void clear() {
        written = {};
        read.clear();
    }
};

struct block {
    std::int64_t offset = 0; // bytes into the device's memory
    std::int64_t bytes = 0;
    std::int32_t behind = -1; // the next one by address; -1: none
    std::int32_t pool = -1;   // -1: no pool's
    std::int32_t segment = -1;
    std::int32_t holders = 0; // 0: free
    std::uint64_t graph = 0;  // whose capture took it; 0: none's
    bool has_value = false;
    accesses uses;
    accesses in_capture; // uses that are being captured
};

struct pool_state {
    mempool_id id;
    std::int32_t users = 0;
    bool is_users = false; // of graph_pool_handle(), and not released
    bool is_there = true;
    std::int64_t reserved = 0; // bytes of its segments
    std::int64_t held = 0;     // bytes of them that somebody holds
    std::uint64_t changes = 0; // grows with every block that is taken or dropped
    moment last_replay;        // of the graphs whose memory it is
};

/// An output of a launch: where it lies in the launch's memory, and the block that holds it when the launch is over.
struct launch_output {
    std::int64_t begin = 0, end = 0; // bytes from the begin of the launch's memory; one at least
    std::int32_t block = -1;
};

class block_memory {
public:
    block_memory(std::int64_t bytes, std::int64_t alignment)
        : memory_(static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment)), bytes_(bytes),
          alignment_(alignment) {
        blocks_.emplace_back().bytes = bytes;
        pools_.emplace_back().users = 1;
        free_.reserve(1, 1);
        insert_free(0);
    }

    std::byte* address(std::int32_t b) const { return memory_.get() + blocks_[at(b)].offset; }
    block& operator[](std::int32_t b) { return blocks_[at(b)]; }
    const block& operator[](std::int32_t b) const { return blocks_[at(b)]; }
    std::int32_t first() const { return first_; } // by address; then block::behind
    const std::vector<pool_state>& pools() const { return pools_; }
    pool_state& pool(std::int32_t row) { return pools_[at(row)]; }
    const pool_state& pool(std::int32_t row) const { return pools_[at(row)]; }
    std::int64_t bytes() const { return bytes_; }
    std::int64_t unreserved() const {
        std::int64_t sum = 0;
        for (auto b = first_; b >= 0; b = blocks_[at(b)].behind)
            if (blocks_[at(b)].pool < 0) sum += blocks_[at(b)].bytes;
        return sum;
    }

    /// -1: no such pool.
    std::int32_t find_pool(mempool_id id) const {
        for (std::size_t p = 0; p < pools_.size(); ++p)
            if (pools_[p].is_there && pools_[p].id == id) return static_cast<std::int32_t>(p);
        return -1;
    }
    /// With one user.
    std::int32_t make_pool(mempool_id id) {
        for (std::size_t p = 0; p < pools_.size(); ++p)
            if (!pools_[p].is_there) {
                pools_[p] = {id, 1, id.by_user != 0, true, 0, 0, pools_[p].changes, {}};
                return static_cast<std::int32_t>(p);
            }
        pools_.push_back({id, 1, id.by_user != 0, true, 0, 0, 0, {}});
        free_.reserve(blocks_.size(), pools_.size());
        return static_cast<std::int32_t>(pools_.size()) - 1;
    }
    void use(std::int32_t pool) { ++pools_[at(pool)].users; }
    void leave(std::int32_t pool) {
        --pools_[at(pool)].users;
        tidy(pool);
    }

    /// A block of at least `bytes` that whoever knows `who` may write, with one holder; -1 where there is none.
    std::int32_t take(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing,
                      bool may_reserve = true) {
        const auto wanted = rounded(bytes, alignment_);
        const auto found =
            may_reserve ? find_or_reserve(pool, wanted, who, capturing) : find_run(pool, wanted, who, capturing);
        if (found < 0) return -1;
        cut(found, wanted);
        hand_out(found);
        return found;
    }
    /// The first block that holds some of these bytes; -1: nobody does. likely: a block that may be these bytes
    /// exactly.
    std::int32_t holder_of(std::int64_t offset, std::int64_t bytes, std::int32_t likely = -1) const {
        if (is_exactly(likely, offset, bytes)) return blocks_[at(likely)].holders > 0 ? likely : -1;
        for (auto b = first_; b >= 0; b = blocks_[at(b)].behind)
            if (const auto& one = blocks_[at(b)];
                one.offset < offset + bytes && offset < one.offset + one.bytes && one.holders > 0)
                return b;
        return -1;
    }
    /// These bytes of a segment as one block with one holder. Who used them stays known. pre: nobody holds any of them.
    std::int32_t take_at(std::int64_t offset, std::int64_t bytes, std::int32_t likely = -1) {
        auto found = likely;
        if (!is_exactly(likely, offset, bytes)) {
            for (found = first_; blocks_[at(found)].offset + blocks_[at(found)].bytes <= offset;)
                found = blocks_[at(found)].behind;
            if (const auto ahead_of_it = offset - blocks_[at(found)].offset; ahead_of_it > 0) {
                cut(found, ahead_of_it);
                found = blocks_[at(found)].behind;
            }
            cut(found, bytes);
        }
        hand_out(found);
        return found;
    }
    /// Sees to it that a capture finds so many bytes of the pool in one piece; false where the device has not.
    bool provide(std::int32_t pool, std::int64_t bytes) {
        return find_or_reserve(pool, rounded(bytes, alignment_), {}, true) >= 0;
    }
    void hold(std::int32_t b) { ++blocks_[at(b)].holders; }
    void drop(std::int32_t b) {
        auto& mine = blocks_[at(b)];
        if (--mine.holders > 0) return;
        mine.graph = 0;
        auto& pool = pools_[at(mine.pool)];
        pool.held -= mine.bytes;
        ++pool.changes;
        insert_free(b);
        if (pool.users == 0) tidy(mine.pool);
    }
    /// Room for `count` blocks more than there are.
    void reserve_blocks(std::size_t count) {
        if (unused_.size() >= count || blocks_.capacity() - blocks_.size() >= count) return;
        blocks_.reserve(std::max(2 * blocks_.size(), blocks_.size() + count));
        free_.reserve(blocks_.capacity(), pools_.size());
    }
    /// Leaves of a block what these outputs lie in, and drops the rest; outputs that share bytes, or an aligned piece
    /// of them, share a block, which each of them holds. Who used the block used all parts of it. pre: one holder;
    /// reserve_blocks(2 * outputs)
    void keep(std::int32_t b, std::span<launch_output> outputs) {
        const auto base = blocks_[at(b)].offset;
        const auto begin_of = [&](const launch_output& o) { return base + o.begin / alignment_ * alignment_; };
        const auto end_of = [&](const launch_output& o) { return base + rounded(o.end, alignment_); };
        while (true) {
            const auto here = blocks_[at(b)].offset;
            std::int64_t begin = here + blocks_[at(b)].bytes; // of the next part that is kept
            for (const auto& o : outputs)
                if (end_of(o) > here) begin = std::max(here, std::min(begin, begin_of(o)));
            if (begin == here + blocks_[at(b)].bytes) return drop(b); // nothing of the rest is
            if (begin > here) {
                const auto kept = part(b, begin - here);
                drop(b);
                b = kept;
            }
            auto end = begin;
            for (std::size_t i = 0; i < outputs.size(); ++i) // as many rounds as it can take
                for (const auto& o : outputs)
                    if (begin_of(o) < std::max(end, begin + 1) && end_of(o) > begin) end = std::max(end, end_of(o));
            const bool is_last = end == begin + blocks_[at(b)].bytes;
            const auto rest = is_last ? -1 : part(b, end - begin);
            std::int32_t holders = 0;
            for (auto& o : outputs)
                if (begin_of(o) >= begin && begin_of(o) < end) o.block = b, ++holders;
            blocks_[at(b)].holders = holders;
            if (is_last) return;
            b = rest;
        }
    }
    /// As if the block had not been taken, when `segments` had been made. pre: one holder
    void undo_take(std::int32_t b, std::int32_t segments) {
        const auto pool = blocks_[at(b)].pool;
        drop(b);
        give_back(pool, segments);
    }
    std::int32_t segments() const { return segments_; } // made so far
    /// Gives a pool's segments that nobody holds anything of back to the device: those from number `since` on.
    void give_back(std::int32_t pool, std::int32_t since = 0) {
        for (auto b = first_; b >= 0;) {
            const auto segment = blocks_[at(b)].segment;
            const auto begin = b;
            bool is_free = blocks_[at(b)].pool == pool;
            for (; b >= 0 && blocks_[at(b)].segment == segment; b = blocks_[at(b)].behind)
                is_free = is_free && blocks_[at(b)].holders == 0;
            if (!is_free || segment < since) continue;
            join(begin, [&](const block& next) { return next.segment == segment; });
            auto& mine = blocks_[at(begin)];
            pools_[at(pool)].reserved -= mine.bytes;
            erase_free(begin);
            mine.pool = mine.segment = -1;
            insert_free(begin);
        }
    }

private:
    static constexpr std::int64_t segment_bytes = 64 * 1024;

    aligned_memory memory_;
    std::int64_t bytes_, alignment_;
    std::vector<block> blocks_;
    std::vector<std::int32_t> unused_; // rows of blocks_
    std::vector<pool_state> pools_;
    free_blocks free_;
    std::int32_t first_ = 0;
    std::int32_t segments_ = 0;

    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
    static std::int64_t rounded(std::int64_t bytes, std::int64_t to) {
        return (std::max<std::int64_t>(bytes, 1) + to - 1) / to * to;
    }
    static bool is_ordered(const block& b, const history& who, bool capturing) {
        return (capturing ? b.in_capture : b.uses).unordered(who, true) == nullptr;
    }

    bool is_exactly(std::int32_t b, std::int64_t offset, std::int64_t bytes) const {
        return b >= 0 && blocks_[at(b)].offset == offset && blocks_[at(b)].bytes == bytes;
    }

    /// The first of the free blocks, side by side in one segment, that have so many bytes together; of no pool's, where
    /// pool is -1.
    std::int32_t find_run(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing) const {
        if (pool >= 0 && !capturing && !who.knows(pools_[at(pool)].last_replay))
            return -1; // graphs compute in all of it
        for (std::int64_t from = 0;;) {
            auto i = free_.first_run(pool, bytes, from);
            if (i < 0) return -1;
            std::int32_t begin = -1;
            std::int64_t sum = 0;
            for (const auto segment = blocks_[at(i)].segment; i >= 0; i = blocks_[at(i)].behind) {
                const auto& b = blocks_[at(i)];
                if (b.pool != pool || b.holders != 0 || b.segment != segment) break;
                from = b.offset + b.bytes;
                if (!is_ordered(b, who, capturing)) {
                    begin = -1;
                    continue;
                }
                if (begin < 0) begin = i, sum = 0;
                if ((sum += b.bytes) >= bytes) return begin;
            }
        }
    }
    void insert_free(std::int32_t b) {
        const auto& mine = blocks_[at(b)];
        free_.insert(mine.pool, b, {mine.offset, mine.offset + mine.bytes, mine.segment});
    }
    void erase_free(std::int32_t b) { free_.erase(blocks_[at(b)].pool, b); }
    /// Unites a block with those behind it for which `f` holds.
    template <class F> void join(std::int32_t b, F f) {
        while (blocks_[at(b)].behind >= 0 && f(blocks_[at(blocks_[at(b)].behind)])) unite(b);
    }
    /// pre: both are free
    void unite(std::int32_t b) {
        auto& mine = blocks_[at(b)];
        const auto gone = mine.behind;
        auto& next = blocks_[at(gone)];
        erase_free(b);
        erase_free(gone);
        mine.bytes += next.bytes;
        mine.uses.merge(next.uses);
        mine.in_capture.merge(next.in_capture);
        mine.behind = next.behind;
        next.bytes = 0;
        unused_.push_back(gone);
        insert_free(b);
    }
    /// Makes free block b `bytes` long: takes of those behind it what it needs, and leaves the rest as a block of its
    /// own.
    void cut(std::int32_t b, std::int64_t bytes) {
        while (blocks_[at(b)].bytes < bytes) unite(b);
        if (blocks_[at(b)].bytes == bytes) return;
        erase_free(b);
        const auto rest = part(b, bytes);
        blocks_[at(rest)].holders = 0;
        insert_free(b);
        insert_free(rest);
    }
    /// Makes a block `bytes` long; gives the rest as another one, of which all is true that is of the block. pre: it is
    /// not listed as free
    std::int32_t part(std::int32_t b, std::int64_t bytes) {
        std::int32_t rest = static_cast<std::int32_t>(blocks_.size());
        if (unused_.empty()) {
            blocks_.emplace_back();
            free_.reserve(blocks_.size(), pools_.size());
        } else rest = unused_.back(), unused_.pop_back();
        auto& mine = blocks_[at(b)];
        auto& other = blocks_[at(rest)];
        other = mine;
        other.offset += bytes;
        other.bytes -= bytes;
        mine.bytes = bytes;
        mine.behind = rest;
        return rest;
    }
    /// A new segment, as one free block; -1 where there is no room.
    std::int32_t reserve(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing) {
        const auto found = find_run(-1, bytes, who, capturing);
        if (found < 0) return -1;
        cut(found, bytes);
        erase_free(found);
        auto& b = blocks_[at(found)];
        b.pool = pool;
        b.segment = segments_++;
        insert_free(found);
        pools_[at(pool)].reserved += bytes;
        return found;
    }
    std::int32_t find_or_reserve(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing) {
        auto found = find_run(pool, bytes, who, capturing);
        if (found < 0) found = reserve(pool, rounded(bytes, segment_bytes), who, capturing);
        if (found < 0) found = reserve(pool, bytes, who, capturing);
        return found;
    }
    /// To its first holder. Its uses stay: the next one to take it, or the rest of it, may not know of them.
    void hand_out(std::int32_t block) {
        erase_free(block);
        auto& b = blocks_[at(block)];
        b.holders = 1;
        b.has_value = false;
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
