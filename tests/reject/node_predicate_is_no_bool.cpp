// SPDX-License-Identifier: MIT
// A branch is chosen by a number on the device.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"if_"
// expect: in_tensor<[^"]*"predicate"
// expect: expected<[^"]*"one bool"
// expect: found<[^"]*"f32\[\]"
#include <ahead/npu/graph.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    npu::graph part(npu), g(npu);
    part.capture_begin(side);
    part.capture_end(side);
#ifdef REJECT
    const auto by = npu.to_device<f32<>>(std::array{1.0F});
#else
    const auto by = npu.to_device<b8<>>(std::array{true});
#endif
    npu::capture c(g, side);
    c.if_(by, part);
    c.end();
}
