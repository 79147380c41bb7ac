// SPDX-License-Identifier: MIT
// The outputs of a launch with the aliasing of the graph: outputs that share storage share memory, and an output that
// is an input, or a view of one, is the caller's tensor. A program computes such an output into new memory, so that a
// session may return it; that copy is not used here.
// Invariant: the captured graph says whose storage an output has. Called by compiled_graphs.hpp.
#pragma once
#include <ahead/npu/launch.hpp>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

/// Returned value i of a captured graph; new values of inputs and weights are not counted.
constexpr argument returned(graph_view g, std::int32_t i) {
    argument found;
    for_each_operand(g, g[g.last()].arguments, [&](const argument& a) {
        if (!a.writes.exists() && i-- == 0) found = a;
    });
    return found;
}
/// The index of the user input with this storage; -1: none.
constexpr std::int32_t input_with(graph_view g, value_id storage) {
    std::int32_t port = 0;
    for (node_id id : g) {
        if (g[id].kind != node_kind::placeholder || g[id].role != input_role::user) continue;
        if (g.value_of(id).storage == storage) return port;
        ++port;
    }
    return -1;
}
constexpr std::int64_t begin_of(const tensor_type& t) { return bytes_of(t.type, t.offset); }

template <class Program, std::int32_t Nth> struct output_source {
    static constexpr graph_view g = Program::captured();
    static constexpr const value& from = g.value_of(returned(g, Nth));
    static constexpr std::int32_t input = input_with(g, from.storage);
    static constexpr std::int64_t offset = begin_of(from.type) - begin_of(g[from.storage].type);
    static constexpr tensor_type type = [] {
        auto t = from.type;
        t.offset = 0;
        return t;
    }();
};

} // namespace detail

/// Output Nth: in `memory`, or one of the tensors given. IsNumber: flags the inputs that are numbers, whose values
/// change later.
template <class Program, std::int32_t Nth, auto IsNumber, class... Types>
auto rebuilt_output(const block_lease& memory, const tensor<Types>&... given) {
    using source = detail::output_source<Program, Nth>;
    if constexpr (source::input < 0 || IsNumber[source::input < 0 ? 0 : static_cast<std::size_t>(source::input)]) {
        return detail::output_in<Program, Nth>(memory);
    } else {
        const auto& in = std::get<static_cast<std::size_t>(source::input)>(std::tie(given...));
        auto* begin = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(in.data()));
        return tensor<static_type<source>>(in.memory(), begin + source::offset);
    }
}

} // namespace ahead::npu
