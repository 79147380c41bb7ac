// SPDX-License-Identifier: MIT
// One model on this machine: how long a run takes, and what the cost model says of it. A generated source per model
// registers it with main.
#pragma once
#if __has_include("this_machine.hpp")
#include "this_machine.hpp"
#else
#include <ahead/machine/xeon_2core.hpp>
inline constexpr const ahead::machine::device& this_machine = ahead::machine::xeon_2core;
#endif
#include <ahead/reference/host_bytes.hpp>
#include <cases/recorded.hpp>

#include "placed.hpp"

namespace bench {

/// A task of a model, timed within whole runs.
struct timed_task {
    std::string op, type;
    double measured_ns = 0, predicted_ns = 0;
};
struct prediction {
    double measured_ns = 0, predicted_ns = 0;
    std::vector<timed_task> tasks;
};

struct named_model {
    std::string name;
    prediction (*run)();
};
inline std::vector<named_model>& models() {
    static std::vector<named_model> all;
    return all;
}

/// Runs task after task and reads the clock in between, which itself takes part of what is measured.
template <class Program> std::vector<double> task_medians(placed_program<Program>& placed) {
    constexpr auto count = static_cast<std::size_t>(Program::plan.run_tasks);
    using clock = std::chrono::steady_clock;
    std::vector<std::vector<double>> times(count);
    double reading = 1e9;
    for (int i = 0; i < 100; ++i) {
        const auto start = clock::now();
        reading = std::min(reading, std::chrono::duration<double, std::nano>(clock::now() - start).count());
    }
    for (int repeat = 0; repeat < 300; ++repeat) {
        [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
            auto last = clock::now();
            const auto one = [&](std::size_t i) {
                const auto now = clock::now();
                times[i].push_back(std::chrono::duration<double, std::nano>(now - last).count() - reading);
                last = clock::now();
            };
            ((placed.template run_task<I>(), one(static_cast<std::size_t>(I))), ...);
        }(std::make_integer_sequence<std::int32_t, Program::plan.run_tasks>{});
    }
    std::vector<double> medians;
    for (auto& t : times) medians.push_back(median(t));
    return medians;
}

/// Source: the text of the model, as an fx source; folder: where its manifest, weights and inputs lie.
template <class Source> prediction predicted(const char* folder) {
    using program = ahead::compiled_graph<ahead::frontend::fx_graph<Source>>;
    using timing = ahead::timing<program, this_machine>;
    const auto given = cases::read_case(folder, "0");
    prediction out;
    out.predicted_ns = timing::makespan.microseconds() * 1000;
    std::vector<double> placements;
    std::vector<double> tasks;
    for (int i = 0; i < 3; ++i) {
        std::vector<huge_bytes> inputs;
        for (const auto& input : given.inputs) {
            std::vector<std::byte> bytes(static_cast<std::size_t>(ahead::element_count(input.type)) *
                                         ahead::ir::bytes_of(input.type.type));
            ahead::interpreter::to_bytes(input, bytes);
            inputs.emplace_back(bytes.begin(), bytes.end());
        }
        placed_program<program> placed(given.parameters, std::move(inputs));
        placements.push_back(nanoseconds_of(placed));
        if (i == 0) tasks = task_medians(placed);
    }
    out.measured_ns = *std::min_element(placements.begin(), placements.end());
    const auto g = program::lowered_graph();
    for (const auto& row : timing::timeline) {
        const auto& n = g[program::plan_view().tasks[static_cast<std::size_t>(row.task)].node];
        out.tasks.push_back({std::string(n.target), std::string(print(g[n.values[0]].type).view()),
                             tasks[out.tasks.size()], (row.end - row.start).microseconds() * 1000});
    }
    return out;
}

struct model_registration {
    model_registration(const char* name, prediction (*run)()) { models().push_back({name, run}); }
};

} // namespace bench
