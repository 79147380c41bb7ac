// SPDX-License-Identifier: MIT
// What a task is in sources that generate/ writes: a kernel by its key, called on addresses that stand there. These
// sources include this, the kernels, and no graph.
//     struct kernel_3 : written_call<device::matmul> { static constexpr device::matmul_key key{.m = 8, ...}; };
//     constexpr address at_7[] = {arena(0), constants(1024), arena(4096), workspace(0)};
//     bool task_7(const region_bases& m, diagnosis* d) { return call<kernel_3, 1>({"aten.mm.default", "mm", 4}, at_7, m, d);
//     }
// Invariant: a task does what instantiate_kernels.hpp makes of the same call: the same kernel, by the same key.
#pragma once
#include <ahead/device/key/epilogue.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/runtime/launch/run_kernel.hpp>
#include <cstddef>

namespace AHEAD_NAMESPACE::aot {

using ahead::diagnosis;
using runtime::address;
using runtime::region_bases;

/// A task of a written program. run: false where its kernel refuses what it is given, and *d says why. at: where its
/// operands lie, in their order, then its results, then its workspace.
struct task {
    bool (*run)(const region_bases& m, diagnosis* d);
    const address* at;
    std::int32_t addresses;
};

// Where something lies, `offset` bytes into it.
constexpr address input(std::int32_t port, std::int64_t offset = 0) { return {region::input, port, offset}; }
constexpr address parameter(std::int32_t port, std::int64_t offset = 0) { return {region::parameter, port, offset}; }
constexpr address state(std::int32_t inputs, std::int64_t offset = 0) { return {region::state, inputs, offset}; }
constexpr address constants(std::int64_t offset) { return {region::constants, 0, offset}; }
constexpr address arena(std::int64_t offset) { return {region::arena, 0, offset}; }
constexpr address scratch(std::int64_t offset) { return {region::scratch, 0, offset}; }
constexpr address workspace(std::int64_t offset) { return {region::nowhere, 0, offset}; }

/// In the place of a toolchain that says nothing of how tasks run.
struct any_tools {};

/// A base of what a kernel_for is given: Op's key beside it, and epilogue and operators where the call has some.
template <class Op, class Tools = any_tools> struct written_call {
    using op = Op;
    using tools = Tools;
    using operators = op_list<>;
    static constexpr device::epilogue_key epilogue{};
    static constexpr bool has_key = true;
};
/// The same of an operator that reads its call at run time. Call: the struct itself, whose key is the call.
template <class Call, class Op, class Tools = any_tools> struct written_call_by_itself : written_call<Op, Tools> {
    static constexpr bool has_key = false;
    static call_view view(diagnosis& d) { return runtime::detail::view_by_itself<Call>(d); }
};

/// The call that a task stands for, as a refusal names it.
struct origin {
    std::string_view op, name;
    std::int32_t line;
};

/// Runs Call's kernel, whose last `Results` tensors are written. d may be null where no kernel of the program refuses.
template <class Call, std::size_t Results, std::size_t Count>
[[gnu::always_inline]] inline bool call(const origin& of, const address (&at)[Count], const region_bases& m,
                                        diagnosis* d) {
    constexpr auto operands = Count - 1 - Results;
    if constexpr (kernels::kernel_refuses<typename Call::op>) {
        const bool done = runtime::run_kernel<Call, operands, Results>(m, at, *d);
        if (!done && d->op.length == 0) {
            d->op = of.op;
            d->name = of.name;
            d->line = of.line;
        }
        return done;
    } else {
        runtime::run_kernel<Call, operands, Results>(m, at);
        return true;
    }
}
/// The same as a function that all tasks of the kernel share: of what is done once, there is much.
template <class Call, std::size_t Results, std::size_t Count>
[[gnu::noinline]] bool call_shared(const origin& of, const address (&at)[Count], const region_bases& m, diagnosis* d) {
    return call<Call, Results>(of, at, m, d);
}

} // namespace ahead::aot
