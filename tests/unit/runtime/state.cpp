// Weights that the graph writes: each session has its own value of them, which begins as the weights' one, goes from
// run to run, and can be put back.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"
#include "states.hpp"

#include <ahead/ahead.hpp>
#include <ahead/plan/check.hpp>

using namespace ahead;
using namespace test;

namespace {

// ---- the spellings of a signature

struct counter_in_specs {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_counter: "i64[]", x: "f32[3]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(b_counter, 1);  b_counter = None
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, add);  x = None
            return (add, mul)

Graph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.BUFFER: 3>, arg=TensorArgument(name='b_counter'), target='counter', persistent=True), InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None, persistent=None)], output_specs=[OutputSpec(kind=<OutputKind.BUFFER_MUTATION: 3>, arg=TensorArgument(name='add'), target='counter'), OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='mul'), target=None)])
Range constraints: {}
)fx";
};
struct counter_in_fields {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, arg0_1: i64[], arg1_1: f32[3]):
            add: i64[] = torch.ops.aten.add.Tensor(arg0_1, 1);
            mul: f32[3] = torch.ops.aten.mul.Tensor(arg1_1, add);
            return (add, mul)

    Graph signature: ExportGraphSignature(
        parameters=[],
        buffers=['counter'],
        user_inputs=['arg1_1'],
        user_outputs=['mul'],
        inputs_to_parameters={},
        inputs_to_buffers={'arg0_1': 'counter'},
        buffers_to_mutate={'add': 'counter'},
    )
    Range constraints: {}
    Equality constraints: []
)fx";
};

template <class Source> void counts(location where = location::current()) {
    using program = compiled<fx<Source>>;
    static_assert(program::plan.inputs == 1 && program::plan.parameters == 1 && program::output_count == 1 && !program::template input_port<0>::is_mutated);
    static_assert(program::plan.states == 1 && program::plan.states_written_in_place == 1 && program::plan.state_bytes == 64);
    static_assert(program::session::bytes == program::plan.peak_bytes + 64 && program::plan.inputs_written == 0);
    const auto prepared = program::prepare(one_counter(5));
    const std::vector<std::byte> before(prepared.constants(), prepared.constants() + program::plan.constant_bytes);
    typename program::session run{prepared}, other{prepared};
    check(run.template state<"counter">()() == 5, "before the first run", where);
    for (float i = 6; i < 9; ++i) check(std::get<0>(run(row{1, 2, 3})).copy() == row{i, 2 * i, 3 * i}, "a run", where);
    check(std::get<0>(other(row{1, 2, 3})).copy() == row{6, 12, 18} && other.template state<"counter">()() == 6, "another session", where);
    check(run.template state<"counter">()() == 8, "after three runs", where);
    run.reset();
    check(run.template state<"counter">()() == 5, "reset", where);
    check(std::get<0>(run(row{1, 0, 0}))(0) == 6, "a run after it", where);
    check(std::equal(before.begin(), before.end(), prepared.constants()), "the weights are as they were", where);
}
void signatures() {
    counts<counter>();
    counts<counter_in_specs>();
    counts<counter_in_fields>();
    counts<counter_in_code>();
}

// ---- in C++

inline constexpr auto counting = trace([](input<"x", f32<3>> x, param<"counter", i64<>, input_role::buffer> counter, param<"w", f32<3>> w,
                                          param<"mean", f32<3>, input_role::buffer> mean, input<"seen", f32<2, 3>> seen) {
    auto old = mul(mean, 0.5);
    auto next = copy_(mean, add(old, mul(x, 0.5)));
    copy_(counter, add(counter, 1));
    copy_(seen, x);
    return outputs(mul(mul(sub(x, mean), w), counter), next); // the new ones
});
void handles() {
    using program = compiled<counting>;
    static_assert(program::plan.states == 2 && program::plan.inputs == 2 && program::input_port<1>::is_mutated && !program::input_port<0>::is_mutated);
    weights stored;
    add_weight(stored, "w", dtype::f32, {3}, row{1, 2, 3});
    add_weight(stored, "counter", dtype::i64, {}, std::array<std::int64_t, 1>{4});
    add_weight(stored, "mean", dtype::f32, {3}, row{2, 2, 2});
    const auto prepared = program::prepare(stored);
    program::session run{prepared};
    std::array<float, 6> seen{};
    {
        const auto [y, next] = run(row{4, 6, 8}, seen);
        check(next.copy() == row{3, 4, 5} && y.copy() == row{5, 20, 45} && seen == std::array<float, 6>{4, 6, 8, 4, 6, 8});
    }
    check(run.state<"counter">()() == 5 && run.state<"mean">().copy() == row{3, 4, 5});
    check(std::get<0>(run(row{3, 4, 5}, seen)).copy() == row{});
    check(run.state<"counter">()() == 6);
    run.reset();
    check(run.state<"counter">()() == 4 && run.state<"mean">()(2) == 2);
}

// ---- sessions

void nothing_is_allocated() {
    using program = compiled<fx<cache_by_index>>;
    weights stored;
    add_weight(stored, "cache", dtype::f32, {8, 4}, std::array<float, 32>{});
    alignas(runtime::memory_alignment) static std::array<std::byte, program::session::bytes> memory;
    const auto prepared = program::prepare(stored);
    const auto before = allocations.load();
    program::session run{prepared, memory};
    for (float i = 1; i < 4; ++i) {
        run(std::array<float, 8>{i, i, i, i, -i, -i, -i, -i}, std::array<std::int64_t, 2>{static_cast<std::int64_t>(i), 7}, std::array<float, 8>{});
        const auto cache = run.state<"cache">();
        check(cache(0, 0) == 0 && cache(static_cast<int>(i), 3) == i && cache(7, 0) == -i);
    }
    run.reset();
    check(run.state<"cache">()(7, 0) == 0 && run.state<"cache">()(1, 0) == 0);
    check_equal(allocations.load(), before);
    // fault: memory_is_too_small
    check_fault([&] { program::session(prepared, std::span(memory).first<program::session::bytes - 1>()); }, fault::memory_is_too_small);
    check_fault([&] { program::session(prepared, std::span(memory).first(static_cast<std::size_t>(program::plan.peak_bytes))); }, fault::memory_is_too_small);
}
// fault: output_is_still_held
void a_state_is_leased() {
    using program = compiled<fx<counter>>;
    const auto prepared = program::prepare(one_counter(1));
    program::session run{prepared};
    {
        const auto held = run.state<"counter">();
        check_fault([&] { run(row{}); }, fault::output_is_still_held);
        check_fault([&] { run.reset(); }, fault::output_is_still_held);
        check(held() == 1);
    }
    {
        const auto [held] = run(row{1, 1, 1});
        check_fault([&] { run.reset(); }, fault::output_is_still_held);
        check(run.state<"counter">()() == 2 && held(0) == 2);
    }
    run.reset();
    check_fault([] { compiled<fx<counter>>::prepare(weights{}); }, fault::weight_is_missing);
}

void states_are_memory() {
    using program = compiled<fx<counter>>;
    static_assert(detail::footprint_of(program::plan_view()).arena == program::plan.peak_bytes + program::plan.state_bytes + 12); // and x
    plan_summary sum;
    sum.state_bytes = machine::npu.memory_bytes();
    diagnosis d;
    check(check_limits(sum, machine::npu, d));
    sum.peak_bytes = 64;
    check(!check_limits(sum, machine::npu, d));
    check_fault(d, {fault::device_memory_is_exceeded});
}

} // namespace

int main() {
    signatures();
    handles();
    nothing_is_allocated();
    a_state_is_leased();
    states_are_memory();
    return report();
}
