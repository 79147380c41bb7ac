# SPDX-License-Identifier: MIT
# python fx_inputs.py <README.md>: README's Python listing, word for word, on an exported program and a traced graph. What they are made of stands in
# for PyTorch's own, which need not be there; where it is (1.13 or later, with make_fx), a module is traced and goes the same way.
import contextlib
import io
import re
import sys
import types
from types import SimpleNamespace as thing

saved = {}
module = types.ModuleType("safetensors.torch")
module.save_file = lambda tensors, path: saved.update({path: tensors})
sys.modules["safetensors"] = types.ModuleType("safetensors")
sys.modules["safetensors.torch"] = module


class tensor:
    """What the listing asks of one."""

    def __init__(self, dtype, *shape, steps=()):
        self.dtype, self.shape, self.steps = "torch." + dtype, shape, steps

    def step(self, name):
        return tensor(self.dtype[6:], *self.shape, steps=self.steps + (name,))

    def detach(self):
        return self.step("detach")

    def contiguous(self):
        return self.step("contiguous")

    def clone(self):
        return self.step("clone")


def placeholder(name, **meta):
    return thing(op="placeholder", name=name, meta=meta)


def same(got, expected):
    if got != expected:
        sys.exit(f"expected\n{expected}\nbut got\n{got}")


listing = re.search("```python\n(.*?)```", open(sys.argv[1], encoding="utf-8").read(), re.S).group(1)
lines = [line for line in listing.splitlines() if line.strip()]
same(len(lines) <= 10, True)

# As torch.export gives it: parameters, persistent buffers in the state_dict, other ones and constants beside it; inputs have no target.
dtypes = ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64", "bool"]
state = {"fc1.weight": tensor("float32", 32, 16), "seen": tensor("int64")}
constants = {"c." + d: tensor(d, 2) for d in dtypes}
specs = [("p_fc1_weight", "fc1.weight"), ("b_seen", "seen"), *(("c_" + d, "c." + d) for d in dtypes), ("x", None), ("mask", None), ("n", None), ("flag", None), ("nothing", None)]
ep = thing(
    graph=thing(nodes=[*(placeholder(p, val=tensor("float16", 9)) for p, _ in specs[:-5]), placeholder("x", val=tensor("float32", 8, 16)),
                       placeholder("mask", val=tensor("bool")), placeholder("n", val=3), placeholder("flag", val=True), placeholder("nothing", val=None), thing(op="call_function", name="mm"), thing(op="output", name="output")]),
    graph_signature=thing(input_specs=[thing(arg=thing(name=p), target=t) for p, t in specs]), state_dict=state, constants=constants)
# As make_fx gives it, which says of its inputs what they are in tensor_meta or in val.
w = {"fc1.weight": tensor("float32", 32, 16), "fc1.bias": tensor("float32", 32)}
gm = thing(graph=thing(nodes=[placeholder("arg0_1"), placeholder("arg1_1"), placeholder("arg2_1", tensor_meta=tensor("float32", 8, 16))]))

out = io.StringIO()
names = {"ep": ep, "gm": gm, "w": w}
with contextlib.redirect_stdout(out):
    exec(listing, names)
short = ["f32", "f64", "f16", "bf16", "i64", "i32", "i16", "i8", "u8", "u16", "u32", "u64", "b8"]
same(out.getvalue(), '{"p_fc1_weight", "fc1.weight", "f32[32, 16]"},\n{"b_seen", "seen", "i64[]"},\n'
     + "".join(f'{{"c_{d}", "c.{d}", "{s}[2]"}},\n' for d, s in zip(dtypes, short))
     + '{"x", "", "f32[8, 16]"},\n{"mask", "", "b8[]"},\n'
     + '{"arg0_1", "fc1.weight", "f32[32, 16]"},\n{"arg1_1", "fc1.bias", "f32[32]"},\n{"arg2_1", "", "f32[8, 16]"},\n')
same({path: list(t) for path, t in saved.items()}, {"exported.safetensors": ["fc1.weight", "seen", *constants], "traced.safetensors": [*w]})
for tensors in saved.values(): # each of its own memory, row-major
    for t in tensors.values():
        same(t.steps[0] == "detach" and t.steps[-1] in ("contiguous", "clone") and len(t.steps) == 3, True)

try:
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.nn.utils.stateless import functional_call
except ImportError:
    print("as PyTorch would give them")
    sys.exit()
net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3)).eval()
w = {**dict(net.named_parameters()), **dict(net.named_buffers())}
gm = make_fx(lambda p, x: functional_call(net, p, (x,)))(w, torch.randn(2, 4))
out = io.StringIO()
with contextlib.redirect_stdout(out):
    names["fx_inputs"](gm.graph, [*w], w, "net.safetensors")
at = [n.name for n in gm.graph.nodes if n.op == "placeholder"]
same(out.getvalue(), "".join(f'{{"{p}", "{n}", "{t}"}},\n' for p, n, t in zip(
    at, [*w, ""], ["f32[3, 4]", "f32[3]", "f32[3]", "f32[3]", "f32[3]", "f32[3]", "i64[]", "f32[2, 4]"])))
same(all(torch.equal(saved["net.safetensors"][n], t) and saved["net.safetensors"][n].data_ptr() != t.data_ptr() for n, t in w.items()), True)
print("PyTorch", torch.__version__)
