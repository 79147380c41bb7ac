// SPDX-License-Identifier: MIT
// The errors of a lambda that cannot be traced, and the empty graph that replaces it.
// Invariant: one error only: uses of the graph cause no second one. Called by trace.hpp, npu/launch.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/frontend/handles/trace/signature.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class F> struct captures {
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "trace";
        refuse(d, fault::lambda_has_captures, "a lambda that begins with []", "captured variables");
        return d;
    }();
};
template <class Signature> struct names {
    static constexpr diagnosis error = Signature::check_names();
};

/// The graph of a trace after an error was reported.
struct empty_trace {
    static constexpr ir::capacity capacity{1, 0, 0};
    static constexpr graph_storage<capacity> storage = [] {
        graph_storage<capacity> out;
        std::array<node_names::slot, slots_for(capacity)> slots;
        node_names names(slots);
        recorder(out.edit(), names).output({}, 0);
        return out;
    }();
};

struct nothing_to_report {};

/// An empty graph with an error, which is reported when its type is completed; and the intended number of results.
template <class Refusal, std::int32_t Returned = 1> struct refused_trace : empty_trace {
    using refusal = Refusal;
    static constexpr std::int32_t returned = Returned;
};
template <bool Given> struct parameters_are_typed {
    static_assert(
        Given,
        "trace: the lambda has an error of its own, or else: give every parameter of the lambda a type, input<...>, "
        "param<...> or a struct of these");
};
template <bool Given> struct parameters_are_tensors {
    static_assert(Given, "trace: the lambda's parameters are input<...>, param<...> or structs of these");
};
template <bool Given> struct result_is_outputs {
    static_assert(Given, "trace: the lambda returns outputs(...)");
};

} // namespace ahead::detail
