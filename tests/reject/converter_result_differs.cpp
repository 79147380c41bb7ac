// SPDX-License-Identifier: MIT
// A converter of the user's own binds a value of another dtype than the operator gives: the converter is blamed, and no plan.
// fault: converter_result_differs
// expect: my.twice.default
// expect: expected<.*f32.3.
// expect: found<.*b8.3.
// expect: hint<.*Let the converter bind a value
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct convert_twice {
    using op = own::twice;
    static constexpr bool convert(convert_context& c) {
#ifdef REJECT
        return c.bind_result(c.create<device::pointwise<aten::gt_scalar>>({c.operand(0), argument::of(0)}));
#else
        return c.bind_result(c.create<device::pointwise<aten::add>>({c.operand(0), c.operand(0), argument::of(1)}));
#endif
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
