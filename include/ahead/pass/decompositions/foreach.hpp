// SPDX-License-Identifier: MIT
// Operators on lists of tensors, as one call for each used result.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

template <class Op> struct foreach {
    using op = Op;
    static constexpr bool takes_any_dtype = true; // each element's call is rounded as this one is
    static constexpr std::int32_t most_calls(const call_view& call) { return call.list_size(0); }
    static constexpr void decompose(auto& c) {
        for (std::int32_t k = 0; k < c.aten.list_size(0) && c.editor().ok(); ++k) {
            if (!c.is_result_used(k)) continue;
            argument given[Op::lists + 1];
            std::size_t count = 0;
            for (int i = 0; i < Op::lists; ++i) {
                given[count] = c.aten.element(i, k);
                given[count++].keyword = {};
            }
            if constexpr (std::size(Op::schema) > Op::lists) given[count++] = c.operand(Op::lists);
            const auto made = c.editor().call(Op::element, array_view<const argument>(given, count), {});
            if (made.exists()) c.bind_result(argument::of(made), k);
        }
    }
};

} // namespace ahead::decomposition
