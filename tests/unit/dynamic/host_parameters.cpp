// SPDX-License-Identifier: MIT
// Numbers of a text that the host gives at each run: what reads them gives what the text with the number in it gives, to the bit and for every value; what a kernel
// is made for is refused, by name and place.
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/io/read_symbol.hpp>

#include <cstring>
#include <string>
#include <vector>

// fault: host_parameter_is_fixed

using namespace ahead;
using namespace test;

namespace {

// ---- the same values

// Arithmetic of numbers and Scalars: dtypes of all kinds beside the number, and tensors of rank 0.
struct arithmetic {
    static constexpr char text[] = R"fx(def forward(self, arg0_1: "Sym(s1)", x: "f32[3]", i: "i32[3]", b: "i8[]", h: "f16[3]", p: "b8[3]", q: "i8[4]"):
    add: "Sym(s1 + 1)" = arg0_1 + 1
    mul: "Sym(2*s1 + 2)" = 2 * add
    sub: "Sym(5 - s1)" = 5 - arg0_1
    floordiv: "Sym((2*s1 + 2)//3)" = mul // 3
    mod: "Sym(PythonMod(5 - s1, 4))" = sub % 4
    neg: "Sym(-s1)" = -arg0_1
    size: "Sym(3)" = torch.ops.aten.sym_size.int(x, 0)
    sub_1: "Sym(3 - s1)" = size - arg0_1
    ge: "Sym(s1 >= 4)" = arg0_1 >= 4
    add_1: "f32[3]" = torch.ops.aten.add.Scalar(x, mul)
    sub_2: "f32[3]" = torch.ops.aten.sub.Tensor(add_1, sub_1, alpha = 2)
    mul_1: "i32[3]" = torch.ops.aten.mul.Scalar(i, floordiv)
    add_2: "i8[]" = torch.ops.aten.add.Tensor(b, arg0_1)
    mul_2: "i8[]" = torch.ops.aten.mul.Scalar(add_2, arg0_1)
    add_3: "f16[3]" = torch.ops.aten.add.Scalar(h, arg0_1)
    add_4: "i64[3]" = torch.ops.aten.add.Scalar(p, mod)
    gt: "b8[3]" = torch.ops.aten.gt.Scalar(i, neg)
    eq: "b8[3]" = torch.ops.aten.eq.Scalar(x, arg0_1)
    pow_1: "f32[3]" = torch.ops.aten.pow.Tensor_Scalar(x, arg0_1)
    remainder: "i8[4]" = torch.ops.aten.remainder.Scalar(q, mod)
    rsub: "f32[3]" = torch.ops.aten.rsub.Scalar(x, arg0_1)
    div: "f32[3]" = torch.ops.aten.div.Scalar(i, add)
    where: "f32[3]" = torch.ops.aten.where.ScalarOther(gt, x, arg0_1)
    return (sub_2, mul_1, mul_2, add_3, add_4, gt, eq, pow_1, remainder, rsub, div, where, arg0_1, mod, ge)
)fx";
};
// What is filled in, and positions.
struct positions {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[4, 6]", y: "f32[4]", z: "f32[4, 2]", arg0_1: "Sym(s1)"):
    full: "f32[2, 3]" = torch.ops.aten.full.default([2, 3], arg0_1, dtype = torch.float32)
    full_1: "i64[1]" = torch.ops.aten.full.default([1], arg0_1)
    full_like: "f32[4]" = torch.ops.aten.full_like.default(y, arg0_1)
    scalar_tensor: "f32[]" = torch.ops.aten.scalar_tensor.default(arg0_1, dtype = torch.float32)
    gt: "b8[4]" = torch.ops.aten.gt.Scalar(y, 0)
    masked_fill: "f32[4]" = torch.ops.aten.masked_fill.Scalar(y, gt, arg0_1)
    fill: "f32[4]" = torch.ops.aten.fill.Scalar(y, arg0_1)
    select: "f32[4]" = torch.ops.aten.select.int(x, 1, arg0_1)
    select_1: "f32[6]" = torch.ops.aten.select.int(x, -2, arg0_1)
    add: "Sym(s1 + 2)" = arg0_1 + 2
    add_1: "Sym(s1 + 1)" = arg0_1 + 1
    slice_1: "f32[4, 2]" = torch.ops.aten.slice.Tensor(x, 1, arg0_1, add)
    slice_2: "f32[1, 6]" = torch.ops.aten.slice.Tensor(x, 0, arg0_1, add_1)
    select_scatter: "f32[4, 6]" = torch.ops.aten.select_scatter.default(x, y, 1, add_1)
    slice_scatter: "f32[4, 6]" = torch.ops.aten.slice_scatter.default(select_scatter, z, 1, arg0_1, add)
    arange: "i64[2]" = torch.ops.aten.arange.start(arg0_1, add)
    return (full, full_1, full_like, scalar_tensor, masked_fill, fill, select, select_1, slice_1, slice_2, slice_scatter, arange)
)fx";
};
// Writes into a part of an input, as a cache has them.
struct cache {
    static constexpr char text[] = R"fx(def forward(self, arg0_1: "Sym(s1)", k: "f32[2, 8, 3]", x: "f32[2, 3]", y: "f32[2, 1, 3]", c: "i32[3]"):
    add: "Sym(s1 + 1)" = arg0_1 + 1
    add_1: "Sym(s1 + 2)" = add + 1
    select: "f32[2, 3]" = torch.ops.aten.select.int(k, 1, arg0_1)
    copy_: "f32[2, 3]" = torch.ops.aten.copy_.default(select, x)
    slice_1: "f32[2, 1, 3]" = torch.ops.aten.slice.Tensor(k, 1, add, add_1)
    mul: "f32[2, 1, 3]" = torch.ops.aten.mul.Tensor(y, 2)
    copy__1: "f32[2, 1, 3]" = torch.ops.aten.copy_.default(slice_1, mul)
    add_2: "Sym(s1 + 3)" = add_1 + 1
    slice_2: "f32[2, 1, 3]" = torch.ops.aten.slice.Tensor(k, 1, add_1, add_2)
    copy__2: "f32[2, 1, 3]" = torch.ops.aten.copy_.default(slice_2, c)
    select_1: "f32[2, 3]" = torch.ops.aten.select.int(k, 1, add)
    sum_1: "f32[2, 3]" = torch.ops.aten.sum.dim_IntList(k, [1])
    return (select_1, sum_1)
)fx";
};
template <class Source> struct given_by_host : Source {
    using same_text_as = Source;
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
template <class Source, std::int64_t N> struct written_in : Source {
    using same_text_as = Source;
    static constexpr symbol_value symbols[] = {{"s1", N}};
};
template <class A, class B> bool same_bits(const A& a, const B& b) {
    const auto x = a.copy(), y = b.copy();
    return a.size() == b.size() && std::memcmp(x.data(), y.data(), a.size() * sizeof(x[0])) == 0;
}
template <class A, class B> void check_same(const A& a, const B& b) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check_equal(same_bits(std::get<I>(a), std::get<I>(b)) ? -1 : static_cast<int>(I), -1), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
}

using arithmetic_host = compiled<fx<given_by_host<arithmetic>>>;
static_assert(arithmetic_host::accepted && arithmetic_host::plan.inputs == 7);
template <std::int64_t N> void arithmetic_is_the_same(arithmetic_host::session& run) {
    const std::array<float, 3> x{0.5f, -2.25f, static_cast<float>(N)};
    const std::array<std::int32_t, 3> i{7, -3, 2147480000};
    const std::array<std::int8_t, 1> b{100};
    const std::array<float16, 3> h{float16(1.0f), float16(-6000.0f), float16(0.125f)};
    const std::array<bool, 3> p{true, false, true};
    const std::array<std::int8_t, 4> q{100, -100, 7, 0};
    using bound = compiled<fx<written_in<arithmetic, N>>>;
    const auto weights = bound::prepare();
    typename bound::session known{weights};
    const auto before = allocations.load();
    check_same(run(N, x, i, b, h, p, q), known(x, i, b, h, p, q));
    check_equal(allocations.load(), before);
}

using positions_host = compiled<fx<given_by_host<positions>>>;
static_assert(positions_host::accepted && positions_host::plan.inputs == 4);
template <std::int64_t N> void positions_are_the_same(positions_host::session& run) {
    std::array<float, 24> x{};
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 3.5f;
    const std::array<float, 4> y{-1, 2, -3, 4};
    const std::array<float, 8> z{10, 20, 30, 40, 50, 60, 70, 80};
    using bound = compiled<fx<written_in<positions, N>>>;
    const auto weights = bound::prepare();
    typename bound::session known{weights};
    check_same(run(x, y, z, std::array<std::int64_t, 1>{N}), known(x, y, z));
}

using cache_host = compiled<fx<given_by_host<cache>>>;
static_assert(cache_host::accepted && cache_host::plan.inputs == 5 && cache_host::plan.ai_cpu_tasks == 0 && cache_host::plan.inputs_written_in_place == 1);
template <std::int64_t N> void cache_is_the_same(cache_host::session& run) {
    std::array<float, 48> mine{}, theirs{};
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = theirs[i] = static_cast<float>(i);
    const std::array<float, 6> x{-1, -2, -3, -4, -5, -6}, y{7, 8, 9, 10, 11, 12};
    const std::array<std::int32_t, 3> c{-7, 70, 700};
    using bound = compiled<fx<written_in<cache, N>>>;
    const auto weights = bound::prepare();
    typename bound::session known{weights};
    check_same(run(N, mine, x, y, c), known(theirs, x, y, c));
    check(mine == theirs);
}

// A form that prints no types: the rows say what is a number.
struct untyped {
    static constexpr char text[] = R"fx(def forward(self, n, x):
    add = n + 1
    select = torch.ops.aten.select.int(x, 0, add);  add = None
    select_1 = torch.ops.aten.select.int(select, 0, n);  n = None
    return (select, select_1)
)fx";
    static constexpr fx_input inputs[] = {{.placeholder = "n", .type = "Sym(s1)"}, {.placeholder = "x", .type = "f32[3, 2]"}};
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
static_assert(compiled<fx<untyped>>::accepted && compiled<fx<untyped>>::plan.inputs == 2);

// ---- what is refused

struct wrong {
    const char* line;    // behind the arguments
    const char* op;
    const char* name;
};
constexpr wrong refused_lines[] = {
    {"view: \"f32[3, 4]\" = torch.ops.aten.view.default(x, [3, n])", "aten.view.default", "view"},
    {"sum_1: \"f32[3]\" = torch.ops.aten.sum.dim_IntList(x, [n])", "aten.sum.dim_IntList", "sum_1"},
    {"transpose: \"f32[4, 3]\" = torch.ops.aten.transpose.int(x, 0, n)", "aten.transpose.int", "transpose"},
    {"add: \"f32[3, 4]\" = torch.ops.aten.add.Tensor(x, x, alpha = n)", "aten.add.Tensor", "add"},
    {"full: \"f32[3]\" = torch.ops.aten.full.default([n], 1)", "aten.full.default", "full"},
    {"full: \"f32[3]\" = torch.ops.aten.full.default([n], n)", "aten.full.default", "full"},
    {"slice_1: \"f32[3, 2]\" = torch.ops.aten.slice.Tensor(x, 1, 0, n)", "aten.slice.Tensor", "slice_1"},
    {"slice_1: \"f32[3, 2]\" = torch.ops.aten.slice.Tensor(x, 1, n, 4)", "aten.slice.Tensor", "slice_1"},
    {"arange: \"i64[3]\" = torch.ops.aten.arange.default(n)", "aten.arange.default", "arange"},
    {"roll: \"f32[3, 4]\" = torch.ops.aten.roll.default(x, [n], [0])", "aten.roll.default", "roll"},
    {"select: \"f32[3]\" = torch.ops.aten.select.int(x, n, 0)", "aten.select.int", "select"},
    {"leaky_relu: \"f32[3, 4]\" = torch.ops.aten.leaky_relu.default(x, n)", "aten.leaky_relu.default", "leaky_relu"},
    {"_assert_scalar_default = torch.ops.aten._assert_scalar.default(n, 'n is not 0')", "aten._assert_scalar.default", "_assert_scalar_default"},
    {"select: \"f32[4]\" = torch.ops.aten.select.int(x, 0, n)\n    add_: \"f32[4]\" = torch.ops.aten.add_.Tensor(select, 1)", "aten.add_.Tensor", "add_"},
    {"select: \"f32[4]\" = torch.ops.aten.select.int(x, 0, n)\n    add_: \"f32[3, 4]\" = torch.ops.aten.add_.Tensor(x, 1)", "aten.add_.Tensor", "add_"},
};
compile::inspected_graph of_host(const std::string& text, std::initializer_list<symbol_value> symbols) { return inspect_fx(text, {}, {}, {symbols.begin(), symbols.size()}); }

void refusals() {
    for (const auto& one : refused_lines) {
        const auto text = std::string("def forward(self, n: \"Sym(s1)\", x: \"f32[3, 4]\"):\n    ") + one.line + "\n    return (x,)\n";
        const auto made = of_host(text, {host_symbol("s1")});
        const auto line = std::string_view(one.line).find('\n') != std::string_view::npos ? 3 : 2;
        check_fault(made.error, {.what = fault::host_parameter_is_fixed, .line = line, .op = one.op, .name = one.name, .found = "s1"});
    }
    // A number and a size.
    const auto both = of_host("def forward(self, n: \"Sym(s1)\", x: \"f32[s1, 4]\"):\n    add: \"f32[s1, 4]\" = torch.ops.aten.add.Scalar(x, n)\n    return (add,)\n",
                              {host_symbol("s1")});
    check_fault(both.error, {.what = fault::host_parameter_is_fixed, .name = "x", .found = "s1 in f32[s1, 4]",
                             .words = "arithmetic, Scalars, values filled in, positions of select and of slices"});
    const auto made_size = of_host("def forward(self, n: \"Sym(s1)\", x: \"f32[3]\"):\n    add: \"f32[s1]\" = torch.ops.aten.add.Scalar(x, n)\n    return (add,)\n", {host_symbol("s1")});
    check_fault(made_size.error, {.what = fault::host_parameter_is_fixed, .line = 2, .name = "add"});
    const auto computed = of_host("def forward(self, n: \"Sym(s1 + 1)\", x: \"f32[3]\"):\n    return (x,)\n", {host_symbol("s1")});
    check_fault(computed.error, {.what = fault::host_parameter_is_fixed, .found = "s1 in Sym(s1 + 1)"});
    const auto text = "def forward(self, n: \"Sym(s1)\", x: \"f32[3]\", m: \"Sym(s1)\"):\n    add: \"f32[3]\" = torch.ops.aten.add.Scalar(x, m)\n    return (add,)\n";
    check_fault(of_host(text, {host_symbol("s2")}).error, {fault::symbol_is_unknown});
    check_fault(of_host(text, {host_symbol("s1"), {"s1", 2}}).error, {fault::symbol_is_given_twice});
    check_fault(of_host(text, {}).error, {fault::dimension_is_dynamic});
    check(inspect_fx(untyped::text, {}, untyped::inputs, untyped::symbols).error.ok());
    // Twice the same symbol is one input.
    const auto twice = of_host(text, {host_symbol("s1")});
    check(twice.error.ok() && twice.plan().inputs == 2);

    symbol_value said;
    check(read_symbol("s1=host", said) && said.name == "s1" && said.is_host_parameter);
    check(read_symbol("s1=4", said) && said.value == 4 && !said.is_host_parameter);
    check(!read_symbol("s1=guest", said) && !read_symbol("=host", said) && !read_symbol("s1=", said));
}

// Positions that the tensor does not have are refused when they are met; a select counts from the end where it is below 0, as ever, a slice does not.
void positions_out_of_range(cache_host::session& run) {
    std::array<float, 48> k{};
    const std::array<float, 6> x{}, y{};
    const std::array<std::int32_t, 3> c{};
    for (const std::int64_t n : {-2, 6, 8, -9})
        check_fault([&] { run(n, k, x, y, c); }, fault::index_is_out_of_range);
    check(!run.try_run(std::int64_t{100}, k, x, y, c).ok());
    check(run.try_run(std::int64_t{5}, k, x, y, c).ok());
}

} // namespace

int main() {
    refusals();
    {
        const auto weights = arithmetic_host::prepare();
        arithmetic_host::session run{weights};
        arithmetic_is_the_same<0>(run);
        arithmetic_is_the_same<3>(run);
        arithmetic_is_the_same<4>(run);
        arithmetic_is_the_same<126>(run);
        arithmetic_is_the_same<2049>(run);
        arithmetic_is_the_same<70001>(run);
        arithmetic_is_the_same<16777217>(run);
    }
    {
        const auto weights = positions_host::prepare();
        positions_host::session run{weights};
        positions_are_the_same<0>(run);
        positions_are_the_same<1>(run);
        positions_are_the_same<3>(run);
    }
    {
        const auto weights = cache_host::prepare();
        cache_host::session run{weights};
        cache_is_the_same<0>(run);
        cache_is_the_same<5>(run);
        positions_out_of_range(run);
    }
    return report();
}
