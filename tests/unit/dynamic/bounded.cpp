// A symbol with a bound: one program for all sizes up to it, each as the reference of the text at that size, whatever lies behind the places that are given.
// SPDX-License-Identifier: MIT
#include "bounded_agreement.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>

#include <algorithm>
#include <array>
#include <span>

// fault: size_exceeds_bound
// fault: input_sizes_disagree

using namespace ahead;
using namespace test;

namespace {

// A batch through linear layers, with all kinds of what follows a product, and rows by themselves.
struct mlp {
    static constexpr char text[] = R"fx(def forward(self, p_w1: "f32[24, 16]", p_b1: "f32[24]", p_w2: "f32[24, 10]", p_w3: "f32[10, 2]", p_g: "f32[10]", x: "f32[s0, 16]", z: "f32[s0, 10]", k: "f32[10]"):
    t: "f32[16, 24]" = torch.ops.aten.t.default(p_w1)
    addmm: "f32[s0, 24]" = torch.ops.aten.addmm.default(p_b1, x, t)
    relu: "f32[s0, 24]" = torch.ops.aten.relu.default(addmm)
    mm: "f32[s0, 10]" = torch.ops.aten.mm.default(relu, p_w2)
    add: "f32[s0, 10]" = torch.ops.aten.add.Tensor(mm, z)
    native_layer_norm = torch.ops.aten.native_layer_norm.default(add, [10], p_g, None, 1e-05)
    getitem: "f32[s0, 10]" = native_layer_norm[0]
    mul: "f32[s0, 10]" = torch.ops.aten.mul.Tensor(getitem, k)
    gelu: "f32[s0, 10]" = torch.ops.aten.gelu.default(mul)
    mm_1: "f32[s0, 2]" = torch.ops.aten.mm.default(gelu, p_w3)
    softmax: "f32[s0, 10]" = torch.ops.aten._softmax.default(gelu, -1, False)
    tanh: "f32[s0, 2]" = torch.ops.aten.tanh.default(mm_1)
    return (softmax, tanh, gelu)
)fx";
    static constexpr fx_input inputs[] = {{"p_w1", "w1"}, {"p_b1", "b1"}, {"p_w2", "w2"}, {"p_w3", "w3"}, {"p_g", "g"}};
};

// The export says that s0 is 2 at least.
struct exported {
    static constexpr char text[] = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[s17, 3]"):
            mul: "f32[s17, 3]" = torch.ops.aten.mul.Tensor(x, 2.0);  x = None
            return (mul,)

Graph signature:
    # inputs
    x: USER_INPUT

    # outputs
    mul: USER_OUTPUT

Range constraints: {s17: VR[2, 16], s77: VR[2, int_oo]}
)fx";
};
// The size is that of a cache's positions, of which no input says how many there are.
struct cached {
    static constexpr char text[] = R"fx(def forward(self, q: "f32[2, 1, 4]", k: "f32[2, s0, 4]"):
    t: "f32[2, 4, s0]" = torch.ops.aten.transpose.int(k, 1, 2)
    bmm: "f32[2, 1, s0]" = torch.ops.aten.bmm.default(q, t)
    return (bmm,)
)fx";
};

using program = compiled_bounded<mlp, bound<"s0", 33>>;
struct at_bound : mlp {
    static constexpr symbol_value symbols[] = {{"s0", 33}};
};
static_assert(program::accepted && program::least == 1 && program::most == 33);
static_assert(program::session::bytes == session<program::program>::bytes);
static_assert(compiled_bounded<exported, bound<"s17", 16>>::least == 2);

void refuses_what_does_not_fit() {
    bounded_agreement<program, mlp> of;
    const auto weights = program::prepare(of.given);
    alignas(64) static std::byte memory[program::session::bytes + 64];
    program::session run(weights, memory);
    const std::vector<float> x(40 * 16, 0.5f), z(40 * 10, 0.25f), k(10, 1.f);
    const auto first = [](const std::vector<float>& all, std::size_t n) { return std::span<const float>(all.data(), n); };
    const auto once = [&] {
        const auto [softmax, tanh, gelu] = run(first(x, 5 * 16), first(z, 5 * 10), k);
        return std::tuple(softmax.copy(), tanh.copy(), gelu.copy());
    };
    const auto before = once();
    // By the inputs, each with its name, what it takes and what came.
    check_fault([&] { run(first(x, 0), first(z, 10), k); }, fault::element_counts_differ, "x");
    check_fault([&] { run(first(x, 47), first(z, 30), k); }, fault::element_counts_differ, "16 elements for each of s0, f32[s0, 16]");
    check_fault([&] { run(first(x, 47), first(z, 30), k); }, fault::element_counts_differ, "47");
    check_fault([&] { run(first(x, 48), first(z, 31), k); }, fault::element_counts_differ, "z");
    check_fault([&] { run(first(x, 34 * 16), first(z, 34 * 10), k); }, fault::size_exceeds_bound, "s0 from 1 to 33 in f32[s0, 16]");
    check_fault([&] { run(first(x, 34 * 16), first(z, 34 * 10), k); }, fault::size_exceeds_bound, "34");
    check_fault([&] { run(first(x, 3 * 16), first(z, 4 * 10), k); },
                {.what = fault::input_sizes_disagree, .name = "z", .found = "4", .words = "s0 = 3, as in x"});
    check_fault([&] { run(first(x, 48), first(z, 30), first(k, 9)); }, fault::element_counts_differ, "10");
    check_fault([&] { run.at(4, first(x, 48), first(z, 30), k); }, fault::input_sizes_disagree, "s0 = 4, as in the size given");
    for (const std::int64_t size : {0, -1, -2, 34}) check_fault([&] { run.at(size, first(x, 48), first(z, 30), k); }, fault::size_exceeds_bound, "from 1 to 33");
    {
        const auto held = run(first(x, 16), first(z, 10), k);
        check(run.is_held() && std::get<0>(held).size() == 10);
        check_fault([&] { run(first(x, 16), first(z, 10), k); }, fault::output_is_still_held);
        check_fault([&] { run.reset(); }, fault::output_is_still_held);
    }
    const auto inside = std::span<const float>(reinterpret_cast<const float*>(memory), 16);
    check_fault([&] { run(inside, first(z, 10), k); }, fault::memory_is_in_use, "x");
    const auto tried = run.try_run(first(x, 3 * 16), first(z, 4 * 10), k);
    check_fault(tried.why(), {fault::input_sizes_disagree});
    check(run.try_run(first(x, 3 * 16), first(z, 3 * 10), k).ok());
    check_fault([&] { program::session(weights, std::span(memory).first(64)); }, fault::memory_is_too_small);
    check(once() == before, "what was refused has changed nothing");
}
void is_the_fixed_program_at_the_bound() {
    using fixed = compiled<fx<at_bound>>;
    bounded_agreement<program, mlp> of;
    const auto weights = program::prepare(of.given);
    const auto others = fixed::prepare(of.given);
    program::session run{weights};
    fixed::session same{others};
    std::array<float, 33 * 16> x;
    std::array<float, 33 * 10> z;
    std::array<float, 10> k;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13) * 0.1f;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = static_cast<float>(i % 7) * 0.1f;
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = static_cast<float>(i % 3);
    const auto [a, b, c] = run(x, z, k);
    const auto [d, e, f] = same(x, z, k);
    check(std::ranges::equal(a, d) && std::ranges::equal(b, e) && std::ranges::equal(c, f), "to the bit");
    check(a.sizes() == d.sizes() && a.strides() == d.strides() && a.data()[1] == a(0, 1) && a.elements().size() == 330);
}
void says_the_size() {
    using limited = compiled_bounded<exported, bound<"s17", 16>>;
    const auto weights = limited::prepare();
    limited::session run{weights};
    const std::vector<float> x(48, 1.5f);
    check_fault([&] { run(std::span<const float>(x).first(3)); }, fault::size_exceeds_bound, "s17 from 2 to 16");
    {
        const auto [y] = run(std::span<const float>(x).first(6));
        check(y.size() == 6 && y.sizes()[0] == 2 && y(1, 2) == 3.f);
        if (runtime::is_debug_build) check_fault([&] { static_cast<void>(y(2, 0)); }, fault::index_is_out_of_range);
    }
    using decoding = compiled_bounded<cached, bound<"s0", 8>>;
    const auto none = decoding::prepare();
    decoding::session step{none};
    const std::vector<float> q(8, 1.f), k(2 * 8 * 4, 0.5f);
    check_fault([&] { step(q, k); }, fault::size_exceeds_bound, "no input says it");
    check_fault([&] { step.at(3, q, std::span<const float>(k).first(2 * 3 * 4)); }, fault::element_counts_differ, "room for the bound");
    const auto [y] = step.at(3, q, k);
    check(y.size() == 6 && y.sizes() == std::array<std::int64_t, 3>{2, 1, 3} && y.strides()[0] == 8 && std::ranges::all_of(y.copy(), [](float v) { return v == 2.f; }));
}

} // namespace

int main() {
    check_bounded<compiled_bounded<mlp, bound<"s0", 33>>, mlp>({1, 2, 3, 7, 16, 17, 31, 32, 33});
    refuses_what_does_not_fit();
    is_the_fixed_program_at_the_bound();
    says_the_size();
    return report();
}
