// SPDX-License-Identifier: MIT
// ahead's contenders: a graph in handles, compiled for this machine, for AHEAD_BENCH_CORES cores; each file of graphs
// is built once for one core and once for two. What it gives on one core is what the others are checked against.
#pragma once
#include <ahead/machine/presets.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>
#include <run/program.hpp>

#include "rows.hpp"

namespace bench {

inline std::vector<named_tensor> weights_of(const row_tensors& t) { return all_of(t.weights); }
inline std::vector<const tensor*> inputs_of(const row_tensors& t) {
    std::vector<const tensor*> all;
    for (const auto& input : t.inputs) all.push_back(&input);
    return all;
}

template <std::int32_t Cores> inline constexpr ::ahead::config cores_options{.cores = Cores};
template <std::int32_t Cores>
using on_cores = ::ahead::toolchain<>::with_device<::ahead::machine::xeon_2core>::with_options<cores_options<Cores>>;

template <const auto& Net, std::int32_t Cores = AHEAD_BENCH_CORES> bool add_ahead(const char* row) {
    using compiled = ::ahead::compiled<Net, on_cores<Cores>>;
    using subject = program<compiled, ::ahead::threaded_session<compiled>>;
    entries().push_back(
        {row, "ahead", Cores, [](const row_tensors& t) { return std::make_unique<contending<subject>>(t); }});
    return true;
}

} // namespace bench
