// SPDX-License-Identifier: MIT
// A tensor of the host's in a capture: the device computes with its own.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"launch"
// expect: in_tensor<[^"]*"in1"
// expect: found<[^"]*"a value of the host"
// expect: <source>:
#include <ahead/ahead.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    const std::array<float, 3> host{1, 2, 3};
    const auto x = npu.to_device<f32<3>>(host);
    npu::graph g(npu);
    npu::capture c(g, side);
#ifdef REJECT
    c.launch([](auto a, auto b) { return add(a, b); }, x, host);
#else
    c.launch([](auto a, auto b) { return add(a, b); }, x, x);
#endif
    c.end();
}
