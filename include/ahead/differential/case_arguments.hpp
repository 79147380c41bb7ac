// SPDX-License-Identifier: MIT
// The arguments of a declared case: its tensors as placeholders, its attributes as they stand.
// Invariant: tensors are numbered through all cases, in their order. Called by case_graph.hpp.
#pragma once
#include <ahead/convert/supported.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Names for that many tensors: "x00" to "x99".
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

/// Writes the tensors of the cases down as placeholders.
struct case_tensors {
    graph g;
    diagnosis& d;

    template <class T> constexpr void add(T) {
        if constexpr (requires { T::type; }) place(T::type, input_role::user);
    }
    template <class T> constexpr void add(weight<T>) { place(T::type, input_role::parameter); }
    template <class... T> constexpr void add(tensor_list<T...>) { (place(T::type, input_role::user), ...); }
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

/// The arguments of one case, each tensor the next placeholder.
struct case_arguments {
    std::int32_t next_tensor;
    std::int32_t count = 0, used = 0;
    argument given[max_parameters]{}, elements[64]{};

    constexpr void put(const argument& a) { given[count++] = a; }
    template <class T>
        requires requires { T::type; }
    constexpr void add(T) {
        put(argument::of(node_id{next_tensor++}));
    }
    template <class T> constexpr void add(weight<T>) { put(argument::of(node_id{next_tensor++})); }
    template <class... T> constexpr void add(tensor_list<T...>) {
        put({.kind = argument_kind::list, .children = {used, sizeof...(T)}});
        for (std::size_t i = 0; i < sizeof...(T); ++i) elements[used++] = argument::of(node_id{next_tensor++});
    }
    template <std::int64_t... Values> constexpr void add(ints<Values...>) {
        put({.kind = argument_kind::list, .children = {used, sizeof...(Values)}});
        ((elements[used++] = argument::of(Values)), ...);
    }
    template <std::int64_t Value> constexpr void add(integer<Value>) { put(argument::of(Value)); }
    template <bool Value> constexpr void add(flag<Value>) { put(argument::of(Value)); }
    template <dtype Type> constexpr void add(dtype_is<Type>) { put(argument::of(Type)); }
    template <fixed_string Text> constexpr void add(word<Text>) {
        put({.kind = argument_kind::string, .text = word<Text>::text.view()});
    }
    template <fixed_string Digits> constexpr void add(real<Digits>) {
        argument a{.kind = argument_kind::real};
        read_decimal(spelled<Digits>.view(), a.bits);
        put(a);
    }
    constexpr void add(none) { put({}); }
    template <fixed_string Name, class T> constexpr void add(keyword<Name, T>) {
        add(T{});
        given[count - 1].keyword = keyword<Name, T>::name.view();
    }

private:
    template <fixed_string Text> static constexpr fixed_string spelled = Text;
};

} // namespace ahead::detail
