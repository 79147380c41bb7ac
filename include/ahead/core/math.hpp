// SPDX-License-Identifier: MIT
// The mathematics of operators; math/ has one file for each part of it. Called by `meaning` functions in aten/.
#pragma once
#include <ahead/core/math/arithmetic.hpp>
#include <ahead/core/math/complex_functions.hpp>
#include <ahead/core/math/convert.hpp>
#include <ahead/core/math/elementary.hpp>
#include <ahead/core/math/gamma.hpp>
