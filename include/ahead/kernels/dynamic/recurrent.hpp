// SPDX-License-Identifier: MIT
// Recurrent networks of fewer steps than their key says.
#pragma once
#include <ahead/kernels/dynamic/dynamic_kernel_for.hpp>
#include <ahead/kernels/product/recurrent.hpp>

namespace AHEAD_NAMESPACE::kernels {

template <> struct dynamic_kernel_for<device::recurrent> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        kernels::recurrent_at<Call::key>(at, of.rows);
    }
};

} // namespace ahead::kernels
