// SPDX-License-Identifier: MIT
// A function of the host is given a tensor whose elements do not lie side by side.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"host"
// expect: expected<[^"]*"contiguous tensors"
// expect: found<[^"]*"f32\[2, 3\] of other strides"
#include <ahead/npu/graph.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    npu::graph part(npu), g(npu);
    part.capture_begin(side);
    part.capture_end(side);
#ifdef REJECT
    const auto by = npu.empty<strided<dtype::f32, ints<2, 3>, ints<1, 2>, 0>>();
#else
    const auto by = npu.empty<f32<2, 3>>();
#endif
    npu::capture c(g, side);
    c.host([](auto) {}, by);
    c.end();
}
