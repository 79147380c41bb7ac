// SPDX-License-Identifier: MIT
// A graph is chosen by a bool, where a branch is meant.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"switch_"
// expect: in_tensor<[^"]*"index"
// expect: expected<[^"]*"one i64 or i32"
// expect: found<[^"]*"b8\[\]"
#include <ahead/npu/graph.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    npu::graph part(npu), g(npu);
    part.capture_begin(side);
    part.capture_end(side);
#ifdef REJECT
    const auto by = npu.to_device<b8<>>(std::array{true});
#else
    const auto by = npu.to_device<i32<>>(std::array{1});
#endif
    npu::capture c(g, side);
    c.switch_(by, {part, part});
    c.end();
}
