// Writes into tensors that several streams use, and weights on a stream of their own: whole programs, in both modes, give what one stream gives.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>

using namespace ahead;
using namespace test;

namespace {

inline constexpr config one_by_one_options{.mode = mode::reduce_overhead};
using one_by_one = toolchain<>::with_options<one_by_one_options>;
// a is made on the main stream, a part of it written on another, all of it read on both.
struct ordered {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[2, 4]"):
    a = torch.ops.aten.neg.default(x)
    r = torch.ops.air.record.default()
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['one'])
    w = torch.ops.air.wait.default([r])
    s = torch.ops.aten.select.int(a, 0, 0)
    m = torch.ops.aten.mul_.Tensor(s, 10)
    y = torch.ops.aten.exp.default(a)
    r_1 = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    w_1 = torch.ops.air.wait.default([r_1])
    z = torch.ops.aten.sin.default(a)
    return (y, z, a)
)fx";
};
struct plain {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[2, 4]"):
    a = torch.ops.aten.neg.default(x)
    s = torch.ops.aten.select.int(a, 0, 0)
    m = torch.ops.aten.mul_.Tensor(s, 10)
    y = torch.ops.aten.exp.default(a)
    z = torch.ops.aten.sin.default(a)
    return (y, z, a)
)fx";
};
// An input that is written on a stream, and read on the main one.
struct in_input {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[2, 4]"):
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['one'])
    m = torch.ops.aten.mul_.Tensor(x, 10)
    r = torch.ops.air.record.default()
    u = torch.ops.air.scope_exit.default()
    w = torch.ops.air.wait.default([r])
    z = torch.ops.aten.sin.default(x)
    return (z,)
)fx";
};
inline constexpr auto weighted = trace([](input<"x", f32<2, 4>> x, param<"w", f32<4, 4>> w) {
    scope_enter<"one">(x);
    auto c = mm(x, add(w, 1));
    auto r = record(x);
    scope_exit(x);
    wait(r);
    return outputs(relu(c), mm(x, w));
});
inline constexpr auto unweighted = trace([](input<"x", f32<2, 4>> x, param<"w", f32<4, 4>> w) {
    return outputs(relu(mm(x, add(w, 1))), mm(x, w));
});
// The outputs, then the inputs as the run left them.
template <class Program, class... Inputs> std::vector<float> run(const weights& from, Inputs... inputs) {
    const auto prepared = Program::prepare(from);
    typename Program::session session{prepared};
    std::vector<float> out;
    const auto results = session(inputs...);
    std::apply([&](const auto&... each) { (out.insert(out.end(), each.begin(), each.end()), ...); }, results);
    (out.insert(out.end(), inputs.begin(), inputs.end()), ...);
    return out;
}

} // namespace

int main() {
    const std::array x{1.f, 2.f, 3.f, 4.f, -1.f, -2.f, 0.5f, 0.25f};
    std::array<float, 16> v{};
    for (std::size_t i = 0; i < 16; ++i) v[i] = static_cast<float>(i) - 7;
    const weights none;
    weights w;
    w.add("w", dtype::f32, {4, 4}, std::as_bytes(std::span(v)));
    check(run<compiled<fx<ordered>>>(none, x) == run<compiled<fx<plain>>>(none, x));
    check(run<compiled<fx<ordered>, one_by_one>>(none, x) == run<compiled<fx<plain>>>(none, x));
    const auto a = run<compiled<fx<in_input>>>(none, x), b = run<compiled<fx<in_input>, one_by_one>>(none, x);
    check(a == b && a[8] == 10.f);
    check(run<compiled<weighted>>(w, x) == run<compiled<unweighted>>(w, x));
    check(run<compiled<weighted, one_by_one>>(w, x) == run<compiled<unweighted>>(w, x));
    return report();
}
