// SPDX-License-Identifier: MIT
// A declared case that the operator itself refuses: the line is its number.
// fault: matmul_inner_extents_differ
// expect: matmul_inner_extents_differ
// expect: at_line<2>
// expect: aten.mm.default
#include <ahead/ahead.hpp>
#include <ahead/differential/run_supported.hpp>

struct mine {
    using op = ahead::aten::mm;
#ifdef REJECT
    using supported = ahead::cases<ahead::support<ahead::f32<2, 3>, ahead::f32<3, 2>>, ahead::support<ahead::f32<2, 3>, ahead::f32<2, 3>>>;
#else
    using supported = ahead::cases<ahead::support<ahead::f32<2, 3>, ahead::f32<3, 2>>>;
#endif
    static constexpr bool convert(ahead::convert_context& c) { return ahead::convert::mm::convert(c); }
};
using tools = ahead::toolchain<>::with<mine>;
inline const auto results = ahead::run_supported<mine, tools>();
