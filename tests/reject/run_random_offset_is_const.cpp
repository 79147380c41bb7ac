// SPDX-License-Identifier: MIT
// The graph draws random numbers, and the run is given an offset that it cannot advance.
// fault: mutated_input_is_const
// expect: in_operator<[^"]*"run"
// expect: in_tensor<[^"]*"rng_offset"
// expect: expected<[^"]*"a tensor that may be written"
// expect: found<[^"]*"one that is const, or temporary"
// expect: <source>:30
#include <ahead/ahead.hpp>

using namespace ahead;

struct noisy {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3]):
    rand_like = torch.ops.aten.rand_like.default(x)
    return (rand_like,)
)fx";
};
using program = compiled<fx<noisy>>;
#ifdef REJECT
using state = const std::array<std::int64_t, 1>;
#else
using state = std::array<std::int64_t, 1>;
#endif
int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    state seed{1}, offset{0};
    const std::array<float, 3> x{};
    const auto [y] = run(x, seed, offset);
    return y(0) < 1 ? 0 : 1;
}
