// SPDX-License-Identifier: MIT
// A pointwise operator of the user's own whose meaning takes fewer values than it has parameters.
// expect: a pointwise operator has: static constexpr std::string_view name
// expect: of one value per parameter
// expect: my::scaled
#include <ahead/ahead.hpp>

using namespace ahead;

namespace my {
struct scaled : aten::pointwise<1, promotion::keep, aten::domain::real> {
    static constexpr std::string_view name = "my.scaled.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("factor", parameter_kind::real)};
#ifdef REJECT
    template <class T> static constexpr T meaning(T x) { return x; }
#else
    template <class T> static constexpr T meaning(T x, T factor) { return x * factor; }
#endif
};
} // namespace my
struct operators : aten::registry::with<my::scaled> {};
using tools = toolchain<>::with<my::scaled>;

inline constexpr auto net = trace<operators>([](input<"x", f32<3>> x) { return outputs(call<my::scaled>(call_site::current(), x, 2.0)); });
static_assert(sizeof(compiled<net, tools>) > 0);
