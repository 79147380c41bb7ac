// SPDX-License-Identifier: MIT
// One program twice: in order on one stream, and spread over two for this machine, each on a thread of its own. A
// generated source per model registers it with main.
#pragma once
#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>
#include <cases/recorded.hpp>

#include <calibrate/placed.hpp>

#include <memory>

namespace bench {

template <std::int32_t Streams> inline constexpr ahead::config spread_here_options{.streams = Streams};
template <std::int32_t Streams>
using spread_here =
    ahead::toolchain<>::with_device<ahead::machine::xeon_2core>::with_options<spread_here_options<Streams>>;

struct streams_row {
    std::int32_t streams = 0; // that the planner took
    double in_order_ns = 0;
    double ratio = 0, predicted = 0; // on threads over in order, by round; by the cost model
};

/// make_one and make_two: each a new subject by unique_ptr, in memory of its own.
template <class One, class Two, class MakeOne, class MakeTwo> streams_row timed(MakeOne make_one, MakeTwo make_two) {
    const schedule plan{.placements = 8, .rounds = 4};
    std::array<blocks, 2> samples;
    for (int i = 0; i < plan.placements; ++i) {
        const auto one = make_one();
        const auto two = make_two();
        time_together(plan, samples, *one, *two);
    }
    return {Two::plan.streams, summary(samples[0]).median_ns, paired_ratio(samples[1], samples[0]),
            Two::plan.makespan.microseconds() / One::plan.makespan.microseconds()};
}

struct named_row {
    std::string name;
    streams_row (*run)();
};
inline std::vector<named_row>& rows() {
    static std::vector<named_row> all;
    return all;
}
struct row_registration {
    row_registration(const char* name, streams_row (*run)()) { rows().push_back({name, run}); }
};

/// Source: the text of the model, as an fx source; folder: where its manifest, weights and inputs lie.
template <class Source> streams_row model_on_two_streams(const char* folder) {
    using one = ahead::compiled_graph<ahead::frontend::fx_graph<Source>, spread_here<1>>;
    using two = ahead::compiled_graph<ahead::frontend::fx_graph<Source>, spread_here<2>>;
    const auto given = cases::read_case(folder, "0");
    const auto make = [&]<class Program>() {
        std::vector<huge_bytes> inputs;
        for (const auto& input : given.inputs) {
            std::vector<std::byte> bytes(static_cast<std::size_t>(ahead::element_count(input.type)) *
                                         ahead::ir::bytes_of(input.type.type));
            ahead::interpreter::to_bytes(input, bytes);
            inputs.emplace_back(bytes.begin(), bytes.end());
        }
        return std::make_unique<Program>(given.parameters, std::move(inputs));
    };
    return timed<one, two>(
        [&] { return make.template operator()<placed_program<one>>(); },
        [&] { return make.template operator()<placed_program<two, ahead::threaded_session<two>>>(); });
}

} // namespace bench
