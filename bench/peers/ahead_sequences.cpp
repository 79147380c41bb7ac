// SPDX-License-Identifier: MIT
// Recurrent networks over a sequence: 100 steps of 64 features, 128 states.
#include "ahead_rows.hpp"

namespace {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr auto lstm_sequence =
    trace([](input<"x", f32<100, 1, 64>> x, input<"h", f32<1, 1, 128>> h, input<"c", f32<1, 1, 128>> c,
             param<"weight_ih", f32<512, 64>> v, param<"bias_ih", f32<512>> a, param<"weight_hh", f32<512, 128>> w,
             param<"bias_hh", f32<512>> b) {
        auto [y, hidden, cells] = lstm(x, h, c, tensors(v, w, a, b));
        return outputs(y, cells);
    });

inline constexpr auto gru_sequence =
    trace([](input<"x", f32<100, 1, 64>> x, input<"h", f32<1, 1, 128>> h, param<"weight_ih", f32<384, 64>> v,
             param<"bias_ih", f32<384>> a, param<"weight_hh", f32<384, 128>> w, param<"bias_hh", f32<384>> b) {
        auto [y, hidden] = gru(x, h, tensors(v, w, a, b));
        return outputs(y);
    });

[[maybe_unused]] const bool added[] = {
    bench::add_ahead<lstm_sequence>("lstm_sequence"),
    bench::add_ahead<gru_sequence>("gru_sequence"),
};

} // namespace
