// SPDX-License-Identifier: MIT
// Decimal text to double and back, correctly rounded, in constant expressions and at run time alike.
// Invariant: read_decimal(print_decimal(bits)) == bits, and print_decimal gives the fewest digits for which that holds
// (Python's repr). Doubles are passed as their bits, so no floating-point arithmetic is needed that a compiler cannot
// fold. Called by the FX parser and printers.
#pragma once
#include <ahead/core/decimal/print_decimal.hpp>
#include <ahead/core/decimal/read_decimal.hpp>
