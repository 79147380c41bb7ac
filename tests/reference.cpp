// The reference of all of ATen, which many tests call.
// SPDX-License-Identifier: MIT
#include "reference.hpp"

namespace ahead::interpreter {

template bool interpret<aten::registry>(graph_view, array_view<const host_tensor>, std::vector<host_tensor>&, diagnosis&, visit_nothing&&);
template bool interpret<aten::registry>(graph_view, array_view<const host_tensor>, std::vector<host_tensor>&, diagnosis&, test::poisoning&&);

} // namespace ahead::interpreter
