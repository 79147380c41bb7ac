// SPDX-License-Identifier: MIT
// What runs a device operator's call for fewer places than its key says, how many of them being known at run time: its
// fewer_for, specialised in the files of this folder. Called by program/bounded/run_bounded.hpp.
// Invariant: tensors lie as the key says; nothing behind the given places is read or written.
#pragma once
#include <ahead/kernel/kernel_for.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::npu {

/// How many rows, columns and terms of a product there are, 0 where as many as the key says: of attention, queries and
/// keys; of what goes along rows, elements of each as columns.
struct fewer_places {
    std::int64_t rows = 0, columns = 0, terms = 0;
};
/// Which of them a call has fewer of, besides rows.
enum class fewer_in : std::uint8_t { rows, columns, terms };

/// template <class Call> static void run(const auto& ports, const fewer_places&). Call: as kernel_for's run_call, and
/// Call::fewer, a fewer_in; of a reduction Call::fewer_dim, which of the dims reduced has fewer places.
template <class DeviceOp> struct fewer_for;

} // namespace ahead::npu
