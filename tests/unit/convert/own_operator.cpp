// SPDX-License-Identifier: MIT
// Operators of a user's own: pointwise ones, ones with an evaluate, which the AI CPU runs, and converters in the place of built-in ones.
#include <ahead/ahead.hpp>
#include <ahead/reference/interpreter.hpp>

#include "harness.hpp"

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

/// A pointwise operator with an attribute.
struct cube_plus : aten::pointwise<1, promotion::keep, aten::domain::real> {
    static constexpr std::string_view name = "my.cube_plus.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("offset", parameter_kind::real, argument::of(0.5))};
    template <class T>
    static constexpr T meaning(T x, T offset) {
        return x * x * x + offset;
    }
};

/// Reverses a vector; no kernel.
struct backwards {
    static constexpr std::string_view name = "my.backwards.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(0).rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(c.tensor(0)));
        return c.result(c.tensor(0));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            const auto x = c.input(0, as);
            const auto out = c.output(0, as);
            const auto n = x.type().size(0);
            for (std::int64_t i = 0; i < n; ++i) out.put({i}, x[{n - 1 - i}]);
        });
    }
};

/// relu becomes the operator above: a user's converter wins over the built-in one.
struct relu_as_cube {
    using op = aten::relu;
    static constexpr bool convert(convert_context& c) {
        return c.bind_result(c.create<device::pointwise<cube_plus>>({c.operand(0), argument::of(10.0)}));
    }
};

struct operators : aten::registry::with<cube_plus, backwards> {};
using tools = toolchain<>::with<cube_plus, backwards>;
using other_tools = toolchain<>::with<cube_plus, relu_as_cube>;

struct source {
    static constexpr std::string_view text = R"fx(graph():
    %x : [num_users=1] = placeholder[target=x]
    %backwards : [num_users=1] = call_function[target=torch.ops.my.backwards.default](args = (%x,), kwargs = {})
    %cube_plus : [num_users=1] = call_function[target=torch.ops.my.cube_plus.default](args = (%backwards,), kwargs = {})
    %cube_plus_1 : [num_users=1] = call_function[target=torch.ops.my.cube_plus.default](args = (%cube_plus,), kwargs = {offset: 1})
    return (cube_plus_1,)
)fx";
    static constexpr fx_input inputs[] = {{.placeholder = "x", .type = "f32[3]"}};
};

inline constexpr auto rectified = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });

constexpr std::array<float, 3> x{-1, 0, 2};

template <class Program>
std::array<float, 3> run_once() {
    const auto weights = Program::prepare();
    typename Program::session run{weights};
    return std::get<0>(run(x)).copy();
}

} // namespace

int main() {
    using program = compiled<fx<source, operators>, tools>;
    const auto result = run_once<program>();
    const std::array<double, 3> cubes{2 * 2 * 2 + 0.5, 0.5, -1 + 0.5};
    for (std::size_t i = 0; i < 3; ++i) check(static_cast<double>(result[i]) == cubes[i] * cubes[i] * cubes[i] + 1);

    const host_tensor given(tensor_of(dtype::f32, {3}), std::span<const float>(x));
    const auto expected = reference<fx<source, operators>>(std::span(&given, 1));
    for (std::size_t i = 0; i < 3; ++i) check(result[i] == expected[0].data.singles[i]);

    check(run_once<compiled<rectified>>() == std::array<float, 3>{0, 0, 2});
    check(run_once<compiled<rectified, other_tools>>() == std::array<float, 3>{9, 10, 18});

    // Only a registry that has the operator reads it.
    diagnosis d;
    fx_style style;
    heap_storage storage(count_fx(source::text));
    check(read_fx(source::text, aten::registry::table, storage.edit(), style, d) && !storage.view()[node_id{1}].op.exists());
    return test::report();
}
