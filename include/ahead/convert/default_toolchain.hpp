// SPDX-License-Identifier: MIT
// What a toolchain says of options and device unless its user says more. By itself, so that a program's sources can be
// checked without reading a single operator (aot/manifest.hpp).
#pragma once
#include <ahead/machine/device.hpp>
#include <ahead/pass/config.hpp>

namespace AHEAD_NAMESPACE {

struct default_toolchain {
    static constexpr config options{};
    static constexpr machine::device device = machine::npu;
};

} // namespace ahead
