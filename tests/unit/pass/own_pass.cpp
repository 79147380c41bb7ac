// Users' own passes, in the words of torch.fx: what they make of a graph, what they ask for and do not find, and which
// changes are refused.
// SPDX-License-Identifier: MIT
#include "after_passes.hpp"
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <string>

using namespace ahead;
using namespace test;
using namespace test::after_passes;

namespace {

// ---- a user's pass, in the words of torch.fx

// x * 2 becomes x + x.
struct double_by_adding {
    static constexpr std::string_view name = "double_by_adding";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g) {
            if (!g.calls(n, "aten.mul.Scalar") || g.argument_of(n, 1).bits != 2) continue;
            const auto x = g.operand(n, 0);
            g.inserting_before(n);
            const auto sum = g.call("aten.add.Tensor", {x, x});
            g.replace_all_uses_with(n, sum);
            g.erase_node(n);
        }
    }
};
constexpr std::string_view added = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        add_7: "f32[2, 3]" = torch.ops.aten.add.Tensor(x, x);  x = None
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(add_7);  add_7 = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(exp, exp);  exp = None
        return (add,)
)fx";
static_assert(becomes(pass::eliminate_duplicates | double_by_adding{}, twice, added));

// The sums of a graph, as find_nodes meets them, while it erases each.
struct halve_sums {
    static constexpr std::string_view name = "halve_sums";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g.find_nodes<aten::add>()) {
            if (!g.calls<aten::add>(n) || g.calls<aten::sub>(n)) continue;
            g.inserting_before(n);
            const auto half = g.call("aten.mul.Scalar", {g.operand(n, 0), 0.5});
            g.replace_all_uses_with(n, half);
            g.erase_node(n);
        }
    }
};
constexpr std::string_view halved = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        mul_5: "f32[2, 3]" = torch.ops.aten.mul.Scalar(x, 0.5);  x = None
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(mul_5);  mul_5 = None
        mul_6: "f32[2, 3]" = torch.ops.aten.mul.Scalar(exp, 0.5);  exp = None
        return (mul_6,)
)fx";
static_assert(becomes(halve_sums{} | pass::eliminate_dead_code, added, halved));

// What reads a call of another type is typed again, and what reads that, but nothing else: the sum's dtype reaches the end of the chain.
struct widen {
    static constexpr std::string_view name = "widen";
    constexpr void operator()(graph_editor& g, const config&) const {
        const auto relu = g.find_node<aten::relu>();
        g.inserting_before(relu);
        g.replace_operand(relu, 0, g.call<aten::add>({g.operand(relu, 0), g.find_node<aten::exp>()}));
        if (g.find_node<aten::exp>(relu).exists()) g.erase_node(relu); // exp stands before it
    }
};
constexpr std::string_view narrow_sum = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", y: "f64[2, 3]"):
        exp: "f64[2, 3]" = torch.ops.aten.exp.default(y);  y = None
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
        permute: "f32[3, 2]" = torch.ops.aten.permute.default(relu, [1, 0]);  relu = None
        neg: "f32[3, 2]" = torch.ops.aten.neg.default(permute);  permute = None
        gt: "b8[3, 2]" = torch.ops.aten.gt.Scalar(neg, 0);  neg = None
        return (gt, exp)
)fx";
constexpr std::string_view widened = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", y: "f64[2, 3]"):
        exp: "f64[2, 3]" = torch.ops.aten.exp.default(y);  y = None
        add_8: "f64[2, 3]" = torch.ops.aten.add.Tensor(x, exp);  x = None
        relu: "f64[2, 3]" = torch.ops.aten.relu.default(add_8);  add_8 = None
        permute: "f64[3, 2]" = torch.ops.aten.permute.default(relu, [1, 0]);  relu = None
        neg: "f64[3, 2]" = torch.ops.aten.neg.default(permute);  permute = None
        gt: "b8[3, 2]" = torch.ops.aten.gt.Scalar(neg, 0);  neg = None
        return (gt, exp)
)fx";

// A view of what lies otherwise now becomes a reshape; its name stays.
struct drop_clone {
    static constexpr std::string_view name = "drop_clone";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g.find_nodes("aten.clone.default")) {
            g.replace_all_uses_with(n, g.operand(n, 0));
            g.erase_node(n);
        }
    }
};
constexpr std::string_view cloned = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        permute: "f32[3, 2]" = torch.ops.aten.permute.default(x, [1, 0]);  x = None
        clone: "f32[3, 2]" = torch.ops.aten.clone.default(permute, memory_format = torch.contiguous_format);  permute = None
        view: "f32[6]" = torch.ops.aten.view.default(clone, [6]);  clone = None
        exp: "f32[6]" = torch.ops.aten.exp.default(view);  view = None
        return (exp,)
)fx";
constexpr std::string_view reshaped = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        permute: "f32[3, 2]" = torch.ops.aten.permute.default(x, [1, 0]);  x = None
        view: "f32[6]" = torch.ops.aten.reshape.default(permute, [6]);  permute = None
        exp: "f32[6]" = torch.ops.aten.exp.default(view);  view = None
        return (exp,)
)fx";

// ---- what a pass asks for and does not find, and a rule of its own

struct erase_missing {
    static constexpr std::string_view name = "erase_missing";
    constexpr void operator()(graph_editor& g, const config&) const { g.erase_node(g.find_node<aten::sin>()); }
};
struct read_missing {
    static constexpr std::string_view name = "read_missing";
    constexpr void operator()(graph_editor& g, const config&) const { g.call<aten::exp>({g.find_node<aten::sin>()}); }
};
struct no_exponentials {
    static constexpr std::string_view name = "no_exponentials";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g.find_nodes<aten::exp>()) g.refuse_at(n, "this chip has no exponentials", "a polynomial", "exp");
    }
};
template <class Pass> constexpr diagnosis refusal_of(const Pass& wrong) {
    reading r(twice);
    diagnosis d = r.error;
    pass::run(pass::pipeline<>{} | wrong, config{}, r.storage.edit(), op_rows, d);
    return d;
}
// fault: node_is_missing
static_assert(refusal_of(erase_missing{}).what == fault::node_is_missing && refusal_of(read_missing{}).what == fault::node_is_missing);
static_assert(refusal_of(no_exponentials{}).what == fault::custom);

// ---- a large graph's passes are evaluated a few at a time

struct add_one_by_adding_half {
    static constexpr std::string_view name = "add_one_by_adding_half";
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g.find_nodes("aten.add.Tensor")) {
            if (g.argument_of(n, 1).bits != 1) continue;
            g.inserting_before(n);
            const auto half = g.call("aten.add.Tensor", {g.operand(n, 0), 0.5});
            g.replace_all_uses_with(n, g.call("aten.add.Tensor", {half, 0.5}));
            g.erase_node(n);
            return;
        }
    }
};
inline constexpr auto long_chain = trace([](input<"x", f32<2>> x) {
    auto y = add(x, 1);
    for (int i = 0; i < 5; ++i) y = add(y, 1);
    for (int i = 0; i < 1500; ++i) y = relu(y);
    return outputs(y);
});
inline constexpr add_one_by_adding_half one_more;
using five_passes = toolchain<>::with_post_pass<one_more, one_more, one_more, one_more, one_more>;
static_assert(pass::passes_at_once(1500) == 3);

// A word that a toolchain does not have, and a type where it takes a pass, do not compile.
inline constexpr config on_two{.streams = 2};
template <class T> concept has_options = requires { typename T::template with_options<on_two>; };
template <class T> concept has_option = requires { typename T::template with_option<on_two>; };
template <class T> concept takes_pass = requires { typename T::template with_post_pass<one_more>; };
template <class T> concept takes_type = requires { typename T::template with_post_pass<add_one_by_adding_half>; };
static_assert(has_options<toolchain<>> && !has_option<toolchain<>> && takes_pass<toolchain<>> && !takes_type<toolchain<>>);

// ---- what is refused

template <class F>
constexpr fault refused(F f) {
    reading r(once);
    pass::run(pass::pipeline<>{} | pass::named<"bad">(f), config{}, r.storage.edit(), op_rows, r.error);
    return r.error.what;
}
static_assert(refused([](graph_editor& g, const config&) { g.erase_node(g.find_node("aten.exp.default")); }) == fault::node_is_in_use);
static_assert(refused([](graph_editor& g, const config&) {
                  for (node_id n : g.find_nodes("aten.epx.default")) g.erase_node(n);
              }) == fault::operator_is_unknown);
static_assert(refused([](graph_editor& g, const config&) {
                  if (const auto n = g.find_node("aten.exp.defualt"); n.exists()) g.erase_node(n);
              }) == fault::operator_is_unknown);
static_assert(refused([](graph_editor& g, const config&) {
                  for (node_id n : g)
                      if (g.calls(n, "aten.expp.default")) g.erase_node(n);
              }) == fault::operator_is_unknown);
static_assert(refused([](graph_editor& g, const config&) { g.call("aten.tanhh.default", {g.find_node("aten.exp.default")}); }) ==
              fault::operator_is_unknown);
static_assert(refused([](graph_editor& g, const config&) { g.call("aten.exp.default", {1}); }) == fault::argument_has_wrong_kind);
// An operand below its user.
static_assert(refused([](graph_editor& g, const config&) {
                  const auto mul = g.find_node("aten.mul.Scalar");
                  g.replace_operand(mul, 0, g.find_node("aten.exp.default", mul));
              }) == fault::graph_is_broken);
// A node that reads itself.
static_assert(refused([](graph_editor& g, const config&) {
                  const auto mul = g.find_node("aten.mul.Scalar");
                  g.replace_operand(mul, 0, mul);
              }) == fault::graph_is_broken);
// Another output.
static_assert(refused([](graph_editor& g, const config&) {
                  const auto add = g.find_node("aten.add.Tensor");
                  const auto sum = g.call("aten.sum.dim_IntList", {add, int_list{0}});
                  g.replace_all_uses_with(add, sum, 0, sum);
              }) == fault::outputs_differ);

} // namespace

int main() {
    check_becomes(pass::eliminate_duplicates | double_by_adding{}, twice, added);
    check_equal(after(pass::pipeline<widen>{}, narrow_sum).view(), widened);
    check_becomes(pass::pipeline<drop_clone>{}, cloned, reshaped);

    // Five passes over 1509 nodes, in three constants: five of the six sums are two.
    using program = compiled<long_chain, five_passes>;
    int sums = 0;
    for (node_id n : program::optimized_graph())
        if (program::optimized_graph()[n].target == "aten.add.Tensor") ++sums;
    check_equal(sums, 11);

    check_equal(sentence(refusal_of(erase_missing{})), "erase_missing: node is missing: expected a node, found none: nothing was found, in the pass erase_missing");
    check_equal(render(refusal_of(no_exponentials{})), "line 5: aten.exp.default 'exp': this chip has no exponentials: expected a polynomial, found exp, in the pass no_exponentials");

    // Graphs that are not equivalent.
    const reading a(twice), b(added), c(without_dead_code);
    diagnosis d;
    check(equivalent(a.storage.view(), b.storage.view(), 1, d));
    check(equivalent(a.storage.view(), b.storage.view(), 2) && !equivalent(a.storage.view(), c.storage.view(), 2));
    check(!equivalent(a.storage.view(), c.storage.view(), 1, d));
    check_fault(d, {fault::input_has_wrong_type});
    return report();
}
