// SPDX-License-Identifier: MIT
// No option leaves out what a call of compiled graphs checks: run_only() keeps calls from capturing, and checks all.
// expect: skip_guard_eval_unsafe
#include <ahead/ahead.hpp>
#include <ahead/npu/compiled_graphs.hpp>

using namespace ahead;

inline constexpr auto doubled = trace([](input<"x", f32<3>> x) { return outputs(mul(x, 2)); });

int main() {
    npu::context npu;
    const auto weights = compiled<doubled>::prepare();
#ifdef REJECT
    const npu::graph_options options{.skip_guard_eval_unsafe = true};
#else
    const npu::graph_options options{.frozen_parameters = true};
#endif
    npu::compiled_graphs<compiled<doubled>> net(npu, npu.new_stream(), options, weights);
    net.run_only();
}
