// SPDX-License-Identifier: MIT
// Coverage tables: of a program, of graphs that do not compile, and of a toolchain with a user's own converter; of core ATen.
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/print_core_aten.hpp>
#include <ahead/print/print_coverage.hpp>

#include <set>
#include <sstream>
#include <string>

using namespace ahead;
using namespace test;

namespace {

struct pointless {
    static constexpr std::string_view name = "my.pointless.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
};
struct convert_argmax {
    using op = aten::argmax;
    static constexpr bool convert(convert_context& c) { return c.refuse(fault::operator_has_no_kernel, "a kernel"); }
};
struct operators : aten::registry::with<pointless> {};
inline constexpr config no_decompositions_options{.decompose = false};
using no_decompositions = toolchain<>::with_options<no_decompositions_options>;
using other_tools = toolchain<>::with<convert_argmax>;

inline constexpr auto net = trace([](input<"x", f32<4, 6>> x, param<"w", f32<6, 8>> w, param<"b", f32<8>> b) {
    const auto a = relu(addmm(b, x, w));
    return outputs(add(a, 1), addmm(b, x, w), argmax<1>(a), cat<0>(a, a));
});

template <class Tools = toolchain<>>
std::string table_of(std::string_view text, op_table op_rows = aten::registry::table) {
    heap_storage storage(count_fx(text));
    fx_style style;
    diagnosis d;
    if (!check(read_fx(text, op_rows, storage.edit(), style, d), d.found.view())) return {};
    std::string out;
    print_coverage<Tools>(storage.view(), op_rows, out);
    return out;
}
constexpr std::string_view head = "operator\tstatus\tcalls\tinputs\toutputs\twhy\n";

constexpr std::string_view odd = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", k: "i64[2]"):
        what: "f32[2, 3]" = torch.ops.my.what.default(x, 2)
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(what)
        tanh_: "f32[2, 3]" = torch.ops.aten.tanh_.default(relu)
        argmax: "i64[2]" = torch.ops.aten.argmax.default(tanh_, 1)
        pointless: "f32[2, 3]" = torch.ops.my.pointless.default(tanh_)
        mm: "f32[2, 3]" = torch.ops.aten.mm.default(x, x)
        softmax: "f32[2, 3]" = torch.ops.aten._softmax.default(mm, 1, False)
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(x)
        to: "f8e5m2[2]" = torch.ops.prims.convert_element_type.default(k, torch.float8_e5m2)
        to_1: "f32[2, 3]" = torch.ops.prims.convert_element_type.default(x, torch.float32)
        split = torch.ops.aten.split.Tensor(x, 1, 1)
        getitem: "f32[2, 1]" = split[0]
        return (argmax, pointless, softmax, clone, to, to_1, getitem)
)fx";

// A text that does not compile: an operator that is missing, and what reads it.
struct uncompiled {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[2, 3]"):
    what = torch.ops.aten.frobnicate.default(x)
    relu = torch.ops.aten.relu.default(what)
    abs_1 = torch.ops.aten.abs.default(x)
    return (relu, abs_1)
)fx";
};

} // namespace

int main() {
    std::string out;
    print_coverage<fx<uncompiled>>(out);
    check_equal(out, std::string(head) + "aten.frobnicate.default\tmissing\t1\t1 x (f32[2, 3])\t1 x (?)\toperator_is_unknown, line 2\n"
                                         "aten.relu.default\tuntyped\t1\t1 x (?)\t1 x (?)\treads what has no type\n"
                                         "aten.abs.default\tsupported\t1\t1 x (f32[2, 3])\t1 x (f32[2, 3])\t\n");
    out.clear();
    print_coverage<compiled<net>>(out);
    check_equal(out, std::string(head) + "aten.addmm.default\tsupported\t2\t2 x (f32[8], f32[4, 6], f32[6, 8])\t2 x (f32[4, 8])\t\n"
                                         "aten.relu.default\tsupported\t1\t1 x (f32[4, 8])\t1 x (f32[4, 8])\t\n"
                                         "aten.add.Tensor\tsupported\t1\t1 x (f32[4, 8])\t1 x (f32[4, 8])\t\n"
                                         "aten.argmax.default\tsupported\t1\t1 x (f32[4, 8])\t1 x (i64[4])\t\n"
                                         "aten.cat.default\tsupported\t1\t1 x (f32[4, 8], f32[4, 8])\t1 x (f32[8, 8])\t\n");

    // An operator that nobody knows, one without a meaning, a call that is no product, conversions of which one needs none, and the other one no kernel does, an in-place operator.
    check_equal(table_of(odd, operators::table),
                std::string(head) +
                    "my.what.default\tmissing\t1\t1 x (f32[2, 3])\t1 x (f32[2, 3])\toperator_is_unknown, line 3\n"
                    "aten.relu.default\tsupported\t1\t1 x (f32[2, 3])\t1 x (f32[2, 3])\t\n"
                    "aten.tanh_.default\tsupported\t1\t1 x (f32[2, 3])\t1 x (f32[2, 3])\t\n"
                    "aten.argmax.default\tsupported\t1\t1 x (f32[2, 3])\t1 x (i64[2])\t\n"
                    "my.pointless.default\tmissing\t1\t1 x (f32[2, 3])\t1 x (f32[2, 3])\toperator_has_no_converter, line 7\n"
                    "aten.mm.default\tmissing\t1\t1 x (f32[2, 3], f32[2, 3])\t1 x (f32[2, 3])\tmatmul_inner_extents_differ, line 8\n"
                    "aten._softmax.default\tsupported\t1\t1 x (f32[2, 3])\t1 x (f32[2, 3])\t\n"
                    "aten.clone.default\tsupported\t1\t1 x (f32[2, 3])\t1 x (f32[2, 3])\t\n"
                    "prims.convert_element_type.default\tpartial\t2\t1 x (i64[2]); 1 x (f32[2, 3])\t1 x (f8e5m2[2]); 1 x (f32[2, 3])\t\n"
                    "aten.split.Tensor\tsupported\t1\t1 x (f32[2, 3])\t1 x (f32[2, 1], f32[2, 1], f32[2, 1])\t\n");

    // A user's converter that refuses.
    const auto refused = table_of<other_tools>(odd, operators::table);
    check(refused.find("aten.argmax.default\tmissing\t1\t1 x (f32[2, 3])\t1 x (i64[2])\toperator_has_no_kernel, line 6\n") !=
              std::string::npos,
          refused);

    // Decompositions count as what they are made of, in place of the AI CPU; where they are off, they do not.
    const std::string_view text =
        "def forward(self, x : f32[2, 4], y : f32[2, 4]):\n    r = torch.ops.aten.mse_loss.default(x, y)\n    return (r,)\n";
    check(table_of(text).find("aten.mse_loss.default\tsupported\t1") != std::string::npos);
    check(table_of<no_decompositions>(text).find("aten.mse_loss.default\tAI CPU\t1") != std::string::npos);

    // Numbers that readers are given need nothing; one that is returned is computed.
    const std::string_view numbers = "def forward(self, x : f32[2, 4]):\n    n = torch.ops.aten.sym_size.int(x, 0)\n    m = n * 2\n    v = torch.ops.aten.view.default(x, [m, 2])\n"
                                     "    k = torch.ops.aten.sym_numel.default(x)\n    return (v, k)\n";
    check(table_of(numbers).find("aten.sym_size.int\tsupported\t1") != std::string::npos && table_of(numbers).find("operator.mul\tsupported\t1") != std::string::npos &&
              table_of(numbers).find("aten.sym_numel.default\tAI CPU\t1") != std::string::npos,
          table_of(numbers));

    // Core ATen: all of it is known, and how each operator runs is said.
    out.clear();
    print_core_aten(out);
    check(out.find("191 of 191\t139 kernel, 14 view, 4 number, 26 decomposed, 7 AI CPU, 1 refused\n") != out.npos, out);
    for (const std::string_view line : {"aten._cdist_forward.default\tdecomposed\n", "aten.relu.default\tkernel\n", "aten.sort.default\tkernel\n",
                                        "aten.randn.default\tdecomposed\n", "aten.sym_size.int\tnumber\n", "aten.view.default\tview\n",
                                        "aten.nonzero.default\trefused\n", "aten.argmax.default\tkernel\n", "aten.any.dims\tkernel\n"})
        check(out.find(line) != out.npos, line);
    std::set<std::string> names;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find('\t')));
    check(names.size() == 193); // each once, a head, and the counts
    out.clear();
    print_core_aten<toolchain<>, op_list<aten::relu, aten::var>>(out);
    check(out.ends_with("2 of 191\t1 kernel, 1 decomposed, 189 missing\n"), out);
    out.clear();
    print_core_aten<other_tools>(out);
    check(out.find("aten.argmax.default\tkernel\n") != out.npos);
    return report();
}
