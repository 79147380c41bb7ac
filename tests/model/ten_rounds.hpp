// A toolchain of a user's own, whose loops go ten rounds at most.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/convert/toolchain.hpp>

namespace user {

struct ten_rounds : ahead::toolchain<> {
    static constexpr ahead::config options{.loop_bound = 10};
};

} // namespace user
