// SPDX-License-Identifier: MIT
// The C library's functions of floats and doubles, through the compiler's builtins, so that <cmath> is not included.
// Called by elementary.hpp.
#pragma once
#include <ahead/core/build.hpp>

namespace AHEAD_NAMESPACE::math::c_library {

inline float exp(float x) { return __builtin_expf(x); }
inline double exp(double x) { return __builtin_exp(x); }
inline float exp2(float x) { return __builtin_exp2f(x); }
inline double exp2(double x) { return __builtin_exp2(x); }
inline float expm1(float x) { return __builtin_expm1f(x); }
inline double expm1(double x) { return __builtin_expm1(x); }
inline float log(float x) { return __builtin_logf(x); }
inline double log(double x) { return __builtin_log(x); }
inline float log2(float x) { return __builtin_log2f(x); }
inline double log2(double x) { return __builtin_log2(x); }
inline float log10(float x) { return __builtin_log10f(x); }
inline double log10(double x) { return __builtin_log10(x); }
inline float log1p(float x) { return __builtin_log1pf(x); }
inline double log1p(double x) { return __builtin_log1p(x); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline float floor(float x) { return __builtin_floorf(x); }
inline double floor(double x) { return __builtin_floor(x); }
inline float ceil(float x) { return __builtin_ceilf(x); }
inline double ceil(double x) { return __builtin_ceil(x); }
inline float trunc(float x) { return __builtin_truncf(x); }
inline double trunc(double x) { return __builtin_trunc(x); }
inline float nearbyint(float x) { return __builtin_nearbyintf(x); }
inline double nearbyint(double x) { return __builtin_nearbyint(x); }
inline float sin(float x) { return __builtin_sinf(x); }
inline double sin(double x) { return __builtin_sin(x); }
inline float cos(float x) { return __builtin_cosf(x); }
inline double cos(double x) { return __builtin_cos(x); }
inline float tan(float x) { return __builtin_tanf(x); }
inline double tan(double x) { return __builtin_tan(x); }
inline float asin(float x) { return __builtin_asinf(x); }
inline double asin(double x) { return __builtin_asin(x); }
inline float acos(float x) { return __builtin_acosf(x); }
inline double acos(double x) { return __builtin_acos(x); }
inline float atan(float x) { return __builtin_atanf(x); }
inline double atan(double x) { return __builtin_atan(x); }
inline float sinh(float x) { return __builtin_sinhf(x); }
inline double sinh(double x) { return __builtin_sinh(x); }
inline float cosh(float x) { return __builtin_coshf(x); }
inline double cosh(double x) { return __builtin_cosh(x); }
inline float tanh(float x) { return __builtin_tanhf(x); }
inline double tanh(double x) { return __builtin_tanh(x); }
inline float asinh(float x) { return __builtin_asinhf(x); }
inline double asinh(double x) { return __builtin_asinh(x); }
inline float acosh(float x) { return __builtin_acoshf(x); }
inline double acosh(double x) { return __builtin_acosh(x); }
inline float atanh(float x) { return __builtin_atanhf(x); }
inline double atanh(double x) { return __builtin_atanh(x); }
inline float erf(float x) { return __builtin_erff(x); }
inline double erf(double x) { return __builtin_erf(x); }
inline float erfc(float x) { return __builtin_erfcf(x); }
inline double erfc(double x) { return __builtin_erfc(x); }
inline float pow(float x, float y) { return __builtin_powf(x, y); }
inline double pow(double x, double y) { return __builtin_pow(x, y); }
inline float atan2(float x, float y) { return __builtin_atan2f(x, y); }
inline double atan2(double x, double y) { return __builtin_atan2(x, y); }
inline float fmod(float x, float y) { return __builtin_fmodf(x, y); }
inline double fmod(double x, double y) { return __builtin_fmod(x, y); }
inline float hypot(float x, float y) { return __builtin_hypotf(x, y); }
inline double hypot(double x, double y) { return __builtin_hypot(x, y); }

} // namespace ahead::math::c_library
