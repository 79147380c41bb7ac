// Weights, memory, inputs and indices that are refused without an exception: the same with exceptions (tests/unit/runtime/results.cpp) and without them.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/ahead.hpp>
#include <ahead/runtime/profile.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

#include <string>
#include <vector>

using namespace ahead;

/// Rows of a table, by a kernel, beside a sum, and rows of these, by the AI CPU: both refuse indices.
inline constexpr auto rows_of = trace([](input<"i", i64<2>> i, input<"k", i64<1>> k, param<"table", f32<3, 2>> table) {
    auto rows = call<aten::embedding>(call_site::current(), table, i);
    return outputs(call<aten::index_select>(call_site::current(), rows, integer<0>{}, k), sum<0, 1>(table));
});
using lookup = compiled<rows_of>;
inline constexpr config on_two_options{.streams = 2};
using on_two = toolchain<>::with_options<on_two_options>;
using spread_lookup = compiled<rows_of, on_two>;
/// A kernel of prepare that refuses: it depends on the weights alone.
inline constexpr auto rows_of_weights = trace([](input<"x", f32<2, 2>> x, param<"i", i64<2>> i, param<"table", f32<3, 2>> table) {
    return outputs(add(x, call<aten::embedding>(call_site::current(), table, i)));
});
using folded = compiled<rows_of_weights>;

inline weights table_weights() {
    static constexpr std::array<float, 6> values{0, 1, 10, 11, 20, 21};
    weights out;
    diagnosis d;
    out.add("table", dtype::f32, {3, 2}, std::as_bytes(std::span(values)), d);
    return out;
}
inline weights with_indices(std::int64_t second) {
    const std::array<std::int64_t, 2> indices{1, second};
    auto out = table_weights();
    diagnosis d;
    out.add("i", dtype::i64, {2}, std::as_bytes(std::span(indices)), d);
    return out;
}

using one_index = std::array<std::int64_t, 1>;
using two_indices = std::array<std::int64_t, 2>;

/// Good calls, then bad ones, then good ones again.
template <class Session, class Weights> std::string failure_of(const Weights& weights) {
    Session run{weights};
    const auto is_right = [&] {
        auto out = run.try_run(two_indices{2, 1}, one_index{1});
        return out.ok() && std::get<0>(*out)(0, 0) == 10 && std::get<0>(*out)(0, 1) == 11 && out.why().ok();
    };
    const auto refused_by = [&](fault what, std::string_view words, const auto& i, const auto& k) {
        const auto out = run.try_run(i, k);
        return !out && out.why().what == what && render(out.why()).find(words) != std::string::npos;
    };
    if (!is_right()) return "a good call";
    if (!refused_by(fault::element_counts_differ, "found 3", std::vector<std::int64_t>(3), one_index{})) return "a vector of another size";
    if (!refused_by(fault::index_is_out_of_range, "aten.embedding.default", two_indices{0, 3}, one_index{})) return "an index out of range in a kernel";
    if (!refused_by(fault::index_is_out_of_range, "aten.index_select.default", two_indices{}, one_index{2})) return "an index out of range on the AI CPU";
    {
        const auto held = run.try_run(two_indices{}, one_index{});
        if (!held || !refused_by(fault::output_is_still_held, "2 of them", two_indices{}, one_index{})) return "an output that is held";
        diagnosis d;
        if (run.reset(d) || d.what != fault::output_is_still_held) return "a reset while an output is held";
    }
    return is_right() ? "" : "a good call behind bad ones";
}

inline std::string first_failure() {
    const auto prepared = lookup::try_prepare(table_weights());
    if (!prepared) return render(prepared.why());
    if (auto failed = failure_of<lookup::session>(*prepared); !failed.empty()) return failed;
    if (auto failed = failure_of<profiled_session<lookup>>(*prepared); !failed.empty()) return failed + ", profiled";
    const auto spread = spread_lookup::try_prepare(table_weights());
    if (!spread) return render(spread.why());
    if (auto failed = failure_of<threaded_session<spread_lookup>>(*spread); !failed.empty()) return failed + ", on threads";

    // Weights.
    if (const auto out = lookup::try_prepare(); out || out.why().what != fault::weight_is_missing) return "no weights";
    if (!folded::try_prepare(with_indices(2))) return "good indices among the weights";
    if (const auto out = folded::try_prepare(with_indices(3)); out || out.why().what != fault::index_is_out_of_range) return "a bad index among the weights";
    weights twice = table_weights();
    if (diagnosis d; twice.merge(table_weights(), d) || d.what != fault::weight_is_defined_twice) return "a weight twice";

    // The caller's memory.
    alignas(64) static std::byte memory[4096];
    const auto too_small = lookup::try_prepare(table_weights(), std::span(memory).first(1));
    if (too_small || too_small.why().what != fault::memory_is_too_small) return "memory that is too small";
    if (diagnosis d; lookup::session::fits(std::span(memory).subspan(4), d) || d.what != fault::memory_is_misaligned) return "memory that is misaligned";
    if (diagnosis d; !lookup::session::fits(memory, d)) return render(d);
    lookup::session run(*prepared, memory);
    const std::span<const std::int64_t, 2> inside(reinterpret_cast<const std::int64_t*>(memory), 2);
    if (const auto out = run.try_run(inside, one_index{}); out || out.why().what != fault::memory_is_in_use) return "an input in the session's memory";
    if (diagnosis d; run.update_feature_memory_base(std::span(memory).first(1), d) || d.what != fault::memory_is_too_small) return "a move to too little memory";
    return run.try_run(two_indices{}, one_index{}) ? "" : "a good call behind bad memory";
}
