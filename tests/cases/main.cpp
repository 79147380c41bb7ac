// Recorded cases, on the device and by the reference (over poisoned memory), against what PyTorch computed. Arguments: folders of cases; none: all that were compiled.
// One line per text that fails or is not covered; then totals. The texts of a model must also be the same graphs, and are run by the reference after
// the passes as well, all of them, none, and each alone left out; on the device the exported text is, with a total per setting.
// Exit code 0 if nothing failed, 77 if nothing was covered, else 1.
// SPDX-License-Identifier: MIT
#include "device.hpp"
#include "interpret.hpp"

#include <corpus/models.hpp>

#include <set>

namespace cases {

// The settings under which passes are run: all on, all off, and each alone off.
struct setting {
    std::string name;
    config options;
};
std::vector<setting> settings() {
    std::vector<setting> out{{"all passes", {}}, {"no passes", {}}};
    for (const auto& row : pass::option_table) {
        out[1].options.*row.option = false;
        if (row.name.starts_with("fuse_")) continue; // done by lowering: device.hpp compiles without them
        out.push_back({"without " + std::string(row.name), {}});
        out.back().options.*row.option = false;
    }
    return out;
}

struct tally {
    int texts = 0, passed = 0, failed = 0, uncovered = 0;
    void count(const verdict& v) {
        ++texts;
        ++(v.what == outcome::passed ? passed : v.what == outcome::failed ? failed : uncovered);
    }
    void add(const path& folder, const std::string& text, const verdict& v) {
        count(v);
        if (v.what == outcome::passed) return;
        std::cout << (v.what == outcome::failed ? "FAILED " : "uncovered ") << folder.parent_path().filename().string() << '/' << folder.filename().string() << ' '
                  << text << ": " << v.why << '\n';
    }
};

// What came of one setting, over all texts.
struct setting_tally : tally {
    int same_graph = 0; // of those, the ones whose device graph is as with all on
};

// Options that change nothing in a graph, and one that does.
namespace example {

struct twice {
    static constexpr std::string_view text = "graph():\n    %x : [num_users=2] = placeholder[target=x]\n"
                                             "    %a : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {})\n"
                                             "    %b : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {})\n"
                                             "    %c : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%a, %b), kwargs = {})\n"
                                             "    return (c,)";
    static constexpr fx_input inputs[] = {{.placeholder = "x", .type = "f32[2, 2]"}};
};
template <class Tools> inline constexpr bool same = same_graph(lowered_by<twice, toolchain<>>, lowered_by<twice, Tools>);
static_assert(same<toolchain<>> && lowered_by<twice, no_passes>.error.ok() && !same<no_passes>);
static_assert(same<without<0>> && same<without<1>> && !same<without<5>> && pass::option_table[5].name == "eliminate_duplicates");

} // namespace example

} // namespace cases

int main(int count, char** arguments) {
    using namespace cases;
    std::set<path> folders;
    for (int i = 1; i < count; ++i) folders.insert(arguments[i]);
    if (folders.empty())
        for (const auto& text : compiled_texts()) folders.insert(text.folder);
    tally device, reference, passes;
    std::vector<std::pair<std::string, setting_tally>> varied; // in the order they were compiled in
    corpus::model_totals models;
    int whole = 0; // folders of which every text passed on both
    for (const auto& folder : folders) {
        if (!exists(folder / "graph.f2.txt")) corpus::model_check(folder, models).run();
        const auto before = std::array{device.texts - device.passed, reference.texts - reference.passed, passes.texts - passes.passed};
        std::vector<recorded> sets;
        try {
            sets.push_back(read_case(folder, "0"));
            for (const auto& line : corpus::read_table(folder / "manifest.tsv"))
                if (const auto set = line.find("set"); set != line.end() && set->second == "1" && sets.size() == 1) sets.push_back(read_case(folder, "1"));
        } catch (const std::exception& e) {
            reference.add(folder, "manifest.tsv", {outcome::failed, e.what()});
            continue;
        }
        std::vector<path> texts;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".txt") texts.push_back(entry.path());
        std::sort(texts.begin(), texts.end());
        for (const auto& given : sets) {
            for (const auto& text : texts) reference.add(folder, text.filename().string() + " reference", interpret_text(corpus::read_text(text), given));
            if (!exists(folder / "graph.f2.txt"))
                for (const auto& text : texts)
                    for (const auto& s : settings())
                        passes.add(folder, text.filename().string() + " reference, " + s.name, interpret_text(corpus::read_text(text), given, &s.options));
            for (const auto& text : compiled_texts()) {
                if (text.folder != folder) continue;
                const auto found = text.run(given);
                device.add(folder, text.text + " device" + (text.setting.empty() ? "" : ", " + text.setting), found);
                if (text.setting.empty()) continue;
                auto at = std::find_if(varied.begin(), varied.end(), [&](const auto& one) { return one.first == text.setting; });
                if (at == varied.end()) at = varied.insert(at, {text.setting, {}});
                at->second.count(found);
                at->second.same_graph += text.is_same_graph;
            }
        }
        whole += before == std::array{device.texts - device.passed, reference.texts - reference.passed, passes.texts - passes.passed};
    }
    for (const auto& [name, sum] : {std::pair{"device", device}, std::pair{"reference", reference}, std::pair{"reference after passes", passes}})
        std::cout << name << ": " << sum.passed << " passed, " << sum.failed << " failed, " << sum.uncovered << " not covered\n";
    for (const auto& [name, sum] : varied)
        std::cout << "device, " << name << ": " << sum.passed << " passed, " << sum.failed << " failed, " << sum.uncovered << " not covered; " << sum.same_graph
                  << " the same graph as with all on\n";
    if (models.models > 0)
        std::cout << models.models << " models, " << models.texts << " texts: " << models.same << " print back, " << models.equal << " of " << models.exports
                  << " exports are one graph in all texts\n";
    std::cout << folders.size() << " cases, " << whole << " passed whole" << std::endl;
    if (device.failed + reference.failed + passes.failed + models.violations > 0 || folders.empty()) return 1;
    return device.passed + reference.passed > 0 ? 0 : 77;
}
