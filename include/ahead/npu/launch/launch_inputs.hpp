// SPDX-License-Identifier: MIT
// The arguments of a launch: the compiler checks the types of the tensors, and the host builds their operands.
// Invariant: a launch is refused before any of it has begun. Called by npu/launch.hpp, npu/compiled_graphs.hpp.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/npu/host_parameter.hpp>
#include <ahead/npu/launch/states.hpp>

namespace AHEAD_NAMESPACE::npu::detail {

template <class T> struct tensor_type_of;
template <class Type> struct tensor_type_of<tensor<Type>> {
    using type = Type;
};
template <class Type> struct tensor_type_of<host_parameter<Type>> {
    using type = Type;
};
/// Whether One is a tensor of this type, or a host parameter.
template <class One, class Type> constexpr bool is_tensor_of() {
    if constexpr (requires { typename tensor_type_of<std::remove_cvref_t<One>>::type; })
        return std::same_as<typename tensor_type_of<std::remove_cvref_t<One>>::type, Type>;
    else return false;
}

/// Whether a program may be launched with references to tensors of these types.
template <class Program, class... Given> struct launch_inputs {
    template <class One, std::int32_t Nth> static constexpr void check_input(diagnosis& d) {
        using port = typename Program::template input_port<Nth>;
        using wanted = static_type<port>;
        if (!d.ok()) return;
        d.name = ahead::detail::name_of_input<Program>(Nth);
        if constexpr (!is_tensor_of<One, wanted>())
            refuse(d, fault::input_has_wrong_type, ahead::print(port::type), found<One>());
        else if (port::is_mutated && is_host_parameter<std::remove_cvref_t<One>>)
            refuse(d, fault::mutated_input_is_const, "a tensor that may be written",
                   "a host parameter, which its updates alone write");
        else if (port::is_mutated &&
                 (!std::is_lvalue_reference_v<One> || std::is_const_v<std::remove_reference_t<One>>))
            refuse(d, fault::mutated_input_is_const, "a tensor that may be written", "one that is const, or temporary");
        else d.name = {};
    }
    template <class One> static constexpr short_text found() {
        if constexpr (requires { typename tensor_type_of<std::remove_cvref_t<One>>::type; })
            return ahead::print(tensor_type_of<std::remove_cvref_t<One>>::type::type);
        else return "a value of the host";
    }
    static constexpr diagnosis error = [] {
        diagnosis d;
        if constexpr (!Program::accepted) return d; // reported elsewhere
        d.op = "launch";
        if constexpr (sizeof...(Given) != static_cast<std::size_t>(Program::plan.inputs)) {
            refuse(d, fault::input_count_differs, short_text() << Program::plan.inputs << " tensors",
                   short_text() << sizeof...(Given));
        } else {
            [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
                (check_input<Given, Nth>(d), ...);
            }(std::make_integer_sequence<std::int32_t, sizeof...(Given)>{});
        }
        return d;
    }();
};

/// Whether a run reads user input `port`; false if it only writes it.
constexpr bool is_read(graph_view g, std::int32_t port) {
    for (node_id id : g) {
        if (g[id].kind != node_kind::placeholder || g[id].role != input_role::user || port-- != 0) continue;
        for (auto use = g[id].first_use; use.exists(); use = g[use].next_use)
            if (const auto& user = g[g[use].owner]; !device::is_assign(user) || use != user.arguments[0]) return true;
    }
    return false;
}

/// The operands of a launch of Program: the tensors given, and then its states, if it has any. pre: the tensors have
/// the right types. Throws tensor_is_empty, device_is_another, inputs_overlap.
template <class Program, class... Types>
auto operands_of(const context& npu, const block_lease& states, const tensor<Types>&... given) {
    constexpr bool has_states = Program::plan.states > 0;
    const context* const owners[] = {given.memory().npu()..., has_states ? states.npu() : &npu};
    for (const auto* one : owners) {
        if (one == nullptr)
            refuse_call(fault::tensor_is_empty, "launch", {}, "tensors that hold memory", "one that does not");
        npu.check_mine(one, "launch");
    }
    return [&]<std::int32_t... In>(std::integer_sequence<std::int32_t, In...>) {
        constexpr bool written[] = {Program::template input_port<In>::is_mutated..., false};
        constexpr bool read[] = {is_read(Program::lowered_graph(), In)..., false};
        const std::array<const std::byte*, sizeof...(In)> ends{
            reinterpret_cast<const std::byte*>(given.data() + tensor<Types>::storage_extent)...};
        std::array<operand, sizeof...(In) + has_states> operands{
            operand{given.memory().block(), reinterpret_cast<const std::byte*>(given.data()), written[In],
                    written[In] && read[In]}...};
        if constexpr (has_states) operands.back() = operand_of(npu, states);
        for (std::size_t i = 0; i < sizeof...(In); ++i)
            for (std::size_t k = 0; written[i] && k < sizeof...(In); ++k)
                if (i != k && operands[i].address < ends[k] && operands[k].address < ends[i])
                    refuse_call(fault::inputs_overlap, "launch",
                                ahead::detail::name_of_input<Program>(static_cast<std::int32_t>(i)),
                                "memory of its own, because the graph writes it", "that of another input");
        for (std::size_t i = 0; has_states && i < sizeof...(In); ++i)
            if (operands[i].block == states.block())
                refuse_call(fault::inputs_overlap, "launch",
                            ahead::detail::name_of_input<Program>(static_cast<std::int32_t>(i)),
                            "memory of its own, because the graph writes its states", "that of the states");
        return operands;
    }(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
}

} // namespace ahead::npu::detail
