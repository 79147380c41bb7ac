// SPDX-License-Identifier: MIT
// Eigen's packets, without the matrix library: the headers that <Eigen/Core> includes first. A file that includes them
// takes 2.48 thousand million instructions of g++ 12, one that includes <Eigen/Core> 4.26. <Eigen/Core> may be included
// before or after it. Eigen releases other than 3.4 and other machines get <Eigen/Core> itself. Called by simd.hpp.
// Invariant: everything included here has forced inlining (EIGEN_STRONG_INLINE, which Eigen lets its users define).
// Eigen's functions have the same names in builds for different machines, so one that is not inlined would be shared by
// all objects of a program.
#pragma once
#include <ahead/core/build.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized" // gcc.gnu.org/PR105593: AVX-512 intrinsics of g++ 12
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#ifndef EIGEN_STRONG_INLINE
#define EIGEN_STRONG_INLINE __attribute__((always_inline)) inline
#define AHEAD_INLINES_EIGEN
#endif
#if defined(__x86_64__) && !defined(EIGEN_CORE_H) && !defined(EIGEN_DONT_VECTORIZE) && \
    !__has_include(<Eigen/src/Core/InternalHeaderCheck.h>)
#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
// clang-format off: the order is Eigen's
#include <Eigen/src/Core/util/DisableStupidWarnings.h>
#include <Eigen/src/Core/util/Macros.h>
#include <Eigen/src/Core/util/ConfigureVectorization.h>
namespace Eigen {
using std::ptrdiff_t;
using std::size_t;
} // namespace Eigen
#include <Eigen/src/Core/util/Constants.h>
#include <Eigen/src/Core/util/Meta.h>
#include <Eigen/src/Core/util/ForwardDeclarations.h>
#include <Eigen/src/Core/util/StaticAssert.h>
#include <Eigen/src/Core/util/XprHelper.h>
#include <Eigen/src/Core/util/Memory.h>
#include <Eigen/src/Core/NumTraits.h>
#include <Eigen/src/Core/MathFunctions.h>
#include <Eigen/src/Core/GenericPacketMath.h>
#include <Eigen/src/Core/MathFunctionsImpl.h>
#include <Eigen/src/Core/arch/Default/ConjHelper.h>
#include <Eigen/src/Core/arch/Default/Half.h>
#include <Eigen/src/Core/arch/Default/BFloat16.h>
#include <Eigen/src/Core/arch/Default/TypeCasting.h>
#include <Eigen/src/Core/arch/Default/GenericPacketMathFunctionsFwd.h>
#include <Eigen/src/Core/arch/SSE/PacketMath.h>
#include <Eigen/src/Core/arch/SSE/TypeCasting.h>
#include <Eigen/src/Core/arch/SSE/Complex.h>
#ifdef EIGEN_VECTORIZE_AVX
#include <Eigen/src/Core/arch/AVX/PacketMath.h>
#include <Eigen/src/Core/arch/AVX/TypeCasting.h>
#include <Eigen/src/Core/arch/AVX/Complex.h>
#endif
#ifdef EIGEN_VECTORIZE_AVX512
#include <Eigen/src/Core/arch/AVX512/PacketMath.h>
#include <Eigen/src/Core/arch/AVX512/TypeCasting.h>
#include <Eigen/src/Core/arch/AVX512/Complex.h>
#endif
#include <Eigen/src/Core/arch/SSE/MathFunctions.h>
#ifdef EIGEN_VECTORIZE_AVX
#include <Eigen/src/Core/arch/AVX/MathFunctions.h>
#endif
#ifdef EIGEN_VECTORIZE_AVX512
#include <Eigen/src/Core/arch/AVX512/MathFunctions.h>
#endif
#include <Eigen/src/Core/arch/Default/Settings.h>
#include <Eigen/src/Core/arch/Default/GenericPacketMathFunctions.h>
#include <Eigen/src/Core/functors/BinaryFunctors.h>
#include <Eigen/src/Core/functors/UnaryFunctors.h>
#include <Eigen/src/Core/util/ReenableStupidWarnings.h>
// clang-format on
#else
#include <Eigen/Core>
#endif
#ifdef AHEAD_INLINES_EIGEN // matrices included later compile as without this file
#undef AHEAD_INLINES_EIGEN
#undef EIGEN_STRONG_INLINE
#define EIGEN_STRONG_INLINE inline
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
