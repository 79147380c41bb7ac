// Loops and scans that run, and control flow written in C++: each block a program of its own, in the task of the call
// that holds it. The same numbers as by the reference.
// SPDX-License-Identifier: MIT
#include "control_flow.hpp"
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/equivalent.hpp>

#include <vector>

// fault: loop_has_no_bound
// fault: loop_exceeds_bound

using namespace ahead;
using namespace test;
using namespace test::control_flow;

namespace {

void check_loops() {
    const auto prepared = loop_program::prepare();
    loop_program::session run(prepared);
    const row x{1, 2, 0.5f};
    for (std::int64_t rounds = -1; rounds <= 10; ++rounds) {
        const host_tensor inputs[] = {host(row_type, x), host(count_type, count{rounds})};
        const auto wanted = reference<loop>(inputs);
        const auto before = test::allocations.load();
        const auto [y] = run(x, count{rounds});
        check_equal(test::allocations.load(), before);
        same(y, wanted[0]);
    }
    const auto refused = run.try_run(x, count{11});
    check_fault(refused.why(), {fault::loop_exceeds_bound});
    check_equal(test::sentence(refused.why()), "line 5: higher_order.while_loop 'while_loop': loop exceeds bound: expected at most 10 rounds, found another one");
    const auto [y] = run(x, count{3}); // and goes on
    check_equal(y.data()[1], 16.0f);

    // A bound is part of the time.
    using longer = compiled<loop, twenty_rounds>;
    check(longer::plan.makespan > loop_program::plan.makespan);
    const auto made = inspect_fx(loop_text::text);
    check_fault(made.error, {fault::loop_has_no_bound});
    check_equal(test::sentence(made.error), "line 5: higher_order.while_loop 'while_loop': loop has no bound: expected a toolchain with config{.loop_bound = rounds}, found none");
    const auto wrong = inspect_fx(loop_text::text, config{.loop_bound = -1});
    check_fault(wrong.error, {fault::option_is_out_of_range});
}

// ---- scans

struct scan_text {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[4, 4]", h: "f32[2, 4]", xs: "f32[5, 2, 4]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h], [xs], [w]);  scan_combine_graph_0 = h = xs = w = None
        getitem: "f32[2, 4]" = scan[0]
        getitem_1: "f32[5, 2, 4]" = scan[1]
        getitem_2: "f32[5, 4, 2]" = scan[2];  scan = None
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, h: "f32[2, 4]", x: "f32[2, 4]", w: "f32[4, 4]"):
            mm: "f32[2, 4]" = torch.ops.aten.mm.default(h, w);  h = w = None
            add: "f32[2, 4]" = torch.ops.aten.add.Tensor(mm, x);  mm = None
            tanh: "f32[2, 4]" = torch.ops.aten.tanh.default(add);  add = None
            mul: "f32[2, 4]" = torch.ops.aten.mul.Tensor(tanh, 2.0)
            permute: "f32[4, 2]" = torch.ops.aten.permute.default(x, [1, 0]);  x = None
            return (tanh, mul, permute)
)fx";
};
struct scan_of_weight : scan_text {
    static constexpr fx_input inputs[] = {{"w", "cell.w", {}}};
};
inline constexpr auto scan_net = fx<scan_text>;
inline constexpr auto scan_with_weight = fx<scan_of_weight>;
void check_scans() {
    std::array<float, 16> w{};
    std::array<float, 8> h{};
    std::array<float, 40> xs{};
    float next = 0;
    for (auto& v : w) v = 0.1f * (next = next > 6 ? -7 : next + 1.5f);
    for (auto& v : h) v = 0.1f * (next = next > 6 ? -7 : next + 1.5f);
    for (auto& v : xs) v = 0.1f * (next = next > 6 ? -7 : next + 1.5f);
    const host_tensor inputs[] = {host(tensor_of(dtype::f32, {4, 4}), w), host(tensor_of(dtype::f32, {2, 4}), h), host(tensor_of(dtype::f32, {5, 2, 4}), xs)};
    const auto wanted = reference<scan_net>(inputs);
    const auto compare = [&](const auto& outputs) {
        same(std::get<0>(outputs), wanted[0]);
        same(std::get<1>(outputs), wanted[1]);
        same(std::get<2>(outputs), wanted[2]);
    };
    using program = compiled<scan_net>;
    const auto prepared = program::prepare();
    program::session run(prepared);
    compare(run(w, h, xs));
    using of_weight = compiled<scan_with_weight>;
    weights given;
    given.add("cell.w", dtype::f32, {4, 4}, std::as_bytes(std::span(w)));
    const auto packed = of_weight::prepare(given);
    of_weight::session again(packed);
    compare(again(h, xs));
}

// ---- written in C++

inline constexpr auto written = trace([](input<"x", f32<3>> x, input<"p", b8<>> p, input<"xs", f32<4, 3>> xs, input<"n", i64<>> n) {
    const auto [y] = cond(
        p,
        [](auto a, auto q) {
            const auto [b] = cond(q, [](auto c) { return outputs(sin(c)); }, [](auto c) { return outputs(neg(c)); }, tensors(a));
            return outputs(b);
        },
        [](auto a, auto) { return outputs(cos(a)); }, tensors(x, p));
    const auto [left, z] = while_loop([](auto i, auto, auto) { return outputs(gt(i, 0)); },
                                      [](auto i, auto a, auto b) { return outputs(sub(i, 1), mul(a, b)); }, tensors(n, y), tensors(x));
    const auto [last, all] = scan(
        [](auto h, auto slice) {
            const auto sum = add(h, slice);
            return outputs(sum, sum);
        },
        tensors(z), tensors(xs));
    return outputs(add(y, z), last, all, left);
});
void check_handles() {
    using program = compiled<written, ten_rounds>;
    diagnosis d;
    check(verify(program::captured(), d) && program::captured().header().blocks == 7, render(d));
    const auto prepared = program::prepare();
    program::session run(prepared);
    std::array<float, 12> xs{};
    for (std::size_t i = 0; i < 12; ++i) xs[i] = static_cast<float>(i) / 8;
    for (const bool yes : {true, false})
        for (std::int64_t n = 0; n < 3; ++n) {
            const row x{1, 2, 3};
            const host_tensor inputs[] = {host(row_type, x), host(flag_type, boolean{yes}), host(tensor_of(dtype::f32, {4, 3}), xs), host(count_type, count{n})};
            const auto wanted = reference<written>(inputs);
            const auto [sum, last, all, left] = run(x, boolean{yes}, xs, count{n});
            same(sum, wanted[0]);
            same(last, wanted[1]);
            same(all, wanted[2]);
            same(left, wanted[3]);
        }
    // Printed, it reads as the same graph.
    std::string text;
    fx_style style;
    style.preamble = "class GraphModule(torch.nn.Module):\n";
    style.def_indent = 4;
    style.body_indent = 8;
    style.types = fx_types::inferred;
    print_fx(program::captured(), style, text);
    const auto made = inspect_fx<ten_rounds>(text);
    check(made.error.ok(), render(made.error) + text);
    check(structurally_equal(made.captured(), program::captured(), aten::registry::table));
}

} // namespace

int main() {
    check_loops();
    check_scans();
    check_handles();
    return report();
}
