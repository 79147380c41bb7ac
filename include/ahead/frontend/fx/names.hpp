// SPDX-License-Identifier: MIT
// The names of a graph while its text is read: a hash table whose chains are stored in node.values, which are unused
// until the graph is typed.
// Invariant: a look-up costs a few steps for any number of names. Called by fx_reader.
#pragma once
#include <ahead/frontend/fx/text/lexer.hpp>
#include <ahead/ir/node.hpp>

namespace AHEAD_NAMESPACE::detail {

class fx_names {
public:
    /// The index of the node with this name, or -1.
    constexpr std::int32_t find(const node* nodes, std::string_view name) const {
        for (auto at = heads_[slot_of(name)]; at != 0; at = nodes[at - 1].values.first)
            if (same_text(nodes[at - 1].name.text, name)) return at - 1;
        return -1;
    }
    /// Returns false if another node has this name.
    constexpr bool insert(node* nodes, std::int32_t index) {
        auto& n = nodes[index];
        const auto slot = slot_of(n.name.text);
        for (auto at = heads_[slot]; at != 0; at = nodes[at - 1].values.first)
            if (same_text(nodes[at - 1].name.text, n.name.text)) return false;
        n.values.first = heads_[slot];
        heads_[slot] = index + 1;
        return true;
    }
    constexpr void remove(node* nodes, std::int32_t index) {
        auto* link = &heads_[slot_of(nodes[index].name.text)];
        while (*link != 0 && *link != index + 1) link = &nodes[*link - 1].values.first;
        if (*link != 0) *link = nodes[index].values.first;
    }

private:
    static constexpr std::size_t slot_count = 2048;
    std::int32_t heads_[slot_count]{}; // node index + 1; 0: empty

    static constexpr std::size_t slot_of(std::string_view name) {
        const char* p = name.data();
        const auto size = static_cast<std::int32_t>(name.size());
        std::uint32_t h = 0;
        std::int32_t i = 0;
        for (; i + 3 < size; i += 4) // four characters in one statement, as in the cursor
            h = h * 0x01000193u + static_cast<std::uint32_t>(p[i] + p[i + 1] * 31 + p[i + 2] * 961 + p[i + 3] * 29791);
        for (; i < size; ++i) h = h * 31u + static_cast<std::uint32_t>(p[i]);
        return (h ^ h >> 15) % slot_count;
    }
};

} // namespace ahead::detail
