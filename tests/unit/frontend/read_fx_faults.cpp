// Every fault of the text door names its line, at compile time (static_assert) and at run time.
// SPDX-License-Identifier: MIT
#include "fx_reading.hpp"
#include "harness.hpp"

#include <ahead/frontend/fx/fx.hpp>

#include <string>

// fault: text_is_not_a_graph
// fault: text_is_malformed
// fault: text_has_no_return
// fault: name_is_undefined
// fault: name_is_defined_twice
// fault: node_kind_is_unsupported
// fault: signature_is_inconsistent

using namespace ahead;
using namespace test;
using namespace test::fx_reading;

namespace {

struct bad_text {
    std::string_view text;
    fault what;
    std::int32_t line;
    std::string_view found;
};
constexpr bad_text bad[] = {
    {"", fault::text_is_not_a_graph, 1, "an empty text"},
    {"hello\nworld\n", fault::text_is_not_a_graph, 1, "'hello'"},
    {"I0 [0/0] class GraphModule(torch.nn.Module):\nI0 [0/0]     def forward(self, x):\n", fault::text_is_not_a_graph, 1, "'I0 [0/0] class GraphModule(torch.nn.Modu...'"},
    {"    add = torch.ops.aten.add.Tensor(x, 1)\n", fault::text_is_not_a_graph, 1, "'add = torch.ops.aten.add.Tensor(x, 1)'"},
    {"class A(torch.nn.Module):\n    x = 1\n", fault::text_is_malformed, 2, "'x = 1'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x\n    return (y,)\n", fault::text_is_malformed, 2, "'x'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x]\n    return (y,)\n", fault::text_is_malformed, 2, "']'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, {'a': 1})\n    return (y,)\n", fault::text_is_malformed, 2, "'{'a': 1})'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, 'a)\n    return (y,)\n", fault::text_is_malformed, 2, "'x, 'a)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(9223372036854775808)\n    return (y,)\n", fault::text_is_malformed, 2, "'9223372036854775808)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(1.e)\n    return (y,)\n", fault::text_is_malformed, 2, "'1.e)'"},
    {"def forward(self, x):\n    y: \"f32[2] = x[0]\n    return (y,)\n", fault::text_is_malformed, 2, "the end of the line"},
    {"def forward(self, x):\n    y = x ? 2\n    return (y,)\n", fault::text_is_malformed, 2, "'x ? 2'"},
    {"def forward(self, x):\n    ...\n    return (x,)\n", fault::text_is_malformed, 2, "'...'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x)  x = None\n    return (y,)\n", fault::text_is_malformed, 2, "'x = None'"},
    {"def forward(self, x:):\n    return (x,)\n", fault::text_is_malformed, 1, "'):'"},
    {"def forward(self, x):\n    return (x,)\nprint(y)\n", fault::text_is_malformed, 3, "'print(y)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default([[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]])\n    return (y,)\n", fault::text_is_malformed, 2, "'[x]]]]]]]]]]]]]]]]])'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, 01)\n    return (x,)\n", fault::text_is_malformed, 2, "'01)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, -0)\n    return (x,)\n", fault::text_is_malformed, 2, "'-0)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, 1.2.3)\n    return (x,)\n", fault::text_is_malformed, 2, "'1.2.3)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, -y)\n    return (x,)\n", fault::text_is_malformed, 2, "'-y)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default((x))\n    return (x,)\n", fault::text_is_malformed, 2, "'x))'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, [x)\n    return (x,)\n", fault::text_is_malformed, 2, "'x, [x)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x;  x = None\n    return (x,)\n", fault::text_is_malformed, 2, "'x;  x = None'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x);  x = f(y)\n    return (x,)\n", fault::text_is_malformed, 2, "'x = f(y)'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x);  x\n    return (x,)\n", fault::text_is_malformed, 2, "'x'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, device = device(type='cuda', index=))\n    return (x,)\n", fault::text_is_malformed, 2, "'))'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, device = device(type=''))\n    return (x,)\n", fault::text_is_malformed, 2, "''))'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x, k = )\n    return (x,)\n", fault::text_is_malformed, 2, "')'"},
    {"def forward(self, x):\n    y: \"\" = torch.ops.aten.abs.default(x)\n    return (x,)\n", fault::text_is_malformed, 2, "' = torch.ops.aten.abs.default(x)'"},
    {"def forward(self, x):\n    y: f32[2\" = torch.ops.aten.abs.default(x)\n    return (x,)\n", fault::text_is_malformed, 2, "'\" = torch.ops.aten.abs.default(x)'"},
    {"def forward(self, x):\n    y: f32[2\n    return (x,)\n", fault::text_is_malformed, 2, "the end of the line"},
    {"def forward(self, x):\n    y =\n    return (x,)\n", fault::text_is_malformed, 2, "' ='"},
    {"def forward(self, x):\n    y = \n    return (x,)\n", fault::text_is_malformed, 2, "the end of the line"},
    {"def forward(self, x):\n    = x\n    return (x,)\n", fault::text_is_malformed, 2, "'= x'"},
    {"def forward(self, x):\n    y = self.1a\n    return (x,)\n", fault::text_is_malformed, 2, "'1a'"},
    {"def forward(self, x):\n    y = self.a.\n    return (x,)\n", fault::text_is_malformed, 2, "the end of the line"},
    {"def forward(self, x):\n    y = getattr(model, \"0\")\n    return (x,)\n", fault::text_is_malformed, 2, "'model, \"0\")'"},
    {"def forward(self, x):\n    y = getattr(self.a, 0)\n    return (x,)\n", fault::text_is_malformed, 2, "', 0)'"},
    {"def forward(self, x):\n    y = x[0\n    return (x,)\n", fault::text_is_malformed, 2, "the end of the line"},
    {"def forward(x):\n    return (x,)\n", fault::text_is_malformed, 1, "'x):'"},
    {"def forward(self, x)\n    return (x,)\n", fault::text_is_malformed, 1, "the end of the line"},
    {"def forward(self, x):\n    return (x, 2\n\nmore = (1)\n", fault::text_is_malformed, 2, "'x, 2'"},
    {"def forward(self, x):\n    return (x,) # end\n", fault::text_is_malformed, 2, "'# end'"},
    {"def forward(self, x):\n    return pytree.tree_unflatten([x]\n", fault::text_is_malformed, 2, "the end of the line"},
    {"def forward(self, p, t):\n    a, b, = fx_pytree.tree_flatten_spec([p, t], self._in_spec)\n    a, b, = fx_pytree.tree_flatten_spec([p, t], self._in_spec)\n    return (a,)\n", fault::text_is_malformed, 3, "'a, b, = fx_pytree.tree_flatten_spec([p, ...'"},
    {"def forward(self, p, t):\n    a: \"f32[2]\"; c: \"f32[2]\"; \n    a, b, = fx_pytree.tree_flatten_spec([p, t], self._in_spec)\n    return (a,)\n", fault::text_is_malformed, 2, "'c: \"f32[2]\";'"},
    {"def forward(self, p, t):\n    a: \"f32[2]\"; b: \"f32[2]\"; \n    return (p,)\n", fault::text_is_malformed, 2, "'a: \"f32[2]\"; b: \"f32[2]\";'"},
    {"def forward(self, p, t):\n    a: \"f32[2]\"; b; \n    a, b, = fx_pytree.tree_flatten_spec([p, t], self._in_spec)\n    return (a,)\n", fault::text_is_malformed, 2, "';'"},
    {"def forward(self, p, t):\n    c = torch.ops.aten.abs.default(p)\n    a, b, = fx_pytree.tree_flatten_spec([p, t], self._in_spec)\n    return (a,)\n", fault::text_is_malformed, 3, "'a, b, = fx_pytree.tree_flatten_spec([p, ...'"},
    {"def forward(self, p, t):\n    a, b, = fx_pytree.tree_flatten_spec([p, t])\n    return (a,)\n", fault::text_is_malformed, 2, "'[p, t])'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=]\n    return x\n", fault::text_is_malformed, 2, "']'"},
    {"graph():\n    %x : [us = placeholder[ta %y : [num_users=1] = placeholder[target=x]\n    return x\n", fault::text_is_malformed, 2, "'[us = placeholder[ta %y : [num_users=1] ...'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%x), kwargs = {})\n    return y\n", fault::text_is_malformed, 3, "'), kwargs = {})'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%x, 1,), kwargs = {})\n    return y\n", fault::text_is_malformed, 3, "',), kwargs = {})'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%x,))\n    return y\n", fault::text_is_malformed, 3, "'%x,))'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x, y", fault::text_is_malformed, 3, "', y'"},
    {"return graph():\n    return ()\n", fault::text_is_not_a_graph, 1, "'return graph():'"},
    {"def forward(self, x):", fault::text_has_no_return, 1, "the end of the text"},
    {"ExportedProgram:", fault::text_has_no_return, 1, "the end of the text"},
    {"ExportedProgram:\n    class GraphModule(torch.nn.Module):\n", fault::text_has_no_return, 3, "the end of the text"},
    {"def forward(self, x):\n    return pytree.t", fault::text_is_malformed, 2, "the end of the text"},
    {"def forward(self, x):\n    y = torch.ops", fault::text_is_malformed, 2, "the end of the text"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default\n    return (y,)\n", fault::text_is_malformed, 2, "the end of the line"},
    {"def forward(self, x):\n    y = torch.ops.aten.relu_.default(x);  x = z = None\n", fault::text_has_no_return, 3, "the end of the text"},
    {"def forward(self, x: \"f32[2]\"):\n    y: f32[2] = torch.ops.aten.abs.default(x)\n    return (y,)\n", fault::text_is_malformed, 2, "'f32[2] = torch.ops.aten.abs.default(x)'"},
    {"def forward(self, x: f32[2]):\n    y: \"f32[2]\" = torch.ops.aten.abs.default(x)\n    return (y,)\n", fault::text_is_malformed, 2, "'\"f32[2]\" = torch.ops.aten.abs.default(x)'"},
    {"def forward(self, x) -> :\n    return (x,)\n", fault::text_is_malformed, 1, "':'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x\n    return x\n", fault::text_is_malformed, 2, "the end of the line"},
    {"graph():\n    %x = placeholder[target=x]\n    return x\n", fault::text_is_malformed, 2, "' = placeholder[target=x]'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    oops\n", fault::text_is_malformed, 3, "'oops'"},
    {"graph():\n    %x : [num_users=1] = nothing[target=x]\n", fault::text_is_malformed, 2, "'nothing'"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n", fault::text_has_no_return, 3, "the end of the text"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(x);  x = None\n", fault::text_has_no_return, 3, "the end of the text"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(z)\n    return (y,)\n", fault::name_is_undefined, 2, "z"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(y)\n    return (y,)\n", fault::name_is_undefined, 2, "y"},
    {"def forward(self, x):\n    l = x\n    y = torch.ops.aten.abs.default(x)\n    return (y,)\n", fault::name_is_undefined, 3, "x"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return y\n", fault::name_is_undefined, 3, "y"},
    {"def forward(self, x):\n    x = torch.ops.aten.abs.default(x)\n    return (x,)\n", fault::name_is_defined_twice, 2, "x, which an earlier line defines"},
    {"def forward(self, x, x):\n    return (x,)\n", fault::name_is_defined_twice, 1, "x, which an earlier line defines"},
    {"def forward(self, x):\n    y = x.view(2)\n    return (y,)\n", fault::node_kind_is_unsupported, 2, "a method, 'x.view'"},
    {"def forward(self, x):\n    y = self.conv(x)\n    return (y,)\n", fault::node_kind_is_unsupported, 2, "a module, 'self.conv'"},
    {"def forward(self, x):\n    y = torch.cos(x)\n    return (y,)\n", fault::node_kind_is_unsupported, 2, "another function, 'torch.cos'"},
    {"def forward(self, x):\n    y = torch.ops.higher_order.triton_kernel_wrapper_functional(x)\n    return (y,)\n", fault::node_kind_is_unsupported, 2, "a higher-order call, 'higher_order.triton_kernel_wrapper_functional'"},
    {"def forward(self, x):\n    y = torch.ops.aten.abs.default(foo(x))\n    return (y,)\n", fault::node_kind_is_unsupported, 2, "a call of foo"},
    {"graph():\n    %x : [num_users=1] = placeholder[target=*x]\n", fault::node_kind_is_unsupported, 2, "a variable number of inputs, ''"},
    {"graph():\n    %x : [num_users=1] = call_method[target=view](args = (%x,), kwargs = {})\n", fault::node_kind_is_unsupported, 2, "a method, 'view'"},
    {"graph():\n    %x : [num_users=1] = call_module[target=a.b](args = (%x,), kwargs = {})\n", fault::node_kind_is_unsupported, 2, "a module, 'a.b'"},
    {"graph():\n    %x : [num_users=1] = call_function[target=<built-in function print>](args = (), kwargs = {})\n", fault::node_kind_is_unsupported, 2, "a Python function, '<built-in function print>'"},
};
// No room for what only a slip asks for.
static_assert(count_fx("def forward(self, x):\n    y = x[9223372036854775807]\n    z = x[100000]\n    return (y, z)\n").values < 50);
constexpr bool all_refused() {
    for (const auto& b : bad)
        if (!refuses(b.text, b.what, b.line, b.found)) return false;
    return true;
}
static_assert(all_refused());

// What follows the code of an ExportedProgram.
constexpr bad_text bad_signatures[] = {
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature:
    # inputs
    p_v: PARAMETER target='w'
)fx", fault::signature_is_inconsistent, 9, "'p_v'"},
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature:
    # inputs
    x: USER_INPUT
    # outputs
    add: USER_OUTPUT
)fx", fault::signature_is_inconsistent, 12, "1"},
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature:
    # inputs
    p_w: PARAMETER target='w'
    x: USER_INPUT
    # outputs
    x: USER_OUTPUT
)fx", fault::signature_is_inconsistent, 12, "'x'"},
    {R"fx(ExportedProgram:
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
    add: USER_OUTPUT
)fx", fault::signature_is_inconsistent, 13, "more, 'add'"},
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature:
    # inputs
    t: CUSTOM_OBJ
)fx", fault::node_kind_is_unsupported, 9, "an input of kind CUSTOM_OBJ"},
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature:
    # inputs
    p_w: BUFFER target='w'
    x: USER_INPUT
    # outputs
    add: BUFFER_MUTAT)fx", fault::node_kind_is_unsupported, 12, "an output of kind BUFFER_MUTAT"},
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature:
    # inputs
    p_w PARAMETER
)fx", fault::text_is_malformed, 9, "' PARAMETER'"},
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Range constraints: {}
)fx", fault::text_is_malformed, 7, "'Range constraints: {}'"},
    {R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w, x):
            add = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='z'), target=None, persistent=None)])
)fx", fault::signature_is_inconsistent, 7, "'z'"},
};
constexpr bool signatures_refused() {
    for (const auto& b : bad_signatures)
        if (!refuses(b.text, b.what, b.line, b.found)) return false;
    return true;
}
static_assert(signatures_refused());

} // namespace

int main() {
    for (const auto& b : bad) {
        const reading r(b.text);
        check(refuses(b.text, b.what, b.line, b.found),
              std::string(b.text) + "-> line " + std::to_string(r.error.line) + ": " + std::string(r.error.found.view()));
    }
    check(signatures_refused());
    return report();
}
