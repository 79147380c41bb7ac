// SPDX-License-Identifier: MIT
// The host waits for a stream that is being captured.
// fault: stream_is_captured
// expect: in_operator<[^"]*"synchronize"
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
    c.synchronize();
#endif
    c.end();
}
