// SPDX-License-Identifier: MIT
// The rows that models' files registered.
#include "whole.hpp"

namespace bench {

const std::vector<row>& all_rows() { return whole_rows(); }

} // namespace bench
