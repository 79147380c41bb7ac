// SPDX-License-Identifier: MIT
// A branch is chosen by several bools.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"if_"
// expect: in_tensor<[^"]*"predicate"
// expect: expected<[^"]*"one bool"
// expect: found<[^"]*"b8\[2\]"
#include <ahead/npu/graph.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    npu::graph part(npu), g(npu);
    part.capture_begin(side);
    part.capture_end(side);
#ifdef REJECT
    const auto by = npu.to_device<b8<2>>(std::array{true, false});
#else
    const auto by = npu.to_device<b8<>>(std::array{true});
#endif
    npu::capture c(g, side);
    c.if_(by, part, part);
    c.end();
}
