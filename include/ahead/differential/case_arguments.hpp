// SPDX-License-Identifier: MIT
// The arguments of a declared case: its tensors as placeholders, its attributes unchanged.
// Invariant: tensors are numbered consecutively over all cases, in case order. Called by case_graph.hpp.
#pragma once
#include <ahead/convert/supported.hpp>
#include <ahead/frontend/handles/call_arguments.hpp>
#include <concepts>

namespace AHEAD_NAMESPACE::detail {

/// Names for up to 100 tensors: "x00" to "x99".
inline constexpr auto case_names = [] {
    std::array<char, 300> out{};
    for (std::size_t i = 0; i < 100; ++i) {
        out[3 * i] = 'x';
        out[3 * i + 1] = static_cast<char>('0' + i / 10);
        out[3 * i + 2] = static_cast<char>('0' + i % 10);
    }
    return out;
}();
constexpr std::string_view case_name(std::int32_t i) { return {case_names.data() + 3 * i, 3}; }

/// Adds the tensors of the cases to the graph as placeholders.
struct case_tensors {
    graph g;
    diagnosis& d;

    template <class T> constexpr void add(T) {
        if constexpr (requires { T::type; }) place(T::type, input_role::user);
    }
    template <class T> constexpr void add(weight<T>) { place(T::type, input_role::parameter); }
    template <class... T> constexpr void add(tensor_list<T...>) { (add(T{}), ...); }
    template <fixed_string Name, class T> constexpr void add(keyword<Name, T>) { add(T{}); }

private:
    constexpr void place(const tensor_type& type, input_role role) {
        node n;
        n.kind = node_kind::placeholder;
        n.role = role;
        n.target = case_name(g.header().used.nodes);
        n.name = {n.target, 0};
        if (role == input_role::parameter) n.weight = n.target;
        node_id id;
        if (append_node(g, n, id, d) && reserve_values(g, id, 1, d))
            g.value_of(id) = {value_kind::tensor, type, g[id].values[0]};
    }
};

/// Builds the arguments of one case; each tensor takes the next placeholder.
struct case_arguments : argument_writer {
    std::int32_t& next_tensor;
    argument all[max_parameters + 64]{}; // followed by the elements of lists

    constexpr case_arguments(std::size_t count, std::int32_t& next_placeholder)
        : argument_writer{all, static_cast<std::int32_t>(count)}, next_tensor(next_placeholder) {}

    using argument_writer::add;
    template <class T>
        requires requires { T::type; }
    constexpr void add(T) {
        put(argument::of(node_id{next_tensor++}));
    }
    template <class T> constexpr void add(weight<T>) { put(argument::of(node_id{next_tensor++})); }
    template <class... T> constexpr void add(tensor_list<T...>) {
        put({.kind = argument_kind::list, .children = {next_element, sizeof...(T)}});
        ((all[next_element++] = std::same_as<T, none> ? argument{} : argument::of(node_id{next_tensor++})), ...);
    }
    template <fixed_string Digits> constexpr void add(real<Digits>) {
        argument a{.kind = argument_kind::real};
        read_decimal(spelled<Digits>.view(), a.bits);
        put(a);
    }
    template <fixed_string Name, class T> constexpr void add(const keyword<Name, T>& k) {
        add(T{});
        all[next - 1].keyword = k.name.view();
    }

private:
    template <fixed_string Text> static constexpr fixed_string spelled = Text;
};

} // namespace ahead::detail
