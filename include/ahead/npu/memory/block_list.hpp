// SPDX-License-Identifier: MIT
// All blocks of the device's memory by address, with an index of the free ones of each pool: splits and merges them.
// Invariant: the blocks cover the memory, each byte once; the uses of a byte are recorded in the block that contains
// it. Called by block_memory.hpp.
#pragma once
#include <ahead/npu/memory/block.hpp>
#include <ahead/npu/memory/free_blocks.hpp>

namespace AHEAD_NAMESPACE::npu {

class block_list {
public:
    /// Starts with one free block, in no pool.
    explicit block_list(std::int64_t bytes) {
        blocks_.emplace_back().bytes = bytes;
        free_.reserve(1, 1);
        insert_free(0);
    }

    block& operator[](std::int32_t b) { return blocks_[at(b)]; }
    const block& operator[](std::int32_t b) const { return blocks_[at(b)]; }
    std::int32_t first() const { return 0; } // by address; each block links to the next
    /// Reserves room for the free blocks of this number of pools.
    void reserve_pools(std::size_t pools) {
        pools_ = pools;
        free_.reserve(blocks_.size(), pools_);
    }
    /// Reserves room for `count` more blocks.
    void reserve_blocks(std::size_t count) {
        if (unused_.size() >= count || blocks_.capacity() - blocks_.size() >= count) return;
        blocks_.reserve(std::max(2 * blocks_.size(), blocks_.size() + count));
        free_.reserve(blocks_.capacity(), pools_);
    }

    bool is_exactly(std::int32_t b, std::int64_t offset, std::int64_t bytes) const {
        return b >= 0 && blocks_[at(b)].offset == offset && blocks_[at(b)].bytes == bytes;
    }
    /// The first held block that overlaps these bytes; -1: none. likely: a block that may have exactly these bytes.
    std::int32_t holder_of(std::int64_t offset, std::int64_t bytes, std::int32_t likely = -1) const {
        if (is_exactly(likely, offset, bytes)) return blocks_[at(likely)].holders > 0 ? likely : -1;
        for (auto b = first(); b >= 0; b = blocks_[at(b)].behind)
            if (const auto& one = blocks_[at(b)];
                one.offset < offset + bytes && offset < one.offset + one.bytes && one.holders > 0)
                return b;
        return -1;
    }
    /// The first block of a run of adjacent free blocks in one segment with at least `bytes` together; with pool -1, of
    /// blocks in no pool. All their uses (for a capture: those in the capture) are in the writer's history.
    std::int32_t find_run(std::int32_t pool, std::int64_t bytes, const history& who, bool capturing) const {
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
    /// Merges a block with the next ones as long as `f` holds for them.
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
    /// Makes free block b `bytes` long: merges it with the next ones as needed, and leaves the rest as a separate
    /// block.
    void cut(std::int32_t b, std::int64_t bytes) {
        while (blocks_[at(b)].bytes < bytes) unite(b);
        if (blocks_[at(b)].bytes == bytes) return;
        erase_free(b);
        const auto rest = part(b, bytes);
        blocks_[at(rest)].holders = 0;
        insert_free(b);
        insert_free(rest);
    }
    /// Shortens a block to `bytes`; returns the rest as another block with the same properties. pre: the block is not
    /// listed as free
    std::int32_t part(std::int32_t b, std::int64_t bytes) {
        std::int32_t rest = static_cast<std::int32_t>(blocks_.size());
        if (unused_.empty()) {
            blocks_.emplace_back();
            free_.reserve(blocks_.size(), pools_);
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

private:
    std::vector<block> blocks_;
    std::vector<std::int32_t> unused_; // unused indices of blocks_
    free_blocks free_;
    std::size_t pools_ = 1;

    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
    static bool is_ordered(const block& b, const history& who, bool capturing) {
        return (capturing ? b.in_capture : b.uses).unordered(who, true) == nullptr;
    }
};

} // namespace ahead::npu
