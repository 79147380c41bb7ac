// What fusing does to a graph, as listings: before, after, and a graph in which each must leave everything apart.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/fx/print_fx.hpp>

using namespace ahead;
using namespace test;

namespace {

template <bool Pointwise, bool Activation, bool Residual> inline constexpr config fusing_options{.fuse_activation = Activation, .fuse_pointwise = Pointwise, .fuse_residual = Residual};
template <bool Pointwise, bool Activation, bool Residual> using fusing = toolchain<>::with_options<fusing_options<Pointwise, Activation, Residual>>;
using nothing = fusing<false, false, false>;

// The calls of the device graph, one a line, without the weights' packing and without the programs' numbers, which name rows of a table.
template <const auto& Net, class Tools> std::string calls() {
    std::string listing, out;
    print_fx(compiled<Net, Tools>::lowered_graph(), code_style(), listing);
    for (std::size_t at = 0; at < listing.size();) {
        const auto end = listing.find('\n', at);
        auto line = listing.substr(at, end - at);
        at = end + 1;
        if (line.find("npu.pack") != line.npos || line.find("npu.view") != line.npos || line.find(" = ") == line.npos) {
            if (line.find("return") == line.npos) continue;
        }
        line.erase(0, line.find_first_not_of(' '));
        line.erase(std::min(line.find(";"), line.size()));
        if (const auto program = line.find('['); program != line.npos) line.replace(program, line.find(']') + 1 - program, "[...]");
        out += line + "\n";
    }
    return out;
}

using wide = f32<2, 4>;
// A product with a residual and a relu, and a chain that reads its result, which the graph returns as well.
inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 4>> w, input<"r", wide> r) {
    auto y = relu(add(mm(x, w), r));
    return outputs(tanh(mul(y, 0.5)), y);
});
// A product and an activation.
inline constexpr auto activated = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 4>> w) { return outputs(gelu(mm(x, w))); });
// A product that is returned, calls that are read twice, integers.
inline constexpr auto apart = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 4>> w, input<"i", i64<2, 4>> i) {
    auto y = mm(x, w);
    auto z = exp(relu(y));
    return outputs(y, add(z, sigmoid(z)), neg(abs(i)));
});

} // namespace

int main() {
    check_equal(calls<net, nothing>(), "mm = torch.ops.npu.matmul(x, mm, None, 4, None, None, None, None, None)\n"
                                       "add = torch.ops.npu.add.Tensor(mm, r, 1)\n"
                                       "relu = torch.ops.npu.relu.default(add)\n"
                                       "mul = torch.ops.npu.mul.Tensor(relu, 0.5)\n"
                                       "tanh = torch.ops.npu.tanh.default(mul)\n"
                                       "return (tanh, relu)\n");
    check_equal(calls<net, fusing<true, false, false>>(), "mm = torch.ops.npu.matmul(x, mm, None, 4, None, None, None, None, None)\n"
                                                          "tanh = torch.ops.npu.fused(mm, r, program = [...], results = 2)\n"
                                                          "return (tanh, tanh[...])\n");
    check_equal(calls<net, fusing<true, false, true>>(), "mm = torch.ops.npu.matmul(x, mm, None, 4, r, None, None, [...], None)\n"
                                                         "tanh = torch.ops.npu.fused(mm, program = [...])\n"
                                                         "return (tanh, mm)\n");
    check_equal(calls<activated, nothing>(), "mm = torch.ops.npu.matmul(x, mm, None, 4, None, None, None, None, None)\n"
                                             "gelu = torch.ops.npu.gelu.default(mm, 'none')\n"
                                             "return gelu\n");
    check_equal(calls<activated, fusing<false, true, false>>(), "mm = torch.ops.npu.matmul(x, mm, None, 4, None, None, None, [...], None)\n"
                                                                "return mm\n");
    // Without an option, and where nothing fits.
    check_equal(calls<activated, fusing<true, false, true>>(), calls<activated, nothing>());
    check_equal(calls<apart, fusing<false, true, true>>(), calls<apart, nothing>());
    check_equal(calls<apart, nothing>(), "mm = torch.ops.npu.matmul(x, mm, None, 4, None, None, None, None, None)\n"
                                         "relu = torch.ops.npu.relu.default(mm)\n"
                                         "exp = torch.ops.npu.exp.default(relu)\n"
                                         "sigmoid = torch.ops.npu.sigmoid.default(exp)\n"
                                         "add = torch.ops.npu.add.Tensor(exp, sigmoid, 1)\n"
                                         "abs = torch.ops.npu.abs.default(i)\n"
                                         "neg = torch.ops.npu.neg.default(abs)\n"
                                         "return (mm, add, neg)\n");
    return report();
}
