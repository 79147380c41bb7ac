// SPDX-License-Identifier: MIT
// A branch is chosen by a bool of the host, whose value the capture would fix.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"if_"
// expect: in_tensor<[^"]*"predicate"
// expect: expected<[^"]*"one bool"
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
    const auto by = true;
#else
    const auto by = npu.to_device<b8<>>(std::array{true});
#endif
    npu::capture c(g, side);
    c.if_(by, part);
    c.end();
}
