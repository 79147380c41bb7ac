// SPDX-License-Identifier: MIT
// Nodes as types: of a graph of handles, of a text, and of a device graph.
#include <ahead/ahead.hpp>

using namespace ahead;
using namespace ahead::rooms;

template <class... Types>
using types = std::tuple<Types...>;

inline constexpr auto net = trace([](input<"x", f32<3, 4>> x, param<"w", f32<5, 4>> w) {
    auto product = mm(x, permute<1, 0>(w));
    auto [left, right] = split<3, 1>(product);
    auto scaled = clamp(product * constant<"scale", f32<>>(x, 2), -1, 3.5);
    return outputs(softmax<-1>(cat<1>(left, scaled)), right);
});
using traced_node = typed<net>;

// Placeholders and constants have a type and nothing else.
static_assert(std::same_as<traced_node::node<"x">::result<>, f32<3, 4>>);
static_assert(traced_node::node<"p_w">::kind == node_kind::placeholder && traced_node::node<"p_w">::value.weight == "w");
static_assert(std::same_as<traced_node::node<"p_w">::op, void> && std::same_as<traced_node::node<"p_w">::operands, types<>>);
static_assert(std::same_as<traced_node::node<"scale">::result<0>, f32<>>);

// Calls: operator, operands, results, attributes. Types are those of the handles.
using turned = strided<dtype::f32, ints<4, 5>, ints<1, 4>, 0>;
static_assert(std::same_as<traced_node::node<"permute">::op, aten::permute> &&
              std::same_as<traced_node::node<"permute">::result<>, turned>);
static_assert(traced_node::node<"permute">::attribute<"dims"> == std::array<std::int64_t, 2>{1, 0});
using product = traced_node::node<"mm">;
static_assert(std::same_as<product::op, aten::mm> && std::same_as<product::operands, types<f32<3, 4>, turned>>);
static_assert(std::same_as<product::result<>, f32<3, 5>> && product::result_count == 1);

// Strides of dims of size 1 are kept, as the handles keep them.
inline constexpr auto thin = trace([](input<"x", f32<1, 4>> x) { return outputs(permute<1, 0>(x)); });
static_assert(std::same_as<handle<typed<thin>::node<"permute">::result<>>, decltype(permute<1, 0>(handle<f32<1, 4>>{}))>);
static_assert(!std::same_as<typed<thin>::node<"permute">::result<>, f32<4, 1>>);

// Several results; getitem picks one of them. Lists of tensors count as operands.
using parts = traced_node::node<"split">;
using left = strided<dtype::f32, ints<3, 3>, ints<5, 1>, 0>;
using right = strided<dtype::f32, ints<3, 2>, ints<5, 1>, 3>;
static_assert(parts::result_count == 2 && std::same_as<parts::result<0>, left> && std::same_as<parts::result<1>, right>);
static_assert(parts::attribute<"split_size"> == 3 && parts::attribute<"dim"> == 1);
static_assert(std::same_as<traced_node::node<"getitem_1">::op, aten::getitem> &&
              std::same_as<traced_node::node<"getitem_1">::result<>, right>);
static_assert(std::same_as<traced_node::node<"cat">::operands, types<left, f32<3, 5>>>);

// Attributes: as given, with defaults, None.
static_assert(traced_node::node<"clamp">::attribute<"min"> == -1 && traced_node::node<"clamp">::attribute<"max"> == 3.5);
using soft = traced_node::node<"_softmax">;
static_assert(std::same_as<soft::op, aten::softmax> && std::same_as<decltype(soft::attribute<"half_to_float">), const bool>);
static_assert(soft::attribute<"dim"> == -1 && !soft::attribute<"half_to_float">);

// All nodes in program order; the output reads what the graph returns.
static_assert(traced_node::size == 13);
static_assert(std::same_as<traced_node::at<3>, product>);
static_assert(traced_node::at<12>::kind == node_kind::output && std::same_as<traced_node::at<12>::operands, types<f32<3, 8>, right>>);

// A text: words, dtypes, lists of one, numbers for real parameters, defaults.
struct source {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[1, 2, 6]", w: "f32[4, 2, 3]"):
        convolution: "f32[1, 4, 6]" = torch.ops.aten.convolution.default(x, w, None, [1], [1], [1], False, [0], 1)
        gelu: "f32[1, 4, 6]" = torch.ops.aten.gelu.default(convolution, approximate = 'tanh')
        mean: "f64[4]" = torch.ops.aten.mean.dim(gelu, [0, -1], False, dtype = torch.float64)
        elu: "f64[4]" = torch.ops.aten.elu.default(mean)
        return (elu,)
)fx";
};
using read_node = typed<fx<source>>;
static_assert(read_node::node<"convolution">::attribute<"bias"> == none{} && read_node::node<"convolution">::attribute<"padding">[0] == 1);
static_assert(!read_node::node<"convolution">::attribute<"transposed"> && read_node::node<"convolution">::attribute<"groups"> == 1);
static_assert(read_node::node<"gelu">::attribute<"approximate"> == "tanh");
static_assert(read_node::node<"mean">::attribute<"dtype"> == dtype::f64 && std::same_as<read_node::node<"mean">::result<>, f64<4>>);
static_assert(read_node::node<"mean">::attribute<"dim"> == std::array<std::int64_t, 2>{0, -1});
static_assert(read_node::node<"elu">::attribute<"alpha"> == 1);

// The device's graph of a program: here prepare re-lays the weights for the product. All that a converter makes has the ATen node's name.
using program = compiled<net>;
using device_node = typed_graph<program::device_graph>;
template <class Op, std::int32_t I = 0>
constexpr auto first_of() {
    if constexpr (std::same_as<typename device_node::at<I>::op, Op>)
        return typename device_node::at<I>{};
    else
        return first_of<Op, I + 1>();
}
using packing = decltype(first_of<device::pack_matmul>());
using multiplying = decltype(first_of<device::matmul>());
static_assert(packing::attribute<"m"> == 3 && std::same_as<packing::operands, types<turned>>);
static_assert(packing::result<>::type.layout == memory_layout::packed);
static_assert(std::same_as<multiplying::operands, types<f32<3, 4>, packing::result<>>> && multiplying::attribute<"bias"> == none{});
static_assert(std::same_as<device_node::node<"x">::result<>, f32<3, 4>>);
