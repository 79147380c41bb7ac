// Operators of the user's that write, called through higher_order.auto_functionalized and its v2: what is left of the text prints as it was, and the numbers
// are those of the operator called on a clone. Texts of TorchAir's tests of it, before and after its own decomposition, mean the same.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/equivalent.hpp>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal, test::check_fault, test::location;

namespace {

/// custom::boo(Tensor(a!) x, float k=2.0) -> (): x becomes k x + 1.
struct boo_functional : aten::pointwise<1, promotion::keep, aten::domain::real> {
    static constexpr std::string_view name = "custom.boo_functional.default";
    enum at : int { x, k };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor), defaulted("k", parameter_kind::real, argument::of(2.0))};
    template <class T> static constexpr T meaning(T x, T k) { return k * x + 1; }
};
struct boo {
    using functional = boo_functional;
    using at = boo_functional::at;
    static constexpr std::string_view name = "custom.boo.default";
    static constexpr auto& schema = boo_functional::schema;
    static constexpr effects effect{.view_of = at::x, .mutates = at::x, .is_elementwise = true};
    static constexpr bool infer(infer_context& c) { return c.view_result(c.tensor(at::x), at::x); }
};
struct operators : aten::registry::with<boo_functional, boo> {};
using tools = toolchain<>::with<boo_functional>;
constexpr op_table op_rows = operators::table;

// ---- TorchAir's texts

struct written_view {
    static constexpr std::string_view text = R"fx(class f(torch.nn.Module):
    def forward(self, arg0_1_1: "f32[3]"):
        # No stacktrace found for following nodes
        select: "f32[]" = torch.ops.aten.select.int(arg0_1_1, 0, 0);  select = None
        select_1: "f32[]" = torch.ops.aten.select.int(arg0_1_1, 0, 2)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.custom.boo.default, _x_base_index = 0, _x_size = (3,), _x_stride = (1,), _x_storage_offset = 0, _all_bases = [arg0_1_1])
        getitem = auto_functionalized_v2[0];  getitem = None
        getitem_1: "f32[3]" = auto_functionalized_v2[1];  auto_functionalized_v2 = None
        mul: "f32[]" = torch.ops.aten.mul.Tensor(select_1, 10);  select_1 = None
        copy_: "f32[3]" = torch.ops.aten.copy_.default(arg0_1_1, getitem_1);  arg0_1_1 = getitem_1 = copy_ = None
        return mul
)fx";
};
struct decomposed_view {
    static constexpr std::string_view text = R"fx(class f(torch.nn.Module):
    def forward(self, arg0_1_1: "f32[3]"):
        # No stacktrace found for following nodes
        select: "f32[]" = torch.ops.aten.select.int(arg0_1_1, 0, 0);  select = None
        select_1: "f32[]" = torch.ops.aten.select.int(arg0_1_1, 0, 2)
        as_strided_default: "f32[3]" = torch.ops.aten.as_strided.default(arg0_1_1, [3], [1], 0)
        clone_default: "f32[3]" = torch.ops.aten.clone.default(as_strided_default);  as_strided_default = None
        as_strided_default_1: "f32[3]" = torch.ops.aten.as_strided.default(clone_default, [3], [1], 0);  clone_default = None
        as_strided_default_2: "f32[3]" = torch.ops.aten.as_strided.default(as_strided_default_1, [3], [1], 0)
        boo_default = torch.ops.custom.boo.default(as_strided_default_2);  as_strided_default_2 = boo_default = None
        mul: "f32[]" = torch.ops.aten.mul.Tensor(select_1, 10);  select_1 = None
        copy_: "f32[3]" = torch.ops.aten.copy_.default(arg0_1_1, as_strided_default_1);  arg0_1_1 = as_strided_default_1 = copy_ = None
        return mul
)fx";
};
using program = compiled<fx<written_view, operators>, tools>;
static_assert(program::accepted && program::plan.inputs_written == 1 && program::plan.ai_cpu_tasks == 0);

void torchair() {
    const auto weights = program::prepare();
    program::session run{weights};
    std::array<float, 3> x{1, 2, 3};
    check_equal(static_cast<double>(std::get<0>(run(x)).copy()[0]), 30); // the view was read before the write
    check(x == std::array<float, 3>{3, 5, 7});
    using after = compiled<fx<decomposed_view, operators>, tools>;
    static_assert(after::accepted && after::plan.peak_bytes == program::plan.peak_bytes && after::plan.run_tasks == program::plan.run_tasks);
    diagnosis d;
    check(equivalent<operators>(program::captured(), after::captured(), 1, d), render(d));
}

// ---- every way to say what is written

compile::inspected_graph inspect(const std::string& text) { return inspect_fx<tools, operators>(text); }
std::string text_of(std::string_view call, std::string_view rest = "return (getitem_1,)") {
    return "def forward(self, x: \"f32[4, 3]\", y: \"f32[4, 3]\"):\n    auto_functionalized = torch.ops.higher_order." + std::string(call) +
           "\n    getitem_1 = auto_functionalized[1]\n    " + std::string(rest) + "\n";
}
// What is printed of it when it has been read; and that it means what `plain` does.
void check_means(std::string_view call, std::string_view plain, std::string_view rest = "return (getitem_1,)") {
    const auto text = text_of(call, rest);
    const auto made = inspect(text);
    if (!check(made.error.ok(), text + render(made.error))) return;
    const auto same = "def forward(self, x: \"f32[4, 3]\", y: \"f32[4, 3]\"):\n" + std::string(plain) + "    " + std::string(rest) + "\n";
    const auto other = inspect(same);
    if (!check(other.error.ok(), same + render(other.error))) return;
    diagnosis d;
    for (std::uint64_t seed : {1u, 2u}) check(equivalent<operators>(made.captured(), other.captured(), seed, d), text + render(d));
    check(made.plan().peak_bytes <= other.plan().peak_bytes && made.plan().ai_cpu_tasks == 0, text);

    fx_style style;
    heap_storage read(count_fx(text));
    text_buffer<4096> again;
    check(read_fx(text, op_rows, read.edit(), style, d), text);
    print_fx(read.view(), style, again);
    check_equal(again.view(), text);
}
constexpr std::string_view whole = "    getitem_1 = torch.ops.custom.boo_functional.default(x)\n";

void spellings() {
    check_means("auto_functionalized(torch.ops.custom.boo.default, x = x)", whole);
    check_means("auto_functionalized(torch.ops.custom.boo.default, x = x, k = 3.0)", "    getitem_1 = torch.ops.custom.boo_functional.default(x, 3.0)\n");
    check_means("auto_functionalized_v2(torch.ops.custom.boo.default, _x_base_index = 0, _all_bases = [x])", whole);
    check_means("auto_functionalized_v2(torch.ops.custom.boo.default, k = 0.5, _x_base_index = 0, _x_alias = True, _all_bases = [x])",
                "    getitem_1 = torch.ops.custom.boo_functional.default(x, 0.5)\n");
    check_means("auto_functionalized_v2(torch.ops.custom.boo.default, _x_base_index = 0, _x_slice_dim = 0, _x_slice_start = 1, _x_slice_end = 3, _all_bases = [x])",
                "    s = torch.ops.aten.slice.Tensor(x, 0, 1, 3)\n    b = torch.ops.custom.boo_functional.default(s)\n"
                "    getitem_1 = torch.ops.aten.slice_scatter.default(x, b, 0, 1, 3)\n");
    check_means("auto_functionalized_v2(torch.ops.custom.boo.default, _x_base_index = 0, _x_size = (4,), _x_stride = (3,), _x_storage_offset = 1, _all_bases = [x])",
                "    s = torch.ops.aten.select.int(x, 1, 1)\n    b = torch.ops.custom.boo_functional.default(s)\n"
                "    getitem_1 = torch.ops.aten.select_scatter.default(x, b, 1, 1)\n");
    // x is what it was for whoever reads it, and twice is twice.
    check_means("auto_functionalized(torch.ops.custom.boo.default, x = x)", whole, "add = torch.ops.aten.add.Tensor(getitem_1, x)\n    return (add, x)");
    check_means("auto_functionalized(torch.ops.custom.boo.default, x = x)\n    one = auto_functionalized[1]\n"
                "    again = torch.ops.higher_order.auto_functionalized(torch.ops.custom.boo.default, x = one)\n    two = again[1]",
                "    one = torch.ops.custom.boo_functional.default(x)\n    two = torch.ops.custom.boo_functional.default(one)\n", "return (one, two)");
    // Lists among the other arguments, and what is written at another place than the first.
    check_means("auto_functionalized(torch.ops.custom.boo.default, x = x)\n    i = torch.ops.aten.arange.default(2)\n    v = torch.ops.aten.select.int(y, 0, 3)\n"
                "    again = torch.ops.higher_order.auto_functionalized(torch.ops.aten.index_put_.default, indices = [i], values = v, self = y)\n    two = again[1]",
                "    i = torch.ops.aten.arange.default(2)\n    v = torch.ops.aten.select.int(y, 0, 3)\n    two = torch.ops.aten.index_put.default(y, [i], v)\n",
                "return (two,)");
    // In a listing.
    const std::string listing = R"fx(graph():
    %x : [num_users=1] = placeholder[target=x]
    %auto_functionalized : [num_users=1] = call_function[target=torch.ops.higher_order.auto_functionalized](args = (custom.boo.default,), kwargs = {x: %x, k: 3})
    %getitem_1 : [num_users=1] = call_function[target=operator.getitem](args = (%auto_functionalized, 1), kwargs = {})
    return (getitem_1,)
)fx";
    constexpr fx_input inputs[] = {{.placeholder = "x", .type = "f32[5]"}};
    const auto made = inspect_fx<tools, operators>(listing, tools::options, inputs);
    check(made.error.ok() && made.plan().run_tasks == 1, render(made.error));
}

// ---- what is refused

void check_refused(std::string_view call, fault what, std::string_view says, std::string_view rest = "return (getitem_1,)",
                   location where = location::current()) {
    const auto text = text_of(call, rest);
    const auto made = inspect(text);
    check_fault(made.error, {what}, where);
    check_equal(test::sentence(made.error, where), says, where);
}
void refusals() {
    check_refused("auto_functionalized(torch.ops.custom.bao.default, x = x)", fault::operator_is_unknown,
                  "line 2: 'auto_functionalized': operator custom.bao.default is unknown: expected a registered operator, or your own, given to the registry, found custom.bao.default");
    check_refused("auto_functionalized(torch.ops.custom.boo_functional.default, x = x)", fault::node_kind_is_unsupported, "line 2: higher_order.auto_functionalized: node 'auto_functionalized' kind is unsupported: expected an operator that says what it mutates, found custom.boo_functional.default");
    check_refused("auto_functionalized(x = x)", fault::argument_is_missing, "line 2: higher_order.auto_functionalized 'auto_functionalized': argument is missing: expected an operator, torch.ops.<its name>, found none");
    check_refused("auto_functionalized(torch.ops.custom.boo.default, y = x)", fault::argument_is_missing, "line 2: higher_order.auto_functionalized 'auto_functionalized': argument is missing: expected a tensor as x, found no argument of this name");
    check_refused("auto_functionalized(torch.ops.custom.boo.default, x = None)", fault::argument_is_missing, "line 2: higher_order.auto_functionalized 'auto_functionalized': argument is missing: expected a tensor as x, found none");
    check_refused("auto_functionalized_v2(torch.ops.custom.boo.default, _x_base_index = None, _all_bases = [])", fault::node_kind_is_unsupported, "line 2: higher_order.auto_functionalized_v2: node 'auto_functionalized' kind is unsupported: expected one operand that is written, x, found 0 in _all_bases");
    check_refused("auto_functionalized_v2(torch.ops.custom.boo.default, _x_base_index = 0, _y_base_index = 1, _all_bases = [x, y])", fault::node_kind_is_unsupported, "line 2: higher_order.auto_functionalized_v2: node 'auto_functionalized' kind is unsupported: expected one operand that is written, x, found 2 in _all_bases");
    check_refused("auto_functionalized_v2(torch.ops.custom.boo.default, _x_base_index = 0, _x_slice_dim = 0, _x_slice_start = 1, _all_bases = [x])",
                  fault::argument_is_missing, "line 2: higher_order.auto_functionalized_v2 'auto_functionalized': argument is missing: expected _x_slice_end, found none");
    check_refused("auto_functionalized(torch.ops.custom.boo.default, x = x, scale = 2)", fault::argument_is_unknown, "line 2: custom.boo.default 'auto_functionalized': argument is unknown: expected x, k, found scale");
    check_refused("auto_functionalized(torch.ops.custom.boo.default, x = x)", fault::index_is_out_of_range, "line 4: operator.getitem 'z': index is out of range: expected 0 or 1: what the operator returns, what it wrote, found 2", "z = auto_functionalized[2]\n    return (z,)");
    check_refused("auto_functionalized(torch.ops.custom.boo.default, x = x)", fault::index_is_out_of_range, "line 4: 'output': index is out of range: expected 0 or 1: what the operator returns, what it wrote, found the tuple", "return (auto_functionalized,)");
    check_refused("auto_functionalized(torch.ops.custom.boo.default, x = x)", fault::argument_has_wrong_kind, "line 4: operator.getitem 'z': argument has the wrong kind: expected a tensor that is returned, found None", "z = auto_functionalized[0]\n    return (z,)");
    check_refused("auto_functionalized(torch.ops.custom.boo.default, x = x)", fault::argument_has_wrong_kind, "line 5: aten.relu.default 'w': argument has the wrong kind: expected self: Tensor, found None",
                  "z = auto_functionalized[0]\n    w = torch.ops.aten.relu.default(z)\n    return (w,)");
}

} // namespace

int main() {
    torchair();
    spellings();
    refusals();
    return test::report();
}
