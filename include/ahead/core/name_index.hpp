// SPDX-License-Identifier: MIT
// Finds the entries of a list by name: a hash table of list indices. The caller owns the list.
// Invariant: each name is inserted once. Open addressing, at most half full. Used by weights, their readers, the check
// of mutated weights, and the reader of pbtxt.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace AHEAD_NAMESPACE::core {

class name_index {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// The index of the entry called `name`, or none. name_at(place) gives the name of an entry.
    template <class NameAt> constexpr std::size_t find(std::string_view name, NameAt name_at) const {
        if (slots.size() == 0) return none;
        const auto hash = hash_of(name);
        for (auto i = first_of(hash); slots[i].place != 0; i = first_of(static_cast<std::size_t>(i) + 1))
            if (slots[i].hash == hash && name_at(slots[i].place - 1) == name) return slots[i].place - 1;
        return none;
    }
    /// pre: find(name, ...) gives none.
    constexpr void insert(std::string_view name, std::size_t place) {
        reserve(count + 1);
        put({hash_of(name), place + 1});
        ++count;
    }
    /// Allocates, so that insertions up to `names` names in total do not.
    constexpr void reserve(std::size_t names) {
        auto size = slots.size() == 0 ? 16 : slots.size();
        while (size < 2 * static_cast<std::int64_t>(names)) size *= 2;
        if (size == slots.size()) return;
        const auto old = std::exchange(slots, fixed_buffer<slot>(size));
        for (const auto& s : old.all())
            if (s.place != 0) put(s);
    }

private:
    struct slot {
        std::size_t hash = 0;
        std::size_t place = 0; // index + 1; 0: empty
    };
    static constexpr std::size_t hash_of(std::string_view name) { // FNV-1a
        std::uint64_t hash = 0xcbf29ce484222325;
        for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        return static_cast<std::size_t>(hash ^ hash >> 32);
    }
    constexpr std::int64_t first_of(std::size_t hash) const {
        return static_cast<std::int64_t>(hash & (static_cast<std::size_t>(slots.size()) - 1));
    }
    constexpr void put(const slot& s) {
        auto i = first_of(s.hash);
        while (slots[i].place != 0) i = first_of(static_cast<std::size_t>(i) + 1);
        slots[i] = s;
    }

    fixed_buffer<slot> slots; // the size is a power of two
    std::size_t count = 0;
};

} // namespace ahead::core
