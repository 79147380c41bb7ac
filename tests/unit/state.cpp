// SPDX-License-Identifier: MIT
// Weights that the graph writes: each session has its own value of them, which begins as the weights' one, goes from run to run, and can be put back.
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/aten/equivalent.hpp>
#include <ahead/io/plan_table.hpp>
#include <ahead/io/print_inplace.hpp>
#include <ahead/plan/check.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

using namespace ahead;
using namespace test;

namespace {
std::atomic<long> allocations{0};
}
void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* p = std::malloc(bytes)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using row = std::array<float, 3>;

template <class F> void check_fault(F&& f, fault expected, location where = location::current()) {
    try {
        f();
        check(false, "threw nothing", where);
    } catch (const error& e) {
        check(e.what_happened.what == expected, e.what(), where);
    }
}
template <class T, std::size_t Size> void add(weights& to, std::string_view name, dtype type, std::vector<std::int64_t> sizes, const std::array<T, Size>& values) {
    to.add(std::string(name), type, std::move(sizes), std::as_bytes(std::span(values)));
}

// ---- the three spellings of a signature

struct counter {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_counter: "i64[]", x: "f32[3]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(b_counter, 1);  b_counter = None
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, add);  x = None
            return (add, mul)

Graph signature: 
    # inputs
    b_counter: BUFFER target='counter' persistent=True
    x: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='counter'
    mul: USER_OUTPUT

Range constraints: {}
)fx";
};
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
struct counter_in_code { // the module of an exported program, printed as a graph
    static constexpr std::string_view text = R"fx(graph():
    %counter : [num_users=2] = get_attr[target=counter]
    %x : [num_users=1] = placeholder[target=x]
    %add : [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%counter, 1), kwargs = {})
    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %add), kwargs = {})
    %copy__default : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%counter, %add), kwargs = {})
    return (mul,))fx";
    static constexpr fx_input inputs[] = {{.placeholder = "counter", .type = "i64[]"}, {.placeholder = "x", .type = "f32[3]"}};
};
weights one_counter(std::int64_t from) {
    weights out;
    add(out, "counter", dtype::i64, {}, std::array{from});
    return out;
}
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

} // namespace

int main() {
    signatures();
    return report();
}
