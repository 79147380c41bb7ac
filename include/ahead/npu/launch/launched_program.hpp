// SPDX-License-Identifier: MIT
// The program of a launch: that of prepared weights, that of states, or one compiled from an expression of handles for
// tensors of these types.
// Invariant: equal lambdas and types share one program. Called by npu/launch.hpp.
#pragma once
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/npu/launch/states.hpp>

namespace AHEAD_NAMESPACE::npu::detail {

template <std::size_t Nth> constexpr auto input_name() {
    if constexpr (Nth < 10) return fixed_string<4>({'i', 'n', static_cast<char>('0' + Nth), 0});
    else return fixed_string<5>({'i', 'n', static_cast<char>('0' + Nth / 10), static_cast<char>('0' + Nth % 10), 0});
}

/// The calls that F makes for tensors of these types, in the form that trace() takes.
template <class F, class... Types> struct eager_signature {
    static constexpr std::int32_t members = sizeof...(Types);
    template <std::size_t... Nth> static constexpr auto call(recorder& trace, std::index_sequence<Nth...>) {
        return F{}(bind<frontend::input<input_name<Nth>(), Types>>(trace)...);
    }
    template <class Input> static constexpr Input bind(recorder& trace) {
        return {&trace, trace.placeholder(Input::name.view(), {}, input_role::user, Input::tensor::type)};
    }
    using result = decltype(call(std::declval<recorder&>(), std::index_sequence_for<Types...>{}));
    static constexpr void run(recorder& trace) {
        const auto returned = call(trace, std::index_sequence_for<Types...>{});
        if constexpr (!ahead::detail::is_outputs<result>) static_cast<void>(outputs(returned));
    }
};
template <class T> inline constexpr bool is_refused = std::same_as<T, handle<unknown>>;

template <class F, class... Types> constexpr auto choose_eager() {
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
        return ahead::detail::refused_trace<require<ahead::detail::captures<F>>>{};
    } else {
        using signature = eager_signature<F, Types...>;
        if constexpr (is_refused<typename signature::result>)
            return ahead::detail::refused_trace<ahead::detail::nothing_to_report>{};
        else return ahead::detail::filled_trace<signature, aten::registry>{};
    }
}
template <class F, class... Types> struct eager_front : decltype(choose_eager<F, Types...>()) {
    using registry = aten::registry;
    static constexpr diagnosis error{};
    static_assert(sizeof(typename eager_front::refusal) > 0);
};

/// The program of a launch of F, and whether F is prepared weights or an expression.
template <class F, class... Given> struct launched {
    template <class... T> static auto make(const tensor<T>&...) -> compiled_graph<eager_front<F, T...>>;
    using program = decltype(make(std::declval<const Given&>()...));
    static const std::byte* constants(const F&) { return nullptr; }
    static block_lease states(const F&) { return {}; }
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "launch";
        if (program::plan.constant_bytes != 0)
            refuse(d, fault::program_has_constants, "an expression without constant tensors",
                   short_text() << program::plan.constant_bytes << " bytes of them");
        return d;
    }();
};
template <class F, class... Given>
    requires(!(is_tensor<Given> && ...))
struct launched<F, Given...> {
    static constexpr diagnosis error = [] {
        constexpr bool are_tensors[] = {is_tensor<Given>...};
        std::size_t first = 0;
        while (are_tensors[first]) ++first;
        diagnosis d;
        d.op = "launch";
        d.name = short_text("in") << first;
        refuse(d, fault::input_has_wrong_type, "a tensor of the device", "a value of the host");
        return d;
    }();
};
template <class Program, class... Given> struct launched<prepared_weights<Program>, Given...> {
    using program = Program;
    static const std::byte* constants(const prepared_weights<Program>& w) { return w.constants(); }
    static block_lease states(const prepared_weights<Program>&) { return {}; }
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "launch";
        if (Program::accepted && Program::plan.states > 0)
            refuse(d, fault::program_keeps_states, "npu::states of these weights",
                   short_text() << Program::plan.states << " of them written");
        return d;
    }();
};
template <class Program, class... Given> struct launched<states<Program>, Given...> {
    using program = Program;
    static const std::byte* constants(const npu::states<Program>& s) { return s.constants(); }
    static const block_lease& states(const npu::states<Program>& s) { return s.memory(); }
    static constexpr diagnosis error{};
};

} // namespace ahead::npu::detail
