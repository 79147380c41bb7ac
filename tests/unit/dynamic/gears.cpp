// SPDX-License-Identifier: MIT
// Sizes that a text leaves open: what symbols mean, and programs for each gear of them: the same bits as those of the text with the numbers in it, in one
// memory, from one set of constants.
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

// fault: dimension_is_dynamic
// fault: symbol_is_unknown
// fault: symbol_is_given_twice
// fault: symbol_is_out_of_range
// fault: gears_are_impossible
// fault: size_has_no_gear

using namespace ahead;
using namespace test;

namespace {

// ---- what expressions mean

constexpr symbol_value numbers[] = {{"s0", 7}, {"s17", 3}, {"u0", -4}};
constexpr bool means(std::string_view text, std::int64_t value, bool is_boolean = false) {
    ahead::detail::size_expression one(text, numbers);
    std::int64_t out = 0;
    return one.read(out) && one.rest().empty() && out == value && one.is_boolean == is_boolean;
}
constexpr bool text_is_refused(std::string_view text) {
    ahead::detail::size_expression one(text, numbers);
    std::int64_t out = 0;
    return !one.read(out) || !one.rest().empty();
}
static_assert(means("12", 12) && means("s0", 7) && means("s17*s0", 21) && means("2*s0 + 1", 15) && means("s0 - 2*s17", 1) && means("-u0 + 1", 5));
static_assert(means("(s0 + 1)*s17", 24) && means("((-u0)//3)", 1) && means("(u0//3)", -2) && means("u0%3", 2) && means("s0**2", 49) && means("-s17**2", -9));
static_assert(means("Max(1, s0, 5)", 7) && means("Min(s0, s17)", 3) && means("Mod(u0, 3)", 2) && means("PythonMod(s0, 4)", 3) && means("FloorDiv(u0, 3)", -2));
static_assert(means("s0 > 4", 1, true) && means("s17*2 >= s0", 0, true) && means("s0 != 7", 0, true) && means("Eq(s0, 7)", 1, true) && means("True", 1, true));
static_assert(means("9223372036854775807", 9223372036854775807) && means("FloorDiv(s0, -1)", -7) && means("Mod(s0, -1)", 0));
static_assert(text_is_refused("") && text_is_refused("s1") && text_is_refused("s0 +") && text_is_refused("(s0") && text_is_refused("s0)") && text_is_refused("s0//0") && text_is_refused("Mod(s0, 0)"));
static_assert(text_is_refused("9223372036854775808") && text_is_refused("s0**63") && text_is_refused("s0**30**2") && text_is_refused("1.5*s1") && text_is_refused("f(s0)") && text_is_refused("Max(s0)"));
// sizes by way of real numbers
static_assert(means("TruncToInt(1.5*ToFloat(s0))", 10) && means("CeilToInt(IntTrueDiv(s0, 4))", 2) && means("FloorToInt(IntTrueDiv(u0, 3))", -2));
static_assert(means("TruncToInt(IntTrueDiv(u0, 3))", -1) && means("RoundToInt(0.5*ToFloat(s0))", 4) && means("RoundToInt(ToFloat(s17) - 0.5)", 2) && means("RoundToInt(-0.3*s0)", -2));
static_assert(means("FloatTrueDiv(1.0, 4.0) < 0.5", 1, true) && means("TruncToInt(Max(s0, 7.5)*1e+01)", 75) && means("CeilToInt(2.5e-05)", 1));
static_assert(text_is_refused("1.5//2") && text_is_refused("IntTrueDiv(s0, 0)") && text_is_refused("2**1.5") && text_is_refused("FloorToInt(1e22)") && text_is_refused("1.5e") && text_is_refused("ToFloat(s0, 1)"));
static_assert(text_is_refused("Mod(s0, 2, 3)") && text_is_refused("((((((((((((((((((((((((((((((((((s0))))))))))))))))))))))))))))))))))"));

// ---- texts, read at run time

const char exported[] = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_l_weight: "f32[3, 5]", w: "f32[s15, 5]", x: "f32[s77]", y: "f32[s17, s77]", z: "f32[s17*s77]"):
            sym_size_int_1 = torch.ops.aten.sym_size.int(w, 1)
            sym_size_int_2: "Sym(s77)" = torch.ops.aten.sym_size.int(x, 0)
            sym_size_int_3: "Sym(s17)" = torch.ops.aten.sym_size.int(y, 0)
            add: "f32[s17, s77]" = torch.ops.aten.add.Tensor(x, y);  x = y = None
            eq_1 = sym_size_int_1 == 5;  sym_size_int_1 = None
            _assert_scalar_default = torch.ops.aten._assert_scalar.default(eq_1, "Runtime assertion failed for expression Eq(s5, 5)");  eq_1 = _assert_scalar_default = None
            mul: "Sym(s17*s77)" = sym_size_int_3 * sym_size_int_2;  sym_size_int_3 = None
            sub: "Sym(s77 - 1)" = sym_size_int_2 - 1;  sym_size_int_2 = None
            ge: "Sym(s77 - 1 >= 3)" = sub >= 3
            _assert_scalar_default_1 = torch.ops.aten._assert_scalar.default(ge, "Runtime assertion failed for expression s77 >= 4");  ge = None
            slice_1: "f32[s17, s77 - 1]" = torch.ops.aten.slice.Tensor(add, 1, 0, sub);  sub = None
            linear: "f32[s15, 3]" = torch.ops.aten.linear.default(w, p_l_weight);  w = p_l_weight = None
            view: "f32[s17*s77]" = torch.ops.aten.view.default(add, [mul]);  add = mul = None
            add_1: "f32[s17*s77]" = torch.ops.aten.add.Tensor(view, z);  view = z = None
            return (linear, add_1, slice_1)

Graph signature:
    # inputs
    p_l_weight: PARAMETER target='l.weight'
    w: USER_INPUT
    x: USER_INPUT
    y: USER_INPUT
    z: USER_INPUT

    # outputs
    linear: USER_OUTPUT
    add_1: USER_OUTPUT
    slice_1: USER_OUTPUT

Range constraints: {s15: VR[0, int_oo], s17: VR[2, 16], s77: VR[2, int_oo]}
)fx";

compile::inspected_graph with(std::initializer_list<symbol_value> symbols, const char* text = exported) { return inspect_fx(text, {}, {}, {symbols.begin(), symbols.size()}); }
void refused(const compile::inspected_graph& made, fault what, std::string_view expected, std::string_view found,
             location where = location::current()) {
    check_fault(made.error, {.what = what, .found = found, .words = expected}, where);
}

void texts() {
    const auto made = with({{"s15", 2}, {"s17", 3}, {"s77", 4}});
    check(made.error.ok());
    if (!made.error.ok()) std::puts(render(made.error).c_str());
    const auto g = made.captured();
    check_equal(std::string(print(g.value_of(g[returned_by(g)[0]]).type).view()), std::string("f32[2, 3]"));
    check_equal(std::string(print(g.value_of(g[returned_by(g)[1]]).type).view()), std::string("f32[12]"));
    check_equal(std::string(print(g.value_of(g[returned_by(g)[2]]).type).view()), std::string("f32[3, 3]"));

    refused(with({}), fault::dimension_is_dynamic, "numbers for its symbols", "f32[s15, 5]");
    refused(with({{"s15", 2}, {"s17", 3}}), fault::dimension_is_dynamic, "numbers for its symbols", "f32[s77]");
    refused(with({{"s15", 2}, {"s17", 3}, {"s7", 4}}), fault::symbol_is_unknown, "such as s15", "s7");
    refused(with({{"s15", 2}, {"s17", 3}, {"s15", 4}}), fault::symbol_is_given_twice, "once", "s15");
    refused(with({{"s15", 2}, {"s17", 17}, {"s77", 4}}), fault::symbol_is_out_of_range, "[2, 16], as the export says", "s17 = 17");
    refused(with({{"s15", 2}, {"s17", 3}, {"s77", 1}}), fault::symbol_is_out_of_range, "[2, int_oo]", "s77 = 1");
    refused(with({{"s15", -2}, {"s17", 3}, {"s77", 4}}), fault::symbol_is_out_of_range, "a size from 0", "s15 = -2");
    const auto asserted = with({{"s15", 2}, {"s17", 3}, {"s77", 3}});
    refused(asserted, fault::symbol_is_out_of_range, "s77 >= 4", "one that does not hold");
    check(asserted.error.line == 13 && asserted.error.name.view() == "_assert_scalar_default_1");

    // What is printed must hold.
    auto wrong = std::string(exported);
    wrong.replace(wrong.find("f32[s17, s77 - 1]"), 17, "f32[s17, s77 + 1]");
    refused(with({{"s15", 2}, {"s17", 3}, {"s77", 4}}, wrong.c_str()), fault::annotation_differs_from_inference, "3 in dim 1: f32[3, 3]", "5 in dim 1: f32[s17, s77 + 1]");
    wrong = exported;
    wrong.replace(wrong.find("Sym(s77 - 1)"), 12, "f32[s77 - 1]");
    refused(with({{"s15", 2}, {"s17", 3}, {"s77", 4}}, wrong.c_str()), fault::annotation_differs_from_inference, "rank 0: i64[]", "rank 1: f32[s77 - 1]");
    refused(with({{"s0", 1}}, "def forward(self, x: \"f32[2]\"):\n    return x\n"), fault::symbol_is_unknown, "a text with symbols", "s0");
    refused(with({{"s0", 1}}, "def forward(self, x: \"f32[s0 - 2]\"):\n    return x\n"), fault::dimension_is_dynamic, "constant sizes", "f32[s0 - 2]");

    const auto constrained = [](const char* range) {
        static std::string text;
        text = std::string("def forward(self, x: \"f32[s0]\"):\n    n = torch.ops.aten.sym_size.int(x, 0)\n    sym_constrain_range_for_size = "
                           "torch.ops.aten.sym_constrain_range_for_size.default(n") + range + ")\n    return x\n";
        return with({{"s0", 5}}, text.c_str());
    };
    check(constrained("").error.ok() && constrained(", min = 5, max = 5").error.ok());
    refused(constrained(", max = 4"), fault::symbol_is_out_of_range, "a size from min to max", "5");
    refused(constrained(", min = 6"), fault::symbol_is_out_of_range, "a size from min to max", "5");

    // A block is typed by what it is given, and what the text says of it must hold as well.
    const std::string cond = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, p: "b8[]", x: "f32[s0, 3]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[s0, 3]" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 3]"):
            cos: "f32[s0, 3]" = torch.ops.aten.cos.default(x);  x = None
            return (cos,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 3]"):
            sin: "f32[s0, 3]" = torch.ops.aten.sin.default(x);  x = None
            return (sin,)
)fx";
    const auto branched = with({{"s0", 2}}, cond.c_str());
    check(branched.error.ok() && branched.blocks.size() == 2, render(branched.error));
    auto bad = cond;
    bad.replace(bad.find("sin: \"f32[s0, 3]\""), 17, "sin: \"f32[s0, 4]\"");
    refused(with({{"s0", 2}}, bad.c_str()), fault::annotation_differs_from_inference, "3 in dim 1", "4 in dim 1: f32[s0, 4]");

    // Numbers beside tensors, as torch.compile gives them: read, computed with, returned.
    const char compiled_text[] = R"fx(def forward(self, arg0_1: "Sym(s0)", arg1_1: "f32[s0]", arg2_1: "Sym(s1)", arg3_1: "f32[s1]"):
    mul: "Sym(s0*s1)" = arg0_1 * arg2_1
    neg: "Sym(-s0)" = -arg0_1;  arg0_1 = None
    mod: "Sym(PythonMod(-s0, s1))" = neg % arg2_1;  neg = None
    unsqueeze: "f32[s0, 1]" = torch.ops.aten.unsqueeze.default(arg1_1, 1)
    mul_1: "f32[s0, s1]" = torch.ops.aten.mul.Tensor(unsqueeze, arg3_1)
    view: "f32[s0*s1]" = torch.ops.aten.view.default(mul_1, [mul])
    full: "i64[PythonMod(-s0, s1)]" = torch.ops.aten.full.default([mod], 2)
    truediv: "Sym(IntTrueDiv(s0*s1, s1))" = mul / arg2_1
    sub: "Sym(IntTrueDiv(s0*s1, s1) - 1.5)" = truediv - 1.5
    gt: "Sym(IntTrueDiv(s0*s1, s1) - 1.5 > 1.0)" = sub > 1
    mul_2: "f32[s0*s1]" = torch.ops.aten.mul.Tensor(view, sub)
    return [view, mul, arg2_1, full, mul_2, sub, gt]
)fx";
    const auto numbers_made = with({{"s0", 3}, {"s1", 5}}, compiled_text);
    check(numbers_made.error.ok() && numbers_made.plan().ai_cpu_tasks == 0);
    if (!numbers_made.error.ok()) std::puts(render(numbers_made.error).c_str());
    check(numbers_made.error.ok() && numbers_made.plan().inputs == 2);
    const auto returned = with({}, "def forward(self, x: \"f32[6, 4]\"):\n    n = torch.ops.aten.sym_size.int(x, 0)\n    h = n / 4\n    b = h < 2\n"
                                   "    y = torch.ops.aten.mul.Tensor(x, h)\n    return (y, n, h, b, n)\n");
    check(returned.error.ok() && returned.plan().ai_cpu_tasks == 0, render(returned.error));
    const char resized[] = R"fx(def forward(self, x: "f32[1, 2, s0, s1]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 2)
    sym_size_int_1: "Sym(s1)" = torch.ops.aten.sym_size.int(x, 3)
    upsample_nearest2d: "f32[1, 2, TruncToInt(1.5*ToFloat(s0)), TruncToInt(1.5*ToFloat(s1))]" = torch.ops.aten.upsample_nearest2d.vec(x, None, [1.5, 1.5])
    sym_float: "Sym(ToFloat(s0))" = torch.sym_float(sym_size_int)
    mul: "Sym(0.3*ToFloat(s0))" = sym_float * 0.3;  sym_float = None
    round_1: "Sym(RoundToInt(0.3*ToFloat(s0)))" = round(mul, None);  mul = None
    sym_max: "Sym(Max(3, RoundToInt(0.3*ToFloat(s0))))" = torch.sym_max(round_1, 3);  round_1 = None
    slice_1: "f32[1, 2, s0, Min(s1, Max(3, RoundToInt(0.3*ToFloat(s0))))]" = torch.ops.aten.slice.Tensor(x, 3, 0, sym_max)
    pow_1: "Sym(s1**2)" = sym_size_int_1 ** 2
    mul_1: "f32[1, 2, s0, s1]" = torch.ops.aten.mul.Tensor(x, pow_1)
    return (upsample_nearest2d, slice_1, mul_1, pow_1)
)fx";
    const auto resizes = with({{"s0", 11}, {"s1", 5}}, resized);
    check(resizes.error.ok() && resizes.plan().ai_cpu_tasks == 0, render(resizes.error));
    auto wrong_size = std::string(resized);
    wrong_size.replace(wrong_size.find("TruncToInt(1.5"), 10, "CeilToInt");
    refused(with({{"s0", 11}, {"s1", 5}}, wrong_size.c_str()), fault::annotation_differs_from_inference, "16 in dim 2",
            "17 in dim 2: f32[1, 2, CeilToInt(1.5*ToFloat(s0)), TruncToInt(1.5*ToFloat(s1))]");
    refused(with({{"s0", 9223372036854775807}}, "def forward(self, n: \"Sym(s0)\", x: \"f32[2]\"):\n    m = -n\n    k = m - 1\n    j = -k\n    return (x, j)\n"),
            fault::argument_has_wrong_kind, "a number of i64", "one that is larger");
    refused(with({{"s0", 3}, {"s1", 0}}, compiled_text), fault::argument_has_wrong_kind, "a divisor other than 0", "0");
}

// ---- declarations

using two = gears<"s0", 1, 8>;
static_assert(dynamic::gears_of<two>.size() == 2 && two::error.ok() && dynamic::gears_of<gears<"s0", 4, 4, 8, 4>>.size() == 2);
using zipped = zip_gears<gears<"s0", 1, 8>, gears<"s1", 16, 128>, gears<"s2", 2, 2>>;
static_assert(dynamic::gears_of<zipped> == std::array{std::array<std::int64_t, 3>{1, 16, 2}, std::array<std::int64_t, 3>{8, 128, 2}});
using product = product_gears<gears<"s0", 1, 8>, gears<"s1", 16, 128>>;
static_assert(dynamic::gears_of<product>.size() == 4 && dynamic::gears_of<product>[1] == std::array<std::int64_t, 2>{1, 128} && product::symbols[1] == "s1");

template <class Sequence> struct many;
template <std::int64_t... I> struct many<std::integer_sequence<std::int64_t, I...>> {
    template <fixed_string Symbol> using of = gears<Symbol, (I + 1)...>;
};
template <fixed_string Symbol, std::int64_t Count> using to = typename many<std::make_integer_sequence<std::int64_t, Count>>::template of<Symbol>;
static_assert(to<"s0", 100>::error.ok() && product_gears<to<"s0", 10>, to<"s1", 10>>::error.ok() && zip_gears<to<"s0", 100>, to<"s1", 100>>::error.ok());
static_assert(is_refused(gears<"s0", 8>::error, {.what = fault::gears_are_impossible, .name = "s0", .expected = "2 to 100 values", .found = "1"}));
static_assert(is_refused(to<"s0", 101>::error, {.what = fault::gears_are_impossible, .name = "s0", .expected = "2 to 100 values", .found = "101"}));
static_assert(is_refused(gears<"s0", 1, 0>::error, {.what = fault::gears_are_impossible, .name = "s0", .expected = "values from 1 on", .found = "0"}));
static_assert(is_refused(gears<"s0", 1, -3>::error, {.what = fault::gears_are_impossible, .name = "s0", .expected = "values from 1 on", .found = "-3"}));
static_assert(is_refused(zip_gears<gears<"s0", 1, 8>, gears<"s1", 1, 2, 3>>::error, {.what = fault::gears_are_impossible, .name = "s1", .expected = "2 values, as many as of s0: zip", .found = "3"}));
static_assert(is_refused(product_gears<to<"s0", 11>, to<"s1", 10>>::error, {.what = fault::gears_are_impossible, .name = "s1", .expected = "at most 100 gears in all", .found = "110"}));
static_assert(is_refused(product_gears<gears<"s0", 1, 8>, gears<"s0", 1, 8>>::error, {.what = fault::symbol_is_given_twice, .name = "", .expected = "each symbol once", .found = "s0"}));
static_assert(is_refused(zip_gears<two, gears<"s1", 5>>::error, {fault::gears_are_impossible}));

// ---- programs

struct net {
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[40, 16]", arg1_1: "f32[40]", arg2_1: "Sym(s0)", arg3_1: "f32[s0, 16]"):
        t: "f32[16, 40]" = torch.ops.aten.t.default(arg0_1);  arg0_1 = None
        addmm: "f32[s0, 40]" = torch.ops.aten.addmm.default(arg1_1, arg3_1, t);  arg1_1 = t = None
        sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(arg3_1, 0);  arg3_1 = None
        mul: "Sym(2*s0)" = sym_size_int * 2;  sym_size_int = None
        view: "f32[2*s0, 20]" = torch.ops.aten.view.default(addmm, [mul, 20]);  addmm = mul = None
        _softmax: "f32[2*s0, 20]" = torch.ops.aten._softmax.default(view, 1, False);  view = None
        view_1: "f32[s0, 40]" = torch.ops.aten.view.default(_softmax, [arg2_1, 40]);  _softmax = arg2_1 = None
        return (view_1,)
)fx";
    static constexpr fx_input inputs[] = {{"arg0_1", "w"}, {"arg1_1", "b"}};
};
template <std::int64_t N> struct written_out {
    static constexpr auto make = [] {
        std::array<char, 1024> out{};
        std::size_t at = 0;
        for (const char* p = net::text; *p != 0;) {
            const std::string_view rest(p, static_cast<std::size_t>(net::text + sizeof net::text - 1 - p));
            const auto put = [&](std::int64_t n) {
                if (n > 9) out[at++] = static_cast<char>('0' + n / 10);
                out[at++] = static_cast<char>('0' + n % 10);
            };
            if (rest.substr(0, 4) == "2*s0") put(2 * N), p += 4;
            else if (rest.substr(0, 18) == ", arg2_1: \"Sym(s0)") p += 19; // which a caller does not give
            else if (rest.substr(0, 6) == "arg2_1" && rest.substr(6, 2) == ", ") put(N), p += 6;
            else if (rest.substr(0, 10) == " = arg2_1 ") out[at++] = ' ', p += 9;
            else if (rest.substr(0, 2) == "s0") put(N), p += 2;
            else out[at++] = *p++;
        }
        return std::pair(out, at);
    }();
    static constexpr std::string_view text{make.first.data(), make.second};
    static constexpr const auto& inputs = net::inputs;
};
using programs = compiled_gears<net, gears<"s0", 1, 7, 32>>;
static_assert(programs::accepted && programs::count == 3 && programs::gear_of({7}) == 1 && programs::gear_of({8}) == 3 && programs::gear_from({8}) == 2 &&
              programs::gear_from({33}) == 3 && programs::gear_from({1}) == 0);
// The memory is the largest gear's; constants are packed for few rows, and for many.
static_assert(programs::session::bytes == std::max({programs::program<0>::session::bytes, programs::program<1>::session::bytes, programs::program<2>::session::bytes}));
static_assert(programs::prepared::copies == 2 &&
              programs::prepared::bytes == prepared_weights<programs::program<0>>::bytes + prepared_weights<programs::program<1>>::bytes);

std::vector<float> some(std::size_t count, std::uint32_t seed) {
    std::vector<float> out(count);
    for (auto& x : out) x = static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0f - 0.5f;
    return out;
}
template <std::int64_t N> void same_as_written_out(const weights& given, programs::session& run, std::span<const float> all) {
    using alone = compiled<fx<written_out<N>>>;
    const auto prepared = alone::prepare(given);
    typename alone::session session{prepared};
    const auto x = all.first<static_cast<std::size_t>(16 * N)>();
    const auto [wanted] = session(x);
    {
        const auto [y] = run.at<N>()(x);
        check(std::memcmp(y.data(), wanted.data(), sizeof(float) * 40 * N) == 0);
    }
    int calls = 0;
    run.visit({N}, [&](auto gear) {
        ++calls;
        check(gear.values[0] == N);
        const auto [y] = gear(all.first<static_cast<std::size_t>(16 * gear.values[0])>());
        check(y.size() == 40 * N && std::memcmp(y.data(), wanted.data(), sizeof(float) * 40 * N) == 0);
    });
    check_equal(calls, 1);
}

// ---- what is kept from run to run is the same for all gears

struct counting {
    static constexpr char text[] = R"fx(def forward(self, count: "f32[4]", x: "f32[s0, 4]"):
    sum_1: "f32[4]" = torch.ops.aten.sum.dim_IntList(x, [0])
    add_: "f32[4]" = torch.ops.aten.add_.Tensor(count, sum_1)
    mul: "f32[s0, 4]" = torch.ops.aten.mul.Tensor(x, add_)
    return (mul,)
)fx";
    static constexpr fx_input inputs[] = {{"count", "count"}};
};
using counters = compiled_gears<counting, gears<"s0", 1, 64>>;
static_assert(!detail::same_constants<counters::program<0>, programs::program<0>>); // as many parameters as there may be

} // namespace

int main() {
    texts();
    const auto w = some(640, 1), b = some(40, 2), x = some(32 * 16, 3);
    weights given;
    given.add("w", dtype::f32, {40, 16}, std::as_bytes(std::span(w)));
    given.add("b", dtype::f32, {40}, std::as_bytes(std::span(b)));
    const auto prepared = programs::prepare(given);
    programs::session run{prepared};
    same_as_written_out<1>(given, run, x);
    same_as_written_out<7>(given, run, x);
    same_as_written_out<32>(given, run, x);
    const std::span<const float> all(x);

    check_fault([&] { run.visit({8}, [](auto) {}); }, fault::size_has_no_gear, "expected one of s0 = 1; 7; 32, found s0 = 8");
    check_fault([&] { run.visit_at_least({33}, [](auto) {}); }, fault::size_has_no_gear, "found s0 = 33");
    check_equal(run.visit_at_least({2}, [](auto gear) { return gear.values[0]; }), 7);
    check_equal(run.visit({32}, [](auto gear) { return gear.number; }), 2u);
    {
        // An output of one gear lies where another one runs.
        const auto held = run.at<7>()(all.first<112>());
        check_fault([&] { run.at<1>()(all.first<16>()); }, fault::output_is_still_held);
        const auto refused = run.at<32>().try_run(all.first<512>());
        check_fault(refused.why(), {fault::output_is_still_held});
    }
    check(run.at<32>().try_run(all.first<512>()).ok());
    {
        std::vector<std::byte> small(programs::session::bytes - 1);
        check_fault([&] { programs::session{prepared, small}; }, fault::memory_is_too_small);
        check_fault([&] { programs::prepare({}); }, fault::weight_is_missing);
    }
    {
        // The constants go where the object goes.
        auto first = programs::prepare(given);
        const auto moved = std::move(first);
        programs::session other{moved};
        const auto [a] = other.at<7>()(all.first<112>());
        const auto [b7] = run.at<7>()(all.first<112>());
        check(std::memcmp(a.data(), b7.data(), sizeof(float) * 280) == 0);
    }
    {
        const float zero[4]{}, one[256] = {1, 1, 1, 1};
        weights start;
        start.add("count", dtype::f32, {4}, std::as_bytes(std::span(zero)));
        const auto counted = counters::prepare(start);
        counters::session counter{counted};
        const std::span<const float, 256> ones(one);
        counter.at<1>()(ones.first<4>());
        counter.at<64>()(ones);
        counter.at<1>()(ones.first<4>());
        check_equal(counter.at<64>().state<"count">().data()[3], 3.0f);
        check_equal(counter.at<1>().state<"count">().data()[0], 3.0f);
        {
            const auto held = counter.at<64>().state<"count">();
            check_fault([&] { counter.reset(); }, fault::output_is_still_held);
        }
        counter.reset();
        check_equal(counter.at<64>().state<"count">().data()[3], 0.0f);
    }
    return report();
}
