// SPDX-License-Identifier: MIT
// Where kernels with the choice `eigen` call those that are written on Eigen's expressions (kernels/eigen/). They are
// not part of ahead.hpp, since <Eigen/Core> costs every translation unit compile time: without ahead/eigen.hpp a key
// with that choice does not compile.
#pragma once
#include <ahead/core/build.hpp>

namespace AHEAD_NAMESPACE::kernels {

/// Specialised in kernels/eigen/ for each type of key: static void run(...), as the kernel of that key takes it.
template <auto Key> struct eigen_kernel {
    template <class... Arguments> static void run(Arguments&&...) {
        static_assert(sizeof...(Arguments) == ~0u, "a call has the kernel choice `eigen`: #include <ahead/eigen.hpp>");
    }
};

} // namespace ahead::kernels
