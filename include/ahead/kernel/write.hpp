// SPDX-License-Identifier: MIT
// Writes into memory that is there already: the caller's tensor (npu.assign), or a view of a whole (npu.scatter_view).
// Called by program/lift.hpp.
#pragma once
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/kernel/strided.hpp>
#include <ahead/target/op/assign.hpp>
#include <ahead/target/op/scatter_view.hpp>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {
template <target::strided_key Key, class T> inline void write_elements(const T* in, T* out) {
    constexpr bool in_one_go = Key.rank == 1 && Key.strides[0][0] == 1 && Key.strides[1][0] == 1;
    if constexpr (in_one_go) std::memcpy(out, in, sizeof(T) * static_cast<std::size_t>(Key.sizes[0]));
    else kernel::each_element<Key>([](T& to, const T& from) { to = from; }, out, in);
}
} // namespace detail

template <target::strided_key Key> inline void assign(const auto& at) {
    using T = element_t<moved_as(Key.types[0])>;
    if constexpr (Key.elements() > 0) detail::write_elements<Key>(at.template in<T>(1), at.template out<T>());
}

/// Where the result has taken over self's memory, only the view is written.
template <target::scatter_view_key Key> inline void scatter_view(const auto& at) {
    using T = element_t<moved_as(Key.part.types[0])>;
    if (at.inputs[0] != at.outputs[0] && Key.whole_bytes > 0)
        std::memcpy(at.outputs[0], at.inputs[0], static_cast<std::size_t>(Key.whole_bytes));
    if constexpr (Key.part.elements() > 0)
        detail::write_elements<Key.part>(at.template in<T>(1), at.template out<T>() + Key.offset);
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::assign> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::assign<Key>(at); }
};

template <> struct kernel_for<device::scatter_view> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::scatter_view<Key>(at); }
};

} // namespace ahead::npu
