// Every production of FX text is read and printed back as it was. Each law holds at compile time (static_assert) and at
// run time, by the same functions.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "fx_reading.hpp"
#include "harness.hpp"

#include <ahead/frontend/fx/fx.hpp>
#include <ahead/ir/weights.hpp>

#include <string>

// fault: graph_exceeds_capacity

using namespace ahead;
using namespace test;
using namespace test::fx_reading;

namespace {

// ---- texts that print back

constexpr std::string_view good[] = {
    // print(gm.graph)
    R"fx(graph():
    %x : [num_users=3] = placeholder[target=x]
    %y : [num_users=0] = placeholder[target=y](default=None)
    %w : [num_users=1] = get_attr[target=layers.0.weight]
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %w), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %x), kwargs = {alpha: 2})
    %add_1 : [num_users=1] = call_function[target=operator.add](args = (%add, 1e-05), kwargs = {})
    %full : [num_users=0] = call_function[target=torch.ops.aten.full.default](args = ([2, -1], inf), kwargs = {dtype: torch.float32, device: cuda:0, pin_memory: False})
    return (add_1, None, x)
)fx",
    // older: #users, two blanks, one result, words without quotes, empty ones, commas inside
    R"fx(graph():
  %x : torch.Tensor [#users=2] = placeholder[target=x]
  %gelu : [#users=1] = call_function[target=torch.ops.aten.gelu.default](args = (%x,), kwargs = {approximate: tanh})
  %einsum : [#users=1] = call_function[target=torch.ops.aten.einsum.default](args = (bij,bjk->bik, [%gelu, %x]), kwargs = {})
  %odd : [#users=1] = call_function[target=torch.ops.aten.odd.default](args = (%einsum, , slice(None, 3, None)), kwargs = {})
  %getitem : [#users=1] = call_function[target=<built-in function getitem>](args = (%odd, 0), kwargs = {})
  return [getitem]
)fx",
    "title\n[log] graph is graph():\n    return ()\n",
    "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %getitem : [num_users=1] = call_function[target=_operator.getitem](args = (%x, 1), kwargs = {})\n    return getitem\n",
    // print_readable()
    R"fx(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 3]", arg1_1: "f32[2, 3][3, 1]cuda:0"):
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(arg0_1, arg1_1, alpha = 2);  arg1_1 = None
        split = torch.ops.aten.split.Tensor(add, 1, -1)
        getitem: "f32[2, 1]" = split[0]
        getitem_2: "f32[2, 1]" = split[2];  split = None
        copy_: "f32[2, 3]" = torch.ops.aten.copy_.default(arg0_1, add);  arg0_1 = add = copy_ = None
        return (getitem, None, getitem_2)
)fx",
    // gm.code: no annotations; every kind of value
    R"fx(def forward(self, x, y = None, z = 2) -> torch.Tensor:
    a = torch.ops.aten.index.Tensor(x, [None, y, None]);  x = y = None
    b = torch.ops.aten.full.default([2, 2], -0.5, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=1), pin_memory = False);  b = None
    c = torch.ops.aten.clone.default(a, memory_format = torch.contiguous_format);  a = None
    d = torch.ops.aten.slice.Tensor(c, 0, 1, 9223372036854775807)
    e = torch.ops.aten._assert_scalar.default(d, "u0 >= 0, on 'ge' # [");  e = None
    f = torch.ops.aten.empty.memory_format([], device = device(type='cpu'), name = 'a"b', t = (1,), u = (True, nan), v = ());  f = None
    g = torch.ops.aten.mul.Tensor(c, torch.complex32);  g = None
    h = torch.ops.aten.add.Tensor((1+2j), -0.5j, alpha = complex(-1e-05, inf));  h = None
    i = torch.ops.aten.addmm.default(c, c, c, beta = 2j, alpha = (-1.5e-07-nanj));  c = i = None
    return d
)fx",
    // Python arithmetic
    R"fx(def forward(self, s: "Sym(s0)", t: "Sym(s1)"):
    a: "Sym(s0*s1)" = s * t;  s = t = None
    b = -1 * a
    c = -b;  b = None
    d: "Sym((((-u1)//3)) + 5)" = c // 3
    e = d >= c;  d = c = None
    f = ~e;  e = None
    return (a, f)
)fx",
    // before FX deleted unused nodes; no deletions; lone semicolons
    "def forward(self, x):\n    y = torch.ops.aten.relu_.default(x)\n    z = torch.ops.aten.abs.default(x);  x = None\n    return z\n",
    "def forward(self, x):\n    y = torch.ops.aten.abs.default(x)\n    return [y, None]\n",
    "def forward(self, x: f32[2, 3], s: Sym(Max(1, s0))):\n    y: f32[2, 3] = torch.ops.aten.abs.default(x);\n    return (y,)\n",
    // arguments with names of Python's own, and one that the first of them takes the name of
    R"fx(class GraphModule(torch.nn.Module):
    def forward(self, input: "f32[2]", input_1: "f32[2]", filter: "f32[2]"):
        input_1 = input
        input_2 = input_1
        filter_1 = filter
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(input_1, filter_1);  filter_1 = None
        sub: "f32[2]" = torch.ops.aten.sub.Tensor(mul, input_2);  mul = None
        return (sub, input_1, input_2)
)fx",
    // attributes whose names are none of Python's
    "def forward(self):\n    a = getattr(getattr(self.m, \"b-c\"), \"x-y\").weight\n    b = getattr(self, \"0\").weight\n    c = torch.ops.aten.add.Tensor(a, b);  a = b = None\n    return (c,)\n",
    R"fx(graph():
    %w : [num_users=1] = get_attr[target=m.b-c.x-y.weight]
    %abs_1 : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%w,), kwargs = {})
    return (abs_1,)
)fx",
    // a class that calls share
    R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        repeated_subgraph0 = self.repeated_subgraph0
        invoke_subgraph = torch.ops.higher_order.invoke_subgraph(repeated_subgraph0, 'subgraph_0', x);  repeated_subgraph0 = x = None
        getitem: "f32[2]" = invoke_subgraph[0];  invoke_subgraph = None
        repeated_subgraph0_1 = self.repeated_subgraph0
        invoke_subgraph_1 = torch.ops.higher_order.invoke_subgraph(repeated_subgraph0_1, 'subgraph_0', getitem);  repeated_subgraph0_1 = getitem = None
        getitem_1: "f32[2]" = invoke_subgraph_1[0];  invoke_subgraph_1 = None
        return (getitem_1,)

    class repeated_subgraph0(torch.nn.Module):
        def forward(self, arg0_1: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(arg0_1, arg0_1)
            add: "f32[2]" = torch.ops.aten.add.Tensor(mul, arg0_1);  mul = arg0_1 = None
            return (add,)
)fx",
    // other names, renamed inputs
    "def forward(self, L_x_ : torch.Tensor):\n    l_x_ = L_x_\n    sin: f32[2] = torch.ops.aten.sin.default(l_x_);  l_x_ = None\n    return (sin,)\n",
    // attributes
    "def forward(self):\n    a = self.layers.weight\n    b = getattr(self.layers, \"0\").weight\n    c = torch.ops.aten.add.Tensor(a, b);  a = b = None\n    return (c,)\n",
    // one parameter per line
    R"fx(class GraphModule(torch.nn.Module):
    def forward(
        self,
        primals_1: "f32[2]",  # PlainAOTInput(idx=0)
        primals_2: "f32[2]",
    ):
        add: "f32[2]" = torch.ops.aten.add.Tensor(primals_1, primals_2);  primals_1 = primals_2 = None
        return pytree.tree_unflatten([
            add,  # PlainAOTOutput(idx=0)
            None,
        ], self._out_spec)
)fx",
    // inputs bound by tree_flatten_spec
    R"fx(class inner_f(torch.nn.Module):
    def forward(self, primals, tangents):
        primals_1: "f32[2]"; tangents_1: "f32[2]"; 
        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(primals_1, tangents_1);  primals_1 = tangents_1 = None
        return pytree.tree_unflatten([mul, None], self._out_spec)
)fx",
    "def forward(self, x):\n    arg0, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)\n    arg0_1 = arg0\n    y = torch.ops.aten.abs.default(arg0_1);  arg0_1 = None\n    return (y,)\n",
    // complete although its return was not printed: every name is deleted
    "def forward(self, x):\n    y = torch.ops.aten.relu_.default(x);  x = y = None\n",
    // Python types have no quotes, whatever the others have; other spellings of a dtype are kept
    "def forward(self, L_x_ : torch.Tensor, y : \"f32[2]\"):\n    a: \"f32[2]\" = torch.ops.aten.to.dtype(L_x_, torch.float);  L_x_ = None\n    return (a, y)\n",
    // nested lists and tuples, every float, strings with other quotes, colons and semicolons inside, a method's layout
    R"fx(def forward(self, x):
    a = torch.ops.aten.roll.default(x, [[1, (2, 3)], [], ((), (x,))], [-inf, inf, nan, -1e-05, 1e+30, -0.0, 5.314625850340136e-05]);  x = None
    b = torch.ops.aten.b.default(a, "it's; a: b = None", '', 'say "no"', (None, True, [False]));  a = None
    c = torch.ops.prims.c.default(b, layout = torch.sparse_coo, dtype = torch.int64, device = device(type='cpu', index=0), m = torch.channels_last, e = Reduction.MEAN)
    d = torch.ops.aten.index.Tensor(c, [slice(None, None, None), slice(1, -1, 2)]);  c = None
    return [d, (b, None), 1, 2.5]
)fx",
    // strides, devices, bf16, symbols; blanks and comments anywhere
    R"fx(class GraphModule(torch.nn.Module):
    def forward(self, a: "bf16[][]cuda:0", b: "i64[2, 3][1, 2]cpu", c: "Sym(s17 - 2)", d: "f32[2*s0, 8][8, 1]npu:0"):
        var_mean = torch.ops.aten.var_mean.correction(d, [1], correction = 0, keepdim = True);  d = None
        getitem: "f32[2*s0, 1][1, 1]npu:0" = var_mean[0]
        getitem_1: "f32[2*s0, 1][1, 1]npu:0" = var_mean[1];  var_mean = None
        return (a, b, c, getitem, getitem_1, getitem)
)fx",
};

template <std::size_t N> constexpr bool all_print_back(const std::string_view (&texts)[N]) {
    for (auto text : texts)
        if (!prints_back(text)) return false;
    return true;
}
static_assert(all_print_back(good) && all_print_back(exported_printouts));

// ---- what the graph holds

constexpr bool holds_values() {
    const reading r(good[5]);
    const auto& full = r[4];
    const auto& sizes = r.argument_of(4, 0);
    const auto& device = r.argument_of(4, 4);
    const auto& text = r.argument_of(7, 1);
    return r.error.ok() && r[0].kind == node_kind::placeholder && r[2].name.text == "z" && r.view()[r[2].arguments[0]].integer() == 2 &&
           full.target == "aten.full.default" && !full.op.exists() && full.from.line == 3 && sizes.kind == argument_kind::list &&
           sizes.children.count == 2 && r.view()[sizes.children[1]].integer() == 2 && r.argument_of(4, 1).real() == -0.5 &&
           r.argument_of(4, 1).text == "-0.5" && r.argument_of(4, 2).type() == dtype::f32 && r.argument_of(4, 2).keyword == "dtype" &&
           r.argument_of(4, 3).kind == argument_kind::layout && device.kind == argument_kind::device && device.text == "cuda" && device.bits == 1 &&
           !r.argument_of(4, 5).boolean() && r.argument_of(5, 1).kind == argument_kind::memory_format &&
           r.argument_of(6, 3).integer() == 9223372036854775807 && text.kind == argument_kind::string && text.text == "u0 >= 0, on 'ge' # [" &&
           r.argument_of(9, 1).kind == argument_kind::word && complex_of(r.argument_of(10, 0)) == complex128(1, 2) &&
           complex_of(r.argument_of(10, 1)) == complex128(0, -0.5) && math::isinf(complex_of(r.argument_of(10, 2)).im) && r[12].kind == node_kind::output &&
           r.argument_of(12, 0).node() == node_id{6} && r[0].use_count == 1 && r.style.return_annotation == "torch.Tensor";
}
static_assert(holds_values());

constexpr bool holds_operators_and_uses() {
    const reading f1(good[0]);
    const reading f2(good[4]);
    return f1[3].op == find_op(op_rows, "aten.mm.default") && f1[3].op.exists() && f1[0].use_count == 3 && f1[3].use_count == 1 && f1[2].kind == node_kind::get_attr &&
           f1[2].weight == "layers.0.weight" && f1[5].target == "operator.add" && f1.argument_of(6, 3).kind == argument_kind::word &&
           f2[4].target == "operator.getitem" && f2[4].op.exists() && f2[4].annotation == "f32[2, 1]" && f2[4].values.count == 0 &&
           f2[2].from.line == 3 && f2[7].kind == node_kind::output && f2.argument_of(7, 0).kind == argument_kind::tuple;
}
static_assert(holds_operators_and_uses());

constexpr bool holds_nested_values() {
    const reading r(good[std::size(good) - 2]);
    const auto g = r.view();
    const auto child = [&](const argument& a, std::int32_t i) -> const argument& { return g[a.children[i]]; };
    const auto& lists = r.argument_of(1, 1);
    const auto& reals = r.argument_of(1, 2);
    const auto& deep = child(child(child(lists, 2), 1), 0);
    const auto& slice = child(r.argument_of(4, 1), 1);
    const auto& results = r.argument_of(5, 0);
    return r.error.ok() && lists.children.count == 3 && child(child(lists, 0), 1).kind == argument_kind::tuple && child(lists, 1).children.count == 0 &&
           deep.kind == argument_kind::node && deep.node() == node_id{0} && r[0].use_count == 2 && child(reals, 0).real() < -1e308 &&
           child(reals, 2).real() != child(reals, 2).real() && child(reals, 3).real() == -1e-05 && child(reals, 5).bits < 0 &&
           r.argument_of(2, 1).text == "it's; a: b = None" && r.argument_of(2, 2).text.empty() && r.argument_of(2, 3).text == "say \"no\"" &&
           child(r.argument_of(2, 4), 0).kind == argument_kind::none && r.argument_of(3, 1).kind == argument_kind::layout &&
           r.argument_of(3, 3).bits == 0 && r.argument_of(3, 4).kind == argument_kind::memory_format && r.argument_of(3, 5).text == "Reduction.MEAN" &&
           slice.kind == argument_kind::slice && child(slice, 1).integer() == -1 && results.kind == argument_kind::list &&
           child(child(results, 1), 0).node() == node_id{2} && child(results, 3).real() == 2.5;
}
static_assert(holds_nested_values());

constexpr bool holds_annotations() {
    const reading r(good[std::size(good) - 1]);
    return r.error.ok() && r[0].annotation == "bf16[][]cuda:0" && r[2].annotation == "Sym(s17 - 2)" && r[4].annotation.empty() &&
           r[5].annotation == "f32[2*s0, 1][1, 1]npu:0" && r[5].target == "operator.getitem" && r.argument_of(6, 1).integer() == 1 && r[5].use_count == 2;
}
static_assert(holds_annotations());

constexpr bool holds_roles() {
    for (std::size_t i = 0; i < std::size(exported_printouts); ++i) {
        const reading r(exported_printouts[i]);
        if (r[0].role != input_role::parameter || r[0].weight != (i == 0 ? "fc.w" : "w")) return false;
    }
    const reading r(exported_printouts[0]);
    return r[1].role == input_role::buffer && r[1].weight == "bn.m" && r[2].role == input_role::constant && r[3].role == input_role::user &&
           r.style.range_constraints == "{s0: VR[2, int_oo]}";
}
static_assert(holds_roles());

// print(ExportedProgram) of a module whose arguments are called as Python's own functions: the signature calls them so, and the body otherwise.
constexpr std::string_view python_names = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_n: "f32[2]", input: "f32[2]", input_1: "f32[2]", type: "f32[2]"):
            input_1 = input
            input_2 = input_1
            type_1 = type
            add: "f32[2]" = torch.ops.aten.add.Tensor(input_1, type_1);  type_1 = None
            add_1: "f32[2]" = torch.ops.aten.add.Tensor(input_2, b_n);  b_n = None
            return (add, add_1, input_1, input_2)

Graph signature:
    # inputs
    b_n: BUFFER target='n' persistent=True
    input: USER_INPUT
    input_1: USER_INPUT
    type: USER_INPUT

    # outputs
    add: USER_INPUT_MUTATION target='input_1'
    add_1: BUFFER_MUTATION target='n'
    input: USER_OUTPUT
    input_1: USER_OUTPUT

Range constraints: {}
)fx";
constexpr bool knows_both_names() {
    reading r(python_names);
    const auto returned = returned_by(r.view());
    const auto written = [&](std::int32_t i) { return r.view()[returned[i]].writes; };
    if (!r.error.ok() || r[1].name.text != "input_1" || r[1].target != "input" || r[2].name.text != "input_2" || written(0) != node_id{2} ||
        written(1) != node_id{0} || written(2).exists() || r[4].name.text != "add" || r.argument_of(4, 0).node() != node_id{1})
        return false;
    // Rows of either name, those of the definition and those of the body.
    for (const auto name : {"input", "input_1"}) {
        constexpr fx_input type{.placeholder = "type", .type = "f32[5]"};
        const fx_input given[] = {{.placeholder = name, .type = "f32[3]"}, {.placeholder = name[5] == 0 ? "input_1" : "input_2", .type = "f32[4]"}, type};
        diagnosis d;
        if (!describe_inputs(r.storage.edit(), given, d) || r[1].annotation != "f32[3]" || r[2].annotation != "f32[4]" || r[3].annotation != "f32[5]")
            return false;
    }
    return true;
}
static_assert(prints_back(python_names) && knows_both_names());

// A row may say which returned value is the new one of its input; each returned value is that of one.
constexpr bool marks_what_is_written() {
    constexpr std::string_view text = "def forward(self, b_n, b_m, x):\n    a = torch.ops.aten.add.Tensor(b_n, x)\n    return (a, a, x)\n";
    reading r(text);
    diagnosis d;
    constexpr fx_input right[] = {{.placeholder = "b_n", .writes = "a"}, {.placeholder = "b_m", .writes = "a"}};
    constexpr fx_input wrong[] = {{.placeholder = "b_n", .writes = "a"}};
    const auto returned = returned_by(r.view());
    const auto written = [&](std::int32_t i) { return r.view()[returned[i]].writes; };
    return describe_inputs(r.storage.edit(), right, d) && written(0) == node_id{0} && written(1) == node_id{1} && !written(2).exists() &&
           !describe_inputs(r.storage.edit(), wrong, d) && d.what == fault::name_is_undefined && d.name.view() == "b_n" && d.found.view() == "a";
}
static_assert(marks_what_is_written());

// The guards of ExportedProgram.module() look at the inputs and give nothing; those of numbers and None have no type.
constexpr std::string_view guarded[] = {
    R"fx(class GraphModule(torch.nn.Module):
    def forward(self, input, n):
        input: "f32[2, 4]";

        input, n, = fx_pytree.tree_flatten_spec(([input, n], {}), self._in_spec)
        m_a_0_weight: "f32[4, 4]" = getattr(self.m, "a-0").weight
        input_1 = input
        _guards_fn = self._guards_fn(input_1, n);  n = _guards_fn = None

        mm: "f32[2, 4]" = torch.ops.aten.mm.default(input_1, m_a_0_weight);  input_1 = m_a_0_weight = None
        return pytree.tree_unflatten((mm,), self._out_spec)
)fx",
    R"fx(graph():
    %m_a_0_weight : [num_users=1] = get_attr[target=m.a-0.weight]
    %input_1 : [num_users=2] = placeholder[target=input]
    %_guards_fn : [num_users=0] = call_module[target=_guards_fn](args = (%input_1,), kwargs = {})
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%input_1, %m_a_0_weight), kwargs = {})
    return (mm,)
)fx"};
constexpr bool passes_guards_over() {
    for (const auto text : guarded) {
        const reading r(text);
        text_buffer<64> path;
        for (node_id id : r.view())
            if (r.view()[id].kind == node_kind::get_attr) for_each_piece_of_path(r.view()[id].weight, [&](std::string_view piece) { path.append(piece); });
        std::int32_t calls = 0;
        for (node_id id : r.view()) calls += r.view()[id].kind == node_kind::call;
        if (!r.error.ok() || calls != 1 || path.view() != "m.a-0.weight") return false;
    }
    return true;
}
static_assert(passes_guards_over());

constexpr std::string_view commented = R"fx(

class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
         # File: a.py:3 in f, code: return x * (2  # "odd = None
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, 2);  x = None
        
        # No stacktrace found for following nodes
        neg: "f32[2]" = torch.ops.aten.neg.default(
            mul,  # continued
        );  mul = None
        return (neg,)
        
# To see more debug info, please use `graph_module.print_readable()`
)fx";
constexpr bool keeps_provenance() {
    const reading r(commented);
    return r.error.ok() && r[1].from.line == 6 && r[1].from.comment == "File: a.py:3 in f, code: return x * (2  # \"odd = None" &&
           r[2].from.line == 9 && r[2].from.comment == "No stacktrace found for following nodes" && r[3].from.line == 12;
}
static_assert(keeps_provenance());

constexpr bool small_pools_refused() {
    graph_storage<capacity{2, 8, 0}> nodes;
    graph_storage<capacity{48, 1, 0}> arguments;
    fx_style style;
    diagnosis a, b;
    read_fx(good[6], op_rows, nodes.edit(), style, a);
    read_fx(good[6], op_rows, arguments.edit(), style, b);
    return a.what == fault::graph_exceeds_capacity && a.line == 2 && b.what == fault::graph_exceeds_capacity && b.line == 2 &&
           arguments.header.used.arguments <= 1; // what is copied of it is there
}
static_assert(small_pools_refused());

// ---- the tag

struct source {
    static constexpr std::string_view text = good[4];
};
struct registry {
    static constexpr op_table table = op_rows;
};
using tag = parsed_fx<source, registry>;
static_assert(tag::error.ok() && tag::storage.header.live_nodes == 8 && !tag::notes.names_writes);
static_assert(tag::capacity.nodes >= 8 && tag::capacity.values >= 8);

} // namespace

int main() {
    for (auto text : good) check(prints_back(text), text);
    for (auto text : exported_printouts) check(prints_back(text), text);
    check(holds_values());
    check(holds_operators_and_uses());
    check(holds_nested_values());
    check(holds_annotations());
    check(holds_roles());
    check(knows_both_names() && marks_what_is_written() && passes_guards_over());
    weights given;
    given.add("m.a-0.weight", dtype::f32, {1}, std::as_bytes(std::span<const float>(std::array{1.0f})));
    check(given.find("getattr(self.m, \"a-0\").weight") != nullptr && given.find("getattr(self.m, \"a-1\").weight") == nullptr);
    check(keeps_provenance());
    check(small_pools_refused());
    return report();
}
