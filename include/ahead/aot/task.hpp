// SPDX-License-Identifier: MIT
// A task in sources that generate/ writes: a kernel by its key, called on addresses that are literals in the source.
// These sources include this header and the kernels, but no graph.
//     struct kernel_3 : written_call<device::matmul> { static constexpr device::matmul_key key{.m = 8, ...}; };
//     constexpr address at_7[] = {arena(0), constants(1024), arena(4096), workspace(0)};
//     bool task_7(const region_bases& m, diagnosis* d) {
//         return call<kernel_3, 1>({"aten.mm.default", "mm", 4}, at_7, m, d);
//     }
// Invariant: a task does the same as instantiate_kernels.hpp for that call: the same kernel, by the same key.
#pragma once
#include <ahead/device/key/epilogue.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/runtime/launch/run_kernel.hpp>
#include <cstddef>

namespace AHEAD_NAMESPACE::aot {

using core::diagnosis;
using runtime::address;
using runtime::region_bases;

/// A task of a written program. run: false if its kernel refuses its input; *d then gives the reason. at: the addresses
/// of its operands, in their order, then of its results, then of its workspace.
struct task {
    bool (*run)(const region_bases& m, diagnosis* d);
    const address* at;
    std::int32_t addresses;
};

// The address `offset` bytes into a region.
constexpr address input(std::int32_t port, std::int64_t offset = 0) { return {region::input, port, offset}; }
constexpr address parameter(std::int32_t port, std::int64_t offset = 0) { return {region::parameter, port, offset}; }
constexpr address state(std::int32_t inputs, std::int64_t offset = 0) { return {region::state, inputs, offset}; }
constexpr address constants(std::int64_t offset) { return {region::constants, 0, offset}; }
constexpr address arena(std::int64_t offset) { return {region::arena, 0, offset}; }
constexpr address scratch(std::int64_t offset) { return {region::scratch, 0, offset}; }
constexpr address workspace(std::int64_t offset) { return {region::nowhere, 0, offset}; }

/// Stands in for a toolchain that does not specify how tasks run.
struct any_tools {};

/// A base of the type that kernel_for takes: it lacks only the key of Op, and epilogue and operators if the call has
/// some.
template <class Op, class Tools = any_tools> struct written_call {
    using op = Op;
    using tools = Tools;
    using operators = op_list<>;
    static constexpr device::epilogue_key epilogue{};
    static constexpr bool has_key = true;
};
/// The same for an operator that reads its call at run time. Call: the struct itself, whose key is the call.
template <class Call, class Op, class Tools = any_tools> struct written_call_by_itself : written_call<Op, Tools> {
    static constexpr bool has_key = false;
    static call_view view(diagnosis& d) { return runtime::detail::view_by_itself<Call>(d); }
};

/// The call that a task implements, as a refusal names it.
struct origin {
    std::string_view op, name;
    std::int32_t line;
};

/// Runs the kernel of Call, which writes its last `Results` tensors. d may be null if no kernel of the program refuses.
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
/// The same as a function that all tasks of the kernel share: keeps code small where many calls are executed only once.
template <class Call, std::size_t Results, std::size_t Count>
[[gnu::noinline]] bool call_shared(const origin& of, const address (&at)[Count], const region_bases& m, diagnosis* d) {
    return call<Call, Results>(of, at, m, d);
}

/// For sources of tasks: `using namespace ahead::aot` would bring the names of all rooms (core/build.hpp).
namespace task_names {
using aot::address, aot::arena, aot::call, aot::call_shared, aot::constants, aot::diagnosis, aot::input, aot::parameter,
    aot::region_bases, aot::scratch, aot::state, aot::task, aot::workspace, aot::written_call,
    aot::written_call_by_itself;
} // namespace task_names

} // namespace ahead::aot
