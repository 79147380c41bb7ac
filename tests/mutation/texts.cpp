// SPDX-License-Identifier: MIT
// Damaged texts, all the way from the parser to the verified plan: each text cut at 100 places, and with each of 100 numbers replaced, as it is printed and
// without the types of results, which would refuse most changes where they stand.
// Law: a text is refused for what is wrong with it, in one sentence that names the line or what stands there; or it is accepted, and then it prints back
// as it is, its types are those that it prints, a cut has taken nothing that computes, and small graphs mean the same behind all passes (by the reference)
// and have a plan that is right (by plan_simulation). What the device computes is not run: kernels are compiled, and nothing here is.
// No damaged text takes more than ten times as long as the whole one.
//     mutation_texts [files and folders...]: their texts in place of the repository's
#include "../calls_with_numbers.hpp"
#include "../corpus/files.hpp"
#include "../fx_essence.hpp"
#include "../fx_literals.hpp"
#include "../harness.hpp"
#include "../plan_simulation.hpp"
#include "../reference.hpp"
#include "../text_damage.hpp"

#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/error.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/reference/equivalent.hpp>

#include <cstring>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <memory>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

/// A text in memory of exactly its size, so that a sanitizer sees a character too many; and what is made of it.
struct inspection {
    std::unique_ptr<char[]> memory;
    std::string_view text;
    compile::inspected_graph made;
    double seconds = 0;

    explicit inspection(const std::string& from) : memory(new char[from.size()]), text(memory.get(), from.size()) {
        std::memcpy(memory.get(), from.data(), from.size());
        const auto begin = std::clock();
        made = inspect_fx(text);
        seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }
};

enum kind : std::uint8_t { cut, number, untyped };
constexpr std::string_view kinds[] = {"cuts", "numbers", "numbers, results untyped"};

struct tally {
    int texts = 0, accepted = 0, run = 0;
};
tally sums[std::size(kinds)];
std::map<std::string, std::array<int, std::size(kinds)>> refusals; // by stage and fault
std::map<std::string, int> complaints;

/// Counts it, and shows the first few.
void complain(const std::string& what, std::string_view file, const test::damaged_text& from, std::string_view original,
              const diagnosis& d = {}) {
    if (++complaints[what] > 3) return;
    const auto begin = from.at == 0 ? 0 : original.rfind('\n', from.at - 1) + 1;
    const auto around = std::max(begin, from.at < 60 ? 0 : from.at - 60);
    std::cout << file << " line " << from.line << ": " << what
              << "\n    was: " << original.substr(around, original.find('\n', from.at) - around).substr(0, 160) << "\n    is:  "
              << from.text.substr(std::min(around, from.text.size()), 160).substr(0, from.text.find('\n', from.at) - around) << "\n    "
              << render(d) << '\n';
}

/// What a text has no part in: it was refused for what the library made of it. graph_exceeds_capacity is that of calls with more results than lines take.
bool is_own_fault(fault what) {
    for (auto own : {fault::graph_is_broken, fault::plan_is_broken, fault::converter_result_differs, fault::outputs_differ, fault::rewrite_changes_type, fault::streams_race,
                     fault::memory_is_reused_too_early, fault::stream_is_not_forked, fault::stream_is_not_joined, fault::wait_is_never_met})
        if (what == own) return true;
    return false;
}

/// Why it is not a good refusal; empty where it is one.
/// is_sound: the whole text is accepted.
std::string blemish_of(const diagnosis& d, kind of, const test::damaged_text& from, bool is_sound) {
    if (is_own_fault(d.what)) return "refused by the library's own fault";
    if (name_of(d.what).empty()) return "a fault without a name";
    if (d.line == 0 && d.name.length == 0 && d.op.length == 0) return "a refusal that names nothing";
    if (d.line < 0 || d.line > test::line_at(from.text, from.text.size())) return "a refusal in a line that is not there";
    // Of what blocks give their call, the call is told, which stands above them.
    if (of != cut && d.line != 0 && d.line < from.line && is_sound && d.what != fault::block_results_differ && from.text.find("Graph signature") == std::string::npos)
        return "a refusal above the damage";
    if (d.expected.length == 0 || d.found.length == 0) return "a refusal that does not say what is expected and found";
    const auto sentence = sentence_of(d);
    if (sentence.find('\n') != sentence.npos || sentence.back() == ' ') return "a refusal that is no sentence";
    if (render(d) != sentence + "\n  hint: " + std::string(hint(d.what))) return "a refusal that does not say what to do";
    return {};
}

/// Elements of all tensors of the graph; -1 where one has a type that cannot be, or another one than is printed.
std::int64_t elements_of(graph_view g, bool as_printed) {
    std::int64_t sum = 0;
    for (node_id id : g) {
        const auto& n = g[id];
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            const auto& t = g.value_of(id, k).type;
            if (!is_addressable(t)) return -1;
            sum += t.offset + extent_of(t) + element_count(t);
        }
        annotation printed;
        diagnosis d;
        if (!as_printed || n.annotation.empty() || n.kind == node_kind::output) continue;
        if (!read_annotation(n.annotation, printed, d) || n.values.count != 1) return -1;
        if (const auto& t = g.value_of(id).type; t.type != printed.type.type || sizes_of(t) != sizes_of(printed.type)) return -1;
    }
    return sum;
}

bool has_empty(graph_view g) {
    for (node_id id : g)
        for (std::int32_t k = 0; k < g[id].values.count; ++k)
            if (element_count(g.value_of(id, k).type) == 0) return true;
    return false;
}

/// Whether nothing of a graph follows: blanks, comments, what is said of dynamic sizes.
bool is_complete_at(const std::string& text, std::size_t at) {
    const auto begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const auto comment = text.find('#', begin);
    const auto constraints = text.find("Range constraints");
    if (comment < at && text.find_first_not_of(' ', begin) == comment) at = std::min(text.find('\n', at), text.size());
    return constraints <= text.find_first_not_of(" \n", at) || test::essence(text.substr(at)).empty();
}

/// What is wrong with an accepted text; empty: nothing.
std::string flaw_of(const inspection& one, kind of, const test::damaged_text& from, const std::string& original, diagnosis& d) {
    const auto& made = one.made;
    if (made.stage != inspect_stage::time || made.timeline.empty() != (made.plan().run_tasks == 0) || made.makespan().count < 0)
        return "accepted without a timeline";
    if (!check_plan(made.lowered_graph(), made.needs, made.plan_view(), d)) return "accepted with a plan that is refused";
    if (of == cut && !is_complete_at(original, from.at)) return "accepted without its end";
    const auto elements = elements_of(made.captured(), true);
    if (elements < 0 || elements_of(made.optimized_graph(), false) < 0 || elements_of(made.lowered_graph(), false) < 0)
        return "accepted with a type that cannot be";
    for (auto g : {made.captured(), made.optimized_graph(), made.lowered_graph()})
        if (!verify(g, d)) return "accepted with a graph that cannot be";
    const corpus::parsed_text again(from.text, aten::registry::table);
    if (!again.ok || test::essence(again.printed()) != test::essence(from.text)) return "accepted and printed differently";
    if (elements > 6'000 || made.captured().header().live_nodes > 200) return {};
    ++sums[of].run;
    if (!equivalent(made.captured(), made.optimized_graph(), 7, d)) return is_own_fault(d.what) ? "passes change what it means" : "";
    // What the simulation says of tensors without bytes that share their place is a matter of words.
    if (!has_empty(made.lowered_graph()) && !test::plan_is_right(made.lowered_graph(), made.needs, made.plan_view()))
        return "its plan is wrong";
    return {};
}

/// Seconds that the whole text takes, and the slowest of the damaged ones.
struct pace {
    double whole = 0, worst = 0;
    bool is_sound = false;
};

void run(kind of, std::string_view file, const test::damaged_text& from, const std::string& original, pace& times) {
    inspection one(from.text);
    auto& sum = sums[of];
    ++sum.texts;
    diagnosis d = one.made.error;
    if (d.ok()) {
        ++sum.accepted;
        if (const auto flaw = flaw_of(one, of, from, original, d); !flaw.empty()) complain(flaw, file, from, original, d);
    } else {
        ++refusals[std::string(print(one.made.stage)) + ' ' + std::string(name_of(d.what))][of];
        if (const auto blemish = blemish_of(d, of, from, times.is_sound); !blemish.empty()) complain(blemish, file, from, original, d);
    }
    constexpr double grain = 0.02; // what a system's own moods may take
    for (int again = 0; again < 3 && one.seconds > 10 * times.whole + grain; ++again)
        one.seconds = std::min(one.seconds, inspection(from.text).seconds);
    if (one.seconds > 10 * times.whole + grain)
        complain("more than ten times as slow as the whole text", file, from, original, one.made.error);
    times.worst = std::max(times.worst, one.seconds);
}

struct named_text {
    std::string file, text;
};

/// All that becomes of one text. How often it is cut and changed: `most` each; every number in every way where that is 0.
void run(const named_text& from, std::size_t most, bool tell) {
    const auto& [file, text] = from;
    const auto bare = test::without_result_types(text);
    const auto began = std::clock();
    const inspection whole(text);
    pace times{std::max(whole.seconds, inspection(bare).seconds), 0, whole.made.error.ok()};
    for (const auto& one : test::cuts_of(text, most)) run(cut, file, one, text, times);
    for (const auto& one : test::changes_of(text, most, most == 0)) run(number, file, one, text, times);
    if (bare != text)
        for (const auto& one : test::changes_of(bare, most)) run(untyped, file, one, bare, times);
    if (!tell) return;
    std::cout << std::left << std::setw(34) << file << std::right << std::setw(6) << whole.made.captured().header().live_nodes << " nodes, "
              << (whole.made.error.ok() ? "accepted" : "refused ") << std::setw(8) << times.whole * 1e3 << " ms, the slowest damaged "
              << std::setw(8) << times.worst * 1e3 << " ms, all " << static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC << " s"
              << std::endl;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<named_text> texts;
    const auto add = [&](const std::filesystem::path& path) {
        if (path.extension() == ".txt") texts.push_back({path.filename().string(), test::read_file(path)});
    };
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) add(argv[i]);
        else
            for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) add(entry.path());
    }
    std::cout << std::fixed << std::setprecision(1);
    if (argc == 1) {
        for (const auto* path : {"mutation/mlp3.txt", "mutation/lenet.txt", "mutation/lstm4.txt", "../examples/02_digits/digits.txt",
                                 "../examples/04_speech/silero_vad.txt", "../bench/run/resnet18_w16.txt", "../bench/run/vit_tiny.txt",
                                 "../bench/run/gpt_block.txt"})
            add(path);
        for (const auto& entry : std::filesystem::recursive_directory_iterator("unit")) {
            if (!entry.is_regular_file()) continue;
            std::vector<std::string> literals;
            test::add_literals(entry.path(), literals);
            for (const auto& text : literals) run({entry.path().filename().string(), text}, 30, false);
        }
        for (const auto& [parameters, call] : test::calls_with_numbers)
            run({std::string(call), test::text_of_call(parameters, call)}, 0, false);
    }
    std::sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
    for (const auto& text : texts) run(text, 100, true);
    int accepted = 0, damaged = 0;
    for (std::size_t k = 0; k < std::size(kinds); ++k) {
        const auto& sum = sums[k];
        std::cout << kinds[k] << ": " << sum.texts << " texts, " << sum.texts - sum.accepted << " refused, " << sum.accepted
                  << " accepted, of these " << sum.run << " run by the reference\n";
        damaged += sum.texts;
        accepted += sum.accepted;
    }
    for (const auto& [what, counts] : refusals) {
        for (const auto count : counts) std::cout << std::setw(7) << count;
        std::cout << "  " << what << '\n';
    }
    for (const auto& [what, count] : complaints) check(false, std::to_string(count) + " times: " + what);
    check(damaged > 0);
    check(argc > 1 || (accepted > damaged / 20 && sums[untyped].run > 50 && refusals.size() > 20),
          "the damage is too mild or too great to say much");
    return test::report();
}
