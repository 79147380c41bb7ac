// Users' numbers: every integer of many texts (arguments, sizes and strides of types, indices of devices, pbtxt) is replaced by each of -2, -1, 0, 1, 2^31, 2^32,
// 2^62 and 2^63 - 1. Law: a text is typed, or refused with line and reason; no type has a negative size, nor elements or places from 2^48 on; the graph
// verifies; where it is small, the reference runs it. Under sanitizers no such number makes a type rule or an operator's meaning overflow or leave its memory.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "calls_with_numbers.hpp"
#include "fx_literals.hpp"
#include "harness.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/frontend/pbtxt/read_pbtxt.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/print/pbtxt/print_pbtxt.hpp>
#include <ahead/reference/interpreter.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

const op_table op_rows = aten::registry::table;
const bool is_long = std::getenv("AHEAD_LONG") != nullptr;

struct outcomes {
    int texts = 0, mutations = 0, typed = 0, run = 0, refused = 0, negative = 0, too_large = 0;
};

bool is_complete(const diagnosis& d) { return !d.ok() && !name_of(d.what).empty() && d.line > 0 && d.expected.length > 0 && d.found.length > 0; }
std::string told(const diagnosis& d) { return "--> line " + std::to_string(d.line) + ' ' + std::string(name_of(d.what)); }

// Elements of all tensors; -1 where the law of types is broken.
std::int64_t elements_of(graph_view g) {
    std::int64_t sum = 0;
    for (node_id id : g)
        for (std::int32_t k = 0; k < g[id].values.count; ++k) {
            const auto& t = g.value_of(id, k).type;
            if (!is_addressable(t)) return -1;
            sum += t.offset + extent_of(t) + element_count(t);
        }
    return sum;
}
// Whether the reference is done with it soon. Windows may be larger than what they look at.
bool is_small(graph_view g) {
    if (elements_of(g) > (is_long ? 20'000 : 1'000)) return false;
    for (node_id id : g) {
        if (g[id].target.find("pool") == std::string_view::npos) continue;
        for (std::int32_t i = 0; i < g[id].arguments.count; ++i)
            for (std::int32_t k = 0; k < g.argument_of(g[id], i).children.count; ++k)
                if (const auto& a = g[g.argument_of(g[id], i).children[k]]; a.kind == argument_kind::integer && a.bits > 64) return false;
    }
    return true;
}

bool runs(graph_view g, diagnosis& d) {
    std::vector<host_tensor> inputs, outputs;
    for (node_id id : g) {
        if (g[id].kind != node_kind::placeholder && (g[id].kind != node_kind::get_attr || is_literal(g[id]))) continue;
        inputs.emplace_back(g.value_of(id).type);
        for (std::int64_t i = 0; i < inputs.back().data.size(); ++i) inputs.back().data.put(i, i * 7 % 3 - (g[id].target.empty() ? 1 : 0));
    }
    for (int i = 0; i < 2; ++i) inputs.emplace_back(tensor_of(dtype::i64, {})); // rng_seed and rng_offset, where it draws numbers
    return interpret<aten::registry>(g, inputs, outputs, d);
}

// Checks one text; false: it breaks the law.
bool holds(const std::string& text, outcomes& sum) {
    ++sum.mutations;
    diagnosis d;
    heap_storage storage(count_fx(text));
    const auto g = storage.edit();
    fx_style style;
    bool typed = read_fx(text, op_rows, g, style, d) && infer_types(g, op_rows, d);
    if (d.what == fault::annotation_differs_from_inference) { // once more, to see what the changed number does to the calls below
        heap_storage again(count_fx(text));
        storage = std::move(again);
        d = {};
        typed = read_fx(text, op_rows, storage.edit(), style, d) && (forget_annotations(storage.edit()), infer_types(storage.edit(), op_rows, d));
    }
    if (!typed) {
        ++sum.refused;
        sum.negative += d.what == fault::size_is_negative;
        sum.too_large += d.what == fault::tensor_is_too_large;
        return check(is_complete(d), text + "\n" + told(d));
    }
    ++sum.typed;
    if (!check(elements_of(storage.view()) >= 0, text + "\n--> has a type that cannot be")) return false;
    if (!check(verify(storage.view(), d), text + "\n" + told(d))) return false;
    if (!is_small(storage.view())) return true;
    ++sum.run;
    return check(runs(storage.view(), d) || is_complete(d), text + "\n" + told(d));
}

bool holds_pbtxt(const std::string& text, outcomes& sum) {
    ++sum.mutations;
    diagnosis d;
    pbtxt_graph read(text, op_rows);
    d = read.error;
    const auto g = read.storage.edit();
    const bool typed = d.ok() && infer_types(g, op_rows, d);
    sum.refused += !typed;
    sum.typed += typed;
    if (!typed) return check(!d.ok() && !name_of(d.what).empty(), text + "\n" + told(d));
    if (!check(elements_of(g) >= 0 && verify(g, d), text + "\n" + told(d))) return false;
    if (!is_small(g)) return true;
    ++sum.run;
    return check(runs(g, d) || !d.ok(), text + "\n" + told(d));
}

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '%'; }

// Every text with one of its numbers replaced; `most`: of these numbers, evenly spread.
template <class Holds> void mutate(const std::string& text, std::size_t most, outcomes& sum, Holds holds_for) {
    constexpr std::string_view values[] = {"-2", "-1", "0", "1", "2147483648", "4294967296", "4611686018427387904", "9223372036854775807"};
    ++sum.texts;
    std::vector<std::array<std::size_t, 2>> numbers; // begin and end
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1);
        if (text[at] < '0' || text[at] > '9') continue;
        auto begin = at;
        while (at < text.size() && is_word(text[at])) ++at;
        if (text.find_first_not_of("0123456789", begin) < at || (begin > 0 && is_word(text[begin - 1]))) continue;
        if (begin > 0 && text[begin - 1] == '-') --begin;
        numbers.push_back({begin, at--});
    }
    const auto step = (numbers.size() + most - 1) / most;
    for (std::size_t i = 0; i < numbers.size() && failed < 5; i += step)
        for (auto value : values) {
            auto changed = text;
            changed.replace(numbers[i][0], numbers[i][1] - numbers[i][0], value);
            if (changed != text) holds_for(changed, sum);
        }
}

void print(std::string_view what, const outcomes& sum) {
    std::cout << what << ": " << sum.texts << " texts, " << sum.mutations << " mutations: " << sum.typed << " typed, of these " << sum.run << " run; " << sum.refused
              << " refused, " << sum.negative << " for a negative size, " << sum.too_large << " for a tensor that is too large\n";
}

} // namespace

// numbers [folders...]: the texts in the folders in place of those of the tests
int main(int argc, char** argv) {
    std::vector<std::string> texts;
    for (int i = 1; i < argc; ++i)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
            if (entry.path().extension() == ".txt") texts.push_back(read_file(entry.path()));
    if (argc == 1) {
        for (const auto& [parameters, call] : calls_with_numbers) texts.push_back(text_of_call(parameters, call));
        texts.insert(texts.end(), std::begin(exported_printouts), std::end(exported_printouts));
        for (const auto* folder : {"unit", "mutation"})
            for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
                if (!entry.is_regular_file()) continue;
                else if (entry.path().extension() == ".txt") texts.push_back(read_file(entry.path()));
                else add_literals(entry.path(), texts);
    }
    std::sort(texts.begin(), texts.end());
    outcomes fx, pbtxt;
    for (const auto& text : texts) mutate(text, is_long ? 10'000 : 40, fx, holds);
    print("FX", fx);
    for (const auto& text : texts) {
        diagnosis d;
        fx_style style;
        heap_storage storage(count_fx(text));
        if (!read_fx(text, op_rows, storage.edit(), style, d) || !infer_types(storage.edit(), op_rows, d)) continue;
        std::string printed;
        print_pbtxt(storage.view(), op_rows, printed);
        mutate(printed, is_long ? 1'000 : 5, pbtxt, holds_pbtxt);
    }
    print("pbtxt", pbtxt);
    check(argc > 1 || (fx.typed > fx.mutations / 20 && fx.run > 1'000 && fx.negative > 100 && fx.too_large > 100 && pbtxt.typed > pbtxt.mutations / 20),
          "the mutations are too mild or too wild to say much");
    return report();
}
