// SPDX-License-Identifier: MIT
// A converter that says as a number that it takes any dtype.
// expect: static constexpr bool takes_any_dtype = true
// expect: my::convert_twice
#include <ahead/ahead.hpp>

using namespace ahead;

namespace my {
struct twice {
    static constexpr std::string_view name = "my.twice.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
};
struct convert_twice {
    using op = twice;
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
struct operators : aten::registry::with<my::twice> {};
using tools = toolchain<>::with<my::convert_twice>;

inline constexpr auto net = trace<operators>([](input<"x", f32<3>> x) { return outputs(call<my::twice>(call_site::current(), x)); });
using program = compiled<net, tools>;
int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(std::array<float, 3>{});
}
