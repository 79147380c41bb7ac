// SPDX-License-Identifier: MIT
// An operator of the user's own whose derivative gives the gradient of one of its two operands: one error says what a derivative is.
// expect: a derivative is: static constexpr auto derivative
// expect: my::hypotenuse
#include <ahead/ahead.hpp>

using namespace ahead;

namespace my {
struct hypotenuse : aten::binary<promotion::keep, aten::domain::real> {
    static constexpr std::string_view name = "my.hypotenuse.default";
    template <class T> static constexpr T meaning(T x, T y) { return math::sqrt(x * x + y * y); }
    static constexpr auto derivative = [](const auto& x, const auto& y, const auto& result, const auto& gradient) {
#ifdef REJECT
        static_cast<void>(y);
        return gradient * x / result;
#else
        return std::tuple{gradient * x / result, gradient * y / result};
#endif
    };
};
} // namespace my
using tools = toolchain<>::with<my::hypotenuse>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
