// SPDX-License-Identifier: MIT
// The operator that computes what an in-place one writes. Called by functionaliser.hpp.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::detail {

/// "aten.relu.default" for "aten.relu_.default".
constexpr op_id functional_form(op_table ops, std::string_view name) {
    const auto dot = name.rfind('.');
    if (dot == name.npos || dot == 0 || name[dot - 1] != '_') return {};
    if (same_name(name, "aten.normal_.default"))
        return find_op(ops, "aten.normal_functional.default"); // normal is another operator
    if (same_name(name, "aten.bernoulli_.float")) return find_op(ops, "aten.bernoulli.p");
    short_text spelled;
    spelled << name.substr(0, dot - 1) << name.substr(dot);
    return find_op(ops, spelled.view());
}

} // namespace ahead::detail
