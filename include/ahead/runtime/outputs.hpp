// SPDX-License-Identifier: MIT
// The return type of a run: a tuple of one lease per returned tensor.
// Invariant: a refused program has such a type, too, so that code using its outputs does not cause a second error.
// Called by session.hpp.
#pragma once
#include <ahead/runtime/views.hpp>
#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

template <class Program, class> struct outputs_of;
template <class Program, std::int32_t... Nth> struct outputs_of<Program, std::integer_sequence<std::int32_t, Nth...>> {
    using type = std::tuple<runtime::tensor_output<static_type<typename Program::template output_port<Nth>>>...>;
};
/// Replaces an output of a refused program, so that code using it does not cause a second error. Its functions are
/// declared but not defined.
struct refused_output {
    using element = float;
    using type = dense<dtype::f32>;
    static constexpr std::size_t extent = 1, storage_extent = 1;
    const float& operator()(auto...) const;
    const float* data() const;
    const float* begin() const;
    const float* end() const;
    std::vector<float> copy() const;
    std::span<const float> elements() const;
    std::span<const float> storage() const;
    static constexpr std::size_t size() { return extent; }
    static constexpr std::array<std::int64_t, 0> sizes() { return {}; }
    static constexpr std::array<std::int64_t, 0> strides() { return {}; }
    static constexpr bool is_contiguous() { return true; }
};
template <class Program, std::int32_t... Nth>
    requires(!Program::accepted)
struct outputs_of<Program, std::integer_sequence<std::int32_t, Nth...>> {
    using type = std::tuple<std::conditional_t<(Nth >= 0), refused_output, void>...>;
};

} // namespace ahead::detail
