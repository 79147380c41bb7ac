// Printing: a graph in every form, whatever form it was read from; decimals; sinks. Each law holds at compile time and at run time, by the same
// functions.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "harness.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/print/fx/print_fx.hpp>

#include <cstdlib>
#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

struct reading {
    graph_storage<capacity{32, 120, 40}> storage;
    fx_style style;
    diagnosis error;
    constexpr explicit reading(std::string_view text) { read_fx(text, op_rows, storage.edit(), style, error); }
};

constexpr std::string_view listing = R"fx(graph():
    %x : [num_users=3] = placeholder[target=x]
    %y : [num_users=0] = placeholder[target=y](default=None)
    %w : [num_users=1] = get_attr[target=layers.0.weight]
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %w), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %x), kwargs = {alpha: 2})
    %add_1 : [num_users=1] = call_function[target=operator.add](args = (%add, 1e-05), kwargs = {})
    %full : [num_users=0] = call_function[target=torch.ops.aten.full.default](args = ([2, -1], inf), kwargs = {dtype: torch.float32, device: cuda:0, pin_memory: False})
    return (add_1, None, x)
)fx";
constexpr std::string_view arithmetic = R"fx(def forward(self, s: "Sym(s0)", t: "Sym(s1)"):
    a: "Sym(s0*s1)" = s * t;  s = t = None
    b = -1 * a
    c = -b;  b = None
    d: "Sym((((-u1)//3)) + 5)" = c // 3
    e = d >= c;  d = c = None
    f = ~e;  e = None
    return (a, f)
)fx";
constexpr std::string_view exported = exported_printouts[1];

constexpr bool prints_as(std::string_view text, const fx_style& style, std::string_view expected) {
    const reading r(text);
    text_buffer<4096> printed;
    print_fx(r.storage.view(), style, printed);
    return r.error.ok() && printed.view() == expected;
}

// ---- other forms

constexpr bool prints_other_forms() {
    auto code = code_style();
    code.types = fx_types::inferred; // none are
    return prints_as(arithmetic, listing_style(), R"fx(graph():
    %s : [num_users=1] = placeholder[target=s]
    %t : [num_users=1] = placeholder[target=t]
    %a : [num_users=2] = call_function[target=operator.mul](args = (%s, %t), kwargs = {})
    %b : [num_users=1] = call_function[target=operator.mul](args = (-1, %a), kwargs = {})
    %c : [num_users=2] = call_function[target=operator.neg](args = (%b,), kwargs = {})
    %d : [num_users=1] = call_function[target=operator.floordiv](args = (%c, 3), kwargs = {})
    %e : [num_users=1] = call_function[target=operator.ge](args = (%d, %c), kwargs = {})
    %f : [num_users=1] = call_function[target=operator.invert](args = (%e,), kwargs = {})
    return (a, f)
)fx") && prints_as(listing, code, R"fx(def forward(self, x, y = None):
    w = getattr(self.layers, "0").weight
    mm = torch.ops.aten.mm.default(x, w);  w = None
    add = torch.ops.aten.add.Tensor(mm, x, alpha = 2);  mm = None
    add_1 = add + 1e-05;  add = None
    full = torch.ops.aten.full.default([2, -1], inf, dtype = torch.float32, device = cuda:0, pin_memory = False);  full = None
    return (add_1, None, x)
)fx") && prints_as(exported, exported_style(), R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature:
    # inputs
    p_w: PARAMETER target='w'
    x: USER_INPUT

    # outputs
    add: USER_OUTPUT

Range constraints: {}
)fx");
}
static_assert(prints_other_forms());

// ---- decimals

constexpr bool decimal(std::string_view text, double value) {
    std::int64_t bits = 0;
    return read_decimal(text, bits) && bits == std::bit_cast<std::int64_t>(value) && print_decimal(bits).view() == text;
}
constexpr bool decimals() {
    return decimal("0.7071067811865476", 0.7071067811865476) && decimal("9.999999999999999e-05", 9.999999999999999e-05) &&
           decimal("-3.4028234663852886e+38", -3.4028234663852886e+38) && decimal("1e-05", 1e-05) && decimal("1.0", 1.0) &&
           decimal("1e+16", 1e16) && decimal("1234567890123456.0", 1234567890123456.0) && decimal("0.0001", 0.0001) && decimal("-0.0", -0.0);
}
static_assert(decimals());
constexpr bool smallest_decimal() { return decimal("5e-324", 5e-324); }
static_assert(smallest_decimal());
// Seventeen attempts of a thousand bits each: at run time only.
// Many digits behind many zeros: what is small is rounded as it is, whichever way it is written.
void long_decimals() {
    const auto reads = [](const std::string& text) {
        std::int64_t bits = 0;
        return read_decimal(text, bits) && bits == std::bit_cast<std::int64_t>(std::strtod(text.c_str(), nullptr));
    };
    for (std::size_t zeros : {0u, 1u, 2u, 100u, 307u, 322u, 323u, 324u, 325u, 400u, 1000u})
        for (std::size_t digits : {1u, 20u, 399u, 400u})
            for (char digit : {'1', '2', '9'}) check(reads("0." + std::string(zeros, '0') + std::string(digits, digit)));
    for (int power : {-1200, -725, -724, -723, -722, -700, -401, -400, -399, 0})
        for (char digit : {'2', '9'}) check(reads(std::string(400, digit).append("e").append(std::to_string(power))));
    std::int64_t bits = 0;
    check(!read_decimal(std::string(401, '1'), bits));
}
bool other_extremes() { return decimal("1.7976931348623157e+308", 1.7976931348623157e308) && decimal("2.2250738585072014e-308", 2.2250738585072014e-308); }

// ---- from any form to any form and back: the same graph

constexpr std::string_view typed = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, p_w: "f32[4, 3]", b_m: "f32[4]", x: "f32[2, 3]", i: "i64[2]"):
        t: "f32[3, 4][1, 3]" = torch.ops.aten.t.default(p_w);  p_w = None
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(x, t);  x = t = None
        add: "f32[2, 4]" = torch.ops.aten.add.Tensor(mm, b_m, alpha = 2);  mm = b_m = None
        gelu: "f32[2, 4]" = torch.ops.aten.gelu.default(add, approximate = 'tanh');  add = None
        full: "f32[2, 4]" = torch.ops.aten.full.default([2, 4], -1e-05, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where: "f32[2, 4]" = torch.ops.aten.add.Tensor(gelu, full);  gelu = full = None
        split = torch.ops.aten.split.Tensor(where, 1, -1)
        getitem: "f32[2, 1]" = split[0]
        getitem_1: "f32[2, 1]" = split[3];  split = None
        cat: "f32[2, 2]" = torch.ops.aten.cat.default([getitem, getitem_1], 1);  getitem = getitem_1 = None
        clone: "f32[2, 4]" = torch.ops.aten.clone.default(where, memory_format = torch.contiguous_format)
        relu = torch.ops.aten.relu.default(clone);  clone = relu = None
        return (cat, i, None, where)
)fx";

// Gives the inputs of `to` the types and roles of those of `from`, as a user does where a form does not print them.
constexpr void describe_as(graph_view from, graph to) {
    auto at = from.first();
    for (node_id id : to) {
        if (to[id].kind != node_kind::placeholder) continue;
        to[id].annotation = from[at].annotation;
        to[id].role = from[at].role;
        to[id].weight = from[at].weight;
        at = from[at].next;
    }
}

constexpr bool prints_and_reads(const fx_style& style) {
    reading from(typed);
    diagnosis d;
    const auto g = from.storage.edit();
    g[node_id{0}].role = input_role::parameter;
    g[node_id{0}].weight = "w";
    g[node_id{1}].role = input_role::buffer;
    g[node_id{1}].weight = "bn.m";
    if (!from.error.ok() || !infer_types(g, op_rows, d)) return false;
    text_buffer<4096> printed;
    print_fx(g, style, printed);
    reading back(printed.view());
    const auto h = back.storage.edit();
    if (style.form != fx_form::exported) describe_as(g, h);
    return back.error.ok() && infer_types(h, op_rows, d) && structurally_equal(g, h, op_rows);
}
static_assert(prints_and_reads(listing_style()));
static_assert(prints_and_reads(code_style()));
static_assert(prints_and_reads(readable_style()));
static_assert(prints_and_reads(exported_style()));

// What the graph gives its inputs and weights: by the signature of an exported program.
constexpr bool prints_mutations() {
    reading from(typed);
    diagnosis d;
    const auto g = from.storage.edit();
    g[node_id{0}].role = input_role::parameter;
    g[node_id{0}].weight = "w";
    g[node_id{1}].role = input_role::buffer;
    g[node_id{1}].weight = "bn.m";
    const auto results = g[g[g.last()].arguments[0]].children;
    if (!infer_types(g, op_rows, d)) return false;
    g[results[0]].writes = {0};
    g[results[1]].writes = {1};
    g[results[3]].writes = {2};
    text_buffer<4096> printed;
    print_fx(g, exported_style(), printed);
    reading back(printed.view());
    return back.error.ok() && infer_types(back.storage.edit(), op_rows, d) && structurally_equal(g, back.storage.view(), op_rows) &&
           printed.view().find("    cat: PARAMETER_MUTATION target='w'\n") != std::string_view::npos;
}
static_assert(prints_mutations());

// What inference gives stands in the annotations, and in no others.
constexpr bool prints_inferred_types() {
    reading r(typed);
    diagnosis d;
    for (auto& n : r.storage.nodes)
        if (n.kind == node_kind::call) n.annotation = {};
    infer_types(r.storage.edit(), op_rows, d);
    text_buffer<4096> printed;
    auto style = r.style;
    style.types = fx_types::inferred;
    print_fx(r.storage.view(), style, printed);
    const auto text = printed.view();
    return text.find("        t: \"f32[3, 4]\" = torch") != text.npos && text.find("        split = torch") != text.npos &&
           text.find("        relu: \"f32[2, 4]\" = torch") != text.npos && text.find("i: \"i64[2]\"):\n") != text.npos;
}
static_assert(prints_inferred_types());

constexpr bool counts_what_it_loses() {
    text_buffer<8> small;
    small.append("12345");
    small.append("67890");
    return small.view() == "12345678" && small.lost == 2;
}
static_assert(counts_what_it_loses());

} // namespace

int main() {
    check(prints_other_forms());
    check(decimals());
    check(smallest_decimal());
    check(other_extremes());
    long_decimals();
    for (const auto& style : {listing_style(), code_style(), readable_style(), exported_style()}) check(prints_and_reads(style), std::to_string(static_cast<int>(style.form)));
    check(prints_inferred_types());
    check(counts_what_it_loses());

    // Any sink: here a std::string, and pools on the heap.
    heap_storage heap(count_fx(listing));
    fx_style style;
    diagnosis d;
    std::string printed;
    check(read_fx(listing, op_rows, heap.edit(), style, d));
    print_fx(heap.view(), style, printed);
    check_equal(printed, listing);
    return report();
}
