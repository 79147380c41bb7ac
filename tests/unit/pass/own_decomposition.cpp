// SPDX-License-Identifier: MIT
// Users' decompositions in a toolchain: of operators of their own and of built-in ones, with numbers, lists, conditions and several results; run on
// the device against the reference. And what a user's own converter keeps whole.
#include "unit/supported.hpp"

using namespace ahead;
using ahead::cases; // tests have a namespace of that name as well
using namespace test;

namespace my {

/// my.swish.default(Tensor self, Scalar beta=1): x * sigmoid(beta * x)
struct swish : aten::pointwise<1, promotion::keep, aten::domain::real> {
    static constexpr std::string_view name = "my.swish.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("beta", parameter_kind::real, argument::of(1.0))};
    template <class T>
    static constexpr T meaning(T x, T beta) {
        return x / (1 + math::exp(-beta * x));
    }
};
struct swish_as_sigmoid {
    using op = swish;
    static constexpr auto decomposition = [](any<"self"> x, any<"beta"> beta) { return x * sigmoid(mul(x, beta)); };
    using supported = cases<support<f32<2, 3>>, support<f64<5>, real<"0.5">>>;
};

/// my.moments.default(Tensor self, int[] dim, bool keepdim=False): (mean, mean of squares). No meaning: only its decomposition runs.
struct moments {
    static constexpr std::string_view name = "my.moments.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("dim", parameter_kind::int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(0);
        const auto t = tensor_of(x.type, aten::sizes_without(x, aten::reduced_dims(c, 1, x.rank), c.boolean(2)));
        return c.results(2) && c.set(0, t) && c.set(1, t);
    }
    static constexpr void evaluate(auto& c) {
        const auto& t = c.tensor(0);
        const auto dims = aten::reduced_dims(c, 1, t.rank);
        c.compute_real([&](auto as) {
            const auto x = c.input(0, as);
            const auto mean = c.output(0, as), square = c.output(1, as);
            const auto count = static_cast<decltype(as)>(aten::reduced_count(t, dims));
            aten::for_each_reduced(t, dims, c.boolean(2), [&](const int_list& at, auto walk) {
                decltype(as) sum{}, squares{};
                walk([&](const int_list& i) {
                    sum += x[i];
                    squares += x[i] * x[i];
                });
                mean.put(at, sum / count);
                square.put(at, squares / count);
            });
        });
    }
};
struct two_means {
    using op = moments;
    static constexpr auto decomposition = [](any<"self"> x, any<"dim"> dims, any<"keepdim"> keep) {
        const auto where = call_site::current();
        return outputs(call<aten::mean_dims>(where, x, dims, keep), call<aten::mean_dims>(where, x * x, dims, keep));
    };
    using supported = cases<support<f32<2, 3, 4>, ints<0, -1>>, support<f64<2, 3>, ints<1>, flag<true>>>;
};

/// relu of f32 as maximum(x, -x) and x, halved.
struct relu_by_abs {
    using op = aten::relu;
    static constexpr bool when(const call_view& call) { return call.tensor(0).type == dtype::f32; }
    static constexpr auto decomposition = [](any<"self"> x) { return (x + abs(x)) * 0.5; };
    using supported = cases<support<f32<2, 3>>, support<f64<4>>>;
};
/// gelu with an argument that the lambda does not name: only the exact one is meant.
struct exact_gelu {
    using op = aten::gelu;
    static constexpr auto decomposition = [](any<"self"> x) { return x * 0.5 * (erf(x * 0.70710678118654752) + 1.0); };
    using supported = cases<support<f32<7>>, support<f32<7>, keyword<"approximate", word<"tanh">>>>;
};
/// Twice, as a function that looks at the shape.
struct flip_twice {
    using op = aten::neg;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) { return call.tensor(0).rank == 1; }
    static constexpr void decompose(decompose_context& c) {
        const auto zeros = c.call("aten.mul.Tensor", {c.operand(0), 0});
        c.bind_result(c.call("aten.sub.Tensor", {zeros, c.operand(0)}));
    }
    using supported = cases<support<f32<7>>, support<f64<2, 2>>>;
};
/// addmm whatever its factors: as a product and a sum.
struct convert_addmm {
    using op = aten::addmm;
    static constexpr bool convert(convert_context& c) {
        const auto n = argument::of(c.aten.result_type().size(1));
        const auto product = c.create<device::matmul>({c.operand(1), c.operand(2), argument{}, n});
        const auto scaled = c.create<device::pointwise<aten::mul>>({product, c.aten.at(4)});
        return c.bind_result(c.create<device::pointwise<aten::add>>({scaled, c.operand(0), c.aten.at(3)}));
    }
    using supported = cases<support<f32<5>, f32<3, 4>, f32<4, 5>, keyword<"beta", real<"0.5">>, keyword<"alpha", integer<2>>>>;
};

struct operators : aten::registry::with<swish, moments> {};
using tools = toolchain<>::with<swish, moments, swish_as_sigmoid, two_means, relu_by_abs, exact_gelu, flip_twice>;
using addmm_tools = toolchain<>::with<convert_addmm>;
inline constexpr config whole_options{.decompose = false};
using whole = toolchain<>::with_options<whole_options>;

} // namespace my

namespace {

template <class Program>
std::string targets_of() {
    std::string out;
    const auto g = Program::optimized_graph();
    for (node_id n : g)
        if (g[n].kind == node_kind::call) out += std::string(g[n].target) + " ";
    return out;
}

inline constexpr auto rectified = trace([](input<"x", f32<3>> x, input<"y", f64<3>> y) { return outputs(relu(x), relu(y)); });
inline constexpr auto activated = trace([](input<"x", f32<3>> x) {
    return outputs(gelu(x), call<aten::gelu>(call_site::current(), x, keyword<"approximate", word<"tanh">>{}));
});
inline constexpr auto scaled = trace([](input<"a", f32<3, 4>> a, input<"b", f32<4, 5>> b, input<"c", f32<5>> c) {
    return outputs(call<aten::addmm>(call_site::current(), c, a, b, keyword<"beta", integer<2>>{}));
});

// A pass of its own name, before all others; two decompositions of one call in a row.
static_assert(
    std::same_as<my::tools::decompositions,
                 pass::decomposition_list<pass::written_decomposition<my::swish_as_sigmoid>, pass::written_decomposition<my::two_means>,
                                          pass::written_decomposition<my::relu_by_abs>, pass::written_decomposition<my::exact_gelu>, my::flip_twice>>);
// Programs without decompositions run the passes that they ran.
static_assert(std::same_as<compile::passes_of<toolchain<>>, std::remove_const_t<decltype(detail::builtin_passes<convert::builtin_converters>)>>);

} // namespace

int main() {
    check_equal(check_supported<my::swish_as_sigmoid, my::tools, my::operators>(), std::size_t{2});
    check_equal(check_supported<my::two_means, my::tools, my::operators>(), std::size_t{2});
    check_equal(check_supported<my::relu_by_abs, my::tools>(), std::size_t{2});
    check_equal(check_supported<my::exact_gelu, my::tools>(), std::size_t{2});
    check_equal(check_supported<my::flip_twice, my::tools>(), std::size_t{2});
    check_equal(check_supported<my::convert_addmm, my::addmm_tools>(), std::size_t{1});

    // The condition, and arguments that are not named.
    check_equal(targets_of<compiled<rectified, my::tools>>(), "aten.abs.default aten.add.Tensor aten.mul.Tensor aten.relu.default ");
    check_equal(targets_of<compiled<activated, my::tools>>(),
                "aten.mul.Tensor aten.mul.Tensor aten.erf.default aten.add.Tensor aten.mul.Tensor aten.gelu.default ");

    // A built-in decomposition, one that is off, and one that a user's converter does without.
    check_equal(targets_of<compiled<scaled>>(), "aten.mm.default aten.mul.Tensor aten.add.Tensor ");
    check_equal(targets_of<compiled<scaled, my::whole>>(), "aten.addmm.default ");
    check_equal(targets_of<compiled<scaled, my::addmm_tools>>(), "aten.addmm.default ");
    return report();
}
