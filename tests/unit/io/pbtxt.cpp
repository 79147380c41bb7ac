// Graphs as the text of a GraphDef and back: exactly, at compile time and at run time; damaged texts are refused with their line.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "harness.hpp"
#include "random_graph.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/io/pbtxt/pbtxt.hpp>
#include <ahead/ir/equal.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table ops = aten::registry::table;

using reading = typed_reading<capacity{32, 120, 40}>;

// ---- exactly, at compile time

// A pair of results, one of them read; a view; a keyword; None.
constexpr std::string_view parts = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 2]"):
        # File: a.py:3, code: x["a"] + 'b\n'
        split = torch.ops.aten.split.Tensor(x, 1, 1);  x = None
        getitem_1: "f32[2, 1]" = split[1];  split = None
        mul: "f32[2, 1]" = torch.ops.aten.add.Tensor(getitem_1, 0.1, alpha = 2);  getitem_1 = None
        return (mul, None)
)fx";
constexpr std::string_view pbtxt_of_parts = R"pb(node {
  name: "x"
  op: "Placeholder"
  attr {
    key: "_annotation"
    value {
      s: "f32[2, 2]"
    }
  }
  attr {
    key: "_line"
    value {
      i: 2
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 2
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
      }
    }
  }
}
node {
  name: "split"
  op: "aten.split.Tensor"
  input: "x"
  attr {
    key: "_line"
    value {
      i: 4
    }
  }
  attr {
    key: "_comment"
    value {
      s: "File: a.py:3, code: x[\"a\"] + 'b\\n'"
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
        type: DT_FLOAT
      }
    }
  }
  attr {
    key: "_output_strides"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_offsets"
    value {
      list {
        i: 0
        i: 1
      }
    }
  }
  attr {
    key: "_output_storages"
    value {
      list {
        s: "x"
        s: "x"
      }
    }
  }
  attr {
    key: "self"
    value {
      placeholder: "0"
    }
  }
  attr {
    key: "split_size"
    value {
      i: 1
    }
  }
  attr {
    key: "dim"
    value {
      i: 1
    }
  }
}
node {
  name: "getitem_1"
  op: "operator.getitem"
  input: "split:1"
  attr {
    key: "_annotation"
    value {
      s: "f32[2, 1]"
    }
  }
  attr {
    key: "_line"
    value {
      i: 5
    }
  }
  attr {
    key: "_comment"
    value {
      s: "File: a.py:3, code: x[\"a\"] + 'b\\n'"
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
      }
    }
  }
  attr {
    key: "_output_strides"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_offsets"
    value {
      list {
        i: 1
      }
    }
  }
  attr {
    key: "_output_storages"
    value {
      list {
        s: "x"
      }
    }
  }
  attr {
    key: "results"
    value {
      placeholder: "0"
    }
  }
  attr {
    key: "index"
    value {
      i: 1
    }
  }
}
node {
  name: "mul"
  op: "aten.add.Tensor"
  input: "getitem_1"
  attr {
    key: "_annotation"
    value {
      s: "f32[2, 1]"
    }
  }
  attr {
    key: "_line"
    value {
      i: 6
    }
  }
  attr {
    key: "_comment"
    value {
      s: "File: a.py:3, code: x[\"a\"] + 'b\\n'"
    }
  }
  attr {
    key: "_output_shapes"
    value {
      list {
        shape {
          dim {
            size: 2
          }
          dim {
            size: 1
          }
        }
      }
    }
  }
  attr {
    key: "_output_types"
    value {
      list {
        type: DT_FLOAT
      }
    }
  }
  attr {
    key: "_keywords"
    value {
      list {
        s: "alpha"
      }
    }
  }
  attr {
    key: "self"
    value {
      placeholder: "0"
    }
  }
  attr {
    key: "other"
    value {
      f: 0.1
    }
  }
  attr {
    key: "alpha"
    value {
      i: 2
    }
  }
}
node {
  name: "output"
  op: "NetOutput"
  input: "mul"
  attr {
    key: "_line"
    value {
      i: 7
    }
  }
  attr {
    key: "arg0"
    value {
      func {
        name: "tuple"
        attr {
          key: "0"
          value {
            placeholder: "0"
          }
        }
        attr {
          key: "1"
          value {
            func {
              name: "None"
            }
          }
        }
      }
    }
  }
}
versions {
  producer: 27
}
)pb";

template <class Reading = reading>
constexpr auto pbtxt_of(std::string_view text) {
    text_buffer<8192> out;
    const Reading r(text);
    print_pbtxt(r.storage.view(), ops, out);
    return out;
}
static_assert(pbtxt_of(parts).view() == pbtxt_of_parts);

constexpr bool is_read_back() {
    const pbtxt_graph read(pbtxt_of_parts, ops);
    text_buffer<8192> out;
    print_pbtxt(read.view(), ops, out);
    const reading r(parts);
    return read.error.ok() && out.view() == pbtxt_of_parts && structurally_equal(r.storage.view(), read.view(), ops);
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
        if (read_fx(text, ops, storage.edit(), style, error) && typed) infer_types(storage.edit(), ops, error);
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

// ---- refusals

diagnosis fault_of(std::string_view text) { return pbtxt_graph(text, ops).error; }
std::string damaged(std::string_view from, std::string_view to) {
    std::string text(pbtxt_of_parts);
    const auto at = text.find(from);
    check(at != text.npos, from);
    return text.replace(at, from.size(), to);
}
void check_refused(std::string_view from, std::string_view to, fault what, std::int32_t line, std::string_view expected,
                   std::string_view found, const location& where = location::current()) {
    const auto d = fault_of(damaged(from, to));
    check(d.what == what && d.line == line && d.expected.view() == expected && d.found.view() == found, render(d), where);
}

bool is_complete(const diagnosis& d, const std::string& text) {
    return !d.ok() && !name_of(d.what).empty() && d.line > 0 && d.line <= 1 + std::count(text.begin(), text.end(), '\n') &&
           d.expected.length > 0 && d.found.length > 0;
}

// A line left out, doubled, moved; a character changed; a number or word of another line.
std::string mutated(const std::string& text, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    const auto line_at = [&](const std::string& t) {
        const auto begin = t.rfind('\n', below(t.size())) + 1;
        return std::pair{begin, t.find('\n', begin) + 1 - begin};
    };
    auto out = text;
    const auto [at, size] = line_at(out);
    const auto [other, other_size] = line_at(out);
    const auto line = out.substr(other, other_size);
    switch (below(6)) {
    case 0:
        out.erase(at, size);
        break;
    case 1:
        out.insert(at, line);
        break;
    case 2:
        out.replace(at, size, line);
        break;
    case 3:
        out[below(out.size())] = "{}:\"\\ 0719-xsif\n#"[below(16)];
        break;
    case 4:
        if (const auto digit = out.find_first_of("0123456789", at); digit != out.npos) out[digit] = static_cast<char>('0' + below(10));
        break;
    default:
        out.erase(below(out.size()), 1 + below(3));
    }
    return out;
}

} // namespace

int main() {
    std::string out;
    run_time_reading r(parts);
    print_pbtxt(r.storage.view(), ops, out);
    check_equal(out, pbtxt_of_parts);

    // There and back: texts of every kind, with types and without.
    round_trip(r.storage.view(), ops);
    for (auto text : {odd_arguments, listing}) {
        const run_time_reading odd(text, false);
        check(odd.error.ok(), render(odd.error));
        round_trip(odd.storage.view(), ops);
    }
    for (auto text : exported_printouts) {
        const run_time_reading exported(text);
        check(exported.error.ok(), render(exported.error));
        round_trip(exported.storage.view(), ops);
    }
    for (std::uint64_t seed = 0; seed < 200 && failed == 0; ++seed) {
        const auto made = write_graph(seed);
        run_time_reading random(std::string_view(made.text.data(), made.size));
        check(random.error.ok(), render(random.error));
        round_trip(random.storage.view(), ops);
    }
    round_trip(program::captured(), ops);
    round_trip(program::optimized_graph(), ops);
    round_trip(program::lowered_graph(), program::device_registry::table);

    // One damage each.
    using enum fault;
    check_refused("name: \"split\"", "name \"split\"", text_is_malformed, 41, "':'", "'\"split\"'");
    check_refused("name: \"split\"", "name: \"spl", text_is_malformed, 41, "a string that ends in its line", "'\"spl'");
    check_refused("name: \"split\"", "name: split", text_is_malformed, 41, "a string in quotes", "'split'");
    check_refused("name: \"split\"", "name: \"x\"", name_is_defined_twice, 41, "a new name", "x");
    check_refused("op: \"aten.split.Tensor\"", "o: \"aten.split.Tensor\"", text_is_malformed, 42, "'op'", "'o: \"aten.split.Tensor\"'");
    check_refused("input: \"x\"", "input: \"z\"", name_is_undefined, 43, "the name of a node above", "z");
    check_refused("input: \"split:1\"", "input: \"split:2\"", index_is_out_of_range, 151, "one of 2 results", "split:2");
    check_refused("i: 4", "i: four", text_is_malformed, 47, "an integer", "'four'");
    check_refused("i: 4", "i: 9223372036854775808", text_is_malformed, 47, "an integer", "'9223372036854775808'");
    check_refused("+ 'b\\\\n'", "+ 'b\\q'", text_is_malformed, 53, "one of the escapes \\n, \\t, \\r, \\\", \\', \\\\", "'\\q'\"'");
    check_refused("size: 2", "size: -1", dimension_is_dynamic, 23, "a size of at least 0", "-1");
    check_refused("DT_FLOAT", "DT_QINT8", dtype_is_unsupported, 35, "a dtype from DT_BOOL to DT_COMPLEX128", "DT_QINT8");
    check_refused("key: \"split_size\"", "key: \"size\"", argument_is_unknown, 138, "argument 1 to be 'split_size'", "size");
    check_refused("placeholder: \"0\"", "placeholder: \"1\"", index_is_out_of_range, 132, "one of 1 inputs, each read once", "1");
    check_refused("placeholder: \"0\"", "i: 0", text_is_malformed, 147, "every input to be read", "input 0 that is not");
    check_refused("op: \"NetOutput\"", "op: \"aten.relu.default\"", argument_is_unknown, 338, "argument 0 to be 'self'", "arg0");
    check_refused("name: \"None\"", "name: \"none\"", text_is_malformed, 334,
                  "None, dtype, device, layout, memory_format, slice, list, tuple, word or complex", "none");
    check_refused("s: \"x\"\n        s: \"x\"", "s: \"x\"", text_is_malformed, 146, "2 storages", "1");
    check(fault_of("").what == text_has_no_return);
    check(fault_of("node {\n  name: \"x\"\n  op: \"NetOutput\"\n}\n").what == text_has_no_return);
    const std::string whole(pbtxt_of_parts);
    heap_storage small(capacity{2, 100, 100});
    std::array<char, 1000> characters;
    diagnosis full, no_room;
    check(!read_pbtxt(whole, ops, small.edit(), characters, full) && full.what == graph_exceeds_capacity && full.line > 0, render(full));
    heap_storage large(count_pbtxt(whole).capacity);
    check(!read_pbtxt(whole, ops, large.edit(), {}, no_room) && no_room.what == graph_exceeds_capacity, render(no_room));

    // Cut anywhere, it is refused; damaged at random, it is refused with its line or is another graph, which prints and reads as itself.
    for (std::size_t size = 0; size + 30 < whole.size(); size += 7) {
        const auto cut = whole.substr(0, size);
        check(is_complete(fault_of(cut), cut), cut);
    }
    std::string device;
    print_pbtxt(program::lowered_graph(), program::device_registry::table, device);
    std::mt19937 random(20240607);
    int refused = 0, read = 0;
    for (int i = 0; i < 4000 && failed < 5; ++i) {
        const bool aten = i % 2 == 0;
        const auto table = aten ? ops : op_table(program::device_registry::table);
        auto text = mutated(aten ? whole : device, random);
        const std::vector<char> exact(text.begin(), text.end()); // a sanitizer sees one character too many
        const pbtxt_graph g({exact.data(), exact.size()}, table);
        if (!g.error.ok()) {
            ++refused;
            check(is_complete(g.error, text) && g.error.what != graph_exceeds_capacity, text + "\n--> " + render(g.error));
            continue;
        }
        ++read;
        std::string printed, again;
        print_pbtxt(g.view(), table, printed);
        const pbtxt_graph same(printed, table);
        if (!check(same.error.ok(), text + "\n--> " + render(same.error) + "\n" + printed)) continue;
        print_pbtxt(same.view(), table, again);
        check_equal(again, printed);
    }
    std::cout << read << " read, " << refused << " refused\n";
    check(read > 400 && refused > 1000, "the mutations are too mild or too wild to say much");
    return report();
}
