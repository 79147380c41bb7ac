// Log lines: their form to the character, levels and threshold, and what is told of a program's compilation.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/log_compilation.hpp>

#include <sstream>

using namespace ahead;
using namespace test;

namespace {

using std::chrono::sys_days;
using std::chrono::microseconds;

std::string tid() {
    std::ostringstream out;
    out << std::this_thread::get_id();
    return out.str();
}

// A line without what differs from run to run: "[INFO] log.cpp: message". Empty where it has another form.
std::string without_place(std::string_view line) {
    const auto head = line.find("] TORCHAIR("), time = line.find("):"), place = line.find(" ["), end = line.rfind("]" + tid() + " ");
    if (head == line.npos || time == line.npos || place == line.npos || end == line.npos) return {};
    const std::string_view pattern = "0000-00-00-00:00:00.000.000", shown = line.substr(time + 2, place - time - 2);
    if (shown.size() != pattern.size()) return {};
    for (std::size_t i = 0; i < pattern.size(); ++i)
        if (pattern[i] == '0' ? shown[i] < '0' || shown[i] > '9' : shown[i] != pattern[i]) return {};
    const auto file = line.substr(place + 2, end - place - 2);
    return std::string(line.substr(0, head + 2)) + std::string(file.substr(0, file.find(':') + 1)) + std::string(line.substr(end + 1 + tid().size()));
}
std::string told(std::string_view text) {
    std::string out;
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) out += without_place(text.substr(0, end)) + "\n";
    return out + std::string(text);
}

void form() {
    using namespace std::chrono;
    const auto here = std::source_location::current();
    const auto line = std::to_string(here.line());
    const auto time = sys_days(2026y / March / 1d) + 9h + 5min + 7s + microseconds(123045);
    check_equal(log_line(log_level::info, {4711, "digits"}, time_point_cast<system_clock::duration>(time), std::this_thread::get_id(), "all is well", here),
                "[INFO] TORCHAIR(4711,digits):2026-03-01-09:05:07.123.045 [log.cpp:" + line + "]" + tid() + " all is well\n");
    const auto before_epoch = sys_days(1969y / December / 31d) + 23h + 59min + 59s + microseconds(999999);
    check_equal(log_line(log_level::event, {}, time_point_cast<system_clock::duration>(before_epoch), std::this_thread::get_id(), "two\nlines\t\x7f", here),
                "[EVENT] TORCHAIR(0,ahead):1969-12-31-23:59:59.999.999 [log.cpp:" + line + "]" + tid() + " two?lines??\n");
}

constexpr bool in_order(std::initializer_list<log_level> all) {
    for (auto at = all.begin(); at + 1 < all.end(); ++at)
        if (!(*at < *(at + 1))) return false;
    return true;
}
static_assert(in_order({log_level::debug, log_level::info, log_level::warning, log_level::event, log_level::error}));
static_assert(name_of(log_level::warning) == "WARNING" && name_of(log_level::error) == "ERROR" && name_of(log_level::debug) == "DEBUG");

void threshold() {
    const auto written = [](log_level at) {
        std::ostringstream out;
        const log_writer log(out, at);
        for (auto level : {log_level::error, log_level::event, log_level::warning, log_level::info, log_level::debug}) log.write(level, "x");
        check(log.is_on(at) && log.is_on(log_level::error));
        return told(out.str());
    };
    check_equal(written(log_level::debug), "[ERROR] log.cpp: x\n[EVENT] log.cpp: x\n[WARNING] log.cpp: x\n[INFO] log.cpp: x\n[DEBUG] log.cpp: x\n");
    check_equal(written(log_level::warning), "[ERROR] log.cpp: x\n[EVENT] log.cpp: x\n[WARNING] log.cpp: x\n");
    check_equal(written(log_level::error), "[ERROR] log.cpp: x\n");
    std::ostringstream out;
    log_writer(out).write(log_level::debug, "x");
    check_equal(out.str(), "");
    log_writer(out, log_level::info, {12, "mine"}).write(log_level::info, "x");
    check(out.str().starts_with("[INFO] TORCHAIR(12,mine):20"), out.str());
}

struct in_place {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        cos: "f32[2, 3]" = torch.ops.aten.cos.default(exp);  cos = None
        relu_: "f32[2, 3]" = torch.ops.aten.relu_.default(exp);  exp = None
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(relu_);  relu_ = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(clone, 2);  clone = None
        return (mul,)
)fx";
};
inline constexpr config my_tools_options{.eliminate_duplicates = false};
using my_tools = toolchain<>::with_options<my_tools_options>;
void compilation() {
    using program = compiled<fx<in_place>, my_tools>;
    std::ostringstream out;
    log_compilation<program>(log_writer(out, log_level::debug));
    const std::string sum = "[EVENT] log.cpp: compiled: 1 task in a run, 0 in prepare; arena of " + std::to_string(program::plan.peak_bytes) + " bytes, constants of 0 bytes\n";
    const std::string info[] = {"[INFO] log.cpp: captured graph: 7 nodes\n", "[INFO] log.cpp: functionalise: 7 -> 7 nodes, no writes\n",
                                "[INFO] log.cpp: remove_noop_ops: 7 -> 6 nodes, 2 changes\n", "[INFO] log.cpp: eliminate_dead_code: 6 -> 5 nodes, 1 change\n",
                                "[INFO] log.cpp: device graph: 3 nodes\n"};
    const auto all = told(out.str());
    std::string options;
    for (const auto& row : pass::option_table) options += "[DEBUG] log.cpp: option " + std::string(row.name) + (row.name == "eliminate_duplicates" ? ": off\n" : ": on\n");
    options += "[DEBUG] log.cpp: option effort: constant\n";
    check(all.starts_with(options + info[0] + info[1] + info[2] + "[DEBUG] log.cpp: recompose: nothing to do\n") && all.ends_with(info[3] + info[4] + sum), all);
    check(all.find("eliminate_duplicates:") == all.find("eliminate_duplicates: off"), all);
    std::ostringstream short_one;
    log_compilation<program>(log_writer(short_one));
    check_equal(told(short_one.str()), info[0] + info[1] + info[2] + info[3] + info[4] + sum);
    std::ostringstream shortest;
    log_compilation<program>(log_writer(shortest, log_level::event));
    check_equal(told(shortest.str()), sum);
}

} // namespace

int main() {
    form();
    threshold();
    compilation();
    return report();
}
