// SPDX-License-Identifier: MIT
// A graph is captured on the default stream.
// fault: stream_is_default
// expect: in_operator<[^"]*"capture_begin"
// expect: expected<[^"]*"a stream of new_stream\(\)"
// expect: found<[^"]*"the default stream"
#include <ahead/npu/graph.hpp>

int main() {
    ahead::npu::context npu;
    ahead::npu::graph g(npu);
#ifdef REJECT
    const auto on = npu.default_stream();
#else
    const auto on = npu.new_stream();
#endif
    g.capture_begin(on);
    g.capture_end(on);
}
