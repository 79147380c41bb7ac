// SPDX-License-Identifier: MIT
// The version of the library, and nothing else. CMakeLists.txt reads the three numbers from this file, so this is the
// only place to change them.
#pragma once

namespace ahead {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

} // namespace ahead
