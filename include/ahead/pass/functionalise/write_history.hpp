// SPDX-License-Identifier: MIT
// The writes to each storage, from the last to the first, so that a reader finds those that it sees.
// Invariant: the writes of a storage are linked in the order they were added in. Each write also stores the range of
// elements covered by a block of writes that ends with it, whose length is the lowest set bit of the write's number: a
// search for a few elements skips the others in logarithmic time. Called by functionaliser.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/edit.hpp>
#include <ahead/ir/type/overlap.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::detail {

/// A write to a view of a storage; its new elements are those of `value`.
struct write_record {
    tensor_type self;
    argument old{}; // the tensor that had the elements before
    argument value{};
    bool is_laid_out = false;           // has the layout of self
    std::int32_t before = 0, after = 0; // of the same storage: write + 1; 0: none
    // To skip many writes at once: a block of writes that ends with this one, whose length is the lowest set bit of the
    // write's number in the storage.
    std::int32_t number = 0, beyond = 0; // the write before the block + 1; 0: none
    std::int64_t low = 0, high = 0;      // the range of elements of the block
};
struct storage_record {
    std::int32_t first = 0, last = 0; // write + 1; 0: none
    std::int32_t applied = 0;         // the last write that `whole` includes; + 1
    argument whole{};                 // all bytes; None: the value that owns them
};

class write_history {
public:
    constexpr write_history(std::int64_t values, std::int64_t writes) : storages_(values), writes_(writes) {}

    /// The number of writes to all storages.
    constexpr std::int32_t count() const { return count_; }
    /// pre: write is a number from 1 to count()
    constexpr write_record& operator[](std::int32_t write) { return writes_[write - 1]; }
    constexpr const write_record& operator[](std::int32_t write) const { return writes_[write - 1]; }
    constexpr storage_record& of(value_id storage) { return storages_[storage.index]; }
    constexpr bool is_written(value_id storage) const { return storages_[storage.index].last != 0; }

    /// Records that the elements of `self`, in a storage of dtype `of_storage`, are now those of `value`, and were
    /// those of `old`.
    constexpr void add(value_id storage, dtype of_storage, const tensor_type& self, const argument& old,
                       const argument& value) {
        auto& mine = writes_[count_++];
        auto& s = storages_[storage.index];
        mine.self = self;
        mine.old = old;
        mine.value = value;
        mine.before = s.last;
        (s.last == 0 ? s.first : writes_[s.last - 1].after) = count_;
        s.last = count_;
        find_reach(mine, of_storage);
    }
    /// The last write with a number above `since` to elements of a tensor in this storage, which has dtype
    /// `of_storage`; 0: none. It may have written all of the tensor's elements or only some.
    constexpr std::int32_t last_seen_by(const tensor_type& t, value_id storage, dtype of_storage,
                                        std::int32_t since) const {
        const auto low = t.offset, high = low + extent_of(t);
        for (auto w = storages_[storage.index].last, next = w; w > since; w = next) {
            const auto& written = writes_[w - 1];
            const bool passes = low < high && (written.high <= low || high <= written.low) && t.type == of_storage;
            next = passes ? written.beyond : written.before;
            if (!passes && (written.self == t || may_overlap(written.self, t)))
                return w; // an empty tensor also counts as written by an equal one
        }
        return 0;
    }

private:
    fixed_buffer<storage_record> storages_; // by value that owns bytes
    fixed_buffer<write_record> writes_;
    std::int32_t count_ = 0;

    /// pre: linked to the write before
    constexpr void find_reach(write_record& w, dtype of_storage) const {
        constexpr auto distant = std::numeric_limits<std::int64_t>::max();
        w.number = w.before == 0 ? 1 : writes_[w.before - 1].number + 1;
        const bool known = w.self.type == of_storage; // offsets are counted in elements
        w.low = known ? w.self.offset : -distant;
        w.high = known ? w.self.offset + extent_of(w.self) : distant;
        w.beyond = w.before;
        for (auto left = (w.number & -w.number) - 1; left > 0;) {
            const auto& block = writes_[w.beyond - 1];
            w.low = block.low < w.low ? block.low : w.low;
            w.high = block.high > w.high ? block.high : w.high;
            left -= block.number & -block.number;
            w.beyond = block.beyond;
        }
    }
};

} // namespace ahead::detail
