// Structural equality of graphs: what may differ (names, lines, spelled-out defaults, the form of the text) and what may not.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/ir/equal.hpp>

#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

constexpr std::string_view base = R"fx(def forward(self, p: "f32[4, 3]", x: "f32[2, 3]", y: "f32[1, 4]", z = None):
    t: "f32[3, 4]" = torch.ops.aten.t.default(p)
    mm = torch.ops.aten.mm.default(x, t)
    add = torch.ops.aten.add.Tensor(mm, y, alpha = 2)
    gelu = torch.ops.aten.gelu.default(add, approximate = 'tanh')
    mul = torch.ops.aten.mul.Tensor(gelu, 3)
    sum_1 = torch.ops.aten.sum.dim_IntList(mul, [1], True)
    split = torch.ops.aten.split.Tensor(mul, 1, 1)
    getitem = split[0]
    getitem_1 = split[1]
    cat = torch.ops.aten.cat.default([getitem, getitem_1, sum_1], 1)
    full = torch.ops.aten.full.default([2, 3], 0.5, dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
    clamp = torch.ops.aten.clamp.default(cat, None, 6.0)
    sub = torch.ops.aten.sub.Tensor(full, clamp)
    c = self.offset
    softplus = torch.ops.aten.softplus.default(sub, 1.0, 20.0)
    norm = torch.ops.aten.native_layer_norm.default(softplus, [3], None, None, 1.0)
    getitem_2 = norm[0]
    return (getitem_2, (None, x), getitem)
)fx";

// Parsed and typed. Inputs and constants without a printed type are f32[3].
struct reading {
    graph_storage<capacity{40, 120, 60}> storage;
    fx_style style;
    diagnosis error;
    constexpr explicit reading(std::string_view text) {
        const auto g = storage.edit();
        if (!read_fx(text, op_rows, g, style, error)) return;
        for (auto id : g)
            if (g[id].kind != node_kind::call && g[id].kind != node_kind::output && g[id].annotation.empty()) g[id].annotation = "f32[3]";
        infer_types(g, op_rows, error);
    }
    constexpr graph_view view() const { return storage.view(); }
};

constexpr graph_difference between(std::string_view a, std::string_view b) {
    const reading left(a), right(b);
    if (!left.error.ok() || !right.error.ok())
        return {.found = true, .left = {}, .right = {}, .what = "not typed", .left_is = left.error.found, .right_is = right.error.found};
    return first_difference(left.view(), right.view(), op_rows);
}

// The text with all of `from` replaced.
std::string with(std::string_view from, std::string_view to, std::string text = std::string(base)) {
    check(text.find(from) != text.npos, from);
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
}

bool same(const std::string& text) {
    const auto d = between(base, text);
    return check(!d.found,
                 text + "-> " + std::string(d.what.view()) + ": " + std::string(d.left_is.view()) + " | " + std::string(d.right_is.view()));
}
// Differs in `what`, from either side.
bool differs(const std::string& text, std::string_view what, std::string_view left, std::string_view right) {
    const auto d = between(base, text);
    const auto back = between(text, base);
    return check(d.found && d.what.view() == what && d.left_is.view() == left && d.right_is.view() == right && back.found &&
                     back.what.view() == what,
                 text + "-> " + std::string(d.what.view()) + ": " + std::string(d.left_is.view()) + " | " + std::string(d.right_is.view()));
}
bool differs(std::string_view from, std::string_view to, std::string_view what, std::string_view left, std::string_view right) {
    return differs(with(from, to), what, left, right);
}

// The laws at compile time, on a small pair.
constexpr std::string_view small = "def forward(self, x: \"f32[3]\"):\n    a = torch.ops.aten.add.Tensor(x, x)\n    return (a,)\n";
constexpr std::string_view listed = R"fx(graph():
    %other : [num_users=1] = placeholder[target=other]
    %sum : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%other, %other), kwargs = {alpha: 1})
    return sum
)fx";
constexpr std::string_view scaled =
    "def forward(self, x: \"f32[3]\"):\n    a = torch.ops.aten.add.Tensor(x, x, alpha = 2)\n    return (a,)\n";
constexpr bool small_laws() {
    const auto d = between(small, scaled);
    return !between(small, small).found && !between(small, listed).found && d.found && d.what.view() == "argument alpha" &&
           d.left_is.view() == "1" && d.right_is.view() == "2" && structurally_equal(reading(small).view(), reading(small).view(), op_rows) &&
           !structurally_equal(reading(small).view(), reading(scaled).view(), op_rows);
}
static_assert(small_laws());

// What texts cannot say: storages and offsets.
constexpr bool storages_and_offsets_count() {
    reading a(small), b(small), c(small);
    b.storage.edit().value_of(node_id{1}).storage = b.storage.edit().value_of(node_id{0}).storage;
    c.storage.edit().value_of(node_id{1}).type.offset = 1;
    const auto storage = first_difference(a.view(), b.view(), op_rows);
    const auto offset = first_difference(a.view(), c.view(), op_rows);
    return storage.what.view() == "storage" && storage.left_is.view() == "a" && storage.right_is.view() == "x" &&
           offset.what.view() == "type" && offset.left == node_id{1} && offset.right_is.view() == "f32[3][1] at 1";
}
static_assert(storages_and_offsets_count());

constexpr bool weights_and_roles_count() {
    reading a(small), b(small), c(small);
    b.storage.edit()[node_id{0}].role = input_role::parameter;
    c.storage.edit()[node_id{0}].weight = "w";
    const auto role = first_difference(a.view(), b.view(), op_rows);
    const auto weight = first_difference(a.view(), c.view(), op_rows);
    return role.what.view() == "role" && role.left_is.view() == "user" && role.right_is.view() == "parameter" &&
           weight.what.view() == "weight" && weight.right_is.view() == "w";
}
static_assert(weights_and_roles_count());

} // namespace

int main() {
    check(small_laws());
    check(storages_and_offsets_count());
    check(weights_and_roles_count());
    check(reading(base).error.ok(), reading(base).error.found.view());

    // What does not count: names, comments, keywords, spelled-out defaults, the nesting of results.
    same(std::string(base));
    same(with("sum_1", "total"));
    same(with("    add = ", "\n    # File: a.py:1 in f, code: x = y\n    add = "));
    same(with("[1], True)", "dim = [1], keepdim = True)"));
    same(with("[1], True)", "[1], True, dtype = None)"));
    same(with("aten.t.default(p)", "aten.t.default(self = p)"));
    same(with("(getitem_2, (None, x), getitem)", "[getitem_2, None, x, getitem]"));
    same(with("y: \"f32[1, 4]\"", "y: \"f32[1, 4][7, 1]\"")); // a stride of a dim of size 1
    // What the schema says is the same.
    same(with("[1], True)", "1, True)"));
    same(with("None, None, 1.0)", "None, None, 1)"));
    same(with("type='cpu')", "type='cpu', index=0)"));

    differs("mul.Tensor(gelu", "div.Tensor(gelu", "operator", "aten.mul.Tensor", "aten.div.Tensor");
    differs("alpha = 2", "alpha = 3", "argument alpha", "2", "3");
    differs(", alpha = 2", "", "argument alpha", "2", "1");
    differs("gelu, 3)", "gelu, 3.0)", "argument other", "3", "3.0");
    differs("gelu, 3)", "gelu, True)", "argument other", "3", "True");
    differs("'tanh'", "'none'", "argument approximate", "tanh", "none");
    differs("split[1]", "split[2]", "argument index", "1", "2");
    differs("split.Tensor(mul, 1, 1)", "split.Tensor(add, 1, 1)", "argument self", "mul", "add");
    differs("(full, clamp)", "(clamp, full)", "argument self", "full", "clamp");
    differs("[getitem, getitem_1,", "[getitem_1, getitem,", "argument tensors", "[getitem, getitem_1, sum_1]",
            "[getitem_1, getitem, sum_1]");
    differs("[2, 3], 0.5", "[1, 2, 3], 0.5", "argument size", "[2, 3]", "[1, 2, 3]");
    differs("0.5", "0.25", "argument fill_value", "0.5", "0.25");
    differs("cat, None, 6.0", "cat, 0.0, 6.0", "argument min", "None", "0.0");
    differs("dtype = torch.float32", "dtype = torch.float64", "argument dtype", "torch.float32", "torch.float64");
    differs("dtype = torch.float32, ", "", "argument dtype", "torch.float32", "None");
    differs("type='cpu'", "type='cuda'", "argument device", "cpu", "cuda");
    same(with("device(type='cpu')", "'cpu:0'"));
    differs("device(type='cpu')", "'cpu:18446744073709551616'", "argument device", "cpu", "cpu:18446744073709551616"); // 2^64 is not 0
    differs("pin_memory = False", "pin_memory = None", "argument pin_memory", "False", "None");
    differs("y: \"f32[1, 4]\"", "y: \"f32[4]\"", "type", "f32[1, 4][4, 1] at 0", "f32[4][1] at 0");
    differs("y: \"f32[1, 4]\"", "y: \"i64[1, 4]\"", "type", "f32[1, 4][4, 1] at 0", "i64[1, 4][4, 1] at 0");
    differs("p: \"f32[4, 3]\"", "p: \"f32[4, 3][1, 4]\"", "type", "f32[4, 3][3, 1] at 0", "f32[4, 3][1, 4] at 0");
    differs("z = None", "z = 1", "default", "None", "1");
    differs("z = None", "z", "default", "None", "nothing");
    differs("self.offset", "self.other", "weight", "offset", "other");
    differs("(getitem_2, (None", "(getitem, (None", "result 0", "getitem_2", "getitem");
    differs("(None, x)", "(x, None)", "result 1", "None", "x");
    differs("(None, x)", "(x,)", "number of results", "4", "3");
    differs("    return", "    relu = torch.ops.aten.relu.default(x)\n    return", "kind", "output", "call");
    differs("    c = self.offset\n", "", "kind", "get_attr", "call");
    return report();
}
