// SPDX-License-Identifier: MIT
// Weights that the graph writes: each session has its own value of them, which begins as the weights' one, goes from run to run, and can be put back.
#include "counted_allocations.hpp"
#include "check_fault.hpp"
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/print/plan_table.hpp>
#include <ahead/print/print_inplace.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/host_bytes.hpp>

#include <memory>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 3>;

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

// ---- graphs, each run three times on the device and by the reference, with other inputs every time

/// Element i of a tensor in raw bytes.
double element(const std::byte* bytes, dtype type, std::int64_t i) {
    const auto read = [&](auto v) {
        std::memcpy(&v, bytes + i * static_cast<std::int64_t>(sizeof v), sizeof v);
        return static_cast<double>(v);
    };
    return type == dtype::f32 ? read(float{}) : type == dtype::f64 ? read(double{}) : type == dtype::i32 ? read(std::int32_t{}) : type == dtype::b8 ? read(char{}) : read(std::int64_t{});
}
bool same_elements(const std::byte* bytes, const host_tensor& wanted) {
    bool same = true;
    for (std::int64_t i = 0; i < wanted.data.size(); ++i) same = same && is_close(element(bytes, wanted.type.type, i), wanted.data.get<double>(i));
    return same;
}
std::vector<std::byte> bytes_of_tensor(const host_tensor& t) {
    std::vector<std::byte> out(static_cast<std::size_t>(t.data.size()) * bytes_of(t.type.type));
    to_bytes(t, out);
    return out;
}

template <class Program> struct with_inputs {
    template <std::int32_t... I> static auto run(typename Program::session& session, std::vector<std::vector<std::byte>>& bytes, std::integer_sequence<std::int32_t, I...>) {
        return session(of<I>(bytes)...);
    }
    template <std::int32_t I> static auto of(std::vector<std::vector<std::byte>>& bytes) {
        using type = tensor_input<static_type<typename Program::template input_port<I>>>;
        using element = std::conditional_t<Program::template input_port<I>::is_mutated, typename type::element, const typename type::element>;
        return std::span<element, type::extent>(reinterpret_cast<element*>(bytes[I].data()), type::extent);
    }
};

template <class Source, class Tools = toolchain<>>
void carries_like_reference(std::int32_t states, std::int32_t in_place, location where = location::current()) {
    using program = compiled<fx<Source>, Tools>;
    check_equal(program::plan.states, states, where);
    check_equal(program::plan.states_written_in_place, in_place, where);
    const auto g = program::imported::storage.view();
    std::vector<node_id> placeholders, into; // what each of the reference's results is the new value of
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder || g[id].kind == node_kind::get_attr) placeholders.push_back(id);
    for_each_operand(g, g[g.last()].arguments, [&](const argument& a) {
        into.push_back(a.writes);
    });
    std::uint64_t seed = 11;
    std::vector<host_tensor> given;
    weights stored;
    for (node_id id : placeholders) {
        given.push_back(random_tensor(g.value_of(id).type, seed));
        const auto sizes = sizes_of(given.back().type);
        if (is_weight(g[id])) stored.add(std::string(g[id].weight), given.back().type.type, {sizes.begin(), sizes.end()}, bytes_of_tensor(given.back()));
    }
    const auto prepared = program::prepare(stored);
    const auto as_prepared = std::vector<std::byte>(prepared.constants(), prepared.constants() + program::plan.constant_bytes);
    std::vector<std::byte> memory(program::session::bytes + memory_alignment, std::byte{0xff}); // nobody may rely on zeros
    void* first = memory.data();
    std::size_t room = memory.size();
    std::align(memory_alignment, program::session::bytes, first, room);
    typename program::session run{prepared, {static_cast<std::byte*>(first), program::session::bytes}};
    const auto begun = given;
    for (int k = 0; k < 3; ++k) {
        if (k == 2) { // once again from the begin
            run.reset();
            for (std::size_t i = 0; i < given.size(); ++i)
                if (is_weight(g[placeholders[i]])) given[i] = begun[i];
        }
        std::vector<std::vector<std::byte>> inputs;
        for (std::size_t i = 0; i < given.size(); ++i)
            if (!is_weight(g[placeholders[i]])) {
                given[i] = random_tensor(g.value_of(placeholders[i]).type, seed);
                inputs.push_back(bytes_of_tensor(given[i]));
            }
        const auto wanted = reference<fx<Source>>(given);
        check_equal(wanted.size(), into.size(), where);
        const auto outputs = with_inputs<program>::run(run, inputs, std::make_integer_sequence<std::int32_t, program::plan.inputs>{});
        std::size_t next = 0;
        const auto same_output = [&](const auto& out) {
            while (into[next].exists()) ++next;
            const auto& expected = wanted[next++];
            bool same = true;
            for_each_index(sizes_of(expected.type), [&](const int_list& at) {
                same = same && is_close(static_cast<double>(out.storage().data()[position_of(std::remove_cvref_t<decltype(out)>::type::type, at)]), expected.template get<double>(at));
            });
            check(same, "an output", where);
        };
        std::apply([&](const auto&... out) { (same_output(out), ...); }, outputs);
        for (std::size_t r = 0; r < into.size(); ++r) {
            if (!into[r].exists()) continue;
            std::size_t input = 0;
            for (std::size_t i = 0; i < given.size(); ++i) {
                const bool mine = placeholders[i] == into[r];
                if (!is_weight(g[placeholders[i]])) {
                    if (mine) check(same_elements(inputs[input].data(), wanted[r]), "an input", where);
                    ++input;
                } else if (mine) {
                    given[i] = wanted[r];
                    for (const auto& p : runtime::parameters<program>::made.all)
                        if (p.name == g[into[r]].weight) check(p.state_at >= 0 && same_elements(static_cast<const std::byte*>(first) + program::plan.peak_bytes + p.state_at, wanted[r]), p.name, where);
                }
            }
        }
    }
    check(std::equal(as_prepared.begin(), as_prepared.end(), prepared.constants()), "the weights are as they were", where);
}

struct running_mean { // by hand, with momentum: read, then written in two steps
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_mean: "f32[3]", x: "f32[4, 3]"):
            sub: "f32[4, 3]" = torch.ops.aten.sub.Tensor(x, b_mean)
            mean: "f32[3]" = torch.ops.aten.mean.dim(x, [0]);  x = None
            mul_: "f32[3]" = torch.ops.aten.mul_.Tensor(b_mean, 0.9)
            add_: "f32[3]" = torch.ops.aten.add_.Tensor(mul_, mean, alpha = 0.1);  mean = None
            relu: "f32[4, 3]" = torch.ops.aten.relu.default(sub)
            return (relu,)

Graph signature: 
    # inputs
    b_mean: BUFFER target='bn.mean' persistent=True
    x: USER_INPUT

    # outputs
    relu: USER_OUTPUT

Range constraints: {}
)fx";
};
struct training_norm { // as torch.export decomposes BatchNorm2d in training
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_bn_weight: "f32[3]", p_bn_bias: "f32[3]", b_bn_running_mean: "f32[3]", b_bn_running_var: "f32[3]", b_bn_num_batches_tracked: "i64[]", x: "f32[2, 3, 4, 4]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(b_bn_num_batches_tracked, 1);  b_bn_num_batches_tracked = None
            _native_batch_norm_legit_functional = torch.ops.aten._native_batch_norm_legit_functional.default(x, p_bn_weight, p_bn_bias, b_bn_running_mean, b_bn_running_var, True, 0.1, 1e-05);  x = p_bn_weight = p_bn_bias = b_bn_running_mean = b_bn_running_var = None
            getitem: "f32[2, 3, 4, 4]" = _native_batch_norm_legit_functional[0]
            getitem_3: "f32[3]" = _native_batch_norm_legit_functional[3]
            getitem_4: "f32[3]" = _native_batch_norm_legit_functional[4];  _native_batch_norm_legit_functional = None
            return (getitem_3, getitem_4, add, getitem)

Graph signature: 
    # inputs
    p_bn_weight: PARAMETER target='bn.weight'
    p_bn_bias: PARAMETER target='bn.bias'
    b_bn_running_mean: BUFFER target='bn.running_mean' persistent=True
    b_bn_running_var: BUFFER target='bn.running_var' persistent=True
    b_bn_num_batches_tracked: BUFFER target='bn.num_batches_tracked' persistent=True
    x: USER_INPUT

    # outputs
    getitem_3: BUFFER_MUTATION target='bn.running_mean'
    getitem_4: BUFFER_MUTATION target='bn.running_var'
    add: BUFFER_MUTATION target='bn.num_batches_tracked'
    getitem: USER_OUTPUT

Range constraints: {}
)fx";
};
struct cache_row { // a key cache: one row of it is written, and all of it read
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_cache: "f32[8, 4]", row: "f32[1, 4]", q: "f32[2, 4]"):
            slice_scatter: "f32[8, 4]" = torch.ops.aten.slice_scatter.default(b_cache, row, 0, 5, 6);  b_cache = row = None
            permute: "f32[4, 8]" = torch.ops.aten.permute.default(slice_scatter, [1, 0])
            mm: "f32[2, 8]" = torch.ops.aten.mm.default(q, permute);  q = permute = None
            return (slice_scatter, mm)

Graph signature: 
    # inputs
    b_cache: BUFFER target='cache' persistent=False
    row: USER_INPUT
    q: USER_INPUT

    # outputs
    slice_scatter: BUFFER_MUTATION target='cache'
    mm: USER_OUTPUT

Range constraints: {}
)fx";
};
struct cache_by_index { // the same where the inputs say which rows
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_cache: "f32[8, 4]", rows: "f32[2, 4]", at: "i64[2]", q: "f32[2, 4]"):
            index_put: "f32[8, 4]" = torch.ops.aten.index_put.default(b_cache, [at], rows);  at = rows = None
            permute: "f32[4, 8]" = torch.ops.aten.permute.default(index_put, [1, 0])
            mm: "f32[2, 8]" = torch.ops.aten.mm.default(q, permute);  q = permute = None
            copy_: "f32[8, 4]" = torch.ops.aten.copy_.default(b_cache, index_put);  b_cache = index_put = None
            return (mm,)

Graph signature: 
    # inputs
    b_cache: BUFFER target='cache' persistent=False
    rows: USER_INPUT
    at: USER_INPUT
    q: USER_INPUT

    # outputs
    mm: USER_OUTPUT

Range constraints: {}
)fx";
};
struct cache_views { // b_cache[2] = row; b_cache[:, 3] += 1, before and after it is read
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_cache: "f32[4, 4]", row: "f32[4]"):
            sum_1: "f32[4]" = torch.ops.aten.sum.dim_IntList(b_cache, [0])
            select: "f32[4]" = torch.ops.aten.select.int(b_cache, 0, 2)
            copy_: "f32[4]" = torch.ops.aten.copy_.default(select, row);  select = row = None
            select_1: "f32[4]" = torch.ops.aten.select.int(b_cache, 1, 3)
            add_: "f32[4]" = torch.ops.aten.add_.Tensor(select_1, 1);  select_1 = None
            sum_2: "f32[4]" = torch.ops.aten.sum.dim_IntList(b_cache, [0]);  b_cache = None
            return (sum_1, sum_2, add_)

Graph signature: 
    # inputs
    b_cache: BUFFER target='cache' persistent=True
    row: USER_INPUT

    # outputs
    sum_1: USER_OUTPUT
    sum_2: USER_OUTPUT
    add_: USER_OUTPUT

Range constraints: {}
)fx";
};
struct rolling_cache { // the oldest row goes, a new one comes
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_cache: "f32[4, 2]", row: "f32[1, 2]"):
            slice_1: "f32[3, 2]" = torch.ops.aten.slice.Tensor(b_cache, 0, 1, 9223372036854775807)
            sin: "f32[1, 2]" = torch.ops.aten.sin.default(row);  row = None
            cat: "f32[4, 2]" = torch.ops.aten.cat.default([slice_1, sin]);  slice_1 = sin = None
            copy_: "f32[4, 2]" = torch.ops.aten.copy_.default(b_cache, cat);  b_cache = cat = None
            cat_1: "f32[8, 2]" = torch.ops.aten.cat.default([copy_, copy_]);  copy_ = None
            return (cat_1,)

Graph signature: 
    # inputs
    b_cache: BUFFER target='cache' persistent=True
    row: USER_INPUT

    # outputs
    cat_1: USER_OUTPUT

Range constraints: {}
)fx";
};
struct old_and_new { // both are returned, and so is the old one's view
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_s: "f32[2, 3]", x: "f32[2, 3]"):
            permute: "f32[3, 2]" = torch.ops.aten.permute.default(b_s, [1, 0])
            add: "f32[2, 3]" = torch.ops.aten.add.Tensor(b_s, x);  x = None
            return (add, b_s, permute, add)

Graph signature: 
    # inputs
    b_s: BUFFER target='s' persistent=True
    x: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='s'
    b_s: USER_OUTPUT
    permute: USER_OUTPUT
    add: USER_OUTPUT

Range constraints: {}
)fx";
};
struct exchanged { // two states, each the other's old value; a third is never read, and takes an input
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3]", b_a: "f32[3]", b_b: "f32[3]", b_c: "f32[3]", x: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(b_a, p_w)
            return (b_b, b_a, x, add)

Graph signature: 
    # inputs
    p_w: PARAMETER target='w'
    b_a: BUFFER target='a' persistent=True
    b_b: BUFFER target='b' persistent=True
    b_c: BUFFER target='c' persistent=True
    x: USER_INPUT

    # outputs
    b_b: BUFFER_MUTATION target='a'
    b_a: BUFFER_MUTATION target='b'
    x: BUFFER_MUTATION target='c'
    add: USER_OUTPUT

Range constraints: {}
)fx";
};
struct takes_a_weight { // what prepare knows already
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3]", b_a: "f32[3]", x: "f32[3]"):
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(p_w, 2);  p_w = None
            add: "f32[3]" = torch.ops.aten.add.Tensor(b_a, x);  b_a = x = None
            return (mul, add)

Graph signature: 
    # inputs
    p_w: PARAMETER target='w'
    b_a: BUFFER target='a' persistent=True
    x: USER_INPUT

    # outputs
    mul: BUFFER_MUTATION target='a'
    add: USER_OUTPUT

Range constraints: {}
)fx";
};
struct descent { // a step of training: parameters are written, too, one by the signature and one in place
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3]", p_b: "f32[3]", x: "f32[3]", y: "f32[3]"):
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, p_w)
            add: "f32[3]" = torch.ops.aten.add.Tensor(mul, p_b);  mul = None
            sub: "f32[3]" = torch.ops.aten.sub.Tensor(add, y);  add = y = None
            mul_1: "f32[3]" = torch.ops.aten.mul.Tensor(sub, x);  x = None
            sub_1: "f32[3]" = torch.ops.aten.sub.Tensor(p_w, mul_1, alpha = 0.1);  p_w = mul_1 = None
            sub_: "f32[3]" = torch.ops.aten.sub_.Tensor(p_b, sub, alpha = 0.1);  p_b = None
            return (sub_1, sub)

Graph signature: 
    # inputs
    p_w: PARAMETER target='w'
    p_b: PARAMETER target='b'
    x: USER_INPUT
    y: USER_INPUT

    # outputs
    sub_1: PARAMETER_MUTATION target='w'
    sub: USER_OUTPUT

Range constraints: {}
)fx";
};
struct input_and_state { // each is written with the other's old value
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_s: "f32[3]", x: "f32[3]"):
            clone: "f32[3]" = torch.ops.aten.clone.default(b_s)
            copy_: "f32[3]" = torch.ops.aten.copy_.default(b_s, x)
            copy__1: "f32[3]" = torch.ops.aten.copy_.default(x, clone)
            return (copy_,)

Graph signature: 
    # inputs
    b_s: BUFFER target='s' persistent=True
    x: USER_INPUT

    # outputs
    copy_: USER_OUTPUT

Range constraints: {}
)fx";
};
struct read_in_the_middle { // FX reads an attribute where it is needed
    static constexpr std::string_view text = R"fx(graph():
    %x : [num_users=2] = placeholder[target=x]
    %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})
    %state : [num_users=2] = get_attr[target=cell.state]
    %add : [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%sin, %state), kwargs = {})
    %copy_ : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%state, %add), kwargs = {})
    return (state, add))fx";
    static constexpr fx_input inputs[] = {{.placeholder = "x", .type = "f32[3]"}, {.placeholder = "state", .type = "f32[3]"}};
};
struct normed_convolution { // the statistics that a batch norm reads change behind it: they are not folded into the convolution
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3, 2, 1, 1]", p_g: "f32[3]", p_b: "f32[3]", b_m: "f32[3]", b_v: "f32[3]", x: "f32[1, 2, 2, 2]"):
            convolution: "f32[1, 3, 2, 2]" = torch.ops.aten.convolution.default(x, p_w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
            exp: "f32[3]" = torch.ops.aten.exp.default(b_v)
            _native_batch_norm_legit_no_training = torch.ops.aten._native_batch_norm_legit_no_training.default(convolution, p_g, p_b, b_m, exp, 0.1, 1e-05)
            getitem: "f32[1, 3, 2, 2]" = _native_batch_norm_legit_no_training[0]
            mean: "f32[3]" = torch.ops.aten.mean.dim(getitem, [0, 2, 3])
            add: "f32[3]" = torch.ops.aten.add.Tensor(b_m, mean)
            return (add, getitem)

Graph signature: 
    # inputs
    p_w: PARAMETER target='w'
    p_g: PARAMETER target='g'
    p_b: PARAMETER target='b'
    b_m: BUFFER target='m' persistent=True
    b_v: BUFFER target='v' persistent=True
    x: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='m'
    getitem: USER_OUTPUT

Range constraints: {}
)fx";
};
inline constexpr config one_task_per_call_options{.fuse_pointwise = false, .fuse_reductions = false};
using one_task_per_call = toolchain<>::with_options<one_task_per_call_options>;
void values() {
    carries_like_reference<counter>(1, 1);
    carries_like_reference<counter_in_code>(1, 1);
    carries_like_reference<running_mean>(1, 0); // what is fused with relu reads the old mean when the new one is there
    carries_like_reference<running_mean, one_task_per_call>(1, 1);
    carries_like_reference<training_norm>(3, 3); // moments, and what is made of them
    carries_like_reference<cache_row>(1, 1);
    carries_like_reference<cache_by_index>(1, 1);
    carries_like_reference<cache_views>(1, 1);
    carries_like_reference<rolling_cache>(1, 0);
    carries_like_reference<old_and_new>(1, 0); // the new value is an output, too
    carries_like_reference<exchanged>(3, 0);
    carries_like_reference<takes_a_weight>(1, 0);
    carries_like_reference<descent>(2, 2);
    carries_like_reference<input_and_state>(1, 0);
    carries_like_reference<read_in_the_middle>(1, 0);
    carries_like_reference<normed_convolution>(1, 1);
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
    add(stored, "w", dtype::f32, {3}, row{1, 2, 3});
    add(stored, "counter", dtype::i64, {}, std::array<std::int64_t, 1>{4});
    add(stored, "mean", dtype::f32, {3}, row{2, 2, 2});
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

// ---- passes and prepare

void states_are_no_constants() {
    using program = compiled<fx<normed_convolution>>;
    static_assert(program::plan.prepare_tasks == 2); // exp of the variance, and the filters in the kernel's order
    for (node_id id : program::optimized_graph()) check(program::optimized_graph()[id].from.made_by != "fold_batch_norm");
    diagnosis d;
    check(equivalent(compiled<fx<cache_views>>::captured(), compiled<fx<cache_views>>::imported::storage.view(), 5, d), d.found.view());
}

// ---- each decision is counted and explained

template <class Source, class Tools = toolchain<>> void check_explained(std::string_view wanted, inplace_summary sums, location where = location::current()) {
    using program = compiled<fx<Source>, Tools>;
    std::string text;
    check(print_inplace<program>(text) == sums, text, where);
    check_equal(text, wanted, where);
}
void explained() {
    check_explained<cache_row>("slice_scatter: writes a state of the session\nb_cache: written by slice_scatter\nin place 1 (128 bytes), missed 0 (0 bytes)\n", {1, 0, 128, 0});
    check_explained<running_mean>("add_: in place of mean\nrelu: in memory of its own; x is an input\nb_mean: copied at the end; add_ comes before relu, which reads the old value\n"
                                  "in place 1 (12 bytes), missed 1 (12 bytes)\n",
                                  {1, 1, 12, 12});
    check_explained<running_mean, one_task_per_call>("sub: in memory of its own; x is an input\nmul_: in memory of its own; b_mean is a state\n"
                                                     "add_: writes a state of the session\nrelu: in place of sub\nb_mean: written by add_\n"
                                                     "in place 2 (60 bytes), missed 0 (0 bytes)\n",
                                                     {2, 0, 60, 0});
    using program = compiled<fx<cache_row>>;
    const auto table = plan_table(program::lowered_graph(), program::plan_view());
    check(table.find("f32[8, 4]             state     [0, 128)") != table.npos && table.find(", states 128 B, effort constant, cores 1\n") != table.npos, table);
}

// ---- sessions

void nothing_is_allocated() {
    using program = compiled<fx<cache_by_index>>;
    weights stored;
    add(stored, "cache", dtype::f32, {8, 4}, std::array<float, 32>{});
    alignas(memory_alignment) static std::array<std::byte, program::session::bytes> memory;
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
    check(!check_limits(sum, machine::npu, d) && d.what == fault::device_memory_is_exceeded);
}

// ---- the verifier of plans

struct reads_old_and_new { // sum_1 reads the old a, mul the old one, too, and writes the new one
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_a: "f32[3]", b_b: "f32[3]", x: "f32[3]"):
            sum_1: "f32[]" = torch.ops.aten.sum.default(b_a)
            mul_: "f32[3]" = torch.ops.aten.mul_.Tensor(b_a, x);  x = None
            sum_2: "f32[]" = torch.ops.aten.sum.default(mul_);  mul_ = None
            copy_: "f32[3]" = torch.ops.aten.copy_.default(b_b, b_a);  b_b = b_a = None
            add: "f32[]" = torch.ops.aten.add.Tensor(sum_1, sum_2);  sum_1 = sum_2 = None
            return (add,)

Graph signature: 
    # inputs
    b_a: BUFFER target='a' persistent=True
    b_b: BUFFER target='b' persistent=True
    x: USER_INPUT

    # outputs
    add: USER_OUTPUT

Range constraints: {}
)fx";
};
void broken_plans_are_refused() {
    using program = compiled<fx<reads_old_and_new>, one_task_per_call>;
    const auto g = program::lowered_graph();
    const auto verdict = [&](const auto& plan) {
        diagnosis d;
        check_plan(g, program::needs, plan.view(), d);
        return std::string(d.expected.view());
    };
    auto plan = program::planned;
    check_equal(verdict(plan), "");
    static_assert(program::plan.states == 2 && program::plan.states_written_in_place == 1 && program::plan.run_tasks == 5 && program::plan.state_bytes == 128);
    const auto task_of = [&](std::string_view name) {
        std::size_t t = 0;
        while (print(g[program::planned.tasks[t].node].name).view() != name) ++t;
        return t;
    };
    const auto placed = [&](auto& in, std::string_view name) -> placement& {
        for (node_id id : g)
            if (print(g[id].name).view() == name) return in.placements[static_cast<std::size_t>(g[id].values.first)];
        return in.placements[0];
    };
    // The old value is read after it was overwritten.
    std::swap(plan.tasks[task_of("sum_1")], plan.tasks[task_of("mul_")]);
    check_equal(verdict(plan), "an input whose old value nobody reads any more");
    // The new one before it is there.
    plan = program::planned;
    std::swap(plan.tasks[task_of("mul_")], plan.tasks[task_of("sum_2")]);
    check_equal(verdict(plan), "operands that are written and not yet overwritten");
    // It reads what it writes, and the plan does not say so.
    plan = program::planned;
    placed(plan, "mul_").shares = {};
    check_equal(verdict(plan), "the operand whose place it takes");
    // b does not get its new value.
    plan = program::planned;
    --plan.summary.run_tasks;
    std::swap(plan.tasks[task_of("b_b")], plan.tasks[4]);
    plan.placements[static_cast<std::size_t>(g[plan.tasks[4].node].values.first)] = {};
    check_equal(verdict(plan), "an input that holds its new value");
    // Nor a: its new value is computed elsewhere.
    plan = program::planned;
    placed(plan, "mul_") = placed(plan, "sum_1");
    check(verdict(plan) != "");
    // Into the other state, into none, into the bytes of the other one.
    plan = program::planned;
    placed(plan, "mul_").port = 1;
    check(verdict(plan) != "");
    placed(plan, "mul_").port = 7;
    check_equal(verdict(plan), "an input of the run to write into");
    plan = program::planned;
    placed(plan, "mul_").offset = 64;
    check_equal(verdict(plan), "the place of the state");
    // States that lie on each other, beyond the session's memory, or nowhere a kernel can read.
    plan = program::planned;
    placed(plan, "b_b").offset = 0;
    check_equal(verdict(plan), "the place of what it writes into");
    const auto move_b = [&](std::int64_t offset) {
        placed(plan, "b_b").offset = plan.placements[static_cast<std::size_t>(g[plan.tasks[task_of("b_b")].node].values.first)].offset = offset;
    };
    move_b(0);
    check_equal(verdict(plan), "a state apart from the others");
    move_b(128);
    check_equal(verdict(plan), "an aligned offset inside the states");
    move_b(8);
    check_equal(verdict(plan), "an aligned offset inside the states");
    plan = program::planned;
    plan.summary.peak_bytes += 8;
    check(verdict(plan).ends_with("bytes of arena"), verdict(plan));
    // Nothing to begin with, or another's.
    plan = program::planned;
    placed(plan, "b_a").copy = -1;
    check_equal(verdict(plan), "a copy that the state begins as");
    placed(plan, "b_a").copy = placed(plan, "b_b").copy;
    check_equal(verdict(plan), "a copy that the state begins as");
    // Written into the weights that all sessions share.
    plan = program::planned;
    placed(plan, "b_a").where = placed(plan, "mul_").where = region::parameter;
    check(verdict(plan) != "");
    plan = program::planned;
    plan.summary.states = 0;
    check(verdict(plan) != "");
    // Never written at all: a's new value is somewhere in the arena.
    plan = program::planned;
    placed(plan, "b_a").where = region::parameter;
    auto& elsewhere = placed(plan, "mul_");
    elsewhere = {};
    elsewhere.where = region::arena;
    elsewhere.offset = plan.summary.peak_bytes;
    elsewhere.bytes = 64;
    plan.summary.peak_bytes += 64;
    --plan.summary.states;
    check_equal(verdict(plan), "the next weight, which a run writes");
}

} // namespace

int main() {
    signatures();
    values();
    handles();
    states_are_no_constants();
    explained();
    nothing_is_allocated();
    a_state_is_leased();
    states_are_memory();
    broken_plans_are_refused();
    return report();
}
