// SPDX-License-Identifier: MIT
// Kernels written on Eigen's expressions: products, batches of them, convolutions by im2col, pointwise operators,
// softmax, layer norm, reductions. A call gets one where a choice file says `eigen` (device/choices.hpp; pointwise
// operators have no lines there), or wherever there is one:
//     #include <ahead/ahead.hpp>
//     #include <ahead/eigen.hpp>
//     inline constexpr ahead::config on_eigen{.kernels = ahead::kernel_set::eigen};
//     using program = ahead::compiled<net, ahead::toolchain<>::with_options<on_eigen>>;
// They are a second opinion on the tuned kernels. Not part of ahead.hpp: <Eigen/Core> costs compile time. Objects for
// several instruction sets that are linked into one program must not include it: Eigen's functions have the same names.
#pragma once
#include <ahead/kernels/eigen/pointwise.hpp>
#include <ahead/kernels/eigen/products.hpp>
#include <ahead/kernels/eigen/rows.hpp>
