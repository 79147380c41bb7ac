// In-place operators become functional ones, of whole tensors and of views; what renaming would get wrong is refused. The graph means the same
// afterwards: the reference runs in-place operators as they stand.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "typed_reading.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/aten/equivalent.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx_parse.hpp>
#include <ahead/pass/functionalise.hpp>

#include <cstdint>
#include <random>
#include <set>
#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table ops = aten::registry::table;

using reading = typed_reading<capacity{32, 128, 48}>;

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
    const bool ok = functionalise(after.storage.edit(), ops, d);
    check(ok && !has_in_place(after.storage.view(), ops), std::string(name_of(d.what)) + ": " + std::string(d.found.view()));
    check(d.ok() && equivalent(before.storage.view(), after.storage.view(), 3, d), text);
    bool found = false;
    for (node_id n : after.storage.view()) found = found || after.storage.view()[n].target == calls;
    check(found, calls);
}
void check_refused(std::string_view body, std::string_view expected, std::string_view found) {
    const auto text = graph_of(body); // the graph's names are views of it
    reading r(text);
    check(r.error.ok(), name_of(r.error.what));
    diagnosis d;
    check(!functionalise(r.storage.edit(), ops, d));
    check_equal(name_of(d.what), "in_place_needs_alias_analysis");
    check_equal(d.expected.view(), expected);
    check_equal(d.found.view(), found);
}

void whole_tensors() {
    check_same("a = torch.ops.aten.mul.Tensor(x, 2); b = torch.ops.aten.relu_.default(a); c = torch.ops.aten.add.Tensor(a, b); return (c,);",
               "aten.relu.default");
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

void refusals() {
    constexpr std::string_view old_bytes = "no later reader of the old bytes";
    check_refused("a = torch.ops.aten.relu_.default(x); return (a,);", "a tensor made by the graph", "x");
    check_refused("a = torch.ops.aten.mul.Tensor(x, 2); v = torch.ops.aten.view.default(a, [48]); b = torch.ops.aten.relu_.default(a); return (b, v);",
                  old_bytes, "v");
    check_refused("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 1, 0, 6); b = torch.ops.aten.relu_.default(s); return (a,);",
                  old_bytes, "a");
    check_refused("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 1, 0, 6); t = torch.ops.aten.slice.Tensor(a, 1, 5, 8);"
                  "b = torch.ops.aten.relu_.default(s); return (b, t);",
                  old_bytes, "t");
    check_refused("a = torch.ops.aten.mul.Tensor(x, 2); s = torch.ops.aten.slice.Tensor(a, 1, 0, 6); t = torch.ops.aten.slice.Tensor(a, 1, 6, 12);"
                  "b = torch.ops.aten.relu_.default(s); u = torch.ops.aten.as_strided.default(t, [48], [1], 0); c = torch.ops.aten.exp.default(u); return (b, c);",
                  old_bytes, "u");
    check_refused("a = torch.ops.aten.sum.dim_IntList(x, [0], True); v = torch.ops.aten.expand.default(a, [4, 12]); b = torch.ops.aten.relu_.default(v);"
                  "return (b,);",
                  "a tensor that does not overlap itself", "v");
    check_refused("a = torch.ops.aten.mul.Tensor(x, 2); w = torch.ops.aten._to_copy.default(a, dtype = torch.float64);"
                  "b = torch.ops.aten.add_.Tensor(a, w); return (b,);",
                  "a result of f32", "f64[4, 12]");
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
    refusals();
    overlaps();
    return report();
}
