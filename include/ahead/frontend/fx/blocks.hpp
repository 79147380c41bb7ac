// SPDX-License-Identifier: MIT
// Reads the bodies of branches and loops, as print_readable() and print(ExportedProgram) show them: nested classes,
// printed after the body that names them.
//         true_graph_0 = self.true_graph_0
//         ...
//     class true_graph_0(torch.nn.Module):
//         def forward(self, x: "f32[3]"):
// Invariant: each class is a block of one call, or one block for each call of invoke_subgraph that shares it, and each
// block has a class. Called by read_fx.
#pragma once
#include <ahead/frontend/fx/readable.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool read_blocks(fx_reader& r, std::int32_t from);

/// The block with this class name, among nodes `from` to `end`, that has no body yet; none() if there is not one.
constexpr block_id find_block(graph_view g, std::int32_t from, std::int32_t end, std::string_view name) {
    for (auto i = from; i < end; ++i)
        if (const auto& n = g[node_id{i}]; n.kind == node_kind::block && !n.next.exists() && same_text(n.target, name))
            return {i};
    return {};
}

/// Whether the block's call may share its class with others: calls of invoke_subgraph, whose class is compiled once.
constexpr bool shares_its_class(graph_view g, block_id b) {
    return b.exists() && g[b].first_use.exists() && is_call_of(g[g[g[b].first_use].owner], invoke_subgraph);
}

constexpr bool read_block(fx_reader& r, std::int32_t from, std::int32_t end);
/// pre: at "class". post: after the class, which is read once for each block that shares it.
constexpr bool read_class(fx_reader& r, std::int32_t from, std::int32_t end) {
    const auto begin = r.c;
    cursor named = begin;
    named.accept("class ");
    const auto name = named.name();
    block_id next;
    do {
        r.c = begin;
        if (!read_block(r, from, end)) return false;
        next = find_block(r.g, from, end, name);
    } while (shares_its_class(r.g, next));
    return true;
}
constexpr bool read_block(fx_reader& r, std::int32_t from, std::int32_t end) {
    auto& c = r.c;
    if (!r.expect("class ")) return false;
    const auto name = c.name();
    r.about(name);
    const auto b = find_block(r.g, from, end, name);
    if (!b.exists())
        return r.fail(fault::text_is_malformed, "a class that the body above it reads once, as self.<class>",
                      short_text("class ") << name);
    if (!r.expect("(torch.nn.Module):")) return false;
    c.skip_spaces();
    if (c.peek() != '\n') return r.malformed("the end of the line");
    auto line = c.at;
    while (c.peek() == '\n' || c.peek() == '#') {
        c.next_line();
        line = c.at;
        c.skip_spaces();
    }
    const auto style = r.style;
    const auto outside = r.enter(b);
    r.style.def_indent = c.at - line;
    if (r.style.def_indent <= style.def_indent) return r.malformed("the class's 'def', indented");
    r.style.flatten = {};
    r.style.return_annotation = {};
    const auto first = r.next_id().index;
    if (!read_definition(r) || !read_body(r) || !read_blocks(r, first)) return false;
    const auto& inner = r.style; // a block uses the default print form of FX
    if (!same_text(inner.function, "forward") || inner.expanded_signature || inner.expanded_return || inner.unflatten ||
        !inner.returns || !inner.return_annotation.empty())
        return r.fail(fault::text_is_malformed, "'def forward(self, ...):' and 'return ...', in one line each",
                      short_text("class ") << name, name);
    const bool comments = inner.file_comments;
    r.style = style;
    r.style.file_comments = comments;
    r.leave_for(outside);
    return true;
}

/// Reads the classes of the blocks that the preceding body names, from node `from` on. pre: after its return line.
constexpr bool read_blocks(fx_reader& r, std::int32_t from) {
    auto& c = r.c;
    if (r.g.header().blocks == 0) return true;
    const auto end = r.next_id().index;
    const auto refuse_at = [&](const node& head, fault what, const short_text& expected, const short_text& found) {
        c.line = head.from.line;
        r.about({});
        return r.fail(what, expected, found, head.name.text);
    };
    for (auto i = from; i < end; ++i) {
        const auto& head = r.g[node_id{i}];
        if (head.kind != node_kind::block) continue;
        if (head.use_count != 1 || r.g[head.first_use].kind != argument_kind::block)
            return refuse_at(head, fault::node_kind_is_unsupported, "one call that holds the block",
                             short_text() << head.use_count << " uses");
    }
    while (true) {
        const auto behind = c;
        c.skip_spaces();
        if (!c.done() && (c.peek() == '\n' || c.peek() == '#')) {
            c.next_line();
        } else if (c.at - behind.at != r.style.def_indent || !c.starts_with("class ")) {
            c = behind;
            break;
        } else if (!read_class(r, from, end)) {
            return false;
        }
    }
    for (auto i = from; i < end; ++i)
        if (const auto& head = r.g[node_id{i}]; head.kind == node_kind::block && !head.next.exists())
            return refuse_at(head, fault::block_is_missing,
                             short_text("class ") << head.target << " once more, for this block",
                             "a class that another block is");
    return true;
}

} // namespace ahead::detail
