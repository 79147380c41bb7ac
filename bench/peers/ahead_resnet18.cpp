// SPDX-License-Identifier: MIT
// ResNet-18 at 224, batch norms folded, and its first kind of block by itself.
#include "ahead_rows.hpp"

namespace {

using namespace ahead;
using namespace ahead::rooms;

template <fixed_string Name, std::int64_t... Sizes> using weight = param<Name, f32<Sizes...>>;
template <fixed_string Name, int In, int Out> using kernel3 = param<Name, f32<Out, In, 3, 3>>;

/// Two convolutions and a shortcut, which is x where that has the result's sizes.
template <int Step, class X, class S, class V, class A, class W, class B>
constexpr auto residual(const X& x, const S& shortcut, const V& v, const A& a, const W& w, const B& b) {
    auto first = relu(conv2d<stride<Step, Step>, padding<1, 1>>(x, v, a));
    return relu(add(conv2d<padding<1, 1>>(first, w, b), shortcut));
}
/// The second block of a stage, and the first one's, where that keeps the sizes.
template <class X, class V, class A, class W, class B>
constexpr auto keeping(const X& x, const V& v, const A& a, const W& w, const B& b) {
    return residual<1>(x, x, v, a, w, b);
}
/// The first block of a stage that halves the image.
template <class X, class V, class A, class W, class B, class D, class C>
constexpr auto halving(const X& x, const V& v, const A& a, const W& w, const B& b, const D& down, const C& c) {
    return residual<2>(x, conv2d<stride<2, 2>>(x, down, c), v, a, w, b);
}

inline constexpr auto block = trace([](input<"x", f32<1, 64, 56, 56>> x, kernel3<"conv1.weight", 64, 64> v,
                                       weight<"conv1.bias", 64> a, kernel3<"conv2.weight", 64, 64> w,
                                       weight<"conv2.bias", 64> b) { return outputs(keeping(x, v, a, w, b)); });

inline constexpr auto resnet18 =
    trace([](input<"x", f32<1, 3, 224, 224>> x, weight<"conv1.weight", 64, 3, 7, 7> v0, weight<"conv1.bias", 64> a0,
             kernel3<"layer1.0.conv1.weight", 64, 64> v10, weight<"layer1.0.conv1.bias", 64> a10,
             kernel3<"layer1.0.conv2.weight", 64, 64> w10, weight<"layer1.0.conv2.bias", 64> b10,
             kernel3<"layer1.1.conv1.weight", 64, 64> v11, weight<"layer1.1.conv1.bias", 64> a11,
             kernel3<"layer1.1.conv2.weight", 64, 64> w11, weight<"layer1.1.conv2.bias", 64> b11,
             kernel3<"layer2.0.conv1.weight", 64, 128> v20, weight<"layer2.0.conv1.bias", 128> a20,
             kernel3<"layer2.0.conv2.weight", 128, 128> w20, weight<"layer2.0.conv2.bias", 128> b20,
             weight<"layer2.0.downsample.weight", 128, 64, 1, 1> d20, weight<"layer2.0.downsample.bias", 128> c20,
             kernel3<"layer2.1.conv1.weight", 128, 128> v21, weight<"layer2.1.conv1.bias", 128> a21,
             kernel3<"layer2.1.conv2.weight", 128, 128> w21, weight<"layer2.1.conv2.bias", 128> b21,
             kernel3<"layer3.0.conv1.weight", 128, 256> v30, weight<"layer3.0.conv1.bias", 256> a30,
             kernel3<"layer3.0.conv2.weight", 256, 256> w30, weight<"layer3.0.conv2.bias", 256> b30,
             weight<"layer3.0.downsample.weight", 256, 128, 1, 1> d30, weight<"layer3.0.downsample.bias", 256> c30,
             kernel3<"layer3.1.conv1.weight", 256, 256> v31, weight<"layer3.1.conv1.bias", 256> a31,
             kernel3<"layer3.1.conv2.weight", 256, 256> w31, weight<"layer3.1.conv2.bias", 256> b31,
             kernel3<"layer4.0.conv1.weight", 256, 512> v40, weight<"layer4.0.conv1.bias", 512> a40,
             kernel3<"layer4.0.conv2.weight", 512, 512> w40, weight<"layer4.0.conv2.bias", 512> b40,
             weight<"layer4.0.downsample.weight", 512, 256, 1, 1> d40, weight<"layer4.0.downsample.bias", 512> c40,
             kernel3<"layer4.1.conv1.weight", 512, 512> v41, weight<"layer4.1.conv1.bias", 512> a41,
             kernel3<"layer4.1.conv2.weight", 512, 512> w41, weight<"layer4.1.conv2.bias", 512> b41,
             weight<"fc.weight", 1000, 512> fc, weight<"fc.bias", 1000> fc_bias) {
        auto wide = relu(conv2d<stride<2, 2>, padding<3, 3>>(x, v0, a0));
        auto start = max_pool2d<kernel<3, 3>, stride<2, 2>, padding<1, 1>>(wide);
        auto one = keeping(keeping(start, v10, a10, w10, b10), v11, a11, w11, b11);
        auto two = keeping(halving(one, v20, a20, w20, b20, d20, c20), v21, a21, w21, b21);
        auto three = keeping(halving(two, v30, a30, w30, b30, d30, c30), v31, a31, w31, b31);
        auto four = keeping(halving(three, v40, a40, w40, b40, d40, c40), v41, a41, w41, b41);
        return outputs(linear(mean<2, 3>(four), fc, fc_bias));
    });

[[maybe_unused]] const bool added[] = {bench::add_ahead<block>("block"), bench::add_ahead<resnet18>("resnet18")};

} // namespace
