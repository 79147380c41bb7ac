// SPDX-License-Identifier: MIT
// How a choice file applies to a program: the program's keys that may have several kernels, with the file's line for
// each, and the lines that do not match a call. A key without a line, or a line without a call, is not an error: the
// graph has changed since it was measured, and such keys use the rules. Build ahead_tune again. At run time; nothing is
// added to the compiled program. Called by print_choices.hpp, print/log_compilation.hpp and generate/.
// Invariant: keys are those of whole calls, in their order in the program, each once.
#pragma once
#include <ahead/compile/graph_stages.hpp>
#include <ahead/convert/lower/lower_graph.hpp>
#include <ahead/pass/device/choose_kernels.hpp>
#include <ahead/print/print_key.hpp>
#include <algorithm>
#include <string>
#include <vector>

namespace AHEAD_NAMESPACE::printers {

/// A key that may have several kernels.
struct choice_row {
    std::string key;   // in the form of a choice file
    printed_call call; // the first call with this key, as C++
    bool is_tuned = true; // false: reported only if the file has a line for it
    std::int32_t calls = 0;
    std::int32_t line = 0; // of the file; 0: none
    std::string choice = "by_rule";
};
/// How a choice file applies to a program.
struct choice_report {
    std::vector<choice_row> rows;
    std::vector<device::choice_line> unused; // views of the file's text

    std::int32_t without_line() const {
        std::int32_t out = 0;
        for (const auto& row : rows) out += row.line == 0;
        return out;
    }
    /// Calls note("2 of 14 keys have no line and go by their rules, the first is npu.matmul m=8 ...") for facts that a
    /// user should know; not called if each key has a line and each line a call.
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
    /// All notes, one line each.
    std::string notes() const {
        std::string out;
        each_note([&](const std::string& note) { out += note + '\n'; });
        return out;
    }
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

/// Adds the keys of a graph that is lowered without choices and without cuts.
template <class Tools>
void add_choice_rows(std::vector<choice_row>& rows, graph_view from, op_table ops, config options,
                     array_view<const device::block_needs> blocks) {
    options.choices = {};
    options.kernels = kernel_set::tuned;
    options.cores = 1;
    diagnosis d;
    const auto lowered = convert::lower_on_heap(from, ops, Tools::converters::table, Tools::device_registry::table,
                                                {options, Tools::device}, d, device_passes_of<Tools>{}, blocks);
    if (!d.ok()) return;
    pass::for_each_choice<typename Tools::operators::device_ops>(
        lowered.view(), Tools::device_registry::table, d, [&]<class Op>(const call_view& c, const auto& key) {
            const std::string text(device::text_of_key<Op>(key).view());
            for (auto& row : rows)
                if (row.key == text) return static_cast<void>(++row.calls);
            auto call = print_call<typename Tools::device_registry>(lowered.view(), c.id());
            rows.push_back({text, std::move(call), device::is_tuned(key), 1, 0, "by_rule"});
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
    std::erase_if(out.rows, [](const choice_row& row) { return row.line == 0 && !row.is_tuned; });
    for (const auto& line : all.lines()) {
        bool is_used = false;
        for (const auto& row : out.rows) is_used = is_used || row.line == line.number;
        if (!is_used) out.unused.push_back(line);
    }
    return out;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// How the choices in its options apply to a compiled program.
template <class Program> choice_report report_choices() {
    std::vector<choice_row> rows;
    detail::add_choice_rows<Program>(rows);
    return detail::report_rows(std::move(rows), Program::tools::options.choices);
}

} // namespace ahead::printers
