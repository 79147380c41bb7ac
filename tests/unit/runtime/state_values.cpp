// Values of graphs that write weights: each graph runs three times on the device and by the reference, with other
// inputs every time.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "states.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/reference/host_bytes.hpp>

#include <memory>

using namespace ahead;
using namespace test;

namespace {

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
        using type = runtime::tensor_input<static_type<typename Program::template input_port<I>>>;
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
    std::vector<std::byte> memory(program::session::bytes + runtime::memory_alignment, std::byte{0xff}); // nobody may rely on zeros
    void* first = memory.data();
    std::size_t room = memory.size();
    std::align(runtime::memory_alignment, program::session::bytes, first, room);
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

} // namespace

int main() {
    values();
    return report();
}
