// Exports of whole models, recorded from PyTorch: each printed form is read, planned and verified as inspect_fx does, and the graph as written and as optimised is
// run by the reference; its outputs are compared with PyTorch's. Arguments: folders of models.
//     <model>/{raw,core,raw_readable,readable,readable_strides,graph,unlifted}.txt   printed forms; others (fw_, bw_, joint) are only accepted or refused
//     <model>/{raw,core}.pt2         archives, each the program of its text: graph, plan, weights
//     <model>/rows.txt                fx_input rows, for forms that do not name their weights
//     <model>/w.safetensors           weights
//     <model>/{in,out}<i>.npy         leaves of the arguments and of the result, where they are tensors that .npy can hold
// A line for each text: model, form, verdict, makespan in microseconds, tasks, tasks on the AI CPU, and why. Then a line for each model whose two
// exported forms, raw and core, plan to clocks that differ by more than a tenth; then totals. Exit status: 1 where a number is wrong.
// SPDX-License-Identifier: MIT
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/frontend/pt2/pt2.hpp>
#include <ahead/io/safetensors.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/reference/interpreter.hpp>
#include <ahead/torchvision.hpp>
#include <ahead/transformers.hpp>
#include <corpus/files.hpp>
#include <exports/recorded.hpp>

#include <deque>

namespace {

using namespace ahead;
using namespace ahead::rooms;
using namespace exports;

// ATen's operators and those of the libraries that models come from.
struct registry : aten::registry::with<torchvision::roi_align, torchvision::deform_conv2d, torchvision::nms, torchvision::nms_static, transformers::grouped_mm_fallback> {};
using tools = toolchain<>::with<torchvision::roi_align, torchvision::deform_conv2d, torchvision::nms, torchvision::nms_static, torchvision::samples_of_boxes, torchvision::sampled_columns, transformers::grouped_mm_fallback, transformers::products_of_all_groups>;


// What PyTorch took, gave and kept.
struct recorded_model {
    ahead::weights weights;
    std::deque<std::string> words; // that rows and symbols are views of
    std::vector<fx_input> rows;
    std::map<int, host_tensor> inputs, outputs; // by leaf; what .npy cannot hold is missing
};

recorded_model read_model(const path& folder) {
    recorded_model out;
    diagnosis d;
    if (exists(folder / "w.safetensors") && !load_safetensors((folder / "w.safetensors").string(), out.weights, d)) std::cout << folder.filename().string() << ": weights are refused: " << sentence_of(d) << '\n';
    out.inputs = read_leaves(folder, "in");
    out.outputs = read_leaves(folder, "out");
    std::ifstream lines(folder / "rows.txt"); // {"p_w", "w", "f32[2, 3]"},
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string_view> cells;
        const auto& text = out.words.emplace_back(line);
        for (std::size_t at = 0; (at = text.find('"', at)) != text.npos;) {
            const auto end = text.find('"', at + 1);
            cells.push_back(std::string_view(text).substr(at + 1, end - at - 1));
            at = end + 1;
        }
        if (cells.size() == 3) out.rows.push_back({cells[0], cells[1], cells[2]});
    }
    std::ifstream signature(folder / "core.txt"); // add: BUFFER_MUTATION target='n', which forms without a signature do not say
    for (std::string line; std::getline(signature, line);) {
        const auto& text = out.words.emplace_back(line);
        const auto kind = text.find("_MUTATION target='");
        if (kind == text.npos) continue;
        const auto first = text.find_first_not_of(' '), from = text.find('\'') + 1;
        const auto value = std::string_view(text).substr(first, text.find(':') - first), target = std::string_view(text).substr(from, text.find('\'', from) - from);
        for (auto& row : out.rows)
            if ((row.weight.empty() ? row.placeholder : row.weight) == target) row.writes = value;
    }
    return out;
}

// The sizes that symbols of the text's inputs stand for, from those of the recorded inputs: f32[s77, 3] of a 2x3 tensor says s77 = 2.
std::vector<symbol_value> symbols_of(graph_view g, array_view<const fx_input> rows, recorded_model& model) {
    std::vector<symbol_value> out;
    auto input = model.inputs.begin();
    for (node_id id : g) {
        const auto is_weight = [&](const fx_input& row) { return !row.weight.empty() && row.placeholder == g[id].target; };
        if (g[id].kind != node_kind::placeholder || g[id].role != input_role::user || input == model.inputs.end() || std::any_of(rows.begin(), rows.end(), is_weight)) continue;
        const auto text = std::string(g[id].annotation);
        if (text.starts_with("Sym(")) continue; // a size among the arguments is no tensor
        const auto sizes = sizes_of((input++)->second.type);
        std::istringstream dims(text.substr(std::min(text.find('[') + 1, text.size())));
        std::int32_t dim = 0;
        for (std::string word; std::getline(dims, word, ',') && dim < sizes.size; ++dim) {
            word.erase(0, word.find_first_not_of(' '));
            word.erase(std::min(word.find_first_of("]"), word.size()));
            const bool is_symbol = !word.empty() && word[0] == 's' && word.find_first_not_of("0123456789", 1) == word.npos;
            if (is_symbol && std::none_of(out.begin(), out.end(), [&](const auto& known) { return known.name == word; }))
                out.push_back({model.words.emplace_back(word), sizes[dim]});
        }
    }
    return out;
}

// What a graph gives by the meaning of its operators; empty where it agrees.
std::string run(graph_view g, const recorded_model& model, bool quantised) {
    std::vector<host_tensor> inputs, outputs;
    auto next = model.inputs.begin();
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind == node_kind::call || n.kind == node_kind::output || is_literal(n)) continue;
        if (n.kind == node_kind::placeholder && n.role == input_role::user) {
            if (next == model.inputs.end()) return "no input is recorded for " + std::string(print(n.name).view());
            inputs.push_back((next++)->second);
            continue;
        }
        const auto* found = model.weights.find(n.weight);
        if (found == nullptr) return "no weight is recorded for " + std::string(print(n.name).view());
        auto type = g.value_of(id).type;
        make_contiguous(type);
        from_bytes(type, found->bytes, inputs.emplace_back());
    }
    diagnosis d;
    if (!interpret<registry>(g, inputs, outputs, d)) return sentence_of(d);
    const auto returned = returned_by(g); // new values of inputs are among them
    std::size_t leaf = 0, k = 0;
    for (std::int32_t i = 0; i < returned.count && k < outputs.size(); ++i) {
        if (g[returned[i]].kind != argument_kind::node) {
            ++leaf; // a number or None
            continue;
        }
        const auto& output = outputs[k++];
        if (g[returned[i]].writes.exists()) continue;
        const auto wanted = model.outputs.find(static_cast<int>(leaf++));
        if (wanted == model.outputs.end()) continue;
        if (const auto found = difference(output, wanted->second, quantised); !found.empty()) return "output " + std::to_string(leaf - 1) + ": " + found;
    }
    return {};
}

struct totals {
    int texts = 0, accepted = 0, agreed = 0, wrong = 0, unrecorded = 0;
};

struct makespans {
    double raw = 0, core = 0;
};

void check(const path& file, recorded_model& model, totals& sum, makespans& clocks) {
    const auto name = file.parent_path().filename().string(), form = file.stem().string();
    const auto text = corpus::read_text(file);
    ++sum.texts;
    std::cout << name << '\t' << form << '\t';
    const corpus::parsed_text parsed(text, registry::table);
    std::vector<fx_input> rows; // they are of the decomposed text, which may have other placeholders
    if (form == "raw_readable" || form == "readable" || form == "readable_strides" || form == "graph")
        for (const auto& row : model.rows)
            if (detail::find_input(parsed.storage.view(), parsed.storage.view().first(), row.placeholder).exists()) {
                rows.push_back(row);
                if (form == "raw_readable") rows.back().writes = {}; // it writes in place
            }
    const auto symbols = symbols_of(parsed.storage.view(), {rows.data(), rows.size()}, model);
    const auto made = inspect_fx<tools, registry>(text, {.effort = effort::brisk}, {rows.data(), rows.size()}, {symbols.data(), symbols.size()});
    if (!made.error.ok()) {
        std::cout << "refused\t\t\t\t" << sentence_of(made.error) << std::endl;
        return;
    }
    ++sum.accepted;
    const auto us = made.makespan().microseconds();
    if (form == "raw") clocks.raw = us;
    if (form == "core") clocks.core = us;
    std::string why;
    const bool has_numbers = !model.outputs.empty() && !model.inputs.empty();
    if (has_numbers && !pass::has_random(made.captured(), registry::table)) {
        why = run(made.captured(), model, name.starts_with("q_"));
        if (why.empty()) {
            why = run(made.optimized_graph(), model, name.starts_with("q_"));
            if (!why.empty()) why = "after passes: " + why;
        }
    } else why = "no numbers are recorded";
    const bool recorded = !why.starts_with("no ");
    ++(why.empty() ? sum.agreed : recorded ? sum.wrong : sum.unrecorded);
    std::cout << (why.empty() ? "agrees" : recorded ? "WRONG" : "accepted") << '\t' << us << '\t' << made.plan().run_tasks << '\t' << made.plan().ai_cpu_tasks << '\t' << why << std::endl;
}

// An archive is the program of its text: equal graphs, equal plans, the same bytes of weights; or both are refused for one reason. Says what is not so.
std::string archive_differs(const path& file, const path& text_file, recorded_model& model, bool& is_accepted) {
    const auto archive = corpus::read_text(file), text = corpus::read_text(text_file);
    const corpus::parsed_text parsed(text, registry::table);
    const auto symbols = symbols_of(parsed.storage.view(), {}, model);
    const config options{.effort = effort::brisk};
    const auto made = inspect<frontend::pt2_importer, tools, registry>(archive, options, {}, {symbols.data(), symbols.size()});
    const auto expected = inspect_fx<tools, registry>(text, options, {}, {symbols.data(), symbols.size()});
    is_accepted = made.error.ok();
    if (!made.error.ok() && archive.find("models/model.json") == archive.npos) return {}; // PyTorch saved no program
    if (made.error.what != expected.error.what || made.error.expected.view() != expected.error.expected.view()) return sentence_of(made.error) + ", but the text: " + sentence_of(expected.error);
    if (!is_accepted) return {};
    const auto difference = ir::first_difference(made.captured(), expected.captured(), registry::table);
    if (difference.found) return "another " + std::string(difference.what.view()) + ": " + std::string(difference.left_is.view()) + ", but the text: " + std::string(difference.right_is.view());
    if (made.plan().run_tasks != expected.plan().run_tasks || made.makespan().microseconds() != expected.makespan().microseconds()) return "another plan";
    weights all;
    diagnosis d;
    if (!io::load_pt2_weights(file.string(), all, d)) return sentence_of(d);
    for (const auto& t : all)
        if (const auto* wanted = model.weights.find(t.name); wanted && !std::equal(t.bytes.begin(), t.bytes.end(), wanted->bytes.begin(), wanted->bytes.end())) return "other bytes of " + t.name;
    for (node_id id : made.captured())
        if (const auto& n = made.captured()[id]; !n.weight.empty() && n.kind != node_kind::call && !all.find(n.weight)) return "no weight " + std::string(n.weight);
    return {};
}

} // namespace

int main(int count, char** arguments) {
    totals sum;
    int archives = 0, accepted = 0, other = 0;
    std::map<std::string, makespans> clocks;
    std::vector<path> folders(arguments + 1, arguments + count);
    std::sort(folders.begin(), folders.end());
    for (const auto& folder : folders) {
        auto model = read_model(folder);
        std::vector<path> texts;
        for (const auto& entry : corpus::fs::directory_iterator(folder))
            if (entry.path().extension() == ".txt" && entry.path().filename() != "rows.txt") texts.push_back(entry.path());
        std::sort(texts.begin(), texts.end());
        for (const auto& file : texts) check(file, model, sum, clocks[folder.filename().string()]);
        for (const auto* form : {"raw", "core"}) {
            const auto file = folder / (std::string(form) + ".pt2");
            if (!exists(file)) continue;
            ++archives;
            bool is_accepted = false;
            const auto why = archive_differs(file, folder / (std::string(form) + ".txt"), model, is_accepted);
            accepted += is_accepted;
            other += !why.empty();
            if (!why.empty()) std::cout << folder.filename().string() << '\t' << file.filename().string() << "\tWRONG\t" << why << std::endl;
        }
    }
    int apart = 0, both = 0;
    for (const auto& [name, of] : clocks) {
        if (of.raw == 0 || of.core == 0) continue;
        ++both;
        const double ratio = of.core / of.raw;
        if (ratio <= 1.1 && ratio >= 1 / 1.1) continue;
        ++apart;
        std::cout << name << ": core takes " << ratio << " of raw's time\n";
    }
    std::cout << apart << " of " << both << " models plan to clocks more than a tenth apart\n"
              << sum.texts << " texts: " << sum.accepted << " accepted (" << sum.agreed << " agree, " << sum.wrong << " wrong, " << sum.unrecorded << " without numbers), "
              << sum.texts - sum.accepted << " refused" << std::endl;
    std::cout << archives << " archives: " << accepted << " accepted, " << other << " unlike their texts" << std::endl;
    return sum.wrong > 0 || sum.texts == 0 || other > 0;
}
