// SPDX-License-Identifier: MIT
// What -ffast-math defines: NaN would be no value any more.
// expect: ahead: not with -ffast-math, -Ofast or -ffinite-math-only
#ifdef REJECT
#define __FAST_MATH__ 1
#endif
#include <ahead/ahead.hpp>
