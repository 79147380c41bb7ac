// A decoder's step with a cache, a sum and a counter as states, and the same in a session: shared by the tests of
// states on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/ahead.hpp>

#include <array>

namespace test::decoder_step {

using namespace ahead;
using namespace ahead::rooms;

/// A cache of eight rows, written in place, one at a step; a sum that is read and written; a counter.
template <std::int64_t Rows>
inline constexpr auto decoder = trace([](input<"x", f32<Rows, 4>> x, input<"position", i64<1>> position, param<"w", f32<4, 4>> w,
                                         param<"cache", f32<8, 4>, input_role::buffer> cache, param<"sum", f32<4>, input_role::buffer> total,
                                         param<"n", i64<>, input_role::buffer> n) {
    const auto key = ops::sum<0>(sigmoid(mm(x, w)));
    const auto all = copy_(cache, call<aten::index_copy>(call_site::current(), cache, integer<0>{}, position, view<1, 4>(key)));
    const auto next = copy_(total, add(mul(total, 0.5), key));
    const auto count = copy_(n, add(n, 1));
    return outputs(mm(x, permute<1, 0>(all)), add(next, 1), count);
});
using program = compiled<decoder<1>>;
using wide = compiled<decoder<3>>;
static_assert(program::plan.states == 3 && program::plan.state_bytes == 256 && program::plan.states_written_in_place == 2); // the counter is returned as well
inline constexpr config on_two_options{.streams = 2};
using on_two = toolchain<>::with_options<on_two_options>;
using spread = compiled<decoder<1>, on_two>;
inline constexpr auto counting = trace([](input<"x", f32<2>> x, param<"n", i64<>, input_role::buffer> n) { return outputs(mul(x, copy_(n, add(n, 1)))); });
using counter = compiled<counting>;

inline constexpr std::array<float, 16> w_values{0.5f, -1, 0.25f, 2, 1, 0, -0.5f, 0.125f, 3, -2, 1, 0, 0.75f, 1, -1, 0.5f};
inline constexpr std::array<float, 32> began{1, 2, 3, 4};

inline weights given() {
    static constexpr std::int64_t n = 5;
    weights out;
    out.add("w", dtype::f32, {4, 4}, std::as_bytes(std::span(w_values)));
    out.add("cache", dtype::f32, {8, 4}, std::as_bytes(std::span(began)));
    out.add("sum", dtype::f32, {4}, std::as_bytes(std::span(w_values)).first(16));
    out.add("n", dtype::i64, {}, std::as_bytes(std::span(&n, 1)));
    return out;
}
template <std::size_t Count> std::array<float, Count> at_step(int step) {
    std::array<float, Count> out;
    for (std::size_t i = 0; i < Count; ++i) out[i] = static_cast<float>((step * 7 + static_cast<int>(i) * 5) % 11) * 0.25f - 1;
    return out;
}
inline std::array<std::int64_t, 1> position(int step) { return {step % 8}; }

/// Outputs and states of a session, against those of the device.
template <class Program> struct by_session {
    prepared_weights<Program> prepared = Program::prepare(given());
    typename Program::session run{prepared};

    template <std::size_t Count> bool step_is(int step, const auto& outputs) {
        const auto [scores, next, count] = run(at_step<Count>(step), position(step));
        return scores.copy() == std::get<0>(outputs).copy() && next.copy() == std::get<1>(outputs).copy() && count.copy() == std::get<2>(outputs).copy();
    }
    bool states_are(const auto& s) {
        return run.template state<"cache">().copy() == s.template state<"cache">().copy() && run.template state<"sum">().copy() == s.template state<"sum">().copy() &&
               run.template state<"n">().copy() == s.template state<"n">().copy();
    }
};

} // namespace test::decoder_step
