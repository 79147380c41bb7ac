// SPDX-License-Identifier: MIT
// A program is launched with a tensor of another type than its input's.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"launch"
// expect: in_tensor<[^"]*"x"
// expect: expected<[^"]*"f32\[3\]"
// expect: found<[^"]*"f32\[4\]"
#include <ahead/ahead.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(mul(x, 2)); });

int main() {
    npu::context npu;
    const auto prepared = compiled<net>::prepare();
#ifdef REJECT
    const auto x = npu.to_device<f32<4>>(std::array<float, 4>{});
#else
    const auto x = npu.to_device<f32<3>>(std::array<float, 3>{});
#endif
    npu.default_stream().launch(prepared, x);
}
