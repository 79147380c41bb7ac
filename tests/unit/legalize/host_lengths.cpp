// SPDX-License-Identifier: MIT
// Lengths of keys that the host gives at each run, as torch_npu's attention takes them: what they hide is what a mask hides, for every value and row.
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/torch_npu.hpp>

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

// One query a row, two rows with lengths of their own; the second one is a number of the first.
struct with_lengths {
    static constexpr char text[] = R"fx(def forward(self, n: "Sym(s1)", q: "f32[2, 1, 8]", k: "f32[2, 6, 8]", v: "f32[2, 6, 8]"):
    add: "Sym(s1 + 2)" = n + 2
    npu_incre_flash_attention: "f32[2, 1, 8]" = torch.ops.npu.npu_incre_flash_attention.default(q, k, v, actual_seq_lengths = [add, n], num_heads = 2, scale_value = 0.5)
    return (npu_incre_flash_attention,)
)fx";
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
struct with_mask {
    static constexpr char text[] = R"fx(def forward(self, q: "f32[2, 1, 8]", k: "f32[2, 6, 8]", v: "f32[2, 6, 8]", hidden: "b8[2, 6]"):
    npu_incre_flash_attention: "f32[2, 1, 8]" = torch.ops.npu.npu_incre_flash_attention.default(q, k, v, atten_mask = hidden, num_heads = 2, scale_value = 0.5)
    return (npu_incre_flash_attention,)
)fx";
};
// Several queries, a mask beside the lengths, one of which is written in the text.
struct with_both {
    static constexpr char text[] = R"fx(def forward(self, n: "Sym(s1)", q: "f32[2, 2, 3, 4]", k: "f32[2, 2, 6, 4]", v: "f32[2, 2, 6, 4]", m: "b8[2, 3, 6]"):
    npu_fused_infer_attention_score_v2 = torch.ops.npu.npu_fused_infer_attention_score_v2.default(q, k, v, atten_mask = m, actual_seq_kvlen = [4, n], num_query_heads = 2, softmax_scale = 0.5, input_layout = 'BNSD')
    getitem: "f32[2, 2, 3, 4]" = npu_fused_infer_attention_score_v2[0]
    npu_fused_infer_attention_score = torch.ops.npu.npu_fused_infer_attention_score.default(q, k, v, actual_seq_lengths_kv = [n, n], num_heads = 2, scale = 0.5, input_layout = 'BNSD')
    getitem_1: "f32[2, 2, 3, 4]" = npu_fused_infer_attention_score[0]
    return (getitem, getitem_1)
)fx";
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
struct with_masks {
    static constexpr char text[] = R"fx(def forward(self, q: "f32[2, 2, 3, 4]", k: "f32[2, 2, 6, 4]", v: "f32[2, 2, 6, 4]", m: "b8[2, 3, 6]", o: "b8[2, 3, 6]"):
    npu_fused_infer_attention_score_v2 = torch.ops.npu.npu_fused_infer_attention_score_v2.default(q, k, v, atten_mask = m, num_query_heads = 2, softmax_scale = 0.5, input_layout = 'BNSD')
    getitem: "f32[2, 2, 3, 4]" = npu_fused_infer_attention_score_v2[0]
    npu_fused_infer_attention_score = torch.ops.npu.npu_fused_infer_attention_score.default(q, k, v, atten_mask = o, num_heads = 2, scale = 0.5, input_layout = 'BNSD')
    getitem_1: "f32[2, 2, 3, 4]" = npu_fused_infer_attention_score[0]
    return (getitem, getitem_1)
)fx";
};
template <class Source> using program = compiled<fx<Source, torch_npu::registry>, torch_npu::tools>;
static_assert(program<with_lengths>::accepted && program<with_lengths>::plan.inputs == 4 && program<with_lengths>::plan.ai_cpu_tasks == 0);
static_assert(program<with_both>::accepted && program<with_both>::plan.ai_cpu_tasks == 0);

template <std::size_t N> std::array<float, N> some(std::uint32_t seed) {
    std::array<float, N> out{};
    for (auto& x : out) x = static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0f - 0.5f;
    return out;
}
template <class A, class B> void check_near(const A& a, const B& b) {
    const auto x = a.copy(), y = b.copy();
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::isfinite(x[i]) ? std::abs(double{x[i]} - y[i]) : 1.0);
    check(worst < 1e-6, std::to_string(worst));
}

} // namespace

int main() {
    {
        const auto weights = program<with_lengths>::prepare();
        program<with_lengths>::session run{weights};
        const auto masked = program<with_mask>::prepare();
        program<with_mask>::session known{masked};
        const auto q = some<16>(1);
        const auto k = some<96>(2), v = some<96>(3);
        for (std::int64_t n = 1; n <= 4; ++n) {
            std::array<bool, 12> hidden{};
            for (std::int64_t j = 0; j < 6; ++j) {
                hidden[static_cast<std::size_t>(j)] = j >= n + 2;
                hidden[static_cast<std::size_t>(6 + j)] = j >= n;
            }
            const auto [a] = run(n, q, k, v);
            const auto [b] = known(q, k, v, hidden);
            check_near(a, b);
        }
    }
    {
        const auto weights = program<with_both>::prepare();
        program<with_both>::session run{weights};
        const auto masked = program<with_masks>::prepare();
        program<with_masks>::session known{masked};
        const auto q = some<48>(1);
        const auto k = some<96>(2), v = some<96>(3);
        for (std::int64_t n = 2; n <= 6; ++n) {
            std::array<bool, 36> m{}, both{}, own{};
            for (std::size_t i = 0; i < m.size(); ++i) {
                const auto place = static_cast<std::int64_t>(i % 6);
                m[i] = i % 6 == (i / 6) % 3 + 1;
                both[i] = m[i] || place >= (i < 18 ? 4 : n);
                own[i] = place >= n;
            }
            const auto [a, c] = run(n, q, k, v, m);
            const auto [b, d] = known(q, k, v, both, own);
            check_near(a, b);
            check_near(c, d);
        }
    }
    // A list of the host's numbers is packed into one tensor, once however many read it; so is what it hides.
    const auto tasks_of = [](int calls) {
        auto text = std::string("def forward(self, n: \"Sym(s1)\", m: \"Sym(s2)\", k_: \"Sym(s1)\", q: \"f32[2, 1, 8]\", k: \"f32[2, 6, 8]\", v: \"f32[2, 6, 8]\"):\n");
        std::string results;
        for (int i = 0; i < calls; ++i) {
            const auto a = "a" + std::to_string(i);
            text += "    " + a + " = torch.ops.npu.npu_incre_flash_attention.default(" + std::string(i == 0 ? "q" : "a" + std::to_string(i - 1)) +
                    ", k, v, actual_seq_lengths = [" + (i % 2 == 0 ? "n" : "k_") + ", m], num_heads = 2, scale_value = 0.5)\n";
        }
        text += "    return (a" + std::to_string(calls - 1) + ",)\n";
        const symbol_value symbols[] = {host_symbol("s1"), host_symbol("s2")};
        const auto made = inspect_fx<torch_npu::tools, torch_npu::registry>(text, torch_npu::tools::options, {}, symbols);
        check(made.error.ok() && made.plan().inputs == 5, render(made.error));
        return made.plan().run_tasks;
    };
    // One call reads keys and values where they lie; of several, one copy is read by all.
    const auto one = tasks_of(1), two = tasks_of(2), three = tasks_of(3), four = tasks_of(4);
    check(three - two == four - three && three - two < one, std::to_string(one) + " " + std::to_string(two) + " " + std::to_string(three) + " " + std::to_string(four));
    // Lengths of queries are another's business, and a band beside lengths is not computed.
    const auto inspected = [](const char* arguments) {
        const auto text = std::string("def forward(self, n: \"Sym(s1)\", q: \"f32[1, 2, 3, 4]\"):\n    a = torch.ops.npu.npu_fused_infer_attention_score.default(q, q, q, num_heads = 2, "
                                      "input_layout = 'BNSD', ") + arguments + ")\n    b = a[0]\n    return (b,)\n";
        const symbol_value symbols[] = {host_symbol("s1")};
        return inspect_fx<torch_npu::tools, torch_npu::registry>(text, {}, {}, symbols).error;
    };
    check_fault(inspected("actual_seq_lengths = [n]"), {fault::argument_is_unknown});
    check_fault(inspected("actual_seq_lengths_kv = [n], sparse_mode = 3"), {fault::host_parameter_is_fixed});
    check_fault(inspected("actual_seq_lengths_kv = [n, n]"), {fault::shapes_do_not_broadcast});
    check(inspected("actual_seq_lengths_kv = [n]").ok());
    return report();
}
