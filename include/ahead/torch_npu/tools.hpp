// SPDX-License-Identifier: MIT
// What compiles a graph that calls torch_npu's operators: TorchAir's patterns (patterns.hpp), their expansions into
// ATen's, kernels for the pointwise ones, and the AI CPU for the rest. A toolchain of one's own begins with it:
//     struct my_tools : torch_npu::tools { ... };
// With `static constexpr pass::pipeline<> pattern_pass{};` in it, it has no patterns.
#pragma once
#include <ahead/convert/toolchain.hpp>
#include <ahead/torch_npu/patterns.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {
template <class Op> struct expansion_list {
    using type = pass::decomposition_list<>;
};
template <expandable Op> struct expansion_list<Op> {
    using type = pass::decomposition_list<expansion<Op>>;
};
template <class List> struct toolchain_for;
template <class... Op> struct toolchain_for<op_list<Op...>> {
    using base = typename toolchain<>::with<Op...>;
    using type = toolchain<typename base::device_registry, typename base::converters,
                           join<typename expansion_list<Op>::type...>>;
};
} // namespace detail

struct tools : detail::toolchain_for<operators>::type {
    static constexpr auto pattern_pass = fusions;
};

} // namespace ahead::torch_npu
