// SPDX-License-Identifier: MIT
// A choice file that names a kernel that the key does not allow.
// fault: choice_is_impossible
// expect: choice_is_impossible
// expect: panels_of_64
// expect: copied, in line 2
#include <ahead/ahead.hpp>

using namespace ahead;

struct source {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[8, 4], w : f32[4, 48]):
    mm = torch.ops.aten.mm.default(x, w)
    return (mm,)
)fx";
    static constexpr fx_input inputs[] = {{"w", "w"}};
};
#ifdef REJECT
inline constexpr config options{.choices = "# what was measured\nnpu.matmul m=8 n=48 k=4 packed a_row=4 a_col=1 b_row=48 b_col=1 : copied"};
#else
inline constexpr config options{.choices = "# what was measured\nnpu.matmul m=8 n=48 k=4 packed a_row=4 a_col=1 b_row=48 b_col=1 : panels_of_16"};
#endif
using tools = toolchain<>::with_options<options>;
using program = compiled<fx<source>, tools>;
static_assert(program::plan.run_tasks <= 1);
int main() {}
