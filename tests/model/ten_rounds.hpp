// A toolchain of a user's own, whose loops go ten rounds at most.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/convert/toolchain.hpp>

namespace user {

inline constexpr ahead::config ten_rounds_options{.loop_bound = 10};
using ten_rounds = ahead::toolchain<>::with_options<ten_rounds_options>;

} // namespace user
