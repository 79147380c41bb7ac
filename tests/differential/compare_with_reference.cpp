// SPDX-License-Identifier: MIT
// Differential runs: programs that are right, in every way that a tensor can be written, and programs with one wrong kernel, converter, pass or plan, which
// is named with its element, its values and its line, wherever it is, and nobody else.
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/differential/compare_with_reference.hpp>
#include <ahead/print/print_differential.hpp>

#include <concepts>
#include <limits>

using namespace ahead;
using namespace test;

namespace wrong {

/// bent(Tensor self, int at=-1): self + 1. Its kernel adds 1.25 to element `at`.
struct bent {
    static constexpr std::string_view name = "test.bent.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("at", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(0);
        make_contiguous(out);
        return c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(0, float{});
        const auto y = c.output(0, float{});
        for_each_index(sizes_of(x.type()), [&](const int_list& at) { y.put(at, x[at] + 1); });
    }
};
struct bent_key {
    std::int64_t size, at;
};
struct device_bent : bent {
    static constexpr std::string_view name = "npu.bent";
    static constexpr bent_key key(const call_view& c) { return {element_count(c.tensor(0)), c.integer(1)}; }
};
struct convert_bent {
    using op = bent;
    static constexpr bool convert(convert_context& c) { return c.bind_result(c.create<device_bent>({c.contiguous(c.operand(0)), c.aten.at(1)})); }
};
/// A converter that takes maximum for minimum, integers and all.
struct convert_minimum {
    using op = aten::minimum;
    static constexpr bool convert(convert_context& c) {
        return c.bind_result(c.create("npu.maximum.default", std::array{c.operand(0), c.operand(1)}));
    }
};

} // namespace wrong

template <> struct ahead::kernels::kernel_for<wrong::device_bent> {
    template <auto Key> static void run(const auto& at) {
        for (std::int64_t i = 0; i < Key.size; ++i) at.template out<float>()[i] = at.template in<float>(0)[i] + (i == Key.at ? 1.25f : 1);
    }
};

namespace {

struct operators : aten::registry::with<wrong::bent> {};
using tools = toolchain<>::with<wrong::device_bent, wrong::convert_bent>;
inline constexpr config streamed_options{.streams = 2};
using streamed = toolchain<>::with<wrong::device_bent, wrong::convert_bent>::with_options<streamed_options>;
inline constexpr config unfused_options{.mode = mode::reduce_overhead};
using unfused = toolchain<>::with<wrong::device_bent, wrong::convert_bent>::with_options<unfused_options>;
template <std::int64_t At, class A> constexpr auto bent(const handle<A>& x, call_site where = call_site::current()) {
    return call<wrong::bent>(where, x, integer<At>{});
}

template <std::size_t Size> std::array<float, Size> numbers(float step) {
    std::array<float, Size> out{};
    for (std::size_t i = 0; i < Size; ++i) out[i] = static_cast<float>(i % 7) * step - 1;
    return out;
}
template <std::size_t Size>
void add(weights& to, const char* name, std::vector<std::int64_t> sizes, const std::array<float, Size>& values) {
    to.add(name, dtype::f32, std::move(sizes), std::as_bytes(std::span(values)));
}

bool is_right(const differential_report& report, location where = location::current()) {
    std::string text;
    print_differential(report, text);
    return check(report.ok() && report.tasks > 0 && report.compared + static_cast<std::int32_t>(report.skipped.size()) == report.tasks &&
                     report.max_difference < 1e-5,
                 text, where);
}

// ---- what is right: views, fused groups, parts of a concatenation, several results, constants folded, inputs and states written, streams

inline constexpr auto right = trace<operators>([](input<"x", f32<4, 6>> x, input<"seen", f32<6, 4>> seen, param<"w", f32<6, 6>> w,
                                                  param<"b", f32<6>> b, param<"sum", f32<4, 6>, input_role::buffer> sum) {
    auto scaled = mul(softmax<1>(w), 2);                         // known at load
    auto product = relu(add(mm(x, scaled), b));                  // one task
    auto gone = sigmoid(neg(sub(product, x)));                   // one loop
    auto both = cat<1>(exp(product), permute<1, 0>(seen), gone); // some of it in its place
    copy_(seen, permute<1, 0>(tanh(gone)));
    auto next = copy_(sum, add(sum, product));
    return outputs(both, amax<1>(both), argmax<1>(both), slice<1, 1, 4>(next), x);
});

template <class Program> void runs_right(std::int32_t at_least) {
    weights stored;
    add(stored, "w", {6, 6}, numbers<36>(0.3f));
    add(stored, "b", {6}, numbers<6>(0.5f));
    add(stored, "sum", {4, 6}, numbers<24>(1));
    differential_run<Program> compare(stored);
    const auto prepared = Program::prepare(stored);
    typename Program::session run{prepared};
    auto x = numbers<24>(0.4f), seen = numbers<24>(0.2f), same = seen;
    for (int i = 0; i < 3; ++i) { // states and inputs go on as a session's do
        const auto report = compare(x, seen);
        is_right(report);
        check(report.compared >= at_least, std::to_string(report.compared));
        for (const auto& one : report.skipped) check(one.device_op.starts_with("npu.pack_"), one.device_op);
        run(x, same);
        check(seen == same);
    }
    is_right(compare.on_random_inputs(7));
    compare.reset();
    is_right(compare(x, seen));
}

// ---- what is wrong

/// The one that diverges, if it is one.
const divergence& only(const differential_report& report, location where = location::current()) {
    static const divergence none;
    std::string text;
    print_differential(report, text);
    check(!report.ok() && report.diverging.size() == 1, text, where);
    return report.first() == nullptr ? none : *report.first();
}

// In the middle, behind a loop and before a product, a loop and a concatenation that read it.
constexpr auto line_of_wrong = std::source_location::current().line() + 4;
inline constexpr auto in_the_middle = trace<operators>([](input<"x", f32<3, 4>> x, param<"w", f32<4, 4>> w) {
    auto before = sigmoid(neg(x));
    auto fine = bent<-1>(before);
    auto y = bent<6>(fine);
    auto product = mm(y, w);
    return outputs(relu(add(product, y)), cat<1>(y, exp(before)));
});
template <class Tools> void names_the_wrong_one() {
    using program = compiled<in_the_middle, Tools>;
    weights stored;
    add(stored, "w", {4, 4}, numbers<16>(0.3f));
    auto x = numbers<12>(0.4f);
    x[6] = 0;
    const auto report = compare_with_reference<program>(stored, x);
    const auto& wrong = only(report);
    check_equal(wrong.name, "bent_1");
    check_equal(wrong.op, "test.bent.default");
    check_equal(wrong.device_op, "npu.bent");
    check_equal(wrong.fused, "bent_1");
    check_equal(wrong.type, "f32[3, 4]");
    check_equal(wrong.line, static_cast<std::int32_t>(line_of_wrong));
    check(wrong.wrong == 1 && wrong.index == std::vector<std::int64_t>{1, 2} && std::abs(wrong.max_difference - 0.25) < 1e-6);
    std::string text;
    print_differential(report, text);
    const auto line = std::to_string(line_of_wrong);
    check_equal(text, std::string(std::same_as<Tools, unfused> ? "10 tasks: 9" : "7 tasks: 6") +
                          " compared, 1 skipped, 1 diverges; largest difference 0.25\n"
                          "first to diverge: bent_1 = test.bent.default, line " +
                          line +
                          ", task 4, npu.bent\n"
                          "f32[3, 4] at [1, 2]: expected 2.5, got 2.75\n"
                          "task\tname\top\tdevice_op\tline\ttype\twrong\tat\texpected\tgot\tdifference\n"
                          "4\tbent_1\ttest.bent.default\tnpu.bent\t" +
                          line +
                          "\tf32[3, 4]\t1\t[1, 2]\t2.5\t2.75\t0.25\n"
                          "skipped\tname\tdevice_op\treason\n"
                          "0\tmm\tnpu.pack_matmul\ta step on the way to its node\n");
    check(wrong.got == "2.75" && wrong.expected == "2.5" && report.max_difference == wrong.max_difference);
    check(program::plan_view().tasks[static_cast<std::size_t>(wrong.task)].node.exists() && report.compared >= 5);

    // Weights that no parameter takes are refused, or passed over, as by prepare.
    auto more = std::move(stored);
    add(more, "another", {4}, numbers<4>(1));
    check_equal(compare_with_reference<program>(differential_options{.strict = false}, more, x).diverging.size(), std::size_t{1});
    test::check_throws<error>([&] { compare_with_reference<program>(more, x); }, "weight 'another' is superfluous");
    add(stored, "w", {4, 4}, numbers<16>(0.3f));

    // Without repairs those who read it diverge as well, behind it; and so do the outputs.
    const auto spreads = compare_with_reference<program>(differential_options{.repairs = false}, stored, x);
    check(spreads.diverging.size() >= 4 && spreads.first()->name == "bent_1" &&
          spreads.diverging.back().stage == differential_stage::results);
    for (const auto& one : spreads.diverging) check(one.name != "bent" && one.name != "sigmoid" && one.name != "exp", one.name);
    const auto relu =
        std::find_if(spreads.diverging.begin(), spreads.diverging.end(), [](const divergence& one) { return one.name == "relu"; });
    check(relu != spreads.diverging.end() && relu->fused == (std::same_as<Tools, unfused> ? "relu" : "mm, add, relu"), relu->fused);
    // The tolerance is the user's.
    check(compare_with_reference<program>(differential_options{.rtol = 0, .atol = 0.26}, stored, x).ok());
    check(compare_with_reference<program>(differential_options{.rtol = 0.101, .atol = 0}, stored, x).first()->name != "bent_1");
    check(compare_with_reference<program>(differential_options{.rtol = 0.099, .atol = 0}, stored, x).first()->name == "bent_1");
    check(!compare_with_reference<program>(differential_options{.rtol = 0, .atol = 0.24}, stored, x).ok());
    const auto refused = [&](const differential_options& options, const char* name, const char* found) {
        check_fault([&] { compare_with_reference<program>(options, stored, x); }, fault::option_is_out_of_range, name);
        check_fault([&] { compare_with_reference<program>(options, stored, x); }, fault::option_is_out_of_range, found);
    };
    refused({.rtol = -1e-3}, "rtol", "below 0");
    refused({.atol = -1e-300}, "atol", "below 0");
    refused({.rtol = std::numeric_limits<double>::quiet_NaN()}, "rtol", "NaN");
    refused({.atol = std::numeric_limits<double>::quiet_NaN()}, "atol", "NaN");
    refused({.rtol = std::numeric_limits<double>::infinity()}, "rtol", "infinity");
}

// In prepare, as a part of a concatenation, into an input, into a state: one after the other.
inline constexpr auto everywhere = trace<operators>(
    [](input<"x", f32<4>> x, input<"seen", f32<4>> seen, param<"w", f32<4>> w, param<"kept", f32<4>, input_role::buffer> kept) {
        auto known = bent<0>(w);
        copy_(seen, bent<1>(x));
        copy_(kept, bent<2>(mul(kept, 2)));
        return outputs(cat<0>(bent<3>(add(x, known)), abs(x)), known);
    });
void names_them_wherever_they_write() {
    using program = compiled<everywhere, tools>;
    weights stored;
    add(stored, "w", {4}, numbers<4>(1));
    add(stored, "kept", {4}, numbers<4>(1));
    auto seen = numbers<4>(0);
    const auto x = numbers<4>(0.5f);
    differential_run<program> compare(stored);
    for (int i = 0; i < 2; ++i) {
        const auto report = compare(x, seen);
        std::string names, at;
        for (const auto& one : report.diverging) {
            names += one.name + " ";
            at += std::to_string(one.index[0]) + " ";
        }
        check_equal(report.diverging.size(), 4u);
        for (const auto* name : {"bent", "bent_1", "bent_2", "bent_3"}) check(names.find(std::string(name) + " ") != names.npos, names);
        for (const auto* index : {"0 ", "1 ", "2 ", "3 "}) check(at.find(index) != at.npos, at);
        check(report.first()->name == "bent" && report.first()->task < program::plan.prepare_tasks);
        check(seen[1] == x[1] + 1); // as repaired
    }
}

// Integers are compared exactly, and NaN is NaN.
inline constexpr auto of_integers = trace(
    [](input<"a", i64<3>> a, input<"b", i64<3>> b, input<"x", f32<2>> x) { return outputs(mul(minimum(a, b), 1), log(x), minimum(x, x)); });
using swapped = toolchain<>::with<wrong::convert_minimum>;
void compares_integers_exactly() {
    constexpr std::int64_t large = (std::int64_t{1} << 60) + 1;
    const std::array<std::int64_t, 3> a{large, 5, 5}, b{large - 1, 5, 5};
    const std::array<float, 2> x{-1, std::numeric_limits<float>::infinity()};
    const auto report =
        compare_with_reference<compiled<of_integers, swapped>>(differential_options{.rtol = 10, .atol = 10}, weights{}, a, b, x);
    const auto& wrong = only(report);
    check(wrong.name == "minimum" && wrong.expected == std::to_string(large - 1) && wrong.got == std::to_string(large) && wrong.wrong == 1);
    check(wrong.index == std::vector<std::int64_t>{0} && wrong.max_difference == 1);
    check(report.compared == report.tasks && report.compared >= 4); // those that are right among them
}
// What is not finite is right where it is expected, and nowhere else, however generous the tolerance.
void compares_what_is_not_finite() {
    constexpr auto inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto type = tensor_of(dtype::f32, {5});
    const host_tensor wanted(type, {1.f, inf, -inf, nan, 0.f});
    double largest = 0;
    const auto wrong = [&](std::array<float, 5> got) {
        return find_difference(host_tensor(type, std::span<const float>(got)), wanted, {9, 9}, largest).wrong;
    };
    check(wrong({1, inf, -inf, nan, 0}) == 0 && largest == 0);
    check(wrong({9, inf, -inf, nan, -9}) == 0 && largest == 9);
    check(wrong({inf, 1, inf, nan, nan}) == 4 && wrong({nan, nan, nan, 1, -inf}) == 5 && largest == inf);
}

// A pass that changes what the graph means: the tasks are right, the passes are not.
struct double_by_adding {
    static constexpr std::string_view name = "double_by_adding";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g.find_nodes("aten.mul.Tensor")) {
            const auto x = g.operand(n, 0);
            g.inserting_before(n);
            g.replace_all_uses_with(n, g.call("aten.add.Tensor", {x, x}));
            g.erase_node(n);
        }
    }
};
using careless = toolchain<>::with_post_pass<double_by_adding{}>;
inline constexpr auto twice_and_thrice = trace([](input<"x", f32<4>> x) { return outputs(exp(x), sigmoid(mul(x, 2)), relu(mul(x, 3))); });
void names_the_passes() {
    const std::array<float, 4> x{-1, 0, 0.5f, 1};
    const auto report = compare_with_reference<compiled<twice_and_thrice, careless>>(weights{}, x);
    const auto& wrong = only(report);
    check(wrong.stage == differential_stage::passes && wrong.task == -1 && wrong.name == "relu" && wrong.wrong == 2 && wrong.index[0] == 2);
    std::string text;
    print_differential(report, text);
    check(text.find(", by what the passes did\n") != text.npos && text.find("\npasses\trelu\t") != text.npos, text);
}

// A plan that gives an output's bytes away: every task is right, and the output is not.
inline constexpr auto two_outputs = trace([](input<"x", f32<4>> x) { return outputs(exp(x), relu(x)); });
constexpr auto overlaid(auto planned, graph_view g) {
    const auto first = g[planned.tasks[0].node].values.first, second = g[planned.tasks[1].node].values.first;
    planned.placements[static_cast<std::size_t>(second)].offset = planned.placements[static_cast<std::size_t>(first)].offset;
    return planned;
}
struct overwritten : compiled<two_outputs> {
    static constexpr auto planned = overlaid(compiled<two_outputs>::planned, lowered_graph());
    static constexpr ahead::plan::plan_view plan_view() { return planned.view(); }
};
void names_what_is_overwritten() {
    const std::array<float, 4> x{1, 2, 3, 4};
    const auto report = compare_with_reference<overwritten>(weights{}, x);
    const auto& wrong = only(report);
    check(report.compared == 2 && wrong.stage == differential_stage::results && wrong.name == "exp" && wrong.got == "1" &&
          wrong.wrong == 4);
    std::string text;
    print_differential(report, text);
    check(text.find(", overwritten before the end\n") != text.npos && text.find("\nend\texp\t") != text.npos, text);
}

// Random operators, and a call of several results.
struct drawn {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 8]"):
        rand: "f32[4, 8]" = torch.ops.aten.rand.default([4, 8], device = device(type='cpu'), pin_memory = False)
        add: "f32[4, 8]" = torch.ops.aten.add.Tensor(x, rand);  rand = None
        max_1 = torch.ops.aten.max.dim(add, 1)
        getitem: "f32[4]" = max_1[0]
        getitem_1: "i64[4]" = max_1[1];  max_1 = None
        randn: "f32[4, 8]" = torch.ops.aten.randn.default([4, 8], device = device(type='cpu'), pin_memory = False)
        mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(add, randn);  add = randn = None
        return (mul, getitem, getitem_1)
)fx";
};
void draws_the_same_numbers() {
    using program = compiled<fx<drawn>>;
    const std::array<std::int64_t, 1> seed{5};
    std::array<std::int64_t, 1> offset{0};
    std::int64_t last = 0;
    const auto x = numbers<32>(0.1f);
    differential_run<program> compare(weights{});
    for (int i = 0; i < 3; ++i) {
        check(is_right(compare(x, seed, offset)));
        check(offset[0] > std::exchange(last, offset[0]));
    }
    check(is_right(compare.on_random_inputs(3)));
}

// ---- the report as text

void prints() {
    std::string text;
    const std::string comment = "File: m.py:7 in forward, code: relu(x)";
    print_differential(
        {2,
         2,
         1,
         {},
         {{differential_stage::tasks, 1, "relu", "aten.relu.default", "npu.matmul", "mm, relu", 3, comment, "f32[]", 1, {}, "0", "1", 1},
          {differential_stage::results, -1, "relu", "aten.relu.default", "", "", 0, "", "f32[]", 1, {}, "0", "1", 1}}},
        text);
    check_equal(text, "2 tasks: 2 compared, 0 skipped, 2 diverge; largest difference 1\n"
                      "first to diverge: relu = aten.relu.default, line 3, task 1, npu.matmul of mm, relu\n"
                      "File: m.py:7 in forward, code: relu(x)\n"
                      "f32[] at []: expected 0, got 1\n"
                      "task\tname\top\tdevice_op\tline\ttype\twrong\tat\texpected\tgot\tdifference\n"
                      "1\trelu\taten.relu.default\tnpu.matmul\t3\tf32[]\t1\t[]\t0\t1\t1\n"
                      "end\trelu\taten.relu.default\t-\t0\tf32[]\t1\t[]\t0\t1\t1\n");
}

} // namespace

int main() {
    runs_right<compiled<right, streamed>>(7);
    runs_right<compiled<right, unfused>>(12);
    names_the_wrong_one<streamed>();
    names_the_wrong_one<unfused>();
    names_them_wherever_they_write();
    compares_integers_exactly();
    compares_what_is_not_finite();
    names_the_passes();
    names_what_is_overwritten();
    draws_the_same_numbers();
    prints();
    return report();
}
