// A device with some tensors, and graphs that write them: what the tests of nodes are made of.
// SPDX-License-Identifier: MIT
#pragma once
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

using boolean_tensor = npu::tensor<b8<>>;
inline constexpr auto put_into = [](auto to, auto from) { return outputs(copy_(to, from)); };
inline constexpr auto put_sum = [](auto to, auto a, auto b) { return outputs(copy_(to, add(a, b))); };
inline constexpr auto add_to = [](auto to, auto from) { return outputs(copy_(to, add(to, from))); };
inline constexpr auto is_positive = [](auto a) { return gt(a, 0); };
inline constexpr auto put_is_positive = [](auto to, auto a) { return outputs(copy_(to, gt(a, 0))); };
inline constexpr auto successor = [](auto a) { return add(a, 1); };

struct node_device {
    explicit node_device(npu::execution run) : npu({.run = run}) {}
    npu::context npu;
    npu::stream s = npu.new_stream(), t = npu.new_stream();
    cell zero = number(0), one = number(1), ten = number(10);

    cell number(std::int64_t value) { return npu.to_device<i64<>>(std::array{value}); }
    boolean_tensor boolean(bool value) { return npu.to_device<b8<>>(std::array{value}); }
    template <class F>
    npu::graph captured(F&& f, std::optional<npu::mempool_id> pool = {}) {
        npu::graph g(npu);
        npu::capture c(g, s, pool);
        f(c);
        c.end();
        return g;
    }
    /// One that writes `to`.
    npu::graph putting(cell& to, const cell& from) {
        return captured([&](npu::capture& c) { static_cast<void>(c.launch(put_into, to, from)); });
    }
    npu::graph adding(cell& to, const cell& from) {
        return captured([&](npu::capture& c) { static_cast<void>(c.launch(add_to, to, from)); });
    }
};

} // namespace test
