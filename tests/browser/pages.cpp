// Writes reports into the folder given, and for each a list of what its plan says, "key number" a line, which a browser must find in the page: browser.cmake.
// SPDX-License-Identifier: MIT
#include <ahead/ahead.hpp>
#include <ahead/print/dump/written_files.hpp>
#include <ahead/print/report/html_report.hpp>

#include <iostream>

using namespace ahead;
using namespace ahead::rooms;

namespace {

struct lenet {
    static constexpr std::string_view text =
#include "digits.fx"
        ;
};
struct lstm4 {
    static constexpr std::string_view text =
#include "lstm4.fx"
        ;
};
// Labels and comments that are no HTML, names that are long, tensors of very different sizes.
struct odd_names {
    static constexpr std::string_view text =
        R"fx(def forward(self, x : f32[32, 32], a_name_that_is_longer_than_any_box_would_like_to_be_wide : f32[256, 256]):
    # File: a "quoted" \ path<&>'.py:3 in forward, code: torch.mm(x, x)
    a = torch.ops.aten.mm.default(x, x)
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['</svg><script>throw 1</script>'])
    b = torch.ops.aten.mm.default(a, x)
    c = torch.ops.aten.exp.default(b)
    exit_1 = torch.ops.air.scope_exit.default()
    big = torch.ops.aten.mm.default(a_name_that_is_longer_than_any_box_would_like_to_be_wide, a_name_that_is_longer_than_any_box_would_like_to_be_wide)
    sum_1 = torch.ops.aten.sum.default(big)
    d = torch.ops.aten.mm.default(x, a)
    e = torch.ops.aten.add.Tensor(c, d)
    f = torch.ops.aten.add.Tensor(e, sum_1)
    return (f, a)
)fx";
};
struct no_tasks {
    static constexpr std::string_view text = "def forward(self, x : f32[2]):\n    return (x,)\n";
};
template <int Streams> inline constexpr config spread_options{.streams = Streams};
template <int Streams> using spread = toolchain<>::with_options<spread_options<Streams>>;

std::int32_t drawn(graph_view g) {
    std::int32_t count = 0;
    for (node_id id : g) count += is_drawn(g[id]);
    return count;
}
template <class Program>
void add(written_files& files, const std::string& name) {
    std::string page, numbers;
    print_report<Program>(page, name + " & <its> \"plan\"");
    const auto say = [&](std::string_view key, std::int64_t number) { numbers += std::string(key) + " " + std::to_string(number) + "\n"; };
    const auto plan = Program::plan_view();
    const auto& sum = plan.summary;
    std::int32_t waits = 0;
    for (const auto& s : plan.syncs) waits += s.kind == sync_kind::wait;
    say("ready", 1);
    say("tasks", sum.run_tasks);
    say("lanes", sum.streams);
    say("arrows", waits);
    say("blocks", static_cast<std::int64_t>(arena_blocks(Program::lowered_graph(), plan, Program::plan.timeline).all().size()));
    say("captured", drawn(Program::captured()));
    say("optimized", drawn(Program::optimized_graph()));
    say("device", drawn(Program::lowered_graph()));
    say("rows", sum.prepare_tasks + sum.run_tasks);
    say("peak_bytes", sum.peak_bytes);
    say("makespan_ps", Program::plan.makespan.count);
    // What nobody wants to see.
    for (auto key : {"invisible", "overlapping", "outside", "wider_than_window", "loaded", "errors", "not_alone", "unlit"}) say(key, 0);
    files.add(name + ".html", std::move(page));
    files.add(name + ".expected", std::move(numbers));
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    written_files files;
    add<compiled<fx<lenet>>>(files, "digits");
    add<compiled<fx<lstm4>, spread<2>>>(files, "lstm4");
    add<compiled<fx<odd_names>>>(files, "odd_names");
    add<compiled<fx<no_tasks>>>(files, "no_tasks");
    for (const auto& path : files.write(arguments[1])) std::cout << path.string() << '\n';
}
