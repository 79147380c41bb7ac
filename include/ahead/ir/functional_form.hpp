// SPDX-License-Identifier: MIT
// The functional operator that computes the value that an in-place operator writes.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::detail {

/// "aten.relu.default" for "aten.relu_.default", or, if it exists, "npu.npu_mla_prolog_functional.default" for
/// "npu.npu_mla_prolog.default".
constexpr op_id functional_form(op_table ops, std::string_view name) {
    const auto dot = name.rfind('.');
    if (dot == name.npos || dot == 0) return {};
    if (same_name(name, "aten.bernoulli_.float")) return find_op(ops, "aten.bernoulli.p");
    const auto stem = name.substr(0, dot - (name[dot - 1] == '_'));
    const auto named = [&](std::string_view ending) {
        return find_op(ops, (short_text() << stem << ending << name.substr(dot)).view());
    };
    const bool is_other = stem.size() == dot || same_name(name, "aten.normal_.default"); // normal is not a form of it
    const auto same = is_other ? op_id{} : named({});
    return same.exists() ? same : named("_functional");
}

} // namespace ahead::detail
