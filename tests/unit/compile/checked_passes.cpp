// config::check_passes: each pass is compared with what it began with while compiling; what it costs where nobody asks is no meaning; and equivalent<a, b>(seed).
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/equivalent_nets.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/error.hpp>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal;

namespace {

inline constexpr auto net = trace([](input<"x", f32<4, 8>> x, param<"w", f32<8, 8>> w, param<"b", f32<8>> b) { return outputs(relu(mm(x, w) + b), softmax<-1>(x)); });

// A pass that is right, and one that is wrong and leaves all types as they are.
constexpr auto doubled = pass::rule<"doubled">([](any<"a"> a) { return rewrite(relu(a), clamp_min(a, 0)); });
constexpr auto wrong = pass::rule<"wrong">([](any<"a"> a, any<"b"> b) { return rewrite(a + b, a - b); });

inline constexpr auto checked_pre_pass = pass::pipeline<>{} | doubled;
inline constexpr config checked_options{.check_passes = true};
using checked = toolchain<>::with_pre_pass<checked_pre_pass>::with_options<checked_options>;
using program = compiled<net, checked>;
static_assert(program::accepted && program::optimized::error.ok());

inline constexpr auto broken_post_pass = pass::pipeline<>{} | doubled;
inline constexpr config broken_options{.check_passes = true};
using broken = toolchain<>::with_pre_pass<doubled | wrong>::with_post_pass<broken_post_pass>::with_options<broken_options>;
// What a program of it would report: the pass and the first output that differs.
constexpr diagnosis fault_of_broken = detail::optimized<std::remove_const_t<decltype(net)>, broken>::error;
static_assert(fault_of_broken.what == fault::outputs_differ);

inline constexpr auto large = trace([](input<"x", f32<200, 200>> x) { return outputs(relu(x)); });
constexpr diagnosis fault_of_large = detail::optimized<std::remove_const_t<decltype(large)>, checked>::error;
static_assert(fault_of_large.what == fault::option_is_out_of_range);

void faults() {
    check_equal(test::sentence(fault_of_broken), "output: outputs differ: expected the elements of output 0, found others, behind the pass wrong");
    check_equal(test::sentence(fault_of_large),
                "config 'check_passes': option is out of range: expected graphs of at most 16384 elements in all tensors, found 80000, around the pass doubled");
}

constexpr std::string_view text = "def forward(self, x : f32[2, 3], i : i64[2]):\n    a = torch.ops.aten.add.Tensor(x, x)\n    r = torch.ops.aten.relu.default(a)\n    return (r,)\n";
void at_run_time() {
    check((inspect_fx<checked>(text).error.ok()));
    check_equal(test::sentence(inspect_fx<broken>(text).error), "output: outputs differ: expected the elements of output 0, found others, behind the pass wrong");
    check((inspect_fx<broken>(text, config{}).error.ok())); // options given beside the toolchain's
    check_equal(test::sentence(inspect_fx(text, config{.check_passes = true}).error),
                "config 'check_passes': option has no effect: expected options of the toolchain that say it, found options given beside it");
    // The reference refuses what it is given: an index that is made up.
    constexpr std::string_view taken = "def forward(self, x : f32[2, 3], i : i64[40]):\n    a = torch.ops.aten.index_select.default(x, 0, i)\n    r = torch.ops.aten.relu.default(a)\n    return (r,)\n";
    check(render(inspect_fx<checked>(taken).error).find(", behind the pass doubled") != std::string::npos, render(inspect_fx<checked>(taken).error));
}

// Two nets.
inline constexpr auto square = trace([](input<"x", f32<3, 4>> x) { return outputs(x * x, x + 1); });
inline constexpr auto power = trace([](input<"y", f32<3, 4>> y) { return outputs(pow(y, 2), 1 + y); });
inline constexpr auto cube = trace([](input<"x", f32<3, 4>> x) { return outputs(x * x * x, x + 1); });
inline constexpr auto one_output = trace([](input<"x", f32<3, 4>> x) { return outputs(x * x); });
static_assert(equivalent<square, power>(1) && equivalent<square, power>(2));
static_assert(!equivalent<square, cube>(1) && !equivalent<square, one_output>(1));
// Of what they write as well.
inline constexpr auto counts = trace([](input<"n", f32<2>> n, input<"x", f32<2>> x) { copy_(n, n + x); return outputs(n * 2); });
inline constexpr auto counts_twice = trace([](input<"n", f32<2>> n, input<"x", f32<2>> x) { copy_(n, x + n); return outputs(n + n); });
inline constexpr auto forgets = trace([](input<"n", f32<2>> n, input<"x", f32<2>> x) { return outputs((n + x) * 2); });
static_assert(equivalent<counts, counts_twice>(3) && !equivalent<counts, forgets>(3));

// f16 and bf16 may be rounded in between.
static_assert(is_close(1, 1.003, dtype::f16) && !is_close(1, 1.003) && !is_close(1, 1.01, dtype::f16) && is_close(1, 1.01, dtype::bf16));

void nets() {
    std::uint64_t seed = 0; // no constant
    for (; seed < 5; ++seed) check(equivalent<square, power>(seed) && !equivalent<square, cube>(seed));
}

} // namespace

int main() {
    faults();
    at_run_time();
    nets();
    return test::report();
}
