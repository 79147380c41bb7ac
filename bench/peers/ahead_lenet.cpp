// SPDX-License-Identifier: MIT
// LeNet on one image.
#include <run/graphs.hpp>

#include "ahead_rows.hpp"

namespace {

[[maybe_unused]] const bool added = bench::add_ahead<bench::graphs::lenet>("lenet");

} // namespace
