// air.print: ordered, never pruned or merged, sees its tensors as they are at its place, whichever passes run, in both modes. What is printed is compared as text.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/pass/functionalise.hpp>
#include <ahead/print/plan_table.hpp>

#include <limits>

using namespace ahead;
using namespace test;

namespace {

std::string printed;

inline void print_to_string(std::string_view piece) { printed += piece; }
using to_string = toolchain<>::with_print<print_to_string>;
inline constexpr config to_string_without_passes_options{.remove_noop_ops = false, .recompose = false, .fold_batch_norm = false, .decompose = false, .eliminate_dead_code = false, .eliminate_duplicates = false,
                                    .fuse_activation = false, .fuse_pointwise = false, .fuse_residual = false, .fuse_reductions = false};
using to_string_without_passes = to_string::with_options<to_string_without_passes_options>;

inline constexpr config to_string_in_tasks_options{.mode = mode::reduce_overhead};
using to_string_in_tasks = to_string::with_options<to_string_in_tasks_options>;

template <class Program, class... Inputs> std::string run(Inputs&... inputs) {
    printed.clear();
    const auto weights = Program::prepare();
    typename Program::session session{weights};
    session(inputs...);
    return printed;
}
template <class Source, class... Inputs> void check_prints(std::string_view wanted, Inputs... inputs) {
    auto others = std::tuple(inputs...), more = others;
    check_equal(run<compiled<fx<Source>, to_string>>(inputs...), wanted);
    std::apply([&](auto&... same) { check_equal(run<compiled<fx<Source>, to_string_without_passes>>(same...), wanted); }, others);
    std::apply([&](auto&... same) { check_equal(run<compiled<fx<Source>, to_string_in_tasks>>(same...), wanted); }, more);
}

struct three {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "i64[2, 2]"):
        print_1 = torch.ops.air.print.default([y], 'first {}', '{}', 3);  print_1 = None
        sin: "f32[3]" = torch.ops.aten.mul.Tensor(x, 2)
        print_2 = torch.ops.air.print.default([sin, x], 'second {0} of {0}', '{0}', 3);  print_2 = None
        print_3 = torch.ops.air.print.default([y], 'first {}', '{}', 3);  y = print_3 = None
        add: "f32[3]" = torch.ops.aten.add.Tensor(sin, x);  sin = x = None
        return (add,)
)fx";
};
void three_in_order() {
    check_prints<three>("first [[1 2]\n [3 -4]]\nsecond [3 1 -0.5] of [1.5 0.5 -0.25]\nfirst [[1 2]\n [3 -4]]\n", std::array{1.5f, 0.5f, -0.25f},
                        std::array<std::int64_t, 4>{1, 2, 3, -4});
    const auto table = plan_table(compiled<fx<three>, to_string>::lowered_graph(), compiled<fx<three>, to_string>::plan_view());
    check(table.find("air.print.default") != table.npos, table);
}

// The same line twice is two prints; a print of what nobody else reads keeps it alive; passes change nothing but what they may.
struct kept {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[3]"):
        neg: "f32[3]" = torch.ops.aten.neg.default(x)
        neg_1: "f32[3]" = torch.ops.aten.neg.default(x)
        print_1 = torch.ops.air.print.default([neg], 'neg {}', '{}', 3);  neg = print_1 = None
        print_2 = torch.ops.air.print.default([neg_1], 'neg {}', '{}', 3);  neg_1 = print_2 = None
        abs_1: "f32[3]" = torch.ops.aten.abs.default(x);  abs_1 = None
        clone: "f32[3]" = torch.ops.aten.exp.default(x);  x = None
        return (clone,)
)fx";
};
constexpr std::string_view kept_after_passes = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[3]"):
        neg: "f32[3]" = torch.ops.aten.neg.default(x)
        print_1 = torch.ops.air.print.default([neg], 'neg {}', '{}', 3);  print_1 = None
        print_2 = torch.ops.air.print.default([neg], 'neg {}', '{}', 3);  neg = print_2 = None
        clone: "f32[3]" = torch.ops.aten.exp.default(x);  x = None
        return (clone,)
)fx";
static_assert(listing_after<typed_reading<capacity{32, 128, 48}>>(pass::builtin, kept::text).view() == kept_after_passes);
// Without side effects the passes leave what there is to leave.
constexpr std::string_view without_print = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[3]"):
        neg: "f32[3]" = torch.ops.aten.neg.default(x);  x = None
        return (neg,)
)fx";
static_assert(listing_after<typed_reading<capacity{32, 128, 48}>>(pass::builtin, without_print).view() == without_print);
void never_pruned() { check_prints<kept>("neg [-1 -2 3]\nneg [-1 -2 3]\n", std::array{1.f, 2.f, -3.f}); }

// Before and behind an in-place operator, of an input and of a tensor of the graph's own, through a view.
struct around_writes {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4]"):
        slice_1: "f32[2]" = torch.ops.aten.slice.Tensor(x, 0, 1, 3)
        print_1 = torch.ops.air.print.default([x, slice_1], '{} {}', '{}', 3)
        add_: "f32[4]" = torch.ops.aten.add_.Tensor(x, 1)
        print_2 = torch.ops.air.print.default([x, slice_1], '{} {}', '{}', 3)
        mul: "f32[4]" = torch.ops.aten.mul.Tensor(x, 10)
        select: "f32[]" = torch.ops.aten.select.int(mul, 0, 0)
        print_3 = torch.ops.air.print.default([mul], '{}', '{}', 3)
        neg_: "f32[]" = torch.ops.aten.neg_.default(select)
        print_4 = torch.ops.air.print.default([mul, select], '{} {}', '{}', 3)
        return (mul,)
)fx";
};
void sees_the_value_at_its_place() {
    check_prints<around_writes>("[1 2 3 4] [2 3]\n[2 3 4 5] [3 4]\n[20 30 40 50]\n[-20 30 40 50] -20\n", std::array{1.f, 2.f, 3.f, 4.f});
}

// Sizes, numbers, dtypes.
struct shapes {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[7]", m: "f32[3, 4]"):
        p = torch.ops.air.print.default([x], 'three {}', '{}', 3)
        p_1 = torch.ops.air.print.default([x], 'one {}', '{}', 1)
        p_2 = torch.ops.air.print.default([x], 'all {}', '{}', -1)
        p_3 = torch.ops.air.print.default([m], 'm {}', '{}', 1)
        permute: "f32[4, 3]" = torch.ops.aten.permute.default(m, [1, 0])
        p_4 = torch.ops.air.print.default([permute], 'it\'s\n{}', '{}', 3)
        select: "f32[4]" = torch.ops.aten.select.int(m, 0, 1)
        select_1: "f32[]" = torch.ops.aten.select.int(select, 0, 2)
        gt: "b8[7]" = torch.ops.aten.gt.Scalar(x, 2)
        any_1: "b8[]" = torch.ops.aten.any.default(gt)
        p_5 = torch.ops.air.print.default([select_1, gt, any_1], 'scalar {}, {} {}', '{}', 3)
        slice_1: "f32[0]" = torch.ops.aten.slice.Tensor(x, 0, 7, 9)
        p_6 = torch.ops.air.print.default([slice_1], 'none {}', '{}', 3)
        return (m,)
)fx";
};
void sizes() {
    check_prints<shapes>("three [1 2 3 ... 5 6 7]\none [1 ... 7]\nall [1 2 3 4 5 6 7]\nm [[1 ... 4]\n ...\n [9 ... 12]]\n"
                         "it's\n[[1 5 9]\n [2 6 10]\n [3 7 11]\n [4 8 12]]\nscalar 7, [0 0 1 ... 1 1 1] 1\nnone []\n",
                         std::array{1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f}, std::array{1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 9.f, 10.f, 11.f, 12.f});
}
struct numbers {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f64[15]"):
        p = torch.ops.air.print.default([x], '{}', '{}', -1)
        return (x,)
)fx";
};
void numbers_as_python_shows_them() {
    constexpr auto inf = std::numeric_limits<double>::infinity();
    check_prints<numbers>("[0.1 -0 1e-05 0.0001 1e-07 123456789.5 1e+22 inf -inf nan -2.5 0.30000000000000004 9999999999999998 -1e+16 1.2345678901234568e+17]\n",
                          std::array{0.1, -0.0, 1e-5, 1e-4, 1e-7, 123456789.5, 1e22, inf, -inf, std::numeric_limits<double>::quiet_NaN(), -2.5, 0.1 + 0.2, 9999999999999998.0, -1e16,
                                     123456789012345678.0});
}

// With its dtype and shape, on the views of one tensor, a tensor without dims and one without elements; False is as if left out.
struct detailed {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "i64[2, 2]"):
        p = torch.ops.air.print.default([x, y], '{}, {}', '{}', 1, True)
        select: "i64[2]" = torch.ops.aten.select.int(y, 1, 1)
        p_1 = torch.ops.air.print.default([select], 'y {}!', '{}', 3, tensor_detail = True)
        gt: "b8[3]" = torch.ops.aten.gt.Scalar(x, 1)
        any_1: "b8[]" = torch.ops.aten.any.default(gt)
        slice_1: "f32[0]" = torch.ops.aten.slice.Tensor(x, 0, 3, 9)
        p_2 = torch.ops.air.print.default([any_1, slice_1], '{} {}', '{}', 3, True)
        p_3 = torch.ops.air.print.default([x], '{}', '{}', 3, False)
        return (x,)
)fx";
};
void with_detail() {
    check_prints<detailed>("tensor([0 ... 2], dtype=torch.float32, shape=[3]), tensor([[1 2]\n [3 4]], dtype=torch.int64, shape=[2, 2])\n"
                           "y tensor([2 4], dtype=torch.int64, shape=[2])!\n"
                           "tensor(1, dtype=torch.bool, shape=[]) tensor([], dtype=torch.float32, shape=[0])\n[0 0.5 2]\n",
                           std::array{0.f, 0.5f, 2.f}, std::array<std::int64_t, 4>{1, 2, 3, 4});
}
inline constexpr auto detailed_handles = trace([](input<"x", f32<3>> x) {
    print<"x {}", 1, true>(x);
    print<"{} to {}", 3, true>(x, x + 1);
    print<"{} {} {}", 3, true>(x, x, x);
    return outputs(exp(x));
});
void with_detail_from_handles() {
    std::array x{1.f, 0.5f, 3.f};
    const std::string one = "tensor([1 0.5 3], dtype=torch.float32, shape=[3])";
    check_equal((run<compiled<detailed_handles, to_string>>(x)), "x tensor([1 ... 3], dtype=torch.float32, shape=[3])\n" + one +
                                                                     " to tensor([2 1.5 4], dtype=torch.float32, shape=[3])\n" + one + " " + one + " " + one + "\n");
}

// From handles, with a weight that prepare alone would know: every run prints it.
inline constexpr auto handles = trace([](input<"x", f32<3>> x, param<"w", f32<3>> w) {
    print<"w {}", 1>(w);
    auto y = x * w;
    print<"{} gives {}">(x, y);
    return outputs(exp(y));
});
void from_handles() {
    using program = compiled<handles, to_string>;
    weights w;
    constexpr std::array values{2.f, 4.f, 8.f};
    w.add("w", dtype::f32, {3}, std::as_bytes(std::span(values)));
    const auto prepared = program::prepare(w);
    program::session session{prepared};
    printed.clear();
    const std::array x{1.f, 0.5f, 3.f};
    session(x);
    session(x);
    check_equal(printed, "w [2 ... 8]\n[1 0.5 3] gives [2 2 24]\nw [2 ... 8]\n[1 0.5 3] gives [2 2 24]\n");
}

// fault: summarize_size_is_invalid
void refusals() {
    const auto refused = [](std::string_view arguments, fault what, std::string_view expected, std::string_view found,
                            location where = location::current()) {
        const std::string text = "def forward(self, x : f32[3]):\n    p = torch.ops.air.print.default(" + std::string(arguments) + ")\n    return (x,)\n";
        const typed_reading<capacity{32, 128, 48}> r(text);
        check_fault(r.error, {.what = what, .expected = expected, .found = found}, where);
    };
    refused("[x], 'x {}', '{}', 0", fault::summarize_size_is_invalid, "a positive number, or -1 for all elements", "0");
    refused("[x], 'x {}', '{}', -2", fault::summarize_size_is_invalid, "a positive number, or -1 for all elements", "-2");
    refused("[], 'x', '{}', 3", fault::argument_is_missing, "at least one tensor input", "an empty list");
    refused("[x], 'x', '{}', 3", fault::argument_is_missing, "0 tensors, one per placeholder", "1");
    refused("[x], 'x {}', '{}', 3, 'yes'", fault::argument_has_wrong_kind, "tensor_detail: bool", "str");
    refused("[x], 'x {}', '{}', 2.5", fault::argument_has_wrong_kind, "summarize_size: int", "float");
}

struct rare {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, a: "f16[2]", b: "bf16[1]", c: "u64[1]", d: "i8[2]", e: "u8[]", f: "u16[1]", g: "u32[1]", h: "i16[1]"):
        print_1 = torch.ops.air.print.default([a, b, c, d, e, f, g, h], '{} {} {} {} {} {} {} {}', '{}', 3);  print_1 = None
        return (a,)
)fx";
};
void every_dtype() {
    check_prints<rare>("[0.0999755859375 -2] [256] [18446744073709551615] [-128 127] 200 [65535] [4294967295] [-3]\n", std::array<float16, 2>{0.1f, -2.0f}, std::array{bfloat16::of_bits(0x4380)},
                       std::array{~std::uint64_t{0}}, std::array<std::int8_t, 2>{-128, 127}, std::array<std::uint8_t, 1>{200}, std::array<std::uint16_t, 1>{65535},
                       std::array<std::uint32_t, 1>{4294967295u}, std::array<std::int16_t, 1>{-3});
}

} // namespace

int main() {
    every_dtype();
    three_in_order();
    never_pruned();
    sees_the_value_at_its_place();
    sizes();
    numbers_as_python_shows_them();
    with_detail();
    with_detail_from_handles();
    from_handles();
    refusals();
    return report();
}
