// Graphs as the text of a GraphDef and back: exactly, at compile time and at run time.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "harness.hpp"
#include "pbtxt_of_parts.hpp"
#include "random_graph.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/frontend/pbtxt/read_pbtxt.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>

#include <bit>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

using reading = typed_reading<capacity{32, 120, 40}>;

template <class Reading = reading>
constexpr auto pbtxt_of(std::string_view text) {
    text_buffer<8192> out;
    const Reading r(text);
    print_pbtxt(r.storage.view(), op_rows, out);
    return out;
}
static_assert(pbtxt_of(parts).view() == pbtxt_of_parts);

constexpr bool is_read_back() {
    const pbtxt_graph read(pbtxt_of_parts, op_rows);
    text_buffer<8192> out;
    print_pbtxt(read.view(), op_rows, out);
    const reading r(parts);
    return read.error.ok() && out.view() == pbtxt_of_parts && structurally_equal(r.storage.view(), read.view(), op_rows);
}
static_assert(is_read_back());

// ---- all of a graph: what print_fx prints and what it does not

struct comparison {
    graph_view left, right;
    std::vector<std::int32_t> nodes, values; // what stands for each of the left graph's in the right one

    comparison(graph_view l, graph_view r) : left(l), right(r), nodes(l.nodes().size(), -1), values(l.values().size(), -1) {}

    bool same(const argument& a, const argument& b) const {
        if (a.writes.exists() != b.writes.exists() ||
            (a.writes.exists() && nodes[static_cast<std::size_t>(a.writes.index)] != b.writes.index))
            return false;
        if (a.kind != b.kind || a.keyword != b.keyword || a.children.count != b.children.count) return false;
        if (a.kind == argument_kind::node ? nodes[static_cast<std::size_t>(a.bits)] != b.bits || a.result != b.result : a.bits != b.bits)
            return false;
        if (a.kind != argument_kind::real && a.kind != argument_kind::dtype && a.text != b.text) return false;
        for (std::int32_t i = 0; i < a.children.count; ++i)
            if (!same(left[a.children[i]], right[b.children[i]])) return false;
        return true;
    }
    bool same(const node& a, const node& b) const {
        if (a.kind != b.kind || a.op != b.op || a.role != b.role || print(a.name).view() != print(b.name).view() || a.target != b.target ||
            a.weight != b.weight || a.annotation != b.annotation || a.use_count != b.use_count || a.arguments.count != b.arguments.count ||
            a.from.line != b.from.line || a.from.comment != b.from.comment || a.from.module_path != b.from.module_path ||
            a.from.made_by != b.from.made_by)
            return false;
        for (std::int32_t i = 0; i < a.arguments.count; ++i)
            if (!same(left.argument_of(a, i), right.argument_of(b, i))) return false;
        return true;
    }
    bool run() {
        auto other = right.first();
        for (node_id id : left) {
            if (!other.exists()) return false;
            const auto &a = left[id], &b = right[other];
            nodes[static_cast<std::size_t>(id.index)] = other.index;
            if (!same(a, b) || a.values.count != b.values.count) return false;
            for (std::int32_t k = 0; k < a.values.count; ++k) values[static_cast<std::size_t>(a.values[k].index)] = b.values[k].index;
            for (std::int32_t k = 0; k < a.values.count; ++k) {
                const auto &x = left[a.values[k]], &y = right[b.values[k]];
                if (x.kind != y.kind || !(x.type == y.type) || values[static_cast<std::size_t>(x.storage.index)] != y.storage.index)
                    return false;
            }
            other = right[other].next;
        }
        return !other.exists();
    }
};

std::string fx_of(graph_view g) {
    std::string out;
    print_fx(g, readable_style(), out);
    return out;
}

// Written, read, compared in every field, written again; the reading is a graph that can be.
bool round_trip(graph_view g, op_table table) {
    std::string text, again;
    print_pbtxt(g, table, text);
    const pbtxt_graph read(text, table);
    diagnosis d;
    if (!check(read.error.ok(), render(read.error) + "\n" + text)) return false;
    print_pbtxt(read.view(), table, again);
    const bool typed = g.is_typed(g.first());
    return check(comparison(g, read.view()).run(), text) && check_equal(again, text) && check_equal(fx_of(read.view()), fx_of(g)) &&
           check(!typed || verify(read.view(), d), render(d)) && check(!typed || structurally_equal(g, read.view(), table), text);
}

struct run_time_reading {
    heap_storage storage;
    fx_style style;
    diagnosis error;
    explicit run_time_reading(std::string_view text, bool typed = true) : storage(count_fx(text)) {
        if (read_fx(text, op_rows, storage.edit(), style, error) && typed) infer_types(storage.edit(), op_rows, error);
    }
};

// Every kind of argument; no types.
constexpr std::string_view odd_arguments = R"fx(def forward(self, x, y = None, z = 2) -> torch.Tensor:
    a = torch.ops.aten.index.Tensor(x, [None, y, None]);  x = y = None
    b = torch.ops.aten.full.default([2, 2], -0.5, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=1), pin_memory = False);  b = None
    c = torch.ops.aten.clone.default(a, memory_format = torch.contiguous_format);  a = None
    d = torch.ops.aten.slice.Tensor(c, 0, 1, 9223372036854775807)
    e = torch.ops.aten._assert_scalar.default(d, "u0 >= 0, on 'ge' # [\n");  e = None
    f = torch.ops.aten.empty.memory_format([], device = device(type='cpu'), name = 'a"b', t = (1,), u = (True, nan), v = ());  f = None
    k = torch.ops.aten.cat.default([[1, None], [0.1, 1e-320], [x, x], ['a', 'b'], [True, False], [torch.float, torch.int64], [[-9223372036854775808]]], (), slice(None, 2, None), -inf, 1.7976931348623157e+308)
    w = self.layers.weight
    v = getattr(self.layers, "0").weight
    return pytree.tree_unflatten([d, w, v, k], self._out_spec)
)fx";
constexpr std::string_view listing = R"fx(graph():
    %x : [num_users=3] = placeholder[target=x]
    %y : [num_users=0] = placeholder[target=y](default=None)
    %w : [num_users=1] = get_attr[target=layers.0.weight]
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %w), kwargs = {})
    %gelu : [num_users=1] = call_function[target=torch.ops.aten.gelu.default](args = (%mm,), kwargs = {approximate: tanh})
    %add_1 : [num_users=1] = call_function[target=operator.add](args = (%gelu, 1e-05), kwargs = {})
    %full : [num_users=0] = call_function[target=torch.ops.aten.full.default](args = ([2, -1], inf), kwargs = {dtype: torch.float32, device: cuda:0, pin_memory: False})
    return (add_1, None, x)
)fx";

// ---- device graphs: several nodes of one name, packed weights, literals, roles

inline constexpr auto net = trace([](input<"x", f32<4, 16>> x, param<"fc.weight", f32<16, 16>> w, param<"fc.bias", f32<16>> b) {
    const auto y = relu(addmm(b, x, t(w)));
    return outputs(softmax<1>(y), add(mul(y, 0.1), constant<"k", f32<16>>(x, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0.1f})),
                   transpose<0, 1>(y));
});
using program = compiled<net>;

} // namespace

int main() {
    std::string out;
    run_time_reading r(parts);
    print_pbtxt(r.storage.view(), op_rows, out);
    check_equal(out, pbtxt_of_parts);

    // There and back: texts of every kind, with types and without.
    round_trip(r.storage.view(), op_rows);
    for (auto text : {odd_arguments, listing}) {
        const run_time_reading odd(text, false);
        check(odd.error.ok(), render(odd.error));
        round_trip(odd.storage.view(), op_rows);
    }
    for (auto text : exported_printouts) {
        const run_time_reading exported(text);
        check(exported.error.ok(), render(exported.error));
        round_trip(exported.storage.view(), op_rows);
    }
    for (std::uint64_t seed = 0; seed < 200 && failed == 0; ++seed) {
        const auto made = write_graph(seed);
        run_time_reading random(std::string_view(made.text.data(), made.size));
        check(random.error.ok(), render(random.error));
        round_trip(random.storage.view(), op_rows);
    }
    round_trip(program::captured(), op_rows);
    round_trip(program::optimized_graph(), op_rows);
    round_trip(program::lowered_graph(), program::device_registry::table);
    return report();
}
