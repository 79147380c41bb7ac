// SPDX-License-Identifier: MIT
// The converter of every pointwise operator: the device operator of the same meaning, with the same arguments. In-place
// operators do not come here; import makes them functional.
#pragma once
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/pointwise.hpp>

namespace AHEAD_NAMESPACE::convert {

constexpr bool convert_pointwise(convert_context& c) { return c.emit_same(); }

template <class Op> struct pointwise {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool is_pointwise = true;
    static constexpr bool (&convert)(convert_context&) = convert_pointwise; // one function for all of them
};

} // namespace ahead::convert
