// SPDX-License-Identifier: MIT
// Dynamic kernels: a device operator's call at sizes below those of its key, known at run time. Each is a
// specialisation of dynamic_kernel_for in a file of this folder. Called by dynamic/bounded/run_bounded.hpp.
// Invariant: tensors have the layout of the key; nothing after the given positions is read or written.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::kernels {

/// The numbers of rows, columns and terms of a product, 0 for the key's: for attention, of queries and keys; for
/// operators along rows, columns is the number of elements of each row.
struct runtime_extents {
    std::int64_t rows = 0, columns = 0, terms = 0;
};
/// template <class Call> static void run(const auto& ports, const runtime_extents&). Call: as in kernel_for's run_call,
/// plus Call::extent, a device::dynamic_extent; for a reduction also Call::dynamic_dim, the reduced dim that has fewer
/// positions.
template <class DeviceOp> struct dynamic_kernel_for;

} // namespace ahead::kernels
