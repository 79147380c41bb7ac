// SPDX-License-Identifier: MIT
// Operators that see an operand under other sizes, given parts of tensors that begin somewhere in their storage.
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/differential/compare_with_reference.hpp>

namespace {

struct parts {
    static constexpr char text[] = R"(
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[5, 2, 6]", w: "f32[4, 6]", b: "f32[4]", i: "i64[3, 2]"):
        part = torch.ops.aten.slice.Tensor(x, 0, 2, 4)
        linear = torch.ops.aten.linear.default(part, w, b)
        argmax = torch.ops.aten.argmax.default(part)
        places = torch.ops.aten.select.int(i, 0, 1)
        take = torch.ops.aten.take.default(part, places)
        index = torch.ops.aten.index.Tensor(x, [places, None, places])
        rows = torch.ops.aten.slice.Tensor(i, 0, 1, 3)
        looked_up = torch.ops.aten.index.Tensor(x, [rows])
        row = torch.ops.aten.select.int(w, 0, 3)
        number = torch.ops.aten.select.int(row, 0, 2)
        sort = torch.ops.aten.sort.default(number)
        sorted_ = sort[0]
        cumsum = torch.ops.aten.cumsum.default(number, 0)
        place = torch.ops.aten.select.int(places, 0, 1)
        index_select = torch.ops.aten.index_select.default(x, 1, place)
        gather = torch.ops.aten.gather.default(row, 0, places)
        return (linear, argmax, take, index, looked_up, sorted_, cumsum, index_select, gather)
)";
};
using program = ahead::compiled<ahead::fx<parts>>;

} // namespace

int main() {
    using namespace test;
    std::array<float, 60> x;
    std::array<float, 24> w;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k * 7 % 31) - 14.5f;
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = static_cast<float>(k * 5 % 13) - 6.25f;
    const std::array<float, 4> b{0.5f, -1.0f, 2.0f, 3.0f};
    const std::array<std::int64_t, 6> i{0, 1, 4, 1, 2, 3};
    const auto report = ahead::compare_with_reference<program>(ahead::weights(), x, w, b, i);
    for (const auto& wrong : report.diverging) check(false, wrong.name + ": " + wrong.got + ", not " + wrong.expected);
    check(report.compared >= 9);
    return test::report();
}
