// SPDX-License-Identifier: MIT
// The kernel of a device operator: its kernel_for, specialised in the file of the kernel. It gets a key and the
// addresses of tensors, but no program or graph, so any caller that has these can use it.
// Invariant: the instructions that run depend only on the key. Called by runtime/launch/instantiate_kernels.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

/// The kernel of DeviceOp. It has one of
///     template <auto Key> static void run(const auto& ports);
///     template <class Call> static void run_call(const auto& ports);
///     static void run(const call_view& call, const auto& ports);
/// The first is for keys that are short enough for symbols. The second is for all others: Call::key is the key,
/// Call::epilogue the epilogue of a product (device/key/epilogue.hpp), Call::operators the list of ATen operators of
/// the steps, one for each, Call::tools the toolchain, and, for a call without key, Call::view(d) the call by itself.
/// The third is for operators without a key, as run by the AI CPU: `call` is by itself, the only one of its graph
/// (device/key/call_key.hpp), and read at run time.
/// A kernel reads members of its key as constants. It binds none to a reference at run time, as std::bit_cast does:
/// clang then reads another member, if the key begins with a smaller one and ends with padding.
/// A kernel that may refuse its input, for example an index, declares `static constexpr bool refuses = true`: then each
/// of these returns bool and takes an additional `diagnosis&`, which gets the reason if it returns false; the tasks
/// after it do not run. The caller fills in which call it was.
template <class DeviceOp> struct kernel_for;

/// Whether the operator's kernel may refuse its input.
template <class DeviceOp>
inline constexpr bool kernel_refuses = requires {
    requires std::same_as<decltype(kernel_for<DeviceOp>::refuses), const bool>;
    requires kernel_for<DeviceOp>::refuses;
};

/// Addresses of a task's tensors: the first element of each operand, in the order of the arguments, and of each result.
template <std::size_t Inputs, std::size_t Outputs> struct ports {
    std::array<const std::byte*, Inputs> inputs;
    std::array<std::byte*, Outputs> outputs;
    std::byte* workspace;

    template <class T> const T* in(std::size_t i) const { return reinterpret_cast<const T*>(inputs[i]); }
    template <class T> T* out(std::size_t i = 0) const { return reinterpret_cast<T*>(outputs[i]); }
    template <class T> const T* in_or_null(std::size_t i) const {
        if constexpr (Inputs > 0)
            if (i < Inputs) return reinterpret_cast<const T*>(inputs[i]);
        return nullptr;
    }
};

namespace detail {
template <class Given, class Wanted>
concept gives = std::is_void_v<Wanted> || std::same_as<Given, Wanted>; // void accepts any result type
template <class Kernel, class Call, class Result, class... Given>
concept takes_call = requires(Given&... given) {
    { Kernel::template run_call<Call>(given...) } -> gives<Result>;
};
template <class Kernel, class Call, class Result, class... Given>
concept takes_key = Call::has_key && requires(Given&... given) {
    { Kernel::template run<Call::key>(given...) } -> gives<Result>;
};
template <class Kernel, class Call, class Result, class... Given>
concept takes_view = !Call::has_key && requires(diagnosis& d, Given&... given) {
    { Kernel::run(Call::view(d), given...) } -> gives<Result>;
};
} // namespace detail

/// Whether Kernel can run Call, given the task's ports, and a diagnosis if it may refuse: then Result is bool, else
/// void.
template <class Kernel, class Call, class Result, class... Given>
concept kernel_like =
    detail::takes_call<Kernel, Call, Result, Given...> || detail::takes_key<Kernel, Call, Result, Given...> ||
    detail::takes_view<Kernel, Call, Result, Given...>;

} // namespace ahead::kernels
