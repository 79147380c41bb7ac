// SPDX-License-Identifier: MIT
// The free blocks of each pool by address, as a treap that stores for each subtree the longest run of adjacent blocks
// in one segment. Finding the first run that is long enough, and every change, takes logarithmic time in the number of
// free blocks. Called by npu/memory/block_memory.hpp.
// Invariant: the same changes make the same tree; only reserve() allocates.
#pragma once
#include <ahead/core/build.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// Contiguous bytes in one segment.
struct byte_run {
    std::int64_t begin = 0, end = 0;
    std::int32_t segment = -2; // of no block
};

class free_blocks {
public:
    /// Room for blocks 0 to rows - 1, and pools -1 to pools - 1.
    void reserve(std::size_t rows, std::size_t pools) {
        nodes_.resize(std::max(rows, nodes_.size()));
        roots_.resize(std::max(pools + 1, roots_.size()), -1);
    }
    void insert(std::int32_t pool, std::int32_t row, const byte_run& block) {
        auto& n = at(row);
        n = {-1, -1, block, {}};
        update(row);
        auto& r = root(pool);
        r = insert_below(r, row);
    }
    /// pre: `row` is in the pool, as inserted.
    void erase(std::int32_t pool, std::int32_t row) {
        auto& r = root(pool);
        r = erase_below(r, row);
    }
    /// The first block of the first run of at least `bytes` bytes among the runs after address `from`; -1: none. pre:
    /// `from` is the end of a run or in none.
    std::int32_t first_run(std::int32_t pool, std::int64_t bytes, std::int64_t from) const {
        byte_run so_far{-1, -1, -2};
        const auto r = roots_[static_cast<std::size_t>(pool + 1)];
        return search(r, bytes, from, so_far) ? find(r, so_far.begin) : -1;
    }

private:
    /// Summary of a subtree, over its blocks in address order.
    struct summary {
        byte_run first, last;     // the runs at its start and its end
        std::int64_t longest = 0; // bytes
    };
    struct node {
        std::int32_t left = -1, right = -1;
        byte_run own;
        summary all;
    };

    std::vector<node> nodes_;         // by row of the block
    std::vector<std::int32_t> roots_; // by pool + 1

    node& at(std::int32_t row) { return nodes_[static_cast<std::size_t>(row)]; }
    const node& at(std::int32_t row) const { return nodes_[static_cast<std::size_t>(row)]; }
    std::int32_t& root(std::int32_t pool) { return roots_[static_cast<std::size_t>(pool + 1)]; }
    /// Heap priority: pseudo-random, but deterministic. The node with the higher value is the parent.
    static std::uint32_t height(std::int32_t row) {
        auto bits = static_cast<std::uint32_t>(row) * 0x9e3779b9u;
        bits = (bits ^ bits >> 15) * 0x85ebca6bu;
        return bits ^ bits >> 13;
    }
    static bool meet(const byte_run& a, const byte_run& b) { return a.end == b.begin && a.segment == b.segment; }
    static std::int64_t length(const byte_run& r) { return r.end - r.begin; }
    static summary join(const summary& a, const summary& b) {
        summary out{a.first, b.last, std::max(a.longest, b.longest)};
        if (!meet(a.last, b.first)) return out;
        if (a.first.begin == a.last.begin) out.first.end = b.first.end;
        if (b.first.begin == b.last.begin) out.last.begin = a.last.begin;
        out.longest = std::max(out.longest, length(a.last) + length(b.first));
        return out;
    }
    void update(std::int32_t row) {
        auto& n = at(row);
        n.all = {n.own, n.own, length(n.own)};
        if (n.left >= 0) n.all = join(at(n.left).all, n.all);
        if (n.right >= 0) n.all = join(n.all, at(n.right).all);
    }
    /// Splits the tree into the blocks before address `begin`, and the rest.
    void split(std::int32_t t, std::int64_t begin, std::int32_t& before, std::int32_t& rest) {
        if (t < 0) {
            before = rest = -1;
        } else if (at(t).own.begin < begin) {
            before = t;
            split(at(t).right, begin, at(t).right, rest);
            update(t);
        } else {
            rest = t;
            split(at(t).left, begin, before, at(t).left);
            update(t);
        }
    }
    std::int32_t merge(std::int32_t a, std::int32_t b) {
        if (a < 0 || b < 0) return a < 0 ? b : a;
        const auto top = height(a) > height(b) ? a : b;
        if (top == a) at(a).right = merge(at(a).right, b);
        else at(b).left = merge(a, at(b).left);
        update(top);
        return top;
    }
    std::int32_t insert_below(std::int32_t t, std::int32_t row) {
        if (t < 0) return row;
        if (height(row) > height(t)) {
            split(t, at(row).own.begin, at(row).left, at(row).right);
            update(row);
            return row;
        }
        if (at(row).own.begin < at(t).own.begin) at(t).left = insert_below(at(t).left, row);
        else at(t).right = insert_below(at(t).right, row);
        update(t);
        return t;
    }
    std::int32_t erase_below(std::int32_t t, std::int32_t row) {
        if (t == row) return merge(at(t).left, at(t).right);
        if (at(row).own.begin < at(t).own.begin) at(t).left = erase_below(at(t).left, row);
        else at(t).right = erase_below(at(t).right, row);
        update(t);
        return t;
    }
    std::int32_t find(std::int32_t t, std::int64_t begin) const {
        while (at(t).own.begin != begin) t = begin < at(t).own.begin ? at(t).left : at(t).right;
        return t;
    }
    /// Extends the current run, or starts a new one; returns whether it is long enough.
    static bool extend(byte_run& so_far, const byte_run& by, std::int64_t bytes) {
        if (meet(so_far, by)) so_far.end = by.end;
        else so_far = by;
        return length(so_far) >= bytes;
    }
    bool search(std::int32_t t, std::int64_t bytes, std::int64_t from, byte_run& so_far) const {
        if (t < 0 || at(t).all.last.end <= from) return false;
        const auto& n = at(t);
        if (n.all.first.begin >= from && n.all.longest < bytes &&
            !(meet(so_far, n.all.first) && length(so_far) + length(n.all.first) >= bytes)) {
            if (n.all.first.begin == n.all.last.begin) extend(so_far, n.all.last, bytes);
            else so_far = n.all.last;
            return false;
        }
        return search(n.left, bytes, from, so_far) || (n.own.begin >= from && extend(so_far, n.own, bytes)) ||
               search(n.right, bytes, from, so_far);
    }
};

} // namespace ahead::npu
