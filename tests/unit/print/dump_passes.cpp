// Numbered dumps of a program's graphs: which files there are, what is in them, and paths that cannot be written.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "scratch_folder.hpp"

#include <ahead/ahead.hpp>
#include <ahead/frontend/pbtxt/read_pbtxt.hpp>
#include <ahead/print/dump/dump_passes.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;
namespace fs = std::filesystem;

namespace {

struct in_place {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        relu_: "f32[2, 3]" = torch.ops.aten.relu_.default(exp);  exp = None
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(relu_);  relu_ = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(clone, 2);  clone = None
        return (mul,)
)fx";
};
inline constexpr auto my_tools_post_pass = pass::named<"my pass/1">([](graph_editor&, const config&) {});
inline constexpr config my_tools_options{.eliminate_duplicates = false};
using my_tools = toolchain<>::with_post_pass<my_tools_post_pass>::with_options<my_tools_options>;
using program = compiled<fx<in_place>, my_tools>;

inline constexpr auto functional_net = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 4>> w) { return outputs(mm(x, w)); });

// What is dumped of `program`, in order.
const std::vector<std::string> stages = [] {
    std::vector<std::string> out{"original", "after_functionalise"};
    program::passes::for_each([&](const auto& pass) {
        const auto name = std::string(pass.name);
        if (name != "eliminate_duplicates") out.push_back("after_" + (name == "my pass/1" ? "my_pass_1" : name));
    });
    out.insert(out.end(), {"optimized", "device"});
    return out;
}();
std::string file_of(const std::string& stage, const std::string& ending) {
    const auto number = std::to_string(std::find(stages.begin(), stages.end(), stage) - stages.begin());
    return std::string(3 - number.size(), '0') + number + "_graph_" + stage + "_rank_0" + ending;
}

constexpr std::string_view body_without_noops = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(x);  x = None
        relu_: "f32[2, 3]" = torch.ops.aten.relu.default(exp);  exp = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(relu_, 2);  relu_ = None
        return (mul,)
)fx";

} // namespace

int main() {
    const scratch_folder scratch;
    const auto folder = scratch.path / "a" / "b"; // is made
    const auto files = dump_passes<program>(folder);
    std::string expected;
    for (const auto& stage : stages) {
        const bool compared = stage == "original" || stage == "optimized" || stage == "device";
        if (stage == "device") expected += file_of(stage, ".dot") + "\n";
        if (compared) expected += file_of(stage, ".pbtxt") + "\n";
        if (stage != "device") expected += file_of(stage, ".txt") + "\n";
    }
    check_equal(names_in(folder), expected);
    check_equal(files.size(), stages.size() + 3);
    check(files.front() == folder / "000_graph_original_rank_0.txt" && files.back() == folder / file_of("device", ".dot"));

    // What each pass did, and the graph it left.
    const auto body = std::string(body_without_noops);
    check_equal(content(files[0]), "# original graph: 6 nodes\n" + std::string(in_place::text));
    check_equal(content(folder / "001_graph_after_functionalise_rank_0.txt").substr(0, 34), "# functionalise: 6 -> 6 nodes\nclas");
    check_equal(content(folder / "002_graph_after_remove_noop_ops_rank_0.txt"),
                "# remove_noop_ops: 6 -> 5 nodes, 2 changes: - aten.clone.default clone (line 5)\n" + body);
    check_equal(content(folder / file_of("after_fold_batch_norm", ".txt")), "# fold_batch_norm: nothing to do\n" + body);
    check_equal(content(folder / file_of("after_my_pass_1", ".txt")), "# my pass/1: nothing to do\n" + body);
    check_equal(content(folder / file_of("optimized", ".txt")), body);

    // All of them can be read.
    for (const auto& file : files) {
        const auto text = content(file);
        diagnosis d;
        if (file.extension() == ".txt") {
            heap_storage storage(count_fx(text));
            fx_style style;
            check(read_fx(text, aten::registry::table, storage.edit(), style, d), file.string() + ": " + render(d));
        } else if (file.extension() == ".pbtxt") {
            const bool device = file.filename() == file_of("device", ".pbtxt");
            const pbtxt_graph read(text, device ? op_table(program::device_registry::table) : aten::registry::table);
            check(read.error.ok(), file.string() + ": " + render(read.error));
            std::string again;
            print_pbtxt(read.view(), device ? op_table(program::device_registry::table) : aten::registry::table, again);
            check_equal(again, text);
        } else {
            check_equal(text.substr(0, 9), "digraph {");
        }
    }

    // Again, over the same files; under another name, of another rank.
    dump_passes<program>(folder);
    check_equal(content(folder / file_of("optimized", ".txt")), body);
    const auto named = dump_passes<compiled<functional_net>>(scratch.path / "named", "my net", 3);
    check(named.front().filename() == "000_my_net_original_rank_3.txt");
    check_equal(content(named[2]).substr(0, 31), "# functionalise: nothing to do\n");

    // A path that cannot be written: by name, and nothing is written.
    // fault: file_is_unwritable
    check_fault([] { dump_passes<program>(fs::path{}); }, fault::file_is_unwritable);
    std::ofstream(scratch.path / "file") << "mine";
    check_throws<error>([&] { dump_passes<program>(scratch.path / "file"); }, "/file' is unwritable: expected a folder");
    check_throws<error>([&] { dump_passes<program>(scratch.path / "file" / "inside"); }, "/file/inside' is unwritable: expected a folder");
    check_equal(content(scratch.path / "file"), "mine");
    const auto taken = scratch.path / "taken";
    fs::create_directories(taken / file_of("after_eliminate_dead_code", ".txt"));
    std::ofstream(taken / "002_graph_after_remove_noop_ops_rank_0.txt") << "mine";
    check_throws<error>([&] { dump_passes<program>(taken); },
                        file_of("after_eliminate_dead_code", ".txt") + "' is unwritable: expected a file that may be written");
    check_equal(names_in(taken), "002_graph_after_remove_noop_ops_rank_0.txt\n" + file_of("after_eliminate_dead_code", ".txt") + "\n");
    check_equal(content(taken / "002_graph_after_remove_noop_ops_rank_0.txt"), "mine");
    // A full disk, where there is such a device.
    if (fs::exists("/dev/full")) {
        const auto full = scratch.path / "full";
        fs::create_directories(full);
        fs::create_symlink("/dev/full", full / "000_graph_original_rank_0.txt");
        check_throws<error>([&] { dump_passes<program>(full); }, "000_graph_original_rank_0.txt' is unwritable: expected room for the file");
    }
    return report();
}
