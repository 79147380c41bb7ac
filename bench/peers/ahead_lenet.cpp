// SPDX-License-Identifier: MIT
// W3.
#include <run/graphs.hpp>

#include "ahead_rows.hpp"

namespace {

[[maybe_unused]] const bool added = bench::add_ahead<bench::graphs::lenet>("w3");

} // namespace
