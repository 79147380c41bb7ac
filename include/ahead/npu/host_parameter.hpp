// SPDX-License-Identifier: MIT
// A few numbers that the host passes to launches and to replays of captured graphs, a value of its own to each:
//     npu::host_parameter<i64<>> position(npu, 0);
//     y = c.launch(step, x, position);                   // in a capture, or outside one, as any tensor of its type
//     for (...) {
//         position.update(p);                            // or g.update(position, p): no new capture
//         g.replay(side);                                // sees p, although earlier replays may still run
//     }
// Invariant: a launch or replay reads the value of the last update before it. An update never blocks the host: it is
// queued on a stream reserved for updates, ordered after the readers of the old value; later readers are ordered after
// the update. It allocates nothing. Semantics: TorchAir's updatable operators.
#pragma once
#include <ahead/npu/device_tensor.hpp>

namespace AHEAD_NAMESPACE::npu {

/// A tensor that only update() writes, of at most stream_queue::largest_value bytes in row-major order. Copies share
/// the parameter. Destroyed before its context.
template <class Type> class host_parameter : public tensor<Type> {
    using base = tensor<Type>;

public:
    using typename base::element;
    static_assert(base::is_contiguous() && base::extent * sizeof(element) <= stream_queue::largest_value,
                  "a host parameter is a few numbers in row-major order: a tensor is written as a whole");

    host_parameter() = default;
    /// Throws device_memory_is_exhausted, call_is_illegal_in_capture, and device_streams_are_exceeded: a context has a
    /// stream for its updates.
    host_parameter(context& npu, std::span<const element, base::extent> first) : base(npu.to_device<Type>(first)) {
        npu.make_updatable(base::memory().block());
    }
    host_parameter(context& npu, const element& first)
        requires(base::extent == 1)
        : host_parameter(npu, std::span<const element, 1>(&first, 1)) {}

    /// Later launches and replays read this value, earlier ones keep the old one. Throws tensor_is_empty,
    /// call_is_illegal_in_capture, call_is_illegal_in_callback; stream_is_captured if a capture underway reads it.
    void update(std::span<const element, base::extent> value) {
        if (!base::exists())
            refuse_call(fault::tensor_is_empty, "update", {}, "a parameter that holds memory", "one that does not");
        base::memory().npu()->update(base::memory().block(), std::as_bytes(value));
    }
    void update(const element& value)
        requires(base::extent == 1)
    {
        update(std::span<const element, 1>(&value, 1));
    }
    void write(std::span<const element, base::extent>) = delete; // would wait, unlike update()
    void copy_from(const base&) = delete;
};

template <class T> inline constexpr bool is_host_parameter = false;
template <class Type> inline constexpr bool is_host_parameter<host_parameter<Type>> = true;
namespace detail {
template <class Type> inline constexpr bool is_tensor<host_parameter<Type>> = true;
} // namespace detail

} // namespace ahead::npu
