// SPDX-License-Identifier: MIT
// No program of the object takes such tensors.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"compiled_graphs"
// expect: expected<[^"]*"the inputs of one of 2 programs"
// expect: found<[^"]*"f32.5."
#include <ahead/ahead.hpp>
#include <ahead/npu/compiled_graphs.hpp>

using namespace ahead;

inline constexpr auto doubled = trace([](input<"x", f32<3>> x) { return outputs(mul(x, 2)); });
inline constexpr auto other = trace([](input<"x", f32<4>> x) { return outputs(add(x, 2)); });

int main() {
    npu::context npu;
    using first = compiled<doubled>;
    using second = compiled<other>;
    const auto a = first::prepare();
    const auto b = second::prepare();
    npu::compiled_graphs<first, second> net(npu, npu.new_stream(), {}, a, b);
#ifdef REJECT
    net(npu.empty<f32<5>>());
#else
    const std::array<float, 4> values{1, 2, 3, 4};
    net(npu.to_device<f32<4>>(values));
#endif
}
