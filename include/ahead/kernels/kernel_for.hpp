// SPDX-License-Identifier: MIT
// What runs a device operator: its kernel_for, specialised in the file of the kernel. It gets a key and the addresses
// of tensors, nothing of a program or a graph, so it can be called by whoever writes these down.
// Invariant: which instructions run depends on the key alone. Called by runtime/launch/instantiate_kernels.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

/// What runs DeviceOp. It has one of
///     template <auto Key> static void run(const auto& ports);
///     template <class Call> static void run_call(const auto& ports);
///     static void run(const call_view& call, const auto& ports);
/// The first for keys that are short enough for symbols. The second for others: Call::key is the key, Call::epilogue
/// what follows a product (device/key/epilogue.hpp), Call::operators the list of ATen operators that steps are, one for
/// each, Call::tools the toolchain, and, where there is no key, Call::view(d) the call by itself. The third for
/// operators without a key, as the AI CPU runs them: `call` is by itself, the only one of a graph of its own
/// (device/key/call_key.hpp), and read at run time.
/// A kernel that may refuse what it is given, an index for example, says `static constexpr bool refuses = true`: then
/// each of these returns bool and takes a `diagnosis&` more, which says why where it returns false; what is behind it
/// does not run. Which call it was is filled in by whoever called.
template <class DeviceOp> struct kernel_for;

/// Whether the operator's kernel may refuse what it is given.
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
concept gives = std::is_void_v<Wanted> || std::same_as<Given, Wanted>; // what gives void is not looked at
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

/// Whether Kernel runs Call, given the task's ports, and a diagnosis where it refuses: then Result is bool, else void.
template <class Kernel, class Call, class Result, class... Given>
concept kernel_like =
    detail::takes_call<Kernel, Call, Result, Given...> || detail::takes_key<Kernel, Call, Result, Given...> ||
    detail::takes_view<Kernel, Call, Result, Given...>;

} // namespace ahead::kernels
