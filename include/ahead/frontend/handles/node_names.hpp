// SPDX-License-Identifier: MIT
// The names of the nodes of a trace, as FX assigns them. Called by record.hpp.
// Invariant: node names are unique.
#pragma once
#include <ahead/ir/op.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::frontend {

constexpr std::size_t hash_of(std::string_view text) {
    std::size_t hash = text.size();
    for (char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
    return hash;
}

/// Names nodes as FX does: "add", "add_1", "add_2", skipping names of placeholders. pre: more slots than names, a power
/// of two.
class node_names {
public:
    struct slot {
        std::string_view base;
        std::int32_t last = 0; // the highest number assigned
        bool used = false;
        bool plain = false; // the base itself is used
    };
    constexpr explicit node_names(array_view<slot> slots) : slots_(slots) {}

    constexpr label next(std::string_view base, std::size_t hash) {
        auto& s = find(base, hash);
        if (!s.plain) {
            s.plain = true;
            return {base, 0};
        }
        return {base, ++s.last};
    }
    /// Reserves a placeholder's name; after "add_2" the next call of add is named "add", then "add_3".
    constexpr label take(std::string_view name) {
        auto digits = name.size();
        while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
        if (digits > 1 && digits < name.size() && name.size() - digits < 9 && name[digits - 1] == '_') {
            std::int32_t number = 0;
            for (char c : name.substr(digits)) number = number * 10 + (c - '0');
            const auto base = name.substr(0, digits - 1);
            auto& s = find(base, hash_of(base));
            if (number > s.last) s.last = number;
        } else {
            find(name, hash_of(name)).plain = true;
        }
        return {name, 0};
    }

private:
    constexpr slot& find(std::string_view base, std::size_t hash) {
        slot* slots = slots_.data();
        const auto mask = slots_.size() - 1;
        auto i = hash & mask;
        while (slots[i].used && !same_name(slots[i].base, base)) i = (i + 1) & mask;
        if (slots[i].used) return slots[i];
        slots[i].used = true;
        slots[i].base = base;
        return slots[i];
    }
    array_view<slot> slots_;
};
constexpr std::size_t slots_for(capacity c) { return std::bit_ceil(static_cast<std::size_t>(c.nodes) + 1); }

} // namespace ahead::frontend
