// Whether a program whose calls share tasks computes what the calls compute one by one, and what the reference does.
// For the tests of fusing.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"
#include "reference.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/print_passes.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/host_bytes.hpp>

#include <cmath>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr config one_by_one_options{.fuse_activation = false, .fuse_pointwise = false, .fuse_residual = false, .fuse_reductions = false};
using one_by_one = toolchain<>::with_options<one_by_one_options>;

// Every input, parameters too, from a seed; the outputs flat.
template <class Program, class Session = typename Program::session>
std::vector<double> outputs_of(const std::vector<host_tensor>& given) {
    weights parameters;
    std::vector<const host_tensor*> inputs;
    std::size_t next = 0;
    const auto g = Program::captured();
    for (node_id id : g) {
        if (g[id].kind == node_kind::call || g[id].kind == node_kind::output || is_literal(g[id])) continue;
        const auto& t = given[next++];
        if (g[id].role == input_role::user) {
            inputs.push_back(&t);
            continue;
        }
        std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(t.type)) * bytes_of(t.type.type));
        to_bytes(t, bytes);
        const auto sizes = sizes_of(t.type);
        parameters.add(std::string(g[id].weight), t.type.type, {sizes.begin(), sizes.end()}, bytes);
    }
    const auto prepared = Program::prepare(parameters);
    Session run{prepared};
    std::vector<double> out;
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        const auto made = run([&] {
            using type = runtime::tensor_input<static_type<typename Program::template input_port<I>>>;
            std::array<typename type::element, type::extent> elements{};
            for (std::size_t i = 0; i < type::extent; ++i)
                elements[i] = inputs[I]->data.template get<typename type::element>(static_cast<std::int64_t>(i));
            return elements;
        }()...);
        std::apply(
            [&](const auto&... each) {
                const auto add = [&](const auto& output) {
                    using type = std::remove_cvref_t<decltype(output)>;
                    for_each_index(sizes_of(type::type::type), [&](const int_list& at) {
                        out.push_back(static_cast<double>(output.storage().data()[position_of(type::type::type, at)]));
                    });
                };
                (add(each), ...);
            },
            made);
    }
    (std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
    return out;
}

// A device of so many cores whose streams meet at no cost, so that all that can be cut is.
constexpr machine::device where_meeting_is_free(machine::device on, std::int32_t cores) {
    on.cores = cores;
    on.launch = {{0}, {0}, {0}, {0}};
    on.least_gain_permille = 0;
    return on;
}

// How many of the tasks are calls of the operator.
template <class Program> constexpr int tasks_of(std::string_view op) {
    int count = 0;
    for (std::int32_t t = Program::plan.prepare_tasks; t < Program::plan.prepare_tasks + Program::plan.run_tasks; ++t)
        count += Program::lowered_graph()[Program::planned.tasks[static_cast<std::size_t>(t)].node].target == op;
    return count;
}

// Every input of a graph, parameters too.
inline std::vector<host_tensor> random_inputs(graph_view g) {
    std::uint64_t state = 3;
    std::vector<host_tensor> given;
    for (node_id id : g)
        if (g[id].kind != node_kind::call && g[id].kind != node_kind::output && !is_literal(g[id]))
            given.push_back(random_tensor(g.value_of(id).type, state));
    return given;
}

// The program has this many tasks, and computes what the same calls do one by one, and what the reference does.
template <const auto& Net, class Tools = toolchain<>>
void agrees(int run_tasks, int prepare_tasks = 0, const location& where = location::current()) {
    using fused = compiled<Net, Tools>;
    using apart = compiled<Net, one_by_one>;
    check_equal(fused::plan.run_tasks, run_tasks, where);
    check_equal(fused::plan.prepare_tasks, prepare_tasks, where);
    const auto given = random_inputs(fused::captured());
    const auto a = outputs_of<fused>(given), b = outputs_of<apart>(given);
    std::vector<double> wanted;
    for (const auto& t : reference<Net>(given))
        for_each_index(sizes_of(t.type), [&](const int_list& at) { wanted.push_back(t.template get<double>(at)); });
    check(a.size() == b.size() && a.size() == wanted.size(), {}, where);
    bool same = true, right = true;
    for (std::size_t i = 0; i < a.size(); ++i) {
        same = same && std::fabs(a[i] - b[i]) <= 1e-6 * (1 + std::fabs(b[i]));
        right = right && std::fabs(a[i] - wanted[i]) <= 1e-5 + 1e-4 * std::fabs(wanted[i]);
    }
    check(same, "as one by one", where);
    check(right, "as the reference", where);
}

inline constexpr config rows_apart_options{.fuse_reductions = false};
using rows_apart = toolchain<>::with_options<rows_apart_options>;
// To the last bit what the same calls compute apart.
template <const auto& Net, class Apart = rows_apart> void is_exact(const location& where = location::current()) {
    using fused = compiled<Net>;
    using apart = compiled<Net, Apart>;
    check(fused::plan.run_tasks < apart::plan.run_tasks, "fewer tasks", where);
    std::uint64_t state = 11;
    std::vector<host_tensor> given;
    const auto g = fused::captured();
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder) given.push_back(random_tensor(g.value_of(id).type, state));
    check(outputs_of<fused>(given) == outputs_of<apart>(given), "the same bits", where);
}

/// What each pass of the device graph did.
template <const auto& Net, class Tools = toolchain<>> std::string log_of() {
    std::string out;
    print_device_passes<compiled<Net, Tools>>(out);
    return out;
}

} // namespace test
