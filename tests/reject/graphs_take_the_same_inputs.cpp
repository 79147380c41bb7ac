// SPDX-License-Identifier: MIT
// Two programs of one object take the same tensors: nothing says which one is called.
// fault: programs_take_the_same_inputs
// expect: in_operator<[^"]*"compiled_graphs"
// expect: found<[^"]*"2 that take these"
#include <ahead/ahead.hpp>
#include <ahead/npu/compiled_graphs.hpp>

using namespace ahead;

inline constexpr auto doubled = trace([](input<"x", f32<3>> x) { return outputs(mul(x, 2)); });
#ifdef REJECT
inline constexpr auto other = trace([](input<"x", f32<3>> x) { return outputs(add(x, 2)); });
#else
inline constexpr auto other = trace([](input<"x", f32<4>> x) { return outputs(add(x, 2)); });
#endif

int main() {
    npu::context npu;
    using first = compiled<doubled>;
    using second = compiled<other>;
    const auto a = first::prepare();
    const auto b = second::prepare();
    npu::compiled_graphs<first, second> net(npu, npu.new_stream(), {}, a, b);
    const std::array<float, 3> values{1, 2, 3};
    net(npu.to_device<f32<3>>(values));
}
