// Graphs inspected at run time are what the compiler makes of the same text: the same page, to the character, and the same fault.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/print/print_coverage.hpp>
#include <ahead/print/report/html_report.hpp>

#include <algorithm>
#include <chrono>

using namespace ahead;
using namespace test;

namespace {

// Writes, random numbers, an operator of the AI CPU beside one of prepare, calls that decompose, scopes.
struct written {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[4, 8], y : f32[4, 8]):
    exp = torch.ops.aten.exp.default(x)
    frexp = torch.ops.aten.frexp.Tensor(exp)
    getitem = frexp[0]
    ones = torch.ops.aten.ones.default([1, 8])
    renorm = torch.ops.aten.renorm.default(ones, 2.0, 0, 1.0)
    add_ = torch.ops.aten.add_.Tensor(exp, getitem)
    mul = torch.ops.aten.mul.Tensor(add_, renorm)
    var = torch.ops.aten.var.correction(mul, [1])
    copy_ = torch.ops.aten.copy_.default(y, mul)
    return (var, exp)
)fx";
};
struct drawn {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[4, 8]):
    rand = torch.ops.aten.rand.default([4, 8])
    add = torch.ops.aten.add.Tensor(x, rand)
    clone = torch.ops.aten.clone.default(add)
    return (clone,)
)fx";
};
struct scoped {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[32, 32]):
    a = torch.ops.aten.mm.default(x, x)
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])
    b = torch.ops.aten.mm.default(a, x)
    exit_1 = torch.ops.air.scope_exit.default()
    d = torch.ops.aten.mm.default(x, a)
    e = torch.ops.aten.add.Tensor(b, d)
    return (e,)
)fx";
};
struct forked {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[64, 64], y : f32[64, 64]):
    a = torch.ops.aten.mm.default(x, x)
    b = torch.ops.aten.mm.default(a, x)
    c = torch.ops.aten.mm.default(y, y)
    d = torch.ops.aten.mm.default(c, y)
    e = torch.ops.aten.add.Tensor(b, d)
    return (e,)
)fx";
};
inline constexpr config on_two_streams_options{.streams = 2};
using on_two_streams = toolchain<>::with_options<on_two_streams_options>;
inline constexpr config on_910b2_options{.mode = mode::reduce_overhead};
using on_910b2 = toolchain<>::with_options<on_910b2_options>::with_device<machine::ascend_910b2>;

/// The page says every number of the plan, each task, pass and node.
template <class Source, class Tools = toolchain<>> compile::inspected_graph same_page() {
    std::string compiled_page, inspected_page;
    print_report<compiled<fx<Source>, Tools>>(compiled_page);
    auto made = inspect_fx<Tools>(Source::text);
    check(made.error.ok() && made.stage == inspect_stage::time, render(made.error));
    if (made.error.ok()) print_report(made, inspected_page);
    check(compiled_page == inspected_page && !inspected_page.empty());
    check(made.plan() == compiled<fx<Source>, Tools>::planned.summary);
    check(made.makespan() == compiled<fx<Source>, Tools>::plan.makespan);
    return made;
}

template <class Tools = toolchain<>>
void refused(std::string_view text, inspect_stage stage, fault what, std::int32_t line, config options = Tools::options,
             const location& where = location::current()) {
    const auto made = inspect_fx<Tools>(text, options);
    check(made.stage == stage, print(made.stage), where);
    check_fault(made.error, {.what = what, .line = line}, where);
    check(made.timeline.empty(), {}, where);
}
inline constexpr machine::device small_device = [] {
        auto on = machine::npu;
        on.memory = {{{"memory", 4096, 1'000'000}}};
        return on;
    }();
using small = toolchain<>::with_device<small_device>;

void faults() {
    refused("", inspect_stage::parse, fault::text_is_not_a_graph, 1);
    refused("def forward(self, x : f32[2]):\n    a = torch.ops.aten.exp.default(z)\n    return (a,)\n", inspect_stage::parse,
            fault::name_is_undefined, 2);
    refused("def forward(self, x : f32[2]):\n    a = torch.ops.aten.expp.default(x)\n    return (a,)\n", inspect_stage::infer,
            fault::operator_is_unknown, 2);
    refused(forked::text, inspect_stage::infer, fault::option_is_out_of_range, 0, {.streams = 0});
    refused<small>(forked::text, inspect_stage::check, fault::device_memory_is_exceeded, 0);
    refused(scoped::text, inspect_stage::check, fault::option_has_no_effect, 0, {.streams = 2});
    // What is written with other operators is refused by its own schema, and as the operator that the text calls.
    const auto composite = [](std::string call, fault what, std::string_view op, location where = location::current()) {
        const auto text = "def forward(self, x : f32[2, 3], b : b8[2]):\n    y = torch.ops.aten.relu.default(x)\n    a = torch.ops.aten." + call +
                          "\n    return (a,)\n";
        const auto made = inspect_fx(text);
        check_fault(made.error, {.what = what, .line = 3, .op = op, .name = "a"}, where);
    };
    composite("diff.default(y, 1, 2)", fault::dimension_is_out_of_range, "aten.diff.default");
    composite("diff.default(y, x)", fault::argument_has_wrong_kind, "aten.diff.default");
    composite("quantile.scalar(y)", fault::argument_is_missing, "aten.quantile.scalar");
    composite("isclose.default(y, x, 0.1, 0.1, False, 1)", fault::argument_is_unknown, "aten.isclose.default");
    composite("take_along_dim.default(y, b, 0)", fault::rank_is_wrong, "aten.take_along_dim.default");
    composite("erf_.default(b)", fault::dtypes_differ, "aten.erf_.default");
    composite("pow_.Tensor(b, y)", fault::shapes_do_not_broadcast, "aten.pow_.Tensor");
    composite("trapezoid.x(y, b)", fault::dtypes_differ, "aten.trapezoid.x"); // what its own type rule says stays
}

// What the text does not say, the caller does.
void inputs() {
    constexpr std::string_view text = "def forward(self, x : f32[2, 3], w):\n    a = torch.ops.aten.mm.default(x, w)\n    return (a,)\n";
    constexpr fx_input said[] = {{"w", "layer.weight", "f32[3, 4]"}};
    const auto made = inspect_fx(text, {}, said);
    check(made.error.ok() && made.plan().parameters == 1 && made.plan().inputs == 1, render(made.error));
    check(!inspect_fx(text).error.ok());
    std::string stages; // to who waits
    inspect_fx(text, {}, said, {}, [&](inspect_stage stage) { stages.append(print(stage)).append(" "); });
    check_equal(stages, "parse infer functionalise pass lower plan check time ");
    constexpr fx_input unknown[] = {{"v", "layer.weight", "f32[3, 4]"}};
    check_fault(inspect_fx(text, {}, unknown).error, {fault::parameter_is_not_a_placeholder});
}

// Calls of many results of which one line takes one: as many as there are calls, and each with all of its results.
void single_results() {
    for (const int parts : {4, 8, 12}) {
        const auto last = std::to_string(parts - 1);
        std::string text = "def forward(self, x : f32[24]):\n";
        for (int i = 0; i < 60; ++i) {
            const auto n = std::to_string(i);
            text += "    split_" + n + " = torch.ops.aten.split.Tensor(x, " + std::to_string(24 / parts) + ")\n    part_" + n +
                    " = split_" + n + "[" + last + "];  split_" + n + " = None\n    mul_" + n + " = torch.ops.aten.mul.Tensor(part_" + n +
                    ", " + n + ")\n";
        }
        text += "    return (";
        for (int i = 0; i < 60; ++i) text += "mul_" + std::to_string(i) + ", ";
        const auto made = inspect_fx(text + ")\n");
        check(made.error.ok(), render(made.error));
    }
}

void coverage(const compile::inspected_graph& made) {
    std::int32_t calls = 0, decomposed = 0, on_ai_cpu = 0;
    for (const auto& row : list_coverage(made.captured(), aten::registry::table)) {
        calls += row.calls;
        decomposed += row.decomposed;
        on_ai_cpu += row.on_ai_cpu;
        check_equal(row.running(), row.calls);
        check_equal(row.decomposed, row.op == "aten.var.correction" ? 1 : 0);
    }
    check_equal(calls, 7); // copy_ is an output
    check_equal(decomposed, 1);
    check_equal(on_ai_cpu, 3);
}

/// How long so many calls take, at best: each a view of the one before, and taken out by a pass.
double seconds_of(int calls) {
    std::string text = "def forward(self, x : f32[8, 8]):\n", before = "x";
    for (int i = 0; i < calls; ++i) {
        const auto name = "a" + std::to_string(i);
        text += "    " + name + " = torch.ops.aten.slice.Tensor(" + before + ", 0, 0, 8)\n";
        before = name;
    }
    text += "    mm = torch.ops.aten.mm.default(" + before + ", x)\n    return (mm,)\n";
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const auto made = inspect_fx(text);
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        check(made.error.ok() && made.plan().run_tasks == 1, render(made.error));
    }
    return least;
}
void near_linear() {
    const auto few = seconds_of(2000), many = seconds_of(16'000);
    check(many < 24 * few, std::to_string(many / few)); // 8 where time is as calls, 64 where it is as their square
}

// Views that strides do not allow, as Inductor prints them: each copies. Beside a write they are refused, as PyTorch does.
struct copying_views {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[4, 8], y : f32[8, 4]):
    t = torch.ops.aten.permute.default(x, [1, 0])
    a = torch.ops.aten.view.default(t, [32])
    b = torch.ops.aten._unsafe_view.default(t, size = [2, 16])
    c = torch.ops.aten.view.default(y, [32])
    return (a, b, c)
)fx";
};
void views() {
    const auto made = same_page<copying_views>();
    const auto g = made.captured();
    const auto names = [&] {
        std::string out;
        for (node_id id : g)
            if (g[id].kind == node_kind::call) out.append(g[id].target).append(" ");
        return out;
    }();
    check_equal(names, "aten.permute.default aten.reshape.default aten.reshape.default aten.view.default ");
    const auto refused = inspect_fx("def forward(self, x : f32[4, 8]):\n    t = torch.ops.aten.permute.default(x, [1, 0])\n    r = torch.ops.aten.relu_.default(x)\n"
                                    "    a = torch.ops.aten.view.default(t, [32])\n    return (a, r)\n");
    check_equal(test::sentence(refused.error), "line 4: aten.view.default 'a': view needs a copy: expected f32[32], found f32[8, 4][1, 8]");
}

// A padding that no copy has room for: 64 bits do not count the elements. The AI CPU, which copies nothing, computes it.
void huge_padding() {
    const auto made = inspect_fx(R"fx(def forward(self, x : f32[1, 1, 4, 4], w : f32[1, 1, 3, 3]):
    conv2d = torch.ops.aten.conv2d.default(x, w, None, [4294967298, 4294967298], [4294967296, 4294967296])
    return (conv2d,)
)fx");
    check(made.error.ok(), render(made.error));
    check_equal(made.plan().ai_cpu_tasks, 1);
}

} // namespace

int main() {
    views();
    huge_padding();
    const auto made = same_page<written>();
    check_equal(made.plan().ai_cpu_tasks, 1); // the sum of ones is prepare's
    check_equal(static_cast<int>(made.is_rewritten()), 1);
    coverage(made);
    same_page<drawn>();
    check(same_page<scoped>().plan().streams == 2);
    check(!same_page<forked>().is_rewritten());
    check(same_page<forked, on_two_streams>().plan().streams == 2);
    same_page<written, on_910b2>();
    faults();
    inputs();
    single_results();
    near_linear();
    return report();
}
