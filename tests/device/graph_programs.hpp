// SPDX-License-Identifier: MIT
// Programs of some shapes, with weights and without, for the tests of compiled graphs.
#pragma once
#include "device_refusal.hpp"
#include "harness.hpp"

#include <ahead/npu/compiled_graphs.hpp>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

template <std::int64_t N>
inline constexpr auto scaled = trace([](input<"x", f32<N>> x, param<"w", f32<1>> w) { return outputs(mul(add(x, 1), w)); });
using small = compiled<scaled<8>>;
using middle = compiled<scaled<16>>;
using large = compiled<scaled<32>>;

// c.mul_(2); return c + x
template <std::int64_t N>
inline constexpr auto doubling = trace([](input<"c", f32<N>> c, input<"x", f32<N>> x) {
    copy_(c, mul(c, 2));
    return outputs(add(c, x));
});
using counter = compiled<doubling<8>>;
using counter2 = compiled<doubling<16>>;
using counter3 = compiled<doubling<32>>;

template <std::size_t N>
constexpr std::array<float, N> all(float value) {
    std::array<float, N> out{};
    for (auto& x : out) x = value;
    return out;
}
inline constexpr auto eight_ones = all<8>(1), threes = all<8>(3);
inline weights one_weight(float value) {
    weights out;
    out.add("w", dtype::f32, {1}, std::as_bytes(std::span(&value, 1)));
    return out;
}
/// The output's values; its lease is over.
template <class Net, class... Given>
auto values(Net& net, Given&... given) {
    return net(given...).copy();
}

inline const auto by_two = small::prepare(one_weight(2)), by_five = small::prepare(one_weight(5));
inline const auto by_three = middle::prepare(one_weight(3));
inline const auto by_four = large::prepare(one_weight(4));
inline const auto no_weights = counter::prepare();
inline const auto no_weights2 = counter2::prepare();
inline const auto no_weights3 = counter3::prepare();

} // namespace test
