// SPDX-License-Identifier: MIT
// What whole models are compiled for, by the generator and in their programs.
#pragma once
#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>

namespace bench {

using one_core = ::ahead::toolchain<>::with_device<::ahead::machine::xeon_2core>;

} // namespace bench
