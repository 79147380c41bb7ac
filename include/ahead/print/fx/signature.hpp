// SPDX-License-Identifier: MIT
// The signature that print(ExportedProgram) shows after the code: the role of each input and of each result.
// Invariant: kept as it was read, or made from the roles of the nodes. Called by code.hpp.
#pragma once
#include <ahead/print/fx/writer.hpp>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class fx_signature {
public:
    constexpr explicit fx_signature(fx_writer<Sink>& w) : w_(w), g_(w.view()), style_(w.style()) {}

    constexpr void print() {
        if (!style_.signature.empty()) {
            w_.put("\n", style_.signature);
            return;
        }
        w_.put("\nGraph signature:\n    # inputs\n");
        for (auto id : g_) {
            const auto& n = g_[id];
            if (n.kind != node_kind::placeholder) continue;
            w_.put("    ");
            put_node(n);
            constexpr std::string_view kinds[] = {"USER_INPUT", "PARAMETER", "BUFFER", "CONSTANT_TENSOR"};
            static_assert(std::size(kinds) == std::size(role_names));
            w_.put(": ", kinds[static_cast<std::size_t>(n.role)]);
            if (n.role != input_role::user) w_.put(" target='", n.weight, "'");
            if (n.role == input_role::buffer) w_.put(" persistent=True");
            w_.put("\n");
        }
        w_.put("\n    # outputs\n");
        const auto results = returned_by(g_);
        for (std::int32_t i = 0; i < results.count; ++i) {
            w_.put("    ");
            const auto& a = g_[results[i]];
            if (a.kind == argument_kind::node) put_node(g_[a.node()]);
            print_output_kind(a.writes);
        }
        w_.put("\nRange constraints: ",
               style_.range_constraints.empty() ? std::string_view("{}") : style_.range_constraints, "\n");
    }

private:
    fx_writer<Sink>& w_;
    graph_view g_;
    const fx_style& style_;

    /// An input has the name of the definition here, `input`, even if the body calls it `input_1`.
    constexpr void put_node(const node& n) {
        n.kind == node_kind::placeholder && !n.target.empty() ? w_.put(n.target) : w_.put_name(n.name);
    }
    /// The role of a result: the new value of `into`, or a user output.
    constexpr void print_output_kind(node_id into) {
        if (!into.exists()) return w_.put(": USER_OUTPUT\n");
        const auto& n = g_[into];
        constexpr std::string_view kinds[] = {": USER_INPUT_MUTATION target='", ": PARAMETER_MUTATION target='",
                                              ": BUFFER_MUTATION target='", ": BUFFER_MUTATION target='"};
        static_assert(std::size(kinds) == std::size(role_names));
        w_.put(kinds[static_cast<std::size_t>(n.role)]);
        if (n.role == input_role::user) put_node(n);
        else w_.put(n.weight);
        w_.put("'\n");
    }
};

} // namespace ahead::detail
