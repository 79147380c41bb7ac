// Damaged texts: 20,000 mutations of printouts of every form. Law: a text is read and typed, or refused with line and reason; what is read prints
// as a text that reads as the same again; count_fx is always enough. Run under sanitizers, no mutation may make the parser leave its text.
// SPDX-License-Identifier: MIT
#include "exported_printouts.hpp"
#include "fx_essence.hpp"
#include "harness.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/print/fx/print_fx.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

constexpr std::string_view texts[] = {
    R"fx(graph():
    %x : [num_users=3] = placeholder[target=x]
    %y : [num_users=0] = placeholder[target=y](default=None)
    %w : [num_users=1] = get_attr[target=layers.0.weight]
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %w), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %x), kwargs = {alpha: 2})
    %gelu : [num_users=1] = call_function[target=torch.ops.aten.gelu.default](args = (%add,), kwargs = {approximate: tanh})
    %add_1 : [num_users=1] = call_function[target=operator.add](args = (%gelu, 1e-05), kwargs = {})
    %full : [num_users=0] = call_function[target=torch.ops.aten.full.default](args = ([2, -1], inf), kwargs = {dtype: torch.float32, device: cuda:0, pin_memory: False})
    return (add_1, None, x)
)fx",
    R"fx(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 3]", arg1_1: "f32[2, 3][3, 1]cpu", arg2_1: "f32[4, 3]"):
         # File: a.py:3 in f, code: return x * (2  # "odd = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(arg0_1, arg1_1, alpha = 2);  arg1_1 = None
        t: "f32[3, 4][1, 3]cpu" = torch.ops.aten.t.default(arg2_1);  arg2_1 = None
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(add, t);  t = None
        split = torch.ops.aten.split.Tensor(mm, 1, -1);  mm = None
        getitem: "f32[2, 1]" = split[0]
        getitem_2: "f32[2, 1]" = split[2];  split = None
        view: "f32[3, 2]" = torch.ops.aten.view.default(add, [-1, 2])
        sum_1: "f32[2, 1]" = torch.ops.aten.sum.dim_IntList(add, [1], True)
        cat: "f32[2, 3]" = torch.ops.aten.cat.default([getitem, getitem_2, sum_1], 1);  getitem = getitem_2 = sum_1 = None
        copy_: "f32[2, 3]" = torch.ops.aten.copy_.default(arg0_1, add);  arg0_1 = add = copy_ = None
        return (cat, None, view)
)fx",
    R"fx(def forward(self, x, y = None, z = 2) -> torch.Tensor:
    a = torch.ops.aten.index.Tensor(x, [None, y, None]);  x = y = None
    b = torch.ops.aten.full.default([2, 2], -0.5, dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=1), pin_memory = False);  b = None
    c = torch.ops.aten.clone.default(a, memory_format = torch.contiguous_format);  a = None
    d = torch.ops.aten.slice.Tensor(c, 0, 1, 9223372036854775807)
    e = torch.ops.aten._assert_scalar.default(d, "u0 >= 0, on 'ge' # [");  e = None
    f = torch.ops.aten.empty.memory_format([], device = device(type='cpu'), name = 'a"b', t = (1,), u = (True, nan), v = ());  f = None
    g = -1 * c;  c = None
    h = ~g
    i = g >= h;  g = h = i = None
    w = self.layers.weight
    v = getattr(self.layers, "0").weight
    return pytree.tree_unflatten([d, w, v], self._out_spec)
)fx",
    R"fx(class GraphModule(torch.nn.Module):
    def forward(
        self,
        primals_1: "f32[1, 2, 8, 8]",  # PlainAOTInput(idx=0)
        primals_2: "f32[3, 2, 3, 3]",
        primals_3: "f32[3]",
    ):
        convolution: "f32[1, 3, 8, 8]" = torch.ops.aten.convolution.default(primals_1, primals_2, primals_3, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  primals_2 = primals_3 = None
        max_pool2d_with_indices = torch.ops.aten.max_pool2d_with_indices.default(convolution, [2, 2]);  convolution = None
        getitem: "f32[1, 3, 4, 4]" = max_pool2d_with_indices[0];  max_pool2d_with_indices = None
        constant_pad_nd: "f32[1, 3, 6, 6]" = torch.ops.aten.constant_pad_nd.default(getitem, [1, 1, 1, 1], 0.0);  getitem = None
        relu: "f32[1, 3, 6, 6]" = torch.ops.aten.relu.default(constant_pad_nd);  constant_pad_nd = None
        return pytree.tree_unflatten([
            relu,  # PlainAOTOutput(idx=0)
            None,
        ], self._out_spec)
)fx",
    R"fx(class inner_f(torch.nn.Module):
    def forward(self, primals, tangents):
        primals_1: "f32[2]"; tangents_1: "i64[2]"; 
        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(primals_1, tangents_1);  primals_1 = tangents_1 = None
        return pytree.tree_unflatten([mul, None], self._out_spec)
)fx",
};

class mutator {
public:
    explicit mutator(std::uint32_t seed) : random_(seed) {}
    std::string operator()(std::string text) {
        for (auto times = below(3) + 1; times > 0 && !text.empty(); --times) once(text);
        return text;
    }

private:
    std::mt19937 random_;

    std::size_t below(std::size_t end) { return random_() % end; }
    void once(std::string& text) {
        const auto at = below(text.size());
        const auto line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        const auto next = std::min(text.find('\n', at), text.size() - 1) + 1;
        switch (below(8)) {
        case 0:
            text.erase(at, 1);
            break;
        case 1:
            text.insert(at, 1, text[at]);
            break;
        case 2:
            text[at] = any_char();
            break;
        case 3:
            text[at] = text[below(text.size())];
            break;
        case 4:
            text.erase(line, next - line);
            break;
        case 5:
            text.insert(line, text.substr(line, next - line));
            break;
        case 6:
            text.erase(at, 1 + below(12));
            break;
        default:
            if (below(4) == 0)
                text.erase(at); // cut
            else
                text.insert(at, tokens[below(std::size(tokens))]);
        }
    }
    char any_char() {
        constexpr std::string_view usual = "()[]{}<>,;:=.%#'\"\\ \n-+*~01279aeis_";
        return below(16) == 0 ? static_cast<char>(below(256)) : usual[below(usual.size())];
    }
    static constexpr std::string_view tokens[] = {"None",
                                                  " = ",
                                                  ", ",
                                                  "()",
                                                  "[",
                                                  "]",
                                                  "(",
                                                  ")",
                                                  "\"",
                                                  "'",
                                                  "torch.ops.aten.",
                                                  "nan",
                                                  "-",
                                                  "1e999",
                                                  "inf",
                                                  "99999999999999999999",
                                                  "-9223372036854775808",
                                                  "4611686018427387904, ",
                                                  "slice(",
                                                  "return ",
                                                  "self.",
                                                  "getattr(",
                                                  "device(type='",
                                                  "torch.float32",
                                                  "%",
                                                  "#",
                                                  "\n",
                                                  "\n    ",
                                                  ": \"f32[2]\"",
                                                  "1000000000, ",
                                                  "-1, "};
};

std::string print(graph_view g, const fx_style& style) {
    std::string out;
    print_fx(g, style, out);
    return out;
}

bool is_complete(const diagnosis& d, const std::string& text) {
    return !d.ok() && !name_of(d.what).empty() && d.line > 0 && d.line <= 1 + std::count(text.begin(), text.end(), '\n') &&
           d.expected.length > 0 && d.found.length > 0;
}

struct outcomes {
    int parsed = 0, typed = 0, refused = 0;
};

// Checks one text; false: it breaks the law.
bool holds(const std::string& text, outcomes& sum) {
    const op_table op_rows = aten::registry::table;
    heap_storage storage(count_fx(text));
    fx_style style;
    diagnosis d;
    if (!read_fx(text, op_rows, storage.edit(), style, d)) {
        ++sum.refused;
        return check(is_complete(d, text) && d.what != fault::graph_exceeds_capacity,
                     text + "\n--> line " + std::to_string(d.line) + ' ' + std::string(name_of(d.what)));
    }
    ++sum.parsed;
    const auto printed = print(storage.view(), style);
    heap_storage again(count_fx(printed));
    fx_style same_style;
    diagnosis none;
    const bool reads = read_fx(printed, op_rows, again.edit(), same_style, none);
    if (!check(reads, text + "\n--> prints as a text that is refused in line " + std::to_string(none.line) + ":\n" + printed)) return false;
    if (!check_equal(print(again.view(), same_style), printed)) return check(false, text);
    if (!check(essence(printed) == essence(text), text + "\n--> prints as\n" + printed)) return false;
    const bool typed = infer_types(storage.edit(), op_rows, d);
    sum.typed += typed;
    return check(typed || is_complete(d, text), text + "\n--> line " + std::to_string(d.line) + ' ' + std::string(name_of(d.what)));
}

} // namespace

// fx_mutations [how many [seed [files...]]]: the texts of the files in place of those above
int main(int argc, char** argv) {
    const int count = argc > 1 ? std::atoi(argv[1]) : 20'000;
    mutator mutate(argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 20240607u);
    outcomes sum;
    std::vector<std::string> originals(std::begin(texts), std::end(texts));
    originals.insert(originals.end(), std::begin(exported_printouts), std::end(exported_printouts));
    if (argc > 3) originals.clear();
    for (int i = 3; i < argc; ++i) {
        std::ostringstream all;
        all << std::ifstream(argv[i]).rdbuf();
        originals.push_back(all.str());
    }
    for (const auto& text : originals) check(holds(text, sum) && (argc > 3 || sum.refused == 0), text);
    for (int i = 0; i < count && failed < 5; ++i) {
        const auto text = mutate(originals[static_cast<std::size_t>(i) % originals.size()]);
        // Half of them in memory of exactly their size, so that a sanitizer sees one character too many.
        if (i % 2 == 0)
            holds(text, sum);
        else
            holds(std::string(std::vector<char>(text.begin(), text.end()).data(), text.size()), sum);
    }
    std::cout << sum.parsed << " parsed, of these " << sum.typed << " typed; " << sum.refused << " refused\n";
    check(argc > 3 || (sum.parsed > count / 20 && sum.typed > count / 40 && sum.refused > count / 20),
          "the mutations are too mild or too wild to say much");
    return report();
}
