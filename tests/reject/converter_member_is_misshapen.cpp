// SPDX-License-Identifier: MIT
// A converter that says as a number that it takes any dtype.
// expect: static constexpr bool takes_any_dtype = true
// expect: my::convert_twice
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct convert_twice {
    using op = own::twice;
#ifdef REJECT
    static constexpr int takes_any_dtype = 1;
#else
    static constexpr bool takes_any_dtype = true;
#endif
    static constexpr bool convert(convert_context& c) {
        return c.bind_result(c.create<device::pointwise<aten::add>>({c.operand(0), c.operand(0), argument::of(1)}));
    }
};
} // namespace my
struct operators : aten::registry::with<own::twice> {};
using tools = toolchain<>::with<my::convert_twice>;

inline constexpr auto net = trace<operators>([](input<"x", f32<3>> x) { return outputs(call<own::twice>(call_site::current(), x)); });
using program = compiled<net, tools>;
int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(std::array<float, 3>{});
}
