// Derivatives: what operators say of their gradients is what differences give, also where an operand was broadcast; and the form that is asked of them.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

// A user's operator of two results, and one of two operands whose derivative gives one gradient.
namespace own {
struct halves {
    static constexpr std::string_view name = "my.halves.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.results(2) && c.set(0, c.tensor(0)) && c.set(1, c.tensor(0));
    }
    static constexpr auto derivative = [](const auto&, const auto&, const auto&, const auto& first, const auto& second) { return add(first, second) * 0.5; };
};
struct forgets : aten::mul {
    static constexpr auto derivative = [](const auto&, const auto& other, const auto&, const auto& gradient) { return gradient * other; };
};
struct captures : aten::mul {
    static constexpr auto derivative = [by = 2](const auto&, const auto& other, const auto&, const auto& gradient) { return std::tuple{gradient * other, gradient * by}; };
};
struct takes_less : aten::exp {
    static constexpr auto derivative = [](const auto& gradient) { return gradient; };
};
} // namespace own
static_assert(pass::differentiable<own::halves> && !pass::differentiable<own::forgets> && !pass::differentiable<own::captures> && !pass::differentiable<own::takes_less> && !pass::differentiable<aten::sin>);

namespace {

template <std::size_t... I>
constexpr int differentiable_in_library(std::index_sequence<I...>) {
    const bool say[] = {detail::says_derivative<aten::registry::at<I>>...}, are[] = {pass::differentiable<aten::registry::at<I>>...};
    int count = 0;
    for (std::size_t i = 0; i < sizeof...(I); ++i) {
        if (say[i] != are[i]) return -1;
        count += say[i];
    }
    return count;
}
static_assert(differentiable_in_library(std::make_index_sequence<aten::registry::size>{}) >= 9);

/// Law: (f(x + h) - f(x - h)) / 2h, summed with the weights g, is the gradient. The graph returns f and the gradients of its first inputs; g is its last input.
void agrees_with_differences(graph_view g, std::string_view what) {
    std::vector<host_tensor> inputs, outputs;
    std::uint64_t state = 3;
    for (node_id id : g)
        if (g[id].kind == node_kind::placeholder) inputs.push_back(random_tensor(g.value_of(id).type, state));
    for (auto& one : inputs) // from 0.25 to 1.75: a quotient and a logarithm are as they are elsewhere
        for (std::int64_t k = 0; k < one.data.size(); ++k) one.data.put(k, one.data.get<double>(k) * 0.75 + 1 - 0.5 * (&one == &inputs.back()));
    if (what == "relu")
        for (std::int64_t k = 0; k < inputs[0].data.size(); ++k) inputs[0].data.put(k, inputs[0].data.get<double>(k) - 1.01);
    diagnosis d;
    const auto run = [&] {
        outputs.clear();
        return interpret<aten::registry>(g, inputs, outputs, d);
    };
    if (!check(run(), std::string(what))) return;
    const auto gradients = outputs;
    for (std::size_t i = 0; i + 1 < gradients.size(); ++i) {
        check(sizes_of(gradients[i + 1].type) == sizes_of(inputs[i].type), std::string(what) + " of the operand's sizes");
        for (std::int64_t k = 0; k < inputs[i].data.size(); ++k) {
            constexpr double step = 1e-6;
            const auto x = inputs[i].data.get<double>(k);
            double sides[2]{};
            for (int side = 0; side < 2; ++side) {
                inputs[i].data.put(k, x + (side ? step : -step));
                run();
                for (std::int64_t e = 0; e < outputs[0].data.size(); ++e) sides[side] += outputs[0].data.get<double>(e) * inputs.back().data.get<double>(e);
            }
            inputs[i].data.put(k, x);
            const auto wanted = (sides[1] - sides[0]) / (2 * step), got = gradients[i + 1].data.get<double>(k);
            check(std::abs(wanted - got) < 1e-7 * (1 + std::abs(wanted)), std::string(what) + ": " + std::to_string(got) + ", by differences " + std::to_string(wanted));
        }
    }
}

using x23 = input<"x", f64<2, 3>>;
using y3 = input<"y", f64<3>>;
using g23 = input<"g", f64<2, 3>>;
template <class Op>
inline constexpr auto of_one = trace([](x23 x, g23 g) {
    const auto y = call<Op>(call_site::current(), x);
    return outputs(y, gradients_of<Op>(call_site::current(), x, y, g));
});
template <class Op>
inline constexpr auto of_two = trace([](x23 x, y3 y, g23 g) {
    const auto z = call<Op>(call_site::current(), x, y);
    const auto [dx, dy] = gradients_of<Op>(call_site::current(), x, y, z, g);
    return outputs(z, dx, dy);
});
template <class Op>
inline constexpr auto of_scaled = trace([](x23 x, input<"y", f64<2, 1>> y, g23 g) {
    const auto z = call<Op>(call_site::current(), x, y, keyword<"alpha", double>{0.75});
    const auto [dx, dy] = gradients_of<Op>(call_site::current(), x, y, 0.75, z, g);
    return outputs(z, dx, dy);
});
inline constexpr auto by_number = trace([](x23 x, g23 g) {
    const auto y = div(x, 4);
    return outputs(y, std::get<0>(gradients_of<aten::div>(call_site::current(), x, 4, y, g)));
});

} // namespace

int main() {
    agrees_with_differences(of_one<aten::relu>.view(), "relu");
    agrees_with_differences(of_one<aten::sigmoid>.view(), "sigmoid");
    agrees_with_differences(of_one<aten::tanh>.view(), "tanh");
    agrees_with_differences(of_one<aten::exp>.view(), "exp");
    agrees_with_differences(of_one<aten::log>.view(), "log");
    agrees_with_differences(of_two<aten::mul>.view(), "mul");
    agrees_with_differences(of_two<aten::div>.view(), "div");
    agrees_with_differences(of_scaled<aten::add>.view(), "add");
    agrees_with_differences(of_scaled<aten::sub>.view(), "sub");
    agrees_with_differences(by_number.view(), "div by a number");
    // It stands at the line of gradients_of.
    const graph_view g = of_one<aten::tanh>.view();
    for (node_id id : g)
        if (g[id].target == "aten.tanh_backward.default") check(g[id].from.line == g[g[id].previous].from.line + 1);
    return test::report();
}
