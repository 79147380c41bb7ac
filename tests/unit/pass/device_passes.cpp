// Passes of the device graph: which pointwise calls share a task, with one result and with several, a user's own passes
// before and after the built-in ones, and their log.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

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
// What is read twice, once by a step of another shape or by a product before, is a task of its own.
constexpr auto read_by_another_shape = trace([](input<"x", f32<4>> x, input<"y", f32<3, 4>> y) {
    auto a = exp(x);
    return outputs(mul(add(y, a), y), neg(a));
});
constexpr auto read_by_product = trace([](input<"x", f32<4, 4>> x, param<"w", f32<4, 4>> w) {
    auto a = exp(x);
    return outputs(mul(mm(a, w), a));
});

// What is read behind the loop, too, is a result of it: by the caller, by two loops, through views, in an input that it writes.
constexpr auto returned = trace([](input<"x", f32<9>> x) {
    auto a = exp(x);
    return outputs(mul(a, sigmoid(a)), a);
});
constexpr auto lstm_cell = trace([](input<"gates", f32<2, 20>> gates, input<"c", f32<2, 5>> c) {
    auto next = add(mul(sigmoid(slice<1, 5, 10>(gates)), c), mul(sigmoid(slice<1, 0, 5>(gates)), tanh(slice<1, 10, 15>(gates))));
    return outputs(mul(sigmoid(slice<1, 15, 20>(gates)), tanh(next)), next);
});
constexpr auto adam_step = trace([](param<"p", f32<3, 7>> p, param<"m", f32<3, 7>> m, param<"v", f32<3, 7>> v, input<"g", f32<3, 7>> g) {
    auto first = add(mul(m, 0.9), mul(g, 0.1));
    auto second = add(mul(v, 0.99), mul(mul(g, g), 0.01));
    copy_(m, first);
    copy_(v, second);
    copy_(p, sub(p, mul(div(first, add(sqrt(abs(second)), 1e-8)), 0.001)));
    return outputs(sum<0>(g));
});
constexpr auto views_are_read = trace([](input<"x", f32<4, 6>> x, param<"w", f32<4, 3>> w) {
    auto a = exp(x);
    auto b = mul(a, sigmoid(a));
    return outputs(mm(permute<1, 0>(b), w), reshape<3, 8>(a), mm(permute<1, 0>(a), w));
});
// Elements of columns lie one behind the other, in both results.
constexpr auto columns = trace([](input<"x", f32<5, 35>> x, input<"y", f32<5>> y) {
    auto a = exp(add(permute<1, 0>(x), y));
    return outputs(mul(a, sigmoid(a)), a);
});
constexpr auto of_weights_kept = trace([](input<"x", f32<12>> x, param<"w", f32<12>> w) {
    auto a = exp(w);
    auto b = mul(a, sigmoid(a));
    return outputs(mul(add(x, b), add(mul(x, 2.0), a)), x);
});
// As many as a loop gives, and one more.
constexpr auto five_are_returned = trace([](input<"x", f32<8>> x) {
    auto a = exp(x), b = sigmoid(a), c = tanh(b), d = sqrt(c);
    return outputs(abs(sub(d, 1.0)), d, c, b, a);
});
// A product has what follows it for itself, and what it reads before.
constexpr auto product_keeps_its_sum = trace([](input<"x", f32<4, 4>> x, param<"w", f32<4, 4>> w) {
    auto a = relu(mm(x, w));
    return outputs(mul(a, sigmoid(a)), a);
});
// Both products would live until both results are made, in the place of one of them: one tensor more.
constexpr auto needs_more_room = trace([](input<"x", f32<16, 16>> x, param<"w", f32<16, 16>> w, param<"u", f32<16, 16>> u) {
    auto a = add(mm(x, w), permute<1, 0>(mm(x, u)));
    return outputs(mul(a, sigmoid(a)), a);
});
// The product goes where all that reads it is.
constexpr auto gated_product = trace([](input<"x", f32<3, 4>> x, param<"w", f32<4, 5>> w) {
    auto h = mm(x, w);
    return outputs(mul(h, sigmoid(h)));
});

// The states p, m and v after a step, to the bit; each is written where it lies, by one task.
template <const auto& Net> void steps_agree() {
    const auto states_of = []<class Program>() {
        std::array<float, 21> gradient{};
        for (std::size_t i = 0; i < 21; ++i) gradient[i] = 0.25f * static_cast<float>(i) - 2.0f;
        weights given;
        for (const auto name : {"p", "m", "v"}) {
            for (auto& x : gradient) x = 0.5f * x + 0.125f;
            given.add(name, dtype::f32, {3, 7}, std::as_bytes(std::span(gradient)));
        }
        const auto prepared = Program::prepare(given);
        typename Program::session run{prepared};
        static_cast<void>(run(gradient));
        std::vector<float> out;
        for (float x : run.template state<"p">()) out.push_back(x);
        for (float x : run.template state<"m">()) out.push_back(x);
        for (float x : run.template state<"v">()) out.push_back(x);
        return out;
    };
    static_assert(compiled<Net>::plan.run_tasks == 2 && compiled<Net>::plan.states_written_in_place == 3);
    check(states_of.template operator()<compiled<Net>>() == states_of.template operator()<compiled<Net, one_by_one>>(), "the same states");
}

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
using my_tools = toolchain<>::with_device_pre_pass<no_double_negation{}>::with_device_post_pass<count_loops{}>;
// A converter that leaves out what has a default.
struct convert_add {
    using op = aten::add;
    static constexpr bool convert(convert_context& c) { return c.bind_result(c.create<device::pointwise<aten::add>>({c.operand(0), c.operand(1)})); }
};
using brief_tools = toolchain<>::with<convert_add>;
constexpr auto sums = trace([](input<"x", f32<6>> x, input<"y", f32<6>> y) { return outputs(mul(add(x, y), y)); });

constexpr auto negations = trace([](input<"x", f32<6>> x, input<"y", f32<6>> y) { return outputs(mul(neg(neg(x)), y)); });
constexpr auto chain = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 3>> w) { return outputs(relu(add(mm(x, w), 1.0))); });

// What several products read of a weight is made once; views of other sizes of one tensor stay apart.
constexpr auto one_weight_twice = trace([](input<"x", f32<4, 8>> x, param<"w", f32<8, 8>> w) { return outputs(mm(abs(mm(x, w)), w)); });
constexpr auto two_views = trace([](input<"x", f32<2, 6>> x) { return outputs(sum<0>(reshape<3, 4>(x)), sum<0>(reshape<4, 3>(x))); });

} // namespace

int main() {
    agrees<silu_written_out>(1);
    agrees<mish_written_out>(1);
    agrees<hardswish_written_out>(1);
    agrees<diamonds>(1);
    agrees<read_by_another_shape>(3);
    agrees<returned>(1);
    agrees<lstm_cell>(1);
    agrees<views_are_read>(3, 1);
    agrees<columns>(1);
    agrees<of_weights_kept>(2, 1);
    agrees<five_are_returned>(2);
    agrees<product_keeps_its_sum>(2, 1);
    agrees<needs_more_room>(4, 2);
    is_exact<returned, one_by_one>();
    is_exact<lstm_cell, one_by_one>();
    is_exact<views_are_read, one_by_one>();
    is_exact<columns, one_by_one>();
    is_exact<five_are_returned, one_by_one>();
    steps_agree<adam_step>();
    agrees<read_by_product>(2, 1);
    agrees<gated_product>(1, 1);

    agrees<sums, brief_tools>(2);

    agrees<one_weight_twice>(2, 1);
    agrees<two_views>(2);

    using mine = compiled<negations, my_tools>;
    static_assert(mine::plan.run_tasks == 1);
    agrees<negations, my_tools>(1);
    check(mine::lowered_graph()[mine::plan_view().tasks[0].node].target == "npu.mul.Tensor");
    const auto log = log_of<negations, my_tools>();
    check(log.find("no_double_negation: 6 -> 4 nodes, 3 changes: - npu.neg.default neg") != log.npos, log);
    check(log.find("fuse_pointwise: nothing to do\nnormalize_loop_layout: nothing to do\nfuse_epilogue: nothing to do\nfuse_reductions: nothing to do\nfuse_attention: nothing to do\nfuse_multi_output: nothing to do\nswap_matmul_operands: nothing to do\nfold_transposes: nothing to do\ncount_loops: nothing to do\n") != log.npos, log);
    const auto usual = log_of<chain>();
    check(usual.find("fuse_pointwise: ") < usual.find("npu.fused(") && usual.find("npu.fused(") < usual.find("fuse_epilogue: "), usual);
    const auto kept = log_of<returned>();
    check(kept.find("fuse_multi_output: ") < kept.find("results = 1)") && kept.find("return (mul, mul[1])") != kept.npos, kept);
    return report();
}
