// SPDX-License-Identifier: MIT
// Pointwise operators on handles, found by argument-dependent lookup: relu(x), add(x, y), x * 2. Names, overloads,
// broadcasting and promotion are ATen's; each function records the one operator that its body names.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/functions/pointwise/activation.hpp>
#include <ahead/frontend/handles/functions/pointwise/arithmetic.hpp>
#include <ahead/frontend/handles/functions/pointwise/comparison.hpp>
#include <ahead/frontend/handles/functions/pointwise/elementary.hpp>
#include <ahead/frontend/handles/functions/pointwise/logic.hpp>
#include <ahead/frontend/handles/functions/pointwise/operators.hpp>
#include <ahead/frontend/handles/functions/pointwise/rounding.hpp>
#include <ahead/frontend/handles/functions/pointwise/select.hpp>
