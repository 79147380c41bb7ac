// The usual device with a change: shared by the tests of its limits.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/machine/device.hpp>

namespace test {

template <class Change> ahead::machine::device device_with(Change change) {
    auto on = ahead::machine::npu;
    change(on);
    return on;
}

} // namespace test
