// SPDX-License-Identifier: MIT
// A task as the call of its kernel, on tensors that lie at addresses. Called by instantiate_kernels.hpp, for calls that
// it reads off a graph, and by aot/task.hpp, for those that stand in sources.
// Invariant: what runs follows from the call and the addresses alone. A Call is what kernels/kernel_for.hpp says: op,
// key and has_key, epilogue, operators, tools.
#pragma once
#include <ahead/device/key/call_key.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/runtime/launch/address.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::runtime {

namespace detail {

/// Of a copy: g++ 12 takes a walk over the operands of a constant that has none for a change of it.
template <class Call> constexpr auto make_own_graph() {
    const auto key = Call::key;
    return device::own_graph(key, Call::op::name);
}
/// Of an operator without a key: the call by itself, which refuses by d.
template <class Call> call_view view_by_itself(diagnosis& d) {
    static constexpr auto own = make_own_graph<Call>();
    static constexpr bound_arguments bound = own.bind(Call::op::schema);
    return {own.storage.view(), own.call, bound, d};
}

} // namespace detail

/// at: of the operands, of the results, of the workspace.
template <std::size_t Operands, std::size_t Results>
[[gnu::always_inline]] inline kernels::ports<Operands, Results> ports_at(const region_bases& m, const address* at) {
    return [&]<std::size_t... In, std::size_t... Out>(std::index_sequence<In...>, std::index_sequence<Out...>)
               __attribute__((always_inline)) {
        return kernels::ports<Operands, Results>{{detail::resolve(m, at[In])...},
                                                 {const_cast<std::byte*>(detail::resolve(m, at[Operands + Out]))...},
                                                 m.arena + at[Operands + Results].offset};
               }(std::make_index_sequence<Operands>{}, std::make_index_sequence<Results>{});
}

/// d: a diagnosis where the kernel refuses, otherwise nothing. Gives what the kernel gives: whether it did it, where it
/// refuses.
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
/// The same, on what lies at the addresses that ports_at takes.
template <class Call, std::size_t Operands, std::size_t Results, class... Refusal>
[[gnu::always_inline]] inline auto run_kernel(const region_bases& m, const address* at, Refusal&... d) {
    const auto tensors = ports_at<Operands, Results>(m, at);
    return run_on<Call>(tensors, d...);
}

} // namespace ahead::runtime
