// SPDX-License-Identifier: MIT
// The evaluate of every operator that only copies: element k of the result, in row-major order, is the converted
// element k of the first parameter, or the element that the operator selects. Used by view.hpp, copy.hpp,
// rearrange.hpp, pad.hpp, upsample.hpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Calls f(T{}), where T is the type through which elements are converted to the result's dtype: u64 directly, because
/// int64 cannot represent all its values; integers narrower than i32 through i32, as math::convert does.
template <class F> constexpr void compute_copy(auto& c, F f) {
    const auto type = c.result_type().type;
    if (type == dtype::u64) f(std::uint64_t{});
    else if (type != dtype::b8 && !is_floating(type) && bytes_of(type) < 4) f(std::int32_t{});
    else c.compute_any(f);
}

constexpr void copy_elements(auto& c) {
    compute_copy(c, [&](auto as) {
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        std::int64_t k = 0;
        for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, in[index_of(in.type(), k++)]); });
    });
}

/// Fills the result: element `at` is the first parameter's element from(at, type of the input).
template <class F> constexpr void gather_elements(auto& c, F from) {
    c.compute_any([&](auto as) {
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, in[from(at, in.type())]); });
    });
}

namespace schemas {
struct self_and_other {
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
};
} // namespace schemas

/// Base of operators whose result is a copy of their first parameter.
struct copies {
    static constexpr effects effect{.moves_elements = true};
    static constexpr void evaluate(auto& c) { copy_elements(c); }
};

/// Base of operators whose result always aliases the storage of their first parameter.
struct views {
    static constexpr effects effect{.view_of = first_parameter};
};

} // namespace ahead::aten
