// SPDX-License-Identifier: MIT
// Copies between the host's memory and the device's as launches: the host does not wait, and later launches on the
// stream, or after an event, are ordered after them.
//     side.write(x, values);                // values must exist, unchanged, until the stream has run it
//     auto y = side.launch(weights, x);
//     side.read(y, logits);                 // logits are valid when a later event has happened
// In a capture: each replay copies, from and to the same host memory.
// Invariant: a copy is ordered and refused like any other launch. Called by users.
#pragma once
#include <ahead/npu/host_parameter.hpp>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

template <class Type> void copy_in(const std::byte* const* externals, const std::byte* host, std::byte*) {
    using all = runtime::tensor_elements<Type>;
    using element = typename all::element;
    auto* to = reinterpret_cast<element*>(const_cast<std::byte*>(externals[0]));
    const auto* from = reinterpret_cast<const element*>(host);
    for (std::size_t i = 0; i < all::extent; ++i) to[all::position(i)] = from[i];
}
template <class Type> void copy_out(const std::byte* const* externals, const std::byte* host, std::byte*) {
    using all = runtime::tensor_elements<Type>;
    using element = typename all::element;
    const auto* from = reinterpret_cast<const element*>(externals[0]);
    auto* to = reinterpret_cast<element*>(const_cast<std::byte*>(host));
    for (std::size_t i = 0; i < all::extent; ++i) to[i] = from[all::position(i)];
}
template <class Type> void launch_copy(const stream& on, const tensor<Type>& t, const void* host, bool writes) {
    const std::string_view op = writes ? "write" : "read";
    constexpr auto moved = static_cast<std::int64_t>(tensor<Type>::extent * sizeof(typename tensor<Type>::element));
    launch_request what;
    what.name = op;
    what.run = writes ? &copy_in<Type> : &copy_out<Type>;
    what.constants = static_cast<const std::byte*>(host);
    const operand operands[] = {operand_of(on.npu(), t, op, writes)};
    what.operands = operands;
    what.takes.alone = machine::time_of(machine::work{.moved_bytes = moved}, on.npu().device(), {moved, moved});
    on.npu().launch(on, what);
}

} // namespace detail

template <class Tensor>
void stream::write(const Tensor& t, std::span<const typename Tensor::element, Tensor::extent> from) const {
    static_assert(!is_host_parameter<Tensor>, "a host parameter is written by update()");
    detail::launch_copy<typename Tensor::type>(*this, t, from.data(), true);
}
template <class Tensor>
void stream::read(const Tensor& t, std::span<typename Tensor::element, Tensor::extent> to) const {
    detail::launch_copy<typename Tensor::type>(*this, t, to.data(), false);
}

} // namespace ahead::npu
