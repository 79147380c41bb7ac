// Inputs and weights that nobody reads, or only what is dead, cost neither memory nor time; a run takes them all the same, as the graph says. Numbers beside
// the tensors of a text are no inputs, whether a size says the same or not.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/compile/timing.hpp>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal;

namespace {

inline constexpr auto lean = trace([](input<"x", f32<8, 8>> x) { return outputs(relu(mm(x, x)) * 2); });
inline constexpr auto burdened = trace([](input<"x", f32<8, 8>> x, input<"y", f32<100, 100>> y, param<"w", f32<50, 50>> w, input<"z", f32<8>> z) {
    static_cast<void>(mm(w, exp(w)));
    static_cast<void>(sum<0>(y));
    static_cast<void>(z);
    return outputs(relu(mm(x, x)) * 2);
});
using one = compiled<lean>;
using other = compiled<burdened>;
static_assert(one::plan.peak_bytes == other::plan.peak_bytes && one::plan.constant_bytes == other::plan.constant_bytes && other::plan.constant_bytes == 0);
static_assert(one::plan.run_tasks == other::plan.run_tasks && other::plan.prepare_tasks == 0 && one::plan.makespan == other::plan.makespan);
static_assert(one::session::bytes == other::session::bytes);
static_assert(one::plan.inputs == 1 && other::plan.inputs == 3 && other::plan.parameters == 1);
// It is the passes that see to it.
inline constexpr config keeps_all_options{.eliminate_dead_code = false};
using keeps_all = toolchain<>::with_options<keeps_all_options>;
static_assert(compiled<burdened, keeps_all>::plan.run_tasks + compiled<burdened, keeps_all>::plan.prepare_tasks > one::plan.run_tasks);

void runs() {
    ahead::weights file;
    const std::vector<float> values(2500, 1.0f);
    file.add("w", dtype::f32, {50, 50}, std::as_bytes(std::span(values)));
    const auto prepared = other::prepare(file);
    other::session run{prepared};
    std::vector<float> x(64, 0.5f), y(10'000), z(8);
    const auto [made] = run(x, y, z);
    check_equal(made(3, 4), 4.0f);
}

// TorchAir reads a number that is a size from the tensor, to have one input less; here no number is an input, and all sizes are numbers.
void numbers() {
    const auto inputs_of = [](graph_view g) {
        int count = 0;
        for (node_id n : g) count += g[n].kind == node_kind::placeholder;
        return count;
    };
    constexpr std::string_view simple = "def forward(self, s: \"Sym(s0)\", t: \"Sym(s1)\", x: \"f32[s0, 4]\"):\n    view: \"f32[s0, 4]\" = torch.ops.aten.view.default(x, [s, 4])\n    "
                                        "add: \"f32[s0, 4]\" = torch.ops.aten.add.Tensor(view, t)\n    return (add,)\n";
    constexpr symbol_value symbols[] = {{"s0", 3}, {"s1", 7}};
    const auto made = inspect_fx(simple, {}, {}, symbols);
    check(made.error.ok(), render(made.error));
    check_equal(inputs_of(made.captured()), 1);
}

} // namespace

int main() {
    runs();
    numbers();
    return test::report();
}
