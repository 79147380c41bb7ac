// What a text prints of a call's results is compared with what the operator gives; where they differ, the diagnosis says in what: the number of
// results, the rank, or the dim. Each law holds at compile time and at run time, by the same functions.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/print/text_sink.hpp>

// fault: annotation_differs_from_inference

using namespace ahead;
using namespace test;

namespace {

struct difference {
    std::string_view node, expected, found;
};
constexpr difference all[] = {
    {R"(        y: "f32[1, 2, 3]" = torch.ops.aten.relu.default(x);  x = None)", "rank 2: f32[2, 3]", "rank 3: f32[1, 2, 3]"},
    {R"(        y: "f32[]" = torch.ops.aten.relu.default(x);  x = None)", "rank 2: f32[2, 3]", "rank 0: f32[]"},
    {R"(        y: "f32[4, 3]" = torch.ops.aten.relu.default(x);  x = None)", "2 in dim 0: f32[2, 3]", "4 in dim 0: f32[4, 3]"},
    {R"(        y: "f32[2, 0]" = torch.ops.aten.relu.default(x);  x = None)", "3 in dim 1: f32[2, 3]", "0 in dim 1: f32[2, 0]"},
    {R"(        y: "f64[2, 3]" = torch.ops.aten.relu.default(x);  x = None)", "f32: f32[2, 3]", "f64: f64[2, 3]"},
    {R"(        y: "f32[2, 3][3, 2]cpu" = torch.ops.aten.relu.default(x);  x = None)", "stride 1 in dim 1: f32[2, 3][3, 1]",
     "stride 2 in dim 1: f32[2, 3][3, 2]cpu"},
    {R"(        y: "f32[2, 3][1, 2]cpu" = torch.ops.aten.relu.default(x);  x = None)", "stride 3 in dim 0: f32[2, 3][3, 1]",
     "stride 1 in dim 0: f32[2, 3][1, 2]cpu"},
    {R"(        y: "f32[2, 1]" = torch.ops.aten.split.Tensor(x, 1, 1);  x = None)", "3 results: no type of its own", "1 result: f32[2, 1]"},
};

constexpr diagnosis read(std::string_view node) {
    text_buffer<512> text;
    text.append("class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[2, 3]\"):\n");
    text.append(node);
    text.append("\n        return (y,)\n");
    graph_storage<capacity{8, 32, 16}> storage;
    fx_style style;
    diagnosis d;
    if (read_fx(text.view(), aten::registry::table, storage.edit(), style, d)) infer_types(storage.edit(), aten::registry::table, d);
    return d;
}
constexpr refusal refusal_of(const difference& wanted) {
    return {.what = fault::annotation_differs_from_inference, .line = 3, .name = "y", .expected = wanted.expected, .found = wanted.found};
}
constexpr bool says(const difference& wanted) {
    const auto d = read(wanted.node);
    return is_refused(d, refusal_of(wanted));
}
static_assert(says(all[0]) && says(all[3]) && says(all[5]) && says(all[7]));

// Strides say nothing of dims of size 1, nor of tensors without elements.
constexpr std::string_view alike[] = {
    R"(        y: "f32[1, 3][7, 1]cpu" = torch.ops.aten.slice.Tensor(x, 0, 1);  x = None)",
    R"(        y: "f32[2, 0][9, 9]cpu" = torch.ops.aten.slice.Tensor(x, 1, 3);  x = None)",
};
static_assert(read(alike[0]).ok() && read(alike[1]).ok());

} // namespace

int main() {
    for (const auto& wanted : all) {
        check_fault(read(wanted.node), refusal_of(wanted));
    }
    for (auto node : alike) check(read(node).ok());
    return report();
}
