// SPDX-License-Identifier: MIT
// The host reads a tensor's value in a capture.
// fault: call_is_illegal_in_capture
// expect: in_operator<[^"]*"copy"
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
    static_cast<void>(c.copy(x));
#endif
    c.end();
}
