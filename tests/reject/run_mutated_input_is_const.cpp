// SPDX-License-Identifier: MIT
// The graph writes an input, and the run is given a tensor that is const.
// fault: mutated_input_is_const
// expect: in_operator<[^"]*"run"
// expect: in_tensor<[^"]*"x"
// expect: expected<[^"]*"a tensor that may be written"
// expect: found<[^"]*"one that is const, or temporary"
// expect: <source>:30
#include <ahead/ahead.hpp>

using namespace ahead;

struct doubled {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3]):
    mul = torch.ops.aten.mul_.Tensor(x, 2)
    return (mul,)
)fx";
};
using program = compiled<fx<doubled>>;
#ifdef REJECT
using given = const std::array<float, 3>;
#else
using given = std::array<float, 3>;
#endif

int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    given x{};
    const auto [y] = run(x);
    return y(0) == 0 ? 0 : 1;
}
