// SPDX-License-Identifier: MIT
// The kernels of linear algebra: npu.decompose and npu.solve. Not part of ahead.hpp, since Eigen's decompositions cost
// every translation unit compile time; a program that needs them and does not include this does not compile. #include
// <ahead/ahead.hpp> #include <ahead/linalg.hpp> using program = ahead::compiled<ahead::fx<whitening>>;
#pragma once
#include <ahead/kernels/linalg/decompose.hpp>
#include <ahead/kernels/linalg/solve.hpp>
