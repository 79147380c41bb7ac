// SPDX-License-Identifier: MIT
// An expression with a constant tensor is launched: nobody has prepared its constants.
// fault: program_has_constants
// expect: in_operator<[^"]*"launch"
// expect: expected<[^"]*"an expression without constant 
#include <ahead/ahead.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;

int main() {
    npu::context npu;
    const std::array<float, 3> values{1, 2, 3};
    const auto x = npu.to_device<f32<3>>(values);
    npu.default_stream().launch(
        [](auto a) {
#ifdef REJECT
            return add(a, constant<"scale", f32<3>>(a, {0.5, 1, 2}));
#else
            return add(a, 1);
#endif
        },
        x);
}
