// SPDX-License-Identifier: MIT
// A program whose graph writes a weight is launched with its weights alone: nobody would keep the new value. npu::states do.
// fault: program_keeps_states
// expect: in_operator<[^"]*"launch"
// expect: expected<[^"]*"npu::states of these weights"
// expect: found<[^"]*"1 of them written"
#include <ahead/ahead.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3>> x, param<"w", f32<3>> w) {
#ifdef REJECT
    return outputs(mul(copy_(w, x), 2));
#else
    return outputs(mul(w, x));
#endif
});
using program = compiled<net>;

int main() {
    npu::context npu;
    const std::array<float, 3> values{1, 2, 3};
    weights w;
    w.add("w", dtype::f32, {3}, std::as_bytes(std::span(values)));
    const auto prepared = program::prepare(w);
    const auto x = npu.to_device<f32<3>>(values);
    npu.default_stream().launch(prepared, x);
}
