// SPDX-License-Identifier: MIT
// The inputs and outputs of a program as log lines in TorchAir's format: "compiler inputs" for the program, "runtime
// inputs" for a call. Lines have the types of tensors; print_tensor.hpp prints their elements.
// Invariant: if the level is off, a call does not allocate anything for its lines, and is otherwise made identically.
// Called by users.
#pragma once
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/print/log.hpp>
#include <ahead/print/print_tensor.hpp>
#include <ahead/runtime/checked_inputs.hpp>
#include <functional>

namespace AHEAD_NAMESPACE::detail {

inline std::vector<std::int64_t> listed_sizes(const tensor_type& t) {
    std::vector<std::int64_t> sizes;
    for (int d = 0; d < t.rank; ++d) sizes.push_back(t.size(d));
    return sizes;
}
/// "FakeTensor(..., device='npu:0', size=(2, 3), dtype=torch.int64)"
inline std::string print_fake(const tensor_type& t) {
    auto out = "FakeTensor(..., device='npu:0', size=" + tensor_printer::print_sizes(listed_sizes(t));
    if (t.type != dtype::f32) out += ", dtype=" + std::string(facts_of(t.type).torch);
    return out + ")";
}
/// "<class 'torch.Tensor'>(torch.Size([2, 3]), torch.float32, contiguous=True)"
inline std::string summarise(const tensor_type& t) {
    std::string out = "<class 'torch.Tensor'>(torch.Size([";
    for (int d = 0; d < t.rank; ++d) out += (d > 0 ? ", " : "") + std::to_string(t.size(d));
    return out + "]), " + std::string(facts_of(t.type).torch) +
           ", contiguous=" + (is_contiguous(t) ? "True)" : "False)");
}
template <class Type> std::string summary_of(const runtime::tensor_elements<Type>&) { return summarise(Type::type); }
inline std::string summary_of(bool value) { return value ? "<class 'bool'>(True)" : "<class 'bool'>(False)"; }
template <std::integral T> std::string summary_of(T given) { return "<class 'int'>(" + std::to_string(given) + ")"; }
/// Arrays, spans and vectors that a session takes.
template <class Given>
    requires(
        requires(const Given& given) { std::data(given); } && !requires { Given::type::type.rank; })
std::string summary_of(const Given&) {
    return std::string(describe_input<Given>().view());
}

template <class T> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;

template <class... All>
void log_summaries(const log_writer& log, const char* title, const char* what, const std::source_location& where,
                   const All&... all) {
    log.write(log_level::debug, title, where);
    std::size_t i = 0;
    (log.write(log_level::debug, std::string(what) + std::to_string(i++) + ": " + summary_of(all), where), ...);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Writes the inputs of a program, in the order of its graph, with the role of each and whether a run writes it, and
/// its outputs:
///     [INFO] ... compiler inputs
///     [INFO] ...   input 0: x, FakeTensor(..., device='npu:0', size=(2, 2)), user
///     [INFO] ...   input 1: w, FakeTensor(..., device='npu:0', size=(2, 2)), parameter layer.weight, mutated
///     [INFO] ...   graph: graph():             and every line of it
///     [INFO] ... compiler outputs
///     [INFO] ...   output 0: add, FakeTensor(..., device='npu:0', size=(2, 2))
template <class Program>
    requires requires { typename Program::imported; }
void log_inputs(const log_writer& log, const std::source_location& where = std::source_location::current()) {
    if (!log.is_on(log_level::info)) return;
    const graph_view g = Program::imported::storage.view(); // where a write is a result
    const auto is_mutated = [&](node_id input) {
        bool found = false;
        for_each_operand(g, g[g.last()].arguments, [&](const argument& a) { found = found || a.writes == input; });
        return found;
    };
    const auto tell = [&](const std::string& message) { log.write(log_level::info, message, where); };

    tell("compiler inputs");
    int i = 0;
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind != node_kind::placeholder) continue;
        auto line = "  input " + std::to_string(i++) + ": " + std::string(print(n.name).view()) + ", " +
                    detail::print_fake(g.value_of(id).type) + ", " +
                    std::string(role_names[static_cast<std::size_t>(n.role)]);
        if (!n.weight.empty()) line += " " + std::string(n.weight);
        tell(line + (is_mutated(id) ? ", mutated" : ""));
    }
    std::string text;
    print_fx(Program::captured(), listing_style(), text);
    for (std::string_view left = text, before = "  graph: "; !left.empty(); before = "  ") {
        const auto end = std::min(left.find('\n'), left.size());
        if (end > 0) tell(std::string(before) + std::string(left.substr(0, end)));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    tell("compiler outputs");
    i = 0;
    for_each_operand(g, g[g.last()].arguments, [&](const argument& a) {
        if (a.writes.exists()) return;
        tell("  output " + std::to_string(i++) + ": " + std::string(print(g[a.node()].name).view()) + ", " +
             detail::print_fake(g.value_of(a).type));
    });
}

/// Returns f(given...); f is npu::compiled_graphs, a session, or anything else that takes tensors:
///     auto y = logged_call(log, net, x, 3);
///     [DEBUG] ... runtime inputs
///     [DEBUG] ...   input 0: <class 'torch.Tensor'>(torch.Size([2, 2]), torch.float32, contiguous=True)
///     [DEBUG] ...   input 1: <class 'int'>(3)
///     [DEBUG] ... runtime outputs
///     [DEBUG] ...   output 0: <class 'torch.Tensor'>(torch.Size([2, 2]), torch.float32, contiguous=True)
/// Throws all that the call throws, after the lines of its inputs, and all that writing throws.
template <class F, class... Given> auto logged_call(const log_writer& log, F&& f, Given&&... given) {
    const auto where = std::source_location::current();
    if (!log.is_on(log_level::debug)) return std::invoke(f, std::forward<Given>(given)...);
    detail::log_summaries(log, "runtime inputs", "  input ", where, given...);
    auto results = std::invoke(f, std::forward<Given>(given)...);
    const auto tell = [&](const auto&... all) {
        detail::log_summaries(log, "runtime outputs", "  output ", where, all...);
    };
    if constexpr (detail::is_tuple<decltype(results)>) std::apply(tell, results);
    else tell(results);
    return results;
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::log_inputs;
} // namespace ahead
