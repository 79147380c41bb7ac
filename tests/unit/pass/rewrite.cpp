// Rewrite rules: what they make of a graph, where they must not fire, what is refused, and that graphs mean the same afterwards.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "random_graph.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/pass/rewrite.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/equivalent.hpp>

#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

constexpr auto bias_into_product =
    pass::rule<"bias_into_product">([](any<"a"> a, any<"b"> b, any<"c"> c) { return rewrite(add(mm(a, b), c), addmm(c, a, b)); })
        .when([](const match& m) { return m.type("c").rank == 1; });
constexpr auto square = pass::rule<"square">([](any<"a"> a) { return rewrite(a * a, pow(a, 2)); });
constexpr auto plus_zero = pass::rule<"plus_zero">([](any<"a"> a) { return rewrite(a + 0, a); });

using reading = typed_reading<capacity{64, 256, 64}>;
std::string graph_of(std::string_view body) {
    std::string out = "def forward(self, x : f32[4, 4], w : f32[4, 4], b : f32[4]):\n";
    for (std::size_t at = 0; at < body.size();) {
        const auto end = body.find(';', at);
        out += "    " + std::string(body.substr(at, end - at)) + "\n";
        at = end + 2;
    }
    return out;
}
// The calls that are left: "mul sub" and so on, or the fault.
template <class Rule> std::string calls_after(Rule rule, std::string_view body) {
    const auto text = graph_of(body);
    const reading before(text);
    reading r(text);
    if (!check(r.error.ok(), text)) return {};
    const pass::pipeline<Rule> passes;
    const bool applies = pass::any_applies(passes, config{}, r.storage.view(), op_rows);
    std::int32_t changes = 0;
    if (!pass::run(passes, config{}, r.storage.edit(), op_rows, r.error, [&](std::string_view, graph_view, std::int32_t more) { changes += more; }))
        return std::string(name_of(r.error.what)) + ": " + std::string(r.error.expected.view()) + ", " + std::string(r.error.found.view());
    check(applies == (changes > 0));
    diagnosis d;
    check(equivalent(before.storage.view(), r.storage.view(), 5, d), text);
    std::string out;
    for (node_id n : r.storage.view())
        if (const auto& call = r.storage.view()[n]; call.kind == node_kind::call) out += std::string(base_of(call.target)) + " ";
    static_cast<void>(rule);
    return out;
}

void fires() {
    check_equal(calls_after(bias_into_product, "m = torch.ops.aten.mm.default(x, w); r = torch.ops.aten.add.Tensor(m, b); return (r,);"), "addmm ");
    check_equal(calls_after(square, "s = torch.ops.aten.sin.default(x); r = torch.ops.aten.mul.Tensor(s, s); return (r,);"), "sin pow ");
    check_equal(calls_after(plus_zero, "s = torch.ops.aten.sin.default(x); r = torch.ops.aten.add.Tensor(s, 0.0); return (r,);"), "sin ");
    // what a rule leaves behind is found by the next call up the chain
    check_equal(calls_after(plus_zero, "s = torch.ops.aten.sin.default(x); a = torch.ops.aten.add.Tensor(s, 0); r = torch.ops.aten.add.Tensor(a, 0); return (r,);"),
                "sin ");
    constexpr auto exchange = pass::rule<"exchange">([](any<"a"> a, any<"b"> b) { return rewrite(cat<0>(a, b), neg(cat<0>(neg(a), neg(b)))); });
    check_equal(calls_after(exchange, "r = torch.ops.aten.cat.default([x, w]); return (r,);"), "neg neg cat neg ");
    // an operand that is a number
    constexpr auto times = pass::rule<"times">([](any<"a"> a, any<"n"> n) { return rewrite(mul(relu(a), n), relu(mul(a, n))); }).when([](const match& m) {
        return m.operand("n").kind == argument_kind::integer && m.operand("n").integer() > 0;
    });
    check_equal(calls_after(times, "a = torch.ops.aten.relu.default(x); r = torch.ops.aten.mul.Tensor(a, 3); return (r,);"), "mul relu ");
    check_equal(calls_after(times, "a = torch.ops.aten.relu.default(x); r = torch.ops.aten.mul.Tensor(a, -3); return (r,);"), "relu mul ");
    // one call on the left, read twice within it
    constexpr auto twice = pass::rule<"twice">([](any<"a"> a) {
        const auto s = sigmoid(a);
        return rewrite(s * s + s, s * (s + 1));
    });
    check_equal(calls_after(twice, "s = torch.ops.aten.sigmoid.default(x); m = torch.ops.aten.mul.Tensor(s, s); r = torch.ops.aten.add.Tensor(m, s); return (r,);"),
                "sigmoid add mul ");
}

void stays() {
    // the middle is read elsewhere
    check_equal(calls_after(bias_into_product, "m = torch.ops.aten.mm.default(x, w); r = torch.ops.aten.add.Tensor(m, b); return (r, m);"), "mm add ");
    // another factor than the schema's default
    check_equal(calls_after(bias_into_product, "m = torch.ops.aten.mm.default(x, w); r = torch.ops.aten.add.Tensor(m, b, alpha = 2); return (r,);"), "mm add ");
    // the condition
    check_equal(calls_after(bias_into_product, "m = torch.ops.aten.mm.default(x, w); r = torch.ops.aten.add.Tensor(m, x); return (r,);"), "mm add ");
    // two operands where the rule has one
    check_equal(calls_after(square, "r = torch.ops.aten.mul.Tensor(x, w); return (r,);"), "mul ");
    check_equal(calls_after(plus_zero, "s = torch.ops.aten.sin.default(x); r = torch.ops.aten.add.Tensor(s, 1); return (r,);"), "sin add ");
    // an output would be an input
    check_equal(calls_after(plus_zero, "r = torch.ops.aten.add.Tensor(x, 0); return (r,);"), "add ");
    check_equal(calls_after(plus_zero, "r = torch.ops.aten.add.Tensor(x, 0); v = torch.ops.aten.view.default(r, [16]); return (v,);"), "add view ");
}

// A pattern of five calls with a number and a shape in it, as users register them for their own kernels.
void norms() {
    constexpr auto rms = pass::rule<"rms">([](any<"x"> x, any<"w"> w) {
        const auto shape = ints<4>{};
        const auto scale = rsqrt(call<aten::mean_dims>(call_site::current(), x * x, ints<-1>{}, keepdim) + 1e-6);
        return rewrite(x * scale * w, call<aten::rms_norm>(call_site::current(), x, shape, w, 1e-6));
    }).when([](const match& m) { return sizes_of(m.type("w")) == int_list{4}; });
    const auto body = [](std::string_view epsilon, std::string_view dim, std::string_view weight, std::string_view result) {
        return "s = torch.ops.aten.mul.Tensor(x, x); m = torch.ops.aten.mean.dim(s, [" + std::string(dim) + "], True); e = torch.ops.aten.add.Tensor(m, " +
               std::string(epsilon) + "); r = torch.ops.aten.rsqrt.default(e); y = torch.ops.aten.mul.Tensor(x, r); z = torch.ops.aten.mul.Tensor(y, " +
               std::string(weight) + "); " + std::string(result);
    };
    constexpr std::string_view whole = "mul mean add rsqrt mul mul ";
    check_equal(calls_after(rms, body("1e-06", "-1", "b", "return (z,);")), "rms_norm ");
    check_equal(calls_after(rms, body("1e-05", "-1", "b", "return (z,);")), whole); // another epsilon
    check_equal(calls_after(rms, body("1e-06", "0", "b", "return (z,);")), whole);  // another dim
    check_equal(calls_after(rms, body("1e-06", "-1", "w", "return (z,);")), whole); // a weight of another shape
    check_equal(calls_after(rms, body("1e-06", "-1", "b", "return (z, r);")), whole); // a call in the middle is returned
    // What the pattern finds may be read by nobody; it is dead code afterwards as before.
    check_equal(calls_after(rms, body("1e-06", "-1", "b", "u = torch.ops.aten.relu.default(x); return (u,);")), "rms_norm relu ");

    // The same rule twice does what it does once.
    const auto text = graph_of(body("1e-06", "-1", "b", "return (z,);"));
    reading r(text);
    std::string log;
    check(pass::run(rms | rms, config{}, r.storage.edit(), op_rows, r.error,
                    [&](std::string_view name, graph_view, std::int32_t changes) { log.append(name).append(changes > 0 ? " fired " : " idle "); }));
    check_equal(log, "rms fired rms idle ");
}

void refusals() {
    constexpr auto other_shape = pass::rule<"other_shape">([](any<"a"> a) { return rewrite(relu(a), sum<0>(a)); });
    check_equal(calls_after(other_shape, "r = torch.ops.aten.relu.default(x); return (r,);"), "rewrite_changes_type: f32[4, 4], f32[4], in the pass other_shape");
    constexpr auto other_name = pass::rule<"other_name">([](any<"a"> a) { return rewrite(relu(a), abs(a)); }).when([](const match& m) { return m.type("b").rank == 2; });
    check_equal(calls_after(other_name, "r = torch.ops.aten.relu.default(x); return (r,);"), "name_is_undefined: an operand of the rule, b, in the pass other_name");
}

// What the right side computes: numbers and lists.
constexpr auto spread = pass::rule<"spread">([](any<"a"> a, any<"b"> b, any<"sizes"> sizes, any<"factor"> factor, any<"flag"> keep) {
    const auto whole = call<aten::expand>(call_site::current(), b, sizes);
    return rewrite(sub(a, b), call<aten::sum_dims>(call_site::current(), call<aten::unsqueeze>(call_site::current(), a - whole * factor, 0), ints<0>{}, keep));
}).when([](const match& m) { return m.operand("sizes").kind == argument_kind::none && m.type("b").rank == 1; })
      .with<"sizes">([](const match& m) { return sizes_of(m.type("a")); })
      .when([](const match& m) { return m.operand("sizes").children.count == 2; })
      .with<"factor">([](const match& m) { return static_cast<double>(m.type("b").rank); })
      .with<"flag">([](const match&) { return false; });
constexpr auto no_such = pass::rule<"no_such">([](any<"a"> a) { return rewrite(relu(a), relu(relu(a))); }).with<"n">([](const match&) { return std::int64_t{1}; });
void computes() {
    check_equal(calls_after(spread, "r = torch.ops.aten.sub.Tensor(x, b); s = torch.ops.aten.sub.Tensor(w, b); return (r, s);"),
                "expand mul sub unsqueeze sum expand mul sub unsqueeze sum ");
    check_equal(calls_after(spread, "r = torch.ops.aten.sub.Tensor(x, w); return (r,);"), "sub ");
    check_equal(calls_after(no_such, "r = torch.ops.aten.relu.default(x); return (r,);"), "name_is_undefined: an operand of the rule, n, in the pass no_such");
}

// Several tensors at once, found from the first one's call: two calls become one of two results.
constexpr auto here = call_site::current();
constexpr auto moments = pass::rule<"moments">([](any<"a"> a) {
    const auto both = call<aten::var_mean_dim>(here, a, ints<-1>{});
    return rewrite(tensors(call<aten::mean_dims>(here, a, ints<-1>{}), call<aten::var_dim>(here, a, ints<-1>{})), tensors(pick<1>(both), pick<0>(both)));
});
// One is an operand of the other.
constexpr auto differences = pass::rule<"differences">([](any<"a"> a, any<"c"> c) {
    const auto n = neg(a);
    return rewrite(tensors(n, n + c), tensors(a * -1, c - a));
});
constexpr auto largest = pass::rule<"largest">([](any<"a"> a) { return rewrite(pick<0>(call<aten::max_dim>(here, a, integer<-1>{})), amax<-1>(a)); });
constexpr auto ordered = pass::rule<"ordered">(
    [](any<"a"> a) { return rewrite(call<aten::sort>(here, a, integer<-1>{}), call<aten::sort_stable>(here, a, keyword<"stable", flag<true>>{}, keyword<"dim", integer<-1>>{})); });
constexpr auto one_relu = pass::rule<"one_relu">([](any<"a"> a) {
    const auto r = threshold(a, 0, 0);
    return rewrite(tensors(relu(a), clamp_min(a, 0)), tensors(r, r));
});

void several() {
    constexpr std::string_view mean = "m = torch.ops.aten.mean.dim(x, [-1]); ", var = "v = torch.ops.aten.var.dim(x, [-1]); ";
    const auto line = [](auto... parts) { return (std::string() + ... + std::string(parts)); };
    check_equal(calls_after(moments, line(mean, var, "return (m, v);")), "var_mean getitem getitem ");
    check_equal(calls_after(moments, line(var, mean, "return (v, m);")), "var_mean getitem getitem ");
    // readers between the two, and of one in the other's operands, are behind where the new call goes
    check_equal(calls_after(moments, line(mean, "u = torch.ops.aten.sin.default(m); ", var, "r = torch.ops.aten.add.Tensor(u, v); return (r, m);")),
                "var_mean getitem getitem sin add ");
    check_equal(calls_after(moments, line(mean, "return (m,);")), "mean ");
    check_equal(calls_after(moments, line(mean, "v = torch.ops.aten.var.dim(w, [-1]); return (m, v);")), "mean var ");
    check_equal(calls_after(moments, line(mean, "v = torch.ops.aten.var.dim(x, [0]); return (m, v);")), "mean var ");
    // among several readers the one that fits; each is taken once
    check_equal(calls_after(moments, line("q = torch.ops.aten.var.dim(x, [0]); ", mean, var, "return (m, v, q);")), "var var_mean getitem getitem ");

    check_equal(calls_after(differences, "n = torch.ops.aten.neg.default(x); t = torch.ops.aten.add.Tensor(n, w); return (n, t);"), "mul sub ");
    check_equal(calls_after(differences, "n = torch.ops.aten.neg.default(x); t = torch.ops.aten.add.Tensor(n, w); return (t,);"), "mul sub ");
    check_equal(calls_after(differences, "n = torch.ops.aten.neg.default(x); c = torch.ops.aten.sin.default(w); t = torch.ops.aten.add.Tensor(n, c); u = "
                                         "torch.ops.aten.relu.default(n); return (t, u);"),
                "sin mul sub relu ");
    // a reader stands before an operand
    check_equal(calls_after(differences, "n = torch.ops.aten.neg.default(x); u = torch.ops.aten.relu.default(n); c = torch.ops.aten.sin.default(w); t = "
                                         "torch.ops.aten.add.Tensor(n, c); return (t, u);"),
                "neg relu sin add ");
    // the operand is what would be replaced
    check_equal(calls_after(differences, "n = torch.ops.aten.neg.default(x); t = torch.ops.aten.add.Tensor(n, n); return (t,);"), "neg add ");

    // One result of several, if nobody reads another.
    constexpr std::string_view max = "m = torch.ops.aten.max.dim(x, -1); ";
    check_equal(calls_after(largest, line(max, "v = m[0]; r = torch.ops.aten.sin.default(v); return (r,);")), "amax sin ");
    check_equal(calls_after(largest, line(max, "v = m[0]; i = m[1]; return (v, i);")), "max getitem getitem ");
    check_equal(calls_after(largest, line(max, "i = m[1]; return (i,);")), "max getitem ");
    // All of them.
    constexpr std::string_view sorted = "s = torch.ops.aten.sort.default(x, -1); v = s[0]; i = s[1]; ";
    check_equal(calls_after(ordered, line(sorted, "return (v, i);")), "sort getitem getitem ");

    // Two outputs are two tensors.
    constexpr std::string_view twins = "p = torch.ops.aten.relu.default(x); q = torch.ops.aten.clamp_min.default(x, 0); ";
    check_equal(calls_after(one_relu, line(twins, "return (p, q);")), "relu clamp_min ");
    check_equal(calls_after(one_relu, line(twins, "r = torch.ops.aten.sin.default(q); return (p, r);")), "threshold sin ");

    constexpr auto other_shape = pass::rule<"other_shape">([](any<"a"> a) { return rewrite(tensors(sin(a), cos(a)), tensors(sin(a), sum<0>(a))); });
    check_equal(calls_after(other_shape, "s = torch.ops.aten.sin.default(x); c = torch.ops.aten.cos.default(x); return (s, c);"),
                "rewrite_changes_type: f32[4, 4], f32[4], in the pass other_shape");
    constexpr auto fewer = pass::rule<"fewer">([](any<"a"> a) { return rewrite(call<aten::max_dim>(here, a, integer<-1>{}), amax<-1>(a)); });
    check_equal(calls_after(fewer, line(max, "v = m[0]; return (v,);")), "rewrite_changes_type: 2 results, 1, in the pass fewer");
    constexpr auto dtypes = pass::rule<"dtypes">([](any<"a"> a) { return rewrite(call<aten::max_dim>(here, a, integer<-1>{}), call<aten::var_mean_dim>(here, a, ints<-1>{})); });
    check_equal(calls_after(dtypes, line(max, "v = m[0]; return (v,);")), "rewrite_changes_type: i64[4], f32[4], in the pass dtypes");
}

// On random graphs the rules mean what they say.
void random_graphs() {
    constexpr auto rules = pass::rule<"subtract">([](any<"a"> a, any<"b"> b) { return rewrite(a + b, a - neg(b)); }) |
                           pass::rule<"larger">([](any<"a"> a) { return rewrite(relu(a), clamp_min(a, 0)); }) |
                           pass::rule<"turn">([](any<"a"> a, any<"b"> b) { return rewrite(a * b, b * a); }) |
                           pass::rule<"undo">([](any<"a"> a) { return rewrite(neg(neg(a)), a); }) |
                           pass::rule<"apart">([](any<"a"> a, any<"b"> b) { return rewrite(tensors(a - b, relu(a - b)), tensors(a - b, relu(a - b))); }) |
                           pass::rule<"pair">([](any<"a"> a, any<"b"> b) {
                               const auto s = a + b;
                               return rewrite(tensors(s, neg(s)), tensors(b + a, neg(a) - b));
                           });
    int fired = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const auto text = write_graph(seed);
        const std::string_view view(text.text.data(), text.size);
        fx_style style;
        diagnosis d;
        heap_storage parsed(count_fx(view));
        if (!check(read_fx(view, op_rows, parsed.edit(), style, d) && infer_types(parsed.edit(), op_rows, d), view)) return;
        heap_storage before(pass::room_to_functionalise(parsed.view(), op_rows));
        copy_graph(parsed.view(), before.edit());
        if (!check(pass::functionalise(before.edit(), op_rows, d), view)) return;
        auto room = before.header.used;
        heap_storage after({2 * room.nodes + 64, 2 * room.arguments + 256, 2 * room.values + 64});
        copy_graph(before.view(), after.edit());
        std::int32_t changes = 0;
        const bool ok = pass::run(rules, config{}, after.edit(), op_rows, d, [&](std::string_view, graph_view, std::int32_t more) { changes += more; });
        if (!check(ok, std::string(name_of(d.what)) + " " + std::string(d.found.view()) + "\n" + std::string(view))) return;
        if (!check(equivalent(before.view(), after.view(), seed, d), view)) return;
        fired += changes > 0;
    }
    std::cout << "1000 graphs, the rules fired on " << fired << '\n';
    check(fired >= 200);
}

// In the compiler.
constexpr auto net = trace([](input<"x", f32<4, 8>> x, param<"w", f32<8, 8>> w, param<"b", f32<8>> b) { return outputs(relu(mm(x, w) + b)); });
inline constexpr auto tools_pre_pass = pass::pipeline<std::remove_const_t<decltype(bias_into_product)>>{};
using tools = toolchain<>::with_pre_pass<tools_pre_pass>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks == 1);
static_assert(program::optimized_graph()[program::optimized_graph().first()].kind == node_kind::placeholder);

} // namespace

int main() {
    fires();
    stays();
    norms();
    several();
    computes();
    refusals();
    random_graphs();
    return report();
}
