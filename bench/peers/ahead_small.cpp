// SPDX-License-Identifier: MIT
// What takes less than a call of most libraries: small_mlp, LSTM cells, adds and a product of 8. Not beside lenet: with a
// convolution in the unit g++ 12 inlines the cells otherwise, and they take 7 to 9 % longer.
#include <run/graphs.hpp>

#include "ahead_rows.hpp"

namespace {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr auto product =
    trace([](input<"x", f32<8, 8>> x, param<"w", f32<8, 8>> w) { return outputs(mm(x, w)); });

/// Gate I of Size, of all gates.
template <int I, int Size, class A> constexpr auto gate(const A& all) {
    return slice<1, I * Size, I * Size + Size>(all);
}

inline constexpr auto lstm = trace([](input<"x", f32<1, 1>> x, input<"h", f32<1, 32>> h, input<"c", f32<1, 32>> c,
                                      param<"weight_ih", f32<128, 1>> v, param<"bias_ih", f32<128>> a,
                                      param<"weight_hh", f32<128, 32>> w, param<"bias_hh", f32<128>> b) {
    auto gates = add(linear(x, v, a), linear(h, w, b));
    auto added = mul(sigmoid(gate<0, 32>(gates)), tanh(gate<2, 32>(gates)));
    auto next = add(mul(sigmoid(gate<1, 32>(gates)), c), added);
    return outputs(mul(sigmoid(gate<3, 32>(gates)), tanh(next)), next);
});

inline constexpr auto gru =
    trace([](input<"x", f32<1, 1>> x, input<"h", f32<1, 20>> h, param<"weight_ih", f32<60, 1>> v,
             param<"bias_ih", f32<60>> a, param<"weight_hh", f32<60, 20>> w, param<"bias_hh", f32<60>> b) {
        auto of_x = linear(x, v, a), of_h = linear(h, w, b);
        auto reset = sigmoid(add(gate<0, 20>(of_x), gate<0, 20>(of_h)));
        auto kept = sigmoid(add(gate<1, 20>(of_x), gate<1, 20>(of_h)));
        auto fresh = tanh(add(gate<2, 20>(of_x), mul(reset, gate<2, 20>(of_h))));
        return outputs(add(fresh, mul(kept, sub(h, fresh))));
    });

[[maybe_unused]] const bool added[] = {
    bench::add_ahead<product>("gemm_8"),
    bench::add_ahead<bench::graphs::mlp<1, 16, 32, 32, 8>>("small_mlp"),
    bench::add_ahead<lstm>("lstm_32"),
    bench::add_ahead<gru>("gru_20"),
    bench::add_ahead<bench::graphs::chain>("adds"),
};

} // namespace
