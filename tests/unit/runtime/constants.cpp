// SPDX-License-Identifier: MIT
// Constants: get_attr nodes of a text, whose tensors come with the weights, and those of handles, whose values stand in the graph.
#include <ahead/ahead.hpp>
#include <ahead/print/fx/print_fx.hpp>
#include <ahead/reference/interpreter.hpp>

#include "harness.hpp"

#include <string>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_equal;
using test::check_throws;

namespace {

constexpr std::array<float, 3> table{0.5f, 1, 2};
constexpr std::array<float, 6> x_values{1, 2, 3, 4, 5, 6};

template <class T, std::size_t N>
std::span<const std::byte> bytes(const std::array<T, N>& values) {
    return std::as_bytes(std::span(values));
}
template <class Output>
bool is(const Output& output, std::initializer_list<double> wanted) {
    return std::equal(output.begin(), output.end(), wanted.begin(), wanted.end(),
                      [](auto a, double b) { return static_cast<double>(a) == b; });
}

// ---- text: the tensor has the name after "target=" or "self."

// print(gm.graph) prints no types: the user gives those of constants too. A constant may stand behind calls, twice, and be returned.
struct listed {
    static constexpr std::string_view text = R"fx(graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %_tensor_constant0 : [num_users=1] = get_attr[target=_tensor_constant0]
    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%relu, %_tensor_constant0), kwargs = {})
    %_tensor_constant0_1 : [num_users=1] = get_attr[target=_tensor_constant0]
    return (mul, _tensor_constant0_1)
)fx";
    static constexpr fx_input inputs[] = {
        {.placeholder = "x", .type = "f32[2, 3]"},
        {.placeholder = "_tensor_constant0", .type = "f32[3]"},
        {.placeholder = "_tensor_constant0_1", .type = "f32[3]"},
    };
};
using from_listing = compiled<fx<listed>>;

// Readable text prints them; a constant may be called otherwise in the file of weights.
struct readable {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        _tensor_constant0: "f32[3]" = self._tensor_constant0;  _tensor_constant0 = None
        lift_fresh_copy: "f32[3]" = torch.ops.aten.lift_fresh_copy.default(_tensor_constant0);  _tensor_constant0 = None
        running_mean: "f32[3]" = self.bn.running_mean
        sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(x, running_mean);  x = running_mean = None
        mul: "f32[2, 3]" = torch.ops.aten.mul.Tensor(sub, lift_fresh_copy);  sub = lift_fresh_copy = None
        return (mul,)
)fx";
    static constexpr fx_input inputs[] = {{.placeholder = "_tensor_constant0", .weight = "scale"}};
};
using from_readable = compiled<fx<readable>>;

void constants_of_a_text() {
    weights one;
    one.add("_tensor_constant0", dtype::f32, {3}, bytes(table));
    const auto prepared = from_listing::prepare(one);
    from_listing::session run{prepared};
    const auto [scaled, constant] = run(x_values);
    check(is(scaled, {0.5, 2, 6, 2, 5, 12}));
    check(is(constant, {0.5, 1, 2}));

    weights two;
    two.add("scale", dtype::f32, {3}, bytes(table));
    two.add("bn.running_mean", dtype::f32, {3}, bytes(std::array<float, 3>{1, 1, 1}));
    const auto prepared_two = from_readable::prepare(two);
    from_readable::session run_two{prepared_two};
    const auto [normal] = run_two(x_values);
    check(is(normal, {0, 1, 4, 1.5, 4, 10}));
    // The copy of a constant is made once, by prepare; what is left is one loop.
    static_assert(from_readable::plan.run_tasks == 1);
}

void what_is_wrong_is_named() {
    check_throws<error>([] { from_listing::prepare({}); }, "weight '_tensor_constant0' is missing: expected f32[3]");
    check_throws<error>(
        [] {
            weights other;
            other.add("_tensor_constant0", dtype::f32, {2, 3}, bytes(x_values));
            from_listing::prepare(other);
        },
        "weight '_tensor_constant0' has the wrong shape: expected f32[3], found f32[2, 3]");
    check_throws<error>([] { from_readable::prepare({}); }, "weight 'scale' is missing");
}

// ---- handles: the values stand in the graph

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 2>> w) {
    auto scale = constant<"scale", f32<3>>(x, table);
    auto kernel = constant<"kernel", f32<3, 2>>(x, {0.5, 1, 2, 1, 2, 3});
    auto two = constant<"two", f64<>>(x, 2);
    auto whole = constant<"whole", i64<2>>(x, {1, -7'000'000'000});
    auto mask = constant<"mask", b8<2, 1>>(x, {true, false});
    auto small = constant<"small", i32<3>>(x, {-1, 2, 2'147'483'647});
    return outputs(mm(x * scale, kernel) + two, kernel, mm(x, kernel * w), whole, where(mask, x, relu(x - 100)), small);
});
using program = compiled<net>;

constexpr std::array<float, 6> w_values{1, 2, 3, 4, 5, 6};

void constants_of_handles() {
    weights from;
    from.add("w", dtype::f32, {3, 2}, bytes(w_values));
    const auto prepared = program::prepare(from);
    program::session run{prepared};
    const auto [scaled, kernel, product, whole, masked, small] = run(x_values);
    check(is(scaled, {18.25, 22.5, 37, 45}));
    check(is(kernel, {0.5, 1, 2, 1, 2, 3}));
    check(is(product, {42.5, 64, 92, 136}));
    check(is(whole, {1, -7e9}));
    check(is(masked, {1, 2, 3, 0, 0, 0}));
    check(is(small, {-1, 2, 2147483647}));

    // The reference reads the same values.
    std::vector<host_tensor> inputs;
    inputs.emplace_back(tensor_of(dtype::f32, {2, 3}), std::span<const float>(x_values));
    inputs.emplace_back(tensor_of(dtype::f32, {3, 2}), std::span<const float>(w_values));
    const auto expected = reference<net>(inputs);
    check_equal(expected.size(), 6u);
    for (std::size_t i = 0; i < scaled.extent; ++i) check_equal(scaled.data()[i], expected[0].data.singles[i]);
    for (std::size_t i = 0; i < product.extent; ++i) check_equal(product.data()[i], expected[2].data.singles[i]);
    check(expected[3].data.integers == std::vector<std::int64_t>{1, -7'000'000'000});

    // No file holds them.
    check_throws<error>(
        [] {
            weights more;
            more.add("w", dtype::f32, {3, 2}, bytes(w_values));
            more.add("scale", dtype::f32, {3}, bytes(table));
            program::prepare(more);
        },
        "weight 'scale' is superfluous");
}

/// A constant is a get_attr of its name, as FX prints it, and node names stay unique.
inline constexpr auto repeated = trace([](input<"x", f32<3>> x) {
    return outputs(x * constant<"x", f32<3>>(x, {1, 2, 3}) + constant<"x", f32<>>(x, 1));
});
void constants_are_printed() {
    const auto g = decltype(repeated)::view();
    check_equal(print(g[node_id{1}].name).view(), "x_1");
    check_equal(print(g[node_id{3}].name).view(), "x_2");
    std::string printed;
    print_fx(g, listing_style(), printed);
    check_equal(printed, "graph():\n"
                         "    %x : [num_users=1] = placeholder[target=x]\n"
                         "    %x_1 : [num_users=1] = get_attr[target=x]\n"
                         "    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %x_1), kwargs = {})\n"
                         "    %x_2 : [num_users=1] = get_attr[target=x]\n"
                         "    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mul, %x_2), kwargs = {})\n"
                         "    return (add,)\n");
}

} // namespace

int main() {
    constants_of_a_text();
    what_is_wrong_is_named();
    constants_of_handles();
    constants_are_printed();
    return test::report();
}
