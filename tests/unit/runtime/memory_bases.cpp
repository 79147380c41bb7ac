// SPDX-License-Identifier: MIT
// Memory in the user's hands: what a program says it needs, and sessions that move to other memory between runs: the same bits, states kept, nothing
// allocated; and every refusal, after which nothing has changed.
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>

#include <cstdlib>
#include <new>
#include <optional>

using namespace ahead;
using namespace test;

namespace {

inline constexpr auto net = trace([](input<"x", f32<2, 4>> x, param<"w", f32<4, 4>> w, param<"sum", f32<2, 4>, input_role::buffer> sum) {
    auto next = copy_(sum, add(sum, sigmoid(mm(x, w))));
    return outputs(softmax<1>(mm(next, w)));
});
using program = compiled<net>;
using session = program::session;

// What the plan says, in the field's words.
static_assert(program::summary.const_memory_bytes == static_cast<std::int64_t>(prepared_weights<program>::bytes));
static_assert(program::summary.feature_memory_bytes == static_cast<std::int64_t>(session::bytes));
static_assert(program::summary.fixed_feature_memory_bytes == program::plan.state_bytes && program::plan.state_bytes > 0);
static_assert(program::summary.workspace_bytes == program::plan.workspace_bytes && program::summary.is_feature_memory_refreshable);
static_assert(program::summary.alignment == 64 && program::summary.streams == 1 && program::summary.events == 0);

inline constexpr auto two_products = trace([](input<"x", f32<4, 4>> x) { return outputs(mm(x, x), mm(x, abs(x))); });
inline constexpr config two_streams_options{.streams = 2};
using two_streams = toolchain<>::with_options<two_streams_options>;
using streamed = compiled<two_products, two_streams>;
static_assert(streamed::summary.streams == streamed::plan.streams && streamed::summary.events == streamed::plan.events);
static_assert(compile::summarize({.peak_bytes = 640, .state_bytes = 64, .constant_bytes = 128, .workspace_bytes = 256}, machine::npu) ==
              compile::graph_summary{128, 704, 64, 256, 64, true, 1, 0});
static_assert(compile::summarize({.streams = 3, .events = 2}, machine::npu) == compile::graph_summary{0, 0, 0, 0, 64, true, 3, 2});

using rows = std::array<float, 8>;
constexpr rows x{0.5f, -1, 2, 0.25f, 1, 1, -3, 0}, began{1, 2, 3, 4, 5, 6, 7, 8};

weights stored() {
    weights out;
    std::array<float, 16> w{};
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 5) * 0.3f - 0.5f;
    out.add("w", dtype::f32, {4, 4}, std::as_bytes(std::span(w)));
    out.add("sum", dtype::f32, {2, 4}, std::as_bytes(std::span(began)));
    return out;
}

struct memories {
    alignas(64) std::array<std::byte, session::bytes + 64> feature;
    alignas(64) std::array<std::byte, prepared_weights<program>::bytes + 64> constants;
};

rows ran(session& run) { return std::get<0>(run(x)).copy(); }
template <std::size_t Size>
bool is_in(const void* p, const std::array<std::byte, Size>& memory) {
    return p >= memory.data() && p < memory.data() + memory.size();
}

void moves_and_keeps_its_states() {
    const auto prepared = program::prepare(stored());
    session stays{prepared}, moves{prepared};
    static memories there[2];
    for (auto& m : there) m.feature.fill(std::byte{0xff}); // nobody may rely on zeros
    check(ran(stays) == ran(moves));
    const auto before = allocations.load();
    for (int i = 0; i < 6; ++i) {
        auto& to = there[i % 2];
        moves.update_feature_memory_base(to.feature);
        {
            const auto [y] = moves(x);
            check(is_in(y.data(), to.feature) && y.copy() == ran(stays));
        }
        check(is_in(moves.state<"sum">().data(), to.feature) && moves.state<"sum">().copy() == stays.state<"sum">().copy());
        there[(i + 1) % 2].feature.fill(std::byte{0xff}); // the old memory is the caller's again
        check(ran(stays) == ran(moves));
    }
    // By a few bytes, into memory that it is in already.
    moves.update_feature_memory_base(there[1].feature);
    moves.update_feature_memory_base(std::span(there[1].feature).subspan(64));
    check(ran(stays) == ran(moves));
    check(allocations.load() == before);
}

void brings_its_constants() {
    std::optional<prepared_weights<program>> prepared(std::in_place, stored());
    static memories there;
    session stays{*prepared}, moves{*prepared};
    check(ran(stays) == ran(moves));
    const auto before = allocations.load();
    moves.set_const_memory_base(there.constants);
    check(ran(stays) == ran(moves));
    const auto kept = stays.state<"sum">().copy();
    const auto expected = ran(stays);
    check(allocations.load() == before);
    stays.reset();
    const auto first = ran(stays);
    std::memset(const_cast<std::byte*>(prepared->constants()), 0xff, prepared_weights<program>::bytes);
    prepared.reset();
    check(moves.state<"sum">().copy() == kept);
    check(ran(moves) == expected);
    moves.reset(); // a state begins as the constants that the session reads now
    check(ran(moves) == first);
}

void refuses_and_changes_nothing() {
    alignas(64) static std::array<std::byte, prepared_weights<program>::bytes> constants;
    const auto source = stored();
    const prepared_weights<program> prepared(source, constants);
    static memories here, there;
    session stays{prepared}, run{prepared, here.feature};
    check(ran(stays) == ran(run));
    const auto feature = [&](std::span<std::byte> given) { return [&run, given] { run.update_feature_memory_base(given); }; };
    const auto consts = [&](std::span<std::byte> given) { return [&run, given] { run.set_const_memory_base(given); }; };
    const auto same = [&](location where = location::current()) {
        check(ran(stays) == ran(run) && stays.state<"sum">().copy() == run.state<"sum">().copy(), {}, where);
        check(is_in(std::get<0>(run(x)).data(), here.feature), {}, where);
        ran(stays);
    };
    std::span<std::byte> f = there.feature, c = there.constants;
    {
        const auto held = run(x);
        ran(stays);
        check_fault(feature(f), fault::output_is_still_held);
        check_fault(consts(c), fault::output_is_still_held);
    }
    {
        const auto held = run.state<"sum">();
        check_fault(feature(f), fault::output_is_still_held);
    }
    same();
    check_fault(feature(f.first(session::bytes - 1)), fault::memory_is_too_small, std::to_string(session::bytes));
    check_fault(consts(c.first(constants.size() - 1)), fault::memory_is_too_small);
    check_fault(feature({}), fault::memory_is_too_small);
    same();
    check_fault(feature(f.subspan(4)), fault::memory_is_misaligned);
    check_fault(consts(c.subspan(32)), fault::memory_is_misaligned);
    same();
    // fault: memory_is_in_use
    alignas(64) static std::array<std::byte, 2 * (session::bytes + prepared_weights<program>::bytes)> both;
    std::span<std::byte> all = both;
    run.set_const_memory_base(all.subspan(64));
    same();
    check_fault(feature(all), fault::memory_is_in_use, "the constants");
    check_fault(feature(all.subspan(constants.size())), fault::memory_is_in_use, "the constants");
    check_fault(consts(all.subspan(64)), fault::memory_is_in_use, "the constants");
    check_fault(consts(all), fault::memory_is_in_use);
    check_fault(consts(here.feature), fault::memory_is_in_use, "set_const_memory_base");
    same();
    run.update_feature_memory_base(all.subspan(64 + constants.size())); // right behind them
    check(ran(stays) == ran(run));
    check_fault(consts(all.subspan(64 + constants.size() + session::bytes - 64)), fault::memory_is_in_use, "what the session runs in");
    check(ran(stays) == ran(run));
}

// Two sessions in the same bytes would write over what the other one's outputs and states are.
void one_session_in_one_memory() {
    const auto prepared = program::prepare(stored());
    alignas(64) static std::array<std::byte, 2 * session::bytes + 128> both;
    const std::span<std::byte> all = both, behind = all.subspan((session::bytes + 63) / 64 * 64);
    diagnosis d;
    std::optional<session> first(std::in_place, prepared, all), second(std::in_place, prepared, behind);
    check(ran(*first) == ran(*second));
    check_fault([&] { session(prepared, all); }, fault::memory_is_in_use, "memory that no other living session runs in");
    check_fault([&] { session(prepared, all.subspan(64)); }, fault::memory_is_in_use, std::to_string(session::bytes) + " bytes are another one's");
    check(!session::fits(behind, d));
    check_fault(d, {fault::memory_is_in_use});
    check_fault([&] { first->update_feature_memory_base(behind); }, fault::memory_is_in_use);
    const auto before = ran(*second);
    check(ran(*first) == before, "what was refused has changed nothing");
    // Memory is free again where its session ends, or goes.
    second.reset();
    check(session::fits(behind, d = {}));
    first->update_feature_memory_base(behind);
    second.emplace(prepared, all);
    check(!session::fits(all, d) && !session::fits(behind, d));
    ran(*second), ran(*second);
    check(ran(*first) == ran(*second));
}

// Of a program without constants and states.
void moves_what_is_small() {
    static_assert(streamed::summary.fixed_feature_memory_bytes == 0);
    const auto prepared = streamed::prepare();
    streamed::session run{prepared};
    std::array<float, 16> a{};
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i) - 7;
    const auto before = std::get<1>(run(a)).copy();
    alignas(64) static std::array<std::byte, streamed::session::bytes> there;
    run.update_feature_memory_base(there);
    run.set_const_memory_base({});
    check(std::get<1>(run(a)).copy() == before);
}

} // namespace

int main() {
    moves_and_keeps_its_states();
    brings_its_constants();
    refuses_and_changes_nothing();
    one_session_in_one_memory();
    moves_what_is_small();
    return report();
}
