// SPDX-License-Identifier: MIT
// Arguments meet their schema: a word that an operator does not list is refused where it is read, an argument is bound once, and who gives one
// that is not there is told the names that are. From text and from handles.
#include "harness.hpp"
#include "rendered.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/core/error.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/ir/static_node.hpp>

using namespace ahead;
using namespace test;

namespace {

std::string refusal_of(const std::string& call, std::string_view inputs = "x: \"f32[2, 3]\", y: \"f32[2, 3]\", i: \"i64[2]\", j: \"i64[2, 3]\", s: \"f32[]\"") {
    const auto text = "def forward(self, " + std::string(inputs) + "):\n    result = torch.ops." + call + "\n    return (result,)\n";
    diagnosis d;
    fx_style style;
    heap_storage storage(count_fx(text));
    if (read_fx(text, aten::registry::table, storage.edit(), style, d)) infer_types(storage.edit(), aten::registry::table, d);
    return d.ok() ? "" : test::sentence(d);
}
bool accepted(const std::string& call) { return check_equal(refusal_of(call), ""); }
void refused(const std::string& call, std::string_view expected_and_found, const location& where = location::current()) {
    const auto sentence = refusal_of(call);
    check(sentence.starts_with("line 2: aten.") && sentence.ends_with(expected_and_found), sentence, where);
}

// PyTorch refuses all of these. What it lists is what the schema lists.
void listed_words() {
    for (std::string mode : {"None", "'trunc'", "'floor'"}) {
        accepted("aten.div.Tensor_mode(x, y, rounding_mode = " + mode + ")");
        accepted("aten.div.Scalar_mode(x, 2, rounding_mode = " + mode + ")");
    }
    refused("aten.div.Tensor_mode(x, y, rounding_mode = 'ceil')", "'result': argument has the wrong kind: expected rounding_mode: None, trunc or floor, found ceil");
    refused("aten.div.Scalar_mode(x, 2, rounding_mode = '')", "expected rounding_mode: None, trunc or floor");
    for (std::string form : {"'none'", "'tanh'"}) accepted("aten.gelu.default(x, approximate = " + form + ")");
    refused("aten.gelu.default(x, approximate = 'Tanh')", "expected approximate: none or tanh, found Tanh");
    refused("aten.gelu_backward.default(x, y, approximate = 'foo')", "expected approximate: none or tanh, found foo");
    for (std::string kind : {"sum", "prod", "mean", "amax", "amin"}) accepted("aten.scatter_reduce.two(x, 0, j, y, '" + kind + "')");
    refused("aten.scatter_reduce.two(x, 0, j, y, 'max')", "expected reduce: sum, prod, mean, amax or amin, found max");

    for (std::string loss : {"aten.mse_loss.default(x, y, ", "aten.l1_loss.default(x, y, ", "aten.mse_loss_backward.default(s, x, y, "}) {
        for (std::string reduction : {"0)", "1)", "2)"}) accepted(loss + reduction);
        refused(loss + "3)", "expected reduction: 0 (none), 1 (mean) or 2 (sum), found 3");
        refused(loss + "-1)", "expected reduction: 0 (none), 1 (mean) or 2 (sum), found -1");
    }
    refused("aten.nll_loss_forward.default(x, i, None, 5, -100)", "2 (sum), found 5");
    refused("aten.nll_loss_backward.default(s, x, i, None, 5, -100, s)", "2 (sum), found 5");
}

void formats() {
    constexpr std::string_view images = "x: \"f32[2, 3, 4, 4]\"";
    for (std::string call : {"aten.clone.default(x, ", "aten._to_copy.default(x, ", "aten.to.dtype(x, torch.float64, ", "aten.zeros_like.default(x, ", "aten.rand_like.default(x, "}) {
        for (std::string format : {"torch.contiguous_format", "torch.preserve_format", "torch.channels_last"})
            check_equal(refusal_of(call + "memory_format = " + format + ")", images), "");
        refused(call + "memory_format = torch.channels_last)", "rank is wrong: expected rank 4 for torch.channels_last, found rank 2");
        refused(call + "memory_format = torch.channels_last_3d)", "rank is wrong: expected rank 5 for torch.channels_last_3d, found rank 2");
        refused(call + "memory_format = torch.blocked_format)",
                "expected memory_format: torch.contiguous_format, torch.preserve_format, torch.channels_last or torch.channels_last_3d, found torch.blocked_format");
    }
    // there is none to preserve
    for (std::string call : {"aten.empty.memory_format([2, 3], ", "aten.contiguous.default(x, "})
        refused(call + "memory_format = torch.preserve_format)", "expected memory_format: torch.contiguous_format, torch.channels_last or torch.channels_last_3d, found torch.preserve_format");
    refused("aten.empty.memory_format([2, 3], memory_format = torch.channels_last)", "found rank 2");
    check(refusal_of("aten.empty.memory_format([2, 3, 4, 4], memory_format = torch.channels_last)\n    other: \"f32[2, 3, 4, 4][48, 1, 12, 3]\" = torch.ops.aten.clone.default(result)").empty());
    for (std::string call : {"aten.zeros.default([2], ", "aten.ones.default([2], ", "aten.rand.default([2], "}) {
        refused(call + "memory_format = torch.contiguous_format)", "argument is unknown: expected size, dtype, layout, device, pin_memory, found memory_format");
        accepted(call + "layout = torch.strided)");
        refused(call + "layout = torch.sparse_coo)", "expected layout: torch.strided, found torch.sparse_coo");
    }
    // memory of the host's, which no plan has; where a text was exported, and what a copy may overlap, change no result
    for (std::string call : {"aten.full.default([2], 1, ", "aten.zeros_like.default(x, ", "aten._to_copy.default(x, ", "aten.arange.default(3, ", "aten.randperm.default(3, "}) {
        refused(call + "pin_memory = True)", "argument has the wrong kind: expected pin_memory: None or False, since all memory is the device's, found bool");
        for (std::string off : {"False", "None"}) accepted(call + "pin_memory = " + off + ")");
        for (std::string where : {"cpu", "cuda", "npu"}) accepted(call + "device = device(type='" + where + "'))");
    }
    for (std::string call : {"aten._to_copy.default(x, ", "aten.copy.default(x, y, "})
        for (std::string either : {"True", "False"}) accepted(call + "non_blocking = " + either + ")");
}

void binding() {
    refused("aten.sub.Tensor(x, y, other = x)", "aten.sub.Tensor 'result': argument is given twice: expected other once, found again by its name");
    refused("aten.sub.Tensor(x, other = y, other = x)", "expected other once, found again by its name");
    refused("aten.sub.Tensor(x, y, alfa = 2)", "argument is unknown: expected self, other, alpha, found alfa");
    refused("aten.sub.Tensor(x, y, 2, 3)", "argument is unknown: expected 3 arguments at most: self, other, alpha, found 4");
    accepted("aten.sub.Tensor(other = x, self = y)");
}

// A signature names every input once.
void signatures() {
    const std::string code = "ExportedProgram:\n    class GraphModule(torch.nn.Module):\n        def forward(self, a: \"f32[2]\", b: \"f32[2]\"):\n"
                             "            add: \"f32[2]\" = torch.ops.aten.add.Tensor(a, b)\n            return (add,)\n\nGraph signature:";
    const auto read = [&](const std::string& signature) {
        const auto text = code + signature;
        diagnosis d;
        fx_style style;
        heap_storage storage(count_fx(text));
        read_fx(text, aten::registry::table, storage.edit(), style, d);
        return d.ok() ? "" : test::sentence(d);
    };
    const std::string outputs = "    # outputs\n    add: USER_OUTPUT\n";
    check_equal(read("\n    # inputs\n    a: PARAMETER target='w'\n    b: USER_INPUT\n" + outputs), "");
    check(read("\n    # inputs\n    a: PARAMETER target='w'\n    a: USER_INPUT\n" + outputs)
              .ends_with("signature is inconsistent: expected each input once, found 'a' again"));
    check(read(" ExportGraphSignature(\n    parameters=['w'],\n    user_inputs=['a'],\n    user_outputs=['add'],\n    inputs_to_parameters={'a': 'w'},\n)\n")
              .ends_with("expected each input once, found 'a' again"));
}

// Numbers of any arithmetic type, tensors by name, and an operator without a function of its own.
constexpr short three = 3;
inline constexpr auto net = trace([](input<"x", f32<3>> x, input<"y", f32<3>> y) {
    auto z = add(x, y);
    return outputs(add(x, 2u), add(x, 2LL), add(x, three), add(x, std::size_t{4}), add(x, 2.0L),
                   call<aten::gelu_backward>(call_site::current(), z, x),
                   call<aten::sub>(call_site::current(), x, keyword<"other", handle<f32<3>>>{z}),
                   call<aten::mul>(call_site::current(), x, keyword<"other", input<"y", f32<3>>>{y}),
                   call<aten::cat>(call_site::current(), keyword<"tensors", tensors<f32<3>, f32<3>>>{{x, z}}, keyword<"dim", int>{0}));
});
static_assert(typed<net>::node<"add_1">::attribute<"other"> == 2 && typed<net>::node<"add_3">::attribute<"other"> == 3);
static_assert(typed<net>::node<"add_4">::attribute<"other"> == 4 && typed<net>::node<"add_5">::attribute<"other"> == 2.0);
static_assert(std::same_as<typed<net>::node<"sub">::operands, std::tuple<f32<3>, f32<3>>>);
static_assert(std::same_as<typed<net>::node<"gelu_backward">::result<>, f32<3>>);
static_assert(std::same_as<typed<net>::node<"sub">::result<>, f32<3>> && std::same_as<typed<net>::node<"cat">::result<>, f32<6>>);

} // namespace

int main() {
    listed_words();
    formats();
    binding();
    signatures();
    return report();
}
