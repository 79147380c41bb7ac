// In-place operators become functional ones, of whole tensors, of views, of inputs, whoever reads them later. The graph means the same
// afterwards: the reference runs in-place operators as they stand.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "typed_reading.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/functionalise.hpp>

#include <cstdint>
#include <random>
#include <set>
#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

using reading = typed_reading<capacity{96, 900, 128}>;

std::string graph_of(std::string_view body) {
    std::string out = "def forward(self, x : f32[4, 12], i : i64[4, 12]):\n";
    for (std::size_t at = 0; at < body.size();) {
        const auto end = body.find(';', at);
        out += "    " + std::string(body.substr(at, end - at)) + "\n";
        at = end + 1;
    }
    return out;
}

// Functionalises and compares what both graphs compute.
void check_same(std::string_view body, std::string_view calls) {
    const auto text = graph_of(body);
    const reading before(text);
    reading after(text);
    check(after.error.ok(), name_of(after.error.what));
    diagnosis d = after.error;
    const bool ok = pass::functionalise(after.storage.edit(), op_rows, d);
    check(ok && !has_in_place(after.storage.view(), op_rows), std::string(name_of(d.what)) + ": " + std::string(d.found.view()));
    check(d.ok() && equivalent(before.storage.view(), after.storage.view(), 3, d), text);
    bool found = false;
    for (node_id n : after.storage.view()) found = found || after.storage.view()[n].target == calls;
    check(found, calls);
}
void check_refused(std::string_view body, std::string_view expected, std::string_view found, std::string_view what = "in_place_needs_alias_analysis") {
    const auto text = graph_of(body); // the graph's names are views of it
    reading r(text);
    check(r.error.ok(), name_of(r.error.what));
    diagnosis d;
    check(!pass::functionalise(r.storage.edit(), op_rows, d));
    check_equal(name_of(d.what), what);
    check_equal(d.expected.view(), expected);
    check_equal(d.found.view(), found);
}

void whole_tensors() {
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.relu_.default(a); c = torch.ops.aten.add.Tensor(a, b); return (c,);",
               "aten.relu.default");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.sub_.Tensor(other = x, self = a); c = torch.ops.aten.add.Tensor(a, b); return (c,);",
               "aten.sub.Tensor");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); v = torch.ops.aten.view.default(a, [48]); b = torch.ops.aten.relu_.default(v);"
               "w = torch.ops.aten.view.default(b, [12, 4]); e = torch.ops.aten.exp_.default(w); return (e,);",
               "aten.exp.default");
}

void parts() {
    // The gates of an LSTM: each part of a split is overwritten, the others are read later.
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.unsafe_split.Tensor(a, 4, 1); g0 = s[0]; g1 = s[1]; g2 = s[2];"
               "h = torch.ops.aten.sigmoid_.default(g0); k = torch.ops.aten.tanh_.default(g1); m = torch.ops.aten.mul.Tensor(g0, g1);"
               "n = torch.ops.aten.add.Tensor(m, g2); return (n,);",
               "aten.sigmoid.default");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.select.int(a, 0, 1); c = torch.ops.aten.select.int(a, 0, 2);"
               "d = torch.ops.aten.relu_.default(b); e = torch.ops.aten.add.Tensor(d, c); return (e,);",
               "aten.relu.default");
}

// Readers by other names: each sees what was written, and nothing else.
void other_names() {
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); v = torch.ops.aten.view.default(a, [48]); b = torch.ops.aten.relu_.default(a); return (b, v);",
               "aten.as_strided.default");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 1, 0, 6); b = torch.ops.aten.relu_.default(s); return (a,);",
               "aten.as_strided_scatter.default");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 1, 0, 6); t = torch.ops.aten.slice.Tensor(a, 1, 5, 8);"
               "b = torch.ops.aten.relu_.default(s); return (b, t);",
               "aten.as_strided_scatter.default");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 1, 0, 6); t = torch.ops.aten.slice.Tensor(a, 1, 6, 12);"
               "b = torch.ops.aten.relu_.default(s); u = torch.ops.aten.as_strided.default(t, [48], [1], 0); c = torch.ops.aten.exp.default(u); return (b, c);",
               "aten.as_strided_scatter.default");
    // Two writes, the second of the whole: the first is not needed.
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.select.int(a, 0, 1); b = torch.ops.aten.relu_.default(s);"
               "c = torch.ops.aten.sin_.default(a); t = torch.ops.aten.slice.Tensor(a, 0, 1, 3); return (t, b);",
               "aten.sin.default");
    // The result of a write is the tensor: it sees the next write, too.
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.add_.Tensor(a, 1); c = torch.ops.aten.mul_.Tensor(a, x); d = torch.ops.aten.sub.Tensor(b, c);"
               "return (a, b, c, d);",
               "aten.add.Tensor");
    // A wider type is rounded to that of the tensor.
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); w = torch.ops.aten._to_copy.default(a, dtype = torch.float64);"
               "b = torch.ops.aten.add_.Tensor(a, w); return (b,);",
               "prims.convert_element_type.default");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.select.int(a, 0, 1); z = torch.ops.aten.zero_.default(s); return (a, z);",
               "aten.zero.default");
    // copy_ broadcasts and converts; onto itself it is nothing.
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); r = torch.ops.aten.select.int(i, 0, 0); b = torch.ops.aten.copy_.default(a, r); return (a, b);",
               "aten.expand.default");
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.copy_.default(a, a); c = torch.ops.aten.sin_.default(b); return (a, b);", "aten.sin.default");
}

// An input that is written is returned behind the outputs, with its name.
void inputs_are_written() {
    constexpr std::string_view texts[] = {
        "a = torch.ops.aten.mul_.Tensor(x, 2); b = torch.ops.aten.add.Tensor(x, 1); return (b,);",
        "a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.copy_.default(x, a); return (a,);",
        "s = torch.ops.aten.select.int(x, 0, 1); a = torch.ops.aten.sin_.default(s); b = torch.ops.aten.add.Tensor(x, 1); return (b, x);",
        "a = torch.ops.aten.add_.Tensor(x, i); b = torch.ops.aten.add_.Tensor(i, 3); return (a, b, x, i);",
        "a = torch.ops.aten.sin_.default(x); return a;",
        "v = torch.ops.aten.view.default(x, [48]); a = torch.ops.aten.sin_.default(v); b = torch.ops.aten.mul_.Tensor(x, i); return [v];",
    };
    for (int inputs : {1, 1, 1, 2, 1, 1}) {
        static int k = 0;
        const auto text = graph_of(texts[k++]);
        const reading before(text);
        reading after(text);
        diagnosis d;
        check(after.error.ok() && pass::functionalise(after.storage.edit(), op_rows, d) && verify(after.storage.view(), d), d.found.view());
        check(equivalent(before.storage.view(), after.storage.view(), 3, d), text);
        const auto g = after.storage.view();
        const auto& returned = g[g[g.last()].arguments[0]].children;
        int marked = 0;
        for (std::int32_t i = 0; i < returned.count; ++i) marked += g[returned[i]].writes.exists();
        check_equal(marked, inputs);
        check(g[g[returned[returned.count - inputs]].writes].name.text == "x");
        check(after.storage.header.used.nodes <= pass::room_to_functionalise(before.storage.view(), op_rows).nodes &&
              after.storage.header.used.arguments <= pass::room_to_functionalise(before.storage.view(), op_rows).arguments);
    }
    const auto text = graph_of("a = torch.ops.aten.copy_.default(x, x); b = torch.ops.aten.add.Tensor(a, 1); return (b,);");
    reading self(text);
    diagnosis d;
    check(pass::functionalise(self.storage.edit(), op_rows, d));
    const auto g = self.storage.view();
    check_equal(g[g[g.last()].arguments[0]].children.count, 1);
    check_equal(g.header().live_nodes, 4);
}

// What is written keeps the strides that later lines know the tensor by, also where it comes from a tensor with others.
void strides_are_kept() {
    const std::string copied = "a = torch.ops.aten.mul.Tensor(x, 2); u = torch.ops.aten.view.default(x, [12, 4]); t = torch.ops.aten.permute.default(u, [1, 0]);"
                               "b = torch.ops.aten.copy_.default(a, t);";
    check_same(copied + "v = torch.ops.aten.view.default(a, [48]); return (v,);", "aten.copy.default");
    check_same(copied + "c = torch.ops.aten.clone.default(b); v = torch.ops.aten.as_strided.default(c, [6], [1], 3); return (v,);", "aten.copy.default");
    check_same(copied + "return (a, b);", "aten.permute.default"); // nobody asks
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.copy_.default(a, a); v = torch.ops.aten.as_strided.default(b, [6], [1], 3);"
               "c = torch.ops.aten.sin.default(v); return (c,);",
               "aten.as_strided.default");
    // A copy of no elements is a write like others.
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 0, 4, 4); b = torch.ops.aten.copy_.default(s, s);"
               "t = torch.ops.aten.slice.Tensor(a, 0, 2, 2); c = torch.ops.aten.copy_.default(s, t); return (a, c);",
               "aten.slice.Tensor");
    // One value everywhere may be written into what overlaps itself.
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 0, 1, 2); v = torch.ops.aten.expand.default(s, [3, 12]);"
               "b = torch.ops.aten.fill_.Scalar(v, 7); return (a, v);",
               "aten.fill.Scalar");
}

// Where types are inferred; and of what handles record, whose types nobody infers.
void overlapping_writes() {
    const auto check_overlap = [](std::string_view body, std::string_view expected, std::string_view found) {
        const auto text = graph_of(body);
        const reading r(text);
        check_fault(r.error, {.what = fault::in_place_needs_alias_analysis, .expected = expected, .found = found});
    };
    check_overlap("a = torch.ops.aten.sum.dim_IntList(x, [0], True); v = torch.ops.aten.expand.default(a, [4, 12]); b = torch.ops.aten.relu_.default(v);"
                  "return (b,);",
                  "a tensor that does not overlap itself", "v");
    check_overlap("a = torch.ops.aten.slice.Tensor(x, 0, 0, 3); b = torch.ops.aten.slice.Tensor(x, 0, 1, 4); c = torch.ops.aten.copy_.default(a, b); return (c,);",
                  "operands that do not overlap what is written", "b");
    static constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
        auto t = permute<1, 0>(x);
        copy_(x, t);
        return outputs(t);
    });
    heap_storage written(pass::room_to_functionalise(net.storage.view(), op_rows));
    copy_graph(net.storage.view(), written.edit());
    diagnosis d;
    check(!pass::functionalise(written.edit(), op_rows, d));
    check_fault(d, {.what = fault::in_place_needs_alias_analysis, .op = "aten.copy_.default", .found = "permute"});
}

void refusals() {
    check_refused("a = torch.ops.aten.mul.Tensor(x, 2); t = torch.ops.aten.slice.Tensor(a, 1, 6, 12); b = torch.ops.aten.relu_.default(a);"
                  "u = torch.ops.aten.as_strided.default(t, [4], [1]); return (u,);",
                  "a storage_offset", "u");
    reading weight("def forward(self, w : f32[3], x : f32[3]):\n    relu_ = torch.ops.aten.relu_.default(w)\n    return (relu_,)\n");
    weight.storage.nodes[0].role = input_role::constant;
    diagnosis d;
    check(!pass::functionalise(weight.storage.edit(), op_rows, d));
    check_fault(d, {.what = fault::constant_is_written, .line = 2, .found = "w"});
}

// Against sets of elements.
void overlaps() {
    std::mt19937 random(7);
    int disjoint = 0, proved = 0;
    const auto draw = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
    const auto elements = [](const tensor_type& t) {
        std::set<std::int64_t> out;
        for_each_index(sizes_of(t), [&](const int_list& at) {
            auto element = t.offset;
            for (int d = 0; d < t.rank; ++d) element += at[d] * t.stride(d);
            out.insert(element);
        });
        return out;
    };
    for (int k = 0; k < 20000; ++k) {
        const bool box = k % 2 == 0; // a box of a [4, 5, 6] tensor, with its dims in any order; else any strides at all
        tensor_type two[2];
        for (auto& t : two) {
            t.rank = 3;
            const int order = draw(0, 2);
            for (int d = 0; d < 3; ++d) {
                const auto at = static_cast<std::size_t>((d + order) % 3);
                const int room = 4 + d, stride = d == 0 ? 30 : d == 1 ? 6 : 1, first = draw(0, room - 1);
                t.sizes[at] = draw(box ? 1 : 0, room - first);
                t.strides[at] = box ? stride : draw(0, 9);
                t.offset += first * (box ? stride : 3);
            }
        }
        const auto a = elements(two[0]), b = elements(two[1]);
        bool shared = false;
        for (auto e : a) shared = shared || b.contains(e);
        const bool may = may_overlap(two[0], two[1]);
        if (!check(may || !shared)) return;
        bool itself = static_cast<std::int64_t>(a.size()) < element_count(two[0]);
        if (!check(may_overlap_itself(two[0]) || !itself)) return;
        disjoint += box && !shared;
        proved += box && !may;
    }
    check_equal(proved, disjoint);
    check(disjoint > 1000);
}

} // namespace

int main() {
    whole_tensors();
    parts();
    other_names();
    inputs_are_written();
    strides_are_kept();
    overlapping_writes();
    refusals();
    overlaps();
    return report();
}
