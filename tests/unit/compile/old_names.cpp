// Old names mean what the new ones do.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/old_names.hpp>
#include <concepts>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace ahead;
using namespace test;

namespace {

template <class Old, class New> constexpr bool same = std::same_as<std::remove_cvref_t<Old>, std::remove_cvref_t<New>>;
static_assert(same<choice, toggle> && same<usual_tools, default_toolchain>);
static_assert(same<decltype(pass::absorb_copies), decltype(pass::fold_transposes)> && same<decltype(pass::straighten_loops), decltype(pass::normalize_loop_layout)> &&
              same<decltype(pass::join_loops), decltype(pass::fuse_multi_output)> &&
              same<decltype(pass::fuse_rows<machine::npu>), decltype(pass::fuse_reductions<machine::npu>)> &&
              same<decltype(pass::turn_products<machine::npu>), decltype(pass::swap_matmul_operands<machine::npu>)>);

static_assert(same<npu::memory, runtime::region_bases> && same<npu::parameter, runtime::prepare_input>);
static_assert(same<pass::widen_small_floats_pass<int, int>, pass::promote_reduced_precision_pass<int, int>>);

static_assert(same<std::remove_cvref_t<decltype(target::npu)>, machine::device> && same<std::remove_cvref_t<decltype(target::this_machine)>, machine::device> && same<target::matmul_key, device::matmul_key> && same<written::manifest, aot::manifest> &&
              same<npu::kernel::simd<float, 4>, kernels::simd<float, 4>>);

struct said_by_old_name {
    static constexpr std::string_view name = "my.slow.default";
    static constexpr bool is_dear = true;
};
struct said_by_new_name {
    static constexpr std::string_view name = "my.slow.default";
    static constexpr bool is_expensive = true;
};
static_assert(machine::steps_of<said_by_old_name>().count == machine::steps_of<said_by_new_name>().count);

// A converter and a decomposition that call their contexts by old names.
struct expand_by_old_name {
    using op = aten::square;
    static constexpr std::int32_t most_calls = 1;
    static constexpr void decompose(decompose_context& c) { c.finish(c.call("aten.mul.Tensor", {c.operand(0), c.operand(0)})); }
};
struct convert_by_old_name {
    using op = aten::relu;
    static constexpr bool convert(convert_context& c) {
        if (c.aten.tensor(0).rank == 0) return c.run_meaning();
        if (c.aten.tensor(0).rank == 2) return c.finish_row_major(c.turned(c.operand(0), 0, 1));
        return c.finish(c.create<device::pointwise<aten::relu>>({c.operand(0)}));
    }
};
inline constexpr auto net = trace([](input<"x", f32<4>> x) { return outputs(ahead::relu(ahead::square(x))); });
using program = compiled<net, toolchain<>::with<expand_by_old_name>::with<convert_by_old_name>>;

} // namespace

int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    const std::array<float, 4> x{-1, 2, 3, 0};
    const auto [y] = run(x);
    check_equal(y(1), 4.0f);
    check_equal(y(0), 1.0f);
    return report();
}
