// SPDX-License-Identifier: MIT
// Recurrent networks of fewer steps than their key says.
#pragma once
#include <ahead/kernel/fewer/fewer_for.hpp>
#include <ahead/kernel/product/recurrent.hpp>

namespace AHEAD_NAMESPACE::npu {

template <> struct fewer_for<device::recurrent> {
    template <class Call> static void run(const auto& at, const fewer_places& of) {
        kernel::recurrent_at<Call::key>(at, of.rows);
    }
};

} // namespace ahead::npu
