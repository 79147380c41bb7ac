// A toolchain of a user's own: another device, two streams.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/convert/toolchain.hpp>
#include <ahead/target/presets.hpp>

namespace user {

struct two_streams : ahead::toolchain<> {
    static constexpr ahead::config options{.streams = 2};
    static constexpr ahead::target::device device = ahead::target::this_machine;
};

} // namespace user
