// SPDX-License-Identifier: MIT
// Choice files: what a line is, which calls it is of, what is refused, what is said of lines without calls and of calls without lines; and that a
// program with choices is the same however it is made.
// fault: choice_is_malformed
// fault: choice_is_impossible
#include "fused_agreement.hpp"
#include "refusal.hpp"

#include <sstream>

#include <ahead/aot/manifest.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/machine/xeon_2core.hpp>
#include <ahead/print/log_compilation.hpp>
#include <ahead/tune/print_choices.hpp>

using namespace ahead;
using namespace test;

namespace {

// Keys as text.
constexpr device::matmul_key wide{dtype::f32, 8, 100, 16, true, true, 16, 1, 100, 1, 0, 1};
constexpr std::string_view wide_line = "npu.matmul m=8 n=100 k=16 bias packed a_row=16 a_col=1 b_row=100 b_col=1 bias_col=1";
static_assert(device::text_of_key<device::matmul>(wide).view() == wide_line);
static_assert([] {
    auto other = wide;
    other.choice = device::matmul_choice::panels_of_64;
    return device::text_of_key<device::matmul>(other).view() == wide_line; // whatever was chosen
}());
static_assert(device::text_of_key<device::batch_matmul>(device::batch_matmul_key{{dtype::f64, 2, 8, 4}, 3, 8, 32}).view() == "npu.batch_matmul type=f64 m=2 n=8 k=4 batch=3 a_step=8 b_step=32");
// The longest that there can be.
static_assert([] {
    device::convolution_key key;
    key.type = dtype::bf16, key.bias = true;
    for (auto* n : {&key.batch, &key.in_channels, &key.in_h, &key.in_w, &key.out_channels, &key.kernel_h, &key.kernel_w, &key.stride_h, &key.stride_w, &key.pad_h, &key.pad_w,
                    &key.dilation_h, &key.dilation_w, &key.groups})
        *n = (std::int64_t{1} << 48) - 1;
    return device::text_of_key<device::convolution>(key).view().ends_with(" groups=281474976710655 bias");
}());

// What a key allows, and what is a kernel of its own.
using device::convolution_choice, device::matmul_choice;
static_assert(device::allows(wide, matmul_choice::panels_of_16) && !device::allows(wide, matmul_choice::in_place) && !device::allows(wide, matmul_choice::copied));
static_assert(device::is_by_rule(wide, matmul_choice::panels_of_32) && !device::is_by_rule(wide, matmul_choice::panels_of_64));
static_assert(!device::is_tuned(device::contiguous_matmul(dtype::f32, 8, 3, 16, false, true)));     // dot products
static_assert(!device::is_tuned(device::contiguous_matmul(dtype::f32, 8, 16, 16, false, true)));    // one panel
static_assert(!device::has_alternatives(device::contiguous_matmul(dtype::bf16, 8, 100, 16, false, true))); // not as it lies
static_assert(device::is_tuned(device::contiguous_matmul(dtype::f32, 8, 100, 16, false, false)));
static_assert(device::list_choices(device::contiguous_matmul(dtype::f32, 8, 3, 16, false, true)).view() == "by_rule, eigen");
constexpr device::convolution_key square(std::int64_t channels, std::int64_t size, std::int64_t pad = 1) { return {dtype::f32, 1, channels, size, size, channels, 3, 3, 1, 1, pad, pad}; }
static_assert(device::is_by_rule(square(64, 56), convolution_choice::winograd_32) && device::is_alternative(square(64, 56), convolution_choice::winograd_16));
static_assert(device::is_alternative(square(8, 8), convolution_choice::winograd_16) && !device::allows(square(8, 8), convolution_choice::winograd_32));
static_assert(!device::allows(square(64, 56, 2), convolution_choice::winograd_32) && !device::allows(square(64, 3), convolution_choice::winograd_32)); // whose errors would be larger
static_assert(device::list_choices(square(16, 8)).view() == "by_rule, pixels_in_lanes, filters_by_1, winograd_16, winograd_2x2, eigen");

// Lines.
constexpr std::string_view text = "# measured on a machine\n\n  npu.matmul m=1 : panels_of_16 # by_rule 2.0, panels_of_16 1.0: faster\r\nnpu.matmul m=2:by_rule\nnpu.matmul m=3";
constexpr auto check_lines = [] {
    const device::choice_table all(text);
    const auto* one = all.find("npu.matmul m=1");
    const auto* two = all.find("npu.matmul m=2");
    return all.lines().size() == 3 && one->number == 3 && one->choice == "panels_of_16" && two->number == 4 && two->choice == "by_rule" &&
           all.lines()[2].choice.empty() && all.find("npu.matmul m=4") == nullptr && all.find("") == nullptr && device::choice_table("").lines().size() == 0;
};
static_assert(check_lines());

// A program: a convolution that may be one of Winograd's, and a product; by its rules, and with choices, on one core and on two.
struct text_of_net {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[1, 8, 10, 10], w : f32[32, 8, 3, 3], v : f32[100, 40]):
    convolution = torch.ops.aten.convolution.default(x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    relu = torch.ops.aten.relu.default(convolution)
    view = torch.ops.aten.view.default(relu, [32, 100])
    mm = torch.ops.aten.mm.default(view, v)
    return (mm,)
)fx";
    static constexpr fx_input inputs[] = {{"w", "w"}, {"v", "v"}};
};
#define CONVOLUTION "npu.convolution in_channels=8 in_h=10 in_w=10 out_channels=32 kernel_h=3 kernel_w=3 pad_h=1 pad_w=1"
#define PRODUCT "npu.matmul m=32 n=40 k=100 packed a_row=100 a_col=1 b_row=40 b_col=1"
inline constexpr std::string_view both_lines = CONVOLUTION " : winograd_32\n" PRODUCT " : panels_of_16 # 1.0\n";
inline constexpr std::string_view other_lines = "npu.matmul m=33 n=40 k=100 packed a_row=100 a_col=1 b_row=40 b_col=1 : panels_of_64\n" PRODUCT " : by_rule\n";
inline constexpr machine::device by_rule_device = where_meeting_is_free(machine::xeon_2core, 3);
using by_rule = toolchain<>::with_device<by_rule_device>;
template <const auto& Choices, int Cores = 1> inline constexpr config choosing_options{.cores = Cores, .choices = Choices};
template <const auto& Choices, int Cores = 1> using choosing = by_rule::with_options<choosing_options<Choices, Cores>>;
using plain = compiled<fx<text_of_net>, by_rule>;
using chosen = compiled<fx<text_of_net>, choosing<both_lines>>;
using cut = compiled<fx<text_of_net>, choosing<both_lines, 2>>;
using stale = compiled<fx<text_of_net>, choosing<other_lines>>;

// The choices in its keys, in order: those of what packs, and of what runs.
template <class Op> void add_choice(std::string& out, graph_view g, node_id id) {
    if (g[id].target != Op::name) return;
    bound_arguments bound;
    diagnosis d;
    bind_arguments(g, id, device::registry::table[static_cast<std::size_t>(g[id].op.index)], bound, d);
    auto key = Op::key(call_view(g, id, bound, d));
    out += std::string(device::names_of(device::choice_in(key))[static_cast<std::size_t>(device::choice_in(key))]) + ' ';
}
std::string choices_of(graph_view g) {
    std::string out;
    for (node_id id : g) {
        add_choice<device::pack_convolution>(out, g, id), add_choice<device::convolution>(out, g, id);
        add_choice<device::pack_matmul>(out, g, id), add_choice<device::matmul>(out, g, id);
    }
    return out;
}
template <class Program> std::string table_of() {
    std::string out;
    print_choices<Program>(out);
    return out;
}

void programs() {
    check_equal(choices_of(plain::lowered_graph()), "by_rule by_rule by_rule by_rule ");
    check_equal(choices_of(chosen::lowered_graph()), "winograd_32 winograd_32 panels_of_16 panels_of_16 ");
    check_equal(choices_of(stale::lowered_graph()), "by_rule by_rule by_rule by_rule ");
    const auto given = random_inputs(plain::captured());
    const auto wanted = outputs_of<plain>(given), made = outputs_of<chosen>(given);
    check(made != wanted, "Winograd's sums are others"); // so that what was chosen has run
    double apart = 0, largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) apart = std::max(apart, std::fabs(made[i] - wanted[i])), largest = std::max(largest, std::fabs(wanted[i]));
    check(apart <= 4e-6 * largest, std::to_string(apart / largest));
    check(outputs_of<stale>(given) == wanted);
    check(choices_of(cut::lowered_graph()).find("by_rule") == std::string::npos, choices_of(cut::lowered_graph())); // its parts have what the whole has
    check(tasks_of<cut>("npu.matmul") == 2 && outputs_of<cut>(given) == made, "cut over cores it has the bits of the whole");

    // The other door: the same graph.
    auto options = by_rule::options;
    options.choices = both_lines;
    const auto inspected = inspect_fx<by_rule>(text_of_net::text, options, text_of_net::inputs);
    check(inspected.error.ok() && structurally_equal(inspected.lowered_graph(), chosen::lowered_graph(), device::registry::table));
    check(!structurally_equal(inspected.lowered_graph(), plain::lowered_graph(), device::registry::table));
}

void reports() {
    check_equal(table_of<chosen>(), "key\tchoice\tline\tcalls\n" CONVOLUTION "\twinograd_32\t1\t1\n" PRODUCT "\tpanels_of_16\t2\t1\n");
    check_equal(table_of<cut>(), table_of<chosen>());
    check_equal(table_of<stale>(), "key\tchoice\tline\tcalls\n" CONVOLUTION "\tby_rule\tnone\t1\n" PRODUCT
                                   "\tby_rule\t2\t1\nnpu.matmul m=33 n=40 k=100 packed a_row=100 a_col=1 b_row=40 b_col=1\tpanels_of_64\t1\t0\n");
    check_equal(report_choices<chosen>().notes(), "");
    check_equal(report_choices<stale>().notes(), "1 of 2 keys has no line and goes by its rule: " CONVOLUTION "\na line is of no call: line 1\n");
    check_equal(report_choices<plain>().notes(), "2 of 2 keys have no line and go by their rules, the first is " CONVOLUTION "\n");
}

template <class Program> std::string warnings_of() {
    std::ostringstream out;
    log_compilation<Program>(log_writer(out, log_level::warning));
    return out.str();
}
void logs() {
    check(warnings_of<chosen>().find("WARNING") == std::string::npos && warnings_of<plain>().find("WARNING") == std::string::npos);
    const auto said = warnings_of<stale>();
    check(said.find("choices: 1 of 2 keys has no line") != said.npos && said.find("choices: a line is of no call: line 1") != said.npos, said);
}

// A program that a toolchain with choices wrote is not that of one with others.
constexpr int rows_of_choices(std::string_view choices, std::int64_t& hash) {
    int count = 0;
    aot::for_each_said(config{.choices = choices}, [&](const aot::said& row) {
        if (row.name == "choices") ++count, hash = row.number;
    });
    return count;
}
static_assert([] {
    std::int64_t none = 0, both = 0, other = 0;
    return rows_of_choices("", none) == 0 && rows_of_choices(both_lines, both) == 1 && rows_of_choices(other_lines, other) == 1 && both != other;
}());

// At run time, each as it is when compiled (tests/reject/choice_*.cpp).
void refused(std::string_view choices, fault what, std::string_view expected, std::string_view found, const location& where = location::current()) {
    auto options = by_rule::options;
    options.choices = choices;
    const auto made = inspect_fx<by_rule>(text_of_net::text, options, text_of_net::inputs);
    check_fault(made.error, {.what = what, .expected = expected, .found = found}, where);
}
void refusals() {
    refused("# one\nnpu.matmul m=8 n=4", fault::choice_is_malformed, "key : choice # what was measured", "line 2: npu.matmul m=8 n=4, in the pass choose_kernels");
    refused("npu.mm m=8 n=4 : by_rule", fault::choice_is_malformed, "a key of an operator with several kernels, such as npu.matmul", "line 1: npu.mm, in the pass choose_kernels");
    refused("npu.matmul m=8 : by_rule\n\nnpu.matmul m=8 : panels_of_16", fault::choice_is_malformed, "a key once, as in line 1",
            "line 3: npu.matmul m=8, in the pass choose_kernels");
    refused("\n" PRODUCT " : winograd_16", fault::choice_is_impossible, "by_rule, panels_of_16, panels_of_32, panels_of_64, eigen",
            "winograd_16, in line 2 of the choices, in the pass choose_kernels");
    refused(PRODUCT " : copied", fault::choice_is_impossible, "by_rule, panels_of_16, panels_of_32, panels_of_64, eigen",
            "copied, in line 1 of the choices, in the pass choose_kernels");
}

} // namespace

int main() {
    check(check_lines());
    programs();
    reports();
    logs();
    refusals();
    return report();
}
