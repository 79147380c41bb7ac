// Operators on lists of tensors, as torch.optim calls them: each is read, typed, means what its operator of one tensor means, and becomes that.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/error.hpp>
#include <ahead/reference/equivalent.hpp>

#include <cmath>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal;

namespace {

constexpr op_table op_rows = aten::registry::table;
constexpr std::string_view inputs = "def forward(self, a : f32[2, 3], b : f32[4], c : f32[2, 3], d : f32[4], e : f32[2, 3], f : f32[4], h : f16[2, 3], i : i64[4]):\n";

std::string text_of(const std::string& call, int results, const std::string& returned) {
    std::string text = std::string(inputs) + "    made = torch.ops.aten." + call + "\n";
    for (int k = 0; k < results; ++k) text += "    r" + std::to_string(k) + " = made[" + std::to_string(k) + "]\n";
    return text + "    return (" + returned + ")\n";
}
bool read(const std::string& text, heap_storage& g, diagnosis& d) {
    fx_style style;
    return read_fx(text, op_rows, g.edit(), style, d) && infer_types(g.edit(), op_rows, d);
}
// That a call on lists, and what it becomes, mean what two calls of one tensor mean; the calls that it becomes.
void same(const std::string& list, const std::string& first, const std::string& second) {
    const auto text = text_of(list, 2, "r0, r1");
    const auto apart = std::string(inputs) + "    r0 = torch.ops.aten." + first + "\n    r1 = torch.ops.aten." + second + "\n    return (r0, r1)\n";
    diagnosis d;
    heap_storage joined(count_fx(text)), alone(count_fx(apart));
    if (!check(read(text, joined, d) && read(apart, alone, d), list + ": " + render(d))) return;
    for (std::uint64_t seed : {1u, 2u}) check(equivalent(alone.view(), joined.view(), seed, d), list + ": " + render(d));
    const auto made = inspect_fx(text);
    if (!check(made.error.ok(), list + ": " + render(made.error))) return;
    check(equivalent(alone.view(), made.optimized_graph(), 3, d), list + ": " + render(d));
    for (node_id n : made.optimized_graph()) check(made.optimized_graph()[n].target.find("_foreach") == std::string_view::npos, list);
}
std::string refusal(const std::string& call) { return test::sentence(inspect_fx(text_of(call, 1, "r0,")).error); }

void operators() {
    const auto unary = [](const std::string& name) { same("_foreach_" + name + ".default([a, b])", name + ".default(a)", name + ".default(b)"); };
    unary("neg");
    unary("sqrt");
    for (const std::string name : {"add", "sub", "mul", "div"}) {
        same("_foreach_" + name + ".Scalar([a, b], 0.25)", name + ".Tensor(a, 0.25)", name + ".Tensor(b, 0.25)");
        same("_foreach_" + name + ".List([a, b], [c, d])", name + ".Tensor(a, c)", name + ".Tensor(b, d)");
    }
    same("_foreach_add.List([a, b], [c, d], alpha = -0.5)", "add.Tensor(a, c, alpha = -0.5)", "add.Tensor(b, d, alpha = -0.5)");
    same("_foreach_sub.List([a, b], [c, d], alpha = 2)", "sub.Tensor(a, c, alpha = 2)", "sub.Tensor(b, d, alpha = 2)");
    same("_foreach_add.Scalar([h, b], 1)", "add.Tensor(h, 1)", "add.Tensor(b, 1)"); // each of its own dtype
    same("_foreach_lerp.Scalar([a, b], [c, d], 0.1)", "lerp.Scalar(a, c, 0.1)", "lerp.Scalar(b, d, 0.1)");
    same("_foreach_lerp.Scalar([a, b], [c, d], 0.75)", "lerp.Scalar(a, c, 0.75)", "lerp.Scalar(b, d, 0.75)");
    same("_foreach_addcmul.Scalar([a, b], [c, d], [e, f], 0.5)", "addcmul.default(a, c, e, value = 0.5)", "addcmul.default(b, d, f, value = 0.5)");
    same("_foreach_addcdiv.Scalar([a, b], [c, d], [e, f], -0.5)", "addcdiv.default(a, c, e, value = -0.5)", "addcdiv.default(b, d, f, value = -0.5)");
}

void lists() {
    // What nobody reads is not computed.
    const auto one = inspect_fx(text_of("_foreach_neg.default([a, b, c])", 2, "r1,"));
    check(one.error.ok(), render(one.error));
    check_equal(one.plan().run_tasks, 1);
    // As long as a model has parameters.
    std::string many = "[a";
    for (int k = 1; k < 40; ++k) many += k % 2 != 0 ? ", b" : ", c";
    const auto long_list = inspect_fx(text_of("_foreach_mul.Scalar(" + many + "], 2)", 40, "r0, r38, r39"));
    check(long_list.error.ok(), render(long_list.error));
    check_equal(long_list.plan().ai_cpu_tasks, 0);

    const auto is = [](const std::string& call, const std::string& why) { check_equal(refusal(call), "line 2: aten." + why); };
    is("_foreach_add.List([a, b], [c])", "_foreach_add.List 'made': element counts differ: expected 2 tensors in each list, found 1");
    is("_foreach_add.List([a], [b])", "_foreach_add.List 'made': shapes do not broadcast: expected f32[2, 3], found f32[4]");
    is("_foreach_mul.List([a], [h])", "_foreach_mul.List 'made': shapes do not broadcast: expected f32[2, 3], found f16[2, 3]");
    is("_foreach_neg.default([i])", "_foreach_neg.default 'made': dtype is unsupported: expected floating point, found i64[4]");
    is("_foreach_neg.default([])", "_foreach_neg.default 'made': argument is missing: expected one tensor at least, found an empty list");
    check(refusal("_foreach_add_.List([a], [c])").find("aten._foreach_add_.List is unknown") != std::string::npos, refusal("_foreach_add_.List([a], [c])"));
}

// One step of Adam as its capturable form prints it, compiled.
struct adam {
    static constexpr std::string_view text = R"fx(def forward(self, p : f32[2, 3], q : f32[4], g : f32[2, 3], h : f32[4], m : f32[2, 3], n : f32[4], v : f32[2, 3], w : f32[4]):
    lerp = torch.ops.aten._foreach_lerp.Scalar([m, n], [g, h], 0.1)
    m_1 = lerp[0]
    n_1 = lerp[1]
    mul = torch.ops.aten._foreach_mul.Scalar([v, w], 0.999)
    v_0 = mul[0]
    w_0 = mul[1]
    addcmul = torch.ops.aten._foreach_addcmul.Scalar([v_0, w_0], [g, h], [g, h], 0.001)
    v_1 = addcmul[0]
    w_1 = addcmul[1]
    sqrt = torch.ops.aten._foreach_sqrt.default([v_1, w_1])
    s = sqrt[0]
    t = sqrt[1]
    add = torch.ops.aten._foreach_add.Scalar([s, t], 1e-08)
    d = add[0]
    e = add[1]
    step = torch.ops.aten._foreach_addcdiv.Scalar([p, q], [m_1, n_1], [d, e], -0.01)
    p_1 = step[0]
    q_1 = step[1]
    return (p_1, q_1, m_1, n_1, v_1, w_1)
)fx";
};
using program = compiled<fx<adam>>;
static_assert(program::plan.ai_cpu_tasks == 0);
void step() {
    const auto weights = program::prepare({});
    program::session run{weights};
    const std::array<float, 6> p{1, 2, 3, 4, 5, 6}, g{1, -1, 2, -2, 3, -3}, zero{};
    const std::array<float, 4> q{1, 1, 1, 1}, h{4, 3, 2, 1}, none{};
    const auto [p1, q1, m1, n1, v1, w1] = run(p, q, g, h, zero, none, zero, none);
    for (int k = 0; k < 4; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const float m = 0.1f * h[i], v = 0.001f * h[i] * h[i];
        check(is_close(static_cast<double>(q1(k)), static_cast<double>(q[i] - 0.01f * m / (std::sqrt(v) + 1e-8f))) && is_close(static_cast<double>(n1(k)), static_cast<double>(m)) &&
              is_close(static_cast<double>(w1(k)), static_cast<double>(v)));
    }
    check(p1(0, 0) < 1 && p1(0, 1) > 2 && m1(1, 2) < 0 && v1(0, 0) > 0);
}

} // namespace

int main() {
    operators();
    lists();
    step();
    return test::report();
}
