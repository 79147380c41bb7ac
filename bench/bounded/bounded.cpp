// SPDX-License-Identifier: MIT
// What a bound costs: bounded programs beside the fixed program of the bound, and that of half of it, in turns. TSV, a
// row a net: nanoseconds of the fixed program at the bound; the bounded one over it at the bound, at a half, a quarter
// and one place of it; and at a half over the fixed program of that half.
//     chrt -f 50 taskset -c 0 ahead_bench_bounded
// Exit code 1 where the bounded program takes more than 1.05 times as long at the bound.
#include "run/timing.hpp"

#include <ahead/ahead.hpp>
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using namespace ahead;
using namespace ahead::rooms;

struct mlp {
    static constexpr char text[] =
        R"fx(def forward(self, p_w1: "f32[256, 512]", p_b1: "f32[512]", p_w2: "f32[512, 512]", p_b2: "f32[512]", p_w3: "f32[512, 10]", x: "f32[s0, 256]"):
    addmm: "f32[s0, 512]" = torch.ops.aten.addmm.default(p_b1, x, p_w1)
    relu: "f32[s0, 512]" = torch.ops.aten.relu.default(addmm)
    addmm_1: "f32[s0, 512]" = torch.ops.aten.addmm.default(p_b2, relu, p_w2)
    gelu: "f32[s0, 512]" = torch.ops.aten.gelu.default(addmm_1)
    mm: "f32[s0, 10]" = torch.ops.aten.mm.default(gelu, p_w3)
    softmax: "f32[s0, 10]" = torch.ops.aten._softmax.default(mm, -1, False)
    return (softmax,)
)fx";
    static constexpr fx_input inputs[] = {
        {"p_w1", "w1"}, {"p_b1", "b1"}, {"p_w2", "w2"}, {"p_b2", "b2"}, {"p_w3", "w3"}};
};
struct images {
    static constexpr char text[] =
        R"fx(def forward(self, p_w1: "f32[16, 3, 3, 3]", p_w2: "f32[32, 16, 3, 3]", p_w3: "f32[10, 32]", x: "f32[s0, 3, 32, 32]"):
    conv: "f32[s0, 16, 32, 32]" = torch.ops.aten.convolution.default(x, p_w1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    relu: "f32[s0, 16, 32, 32]" = torch.ops.aten.relu.default(conv)
    pool: "f32[s0, 16, 16, 16]" = torch.ops.aten.max_pool2d.default(relu, [2, 2], [2, 2])
    conv_1: "f32[s0, 32, 16, 16]" = torch.ops.aten.convolution.default(pool, p_w2, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    relu_1: "f32[s0, 32, 16, 16]" = torch.ops.aten.relu.default(conv_1)
    mean: "f32[s0, 32]" = torch.ops.aten.mean.dim(relu_1, [2, 3])
    t: "f32[32, 10]" = torch.ops.aten.t.default(p_w3)
    mm: "f32[s0, 10]" = torch.ops.aten.mm.default(mean, t)
    return (mm,)
)fx";
    static constexpr fx_input inputs[] = {{"p_w1", "w1"}, {"p_w2", "w2"}, {"p_w3", "w3"}};
};
struct encoder {
    static constexpr char text[] =
        R"fx(def forward(self, p_qkv: "f32[384, 128]", p_bqkv: "f32[384]", p_o: "f32[128, 128]", p_bo: "f32[128]", p_g1: "f32[128]", p_b1: "f32[128]", p_f1: "f32[512, 128]", p_bf1: "f32[512]", p_f2: "f32[128, 512]", p_bf2: "f32[128]", x: "f32[1, s0, 128]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 1)
    linear: "f32[1, s0, 384]" = torch.ops.aten.linear.default(x, p_qkv, p_bqkv)
    split = torch.ops.aten.split.Tensor(linear, 128, -1)
    q: "f32[1, s0, 128]" = split[0]
    k: "f32[1, s0, 128]" = split[1]
    v: "f32[1, s0, 128]" = split[2]
    view: "f32[1, s0, 4, 32]" = torch.ops.aten.view.default(q, [1, sym_size_int, 4, 32])
    qt: "f32[1, 4, s0, 32]" = torch.ops.aten.transpose.int(view, 1, 2)
    view_1: "f32[1, s0, 4, 32]" = torch.ops.aten.view.default(k, [1, sym_size_int, 4, 32])
    kt: "f32[1, 4, s0, 32]" = torch.ops.aten.transpose.int(view_1, 1, 2)
    view_2: "f32[1, s0, 4, 32]" = torch.ops.aten.view.default(v, [1, sym_size_int, 4, 32])
    vt: "f32[1, 4, s0, 32]" = torch.ops.aten.transpose.int(view_2, 1, 2)
    att: "f32[1, 4, s0, 32]" = torch.ops.aten.scaled_dot_product_attention.default(qt, kt, vt)
    at: "f32[1, s0, 4, 32]" = torch.ops.aten.transpose.int(att, 1, 2)
    flat: "f32[1, s0, 128]" = torch.ops.aten.reshape.default(at, [1, sym_size_int, 128])
    proj: "f32[1, s0, 128]" = torch.ops.aten.linear.default(flat, p_o, p_bo)
    add: "f32[1, s0, 128]" = torch.ops.aten.add.Tensor(x, proj)
    norm: "f32[1, s0, 128]" = torch.ops.aten.layer_norm.default(add, [128], p_g1, p_b1)
    f1: "f32[1, s0, 512]" = torch.ops.aten.linear.default(norm, p_f1, p_bf1)
    gelu: "f32[1, s0, 512]" = torch.ops.aten.gelu.default(f1)
    f2: "f32[1, s0, 128]" = torch.ops.aten.linear.default(gelu, p_f2, p_bf2)
    add_1: "f32[1, s0, 128]" = torch.ops.aten.add.Tensor(norm, f2)
    return (add_1,)
)fx";
    static constexpr fx_input inputs[] = {{"p_qkv", "qkv"}, {"p_bqkv", "bqkv"}, {"p_o", "o"},   {"p_bo", "bo"},
                                          {"p_g1", "g1"},   {"p_b1", "b1"},     {"p_f1", "f1"}, {"p_bf1", "bf1"},
                                          {"p_f2", "f2"},   {"p_bf2", "bf2"}};
};

/// A number for each weight that Program's graph reads.
template <class Program> weights some_weights() {
    weights out;
    for (node_id id : Program::captured()) {
        const auto& n = Program::captured()[id];
        if (n.kind != node_kind::placeholder || n.weight.empty()) continue;
        const auto type = Program::captured().value_of(id).type;
        std::vector<float> values(static_cast<std::size_t>(element_count(type)));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 37 % 101) * 0.002f - 0.1f;
        std::vector<std::int64_t> sizes;
        for (auto size : sizes_of(type)) sizes.push_back(size);
        out.add(std::string(n.weight), type.type, sizes, std::as_bytes(std::span(values)));
    }
    return out;
}

template <class Net, std::int64_t Most> bool measure(const char* name) {
    using program = compiled_bounded<Net, bound<"s0", Most>>;
    using whole = typename program::program;
    using halved = compiled_graph<fx_graph<detail::at_size<Net, bound<"s0", Most>, Most / 2>>>;
    const auto given = some_weights<whole>();
    const auto weights = program::prepare(given);
    const auto of_half = halved::prepare(given);
    typename program::session run{weights};
    session<whole> fixed{weights};
    session<halved> half{of_half};
    std::vector<float> x(runtime::tensor_elements<static_type<typename whole::template input_port<0>>>::extent, 0.25f);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17) * 0.05f;
    const std::size_t each = x.size() / Most;
    const auto first = [&](std::int64_t places) {
        return std::span<const float>(x.data(), each * static_cast<std::size_t>(places));
    };
    const auto time = [](auto f) { return bench::detail::nanoseconds(f, 10) / 10; };
    constexpr std::int64_t sizes[] = {Most, Most / 2, Most / 4, 1};
    std::vector<double> bases, halves, times[4], ratios;
    for (int round = 0; round < 60; ++round) {
        bases.push_back(time([&] { static_cast<void>(fixed(first(Most))); }));
        for (std::size_t s = 0; s < 4; ++s) times[s].push_back(time([&] { static_cast<void>(run(first(sizes[s]))); }));
        halves.push_back(time([&] { static_cast<void>(half(first(Most / 2))); }));
        ratios.push_back(times[0].back() / bases.back());
    }
    const auto least = [](const std::vector<double>& of) { return std::ranges::min(of); };
    const auto ratio = bench::median(ratios);
    std::printf("%s\t%lld\t%.0f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", name, static_cast<long long>(Most), least(bases),
                ratio, least(times[1]) / least(bases), least(times[2]) / least(bases), least(times[3]) / least(bases),
                least(times[1]) / least(halves));
    std::fflush(stdout);
    return ratio <= 1.05;
}

} // namespace

int main() {
    std::printf("net\tbound\tfixed_ns\tat_bound\tat_half\tat_quarter\tat_one\thalf_over_fixed_half\n");
    bool ok = measure<mlp, 128>("mlp");
    ok = measure<images, 16>("images") && ok;
    ok = measure<encoder, 128>("encoder") && ok;
    return ok ? 0 : 1;
}
