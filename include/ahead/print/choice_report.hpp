// SPDX-License-Identifier: MIT
// What a choice file says of a program: its keys that may have several kernels, with the file's line of each, and the
// lines that are of no call. A key without a line, and a line without a call, are no faults: the graph has changed since
// it was measured, and goes by the rules there. Build ahead_tune again. At run time; nothing is added to what is
// compiled. Called by print_choices.hpp, print/log_compilation.hpp and generate/.
// Invariant: keys are those of whole calls, in their order in the program; none twice.
#pragma once
#include <ahead/compile/graph_stages.hpp>
#include <ahead/convert/lower/lower_graph.hpp>
#include <ahead/pass/device/choose_kernels.hpp>
#include <ahead/print/print_key.hpp>
#include <algorithm>
#include <string>
#include <vector>

namespace AHEAD_NAMESPACE {

/// A key that may have several kernels.
struct choice_row {
    std::string key;   // as a choice file has it
    printed_call call; // the first that has it, as C++
    std::int32_t calls = 0;
    std::int32_t line = 0; // of the file; 0: it has none
    std::string choice = "by_rule";
};
/// What a choice file says of a program.
struct choice_report {
    std::vector<choice_row> rows;
    std::vector<device::choice_line> unused; // views of the file's text

    std::int32_t without_line() const {
        std::int32_t out = 0;
        for (const auto& row : rows) out += row.line == 0;
        return out;
    }
    /// note("2 of 14 keys have no line and go by their rules, the first is npu.matmul m=8 ..."): what a person should
    /// know; nothing where each key has a line and each line a call.
    void each_note(auto note) const {
        if (const auto missing = without_line(); missing > 0) {
            const auto first =
                std::find_if(rows.begin(), rows.end(), [](const choice_row& row) { return row.line == 0; });
            note(std::to_string(missing) + " of " + std::to_string(rows.size()) +
                 (missing == 1 ? " keys has no line and goes by its rule: "
                               : " keys have no line and go by their rules, the first is ") +
                 first->key);
        }
        if (unused.empty()) return;
        std::string lines;
        for (const auto& line : unused) lines += (lines.empty() ? "" : ", ") + std::to_string(line.number);
        note((unused.size() == 1 ? "a line is of no call: line " : "lines are of no call: ") + lines);
    }
    /// All of them, a line each.
    std::string notes() const {
        std::string out;
        each_note([&](const std::string& note) { out += note + '\n'; });
        return out;
    }
};

namespace detail {

/// Adds the keys of a graph that is lowered without choices and without cuts.
template <class Tools>
void add_choice_rows(std::vector<choice_row>& rows, graph_view from, op_table ops, config options,
                     array_view<const block_needs> blocks) {
    options.choices = {};
    options.cores = 1;
    diagnosis d;
    const auto lowered = lower_on_heap(from, ops, Tools::converters::table, Tools::device_registry::table, options, d,
                                       device_passes_of<Tools>{}, blocks);
    if (!d.ok()) return;
    pass::for_each_choice(lowered.view(), Tools::device_registry::table, d,
                          [&]<class Choosing>(Choosing, const call_view& c, const auto& key) {
                              using op = typename Choosing::op;
                              const std::string text(device::text_of_key<op>(key).view());
                              for (auto& row : rows)
                                  if (row.key == text) return static_cast<void>(++row.calls);
                              auto call = print_call<typename Tools::device_registry>(lowered.view(), c.id());
                              rows.push_back({text, std::move(call), 1, 0, "by_rule"});
                          });
}
template <class Program> void add_choice_rows(std::vector<choice_row>& rows) {
    using front = typename Program::optimized;
    add_choice_rows<typename Program::tools>(rows, Program::optimized_graph(), front::registry::table,
                                             Program::tools::options,
                                             {Program::block_list.data(), Program::block_list.size()});
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        (add_choice_rows<typename Program::template compiled_block<held_by<front>[Nth].index>::program>(rows), ...);
    }(std::make_index_sequence<count_held<front>()>{});
}
inline choice_report report_rows(std::vector<choice_row> rows, std::string_view choices) {
    choice_report out{std::move(rows), {}};
    const device::choice_table all(choices);
    for (auto& row : out.rows)
        if (const auto* line = all.find(row.key); line != nullptr) {
            row.line = line->number;
            row.choice = line->choice;
        }
    for (const auto& line : all.lines()) {
        bool is_used = false;
        for (const auto& row : out.rows) is_used = is_used || row.line == line.number;
        if (!is_used) out.unused.push_back(line);
    }
    return out;
}

} // namespace detail

/// What the choices of its options say of a compiled program.
template <class Program> choice_report report_choices() {
    std::vector<choice_row> rows;
    detail::add_choice_rows<Program>(rows);
    return detail::report_rows(std::move(rows), Program::tools::options.choices);
}

} // namespace ahead
