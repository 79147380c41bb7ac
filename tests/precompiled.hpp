// What every test begins with, read once: the umbrella and the reference. The reference of all operators is compiled once as well (reference.cpp).
// A test includes what it uses all the same.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/interpreter.hpp>
#include <poisoned.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ahead {

extern template bool interpret<aten::registry>(graph_view, array_view<const host_tensor>, std::vector<host_tensor>&, diagnosis&, visit_nothing&&);
extern template bool interpret<aten::registry>(graph_view, array_view<const host_tensor>, std::vector<host_tensor>&, diagnosis&, test::poisoning&&);

} // namespace ahead
