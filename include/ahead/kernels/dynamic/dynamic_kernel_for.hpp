// SPDX-License-Identifier: MIT
// Dynamic kernels: a device operator's call at sizes below those of its key, which are known at run time. Each is a
// specialisation of dynamic_kernel_for in a file of this folder. Called by dynamic/bounded/run_bounded.hpp.
// Invariant: tensors lie as the key says; nothing behind the given places is read or written.
#pragma once
#include <ahead/kernels/kernel_for.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::kernels {

/// How many rows, columns and terms of a product there are, 0 where as many as the key says: of attention, queries and
/// keys; of what goes along rows, elements of each as columns.
struct runtime_extents {
    std::int64_t rows = 0, columns = 0, terms = 0;
};
/// The extent of a call, besides rows, that is known at run time.
enum class dynamic_extent : std::uint8_t { rows, columns, terms };

/// template <class Call> static void run(const auto& ports, const runtime_extents&). Call: as kernel_for's run_call,
/// and Call::extent, a dynamic_extent; of a reduction Call::dynamic_dim, which of the dims reduced has fewer places.
template <class DeviceOp> struct dynamic_kernel_for;

} // namespace ahead::kernels
