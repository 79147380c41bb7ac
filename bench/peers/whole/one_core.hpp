// SPDX-License-Identifier: MIT
// What whole models are compiled for, by the generator and in their programs.
#pragma once
#include <ahead/ahead.hpp>
#include <ahead/target/presets.hpp>

namespace bench {

struct one_core : ::ahead::toolchain<> {
    static constexpr ::ahead::target::device device = ::ahead::target::this_machine;
};

} // namespace bench
