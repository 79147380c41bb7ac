// Graphs that write weights, and the weights that they begin with: shared by the tests of states.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/ahead.hpp>

#include <array>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

using row = std::array<float, 3>;

template <class T, std::size_t Size> void add_weight(weights& to, std::string_view name, dtype type, std::vector<std::int64_t> sizes, const std::array<T, Size>& values) {
    to.add(std::string(name), type, std::move(sizes), std::as_bytes(std::span(values)));
}

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

inline weights one_counter(std::int64_t from) {
    weights out;
    add_weight(out, "counter", dtype::i64, {}, std::array{from});
    return out;
}

} // namespace test
