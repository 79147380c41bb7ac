// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "check_fault.hpp"
#include "raw_launch.hpp"

#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;
using namespace test;

namespace {
using flag = npu::tensor<b8<>>;
using row = std::array<float, 8>;
using row_tensor = npu::tensor<f32<8>>;
constexpr row counted{1, 2, 3, 4, 5, 6, 7, 8};
constexpr auto put = [](auto to, auto from) { return outputs(copy_(to, from)); };
constexpr auto put_double = [](auto to, auto from) { return outputs(copy_(to, mul(from, 2))); };
constexpr auto is_large = [](auto a) { return gt(sum<0>(a), 100); };

void ifs(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    auto x = npu.to_device<f32<8>>(counted), out = npu.empty<f32<8>>();
    npu::graph yes(npu), no(npu), g(npu);
    {
        npu::capture c(yes, s);
        static_cast<void>(c.launch(put, out, x));
        c.end();
    }
    {
        npu::capture c(no, s, yes.pool());
        static_cast<void>(c.launch(put_double, out, x));
        c.end();
    }
    {
        npu::capture c(g, s);
        c.if_(c.launch(is_large, x), yes, no);
        c.end();
    }
    g.replay(s);
    check(out.copy()[7] == 16);
    auto y = counted;
    y[0] = 1000;
    x.write(y);
    g.replay(s);
    check(out.copy() == y);
}
}
int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        ifs(run);
    }
    return report();
}
