// SPDX-License-Identifier: MIT
// The argument types of a run, and the compile-time check of the types that the caller passes.
// Invariant: a refusal is a single error, in the terms of the caller. Called by session.hpp.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/runtime/launch/instantiate_kernels.hpp>
#include <ahead/runtime/views.hpp>
#include <algorithm>
#include <array>

namespace AHEAD_NAMESPACE::detail {

/// "5 elements of f64", as far as the type determines it.
template <class Given> constexpr short_text describe_input() {
    short_text out;
    if constexpr (requires { Given::type::type.rank; }) {
        out << print(Given::type::type, !Given::is_contiguous()).view();
    } else if constexpr (requires(const Given& given) { std::data(given); }) {
        using element = std::remove_cvref_t<decltype(*std::data(std::declval<const Given&>()))>;
        constexpr auto size = static_size<Given>();
        if constexpr (size >= 0) out << size << " elements";
        else out << "elements";
        if constexpr (std::same_as<element, bool>) out << " of b8";
        else if constexpr (is_small_float<element>)
            out << (std::same_as<element, float16>       ? " of f16"
                    : std::same_as<element, bfloat16>    ? " of bf16"
                    : std::same_as<element, float8_e4m3> ? " of f8e4m3fn"
                                                         : " of f8e5m2");
        else if constexpr (is_complex_number<element>) out << " of c" << 8 * sizeof(element);
        else if constexpr (std::is_arithmetic_v<element>)
            out << " of "
                << (std::is_floating_point_v<element> ? "f"
                    : std::is_unsigned_v<element>     ? "u"
                                                      : "i")
                << 8 * sizeof(element);
        else out << " of a type of their own";
    } else {
        out << (std::is_arithmetic_v<Given> ? "a number" : "no array, span or vector");
    }
    return out;
}

/// The parameter type of a run for user input Nth.
template <class Program, std::int32_t Nth>
using run_input = std::conditional_t<Program::template input_port<Nth>::is_mutated,
                                     runtime::tensor_in_out<static_type<typename Program::template input_port<Nth>>>,
                                     runtime::tensor_input<static_type<typename Program::template input_port<Nth>>>>;

/// The names of the user inputs, copied here: an error message of a run must not pull the graph into the program.
template <class Program>
inline constexpr auto input_names = [] {
    std::array<label, static_cast<std::size_t>(Program::plan.inputs)> out{};
    std::size_t count = 0;
    const auto g = Program::lowered_graph();
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder && g[id].role == input_role::user && count < out.size())
            out[count++] = g[id].name;
    return out;
}();

/// Empty if the program does not have such an input.
template <class Program> constexpr short_text name_of_input(std::int32_t port) {
    const auto& names = input_names<Program>;
    return port >= 0 && static_cast<std::size_t>(port) < names.size() ? print(names[static_cast<std::size_t>(port)])
                                                                      : short_text();
}
/// The first error in the arguments of a run: their number, or what check_input.template operator()<Given, Nth>(d)
/// refuses for a type and the number of its input.
template <class Program, class... Given> constexpr diagnosis refuse_inputs([[maybe_unused]] auto check_input) {
    constexpr auto inputs = Program::plan.inputs;
    diagnosis wrong;
    wrong.op = "run";
    if constexpr (sizeof...(Given) != static_cast<std::size_t>(inputs)) {
        wrong.name = name_of_input<Program>(std::min(static_cast<std::int32_t>(sizeof...(Given)), inputs - 1));
        refuse(wrong, fault::input_count_differs, short_text() << inputs << " inputs",
               short_text() << sizeof...(Given));
    } else {
        [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
            (check_input.template operator()<Given, Nth>(wrong), ...);
        }(std::make_integer_sequence<std::int32_t, inputs>{});
    }
    return wrong;
}

/// Whether a run may be called with arguments of these types; lvalues are passed as reference types.
template <class Program, class... Given> struct checked_inputs {
    template <std::int32_t Nth> using input_of = run_input<Program, Nth>;
    static constexpr bool counted = sizeof...(Given) == static_cast<std::size_t>(Program::plan.inputs);
    template <class One, std::int32_t Nth> static constexpr void check_input(diagnosis& d) {
        if (!d.ok() || std::is_convertible_v<One, input_of<Nth>>) return;
        using wanted = input_of<Nth>;
        d.name = name_of_input<Program>(Nth);
        if constexpr (std::is_convertible_v<
                          One, runtime::tensor_input<static_type<typename Program::template input_port<Nth>>>>)
            refuse(d, fault::mutated_input_is_const, "a tensor that may be written", "one that is const, or temporary");
        refuse(d, fault::input_has_wrong_type,
               short_text(wanted::needs_order ? "as_stored(" : "")
                   << wanted::extent << " elements of "
                   << facts_of(Program::template input_port<Nth>::type.type).annotation
                   << (wanted::needs_order ? ") in the order of its strides" : ""),
               describe_input<std::remove_cvref_t<One>>());
    }
    static constexpr diagnosis error = [] {
        if constexpr (!Program::accepted) return diagnosis(); // has already been reported
        else
            return refuse_inputs<Program, Given...>(
                []<class One, std::int32_t Nth>(diagnosis& d) { check_input<One, Nth>(d); });
    }();
};

} // namespace ahead::detail
