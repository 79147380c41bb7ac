// SPDX-License-Identifier: MIT
// A converter of the user's own whose function is misspelt: one error says what a converter has, and none that the operator now has no converter.
// expect: a converter has: using op
// expect: my::convert_twice
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct convert_twice {
    using op = own::twice;
#ifdef REJECT
    static constexpr bool converts(convert_context& c) {
#else
    static constexpr bool convert(convert_context& c) {
#endif
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
