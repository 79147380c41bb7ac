// SPDX-License-Identifier: MIT
// What graphs become on the device: transposed operands of products are strides and no copies, what only constants feed is prepare's, inputs that
// nobody reads cost nothing, and a product that is read besides through a copy keeps its sums.
#include "harness.hpp"
#include "lowered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/interpreter.hpp>

#include <cmath>

using namespace ahead;
using namespace test;

namespace {

template <class Net>
std::string tasks_of(Net) {
    const lowered made(Net::storage.view());
    check(made.error.ok());
    return made.tasks();
}

// ---- transposes

constexpr auto right_turned = trace([](input<"x", f32<3, 4>> x, input<"w", f32<5, 4>> w) { return outputs(mm(x, permute<1, 0>(w))); });
constexpr auto left_turned = trace([](input<"x", f32<4, 3>> x, input<"w", f32<4, 5>> w) { return outputs(mm(permute<1, 0>(x), w)); });
constexpr auto both_turned =
    trace([](input<"x", f32<4, 3>> x, input<"w", f32<5, 4>> w) { return outputs(mm(permute<1, 0>(x), permute<1, 0>(w))); });
constexpr auto weight_turned =
    trace([](input<"x", f32<3, 4>> x, param<"w", f32<5, 4>> w, param<"b", f32<5>> b) { return outputs(addmm(b, x, permute<1, 0>(w))); });
constexpr auto batch_right =
    trace([](input<"x", f32<2, 3, 4>> x, input<"y", f32<2, 5, 4>> y) { return outputs(bmm(x, transpose<1, 2>(y))); });
constexpr auto batch_left =
    trace([](input<"x", f32<2, 4, 3>> x, input<"y", f32<2, 4, 5>> y) { return outputs(bmm(transpose<1, 2>(x), y)); });
constexpr auto batch_both =
    trace([](input<"x", f32<2, 4, 3>> x, input<"y", f32<2, 5, 4>> y) { return outputs(bmm(transpose<1, 2>(x), transpose<1, 2>(y))); });
constexpr auto after_permute =
    trace([](input<"x", f32<4, 3>> x, param<"w", f32<5, 4>> w, param<"b", f32<5>> b) { return outputs(linear(permute<1, 0>(x), w, b)); });
constexpr auto heads =
    trace([](input<"q", f32<4, 2, 8>> q, input<"k", f32<4, 2, 8>> k) { // [tokens, heads, size], as attention takes them apart
        return outputs(bmm(permute<1, 0, 2>(q), permute<1, 2, 0>(k)));
    });
// Where rows of a product are no rows in memory, a copy must remain.
constexpr auto three_dims =
    trace([](input<"x", f32<3, 2, 4>> x, param<"w", f32<5, 4>> w) { return outputs(linear(permute<1, 0, 2>(x), w)); });

void transposes() {
    check_equal(tasks_of(right_turned), "npu.matmul ");
    check_equal(tasks_of(left_turned), "npu.matmul ");
    check_equal(tasks_of(both_turned), "npu.matmul ");
    check_equal(tasks_of(weight_turned), "[npu.pack_matmul] npu.matmul ");
    check_equal(tasks_of(batch_right), "npu.batch_matmul ");
    check_equal(tasks_of(batch_left), "npu.batch_matmul ");
    check_equal(tasks_of(batch_both), "npu.batch_matmul ");
    check_equal(tasks_of(after_permute), "[npu.pack_matmul] npu.matmul ");
    check_equal(tasks_of(heads), "npu.batch_matmul ");
    check_equal(tasks_of(three_dims), "npu.copy [npu.pack_matmul] npu.matmul ");
}

// ---- constants

constexpr auto folded = trace([](input<"x", f32<3>> x, param<"w", f32<3>> w) {
    const auto c = constant<"c", f32<3>>(x, {1, 2, 3});
    return outputs(maximum(x, sqrt(c * 2.0) + exp(w)), softmax<0>(c) + x);
});
// What constants and inputs feed is the run's, though all but one operand is constant.
constexpr auto not_folded = trace([](input<"x", f32<3>> x, param<"w", f32<3>> w) { return outputs(softmax<0>(x + exp(w))); });

void constants() {
    using program = compiled<folded>;
    static_assert(program::plan.run_tasks == 2 && program::plan.prepare_tasks >= 2);
    static_assert(compiled<not_folded>::plan.run_tasks == 2 && compiled<not_folded>::plan.prepare_tasks == 1);
    const float w[] = {0, 1, 2};
    weights given;
    given.add("w", dtype::f32, {3}, std::as_bytes(std::span(w)));
    const auto prepared = program::prepare(given);
    program::session run{prepared};
    const auto [a, b] = run(std::array<float, 3>{0, 100, -1});
    const float wanted[] = {std::sqrt(2.0f) + 1, 100, std::sqrt(6.0f) + std::exp(2.0f)};
    for (std::size_t i = 0; i < 3; ++i) check(std::abs(a.data()[i] - wanted[i]) < 1e-5f);
    check(std::abs(b.data()[1] - (100 + std::exp(2.0f) / (std::exp(1.0f) + std::exp(2.0f) + std::exp(3.0f)))) < 1e-4f);
}

// ---- dead inputs

constexpr auto three_inputs = trace([](input<"x", f32<64>> x, input<"dead", f32<1000>> dead, param<"unread", f32<512>> unread) {
    static_cast<void>(exp(dead) + 1); // nobody reads it
    static_cast<void>(unread);
    return outputs(exp(x));
});
constexpr auto one_input = trace([](input<"x", f32<64>> x) { return outputs(exp(x)); });
using with_dead = compiled<three_inputs>;
using without = compiled<one_input>;
static_assert(with_dead::plan.run_tasks == without::plan.run_tasks && with_dead::plan.prepare_tasks == 0);
static_assert(with_dead::plan.peak_bytes == without::plan.peak_bytes && with_dead::plan.constant_bytes == 0);
static_assert(with_dead::plan.inputs == 2); // the graph's ports stay what the caller knows

// ---- a product that is read besides

constexpr auto read_besides = trace([](input<"x", f32<2, 2>> x, input<"w", f32<2, 2>> w) {
    const auto m = mm(x, w);
    const auto copied = call<aten::view_copy>(call_site::current(), m, ints<4>{}); // a copy, which is a view on the device
    return outputs(view<2, 2>(relu(copied)) * m);
});

// A copy is a view on the device, but two outputs are two tensors. What PyTorch returns twice, or as a view, is one.
constexpr auto with_its_copy = trace([](input<"x", f32<2, 2>> x) {
    auto a = relu(x);
    return outputs(a, clone(a), view<4>(a), a);
});
void outputs_of_their_own() {
    check_equal(tasks_of(with_its_copy), "npu.relu.default npu.copy ");
    using program = compiled<with_its_copy>;
    const auto prepared = program::prepare();
    program::session run{prepared};
    const auto [a, b, c, d] = run(std::array<float, 4>{1, -1, 2, 3});
    check(a.data() != b.data() && a.data() == c.data() && a.data() == d.data() && b.data()[3] == 3);
}

// ---- graphs that become many more calls on the device

struct columns_of_softmax {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[4, 3]):
    a = torch.ops.aten._softmax.default(x, 0, False)
    b = torch.ops.aten._softmax.default(a, 0, False)
    c = torch.ops.aten._softmax.default(b, 0, False)
    d = torch.ops.aten._softmax.default(c, 0, False)
    e = torch.ops.aten._softmax.default(d, 0, False)
    f = torch.ops.aten._softmax.default(e, 0, False)
    return (f,)
)fx";
};
void room_is_counted() {
    using program = compiled<fx<columns_of_softmax>>;
    constexpr auto usual = convert::usual_lowered_capacity(program::optimized_graph()), used = program::lowered_graph().header().used;
    static_assert(used.nodes > usual.nodes && program::lowered_graph().room().nodes == used.nodes);
    const auto prepared = program::prepare();
    program::session run{prepared};
    const auto [f] = run(std::array<float, 12>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    for (std::size_t i = 0; i < 3; ++i) check(std::abs(f.data()[i] + f.data()[3 + i] + f.data()[6 + i] + f.data()[9 + i] - 1) < 1e-5f);
}

void products() {
    using program = compiled<read_besides>;
    static_assert(program::plan.run_tasks == 3);
    const auto prepared = program::prepare();
    program::session run{prepared};
    const auto [squares] = run(std::array<float, 4>{1, 0, 0, 1}, std::array<float, 4>{-1, -2, 3, 4});
    const float wanted[] = {0, 0, 9, 16};
    for (std::size_t i = 0; i < 4; ++i) check(squares.data()[i] == wanted[i]);
}

} // namespace

int main() {
    transposes();
    constants();
    products();
    outputs_of_their_own();
    room_is_counted();
    return report();
}
