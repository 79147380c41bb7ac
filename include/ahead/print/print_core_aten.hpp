// SPDX-License-Identifier: MIT
// How each operator of core ATen (aten/core_aten.hpp) runs, as a table of tab-separated values: one line per operator,
// and one with the counts.
//     kernel        it has a converter to device operators
//     view          it reads elements in place: nothing runs
//     number        it returns a number of a type, which its readers take as an attribute: nothing runs
//     decomposed    it becomes operators that have kernels
//     AI CPU        its meaning runs, element by element
//     refused       it is parsed and refused by name: its result is not a tensor of a known size and dtype
//     missing       it is not in the registry
// The status is the best that its calls can have; print_coverage.hpp reports single calls, with their types. At run
// time; nothing is added to the compiled program.
#pragma once
#include <ahead/aten/core_aten.hpp>
#include <ahead/convert/toolchain.hpp>
#include <ahead/print/text_sink.hpp>
#include <algorithm>
#include <string>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

/// Whether an operator has a meaning that the AI CPU runs; by row of the registry.
struct runs_by_meaning {
    template <class Op> static constexpr bool of = says_evaluate<Op> || is_pointwise<Op>;
};
template <class... D> bool is_decomposed(pass::decomposition_list<D...>, [[maybe_unused]] std::string_view name) {
    return (same_name(D::op::name, name) || ...);
}

template <class Tools, class Registry> std::string_view how_it_runs(std::string_view name) {
    const auto id = find_op(Registry::table, name);
    if (!id.exists()) return "missing";
    const auto row = static_cast<std::size_t>(id.index);
    for (const auto& converter : Tools::converters::table)
        if (same_name(converter.op, name)) return "kernel";
    if (Registry::table[row].effect.view_of >= 0) return "view";
    if (Registry::table[row].effect.gives_number) return "number";
    if (Registry::table[row].effect.is_random) return "decomposed"; // into one that takes its random offset
    if (is_decomposed(pass::builtin_decompositions{}, name) || is_decomposed(typename Tools::decompositions{}, name))
        return "decomposed";
    return Registry::template rows_of<runs_by_meaning>[row] ? "AI CPU" : "refused";
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// The table for the converters and decompositions of Tools.
template <class Tools = toolchain<>, class Registry = aten::registry, text_sink Sink> void print_core_aten(Sink& out) {
    std::pair<std::string_view, int> counts[] = {{"kernel", 0}, {"view", 0},    {"number", 0}, {"decomposed", 0},
                                                 {"AI CPU", 0}, {"refused", 0}, {"missing", 0}};
    int all = 0;
    out.append("operator\thow it runs\n");
    for (auto rest = aten::core_operators; !rest.empty();) {
        auto name = "aten." + std::string(rest.substr(0, rest.find(' ')));
        rest.remove_prefix(std::min(rest.size(), name.size() - 4));
        if (name.find('.', 5) == name.npos) name += ".default";
        const auto how = detail::how_it_runs<Tools, Registry>(name);
        ++all;
        for (auto& [known, count] : counts) count += known == how;
        out.append(name);
        out.append("\t");
        out.append(how);
        out.append("\n");
    }
    const auto missing = std::end(counts)[-1].second;
    out.append(std::to_string(all - missing) + " of " + std::to_string(all) + "\t");
    std::string_view between = "";
    for (const auto& [how, count] : counts) {
        if (count == 0) continue;
        out.append(between);
        out.append(std::to_string(count) + " " + std::string(how));
        between = ", ";
    }
    out.append("\n");
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_core_aten;
} // namespace ahead
