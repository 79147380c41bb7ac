// Damaged texts of a GraphDef are refused with their line, whether damaged by hand, cut, or changed at random.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "pbtxt_of_parts.hpp"

#include <ahead/ahead.hpp>
#include <ahead/frontend/pbtxt/read_pbtxt.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;

inline constexpr auto net = trace([](input<"x", f32<4, 16>> x, param<"fc.weight", f32<16, 16>> w, param<"fc.bias", f32<16>> b) {
    const auto y = relu(addmm(b, x, t(w)));
    return outputs(softmax<1>(y), add(mul(y, 0.1), constant<"k", f32<16>>(x, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0.1f})),
                   transpose<0, 1>(y));
});
using program = compiled<net>;

// ---- refusals

diagnosis fault_of(std::string_view text) { return pbtxt_graph(text, op_rows).error; }
std::string damaged(std::string_view from, std::string_view to) {
    std::string text(pbtxt_of_parts);
    const auto at = text.find(from);
    check(at != text.npos, from);
    return text.replace(at, from.size(), to);
}
void check_refused(std::string_view from, std::string_view to, fault what, std::int32_t line, std::string_view expected,
                   std::string_view found, const location& where = location::current()) {
    const auto d = fault_of(damaged(from, to));
    check_fault(d, {.what = what, .line = line, .expected = expected, .found = found}, where);
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
    check_refused("size: 2", "size: 2 name: \"s0\"", dimension_is_dynamic, 39, "sizes without symbols in a typed graph", "a symbol");
    check_refused("size: 2", "size: 2 name: \"n\"", text_is_malformed, 23, "a symbol such as s0", "n");
    check_refused("DT_FLOAT", "DT_QINT8", dtype_is_unsupported, 35, "a dtype from DT_BOOL to DT_COMPLEX128", "DT_QINT8");
    check_refused("key: \"split_size\"", "key: \"size\"", argument_is_unknown, 138, "argument 1 to be 'split_size'", "size");
    check_refused("placeholder: \"0\"", "placeholder: \"1\"", index_is_out_of_range, 132, "one of 1 inputs, each read once", "1");
    check_refused("placeholder: \"0\"", "i: 0", text_is_malformed, 147, "every input to be read", "input 0 that is not");
    check_refused("op: \"NetOutput\"", "op: \"aten.relu.default\"", argument_is_unknown, 338, "argument 0 to be 'self'", "arg0");
    check_refused("name: \"None\"", "name: \"none\"", text_is_malformed, 334,
                  "None, dtype, device, layout, memory_format, slice, list, tuple, word or complex", "none");
    check_refused("s: \"x\"\n        s: \"x\"", "s: \"x\"", text_is_malformed, 146, "2 storages", "1");
    check_fault(fault_of(""), {text_has_no_return});
    check_fault(fault_of("node {\n  name: \"x\"\n  op: \"NetOutput\"\n}\n"), {text_has_no_return});
    const std::string whole(pbtxt_of_parts);
    heap_storage small(capacity{2, 100, 100});
    std::array<char, 1000> characters;
    diagnosis full, no_room;
    check(!read_pbtxt(whole, op_rows, small.edit(), characters, full) && full.line > 0, render(full));
    check_fault(full, {graph_exceeds_capacity});
    heap_storage large(count_pbtxt(whole).capacity);
    check(!read_pbtxt(whole, op_rows, large.edit(), {}, no_room));
    check_fault(no_room, {graph_exceeds_capacity});

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
        const auto table = aten ? op_rows : op_table(program::device_registry::table);
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
