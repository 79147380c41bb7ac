// SPDX-License-Identifier: MIT
// A launch writes a host parameter, which its updates alone write.
// fault: mutated_input_is_const
// expect: mutated_input_is_const
// expect: in_operator<[^"]*"launch"
// expect: in_tensor<[^"]*"in0"
// expect: found<[^"]*"a host parameter, which its upda
#include <ahead/ahead.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;

void run(npu::context& npu) {
#ifdef REJECT
    npu::host_parameter<i64<>> count(npu, 0);
#else
    auto count = npu.empty<i64<>>();
#endif
    npu.default_stream().launch([](auto n) {
        copy_(n, add(n, 1));
        return n;
    }, count);
}
