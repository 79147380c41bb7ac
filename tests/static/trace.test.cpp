// The types of handles, and traced graphs as constants.
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;
using namespace ahead::rooms;

template <class Handle, class Type>
concept holds = std::same_as<Handle, handle<Type>>;

using x23 = handle<f32<2, 3>>;
using x34 = handle<f32<3, 4>>;
using i3 = handle<i64<3>>;
template <class T>
constexpr T h{};

// A type is flat: dtype, sizes, and strides where they are not row-major.
static_assert(holds<decltype(mm(h<x23>, h<x34>)), f32<2, 4>>);
static_assert(holds<decltype(relu(h<x23>)), f32<2, 3>>);
static_assert(holds<decltype(permute<1, 0>(h<x23>)), strided<dtype::f32, ints<3, 2>, ints<1, 3>, 0>>);
static_assert(holds<decltype(permute<1, 0>(permute<1, 0>(h<x23>))), f32<2, 3>>);
static_assert(holds<decltype(slice<0, 1>(h<x23>)), strided<dtype::f32, ints<1, 3>, ints<3, 1>, 3>>);
static_assert(holds<decltype(view<-1>(h<x23>)), f32<6>>);
static_assert(holds<decltype(expand<2, 2, 3>(h<x23>)), strided<dtype::f32, ints<2, 2, 3>, ints<0, 3, 1>, 0>>);
static_assert(holds<decltype(unsqueeze<0>(h<x23>)), f32<1, 2, 3>>);
static_assert(holds<decltype(squeeze<0>(unsqueeze<0>(h<x23>))), f32<2, 3>>);

// Promotion is PyTorch's: whole numbers keep integers, real ones give the default dtype.
static_assert(holds<decltype(h<i3> + 1), i64<3>>);
static_assert(holds<decltype(h<i3> * 0.5), f32<3>>);
static_assert(holds<decltype(2 - h<i3>), i64<3>>);
static_assert(holds<decltype(h<i3> / 2), f32<3>>);
static_assert(holds<decltype(h<i3> + h<x23>), f32<2, 3>>);
static_assert(holds<decltype(gt(h<x23>, 0)), b8<2, 3>>);
static_assert(holds<decltype(h<handle<f64<>>> + h<x23>), f32<2, 3>>);
static_assert(holds<decltype(to<dtype::f64>(h<x23>)), f64<2, 3>>);

static_assert(holds<decltype(sum(h<i3>)), i64<>>);
static_assert(holds<decltype(mean<1>(h<x23>)), f32<2>>);
static_assert(holds<decltype(mean<1>(h<x23>, keepdim)), f32<2, 1>>);
static_assert(std::same_as<decltype(aminmax<-1>(h<x23>, keepdim)), std::tuple<handle<f32<2, 1>>, handle<f32<2, 1>>>> &&
              std::same_as<decltype(aminmax(h<i3>)), std::tuple<handle<i64<>>, handle<i64<>>>>);
static_assert(holds<decltype(logit(h<i3>)), f32<3>> && holds<decltype(logit(h<x23>, 1e-6)), f32<2, 3>>);
static_assert(holds<decltype(softmax<-1>(h<x23>)), f32<2, 3>>);
static_assert(holds<decltype(cat<1>(h<x23>, h<x23>)), f32<2, 6>>);
static_assert(holds<decltype(reflection_pad1d<1, 2>(h<x23>)), f32<2, 6>>);
static_assert(std::same_as<decltype(split<2, 1>(h<x23>)),
                           std::tuple<handle<strided<dtype::f32, ints<2, 2>, ints<3, 1>, 0>>, handle<strided<dtype::f32, ints<2, 1>, ints<3, 1>, 2>>>>);

// Options stand in any order.
using image = handle<f32<1, 3, 8, 8>>;
using filter = handle<f32<4, 3, 3, 3>>;
static_assert(holds<decltype(conv2d<stride<2, 2>, padding<1, 1>>(h<image>, h<filter>)), f32<1, 4, 4, 4>>);
static_assert(holds<decltype(conv2d<padding<1, 1>, stride<2, 2>>(h<image>, h<filter>)), f32<1, 4, 4, 4>>);
static_assert(holds<decltype(max_pool2d<kernel<2, 2>>(h<image>)), f32<1, 3, 4, 4>>);
static_assert(holds<decltype(max_pool2d<kernel<3, 3>, stride<2, 2>, padding<1, 1>>(h<image>)), f32<1, 3, 4, 4>>);

// What follows a refused call is refused nothing.
static_assert(holds<decltype(relu(h<handle<unknown>>) + h<x23>), unknown>);
static_assert(holds<decltype(mm(h<x23>, h<handle<unknown>>)), unknown>);

// A trace is a constant; its pools have exactly the size counted.
inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    auto m = mm(x, permute<1, 0>(x));
    return outputs(add(abs(m), 1), sub(x, m));
});
using traced_net = std::remove_const_t<decltype(net)>;
static_assert(traced_net::error.ok());
static_assert(traced_net::capacity == capacity{7, 14, 6});
static_assert(traced_net::storage.header.used == traced_net::capacity);
static_assert(traced_net::view()[node_id{2}].target == "aten.mm.default");
static_assert(traced_net::view().value_of(node_id{1}).storage == traced_net::view().value_of(node_id{0}).storage);

template <const auto& Net>
inline constexpr auto nodes_of = std::remove_cvref_t<decltype(Net)>::capacity.nodes;
static_assert(nodes_of<net> == 7);

// A struct of parameters binds in the order of its members; a buffer is one that torch does not train.
struct moments {
    param<"bn.weight", f32<3>> weight;
    param<"bn.running_mean", f32<3>, input_role::buffer> mean;
};
inline constexpr auto scaled = trace([](moments n, input<"x", f32<3, 3>> x) { return outputs((x - n.mean) * n.weight); });
using traced_norm = std::remove_const_t<decltype(scaled)>;
static_assert(traced_norm::view()[node_id{0}].target == "p_bn_weight");
static_assert(traced_norm::view()[node_id{1}].target == "b_bn_running_mean");
static_assert(traced_norm::view()[node_id{1}].weight == "bn.running_mean");
static_assert(traced_norm::view()[node_id{1}].role == input_role::buffer);
static_assert(traced_norm::view()[node_id{2}].target == "x");
