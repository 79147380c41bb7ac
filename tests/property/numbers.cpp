// Users' numbers: every integer of many texts (arguments, sizes and strides of types, indices of devices, pbtxt) is replaced by each of -2, -1, 0, 1, 2^31, 2^32,
// 2^62 and 2^63 - 1. Law: a text is typed, or refused with line and reason; no type has a negative size, nor elements or places from 2^48 on; the graph
// verifies; where it is small, the reference runs it. Under sanitizers no such number makes a type rule or an operator's meaning overflow or leave its memory.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "harness.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/reference/interpreter.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/io/pbtxt/pbtxt.hpp>
#include <ahead/io/pbtxt/print_pbtxt.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/verify.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

const op_table ops = aten::registry::table;
const bool is_long = std::getenv("AHEAD_LONG") != nullptr;

// Calls of every operator that takes sizes, counts, dims, indices, steps or paddings: what it is called with, and the call.
constexpr std::string_view calls[][2] = {
    {"x: 'f32[2, 3]'", "view(x, [3, -1])"},
    {"x: 'f32[2, 3][3, 1]cpu'", "_unsafe_view(x, [6])"},
    {"x: 'f32[2, 3][1, 2]cpu'", "reshape(x, [3, 2])"},
    {"x: 'f32[2, 3]'", "view_copy(x, [3, 2])"},
    {"x: 'f32[2, 3, 2]'", "flatten.using_ints(x, 0, 1)"},
    {"x: 'f32[6, 2]'", "unflatten.int(x, 0, [3, -1])"},
    {"x: 'f32[6, 0]'", "unflatten.int(x, 0, [3, 2])"},
    {"x: 'f32[2, 3]'", "_reshape_alias(x, [3, 2], [2, 1])"},
    {"x: 'f32[2, 3]'", "as_strided(x, [2, 2], [1, 2], 1)"},
    {"x: 'f32[6]'", "as_strided(x, [5], [1])"},
    {"x: 'f32[2, 3, 4]'", "permute(x, [2, 0, 1])"},
    {"x: 'f32[2, 3, 4]'", "permute_copy(x, [2, 0, 1])"},
    {"x: 'f32[2, 3]'", "transpose.int(x, 0, 1)"},
    {"x: 'f32[2, 1]'", "expand(x, [4, 2, 3])"},
    {"x: 'f32[2, 1]'", "expand_copy(x, [1, -1, 3])"},
    {"x: 'f32[4, 3]'", "slice.Tensor(x, 0, 1, 3, 2)"},
    {"x: 'f32[4, 3]'", "slice.Tensor(x, 0, 0, 9223372036854775807)"},
    {"x: 'f32[6]'", "narrow(x, 0, 1, 3)"},
    {"x: 'f32[4, 3]'", "select.int(x, 0, 1)"},
    {"x: 'f32[6]'", "split.Tensor(x, 2, 0)"},
    {"x: 'f32[0]'", "split.Tensor(x, 2, 0)"},
    {"x: 'f32[6]'", "unsafe_split.Tensor(x, 4)"},
    {"x: 'f32[6, 0]'", "chunk(x, 3, 0)"},
    {"x: 'f32[6]'", "split_with_sizes(x, [1, 2, 3])"},
    {"x: 'f32[9]'", "split_with_sizes(x, [1, 1, 1, 1, 1, 1, 1, 1, 1])"},
    {"x: 'f32[3, 2]'", "unbind.int(x, 1)"},
    {"x: 'f32[1, 3]'", "squeeze.dim(x, 0)"},
    {"x: 'f32[1, 3, 1]'", "squeeze.dims(x, [0, 2])"},
    {"x: 'f32[3, 2]'", "unsqueeze(x, 1)"},
    {"x: 'f32[3, 4]'", "diagonal(x, 1, 0, 1)"},
    {"x: 'f32[6]'", "unfold(x, 0, 3, 2)"},
    {"x: 'f32[4, 3]', y: 'f32[1, 3]'", "slice_scatter(x, y, 0, 1, 2, 1)"},
    {"x: 'f32[4, 3]', y: 'f32[2, 3]'", "slice_scatter(x, y, 0, 1, 4, 2)"},
    {"x: 'f32[4, 3]', y: 'f32[3]'", "select_scatter(x, y, 0, 1)"},
    {"x: 'f32[3, 3]', y: 'f32[2]'", "diagonal_scatter(x, y, 1, 0, 1)"},
    {"x: 'f32[6]', y: 'f32[2, 2]'", "as_strided_scatter(x, y, [2, 2], [2, 1], 1)"},
    {"x: 'f32[2, 3]'", "repeat(x, [2, 1, 2])"},
    {"x: 'f32[2, 3]'", "repeat_interleave.self_int(x, 2, 1)"},
    {"x: 'f32[2, 3]'", "repeat_interleave.self_int(x, 2)"},
    {"x: 'f32[2, 3]'", "flip(x, [0, 1])"},
    {"x: 'f32[2, 3]'", "roll(x, [1, 2], [0, 1])"},
    {"x: 'f32[2, 3]'", "roll(x, [4])"},
    {"x: 'f32[3, 3]'", "tril(x, 1)"},
    {"x: 'f32[3, 3]'", "triu(x, 1)"},
    {"x: 'f32[1, 4, 2, 2]'", "pixel_shuffle(x, 2)"},
    {"x: 'f32[1, 0, 2, 2]'", "pixel_shuffle(x, 2)"},
    {"x: 'f32[2, 3]'", "clone(x, memory_format = torch.channels_last)"},
    {"x: 'f32[2, 3, 2, 2]'", "clone(x, memory_format = torch.channels_last)"},
    {"x: 'f32[2, 3]', y: 'f32[1, 3]'", "cat([x, y], 0)"},
    {"x: 'f32[2, 3]', y: 'f32[2, 3]'", "stack([x, y], 1)"},
    {"x: 'f32[2, 3]', y: 'f32[3]'", "copy(x, y)"},
    {"x: 'f32[2, 3]', y: 'f32[3]'", "copy_(x, y)"},
    {"x: 'f32[2, 3]'", "fill.Scalar(x, 3)"},
    {"x: 'f32[2, 3]'", "full([2, 3], 7, dtype = torch.int32)"},
    {"x: 'f32[2, 3]'", "zeros([2, 3])"},
    {"x: 'f32[2, 3]'", "ones([2, 3])"},
    {"x: 'f32[2, 3]'", "empty.memory_format([2, 3])"},
    {"x: 'f32[2, 3]'", "full_like(x, 7)"},
    {"x: 'f32[2, 3]'", "new_full(x, [2, 3], 7)"},
    {"x: 'f32[2, 3]'", "new_zeros(x, [2, 3])"},
    {"x: 'f32[2, 3]'", "scalar_tensor(7)"},
    {"x: 'f32[2, 3]'", "arange(5)"},
    {"x: 'f32[2, 3]'", "arange.start(2, 5)"},
    {"x: 'f32[2, 3]'", "arange.start_step(2, 9, 2)"},
    {"x: 'f32[2, 3]'", "arange.start_step(2.5, 9, 2, dtype = torch.int64)"},
    {"x: 'f32[2, 3]'", "linspace(0, 5, 3)"},
    {"x: 'f32[2, 3]'", "linspace(0, 5, 3, dtype = torch.int64)"},
    {"x: 'f32[2, 3]'", "eye.m(2, 3)"},
    {"x: 'f32[2, 3]'", "eye(3)"},
    {"x: 'f32[4, 3]', k: 'i64[2]'", "embedding(x, k, 1)"},
    {"x: 'f32[4, 3]', k: 'i64[2, 3]'", "gather(x, 0, k)"},
    {"x: 'f32[4, 3]', k: 'i64[2]'", "index_select(x, 0, k)"},
    {"x: 'f32[4, 3]', k: 'i64[2]'", "take(x, k)"},
    {"x: 'f32[4, 3, 2]', k: 'i64[2]'", "index.Tensor(x, [None, k, k])"},
    {"x: 'f32[4, 3]', k: 'i64[2, 3]', y: 'f32[2, 3]'", "scatter.src(x, 0, k, y)"},
    {"x: 'f32[4, 3]', k: 'i64[2, 3]'", "scatter.value(x, 0, k, 3)"},
    {"x: 'i64[4, 3]', k: 'i64[2, 3]', y: 'i64[2, 3]'", "scatter_add(x, 0, k, y)"},
    {"x: 'i64[4, 3]', k: 'i64[2, 3]', y: 'i64[2, 3]'", "scatter_reduce.two(x, 0, k, y, 'prod', include_self = False)"},
    {"x: 'f32[4, 3]', k: 'i64[2]', y: 'f32[2, 3]'", "index_put(x, [k], y, True)"},
    {"x: 'i64[4, 3]', k: 'i64[2]', y: 'i64[2, 3]'", "index_add(x, 0, k, y, alpha = 2)"},
    {"x: 'f32[4, 3]', k: 'i64[2]', y: 'f32[2, 3]'", "index_copy(x, 0, k, y)"},
    {"x: 'f32[2, 3]'", "constant_pad_nd(x, [1, 2, -1, 0], 3)"},
    {"x: 'f32[1, 1, 1, 1, 1]'", "constant_pad_nd(x, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])"},
    {"x: 'f32[1, 4]'", "reflection_pad1d(x, [1, 2])"},
    {"x: 'f32[1, 4]'", "replication_pad1d(x, [1, 2])"},
    {"x: 'f32[1, 3, 4]'", "reflection_pad2d(x, [1, 2, 0, 1])"},
    {"x: 'f32[1, 3, 4]'", "replication_pad2d(x, [1, 2, -1, 1])"},
    {"x: 'f32[1, 2, 3, 4]'", "replication_pad3d(x, [1, 2, 0, 1, 1, 1])"},
    {"x: 'f32[1, 2, 5, 5]', w: 'f32[3, 1, 2, 2]', b: 'f32[3]'", "convolution(x, w, b, [2, 1], [1, 1], [1, 1], False, [0, 0], 2)"},
    {"x: 'f32[1, 2, 5, 5]', w: 'f32[3, 2, 2, 2]', b: 'f32[3]'", "convolution(x, w, b, [2, 1], [1, 1], [2, 1], False, [0, 0], 1)"},
    {"x: 'f32[1, 2, 3, 3]', w: 'f32[2, 3, 2, 2]', b: 'f32[3]'", "convolution(x, w, b, [2, 1], [1, 0], [1, 1], True, [1, 0], 1)"},
    {"x: 'f32[1, 2, 5]', w: 'f32[3, 2, 2]'", "conv1d(x, w, None, [2], [1], [1], 1)"},
    {"x: 'f32[1, 2, 5, 5]', w: 'f32[3, 2, 2, 2]'", "conv2d(x, w, None, 2, 1, 1, 1)"},
    {"x: 'f32[1, 2, 5, 5]'", "max_pool2d(x, [2, 2], [1, 1], [1, 1], [1, 1], True)"},
    {"x: 'f32[1, 2, 5, 5]'", "max_pool2d_with_indices(x, [3, 3], [2, 2], [1, 1])"},
    {"x: 'f32[1, 2, 5]'", "avg_pool1d(x, [2], [2], [1], True, False)"},
    {"x: 'f32[1, 2, 5, 5]'", "avg_pool2d(x, [2, 2], [2, 2], [1, 1], True, False, 3)"},
    {"x: 'i64[1, 2, 4, 4]'", "avg_pool2d(x, [2, 2], [2, 2], [1, 1], False, False)"},
    {"x: 'f32[1, 2, 4, 4, 4]'", "avg_pool3d(x, [2, 2, 2], [2, 2, 2], [1, 0, 1])"},
    {"x: 'f32[1, 2, 5, 5]'", "_adaptive_avg_pool2d(x, [2, 3])"},
    {"x: 'f32[2, 5]'", "adaptive_avg_pool1d(x, [2])"},
    {"g: 'f32[1, 3, 4, 4]', x: 'f32[1, 2, 5, 5]', w: 'f32[3, 2, 2, 2]'",
     "convolution_backward(g, x, w, [3], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])"},
    {"g: 'f32[1, 1, 2, 2]', x: 'f32[1, 1, 4, 4]', k: 'i64[1, 1, 2, 2]'",
     "max_pool2d_with_indices_backward(g, x, [2, 2], [2, 2], [0, 0], [1, 1], False, k)"},
    {"g: 'f32[1, 1, 2, 2]', x: 'f32[1, 1, 4, 4]'", "avg_pool2d_backward(g, x, [2, 2], [2, 2], [0, 0], False, True, None)"},
    {"g: 'f32[1, 1, 3, 3]', x: 'f32[1, 1, 5, 5]'", "avg_pool2d_backward(g, x, [2, 2], [2, 2], [1, 1], False, False, 3)"},
    {"x: 'f32[1, 2, 3]'", "upsample_nearest1d.vec(x, [5], None)"},
    {"x: 'f32[1, 2, 3, 3]'", "upsample_nearest2d.vec(x, None, [2.0, 2])"},
    {"x: 'f32[1, 2, 3, 3]'", "upsample_bilinear2d.vec(x, [5, 4], True, None)"},
    {"x: 'f32[1, 2, 3, 3]'", "upsample_bilinear2d.vec(x, None, False, [2, 3])"},
    {"x: 'f32[1, 2, 3]'", "upsample_linear1d.vec(x, [5], False, None)"},
    {"x: 'f32[1, 2, 3, 3]'", "upsample_nearest2d(x, [5, 4])"},
    {"x: 'f32[2, 3]'", "sum.dim_IntList(x, [0, 1], True)"},
    {"x: 'i64[2, 3]'", "mean.dim(x, [1], dtype = torch.float32)"},
    {"x: 'i64[2, 3]'", "prod.dim_int(x, 1)"},
    {"x: 'f32[2, 3]'", "amax(x, [0, 1])"},
    {"x: 'b8[2, 3]'", "any.dims(x, [0])"},
    {"x: 'f32[2, 3]'", "var.correction(x, [1], correction = 1)"},
    {"x: 'f32[2, 3]'", "var_mean.correction(x, [1], correction = 1, keepdim = True)"},
    {"x: 'f32[2, 3]'", "linalg_vector_norm(x, 3, [1])"},
    {"x: 'f32[2, 3]'", "norm.ScalarOpt_dim(x, 3, [1])"},
    {"x: 'f32[2, 3]'", "logsumexp(x, [1])"},
    {"x: 'f32[2, 3]'", "argmax(x, 1, True)"},
    {"x: 'f32[2, 3]'", "max.dim(x, 1)"},
    {"x: 'i64[2, 3]'", "cumsum(x, 1)"},
    {"x: 'i64[2, 3]'", "cumprod(x, 0)"},
    {"x: 'f32[2, 3]'", "cummax(x, 1)"},
    {"x: 'f32[2, 3]'", "_softmax(x, 1, False)"},
    {"g: 'f32[2, 3]', x: 'f32[2, 3]'", "_log_softmax_backward_data(g, x, 1, torch.float32)"},
    {"x: 'f32[4, 3]'", "sort(x, 1)"},
    {"x: 'f32[4, 3]'", "topk(x, 2, 0)"},
    {"x: 'f32[2, 4]', w: 'f32[4]'", "native_layer_norm(x, [4], w, w, 1e-05)"},
    {"x: 'f32[2, 4]'", "rms_norm(x, [4])"},
    {"x: 'f32[2, 4, 3]', w: 'f32[4]'", "native_group_norm(x, w, w, 2, 4, 3, 2, 1e-05)"},
    {"x: 'f32[2, 4, 3]', w: 'f32[4]'", "group_norm(x, 2, w, w)"},
    {"x: 'f32[2, 4]', w: 'f32[4]'", "_native_batch_norm_legit_no_training(x, w, w, w, w, 0.1, 1e-05)"},
    {"x: 'f32[2, 3]', k: 'i64[2]'", "nll_loss_forward(x, k, None, 1, -100)"},
    {"x: 'f32[2, 3]', y: 'f32[2, 3]'", "mse_loss(x, y, 1)"},
    {"x: 'i64[2, 3]', y: 'i64[3, 2]', b: 'i64[2, 2]'", "addmm(b, x, y, beta = 2, alpha = 3)"},
    {"x: 'i64[2, 3]', y: 'i64[3, 2]'", "mm(x, y)"},
    {"x: 'f32[2, 2, 3]', y: 'f32[2, 3, 2]'", "bmm(x, y)"},
    {"x: 'f32[2, 1, 2, 3]', y: 'f32[4, 3, 2]'", "matmul(x, y)"},
    {"x: 'f32[2, 3]', w: 'f32[4, 3]', b: 'f32[4]'", "linear(x, w, b)"},
    {"x: 'f32[4, 1, 1, 2]', y: 'f32[1, 3, 2, 1]'", "add.Tensor(x, y, alpha = 2)"},
    {"x: 'i64[4]', y: 'i64[4]'", "add.Tensor(x, y, alpha = 3)"},
    {"x: 'i32[4]', y: 'i32[4]'", "sub.Tensor(x, y, alpha = 3)"},
    {"x: 'i64[4]'", "rsub.Scalar(x, 3, 2)"},
    {"x: 'i64[4]'", "mul.Scalar(x, 3)"},
    {"x: 'i64[4]'", "floor_divide(x, 3)"},
    {"x: 'i32[4]'", "remainder.Scalar(x, 3)"},
    {"x: 'i32[4]'", "fmod.Scalar(x, 3)"},
    {"x: 'i64[4]'", "div.Tensor_mode(x, 3, rounding_mode = 'trunc')"},
    {"x: 'i64[4]'", "pow.Tensor_Scalar(x, 3)"},
    {"x: 'i64[4]'", "bitwise_left_shift.Tensor_Scalar(x, 3)"},
    {"x: 'i32[4]'", "bitwise_right_shift.Tensor_Scalar(x, 3)"},
    {"x: 'i64[4]'", "__lshift__.Scalar(x, 3)"},
    {"x: 'i64[4]'", "bitwise_xor.Scalar(x, 3)"},
    {"x: 'i64[4]'", "clamp(x, 2, 3)"},
    {"x: 'i64[4]'", "gt.Scalar(x, 3)"},
    {"x: 'f32[4]'", "round.decimals(x, decimals = 3)"},
    {"x: 'f32[4]'", "hardtanh(x, 2, 3)"},
    {"x: 'i64[4]', y: 'i64[4]', z: 'i64[1]'", "addcmul(x, y, z, value = 3)"},
    {"x: 'b8[2, 3]', y: 'f32[3]', z: 'f32[2, 1]'", "where.self(x, y, z)"},
    {"x: 'i64[4]', m: 'b8[4]'", "masked_fill.Scalar(x, m, 3)"},
    {"x: 'f32[2, 3]'", "rand([2, 3])"},
    {"x: 'f32[2, 3]'", "randint.low(2, 7, [2, 3])"},
    {"x: 'f32[2, 3]'", "randperm(5)"},
    {"x: 'f32[2, 3]'", "normal.float_float(1, 2, [3])"},
    {"x: 'f32[2, 3]'", "bernoulli.p(x, 1)"},
    {"x: 'f32[2, 3]'", "native_dropout(x, 1, True)"},
    {"x: 'f32[2, 3][3, 1]cuda:1'", "_to_copy(x, dtype = torch.int32, device = device(type='cuda', index=2))"},
};

// The call's results, of which there may be several, leave the graph together with their first.
std::string text_of(std::string_view parameters, std::string_view call) {
    std::string quoted(parameters), target(call.substr(0, call.find('('))), rest(call.substr(target.size()));
    std::replace(quoted.begin(), quoted.end(), '\'', '"');
    if (target.find('.') == target.npos) target += ".default";
    return "class <lambda>(torch.nn.Module):\n    def forward(self, " + quoted + "):\n        result = torch.ops.aten." + target + rest + "\n        return (result,)\n";
}

std::string read(const std::filesystem::path& path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
}
// What stands between R"fx( and )fx" in the tests of the frontends and passes.
void add_literals(const std::filesystem::path& path, std::vector<std::string>& out) {
    const auto source = read(path);
    constexpr std::string_view open = "R\"fx(", close = ")fx\"";
    for (auto at = source.find(open); at != source.npos; at = source.find(open, at)) {
        at += open.size();
        out.push_back(source.substr(at, source.find(close, at) - at));
    }
}

struct outcomes {
    int texts = 0, mutations = 0, typed = 0, run = 0, refused = 0, negative = 0, too_large = 0;
};

bool is_complete(const diagnosis& d) { return !d.ok() && !name_of(d.what).empty() && d.line > 0 && d.expected.length > 0 && d.found.length > 0; }
std::string told(const diagnosis& d) { return "--> line " + std::to_string(d.line) + ' ' + std::string(name_of(d.what)); }

// Elements of all tensors; -1 where the law of types is broken.
std::int64_t elements_of(graph_view g) {
    std::int64_t sum = 0;
    for (node_id id : g)
        for (std::int32_t k = 0; k < g[id].values.count; ++k) {
            const auto& t = g.value_of(id, k).type;
            if (!is_addressable(t)) return -1;
            sum += t.offset + extent_of(t) + element_count(t);
        }
    return sum;
}
// Whether the reference is done with it soon. Windows may be larger than what they look at.
bool is_small(graph_view g) {
    if (elements_of(g) > (is_long ? 20'000 : 1'000)) return false;
    for (node_id id : g) {
        if (g[id].target.find("pool") == std::string_view::npos) continue;
        for (std::int32_t i = 0; i < g[id].arguments.count; ++i)
            for (std::int32_t k = 0; k < g.argument_of(g[id], i).children.count; ++k)
                if (const auto& a = g[g.argument_of(g[id], i).children[k]]; a.kind == argument_kind::integer && a.bits > 64) return false;
    }
    return true;
}

bool runs(graph_view g, diagnosis& d) {
    std::vector<host_tensor> inputs, outputs;
    for (node_id id : g) {
        if (g[id].kind != node_kind::placeholder && (g[id].kind != node_kind::get_attr || is_literal(g[id]))) continue;
        inputs.emplace_back(g.value_of(id).type);
        for (std::int64_t i = 0; i < inputs.back().data.size(); ++i) inputs.back().data.put(i, i * 7 % 3 - (g[id].target.empty() ? 1 : 0));
    }
    for (int i = 0; i < 2; ++i) inputs.emplace_back(tensor_of(dtype::i64, {})); // rng_seed and rng_offset, where it draws numbers
    return interpret<aten::registry>(g, inputs, outputs, d);
}

// Checks one text; false: it breaks the law.
bool holds(const std::string& text, outcomes& sum) {
    ++sum.mutations;
    diagnosis d;
    heap_storage storage(count_fx(text));
    const auto g = storage.edit();
    fx_style style;
    bool typed = read_fx(text, ops, g, style, d) && infer_types(g, ops, d);
    if (d.what == fault::annotation_differs_from_inference) { // once more, to see what the changed number does to the calls below
        heap_storage again(count_fx(text));
        storage = std::move(again);
        d = {};
        typed = read_fx(text, ops, storage.edit(), style, d) && (forget_annotations(storage.edit()), infer_types(storage.edit(), ops, d));
    }
    if (!typed) {
        ++sum.refused;
        sum.negative += d.what == fault::size_is_negative;
        sum.too_large += d.what == fault::tensor_is_too_large;
        return check(is_complete(d), text + "\n" + told(d));
    }
    ++sum.typed;
    if (!check(elements_of(storage.view()) >= 0, text + "\n--> has a type that cannot be")) return false;
    if (!check(verify(storage.view(), d), text + "\n" + told(d))) return false;
    if (!is_small(storage.view())) return true;
    ++sum.run;
    return check(runs(storage.view(), d) || is_complete(d), text + "\n" + told(d));
}

bool holds_pbtxt(const std::string& text, outcomes& sum) {
    ++sum.mutations;
    diagnosis d;
    pbtxt_graph read(text, ops);
    d = read.error;
    const auto g = read.storage.edit();
    const bool typed = d.ok() && infer_types(g, ops, d);
    sum.refused += !typed;
    sum.typed += typed;
    if (!typed) return check(!d.ok() && !name_of(d.what).empty(), text + "\n" + told(d));
    if (!check(elements_of(g) >= 0 && verify(g, d), text + "\n" + told(d))) return false;
    if (!is_small(g)) return true;
    ++sum.run;
    return check(runs(g, d) || !d.ok(), text + "\n" + told(d));
}

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '%'; }

// Every text with one of its numbers replaced; `most`: of these numbers, evenly spread.
template <class Holds> void mutate(const std::string& text, std::size_t most, outcomes& sum, Holds holds_for) {
    constexpr std::string_view values[] = {"-2", "-1", "0", "1", "2147483648", "4294967296", "4611686018427387904", "9223372036854775807"};
    ++sum.texts;
    std::vector<std::array<std::size_t, 2>> numbers; // begin and end
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1);
        if (text[at] < '0' || text[at] > '9') continue;
        auto begin = at;
        while (at < text.size() && is_word(text[at])) ++at;
        if (text.find_first_not_of("0123456789", begin) < at || (begin > 0 && is_word(text[begin - 1]))) continue;
        if (begin > 0 && text[begin - 1] == '-') --begin;
        numbers.push_back({begin, at--});
    }
    const auto step = (numbers.size() + most - 1) / most;
    for (std::size_t i = 0; i < numbers.size() && failed < 5; i += step)
        for (auto value : values) {
            auto changed = text;
            changed.replace(numbers[i][0], numbers[i][1] - numbers[i][0], value);
            if (changed != text) holds_for(changed, sum);
        }
}

void print(std::string_view what, const outcomes& sum) {
    std::cout << what << ": " << sum.texts << " texts, " << sum.mutations << " mutations: " << sum.typed << " typed, of these " << sum.run << " run; " << sum.refused
              << " refused, " << sum.negative << " for a negative size, " << sum.too_large << " for a tensor that is too large\n";
}

} // namespace

// numbers [folders...]: the texts in the folders in place of those of the tests
int main(int argc, char** argv) {
    std::vector<std::string> texts;
    for (int i = 1; i < argc; ++i)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
            if (entry.path().extension() == ".txt") texts.push_back(read(entry.path()));
    if (argc == 1) {
        for (const auto& [parameters, call] : calls) texts.push_back(text_of(parameters, call));
        texts.insert(texts.end(), std::begin(exported_printouts), std::end(exported_printouts));
        for (const auto* folder : {"unit", "mutation"})
            for (const auto& entry : std::filesystem::directory_iterator(folder))
                if (entry.path().extension() == ".txt") texts.push_back(read(entry.path()));
                else add_literals(entry.path(), texts);
    }
    std::sort(texts.begin(), texts.end());
    outcomes fx, pbtxt;
    for (const auto& text : texts) mutate(text, is_long ? 10'000 : 40, fx, holds);
    print("FX", fx);
    for (const auto& text : texts) {
        diagnosis d;
        fx_style style;
        heap_storage storage(count_fx(text));
        if (!read_fx(text, ops, storage.edit(), style, d) || !infer_types(storage.edit(), ops, d)) continue;
        std::string printed;
        print_pbtxt(storage.view(), ops, printed);
        mutate(printed, is_long ? 1'000 : 5, pbtxt, holds_pbtxt);
    }
    print("pbtxt", pbtxt);
    check(argc > 1 || (fx.typed > fx.mutations / 20 && fx.run > 1'000 && fx.negative > 100 && fx.too_large > 100 && pbtxt.typed > pbtxt.mutations / 20),
          "the mutations are too mild or too wild to say much");
    return report();
}
