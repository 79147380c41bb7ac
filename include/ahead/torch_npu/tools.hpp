// SPDX-License-Identifier: MIT
// The toolchain for graphs that call torch_npu's operators: TorchAir's patterns (patterns.hpp), expansions into ATen's
// operators, kernels for the pointwise ones, and the AI CPU for the rest. Custom toolchains derive from it:
//     using my_tools = torch_npu::tools::with_options<...>;
// `torch_npu::tools::with_pattern_pass<>` has no patterns.
#pragma once
#include <ahead/convert/toolchain.hpp>
#include <ahead/torch_npu/patterns.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {
template <class Op> struct expansion_list { using type = pass::decomposition_list<>; };
template <expandable Op> struct expansion_list<Op> { using type = pass::decomposition_list<expansion<Op>>; };
template <class List> struct operators_for;
template <class... Op>
struct operators_for<op_list<Op...>> : ahead::detail::operators_with<ahead::detail::usual_operators, Op...> {
    using decompositions = join<typename expansion_list<Op>::type...>;
};
struct all_operators : operators_for<operators> {};
struct with_fusions : ahead::detail::default_settings {
    static constexpr auto pattern_pass = fusions;
};
} // namespace detail

using tools = toolchain<detail::all_operators, detail::with_fusions>;

} // namespace ahead::torch_npu
