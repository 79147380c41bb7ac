// SPDX-License-Identifier: MIT
// What a toolchain says of options and device unless its user says more. By itself, so that a program's sources can be
// checked without reading a single operator (program/written/manifest.hpp).
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/target/device.hpp>

namespace AHEAD_NAMESPACE {

struct default_toolchain {
    static constexpr config options{};
    static constexpr target::device device = target::npu;
};

} // namespace ahead
