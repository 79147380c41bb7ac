// SPDX-License-Identifier: MIT
// A device operator of the user's own without a type rule: one error says what a device operator has.
// expect: a device operator has: static constexpr std::string_view name, which begins with npu
// expect: bool infer.infer_context&
// expect: my::device_twice
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct device_twice {
    static constexpr std::string_view name = "npu.twice";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
#ifndef REJECT
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
#endif
    static constexpr std::int64_t key(const call_view& c) { return element_count(c.tensor(0)); }
};
} // namespace my
template <> struct ahead::kernels::kernel_for<my::device_twice> : own::kernel_of_twice {};
using tools = toolchain<>::with<my::device_twice, own::convert_relu<my::device_twice>>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
using program = compiled<net, tools>;
int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(std::array<float, 3>{});
}
