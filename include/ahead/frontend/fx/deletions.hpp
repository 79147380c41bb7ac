// SPDX-License-Identifier: MIT
// Reads the end of a statement: nothing, ";", or the deletions of names, `;  a = b = None`.
// Invariant: deletions create no nodes; they are kept as a style. Called by readable.hpp.
#pragma once
#include <ahead/frontend/fx/reader.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Reads the end of a statement: nothing, ";", or deletions, which add no information to the use lists.
constexpr bool read_tail(fx_reader& r, fx_tail& seen) {
    auto& c = r.c;
    if (c.accept(';')) {
        c.skip_spaces();
        if (c.done() || c.peek() == '\n') seen = fx_tail::semicolon;
        else {
            cursor tail = c;
            tail.skip(deletion_char);
            const auto last = tail.at;
            while (tail.at > c.at && c.text[tail.at - 1] == ' ') --tail.at;
            tail.at -= tail.at - c.at < 7 ? 0 : 7;
            if (!tail.starts_with(" = None") || (last < c.end && c.text[last] != '\n'))
                return r.malformed("deletions, 'a = b = None'");
            seen = fx_tail::deletions;
        }
    } else {
        c.skip_spaces();
        if (!c.done() && c.peek() != '\n' && c.peek() != '#') return r.malformed("the end of the statement");
    }
    c.next_line();
    return true;
}

/// Whether the deletions of the whole text delete every node, each after its last use: only then is a text without a
/// return line complete.
constexpr bool deletes_all(const fx_reader& r, cursor c) {
    std::int32_t count = 0;
    for (; !c.done(); c.next_line()) {
        c.skip_spaces();
        if (c.peek() == '#') continue;
        while (!c.done() && c.peek() != '\n' && !c.starts_with(";  ")) ++c.at;
        if (!c.accept(";  ")) continue;
        for (auto name = c.name(); c.accept(" = "); name = c.name(), ++count) {
            const auto id = r.find(name);
            if (!id.exists()) return false;
            const auto& n = r.g[id];
            const auto& last = n.last_use.exists() ? r.g[r.g[n.last_use].owner] : n;
            if (last.from.line != c.line || (n.kind == node_kind::placeholder && n.use_count == 0)) return false;
        }
    }
    const auto nodes = r.g.header().used.nodes;
    return nodes > 0 && count == nodes;
}

/// Whether the text's deletions include unused nodes; the first such node decides.
constexpr fx_tail deletions_of(const fx_reader& r) {
    for (auto id : r.g) {
        const auto& n = r.g[id];
        if (n.use_count > 0 || (n.kind != node_kind::call && n.kind != node_kind::get_attr)) continue;
        const auto line = r.c.rest_of_line(static_cast<std::int32_t>(n.name.text.data() - r.c.text));
        const auto last = line.rfind(" = None");
        const auto name = n.name.text.size();
        const bool deleted =
            last != line.npos && last >= name && same_text(line.substr(last - name, name), n.name.text);
        return deleted ? fx_tail::deletions : fx_tail::deletions_of_used;
    }
    return fx_tail::deletions;
}

} // namespace ahead::detail
