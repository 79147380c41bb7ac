// SPDX-License-Identifier: MIT
// Where kernels with the choice `eigen` call those that are written on Eigen's expressions (kernels/eigen/). They are
// not part of ahead.hpp, since <Eigen/Core> costs every translation unit compile time: without ahead/eigen.hpp a
// program with such a call is refused (kernel_header_is_not_included, compile/plan_stages.hpp).
#pragma once
#include <ahead/core/build.hpp>

namespace AHEAD_NAMESPACE::kernels {

/// Specialised in kernels/eigen/ for each type of key: static void run(...), as the kernel of that key takes it.
template <auto Key> struct eigen_kernel;
/// Defined there: the loop of npu.fused, or of one pointwise operator. Call: key and operators, as kernels/fused.hpp has
/// them.
template <class Call> struct eigen_loop;
/// Specialised there, as an empty struct, for each device operator that has them.
template <class DeviceOp> struct has_eigen_kernel;

} // namespace ahead::kernels
