// SPDX-License-Identifier: MIT
// A toolchain's default options and device. In a separate header so that a program's sources can be checked without
// compiling a single operator (aot/manifest.hpp).
#pragma once
#include <ahead/machine/device.hpp>
#include <ahead/pass/config.hpp>

namespace AHEAD_NAMESPACE::convert {

struct default_toolchain {
    static constexpr config options{};
    static constexpr machine::device device = machine::npu;
};

} // namespace ahead::convert

namespace AHEAD_NAMESPACE {
using convert::default_toolchain;
} // namespace ahead
