// SPDX-License-Identifier: MIT
// A loop is given a number of rounds where its predicate stands.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"while_"
// expect: in_tensor<[^"]*"predicate"
// expect: expected<[^"]*"one bool"
// expect: found<[^"]*"i64\[\]"
#include <ahead/npu/graph.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    npu::graph part(npu), g(npu);
    part.capture_begin(side);
    part.capture_end(side);
#ifdef REJECT
    const auto by = npu.to_device<i64<>>(std::array{std::int64_t{3}});
#else
    const auto by = npu.to_device<b8<>>(std::array{true});
#endif
    npu::capture c(g, side);
    c.while_(by, part, 8);
    c.end();
}
