// Super kernels: which tasks are one launch and why others are not, what that saves on the simulated clock and of launches, that nothing else changes; their options.
// SPDX-License-Identifier: MIT
// fault: super_kernel_option_is_invalid
// fault: super_kernel_is_apart
// fault: rewrite_crosses_streams
#include "fused_agreement.hpp"
#include "lowered.hpp"
#include "planned.hpp"
#include "refusal.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/npu/launch.hpp>
#include <ahead/pass/kept_streams.hpp>
#include <ahead/print/chrome_trace.hpp>
#include <ahead/print/plan_table.hpp>
#include <ahead/print/print_super_kernels.hpp>
#include <ahead/print/print_timeline.hpp>
#include <ahead/print/report/html_report.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

using namespace ahead;
using namespace test;

namespace {

using reading = typed_reading<capacity{80, 400, 80}>;

// ---- options: every key of CANN's with what it takes, and nothing else

constexpr std::string_view accepted[] = {"",
                                         " ",
                                         "::",
                                         "strict-scope-check=abort",
                                         "feed-sync-all=0:stream-fusion=0:strict-scope-check=bypass:preload-code=per-func:early-start=2:split-mode=64",
                                         "\"debug-aic-num=0 : debug-aiv-num = 48\"",
                                         "profiling=1:debug-sync-all=1:debug-dcci-all=0:func-align=0",
                                         "func-align=512:compile-options=-g -O3:dcci-before-kernel-start=a,b:dcci-after-kernel-end=a:dcci-disable-on-kernel=c"};
struct wrong_options {
    std::string_view text, expected, found;
};
constexpr wrong_options refused_options[] = {
    {"test_option", "key=value of a super kernel's options", "test_option"},
    {"early-start=1:strict_scope_check=abort", "an option of super kernels, such as strict-scope-check", "strict_scope_check=abort"},
    {"=1", "an option of super kernels, such as strict-scope-check", "=1"},
    {"early-start=1:early-start=1", "early-start once", "early-start=1"},
    {"early-start=3", "early-start= 0 1 2", "early-start=3"},
    {"strict-scope-check=", "strict-scope-check= bypass abort", "strict-scope-check="},
    {"strict-scope-check=abort bypass", "strict-scope-check= bypass abort", "strict-scope-check=abort bypass"},
    {"split-mode=0", "split-mode= 1 to 64", "split-mode=0"},
    {"split-mode=65", "split-mode= 1 to 64", "split-mode=65"},
    {"func-align=1", "func-align= 0, 2, 4, 8, ...", "func-align=1"},
    {"func-align=6", "func-align= 0, 2, 4, 8, ...", "func-align=6"},
    {"debug-aic-num=x", "debug-aic-num= a number", "debug-aic-num=x"},
    {"debug-aiv-num=1234567890", "debug-aiv-num= a number", "debug-aiv-num=1234567890"},
    {"compile-options= ", "compile-options= a text", "compile-options="}};
constexpr bool options_are_known() {
    for (auto text : accepted)
        if (short_text expected, found; !air::check_super_kernel_options(text, expected, found)) return false;
    for (const auto& wrong : refused_options)
        if (short_text expected, found; air::check_super_kernel_options(wrong.text, expected, found) || expected.view() != wrong.expected || found.view() != wrong.found) return false;
    return air::super_kernel_option(accepted[4], "strict-scope-check") == "bypass" && air::super_kernel_option(accepted[5], "debug-aiv-num") == "48" && air::super_kernel_option(accepted[4], "profiling").empty() &&
           air::super_kernel_option("", "profiling").empty();
}
static_assert(options_are_known());

// ---- texts

std::string scope(std::string_view name, std::string_view options = {}) {
    std::string out = "torch.ops.air.scope_enter.default(['_super_kernel_scope', '_super_kernel_options'], ['";
    return out += name, out += "', '", out += options, out + "'])";
}
const std::string leave = "torch.ops.air.scope_exit.default()", record = "torch.ops.air.record.default()", other_stream = "torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])";
std::string mm(std::string_view a) { return "torch.ops.aten.mm.default(" + std::string(a) + ", x)"; }
// A graph of these lines, each with a name of its own: v1, v2, ...; what the last mm gives is returned.
std::string graph_of(std::initializer_list<std::string> lines) {
    std::string out = "def forward(self, x : f32[8, 8]):\n", last = "x";
    int number = 0;
    for (const auto& line : lines) {
        const auto name = "v" + std::to_string(++number);
        out += "    " + name + " = " + line + "\n";
        if (line.find("aten.") != line.npos) last = name;
    }
    return out + "    return (" + last + ",)\n";
}
struct made_graph {
    std::string text;
    compile::inspected_graph made;
    explicit made_graph(std::string lines, const config& options = {}) : text(std::move(lines)), made(inspect_fx(text, options)) { check(made.error.ok(), render(made.error)); }
    made_graph(const made_graph&) = delete;
    std::string said() const {
        std::string out;
        print_super_kernels(made.lowered_graph(), made.plan_view(), out);
        return out;
    }
    std::int64_t launches() const { return launches_of(made.lowered_graph(), made.plan_view()); }
};
void says(std::initializer_list<std::string> lines, std::string_view wanted, std::int64_t launches, const location& where = location::current()) {
    const made_graph one(graph_of(lines), {.eliminate_dead_code = false, .eliminate_duplicates = false}); // some are read by nobody, or alike
    check_equal(one.said(), wanted, where);
    check_equal(one.launches(), launches, where);
}

void launches() {
    says({mm("x"), mm("v1")}, "", 2);
    says({scope("sp1"), mm("x"), mm("v2"), mm("v3"), leave}, "sp1: 3 tasks in 1 launch\n", 1);
    says({mm("x"), scope("sp1"), mm("v1"), mm("v3"), leave, mm("v4")}, "sp1: 2 tasks in 1 launch\n", 3);
    says({scope("sp1"), leave}, "sp1: 0 tasks in 0 launches\n", 1); // the copy of what is returned
    // The same name is the same super kernel, another name another one; the inner name holds, and none ends it.
    says({scope("a"), mm("x"), leave, scope("a"), mm("v2"), leave}, "a: 2 tasks in 1 launch\n", 1);
    says({scope("a"), mm("x"), leave, scope("b"), mm("v2"), leave}, "a: 1 task in 1 launch\nb: 1 task in 1 launch\n", 2);
    says({scope("a"), mm("x"), scope("b"), mm("v2"), mm("v4"), leave, mm("v5"), leave}, "a: 2 tasks in 2 launches; v7 follows another task\nb: 2 tasks in 1 launch\n", 3);
    says({scope("a"), mm("x"), scope(""), mm("v2"), leave, mm("v4"), mm("v6"), leave}, "a: 3 tasks in 2 launches; v6 follows another task\n", 3);
    says({scope("a"), mm("x"), leave, mm("v2"), scope("a"), mm("v4"), leave}, "a: 2 tasks in 2 launches; v6 follows another task\n", 3);
    // What is no kernel ends a launch, and the next one begins behind it.
    const std::string histogram = "torch.ops.aten.histc.default(x)";
    says({scope("a"), mm("x"), histogram, mm("v2"), mm("v4"), leave}, "a: 4 tasks in 3 launches; v3 runs on the AI CPU; v4 follows another task\n", 3);
    says({scope("a"), histogram, leave}, "a: 1 task in 1 launch; v2 runs on the AI CPU\n", 1);
    says({scope("a"), mm("x"), "torch.ops.air.print.default([v2], '{}', '{}', 3)", mm("v2"), leave}, "a: 3 tasks in 3 launches; v3 prints; v4 follows another task\n", 3);
    // Events of its own stream; those of another one are nothing to it.
    says({scope("a"), mm("x"), record, mm("v2"), leave}, "a: 2 tasks in 1 launch\n", 1); // nobody waits
    says({scope("a"), mm("x"), record, mm("v2"), mm("v4"), leave, other_stream, "torch.ops.air.wait.default([v3])", mm("v2"), leave}, "a: 3 tasks in 2 launches; v4 follows an event\n", 3);
    says({other_stream, mm("x"), record, leave, scope("a"), mm("x"), "torch.ops.air.wait.default([v3])", mm("v6"), leave}, "a: 2 tasks in 2 launches; v8 follows an event\n", 3);
    says({scope("a"), mm("x"), leave, other_stream, mm("x"), leave, scope("a"), mm("v2"), leave}, "a: 2 tasks in 1 launch\n", 2);
    // A launch is on one stream.
    says({scope("a"), mm("x"), other_stream, mm("x"), mm("v4"), leave, leave}, "a: 3 tasks in 2 launches; v4 is on another stream\n", 2);
}
// Branches hold blocks; the blocks' own scopes are theirs.
void blocks() {
    const std::string text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[8, 8]", p: "b8[]"):
        e = )fx" + scope("a") + R"fx(
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        mm: "f32[8, 8]" = torch.ops.aten.mm.default(x, x)
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [mm]);  p = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[8, 8]" = cond[0];  cond = None
        u = torch.ops.air.scope_exit.default()
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[8, 8]"):
            e = )fx" + scope("b") + R"fx(
            mm: "f32[8, 8]" = torch.ops.aten.mm.default(x, x)
            mm_1: "f32[8, 8]" = torch.ops.aten.mm.default(mm, x);  x = None
            u = torch.ops.air.scope_exit.default()
            return (mm_1,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[8, 8]"):
            mm: "f32[8, 8]" = torch.ops.aten.mm.default(x, x);  x = None
            return (mm,)
)fx";
    const made_graph one(text);
    check_equal(one.said(), "a: 2 tasks in 2 launches; cond holds blocks\n");
    check(one.made.blocks.size() == 2);
    std::string inside;
    print_super_kernels(one.made.blocks[0].lowered_graph(), one.made.blocks[0].plan_view(), inside);
    check(inside.starts_with("b: ") && inside.find(" in 1 launch") != inside.npos, inside);
}

// ---- what they save

/// Law, of scopes at random around a chain, one operator a task: those that follow one another in a super kernel are one launch, so that the run is shorter by what
/// stands between tasks, and has as many launches less; the plan is verified, and is the same as without scopes.
void saves_what_stands_between(unsigned seed) {
    std::mt19937 random(seed);
    const config one_by_one{.mode = mode::reduce_overhead};
    for (int round = 0; round < 60; ++round) {
        std::string with = "def forward(self, x : f32[8, 8]):\n", without = with, last = "x";
        std::vector<std::string> open{""};
        std::string before = "?"; // the super kernel of the task before
        int continued = 0, scopes = 0, tasks = 0;
        for (int i = 0; i < 14; ++i) {
            switch (random() % 4) {
            case 0: {
                const char* names[] = {"", "a", "b"};
                open.push_back(names[random() % 3]);
                with += "    e" + std::to_string(++scopes) + " = " + scope(open.back()) + "\n";
                break;
            }
            case 1:
                if (open.size() > 1) {
                    open.pop_back();
                    with += "    u" + std::to_string(++scopes) + " = " + leave + "\n";
                }
                break;
            default: {
                const auto name = "y" + std::to_string(i), line = "    " + name + " = torch.ops.aten." + (i % 2 == 0 ? "exp" : "neg") + ".default(" + last + ")\n";
                with += line;
                without += line;
                last = name;
                continued += tasks > 0 && !open.back().empty() && open.back() == before;
                before = open.back();
                ++tasks;
            }
            }
        }
        for (; open.size() > 1; open.pop_back()) with += "    u" + std::to_string(++scopes) + " = " + leave + "\n";
        with += "    return (" + last + ",)\n";
        without += "    return (" + last + ",)\n";
        if (tasks == 0) continue;
        const made_graph a(with, one_by_one), b(without, one_by_one);
        check(a.made.plan() == b.made.plan() && a.launches() == tasks - continued && b.launches() == tasks);
        check(b.made.makespan() - a.made.makespan() == continued * machine::npu.launch.task);
    }
}

constexpr auto whole = trace([](input<"x", f32<16, 16>> x, param<"w", f32<16, 16>> w) {
    auto y = mm(x, w);
    {
        super_kernel<"sp1", "strict-scope-check=abort"> one(x);
        y = softmax<1>(mm(y, w));
        y = mm(exp(y), w);
    }
    return outputs(mm(y, w));
});
constexpr auto apart = trace([](input<"x", f32<16, 16>> x, param<"w", f32<16, 16>> w) {
    auto y = mm(x, w);
    y = softmax<1>(mm(y, w));
    y = mm(exp(y), w);
    return outputs(mm(y, w));
});
inline constexpr config each_options{.mode = mode::reduce_overhead};
using each = toolchain<>::with_options<each_options>;
template <class Program> constexpr auto said_by() {
    text_buffer<400> out;
    print_super_kernels<Program>(out);
    return out;
}
void programs() {
    using one = compiled<whole, each>;
    using none = compiled<apart, each>;
    static_assert(one::plan.run_tasks == 6 && none::plan.run_tasks == 6 && one::plan.launches == 3 && none::plan.launches == 6);
    static_assert(said_by<one>().view() == "sp1: 4 tasks in 1 launch\n" && said_by<none>().view().empty());
    static_assert(none::plan.makespan - one::plan.makespan == 3 * machine::npu.launch.task);
    // By the host one after the other, which is what takes longest here: three of them.
    static_assert(eager_timing<none, machine::npu>::makespan - eager_timing<one, machine::npu>::makespan >= 3 * machine::npu.launch.host - 3 * machine::npu.launch.task);
    constexpr auto rows = eager_timing<one, machine::npu>::timeline;
    for (std::size_t i = 2; i < 5; ++i) check(rows[i].start == rows[i - 1].end, "no gap inside");
    check(npu::detail::request_of<one>(nullptr).launches == 3 && npu::detail::request_of<none>(nullptr).launches == 6 && npu::detail::request_of<compiled<whole>>(nullptr).launches == 1);
    const auto given = random_inputs(none::captured());
    const auto wanted = outputs_of<none>(given);
    check(outputs_of<one>(given) == wanted && outputs_of<compiled<whole>>(given) == outputs_of<compiled<apart>>(given));
    static_assert(compiled<whole>::plan.launches == 3);
}

// ---- what is kept apart, and together

void fusing() {
    const auto tasks = [](std::initializer_list<std::string> lines) {
        const auto text = graph_of(lines);
        reading r{std::string_view(text)};
        const lowered device(r.storage.view());
        check(r.error.ok() && device.error.ok());
        int count = 0;
        for (node_id id : device.storage.view()) count += is_of_device(device.storage.view()[id].target);
        return count;
    };
    const std::string exp_of = "torch.ops.aten.exp.default(v2)", neg_of = "torch.ops.aten.neg.default(v3)", exp = "torch.ops.aten.exp.default(x)";
    check_equal(tasks({scope("a"), exp, exp_of, leave}), 1);
    check_equal(tasks({scope("a"), exp, neg_of.substr(0, neg_of.size() - 3) + "v2)", leave}), 1);
    check_equal(tasks({scope("a"), exp, leave, exp_of}), 2);
    check_equal(tasks({scope("a"), exp, leave, scope("b"), exp_of, leave}), 2);
    check_equal(tasks({scope("a"), exp, leave, scope("a"), exp_of, leave}), 1);
    check_equal(tasks({scope("a"), mm("x"), leave, exp_of}), 2);
    // A pass that takes a call that it keeps out of its super kernel is refused.
    const auto text = graph_of({scope("a"), exp, leave});
    reading r{std::string_view(text)};
    const auto g = r.storage.edit();
    const pass::detail::kept_streams kept(g);
    diagnosis d;
    check(kept.check_graph(g, d));
    for (node_id id : g)
        if (g[id].target == "aten.exp.default") move_node(g, id, g.last());
    check(!kept.check_graph(g, d));
    check_fault(d, {.what = fault::rewrite_crosses_streams, .expected = "a call that stays in super kernel 'a'", .found = "in ''"});
}
// What is one launch is where its scope is: such a graph is not spread, which the option would ask for in vain.
void spreading() {
    const auto text = graph_of({scope("a"), mm("x"), mm("x"), leave});
    check_fault(inspect_fx(text, {.streams = 2}).error, {fault::option_has_no_effect});
}

// ---- strict ones, and wrong ones

void refusals() {
    const std::string strict = "early-start=1:strict-scope-check=abort", lenient = "strict-scope-check=bypass";
    const auto fault_of = [](const std::string& text) {
        const auto d = inspect_fx(text).error;
        return std::string(name_of(d.what)) + " " + std::to_string(d.line) + " " + std::string(d.name.view()) + " " + std::string(d.expected.view()) + ", " + std::string(d.found.view());
    };
    const std::string none = "none 0  , ";
    check_equal(fault_of(graph_of({scope("a", strict), mm("x"), mm("v2"), leave})), none);
    check_equal(fault_of(graph_of({scope("a", lenient), mm("x"), scope(""), mm("v2"), leave, mm("v4"), leave})), none);
    check_equal(fault_of(graph_of({scope("a", strict), mm("x"), scope(""), mm("v2"), leave, mm("v4"), leave})),
                "super_kernel_is_apart 7 v6 one launch of kernels for super kernel 'a', a task that follows another task");
    check_equal(fault_of(graph_of({scope("a", strict), "torch.ops.aten.histc.default(x)", leave})), "super_kernel_is_apart 3 v2 one launch of kernels for super kernel 'a', a task that runs on the AI CPU");
    // Whichever scope of the name says it; another name's is its own.
    check_equal(fault_of(graph_of({scope("a"), mm("x"), leave, mm("v2"), scope("a", strict), mm("v4"), leave})),
                "super_kernel_is_apart 7 v6 one launch of kernels for super kernel 'a', a task that follows another task");
    check_equal(fault_of(graph_of({scope("a"), mm("x"), leave, mm("v2"), scope("a"), mm("v4"), leave, scope("b", strict), mm("v6"), leave})), none);
    for (const auto& wrong : refused_options)
        check_equal(fault_of(graph_of({scope("a", wrong.text), leave})),
                    "super_kernel_option_is_invalid 2 v1 " + std::string(wrong.expected) + ", " + std::string(wrong.found));
}

void reports() {
    const made_graph one(graph_of({scope("<sp>"), mm("x"), scope(""), mm("v2"), leave, mm("v4"), mm("v6"), leave}));
    const auto g = one.made.lowered_graph();
    const auto plan = one.made.plan_view();
    std::string table, trace, page;
    print_timeline_table(g, plan, one.made.timeline, table);
    check(table.starts_with("stream\tstart\tend\top\tsuper kernel\n") && table.find("npu.matmul\t<sp>\n") != table.npos && table.find("npu.matmul\t\n") != table.npos, table);
    print_trace(g, plan, one.made.timeline, trace);
    check(trace.find(",\"super kernel\":\"<sp>\",\"is launched\":true") != trace.npos && trace.find(",\"super kernel\":\"<sp>\",\"is launched\":false") != trace.npos);
    print_report(one.made, page);
    check(page.find("\nsuper kernel &lt;sp&gt;</title>") != page.npos);
    check(page.find("<td><code>&lt;sp&gt;</code></td><td class=\"n\">3</td><td class=\"n\">2</td><td><code>v6</code> follows another task<br></td>") != page.npos);
    const auto text = plan_table(g, plan);
    check(text.find(" in super kernel <sp>\n") != text.npos && text.find(" goes on in <sp>\n") != text.npos && text.find("<sp>: 3 tasks in 2 launches; v6 follows another task\n") != text.npos, text);
    const made_graph none(graph_of({mm("x")}));
    std::string without, other;
    print_timeline_table(none.made.lowered_graph(), none.made.plan_view(), none.made.timeline, without);
    print_report(none.made, other);
    check(without.starts_with("stream\tstart\tend\top\n") && other.find("Super kernels") == other.npos);
    check(plan_table(none.made.lowered_graph(), none.made.plan_view()).find("super") == std::string::npos);
}

} // namespace

int main() {
    check(options_are_known());
    launches();
    blocks();
    saves_what_stands_between(7);
    programs();
    fusing();
    spreading();
    refusals();
    reports();
    return test::report();
}
