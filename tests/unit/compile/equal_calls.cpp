// SPDX-License-Identifier: MIT
// Calls that are alike: all of them, however many others stand between, and no others.
#include "harness.hpp"
#include "typed_reading.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/compile/equal_calls.hpp>

#include <set>

using namespace ahead;
using namespace test;

// How many classes the calls of a text have.
static std::size_t classes_of(const std::string& text) {
    const typed_reading<capacity{800, 4000, 800}> reading(std::string_view{text});
    check(reading.error.ok());
    const graph_view g = reading.storage.view();
    compile::equal_calls classes(g);
    std::set<std::int32_t> out;
    for (node_id id : g)
        if (const auto first = classes.add(id); g[id].kind == node_kind::call) out.insert(first.index);
    return out.size();
}

int main() {
    // 100 sizes, and each three times.
    std::string text = "def forward(self, x: \"f32[400]\"):\n";
    for (int turn = 0; turn < 3; ++turn)
        for (int i = 1; i <= 100; ++i) {
            const auto n = std::to_string(turn) + "_" + std::to_string(i);
            text += "    s" + n + " = torch.ops.aten.slice.Tensor(x, 0, 0, " + std::to_string(i) + ")\n";
            text += "    r" + n + " = torch.ops.aten.relu.default(s" + n + ")\n";
        }
    check_equal(classes_of(text + "    return (r0_1,)\n"), 200U);

    const auto both = [](const std::string& one, const std::string& other) {
        return classes_of("def forward(self, x: \"f32[4, 4]\", y: \"f32[4, 4]\", z: \"f32[4]\"):\n    a = torch.ops.aten." +
                          one + "\n    b = torch.ops.aten." + other + "\n    return (a, b)\n");
    };
    check_equal(both("relu.default(x)", "relu.default(y)"), 1U);
    check_equal(both("relu.default(x)", "relu.default(z)"), 2U);
    check_equal(both("relu.default(x)", "neg.default(x)"), 2U);
    check_equal(both("add.Tensor(x, y, alpha = 2)", "add.Tensor(y, x, alpha = 2)"), 1U);
    check_equal(both("add.Tensor(x, y, alpha = 2)", "add.Tensor(x, y, alpha = 3)"), 2U);
    check_equal(both("add.Tensor(x, y)", "add.Tensor(x, z)"), 2U);
    check_equal(both("sum.dim_IntList(x, [0])", "sum.dim_IntList(x, [1])"), 2U);
    check_equal(both("sum.dim_IntList(x, [0, 1])", "sum.dim_IntList(x, [0])"), 2U);
    check_equal(both("cat.default([x, y])", "cat.default([y, x])"), 1U);
    check_equal(both("div.Tensor_mode(x, y, rounding_mode = 'floor')", "div.Tensor_mode(x, y, rounding_mode = 'trunc')"), 2U);
    return report();
}
