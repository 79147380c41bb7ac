// Programs of linear algebra on the device: that a run gives PyTorch's numbers and allocates nothing, and that it is refused where PyTorch throws.
// SPDX-License-Identifier: MIT
#include <counted_allocations.hpp>

#include <ahead/ahead.hpp>
#include <ahead/linalg.hpp>

#include <harness.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <string_view>

namespace {

using namespace ahead;
using namespace ahead::rooms;

// As torch.export prints linalg.inv, det and solve after run_decompositions.
struct checked_text {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, token: "f32[0]", x: "f32[2, 2]", y: "f32[2]"):
            linalg_inv_ex = torch.ops.aten.linalg_inv_ex.default(x)
            getitem: "f32[2, 2]" = linalg_inv_ex[0]
            getitem_1: "i32[]" = linalg_inv_ex[1];  linalg_inv_ex = None
            with_effects = torch.ops.higher_order.with_effects(token, torch.ops.aten._linalg_check_errors.default, getitem_1, 'linalg.inv', is_matrix = True);  token = getitem_1 = None
            getitem_2: "f32[0]" = with_effects[0];  with_effects = None
            _linalg_det = torch.ops.aten._linalg_det.default(x)
            getitem_3: "f32[]" = _linalg_det[0];  _linalg_det = None
            _linalg_solve_ex = torch.ops.aten._linalg_solve_ex.default(x, y);  x = y = None
            getitem_6: "f32[2]" = _linalg_solve_ex[0]
            return (getitem_2, getitem, getitem_3, getitem_6)

Graph signature:
    # inputs
    token: TOKEN
    x: USER_INPUT
    y: USER_INPUT

    # outputs
    getitem_2: TOKEN
    getitem: USER_OUTPUT
    getitem_3: USER_OUTPUT
    getitem_6: USER_OUTPUT
)fx";
};
bool is_near(double a, double b) { return std::abs(a - b) <= 1e-6; }

void checked() {
    using program = compiled<fx<checked_text>>;
    for (node_id id : program::lowered_graph()) {
        const auto& n = program::lowered_graph()[id];
        test::check(n.target.find("aten.linalg") == n.target.npos && n.target != "aten._linalg_svd.default", n.target); // none on the AI CPU
    }
    const auto weights_of = program::prepare(weights{});
    const auto run = std::make_unique<program::session>(weights_of);
    constexpr std::array<float, 4> x{2, 1, 4, 4}, singular{1, 2, 2, 4};
    constexpr std::array<float, 2> y{1, 2};
    const auto before = test::allocations.load();
    {
        const auto [inverse, determinant, solution] = (*run)(x, y);
        test::check_equal(test::allocations.load(), before);
        test::check(is_near(inverse(0, 0), 1) && is_near(inverse(0, 1), -0.25) && is_near(inverse(1, 0), -1) && is_near(inverse(1, 1), 0.5));
        test::check(is_near(determinant(), 4) && is_near(solution(0), 0.5) && is_near(solution(1), 0));
    }
    const auto refused = run->try_run(singular, y);
    test::check(!refused.ok() && refused.why().what == fault::matrix_is_singular);
}

} // namespace

int main() {
    checked();
    return test::report();
}
