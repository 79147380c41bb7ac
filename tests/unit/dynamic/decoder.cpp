// SPDX-License-Identifier: MIT
// A decoder that generates: two blocks of a GPT with caches of 128 positions, one token for each row at a step, as torch.fx gave it (its batch is a symbol: torch 1.13
// knows none, so it was traced with a batch of 5, for which s0 was put). Compiled for one row and for four, with the caches as states of a session, as states of captured
// graphs and as tensors of the caller's that captured graphs write, it gives PyTorch's tokens at each of 64 steps, copies no cache and allocates nothing.
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "splitmix64.hpp"

#include <ahead/ahead.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/npu/compiled_graphs.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

struct decoder_text {
    static constexpr char text[] = R"fx(def forward(self, tok_weight: "f32[32, 32]", pe_weight: "f32[128, 32]", h0_n1_weight: "f32[32]", h0_n1_bias: "f32[32]", h0_qkv_weight: "f32[96, 32]", h0_qkv_bias: "f32[96]", h0_proj_weight: "f32[32, 32]", h0_proj_bias: "f32[32]", h0_n2_weight: "f32[32]", h0_n2_bias: "f32[32]", h0_f1_weight: "f32[64, 32]", h0_f1_bias: "f32[64]", h0_f2_weight: "f32[32, 64]", h0_f2_bias: "f32[32]", h1_n1_weight: "f32[32]", h1_n1_bias: "f32[32]", h1_qkv_weight: "f32[96, 32]", h1_qkv_bias: "f32[96]", h1_proj_weight: "f32[32, 32]", h1_proj_bias: "f32[32]", h1_n2_weight: "f32[32]", h1_n2_bias: "f32[32]", h1_f1_weight: "f32[64, 32]", h1_f1_bias: "f32[64]", h1_f2_weight: "f32[32, 64]", h1_f2_bias: "f32[32]", norm_weight: "f32[32]", norm_bias: "f32[32]", head_weight: "f32[32, 32]", k0: "f32[4, 4, 128, 8]", v0: "f32[4, 4, 128, 8]", k1: "f32[4, 4, 128, 8]", v1: "f32[4, 4, 128, 8]", tokens: "i64[s0]", position: "i64[1]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(tokens, 0)
    mul_rows: "Sym(4*s0)" = sym_size_int * 4
    embedding = torch.ops.aten.embedding.default(tok_weight, tokens)
    embedding_1 = torch.ops.aten.embedding.default(pe_weight, position)
    add = torch.ops.aten.add.Tensor(embedding, embedding_1)
    arange = torch.ops.aten.arange.default(128)
    gt = torch.ops.aten.gt.Tensor(arange, position)
    native_layer_norm = torch.ops.aten.native_layer_norm.default(add, [32], h0_n1_weight, h0_n1_bias, 1e-05)
    getitem = native_layer_norm[0]
    t = torch.ops.aten.t.default(h0_qkv_weight)
    addmm = torch.ops.aten.addmm.default(h0_qkv_bias, getitem, t)
    view = torch.ops.aten.view.default(addmm, [sym_size_int, 3, 4, 8])
    select = torch.ops.aten.select.int(view, 1, 0)
    unsqueeze = torch.ops.aten.unsqueeze.default(select, 2)
    select_1 = torch.ops.aten.select.int(view, 1, 1)
    unsqueeze_1 = torch.ops.aten.unsqueeze.default(select_1, 2)
    select_2 = torch.ops.aten.select.int(view, 1, 2)
    unsqueeze_2 = torch.ops.aten.unsqueeze.default(select_2, 2)
    slice_1 = torch.ops.aten.slice.Tensor(k0, 0, 0, sym_size_int)
    slice_2 = torch.ops.aten.slice.Tensor(v0, 0, 0, sym_size_int)
    index_put_ = torch.ops.aten.index_put_.default(slice_1, [None, None, position], unsqueeze_1)
    index_put__1 = torch.ops.aten.index_put_.default(slice_2, [None, None, position], unsqueeze_2)
    transpose = torch.ops.aten.transpose.int(index_put_, 2, 3)
    expand = torch.ops.aten.expand.default(unsqueeze, [sym_size_int, 4, 1, 8])
    clone = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format)
    _unsafe_view = torch.ops.aten._unsafe_view.default(clone, [mul_rows, 1, 8])
    expand_1 = torch.ops.aten.expand.default(transpose, [sym_size_int, 4, 8, 128])
    _reshape_alias = torch.ops.aten._reshape_alias.default(expand_1, [mul_rows, 8, 128], [1024, 1, 8])
    bmm = torch.ops.aten.bmm.default(_unsafe_view, _reshape_alias)
    _unsafe_view_1 = torch.ops.aten._unsafe_view.default(bmm, [sym_size_int, 4, 1, 128])
    mul = torch.ops.aten.mul.Tensor(_unsafe_view_1, 0.35355339059327373)
    masked_fill = torch.ops.aten.masked_fill.Scalar(mul, gt, -inf)
    _softmax = torch.ops.aten._softmax.default(masked_fill, -1, False)
    expand_2 = torch.ops.aten.expand.default(_softmax, [sym_size_int, 4, 1, 128])
    _reshape_alias_1 = torch.ops.aten._reshape_alias.default(expand_2, [mul_rows, 1, 128], [128, 128, 1])
    expand_3 = torch.ops.aten.expand.default(index_put__1, [sym_size_int, 4, 128, 8])
    _reshape_alias_2 = torch.ops.aten._reshape_alias.default(expand_3, [mul_rows, 128, 8], [1024, 8, 1])
    bmm_1 = torch.ops.aten.bmm.default(_reshape_alias_1, _reshape_alias_2)
    _unsafe_view_2 = torch.ops.aten._unsafe_view.default(bmm_1, [sym_size_int, 4, 1, 8])
    view_1 = torch.ops.aten.view.default(_unsafe_view_2, [sym_size_int, 32])
    t_1 = torch.ops.aten.t.default(h0_proj_weight)
    addmm_1 = torch.ops.aten.addmm.default(h0_proj_bias, view_1, t_1)
    add_1 = torch.ops.aten.add.Tensor(add, addmm_1)
    native_layer_norm_1 = torch.ops.aten.native_layer_norm.default(add_1, [32], h0_n2_weight, h0_n2_bias, 1e-05)
    getitem_3 = native_layer_norm_1[0]
    t_2 = torch.ops.aten.t.default(h0_f1_weight)
    addmm_2 = torch.ops.aten.addmm.default(h0_f1_bias, getitem_3, t_2)
    gelu = torch.ops.aten.gelu.default(addmm_2)
    t_3 = torch.ops.aten.t.default(h0_f2_weight)
    addmm_3 = torch.ops.aten.addmm.default(h0_f2_bias, gelu, t_3)
    add_2 = torch.ops.aten.add.Tensor(add_1, addmm_3)
    native_layer_norm_2 = torch.ops.aten.native_layer_norm.default(add_2, [32], h1_n1_weight, h1_n1_bias, 1e-05)
    getitem_6 = native_layer_norm_2[0]
    t_4 = torch.ops.aten.t.default(h1_qkv_weight)
    addmm_4 = torch.ops.aten.addmm.default(h1_qkv_bias, getitem_6, t_4)
    view_2 = torch.ops.aten.view.default(addmm_4, [sym_size_int, 3, 4, 8])
    select_3 = torch.ops.aten.select.int(view_2, 1, 0)
    unsqueeze_3 = torch.ops.aten.unsqueeze.default(select_3, 2)
    select_4 = torch.ops.aten.select.int(view_2, 1, 1)
    unsqueeze_4 = torch.ops.aten.unsqueeze.default(select_4, 2)
    select_5 = torch.ops.aten.select.int(view_2, 1, 2)
    unsqueeze_5 = torch.ops.aten.unsqueeze.default(select_5, 2)
    slice_3 = torch.ops.aten.slice.Tensor(k1, 0, 0, sym_size_int)
    slice_4 = torch.ops.aten.slice.Tensor(v1, 0, 0, sym_size_int)
    index_put__2 = torch.ops.aten.index_put_.default(slice_3, [None, None, position], unsqueeze_4)
    index_put__3 = torch.ops.aten.index_put_.default(slice_4, [None, None, position], unsqueeze_5)
    transpose_1 = torch.ops.aten.transpose.int(index_put__2, 2, 3)
    expand_4 = torch.ops.aten.expand.default(unsqueeze_3, [sym_size_int, 4, 1, 8])
    clone_1 = torch.ops.aten.clone.default(expand_4, memory_format = torch.contiguous_format)
    _unsafe_view_3 = torch.ops.aten._unsafe_view.default(clone_1, [mul_rows, 1, 8])
    expand_5 = torch.ops.aten.expand.default(transpose_1, [sym_size_int, 4, 8, 128])
    _reshape_alias_3 = torch.ops.aten._reshape_alias.default(expand_5, [mul_rows, 8, 128], [1024, 1, 8])
    bmm_2 = torch.ops.aten.bmm.default(_unsafe_view_3, _reshape_alias_3)
    _unsafe_view_4 = torch.ops.aten._unsafe_view.default(bmm_2, [sym_size_int, 4, 1, 128])
    mul_1 = torch.ops.aten.mul.Tensor(_unsafe_view_4, 0.35355339059327373)
    masked_fill_1 = torch.ops.aten.masked_fill.Scalar(mul_1, gt, -inf)
    _softmax_1 = torch.ops.aten._softmax.default(masked_fill_1, -1, False)
    expand_6 = torch.ops.aten.expand.default(_softmax_1, [sym_size_int, 4, 1, 128])
    _reshape_alias_4 = torch.ops.aten._reshape_alias.default(expand_6, [mul_rows, 1, 128], [128, 128, 1])
    expand_7 = torch.ops.aten.expand.default(index_put__3, [sym_size_int, 4, 128, 8])
    _reshape_alias_5 = torch.ops.aten._reshape_alias.default(expand_7, [mul_rows, 128, 8], [1024, 8, 1])
    bmm_3 = torch.ops.aten.bmm.default(_reshape_alias_4, _reshape_alias_5)
    _unsafe_view_5 = torch.ops.aten._unsafe_view.default(bmm_3, [sym_size_int, 4, 1, 8])
    view_3 = torch.ops.aten.view.default(_unsafe_view_5, [sym_size_int, 32])
    t_5 = torch.ops.aten.t.default(h1_proj_weight)
    addmm_5 = torch.ops.aten.addmm.default(h1_proj_bias, view_3, t_5)
    add_3 = torch.ops.aten.add.Tensor(add_2, addmm_5)
    native_layer_norm_3 = torch.ops.aten.native_layer_norm.default(add_3, [32], h1_n2_weight, h1_n2_bias, 1e-05)
    getitem_9 = native_layer_norm_3[0]
    t_6 = torch.ops.aten.t.default(h1_f1_weight)
    addmm_6 = torch.ops.aten.addmm.default(h1_f1_bias, getitem_9, t_6)
    gelu_1 = torch.ops.aten.gelu.default(addmm_6)
    t_7 = torch.ops.aten.t.default(h1_f2_weight)
    addmm_7 = torch.ops.aten.addmm.default(h1_f2_bias, gelu_1, t_7)
    add_4 = torch.ops.aten.add.Tensor(add_3, addmm_7)
    native_layer_norm_4 = torch.ops.aten.native_layer_norm.default(add_4, [32], norm_weight, norm_bias, 1e-05)
    getitem_12 = native_layer_norm_4[0]
    t_8 = torch.ops.aten.t.default(head_weight)
    mm = torch.ops.aten.mm.default(getitem_12, t_8)
    argmax = torch.ops.aten.argmax.default(mm, -1)
    return (mm, argmax)
)fx";
    // The caches come last.
    static constexpr fx_input rows[] = {
        {"tok_weight", "tok.weight"},
        {"pe_weight", "pe.weight"},
        {"h0_n1_weight", "h0.n1.weight"},
        {"h0_n1_bias", "h0.n1.bias"},
        {"h0_qkv_weight", "h0.qkv.weight"},
        {"h0_qkv_bias", "h0.qkv.bias"},
        {"h0_proj_weight", "h0.proj.weight"},
        {"h0_proj_bias", "h0.proj.bias"},
        {"h0_n2_weight", "h0.n2.weight"},
        {"h0_n2_bias", "h0.n2.bias"},
        {"h0_f1_weight", "h0.f1.weight"},
        {"h0_f1_bias", "h0.f1.bias"},
        {"h0_f2_weight", "h0.f2.weight"},
        {"h0_f2_bias", "h0.f2.bias"},
        {"h1_n1_weight", "h1.n1.weight"},
        {"h1_n1_bias", "h1.n1.bias"},
        {"h1_qkv_weight", "h1.qkv.weight"},
        {"h1_qkv_bias", "h1.qkv.bias"},
        {"h1_proj_weight", "h1.proj.weight"},
        {"h1_proj_bias", "h1.proj.bias"},
        {"h1_n2_weight", "h1.n2.weight"},
        {"h1_n2_bias", "h1.n2.bias"},
        {"h1_f1_weight", "h1.f1.weight"},
        {"h1_f1_bias", "h1.f1.bias"},
        {"h1_f2_weight", "h1.f2.weight"},
        {"h1_f2_bias", "h1.f2.bias"},
        {"norm_weight", "norm.weight"},
        {"norm_bias", "norm.bias"},
        {"head_weight", "head.weight"},
        {"k0", "k0"},
        {"v0", "v0"},
        {"k1", "k1"},
        {"v1", "v1"},
    };
};
struct decoder : decoder_text {
    static constexpr const auto& inputs = rows;
};
// The caches are inputs that the graph writes.
struct decoder_of_caches : decoder_text {
    static constexpr auto inputs = array_view<const fx_input>(rows).first(std::size(rows) - 4);
};
// The position is a number, which the host gives at each step: it is looked up, compared and written at.
constexpr auto numbered = [] {
    constexpr std::string_view changes[][2] = {
        {"position: \"i64[1]\"", "position: \"Sym(s1)\""},
        {"aten.embedding.default(pe_weight, position)", "aten.select.int(pe_weight, 0, position)"},
        {"aten.gt.Tensor(arange, position)", "aten.gt.Scalar(arange, position)"},
        {"index_put_ = torch.ops.aten.index_put_.default(slice_1, [None, None, position], unsqueeze_1)",
         "k0_at = torch.ops.aten.select.int(slice_1, 2, position)\n    copy_ = torch.ops.aten.copy_.default(k0_at, select_1)"},
        {"index_put__1 = torch.ops.aten.index_put_.default(slice_2, [None, None, position], unsqueeze_2)",
         "v0_at = torch.ops.aten.select.int(slice_2, 2, position)\n    copy__1 = torch.ops.aten.copy_.default(v0_at, select_2)"},
        {"transpose.int(index_put_, 2, 3)", "transpose.int(slice_1, 2, 3)"},
        {"expand.default(index_put__1, ", "expand.default(slice_2, "},
        {"index_put__2 = torch.ops.aten.index_put_.default(slice_3, [None, None, position], unsqueeze_4)",
         "k1_at = torch.ops.aten.select.int(slice_3, 2, position)\n    copy__2 = torch.ops.aten.copy_.default(k1_at, select_4)"},
        {"index_put__3 = torch.ops.aten.index_put_.default(slice_4, [None, None, position], unsqueeze_5)",
         "v1_at = torch.ops.aten.select.int(slice_4, 2, position)\n    copy__3 = torch.ops.aten.copy_.default(v1_at, select_5)"},
        {"transpose.int(index_put__2, 2, 3)", "transpose.int(slice_3, 2, 3)"},
        {"expand.default(index_put__3, ", "expand.default(slice_4, "},
    };
    const std::string_view from = decoder_text::text;
    std::array<char, sizeof(decoder_text::text) + 400> out{};
    std::size_t at = 0, size = 0;
    for (const auto& change : changes) {
        const auto place = from.find(change[0], at);
        for (; at < place; ++at) out[size++] = from[at];
        for (char c : change[1]) out[size++] = c;
        at += change[0].size();
    }
    for (; at < from.size(); ++at) out[size++] = from[at];
    return std::pair(out, size);
}();
struct decoder_at : decoder_text {
    static constexpr std::string_view text{numbered.first.data(), numbered.second};
    static constexpr const auto& inputs = rows;
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
struct decoder_of_caches_at : decoder_at {
    static constexpr auto inputs = decoder_of_caches::inputs;
};
using batches = gears<"s0", 1, 4>;
using programs = compiled_gears<decoder, batches>;
static_assert(programs::accepted && programs::program<1>::plan.states == 4 && programs::program<1>::plan.states_written_in_place == 4 &&
              programs::program<0>::plan.states_written_in_place == 4);
constexpr std::int64_t cache_bytes = 4 * 4 * 128 * 8 * sizeof(float);
static_assert(programs::program<0>::plan.state_bytes == 4 * cache_bytes && programs::program<1>::plan.peak_bytes < cache_bytes);
static_assert(programs::session::bytes == programs::program<1>::plan.peak_bytes + 4 * cache_bytes && programs::prepared::copies == 1);

using programs_at = compiled_gears<decoder_at, batches>;
static_assert(programs_at::accepted && programs_at::program<0>::plan.inputs == 2 && programs_at::program<0>::plan.states_written_in_place == 4 &&
              programs_at::program<1>::plan.states_written_in_place == 4 && programs_at::program<1>::plan.ai_cpu_tasks == programs::program<1>::plan.ai_cpu_tasks);

constexpr int steps = 64;
constexpr std::int64_t expected[steps][4] = {
    {9, 26, 9, 9}, {28, 9, 22, 22}, {28, 28, 9, 3}, {10, 19, 30, 0}, {7, 19, 22, 9}, {9, 30, 30, 30}, {6, 28, 9, 22}, {22, 11, 30, 16},
    {17, 22, 22, 6}, {19, 11, 22, 6}, {19, 3, 9, 9}, {16, 14, 16, 28}, {22, 28, 30, 30}, {28, 19, 7, 7}, {16, 9, 9, 6}, {3, 22, 30, 28},
    {22, 26, 1, 6}, {9, 17, 9, 19}, {9, 22, 1, 30}, {22, 28, 19, 17}, {30, 26, 4, 10}, {28, 28, 2, 22}, {22, 6, 19, 30}, {3, 28, 4, 22},
    {22, 22, 6, 1}, {9, 28, 4, 30}, {28, 16, 6, 30}, {2, 28, 9, 11}, {9, 6, 30, 22}, {22, 19, 6, 30}, {22, 22, 17, 28}, {19, 2, 19, 26},
    {22, 19, 22, 28}, {22, 30, 22, 6}, {22, 22, 4, 30}, {22, 28, 22, 28}, {2, 16, 16, 26}, {3, 11, 9, 3}, {9, 22, 28, 30}, {2, 28, 2, 28},
    {16, 28, 16, 6}, {9, 22, 9, 22}, {28, 9, 28, 30}, {26, 28, 26, 28}, {19, 19, 19, 19}, {28, 22, 3, 28}, {11, 9, 19, 6}, {28, 3, 3, 3},
    {22, 11, 19, 28}, {30, 28, 4, 2}, {22, 28, 9, 2}, {9, 9, 9, 9}, {28, 28, 9, 28}, {26, 19, 2, 6}, {22, 2, 22, 28}, {28, 28, 28, 22},
    {26, 19, 26, 2}, {26, 2, 28, 28}, {26, 5, 2, 2}, {22, 22, 19, 22}, {19, 19, 3, 2}, {30, 9, 30, 2}, {19, 17, 19, 25}, {22, 22, 22, 28},
};
constexpr float largest[4] = {2.7859f, 3.1639f, 3.1814f, 2.8733f}; // of the last step's logits, by row

// Element i of weight k by a formula, as PyTorch was given it; caches are 0.
template <class Program> weights made_weights() {
    weights out;
    std::uint64_t k = 0;
    for (const auto& p : runtime::parameters<Program>::made.all) {
        if (p.literal >= 0) continue;
        const auto& t = p.type;
        std::vector<float> all(static_cast<std::size_t>(element_count(t)));
        const double scale = t.rank == 2 ? std::sqrt(3.0 / static_cast<double>(t.size(1))) * 1.5 : p.name.ends_with("weight") ? 0.5 : 0.25;
        const double base = t.rank == 1 && p.name.ends_with("weight") ? 1 : 0;
        if (t.rank < 4)
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] = static_cast<float>(base + scale * (2 * (static_cast<double>(splitmix64((k << 32) + i) >> 40) / 16777216.0) - 1));
        ++k;
        const auto sizes = sizes_of(t);
        out.add(std::string(p.name), t.type, {sizes.begin(), sizes.end()}, std::as_bytes(std::span(all)));
    }
    return out;
}

// One session serves both batches: what one wrote into the first row, the other would read.
template <std::int64_t Rows, class Session> void generates(Session& run) {
    run.reset();
    std::array<std::int64_t, static_cast<std::size_t>(Rows)> tokens{};
    for (std::size_t r = 0; r < tokens.size(); ++r) tokens[r] = static_cast<std::int64_t>(r) + 1;
    const auto before = allocations.load();
    bool same = true, near = true;
    for (int p = 0; p < steps; ++p)
        run.visit({Rows}, [&](auto gear) {
            if constexpr (gear.values[0] == Rows) {
                const auto [logits, next] = [&] {
                    if constexpr (std::is_same_v<Session, programs_at::session>) return gear(tokens, std::int64_t{p});
                    else return gear(tokens, std::array<std::int64_t, 1>{p});
                }();
                for (std::size_t r = 0; r < tokens.size(); ++r) {
                    tokens[r] = next.data()[r];
                    same = same && tokens[r] == expected[p][r];
                    if (p == steps - 1) near = near && std::abs(logits(static_cast<std::int64_t>(r), tokens[r]) - largest[r]) < 1e-3f;
                }
            }
        });
    check_equal(allocations.load(), before);
    check(same);
    check(near);
}

// As captured graphs, one for each batch, which write the caller's caches where they lie, whatever the position is.
template <class Source> void generates_captured(npu::execution how) {
    using on_device = compiled_gears<Source, batches>;
    constexpr bool by_number = std::is_same_v<Source, decoder_of_caches_at>;
    static_assert(on_device::template program<1>::plan.inputs_written == 4 && on_device::template program<1>::plan.inputs_written_in_place == 4);
    using for_one = typename on_device::template program<0>;
    using for_four = typename on_device::template program<1>;
    const auto given = made_weights<for_one>();
    const auto prepared = on_device::prepare(given);
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    npu::compiled_graphs<for_one, for_four> net(npu, side, {}, prepared.template get<0>(), prepared.template get<1>());
    const std::vector<float> zeros(4 * 4 * 128 * 8);
    const std::span<const float, 4 * 4 * 128 * 8> empty(zeros.data(), zeros.size());
    const auto run = [&]<std::int64_t Rows>(std::integral_constant<std::int64_t, Rows>) {
        using cache = f32<4, 4, 128, 8>;
        using ids = i64<Rows>;
        auto k0 = npu.to_device<cache>(empty), v0 = npu.to_device<cache>(empty), k1 = npu.to_device<cache>(empty), v1 = npu.to_device<cache>(empty);
        std::array<std::int64_t, static_cast<std::size_t>(Rows)> first{};
        for (std::size_t r = 0; r < first.size(); ++r) first[r] = static_cast<std::int64_t>(r) + 1;
        auto tokens = npu.to_device<ids>(first);
        auto position = npu.to_device<i64<1>>(std::array<std::int64_t, 1>{0});
        bool same = true;
        long warm = 0;
        for (int p = 0; p < steps; ++p) {
            if (p == 4) warm = allocations.load();
            if (!by_number) position.write(std::array<std::int64_t, 1>{p});
            std::array<std::int64_t, static_cast<std::size_t>(Rows)> chosen{};
            {
                const auto [logits, next] = [&] {
                    if constexpr (by_number) return net(k0, v0, k1, v1, tokens, std::int64_t{p});
                    else return net(k0, v0, k1, v1, tokens, position);
                }();
                chosen = next.copy();
            }
            for (std::size_t r = 0; r < chosen.size(); ++r) same = same && chosen[r] == expected[p][r];
            tokens.write(chosen);
        }
        check(same);
        check_equal(allocations.load(), warm);
    };
    run(std::integral_constant<std::int64_t, 1>{});
    run(std::integral_constant<std::int64_t, 4>{});
    check_equal(net.counters().captured, 2);
    check_equal(net.counters().replayed, 2 * steps);
    check_equal(net.counters().recaptured_for_mutated_inputs + net.counters().copied_back, 0);
}

// The caches as states of the object's: both batches' graphs write the same ones, where they lie; the position a tensor, or a host parameter.
template <class Programs> void generates_with_states(npu::execution how, const typename Programs::prepared& prepared) {
    constexpr bool by_number = std::is_same_v<Programs, programs_at>;
    using one = typename Programs::template program<0>;
    using four = typename Programs::template program<1>;
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    npu::compiled_graphs<one, four> net(npu, side, {}, prepared.template get<0>(), prepared.template get<1>());
    const auto* caches = net.template state<one, "k0">().data();
    check(caches == net.template state<four, "k0">().data());
    const auto run = [&]<std::int64_t Rows>(std::integral_constant<std::int64_t, Rows>) {
        net.reset_states();
        std::array<std::int64_t, static_cast<std::size_t>(Rows)> chosen{};
        for (std::size_t r = 0; r < chosen.size(); ++r) chosen[r] = static_cast<std::int64_t>(r) + 1;
        auto tokens = npu.to_device<i64<Rows>>(chosen);
        auto position = npu.to_device<i64<1>>(std::array<std::int64_t, 1>{0});
        bool same = true;
        long warm = 0;
        for (int p = 0; p < steps; ++p) {
            if (p == 4) warm = allocations.load();
            if (!by_number) position.write(std::array<std::int64_t, 1>{p});
            const auto launches = npu.launches();
            {
                const auto [logits, next] = [&] {
                    if constexpr (by_number) return net(tokens, std::int64_t{p});
                    else return net(tokens, position);
                }();
                chosen = next.copy();
            }
            same = same && npu.launches() <= launches + (by_number ? 2 : 1); // of the graph, and of the position's update; no copy
            for (std::size_t r = 0; r < chosen.size(); ++r) same = same && chosen[r] == expected[p][r];
            tokens.write(chosen);
        }
        check_equal(allocations.load(), warm);
        check(same && net.template state<one, "k0">().data() == caches);
    };
    run(std::integral_constant<std::int64_t, 1>{});
    run(std::integral_constant<std::int64_t, 4>{});
    run(std::integral_constant<std::int64_t, 1>{});
    check(net.counters() == npu::graph_counters{.captured = 2, .replayed = 3 * steps, .bound = net.counters().bound});
}

} // namespace

int main() {
    const auto given = made_weights<programs::program<0>>();
    const auto prepared = programs::prepare(given);
    programs::session run{prepared};
    generates<1>(run);
    generates<4>(run);
    generates<1>(run);
    const auto prepared_at = programs_at::prepare(given);
    programs_at::session run_at{prepared_at};
    generates<1>(run_at);
    generates<4>(run_at);
    for (const auto how : {npu::execution::in_order, npu::execution::threads}) {
        generates_captured<decoder_of_caches>(how);
        generates_captured<decoder_of_caches_at>(how);
        generates_with_states<programs>(how, prepared);
        generates_with_states<programs_at>(how, prepared_at);
    }
    return report();
}
