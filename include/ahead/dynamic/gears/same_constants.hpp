// SPDX-License-Identifier: MIT
// Whether two programs of the same weights read the same constants: those that one of them prepared then serve both.
// Invariant: same_constants<A, B> is true only if prepare of A and of B would write the same bytes at the same offsets:
// by the same copies, and the same kernels at the same addresses. Called by compiled_gears.hpp.
#pragma once
#include <ahead/runtime/launch/instantiate_kernels.hpp>
#include <ahead/runtime/launch/parameters.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::detail {

/// Whether keys are equal; false for keys of different types.
template <class A, class B> constexpr bool is_same_key(const A& a, const B& b) {
    if constexpr (std::is_same_v<A, B>) return a == b;
    else return false;
}

/// Whether task T of both programs has the same kernel, at the same addresses.
template <class A, class B, std::int32_t T> constexpr bool is_same_task() {
    using a = runtime::detail::kernel_call<A, T>;
    using b = runtime::detail::kernel_call<B, T>;
    constexpr const auto& in_a = runtime::detail::kernel_calls<A>::made;
    constexpr const auto& in_b = runtime::detail::kernel_calls<B>::made;
    constexpr auto first_a = in_a.first[T], first_b = in_b.first[T], count = in_a.first[T + 1] - first_a;
    if constexpr (!std::is_same_v<typename a::op, typename b::op> ||
                  !std::is_same_v<typename a::operators, typename b::operators>)
        return false;
    else {
        if (!is_same_key(a::key, b::key) || !(a::epilogue == b::epilogue) || in_b.first[T + 1] - first_b != count)
            return false;
        for (std::int32_t i = 0; i < count; ++i)
            if (!(in_a.addresses[first_a + i] == in_b.addresses[first_b + i])) return false;
        return true;
    }
}

/// Whether the same parameters, and literals, are copied to the same places.
template <class A, class B> constexpr bool have_same_parameters() {
    if (A::plan.constant_bytes != B::plan.constant_bytes || A::plan.prepare_tasks != B::plan.prepare_tasks)
        return false;
    const auto& a = runtime::parameters<A>::made.all;
    const auto& b = runtime::parameters<B>::made.all; // perhaps of another length
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].name != b[i].name || !(a[i].type == b[i].type) || a[i].copy_to != b[i].copy_to ||
            a[i].literal != b[i].literal)
            return false;
    return std::ranges::equal(runtime::literals<A>::stored.bytes, runtime::literals<B>::stored.bytes);
}

template <class A, class B>
inline constexpr bool same_constants = [] {
    if constexpr (!have_same_parameters<A, B>()) return false;
    else
        return []<std::int32_t... T>(std::integer_sequence<std::int32_t, T...>) {
            return (is_same_task<A, B, T>() && ...);
        }(std::make_integer_sequence<std::int32_t, A::plan.prepare_tasks>{});
}();

} // namespace ahead::detail
