// Draws compiled programs: what runs when, what lies where in memory, what the passes did. Of LeNet, and of a graph
// whose halves are on two streams:
//     07_report <folder> writes digits.html and digits.trace.json, streams.html and streams.trace.json, and
//     streams.measured.trace.json, a run on this machine
// A browser opens the .html files, without a network; ui.perfetto.dev and chrome://tracing open the .json files.
#include <ahead/ahead.hpp>
#include <ahead/print/chrome_trace.hpp>
#include <ahead/print/dump/written_files.hpp>
#include <ahead/print/report/html_report.hpp>
#include <ahead/runtime/profile.hpp>

#include <cstdio>

using namespace ahead;

struct lenet {
    static constexpr char text[] =
#include "digits.fx"
        ;
};
using digits = compiled<fx<lenet>>;

// Both halves take the same: the planner puts one on a stream of its own, and the sum waits for it.
inline constexpr auto halves = trace([](input<"x", f32<96, 96>> x, input<"y", f32<96, 96>> y) {
    auto left = softmax<1>(mm(gelu(mm(x, x)), x));
    auto right = softmax<1>(mm(gelu(mm(y, y)), y));
    return outputs(add(left, right), mean<0>(left));
});
inline constexpr config two_options{.streams = 2};
using two = toolchain<>::with_options<two_options>;
using streams = compiled<halves, two>;
static_assert(streams::plan.streams == 2);

/// When each task of a run began and ended on this machine, as a trace.
std::string measured() {
    const auto weights = streams::prepare();
    profiled_session<streams> run{weights};
    std::vector<float> x(96 * 96, 0.5f), y(96 * 96, -0.25f);
    for (int warm = 0; warm < 3; ++warm) run(x, y);
    std::string text;
    print_trace<streams>(run.execution().rows(), text, "two streams, measured in order on one thread");
    return text;
}
template <class Program> void draw(written_files& files, const std::string& name, std::string_view title) {
    std::string page, timeline;
    print_report<Program>(page, title);
    print_trace<Program>(timeline, title);
    files.add(name + ".html", std::move(page));
    files.add(name + ".trace.json", std::move(timeline));
}

int main(int count, char** arguments) {
    if (count != 2) {
        std::puts("usage: 07_report <folder>");
        return 2;
    }
    written_files files;
    draw<digits>(files, "digits", "LeNet reads handwritten digits");
    draw<streams>(files, "streams", "Two halves on two streams");
    files.add("streams.measured.trace.json", measured());
    for (const auto& path : files.write(arguments[1])) std::puts(path.string().c_str());
}
