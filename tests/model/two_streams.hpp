// A toolchain of a user's own: another device, two streams.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/convert/toolchain.hpp>
#include <ahead/machine/presets.hpp>

namespace user {

inline constexpr ahead::config two_streams_options{.streams = 2};
using two_streams = ahead::toolchain<>::with_options<two_streams_options>::with_device<ahead::machine::xeon_2core>;

} // namespace user
