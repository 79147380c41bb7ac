// SPDX-License-Identifier: MIT
// The compilation that a pass runs in, for passes that take it in place of the options:
//     constexpr void operator()(graph_editor& g, const pass::context& c) const {
//         if (c.device.cores > 1) ...
//         for (const auto& input : c.inputs) ... input.name, input.role, input.type
//     }
// Invariant: the device is the one that the plan is made for; inputs are those of the whole graph, also while a pass
// runs on a block. Made by pipeline.hpp.
#pragma once
#include <ahead/ir/graph.hpp>
#include <ahead/machine/device.hpp>
#include <ahead/pass/config.hpp>

namespace AHEAD_NAMESPACE::pass {

/// Options and device of a compilation. From options alone: for machine::npu, the device of toolchain<>.
struct setting {
    const config& options;
    const machine::device& device;

    constexpr setting(const config& given, const machine::device& on = machine::npu) : options(given), device(on) {}
};

/// An input of the graph, as a run gets it: torch.fx's example input.
struct example_input {
    std::string_view name;   // in the definition of the text, or of the handle
    std::string_view weight; // in the weight file; empty for a user's input
    input_role role;
    const tensor_type& type;
};

/// The inputs of a typed graph, in the order of its definition.
class example_inputs {
public:
    class iterator {
    public:
        constexpr iterator(graph_view g, node_id at) : g_(g), at_(at) { to_input(); }
        constexpr example_input operator*() const {
            const auto& n = g_[at_];
            return {n.target.empty() ? n.name.text : n.target, n.weight, n.role, g_.value_of(at_).type};
        }
        constexpr iterator& operator++() {
            at_ = g_[at_].next;
            to_input();
            return *this;
        }
        constexpr bool operator==(const iterator& other) const { return at_ == other.at_; }

    private:
        constexpr void to_input() {
            while (at_.exists() && g_[at_].kind != node_kind::placeholder) at_ = g_[at_].next;
        }
        graph_view g_;
        node_id at_;
    };

    constexpr explicit example_inputs(graph_view g) : g_(g) {}
    constexpr iterator begin() const { return {g_, g_.first()}; }
    constexpr iterator end() const { return {g_, {}}; }
    constexpr std::int32_t size() const {
        std::int32_t out = 0;
        for (auto it = begin(); it != end(); ++it) ++out;
        return out;
    }
    /// pre: i < size()
    constexpr example_input operator[](std::int32_t i) const {
        auto it = begin();
        while (i-- > 0) ++it;
        return *it;
    }

private:
    graph_view g_;
};

struct context {
    const config& options;
    const machine::device& device;
    example_inputs inputs;
};

} // namespace ahead::pass
