// SPDX-License-Identifier: MIT
// A refused text is one error: what its program is asked for, with as many outputs as the text returns, adds none. A misspelled operator.
// fault: operator_is_unknown
// expect: aten.reluu.default
// expect: aten.relu.default
#include <ahead/ahead.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.reluu.default(x);  x = None
        return (relu, relu)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
        return (relu, relu)
)fx";
#endif
};
using program = ahead::compiled<ahead::fx<source>>;

int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    const std::array<float, 6> x{};
    const auto [y, z] = run(x);
    return y(1, 2) < 0 || z.copy()[0] < 0;
}
