// SPDX-License-Identifier: MIT
// The host writes a tensor in a capture.
// fault: call_is_illegal_in_capture
// expect: in_operator<[^"]*"write"
// expect: expected<[^"]*"this before the capture, or 
#include <ahead/npu/graph.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    const auto x = npu.to_device<f32<3>>(std::array<float, 3>{});
    static_cast<void>(x);
    npu::graph g(npu);
    npu::capture c(g, side);
#ifdef REJECT
    c.write(x, std::array<float, 3>{});
#endif
    c.end();
}
