// SPDX-License-Identifier: MIT
// The formatting of a graph's text, beyond the graph itself: the information needed to print it back in the same form.
// Invariant: every view is a view of the parsed text, or of a literal. Made by read_fx or by hand; read by print_fx.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>
#include <string_view>

namespace AHEAD_NAMESPACE::frontend {

/// The print forms of PyTorch: print(gm.graph); print_readable() and gm.code; print(ExportedProgram).
enum class fx_form : std::uint8_t { listing, readable, exported };

/// The end of a statement: FX's deletions after the last use (older versions do not delete unused nodes), a lone ";"
/// (edited texts), or nothing (torch 1.13).
enum class fx_tail : std::uint8_t { deletions, deletions_of_used, semicolon, nothing };

/// The source of the type annotations: the text (node.annotation), or type inference.
enum class fx_types : std::uint8_t { printed, inferred };

struct fx_style {
    fx_form form = fx_form::readable;

    // readable and exported
    std::string_view preamble; // the lines before "def", unchanged: "class <lambda>(torch.nn.Module):"
    std::string_view function = "forward";
    std::string_view return_annotation; // "torch.Tensor" in "-> torch.Tensor:"
    std::string_view flat_signature;    // the parameters as printed, if tree_flatten_spec binds the inputs instead
    std::string_view flatten;           // the first argument of tree_flatten_spec
    std::int32_t def_indent = 0;
    std::int32_t body_indent = 4;
    fx_tail tail = fx_tail::deletions;
    fx_types types = fx_types::printed;
    bool quoted = true;              // x: "f32[2]", not x: f32[2]
    bool spaced_colon = false;       // L_x_ : torch.Tensor
    bool expanded_signature = false; // one parameter per line
    bool declared = false;           // annotations of the inputs are in a separate line
    bool file_comments = false;      // print the comment that came above each node

    // print(gm.graph)
    std::string_view prefix; // text before "graph():" on its line
    std::int32_t indent = 4;
    std::string_view users = "num_users";
    std::string_view python = "operator."; // spelling of builtins: "operator.", "_operator.", "<built-in function "

    // the results
    bool returns = true;          // false: the text ends without a return line
    bool expanded_return = false; // one result per line
    bool unflatten = false;       // pytree.tree_unflatten(..., self._out_spec)

    // exported
    std::string_view signature;         // all text after the return line; empty: made from the nodes' roles
    std::string_view range_constraints; // "{s0: VR[2, 16]}", part of signature
};

/// print(gm.graph) of a current PyTorch.
constexpr fx_style listing_style() {
    fx_style s;
    s.form = fx_form::listing;
    s.types = fx_types::inferred;
    return s;
}

/// print_readable() of a current PyTorch, with the inferred types as annotations.
constexpr fx_style readable_style() {
    fx_style s;
    s.preamble = "class GraphModule(torch.nn.Module):\n";
    s.types = fx_types::inferred;
    s.def_indent = 4;
    s.body_indent = 8;
    return s;
}

/// gm.code: no class line, no types.
constexpr fx_style code_style() { return {}; }

/// print(ExportedProgram) of a current PyTorch, with a signature made from the nodes' roles.
constexpr fx_style exported_style() {
    auto s = readable_style();
    s.form = fx_form::exported;
    s.preamble = "ExportedProgram:\n    class GraphModule(torch.nn.Module):\n";
    s.def_indent = 8;
    s.body_indent = 12;
    return s;
}

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::readable_style;
} // namespace ahead
