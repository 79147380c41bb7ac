// The reference of all of ATen, compiled once (reference.cpp): a test that includes this does not compile it again.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/reference/interpreter.hpp>

#include "poisoned.hpp"

namespace ahead::interpreter {

extern template bool interpret<aten::registry>(graph_view, array_view<const host_tensor>, std::vector<host_tensor>&, diagnosis&,
                                               visit_nothing&&);
extern template bool interpret<aten::registry>(graph_view, array_view<const host_tensor>, std::vector<host_tensor>&, diagnosis&,
                                               test::poisoning&&);

} // namespace ahead::interpreter
