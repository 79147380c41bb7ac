// SPDX-License-Identifier: MIT
// A function of the host is given a number, which would be what it is at the capture.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"host"
// expect: expected<[^"]*"contiguous tensors"
// expect: found<[^"]*"a value of the host"
#include <ahead/npu/graph.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    npu::graph part(npu), g(npu);
    part.capture_begin(side);
    part.capture_end(side);
#ifdef REJECT
    const auto by = 3;
#else
    const auto by = npu.to_device<b8<>>(std::array{true});
#endif
    npu::capture c(g, side);
    c.host([](auto) {}, by);
    c.end();
}
