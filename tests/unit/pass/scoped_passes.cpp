// Passes, functionalisation and lowering leave calls on their streams: nothing is merged or moved across streams, records and waits; the custom pass that puts mm
// and abs on a stream of their own; waits for tensors; results as without streams.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "lowered.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/lowering_outcome.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/pass/functionalise.hpp>
#include <ahead/reference/interpreter.hpp>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;
using reading = typed_reading<capacity{80, 400, 80}>;

constexpr std::string_view on_one = "    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['one'])\n";
constexpr std::string_view off = "    u = torch.ops.air.scope_exit.default()\n";

// The targets of the calls in order, without their namespaces.
std::string calls_of_graph(graph_view g) {
    std::string out;
    for (node_id id : g)
        if (const auto& n = g[id]; n.kind == node_kind::call && n.target != "npu.view") out += std::string(base_of(n.target)) + " ";
    return out;
}
std::string body(std::initializer_list<std::string_view> lines, std::string_view results, std::string_view inputs = "x : f32[2, 2]") {
    std::string out = "def forward(self, " + std::string(inputs) + "):\n";
    int number = 0;
    for (auto line : lines) { // scopes get names of their own
        std::string text(line);
        if (line == on_one || line == off) text.insert(5, "_" + std::to_string(++number));
        out += text;
    }
    return out + "    return (" + std::string(results) + ",)\n";
}
template <class Passes> std::string after(Passes passes, const std::string& text) {
    reading r(text);
    if (r.error.ok()) pass::run(pass::pipeline<>{} | passes, config{}, r.storage.edit(), op_rows, r.error);
    return r.error.ok() ? calls_of_graph(r.storage.view()) : std::string(name_of(r.error.what)) + " " + std::string(r.error.found.view());
}

// ---- one listing per pass: merged on one stream, left on two, left across a wait

constexpr std::string_view neg_a = "    a = torch.ops.aten.neg.default(x)\n", neg_b = "    b = torch.ops.aten.neg.default(x)\n";
constexpr std::string_view both = "    y = torch.ops.aten.add.Tensor(a, b)\n";
constexpr std::string_view recorded = "    r = torch.ops.air.record.default()\n";
constexpr std::string_view waited = "    w = torch.ops.air.wait.default([r])\n";
void duplicates() {
    constexpr auto& merge = pass::eliminate_duplicates;
    check_equal(after(merge, body({neg_a, neg_b, both}, "y")), "neg add ");
    check_equal(after(merge, body({on_one, neg_a, neg_b, off, both}, "y")), "scope_enter neg scope_exit add ");
    check_equal(after(merge, body({on_one, neg_a, off, neg_b, both}, "y")), "scope_enter neg scope_exit neg add ");
    check_equal(after(merge, body({neg_a, recorded, neg_b, both}, "y")), "neg record neg add ");
    check_equal(after(merge, body({recorded, neg_a, waited, neg_b, both}, "y")), "record neg wait neg add ");
    check_equal(after(merge, body({on_one, neg_a, off, recorded, on_one, neg_b, off, both}, "y")), "scope_enter neg scope_exit record scope_enter scope_exit add ");
    // Two records of one point are two, and so are two waits.
    check_equal(after(pass::builtin, body({recorded, "    r_1 = torch.ops.air.record.default()\n", waited, "    w_1 = torch.ops.air.wait.default([r])\n"}, "x")), "record record wait wait ");
}

constexpr std::string_view clone_a = "    c = torch.ops.aten.clone.default(a)\n", neg_c = "    y = torch.ops.aten.neg.default(c)\n";
void noops() {
    check_equal(after(pass::remove_noop_ops, body({on_one, neg_a, clone_a, neg_c, off}, "y")), "scope_enter neg neg scope_exit ");
    check_equal(after(pass::remove_noop_ops, body({neg_a, on_one, clone_a, neg_c, off}, "y")), "neg scope_enter clone neg scope_exit ");
    check_equal(after(pass::remove_noop_ops, body({neg_a, on_one, "    c = torch.ops.aten.view.default(a, [2, 2])\n", neg_c, off}, "y")), "neg scope_enter neg scope_exit ");
}

void waits_are_no_noops() {
    check_equal(after(pass::builtin, body({neg_a, "    c = torch.ops.air.wait_tensor.default(a, x)\n", neg_c}, "y")), "neg wait_tensor neg ");
}

inline constexpr auto twice = pass::rule<"twice">([](any<"a"> a) { return rewrite(neg(neg(a)), abs(a)); });
inline constexpr auto pair = pass::rule<"pair">([](any<"a"> a) { return rewrite(tensors(neg(a), sin(a)), tensors(neg(a), cos(a))); });
constexpr std::string_view sin_a = "    y = torch.ops.aten.sin.default(x)\n";
constexpr std::string_view neg_of_a = "    y = torch.ops.aten.neg.default(a)\n";
std::int32_t across(const std::string& text) { return twice.across_streams(reading(text).storage.view(), op_rows) + pair.across_streams(reading(text).storage.view(), op_rows); }
void rules() {
    check_equal(after(twice, body({on_one, neg_a, neg_of_a, off}, "y")), "scope_enter abs scope_exit ");
    check_equal(after(twice, body({on_one, neg_a, off, neg_of_a}, "y")), "scope_enter neg scope_exit neg ");
    check_equal(after(twice, body({neg_a, recorded, neg_of_a}, "y")), "neg record neg ");
    check_equal(across(body({on_one, neg_a, neg_of_a, off}, "y")), 0);
    check_equal(across(body({on_one, neg_a, off, neg_of_a}, "y")), 1);
    check_equal(across(body({neg_a, recorded, neg_of_a}, "y")), 1);
    // Of several tensors, each.
    check_equal(after(pair, body({on_one, neg_a, sin_a, off}, "y, a")), "scope_enter neg cos scope_exit ");
    check_equal(after(pair, body({on_one, neg_a, off, sin_a}, "y, a")), "scope_enter neg scope_exit sin ");
    check_equal(after(pair, body({neg_a, recorded, sin_a}, "y, a")), "neg record sin ");
    check_equal(across(body({neg_a, recorded, sin_a}, "y, a")), 1);
    // A reader on another stream, before the last of them, stays there.
    check_equal(after(pair, body({neg_a, on_one, "    z = torch.ops.aten.exp.default(a)\n", off, sin_a}, "y, z")), "neg cos scope_enter exp scope_exit ");
    // What a rule has made counts as where it stands.
    check_equal(after(pass::pipeline<>{} | twice | twice, body({on_one, neg_a, neg_of_a, "    z = torch.ops.aten.neg.default(y)\n", off, "    q = torch.ops.aten.neg.default(z)\n"}, "q")),
                "scope_enter abs neg scope_exit neg ");
}

// A decomposition stays in the scope of the call.
void decompositions() {
    check_equal(after(pass::decompose, body({on_one, "    y = torch.ops.aten.logsumexp.default(x, [1])\n", off, "    z = torch.ops.aten.neg.default(y)\n"}, "z")), "scope_enter amax clamp sub exp sum view log add scope_exit neg ");
}

// A convolution takes what follows it in its own scope and segment.
constexpr std::string_view convolution = "    c = torch.ops.aten.convolution.default(x, w, None, [1], [0], [1], False, [0], 1)\n", scaled = "    y = torch.ops.aten.mul.Tensor(c, s)\n";
void folding() {
    const auto folded = [](std::initializer_list<std::string_view> lines) {
        const auto text = body(lines, "y", "x : f32[1, 2, 4], w : f32[2, 2, 1], s : f32[2, 1]"); // names are views of it
        reading r(text);
        const auto g = r.storage.edit();
        for (node_id id : g)
            if (g[id].kind == node_kind::placeholder && g[id].name.text != "x") g[id].role = input_role::parameter;
        if (r.error.ok()) pass::run(pass::pipeline<>{} | pass::fold_batch_norm, config{}, g, op_rows, r.error);
        return r.error.ok() ? calls_of_graph(g) : std::string(name_of(r.error.what));
    };
    check_equal(folded({on_one, convolution, scaled, off}), "scope_enter view mul convolution scope_exit ");
    check_equal(folded({on_one, convolution, off, scaled}), "scope_enter convolution scope_exit mul ");
    check_equal(folded({convolution, recorded, scaled}), "convolution record mul ");
}

// ---- lowering

std::string tasks(const std::string& text, const config& options = {}) {
    reading r(text);
    const auto g = r.storage.edit();
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder && g[id].name.text == "w") g[id].role = input_role::parameter;
    if (!r.error.ok()) return std::string(name_of(r.error.what));
    const lowered device(g, toolchain<>{}, options);
    check(device.error.ok(), name_of(device.error.what));
    diagnosis d;
    check(device.storage.view().header().has_streams && air::check_streams(device.storage.view(), d));
    return device.tasks();
}
constexpr std::string_view neg_of_b = "    y = torch.ops.aten.exp.default(a)\n";
constexpr std::string_view product = "    a = torch.ops.aten.mm.default(x, x)\n";
void fusing() {
    check_equal(tasks(body({on_one, neg_a, neg_of_b, off}, "y")), "air.scope_enter.default npu.fused air.scope_exit.default ");
    check_equal(tasks(body({on_one, neg_a, off, neg_of_b}, "y")), "air.scope_enter.default npu.neg.default air.scope_exit.default npu.exp.default ");
    check_equal(tasks(body({on_one, neg_a, recorded, neg_of_b, off}, "y")), "air.scope_enter.default npu.neg.default air.record.default npu.exp.default air.scope_exit.default ");
    check_equal(tasks(body({on_one, neg_a, off, on_one, neg_of_b, off}, "y")), "air.scope_enter.default air.scope_exit.default air.scope_enter.default npu.fused air.scope_exit.default ");
    check_equal(tasks(body({on_one, product, neg_of_b, off}, "y")), "air.scope_enter.default npu.matmul air.scope_exit.default ");
    check_equal(tasks(body({on_one, product, off, neg_of_b}, "y")), "air.scope_enter.default npu.matmul air.scope_exit.default npu.exp.default ");
    check_equal(tasks(body({product, recorded, neg_of_b}, "y")), "npu.matmul air.record.default npu.exp.default ");
    check_equal(tasks(body({product, on_one, recorded, off, neg_of_b}, "y")), "air.scope_enter.default air.record.default air.scope_exit.default npu.matmul ");
    check_equal(tasks(body({on_one, product, off, on_one, "    v = torch.ops.aten.view.default(a, [4])\n    y = torch.ops.aten.exp.default(v)\n", off}, "y")), "air.scope_enter.default air.scope_exit.default air.scope_enter.default npu.matmul air.scope_exit.default ");
    check_equal(tasks(body({on_one, product, off, "    v = torch.ops.aten.view.default(a, [4])\n", on_one, "    y = torch.ops.aten.exp.default(v)\n", off}, "y")), "air.scope_enter.default npu.matmul air.scope_exit.default air.scope_enter.default npu.exp.default air.scope_exit.default ");
    check_equal(tasks(body({on_one, product, neg_of_b, off}, "y"), {.mode = mode::reduce_overhead}), "air.scope_enter.default npu.matmul npu.exp.default air.scope_exit.default ");
}

// ---- writes

std::string functional(const std::string& text) {
    reading r(text);
    if (r.error.ok()) pass::functionalise(r.storage.edit(), op_rows, r.error);
    if (!r.error.ok()) return std::string(name_of(r.error.what));
    diagnosis d;
    check(air::check_streams(r.storage.view(), d));
    return calls_of_graph(r.storage.view());
}
// A part of a is written on stream one; what reads all of it on two other streams reads what was put together on stream one, before its record.
void writes() {
    constexpr std::string_view part = "    s = torch.ops.aten.select.int(a, 0, 0)\n", write = "    n = torch.ops.aten.neg_.default(s)\n";
    constexpr std::string_view reader = "    y = torch.ops.aten.exp.default(a)\n", other = "    z = torch.ops.aten.sin.default(a)\n";
    check_equal(functional(body({neg_a, on_one, part, write, recorded, off, waited, reader, "    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['two'])\n    w_1 = torch.ops.air.wait.default([r])\n",
                                 other, off}, "y, z")), "neg scope_enter select neg as_strided_scatter record scope_exit wait exp scope_enter wait sin scope_exit ");
    check_equal(functional(body({neg_a, on_one, part, write, recorded, off, waited}, "x")), "neg scope_enter select neg as_strided_scatter record scope_exit wait ");
}

// Who waits for what was written, or for the tensor that it is a part of, waits until the write is in it.
void waits_for_writes() {
    for (const std::string waited_for : {"n", "s", "a"}) {
        const auto wait_and_read = "    w = torch.ops.air.wait.default([" + waited_for + "])\n    y = torch.ops.aten.exp.default(a)\n";
        const auto text = body({neg_a, on_one, "    s = torch.ops.aten.select.int(a, 0, 0)\n    n = torch.ops.aten.neg_.default(s)\n", off,
                                wait_and_read}, "y");
        reading r(text);
        check(r.error.ok() && pass::functionalise(r.storage.edit(), op_rows, r.error) && pass::record_waits(r.storage.edit(), op_rows, {}, r.error), name_of(r.error.what));
        check_equal(calls_of_graph(r.storage.view()), "neg scope_enter select neg as_strided_scatter record scope_exit wait exp ");
    }
}

// ---- waits for tensors

std::string with_records(const std::string& text) {
    reading r(text);
    check(r.error.ok() && pass::waits_on_tensors(r.storage.view()));
    if (r.error.ok()) pass::record_waits(r.storage.edit(), op_rows, {}, r.error);
    check(r.error.ok() && !pass::waits_on_tensors(r.storage.view()) && air::check_streams(r.storage.view(), r.error), name_of(r.error.what));
    std::string out;
    print_fx(r.storage.view(), listing_style(), out);
    return out;
}
// One record for all who wait for a call, where it was made; what came with the run is there already.
constexpr std::string_view waits_for_records = R"fx(graph():
    %x : [num_users=2] = placeholder[target=x]
    %a : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %record_11 : [num_users=1] = call_function[target=torch.ops.air.record.default](args = (), kwargs = {})
    %e_1 : [num_users=0] = call_function[target=torch.ops.air.scope_enter.default](args = ([_user_stream_label], [one]), kwargs = {})
    %b : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %record_10 : [num_users=2] = call_function[target=torch.ops.air.record.default](args = (), kwargs = {})
    %u_2 : [num_users=0] = call_function[target=torch.ops.air.scope_exit.default](args = (), kwargs = {})
    %w : [num_users=0] = call_function[target=torch.ops.air.wait.default](args = ([%record_10],), kwargs = {})
    %y : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%a, %b), kwargs = {})
    %w_1 : [num_users=0] = call_function[target=torch.ops.air.wait.default](args = ([%record_10, %record_11],), kwargs = {})
    return (y,)
)fx";
// npu_wait_tensor is a wait and its tensor itself; where it is returned, a copy.
constexpr std::string_view waits_with_tensors = R"fx(graph():
    %x : [num_users=3] = placeholder[target=x]
    %a : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %e_1 : [num_users=0] = call_function[target=torch.ops.air.scope_enter.default](args = ([_user_stream_label], [one]), kwargs = {})
    %b : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %record_9 : [num_users=2] = call_function[target=torch.ops.air.record.default](args = (), kwargs = {})
    %u_2 : [num_users=0] = call_function[target=torch.ops.air.scope_exit.default](args = (), kwargs = {})
    %wait_10 : [num_users=0] = call_function[target=torch.ops.air.wait.default](args = ([%record_9],), kwargs = {})
    %y : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%a,), kwargs = {})
    %wait_11 : [num_users=0] = call_function[target=torch.ops.air.wait.default](args = ([%record_9],), kwargs = {})
    %clone_12 : [num_users=1] = call_function[target=torch.ops.aten.clone.default](args = (%x,), kwargs = {})
    return (y, clone_12)
)fx";
void waits() {
    check_equal(with_records(body({neg_a, on_one, neg_b, off, "    w = torch.ops.air.wait.default([b, x])\n", both,
                                   "    w_1 = torch.ops.air.wait.default([b, a, b])\n", "    w_2 = torch.ops.air.wait.default([x])\n"}, "y")), waits_for_records);
    check_equal(with_records(body({neg_a, on_one, neg_b, off, "    c = torch.ops.air.wait_tensor.default(a, b)\n    y = torch.ops.aten.exp.default(c)\n",
                                   "    z = torch.ops.air.wait_tensor.default(x, b)\n"}, "y, z")), waits_with_tensors);
    // What is picked from several results, or is a view, was made by the call behind it.
    check(with_records(body({"    m = torch.ops.aten.max.dim(x, 1)\n    i = operator.getitem(m, 1)\n    v = torch.ops.aten.view.default(i, [1, 2])\n", on_one,
                             "    w = torch.ops.air.wait.default([v])\n", off}, "v")).find("%record_8 : [num_users=1] = call_function[target=torch.ops.air.record.default](args = (), kwargs = {})\n    %i :") != std::string::npos);
}

// ---- whole programs: the custom pass of TorchAir's documentation, in both modes, and the same without

struct model {
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[3, 3]"):
        mm: "f32[3, 3]" = torch.ops.aten.mm.default(x, x)
        abs_1: "f32[3, 3]" = torch.ops.aten.abs.default(mm)
        add: "f32[3, 3]" = torch.ops.aten.add.Tensor(abs_1, 1);  abs_1 = None
        sub: "f32[3, 3]" = torch.ops.aten.sub.Tensor(x, mm);  x = mm = None
        return (add, sub)
)fx";
};
// Where streams are the user's own, add must wait for abs as well: `Waits` says who waits.
template <fixed_string Waits> struct mm_and_abs_on_their_own_stream {
    static constexpr std::string_view name = "mm_and_abs_on_their_own_stream";
    constexpr void operator()(graph_editor& g, const config&) const {
        node_id record;
        for (node_id node : g) {
            if (g.calls(node, "aten.mm.default")) {
                g.inserting_before(node);
                g.call("air.scope_enter.default", {strings({"_user_stream_label"}), strings({"stream_1"})});
            }
            if (g.calls(node, "aten.abs.default")) {
                g.inserting_after(node);
                record = g.call("air.record.default", {});
                g.inserting_after(record);
                g.call("air.scope_exit.default", {});
            }
            if (g.calls(node, Waits.view())) {
                g.inserting_before(node);
                g.call("air.wait.default", {nodes({record})});
            }
        }
    }
};
using before_all = toolchain<>::with_pre_pass<(mm_and_abs_on_their_own_stream<"aten.sub.Tensor">{})>;
using behind_all = toolchain<>::with_post_pass<(mm_and_abs_on_their_own_stream<"aten.sub.Tensor">{})>;
inline constexpr config one_by_one_options{.mode = mode::reduce_overhead};
using one_by_one = toolchain<>::with_pre_pass<(mm_and_abs_on_their_own_stream<"aten.add.Tensor">{})>::with_options<one_by_one_options>;
template <class Program, class... Inputs> std::vector<float> run(const Inputs&... inputs) {
    const auto weights = Program::prepare();
    typename Program::session session{weights};
    std::vector<float> out;
    const auto results = session(inputs...);
    std::apply([&](const auto&... each) { (out.insert(out.end(), each.begin(), each.end()), ...); }, results);
    return out;
}
constexpr std::array some{1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, -9.f};
template <class Tools> void same_on_streams(std::string_view calls, std::string_view tasks) {
    using program = compiled<fx<model>, Tools>;
    check_equal(calls_of_graph(program::optimized_graph()), calls);
    std::string device;
    for (node_id id : program::lowered_graph())
        if (const auto& n = program::lowered_graph()[id]; n.kind == node_kind::call) device += std::string(n.target) + " ";
    check_equal(device, tasks);
    const air::stream_map streams(program::lowered_graph());
    check_equal(streams.streams(), 2);
    check_equal(streams.label(1), "stream_1");
    check(run<program>(some) == run<compiled<fx<model>>>(some));
}
void custom_pass() {
    constexpr std::string_view calls = "scope_enter mm abs record scope_exit add wait sub ";
    constexpr std::string_view tasks =
        "air.scope_enter.default npu.matmul npu.abs.default air.record.default air.scope_exit.default npu.add.Tensor air.wait.default npu.sub.Tensor ";
    same_on_streams<before_all>(calls, tasks);
    same_on_streams<behind_all>(calls, tasks);
    same_on_streams<one_by_one>("scope_enter mm abs record scope_exit wait add sub ",
                                "air.scope_enter.default npu.matmul npu.abs.default air.record.default air.scope_exit.default air.wait.default npu.add.Tensor npu.sub.Tensor ");
}

// What becomes of a call alone, as the coverage table says it.
void fates() {
    const auto text = body({on_one, recorded, neg_a, off, waited, "    w_1 = torch.ops.air.wait.default([a])\n    c = torch.ops.air.wait_tensor.default(x, a)\n"}, "c");
    const reading r(text);
    const fixed_buffer<bool> constant(r.storage.view().header().used.values);
    for (node_id id : r.storage.view()) {
        if (r.storage.view()[id].kind != node_kind::call) continue;
        const auto outcome = compile::find_lowering_outcome<toolchain<>>(r.storage.view(), id, op_rows, constant.all());
        check(outcome.error.ok() && outcome.has_kernels && !outcome.uses_ai_cpu, r.storage.view()[id].target);
    }
}

// Waits for tensors, other scopes, tagged events, npu_wait_tensor; an output that is a record is none.
inline constexpr auto all_kinds = trace([](input<"x", f32<3, 3>> x) {
    auto a = mm(x, x);
    scope_enter(x, words<"_op_aicore_num", "_op_vectorcore_num">{}, words<"12", "24">{});
    npu_tagged_event_record<"66">(a);
    auto b = neg(x);
    {
        npu_stream_switch<"1"> side(x);
        scope_enter(x, words<"_super_kernel_scope">{}, words<"s">{});
        npu_tagged_event_wait<"66">(x);
        npu_record_tagged_stream<"1">(a);
        b = relu(a);
        scope_exit(x);
    }
    scope_exit(x);
    wait(b, x);
    auto c = add(b, a);
    return outputs(c, npu_wait_tensor(x, c));
});
inline constexpr auto no_kinds = trace([](input<"x", f32<3, 3>> x) {
    auto a = mm(x, x);
    return outputs(add(relu(a), a), clone(x));
});
// has these cores
using on_910b2 = toolchain<>::with_device<machine::ascend_910b2>;
void all_kinds_of_calls() {
    using program = compiled<all_kinds, on_910b2>;
    host_tensor x(tensor_of(dtype::f32, {3, 3}));
    for (std::size_t i = 0; i < some.size(); ++i) x.data.singles[i] = some[i];
    const std::array inputs{x};
    const auto outputs = reference<all_kinds>(inputs);
    std::vector<float> meant;
    for (const auto& one : outputs) meant.insert(meant.end(), one.data.singles.begin(), one.data.singles.end());
    check(meant == run<compiled<no_kinds>>(some));
    check(run<program>(some) == run<compiled<no_kinds>>(some));
    check_equal(calls_of_graph(program::optimized_graph()),
                "mm scope_enter tagged_event_record scope_enter scope_enter tagged_event_wait record_tagged_stream relu record scope_exit scope_exit scope_exit wait add record wait clone ");
    const air::stream_map streams(program::lowered_graph());
    for (node_id id : program::lowered_graph())
        if (const auto& n = program::lowered_graph()[id]; n.kind == node_kind::call && n.target.starts_with("npu."))
            check_equal(streams.of(id).stream, n.target == "npu.relu.default" ? 1 : 0);
}

} // namespace

int main() {
    duplicates();
    noops();
    waits_are_no_noops();
    rules();
    decompositions();
    folding();
    fusing();
    writes();
    waits_for_writes();
    waits();
    custom_pass();
    all_kinds_of_calls();
    fates();
    return report();
}
