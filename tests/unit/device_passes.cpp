// Passes of the device graph: what joins, what does not, a user's own before and after the built-in ones, and their log.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

#include <ahead/io/print_passes.hpp>

using namespace ahead;
using namespace test;

namespace {

// As PyTorch decomposes them, behind a call that makes what they read twice.
constexpr auto silu_written_out = trace([](input<"x", f32<5, 7>> x) {
    auto t = abs(x);
    return outputs(mul(t, sigmoid(t)));
});
constexpr auto mish_written_out = trace([](input<"x", f32<5, 7>> x) {
    auto t = abs(x);
    return outputs(mul(t, tanh(log1p(exp(t)))));
});
constexpr auto hardswish_written_out = trace([](input<"x", f32<5, 7>> x) {
    auto t = sub(x, 1.0);
    return outputs(div(mul(t, clamp(add(t, 3.0), 0.0, 6.0)), 6.0));
});
// A diamond in a diamond.
constexpr auto diamonds = trace([](input<"x", f32<40>> x) {
    auto a = exp(x);
    auto b = mul(add(a, 1.0), sigmoid(a));
    return outputs(sub(mul(b, tanh(b)), a));
});
// What is read twice, once by a step of another shape, by a product or by the caller, is a task of its own.
constexpr auto read_by_another_shape = trace([](input<"x", f32<4>> x, input<"y", f32<3, 4>> y) {
    auto a = exp(x);
    return outputs(mul(add(y, a), y), neg(a));
});
constexpr auto returned = trace([](input<"x", f32<9>> x) {
    auto a = exp(x);
    return outputs(mul(a, sigmoid(a)), a);
});
constexpr auto read_by_product = trace([](input<"x", f32<4, 4>> x, param<"w", f32<4, 4>> w) {
    auto a = exp(x);
    return outputs(mul(mm(a, w), a));
});
// The product goes where all that reads it is.
constexpr auto gated_product = trace([](input<"x", f32<3, 4>> x, param<"w", f32<4, 5>> w) {
    auto h = mm(x, w);
    return outputs(mul(h, sigmoid(h)));
});

// Two negations are none; on the device graph, before calls become steps.
struct no_double_negation {
    static constexpr std::string_view name = "no_double_negation";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g.find_nodes("npu.neg.default")) {
            const auto before = g.operand(n, 0);
            if (!g.calls(before, "npu.neg.default")) continue;
            g.replace_all_uses_with(n, g.operand(before, 0));
            g.erase_node(n);
            if (g.use_count(before) == 0) g.erase_node(before);
        }
    }
};
struct count_loops {
    static constexpr std::string_view name = "count_loops";
    constexpr void operator()(graph_editor&, const config&) const {}
};
struct my_tools : toolchain<> {
    static constexpr auto device_pre_pass = no_double_negation{};
    static constexpr auto device_post_pass = count_loops{};
};
// A converter that leaves out what has a default.
struct convert_add {
    using op = aten::add;
    static constexpr bool convert(convert_context& c) { return c.finish(c.emit<device::pointwise<aten::add>>({c.operand(0), c.operand(1)})); }
};
struct brief_tools : toolchain<>::with<convert_add> {};
constexpr auto sums = trace([](input<"x", f32<6>> x, input<"y", f32<6>> y) { return outputs(mul(add(x, y), y)); });

constexpr auto negations = trace([](input<"x", f32<6>> x, input<"y", f32<6>> y) { return outputs(mul(neg(neg(x)), y)); });
constexpr auto chain = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 3>> w) { return outputs(relu(add(mm(x, w), 1.0))); });

template <const auto& Net, class Tools = toolchain<>> std::string log_of() {
    std::string out;
    print_device_passes<compiled<Net, Tools>>(out);
    return out;
}

} // namespace

int main() {
    agrees<silu_written_out>(1);
    agrees<mish_written_out>(1);
    agrees<hardswish_written_out>(1);
    agrees<diamonds>(1);
    agrees<read_by_another_shape>(3);
    agrees<returned>(2);
    agrees<read_by_product>(2, 1);
    agrees<gated_product>(1, 1);

    agrees<sums, brief_tools>(2);

    using mine = compiled<negations, my_tools>;
    static_assert(mine::plan.run_tasks == 1);
    agrees<negations, my_tools>(1);
    check(mine::lowered_graph()[mine::plan_view().tasks[0].node].target == "npu.mul.Tensor");
    const auto log = log_of<negations, my_tools>();
    check(log.find("no_double_negation: 6 -> 4 nodes, 3 changes: - npu.neg.default neg") != log.npos, log);
    check(log.find("fuse_pointwise: nothing to do\nfuse_epilogue: nothing to do\ncount_loops: nothing to do\n") != log.npos, log);
    const auto usual = log_of<chain>();
    check(usual.find("fuse_pointwise: ") < usual.find("npu.fused(") && usual.find("npu.fused(") < usual.find("fuse_epilogue: "), usual);
    return report();
}
