// SPDX-License-Identifier: MIT
// Kernels on Eigen's expressions: a program that has them wherever there are some computes what the tuned kernels do,
// the same bits on several cores, and a choice file may name one of them.
#include "fused_agreement.hpp"

#include <ahead/compile/inspect_fx.hpp>
#include <ahead/eigen.hpp>
#include <ahead/print/choice_report.hpp>
#include <ahead/tune/candidates.hpp>

using namespace ahead;
using namespace test;

namespace {

inline constexpr config on_eigen{.kernels = kernel_set::eigen, .fuse_attention = false, .fuse_reductions = false};
inline constexpr config on_tuned{.fuse_attention = false, .fuse_reductions = false};
inline constexpr machine::device three_cores = where_meeting_is_free(machine::npu, 3);
inline constexpr config on_three{.cores = 3, .kernels = kernel_set::eigen, .fuse_attention = false, .fuse_reductions = false};
template <class Net> using eigen = compiled<fx<Net>, toolchain<>::with_options<on_eigen>>;
template <class Net> using tuned = compiled<fx<Net>, toolchain<>::with_options<on_tuned>>;
template <class Net> using split = compiled<fx<Net>, toolchain<>::with_options<on_three>::with_device<three_cores>>;

struct products {
    static constexpr std::string_view text =
        R"fx(def forward(self, x : f32[13, 20], w : f32[20, 70], b : f32[70], y : f32[2, 5, 7], z : f32[2, 7, 9], v : f64[3, 4], u : f64[4, 2], one : f32[1, 20]):
    addmm = torch.ops.aten.addmm.default(b, x, w)
    relu = torch.ops.aten.relu.default(addmm)
    add = torch.ops.aten.add.Tensor(relu, addmm)
    t = torch.ops.aten.t.default(addmm)
    gram = torch.ops.aten.mm.default(addmm, t)
    other = torch.ops.aten.mm.default(t, addmm)
    bmm = torch.ops.aten.bmm.default(y, z)
    turned = torch.ops.aten.transpose.int(y, 1, 2)
    square = torch.ops.aten.bmm.default(turned, y)
    dots = torch.ops.aten.mm.default(v, u)
    row = torch.ops.aten.mm.default(one, w)
    tanh = torch.ops.aten.tanh.default(row)
    return (add, gram, other, bmm, square, dots, tanh)
)fx";
    static constexpr fx_input inputs[] = {{"w", "w"}, {"b", "b"}, {"u", "u"}};
};
struct convolutions {
    static constexpr std::string_view text =
        R"fx(def forward(self, x : f32[2, 8, 10, 11], w : f32[24, 8, 3, 3], b : f32[24], g : f32[24, 6, 3, 3], p : f32[12, 24, 1, 1], d : f32[12, 1, 5, 5]):
    conv = torch.ops.aten.convolution.default(x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    relu = torch.ops.aten.relu.default(conv)
    grouped = torch.ops.aten.convolution.default(relu, g, None, [2, 2], [2, 2], [2, 2], False, [0, 0], 4)
    sigmoid = torch.ops.aten.sigmoid.default(grouped)
    point = torch.ops.aten.convolution.default(conv, p, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    deep = torch.ops.aten.convolution.default(point, d, None, [1, 1], [2, 2], [1, 1], False, [0, 0], 12)
    add = torch.ops.aten.add.Tensor(deep, point)
    return (sigmoid, add)
)fx";
    static constexpr fx_input inputs[] = {{"w", "w"}, {"b", "b"}, {"g", "g"}, {"p", "p"}, {"d", "d"}};
};
struct rows {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[6, 5, 37], w : f32[37], b : f32[37], y : f64[4, 9]):
    softmax = torch.ops.aten._softmax.default(x, 2, False)
    logs = torch.ops.aten._log_softmax.default(x, 2, False)
    both = torch.ops.aten.layer_norm.default(x, [37], w, b)
    plain = torch.ops.aten.layer_norm.default(x, [37])
    rows = torch.ops.aten.sum.dim_IntList(x, [2])
    outer = torch.ops.aten.mean.dim(x, [0])
    two = torch.ops.aten.amax.default(x, [0, 2])
    least = torch.ops.aten.amin.default(y, [1])
    prod = torch.ops.aten.prod.dim_int(y, 0)
    of_doubles = torch.ops.aten._softmax.default(y, 1, False)
    return (softmax, logs, both, plain, rows, outer, two, least, prod, of_doubles)
)fx";
    static constexpr fx_input inputs[] = {{"w", "w"}, {"b", "b"}};
};

// Every expression, numbers beside tensors, operands that are turned or repeated, several blocks, several results, and operators
// without an expression. The comparison alone is not on Eigen's arrays.
struct pointwise {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[5, 301], y : f32[301, 5], b : f32[301], c : f32[5, 1], d : f64[3, 7], e : f64[7]):
    t = torch.ops.aten.t.default(y)
    add = torch.ops.aten.add.Tensor(x, t, alpha = 3)
    sub = torch.ops.aten.sub.Tensor(add, b)
    mul = torch.ops.aten.mul.Tensor(sub, c)
    relu = torch.ops.aten.relu.default(mul)
    one = torch.ops.aten.add.Scalar(relu, 1.5)
    log = torch.ops.aten.log.default(one)
    sqrt = torch.ops.aten.sqrt.default(one)
    rsqrt = torch.ops.aten.rsqrt.default(one)
    over = torch.ops.aten.reciprocal.default(one)
    quotient = torch.ops.aten.div.Tensor(log, sqrt)
    largest = torch.ops.aten.maximum.default(quotient, rsqrt)
    least = torch.ops.aten.minimum.default(largest, over)
    gelu = torch.ops.aten.gelu.default(least)
    tanh = torch.ops.aten.tanh.default(x)
    sigmoid = torch.ops.aten.sigmoid.default(tanh)
    silu = torch.ops.aten.silu.default(x)
    neg = torch.ops.aten.neg.default(silu)
    abs_1 = torch.ops.aten.abs.default(neg)
    exp = torch.ops.aten.exp.default(x)
    sin = torch.ops.aten.sin.default(d)
    cos = torch.ops.aten.cos.default(e)
    both = torch.ops.aten.mul.Tensor(sin, cos)
    halves = torch.ops.aten.div.Scalar(both, 0.25)
    less = torch.ops.aten.sub.Scalar(halves, 2)
    floor = torch.ops.aten.floor.default(less)
    ceil = torch.ops.aten.ceil.default(halves)
    twice = torch.ops.aten.mul.Scalar(ceil, 2)
    lt = torch.ops.aten.lt.Tensor(d, e)
    single = torch.ops.aten.erf.default(d)
    return (gelu, least, sigmoid, abs_1, exp, floor, twice, lt, single)
)fx";
};

/// How many calls have a choice that is Eigen's: the last of its names.
template <class Op> int eigen_calls(graph_view g) {
    int out = 0;
    for (node_id id : g) {
        if (!is_call_of<Op>(g[id])) continue;
        diagnosis d;
        auto key = Op::key(typed_call(g, id, device::registry::table, d));
        const auto choice = static_cast<std::size_t>(device::choice_in(key));
        out += names_of(typename Op::kernel_choice{})[choice] == "eigen";
    }
    return out;
}

/// How many pointwise loops are on Eigen's arrays, and how many are not.
template <class Program> std::pair<int, int> loops() {
    using operators = typename Program::operators;
    const auto g = Program::lowered_graph();
    std::pair<int, int> out{};
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        const auto count = [&]<class Op>(std::type_identity<Op>) {
            if constexpr (std::is_same_v<Op, device::fused> || requires { typename Op::meaning_of; })
                for (node_id id : g) {
                    if (!is_call_of<Op>(g[id])) continue;
                    diagnosis d;
                    ++(Op::key(typed_call(g, id, device::registry::table, d)).choice == device::single_choice::eigen ? out.first : out.second);
                }
        };
        (count(std::type_identity<typename operators::template op<Nth>>{}), ...);
    }(std::make_index_sequence<operators::ids.size()>{});
    return out;
}

template <class Net> void agrees(std::string_view name) {
    const auto given = random_inputs(tuned<Net>::captured());
    const auto expected = outputs_of<tuned<Net>>(given), made = outputs_of<eigen<Net>>(given);
    double apart = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        apart = std::max(apart, std::fabs(made[i] - expected[i]) / (1 + std::fabs(expected[i])));
    check(made.size() == expected.size() && apart < 2e-5, std::string(name) + ": " + std::to_string(apart));
    check(outputs_of<split<Net>>(given) == made, std::string(name) + " on three cores");
}

/// NaN and infinities, as the tuned kernels.
void special_rows() {
    std::vector<float> x(6 * 5 * 37, 1.0f);
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    x[3] = nan, x[40] = inf, x[80] = -inf;
    for (std::size_t i = 4 * 37; i < 5 * 37; ++i) x[i] = -inf;
    const std::vector<double> y(36, 2.0);
    const auto run = [&]<class Program>() {
        weights parameters;
        const std::vector<float> ones(37, 1.0f);
        for (const char* name : {"w", "b"}) parameters.add(name, dtype::f32, {37}, std::as_bytes(std::span(ones)));
        const auto prepared = Program::prepare(parameters);
        typename Program::session session{prepared};
        const auto outputs = session(x, y);
        std::vector<float> out;
        const auto add = [&](const auto& o) {
            for (const auto v : o.storage()) out.push_back(static_cast<float>(v));
        };
        add(std::get<0>(outputs)), add(std::get<1>(outputs)), add(std::get<4>(outputs)), add(std::get<6>(outputs));
        return out;
    };
    const auto a = run.template operator()<tuned<rows>>(), b = run.template operator()<eigen<rows>>();
    int wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        wrong += !(std::isnan(a[i]) ? std::isnan(b[i]) : a[i] == b[i] || std::fabs(a[i] - b[i]) < 1e-5f * (1 + std::fabs(a[i])));
    check(wrong == 0, std::to_string(wrong) + " special values differ");
}

struct bounds {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[9], y : f32[9]):
    relu = torch.ops.aten.relu.default(x)
    maximum = torch.ops.aten.maximum.default(x, y)
    minimum = torch.ops.aten.minimum.default(x, y)
    sqrt = torch.ops.aten.sqrt.default(x)
    log = torch.ops.aten.log.default(y)
    exp = torch.ops.aten.exp.default(x)
    return (relu, maximum, minimum, sqrt, log, exp)
)fx";
};
void special_elements() {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> x{nan, 1, -inf, inf, 0, -1, nan, 2, 3}, y{1, nan, inf, -inf, -1, 0, nan, 3, 2};
    const auto run = [&]<class Program>() {
        const auto prepared = Program::prepare();
        typename Program::session session{prepared};
        const auto outputs = session(x, y);
        std::vector<float> out;
        std::apply([&](const auto&... each) { (out.insert(out.end(), each.storage().begin(), each.storage().end()), ...); }, outputs);
        return out;
    };
    const auto a = run.template operator()<tuned<bounds>>(), b = run.template operator()<eigen<bounds>>();
    std::string wrong;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::isnan(a[i]) ? std::isnan(b[i]) : a[i] == b[i] || std::fabs(a[i] - b[i]) < 1e-5f * (1 + std::fabs(a[i])))) wrong += std::to_string(i) + " ";
    check(a.size() == 54 && wrong.empty(), wrong);
}

inline constexpr std::string_view lines =
    "npu.batch_matmul m=5 n=9 k=7 a_row=7 a_col=1 b_row=9 b_col=1 batch=2 a_step=35 b_step=63 : eigen\n";
inline constexpr config of_file{.choices = lines};

} // namespace

int main() {
    const auto g = eigen<products>::lowered_graph();
    check(eigen_calls<device::matmul>(g) == 5 && eigen_calls<device::batch_matmul>(g) == 2);
    check(eigen_calls<device::convolution>(eigen<convolutions>::lowered_graph()) == 4);
    const auto r = eigen<rows>::lowered_graph();
    check(eigen_calls<device::softmax>(r) == 3 && eigen_calls<device::layer_norm>(r) == 2 && eigen_calls<device::reduce>(r) == 5);
    check(eigen_calls<device::matmul>(tuned<products>::lowered_graph()) == 0);
    const auto [on, off] = loops<eigen<pointwise>>();
    check(on >= 6 && off == 1, std::to_string(on) + " loops on Eigen's arrays, " + std::to_string(off) + " not");
    check(loops<tuned<pointwise>>().first == 0);
    agrees<pointwise>("pointwise");
    agrees<products>("products");
    agrees<convolutions>("convolutions");
    agrees<rows>("rows");
    special_rows();
    special_elements();
    using chosen = compiled<fx<products>, toolchain<>::with_options<of_file>>;
    check(eigen_calls<device::batch_matmul>(chosen::lowered_graph()) == 1 && eigen_calls<device::matmul>(chosen::lowered_graph()) == 0);
    return report();
}
