// SPDX-License-Identifier: MIT
// A program with variables of its own at namespace scope: g++ compares names in instantiated templates with them, so that a lambda's parameter would shadow one.
#include <ahead/ahead.hpp>

#include "harness.hpp"

[[maybe_unused]] static int p, n, x, y, i, d, g, id, out, t, a, b, in, run, data;

namespace {

struct mlp {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, p_w: "f32[4, 3]", images: "f32[2, 3]"):
        permute: "f32[3, 4]" = torch.ops.aten.permute.default(p_w, [1, 0]);  p_w = None
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(images, permute);  permute = None
        relu: "f32[2, 4]" = torch.ops.aten.relu.default(mm);  mm = None
        return (relu,)
)fx";
    static constexpr ahead::fx_input inputs[] = {{"p_w", "fc.weight"}};
};
using printed = ahead::compiled<ahead::fx<mlp>>;
inline constexpr auto net = ahead::trace([](ahead::input<"images", ahead::f32<2, 3>> images, ahead::param<"fc.weight", ahead::f32<4, 3>> weight) {
    return ahead::outputs(relu(mm(images, permute<1, 0>(weight))));
});
using written = ahead::compiled<net>;

template <class Program> std::array<float, 8> results() {
    ahead::weights from;
    const std::array<float, 12> weight{1, 0, 0, 0, 1, 0, 0, 0, 1, -1, -1, -1};
    from.add("fc.weight", ahead::dtype::f32, {4, 3}, std::as_bytes(std::span(weight)));
    const auto prepared = Program::prepare(from);
    typename Program::session session{prepared};
    return std::get<0>(session(std::array<float, 6>{1, 2, 3, -4, 5, 6})).copy();
}

} // namespace

int main() {
    const std::array<float, 8> wanted{1, 2, 3, 0, 0, 5, 6, 0};
    test::check(results<printed>() == wanted && results<written>() == wanted);
    return test::report();
}
