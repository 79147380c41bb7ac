// Says what becomes of graphs, without a compiler: print(gm.graph), print_readable(), gm.code, print(ExportedProgram),
// a .pt2 archive and a pbtxt, of any size, are read, lowered, planned and verified at run time by what compiled<> calls.
//     08_inspect [--device d] [--streams n] [--effort e] [--size s0=4] [--loop-bound n] [--tsv] [--report folder]
//                [--stop-after stage] FILE...
// They may call ATen's operators and torch_npu's. For each file: what runs its calls, tasks, memory and the time on the
// device; or why it is refused, with the line.
//     --device    npu, ascend_910b2, ascend_310p3 or xeon_2core
//     --streams   over how many the tasks are spread, where the graph says nothing of streams
//     --effort    constant, as a compiler can pay it, brisk, patient, or so many steps; brisk unless it is said
//     --size      what a symbol of the sizes stands for, f32[s0, 16]; as often as there are symbols; s1=host: a number
//                 that is given at each run
//     --tsv       one line of tab-separated values for each file instead
//     --report    writes the page of each accepted file into the folder
//     --stop-after  parse, infer, functionalise, pass or lower: prints the graph as that stage left it, and nothing else
// Exit status: 0 where all files are accepted, 1 where one is not, 2 where the arguments are wrong.
#include <ahead/compile/inspect.hpp>
#include <ahead/core/error.hpp>
#include <ahead/frontend/any_importer.hpp>
#include <ahead/frontend/fx/lost_write.hpp>
#include <ahead/io/file.hpp>
#include <ahead/io/read_symbol.hpp>
#include <ahead/print/dump/written_files.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/print/print_coverage.hpp>
#include <ahead/print/report/html_report.hpp>
#include <ahead/torch_npu.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <set>

using namespace ahead;

namespace {

struct known_device {
    std::string_view name;
    compile::inspected_graph (*inspect)(std::string_view text, const config&, ir::symbol_values sizes, inspect_stage last);
};
template <const machine::device& On> constexpr known_device device_named(std::string_view name) {
    return {name, [](std::string_view text, const config& options, ir::symbol_values sizes, inspect_stage last) {
                return inspect<any_importer, torch_npu::tools::with_device<On>, torch_npu::registry>(
                    text, options, {}, sizes, [](inspect_stage) {}, last);
            }};
}
constexpr known_device devices[] = {
    device_named<machine::npu>("npu"),
    device_named<machine::ascend_910b2>("ascend_910b2"),
    device_named<machine::ascend_310p3>("ascend_310p3"),
    device_named<machine::xeon_2core>("xeon_2core"),
};

struct request {
    const known_device* on = devices;
    config options{.effort = effort::brisk};
    std::vector<symbol_value> sizes;
    bool tsv = false;
    std::string report;                        // folder; empty: none
    inspect_stage last = inspect_stage::time; // with another one the graph is printed
    std::vector<std::string> files;
};

bool read_effort(std::string_view word, effort& out) {
    for (const auto known : {effort::constant, effort::brisk, effort::patient})
        if (print(known).view() == word) {
            out = known;
            return true;
        }
    std::int64_t steps = -1;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), steps);
    out = effort{steps};
    return read.ec == std::errc{} && read.ptr == word.data() + word.size() && steps >= 0;
}

/// A stage that leaves a graph.
bool read_stage(std::string_view word, inspect_stage& out) {
    for (out = inspect_stage::parse; out <= inspect_stage::lower; out = inspect_stage(static_cast<int>(out) + 1))
        if (print(out) == word) return true;
    return false;
}

constexpr const char* usage =
    "usage: 08_inspect [--device d] [--streams n] [--effort e] [--size s0=4] [--loop-bound n] [--tsv] [--report "
    "folder] [--stop-after stage] FILE...\n";

/// Whether the arguments are right; says what is wrong.
bool read_arguments(int count, char** arguments, request& out) {
    const auto wrong = [](const std::string& why) {
        std::fprintf(stderr, "08_inspect: %s\n%s", why.c_str(), usage);
        return false;
    };
    for (int i = 1; i < count; ++i) {
        const std::string_view word = arguments[i];
        if (!word.starts_with("--")) {
            out.files.emplace_back(word);
            continue;
        }
        if (word == "--tsv") {
            out.tsv = true;
            continue;
        }
        if (word != "--device" && word != "--streams" && word != "--effort" && word != "--size" &&
            word != "--loop-bound" && word != "--report" && word != "--stop-after")
            return wrong("'" + std::string(word) + "' is no option");
        if (++i == count) return wrong("no value after " + std::string(word));
        const std::string_view value = arguments[i];
        if (word == "--report") out.report = value;
        if (word == "--stop-after" && !read_stage(value, out.last))
            return wrong("--stop-after is parse, infer, functionalise, pass or lower, not '" + std::string(value) + "'");
        if (word == "--size" && !read_symbol(value, out.sizes.emplace_back()))
            return wrong("--size is a symbol and a number, s0=4, or a host parameter, s1=host, not '" +
                         std::string(value) + "'");
        if (word == "--device") {
            out.on =
                std::find_if(std::begin(devices), std::end(devices), [&](const auto& d) { return d.name == value; });
            if (out.on == std::end(devices)) {
                std::string names;
                for (const auto& d : devices) names.append(names.empty() ? "" : ", ").append(d.name);
                return wrong("device '" + std::string(value) + "' is unknown: expected one of " + names);
            }
        }
        const auto read_number = [&](auto& number) {
            const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
            return (read.ec == std::errc{} && read.ptr == value.data() + value.size() && number >= 1) ||
                   wrong(std::string(word) + " is a number from 1 on, not '" + std::string(value) + "'");
        };
        if (word == "--streams" && !read_number(out.options.streams)) return false;
        if (word == "--loop-bound" && !read_number(out.options.loop_bound)) return false;
        if (word == "--effort" && !read_effort(value, out.options.effort))
            return wrong("--effort is constant, brisk, patient or a number of steps, not '" + std::string(value) + "'");
    }
    if (out.files.empty()) return wrong("no file is named");
    std::set<std::string> pages;
    for (const auto& file : out.files)
        if (!out.report.empty() && !pages.insert(std::filesystem::path(file).stem().string()).second)
            return wrong("two files would have the page of '" + file + "'");
    return true;
}

/// What of a line a screen holds.
std::string shortened(std::string_view line) {
    constexpr std::size_t longest = 200;
    return line.size() <= longest ? std::string(line) : std::string(line.substr(0, longest)) + " ...";
}

struct operator_count {
    std::string_view op;
    std::int32_t calls = 0;
};
/// "aten.sort.default 3, aten.cummax.default 1", the most called first.
std::string print(std::vector<operator_count> counts) {
    std::sort(counts.begin(), counts.end(),
              [](const auto& a, const auto& b) { return a.calls != b.calls ? a.calls > b.calls : a.op < b.op; });
    std::string out;
    for (const auto& one : counts)
        out.append(out.empty() ? "" : ", ").append(one.op).append(" ").append(std::to_string(one.calls));
    return out;
}

/// What runs the calls of a graph, whether it is accepted or not.
void print_calls(const compile::inspected_graph& made) {
    const auto rows = list_coverage<torch_npu::tools>(made.captured(), torch_npu::registry::table);
    std::int32_t calls = 0, on_kernels = 0, on_ai_cpu = 0, on_both = 0, decomposed = 0;
    std::vector<operator_count> slow, missing;
    for (const auto& row : rows) {
        calls += row.calls;
        on_kernels += row.on_kernels;
        on_ai_cpu += row.on_ai_cpu;
        on_both += row.on_both;
        decomposed += row.decomposed;
        if (const auto some = row.on_ai_cpu + row.on_both; some > 0) slow.push_back({row.op, some});
        if (const auto none = row.calls - row.running(); none > 0) missing.push_back({row.op, none});
    }
    std::printf(
        "  %-12s %d nodes, %d calls: %d by kernels and views, %d on the AI CPU, %d by both; %d of them decomposed\n",
        "graph", made.captured().header().live_nodes, calls, on_kernels, on_ai_cpu, on_both, decomposed);
    if (!slow.empty()) std::printf("  %-12s %s\n", "on AI CPU", print(slow).c_str());
    if (!missing.empty()) std::printf("  %-12s %s\n", "not run", print(missing).c_str());
}
/// What each block takes where its call runs it, those in it behind it.
void print_blocks(const compile::inspected_graph& made, const std::string& within) {
    const auto g = made.optimized_graph();
    for (const auto& block : made.blocks) {
        const auto name = within + std::string(print(g[block.of].name).view());
        std::printf("  %-12s %s of %s: tasks %d, arena %lld bytes, constants %lld, %.3f us\n", "block", name.c_str(),
                    std::string(print(g[holder_of(g, block.of)].name).view()).c_str(), block.plan().run_tasks,
                    static_cast<long long>(block.plan().peak_bytes),
                    static_cast<long long>(block.plan().constant_bytes), block.as_block().makespan.microseconds());
        print_blocks(block, name + ".");
    }
}
/// What a run takes.
void print_run(const compile::inspected_graph& made, double ms) {
    const auto& plan = made.plan();
    std::printf("  %-12s %d, %d on the AI CPU; %d of prepare; streams %d, events %d\n", "tasks", plan.run_tasks,
                plan.ai_cpu_tasks, plan.prepare_tasks, plan.streams, plan.events);
    std::vector<operator_count> slow;
    const auto g = made.lowered_graph();
    for (const auto& row : made.timeline) {
        const auto id = made.planned.tasks[static_cast<std::size_t>(row.task)].node;
        if (!made.needs[static_cast<std::size_t>(id.index)].on_ai_cpu) continue;
        const auto same = std::find_if(slow.begin(), slow.end(), [&](const auto& o) { return o.op == g[id].target; });
        if (same == slow.end()) slow.push_back({g[id].target, 1});
        else ++same->calls;
    }
    if (!slow.empty()) std::printf("  %-12s %s\n", "AI CPU tasks", print(slow).c_str());
    std::printf("  %-12s arena %lld bytes, at least %lld in this order; constants %lld, states %lld\n", "memory",
                static_cast<long long>(plan.peak_bytes), static_cast<long long>(plan.largest_live_bytes),
                static_cast<long long>(plan.constant_bytes), static_cast<long long>(plan.state_bytes));
    print_blocks(made, "");
    std::printf("  %-12s %.3f us on %.*s\n", "makespan", made.makespan().microseconds(),
                static_cast<int>(made.on->name.size()), made.on->name.data());
    std::printf("  %-12s %.1f ms, from the text to the verified plan\n", "inspected in", ms);
}

void print_row(const std::string& path, std::string_view stage, const compile::inspected_graph& made, double ms,
               const std::string& why) {
    const auto& plan = made.plan();
    std::printf("%s\t%s\t%s\t%d\t%d\t%d\t%lld\t%lld\t%.3f\t%.3f\t%s\n", path.c_str(), std::string(stage).c_str(),
                why.empty() ? "accepted" : "refused", made.captured().header().live_nodes, plan.run_tasks,
                plan.ai_cpu_tasks, static_cast<long long>(plan.peak_bytes),
                static_cast<long long>(plan.largest_live_bytes), made.makespan().microseconds(), ms, why.c_str());
}
/// Writes the page of an accepted graph; whether that could be done.
bool write_page(const std::string& path, const compile::inspected_graph& made, const std::string& folder) {
    const auto name = std::filesystem::path(path).stem().string();
    std::string page;
    print_report(made, page, name);
    written_files files;
    files.add(name + ".html", std::move(page));
    try {
        files.write(folder);
    } catch (const error& e) {
        std::fprintf(stderr, "08_inspect: %s\n", e.what());
        return false;
    }
    return true;
}

/// Inspects one file; whether it is accepted.
bool inspect_file(const std::string& path, const request& asked) {
    aligned_memory memory;
    std::span<const std::byte> bytes;
    compile::inspected_graph made;
    double ms = 0;
    const bool is_read = io::read_file(path, memory, bytes, made.error);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (is_read) {
        const auto begin = std::chrono::steady_clock::now();
        made = asked.on->inspect(text, asked.options, {asked.sizes.data(), asked.sizes.size()}, asked.last);
        ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
    const bool is_accepted = made.error.ok();
    const auto why = is_accepted ? "" : sentence_of(made.error);
    const auto stage = is_read ? print(made.stage) : "read";
    if (!is_accepted) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), render(made.error).c_str());
        if (made.error.line > 0)
            std::fprintf(stderr, "    %s\n", shortened(source_text{path, text}.line(made.error.line)).c_str());
    }
    if (is_accepted && asked.last != inspect_stage::time) {
        std::string graph;
        print_fx(made.latest_graph(), readable_style(), graph);
        std::printf("%s\n", graph.c_str());
        return true;
    }
    if (asked.tsv) {
        print_row(path, stage, made, ms, why);
    } else {
        std::printf("%s: %s%s\n", path.c_str(), is_accepted ? "accepted" : "refused in stage ",
                    is_accepted ? "" : std::string(stage).c_str());
        if (is_read && made.stage > inspect_stage::parse) print_calls(made);
        if (is_accepted) print_run(made, ms);
        const auto lost =
            is_accepted && !made.notes.names_writes ? frontend::find_lost_write(made.captured()) : frontend::lost_write{};
        if (lost.exists())
            std::printf(
                "  %-12s %s may be the new value of %s, which this form does not say: print(ExportedProgram), or "
                ".writes of an fx_input\n",
                "note", std::string(print(made.captured()[lost.value].name).view()).c_str(),
                std::string(print(made.captured()[lost.buffer].name).view()).c_str());
    }
    return is_accepted && (asked.report.empty() || write_page(path, made, asked.report));
}

} // namespace

int main(int count, char** arguments) {
    if (count == 2 && std::string_view(arguments[1]) == "--help") return std::fputs(usage, stdout), 0;
    request asked;
    if (!read_arguments(count, arguments, asked)) return 2;
    if (asked.tsv)
        std::puts(
            "file\tstage\tstatus\tnodes\ttasks\tai_cpu_tasks\tpeak_bytes\tlargest_live_bytes\tmakespan_us\tms\twhy");
    bool all = true;
    for (const auto& file : asked.files) all = inspect_file(file, asked) && all;
    return all ? 0 : 1;
}
