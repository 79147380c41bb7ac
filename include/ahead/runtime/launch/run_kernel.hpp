// SPDX-License-Identifier: MIT
// Runs a task as a call of its kernel on tensors given by addresses. Called by instantiate_kernels.hpp for calls read
// from a graph, and by aot/task.hpp for calls written in sources.
// Invariant: the code that runs depends on the call and the addresses only. A Call is defined in
// kernels/kernel_for.hpp: op, key and has_key, epilogue, operators, tools.
#pragma once
#include <ahead/device/key/call_key.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/runtime/launch/address.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::runtime {

namespace detail {

/// Works on a copy: g++ 12 treats iterating over the operands of a constant without operands as a modification of it.
template <class Call> constexpr auto make_own_graph() {
    const auto key = Call::key;
    return device::own_graph(key, Call::op::name);
}
/// For an operator without a key: the call by itself; errors in it are reported in d.
template <class Call> call_view view_by_itself(diagnosis& d) {
    static constexpr auto own = make_own_graph<Call>();
    static constexpr bound_arguments bound = own.bind(Call::op::schema);
    return {own.storage.view(), own.call, bound, d};
}

} // namespace detail

/// at: addresses of the operands, the results and the workspace, in this order.
template <std::size_t Operands, std::size_t Results>
[[gnu::always_inline]] inline kernels::ports<Operands, Results> ports_at(const region_bases& m, const address* at) {
    return [&]<std::size_t... In, std::size_t... Out>(std::index_sequence<In...>, std::index_sequence<Out...>)
               __attribute__((always_inline)) {
        return kernels::ports<Operands, Results>{{detail::resolve(m, at[In])...},
                                                 {const_cast<std::byte*>(detail::resolve(m, at[Operands + Out]))...},
                                                 m.arena + at[Operands + Results].offset};
               }(std::make_index_sequence<Operands>{}, std::make_index_sequence<Results>{});
}

/// d: a diagnosis if the kernel may refuse, otherwise empty. Returns the kernel's result: whether it ran, if it may
/// refuse.
template <class Call, class Ports, class... Refusal>
[[gnu::always_inline]] inline auto run_on(const Ports& tensors, Refusal&... d) {
    using kernel = kernels::kernel_for<typename Call::op>;
    if constexpr (kernels::detail::takes_call<kernel, Call, void, const Ports, Refusal...>)
        return kernel::template run_call<Call>(tensors, d...);
    else if constexpr (Call::has_key) return kernel::template run<Call::key>(tensors, d...);
    else if constexpr (sizeof...(Refusal) > 0) return kernel::run(Call::view(d...), tensors, d...);
    else {
        diagnosis unused;
        return kernel::run(Call::view(unused), tensors);
    }
}
/// The same on the tensors at the addresses that ports_at takes.
template <class Call, std::size_t Operands, std::size_t Results, class... Refusal>
[[gnu::always_inline]] inline auto run_kernel(const region_bases& m, const address* at, Refusal&... d) {
    const auto tensors = ports_at<Operands, Results>(m, at);
    return run_on<Call>(tensors, d...);
}

} // namespace ahead::runtime
