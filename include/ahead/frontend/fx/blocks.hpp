// SPDX-License-Identifier: MIT
// The bodies of branches and loops, as print_readable() and print(ExportedProgram) show them: classes nested in the one
// whose body names them, behind it.
//         true_graph_0 = self.true_graph_0
//         ...
//     class true_graph_0(torch.nn.Module):
//         def forward(self, x: "f32[3]"):
// Invariant: each class is a block that one call holds, and each block has its class. Called by read_fx.
#pragma once
#include <ahead/frontend/fx/readable.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool read_blocks(fx_reader& r);

/// pre: at "class". post: behind the class.
constexpr bool read_block(fx_reader& r) {
    auto& c = r.c;
    if (!r.expect("class ")) return false;
    const auto name = c.name();
    r.about(name);
    const auto b = r.find_block(name, true);
    if (!b.exists() || r.g[b].first.exists())
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
    if (!read_definition(r) || !read_body(r) || !read_blocks(r)) return false;
    const auto& inner = r.style; // a block is printed in the form that FX has for it
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

/// The classes of the blocks that the body just read names. pre: behind its return line.
constexpr bool read_blocks(fx_reader& r) {
    auto& c = r.c;
    const auto first = r.outer_blocks();
    const auto end = r.g.header().used.blocks;
    for (auto k = first; k < end; ++k) {
        const auto& b = r.g[block_id{k + 1}];
        const auto line = c.line;
        c.line = b.line;
        if (r.find(b.name.text).exists())
            return r.fail(fault::name_is_defined_twice, "a new name",
                          short_text(b.name.text) << ", which another line defines", b.name.text);
        if (!b.owner.exists())
            return r.fail(fault::node_kind_is_unsupported, "a call that holds the block", "none", b.name.text);
        c.line = line;
    }
    while (end > first) {
        const auto behind = c;
        const auto from = c.at;
        c.skip_spaces();
        if (!c.done() && (c.peek() == '\n' || c.peek() == '#')) {
            c.next_line();
        } else if (c.at - from != r.style.def_indent || !c.starts_with("class ")) {
            c = behind;
            break;
        } else if (!read_block(r)) {
            return false;
        }
    }
    for (auto k = first; k < end; ++k)
        if (const auto& b = r.g[block_id{k + 1}]; !b.first.exists())
            return r.fail(fault::block_is_missing, short_text("class ") << b.target << " once more, for this block",
                          "a class that another block is", b.name.text);
    return true;
}

} // namespace ahead::detail
