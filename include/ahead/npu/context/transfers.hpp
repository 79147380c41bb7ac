// SPDX-License-Identifier: MIT
// Copies between the memories of two contexts, which represent two devices of one host.
// Invariant: the host waits only for the pending writers of the source and for the pending uses of the target, and then
// copies; later launches of both contexts are ordered after the copy. Both locks are taken together, so that two
// threads may copy in opposite directions. Called by device_tensor.hpp.
#pragma once
#include <ahead/npu/context/interface.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

template <class F>
void context::transfer(context& from, std::int32_t source, context& to, std::int32_t target, std::int64_t bytes, F f) {
    to.check_not_called_back("copy_from");
    from.access(source, false, "copy_from", [] {}); // waits without the other context's lock
    const std::scoped_lock both(from.mutex_, to.mutex_);
    from.access(source, false, "copy_from", [&] { to.access(target, true, "copy_from", f); });
    const auto takes = [&](const context& npu) {
        return ahead::machine::time_of(ahead::machine::work{.moved_bytes = bytes}, npu.device(), {bytes, bytes});
    };
    const auto over = std::max(from.clock_.now(), to.clock_.now()) + std::max(takes(from), takes(to));
    from.clock_.waited_until(over);
    to.clock_.waited_until(over);
}

} // namespace ahead::npu
