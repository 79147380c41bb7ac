// SPDX-License-Identifier: MIT
// resnet_block, the basic block of a ResNet on 1x64x56x56: two 3x3 convolutions, relu, the shortcut; written with handles,
// against the same as an Eigen expert writes it (resnet18_w16.hpp), whose pixels hold their channels side by side.
#include <span>
#include <vector>

#include "models.hpp"
#include "program.hpp"
#include "resnet18_w16.hpp"

namespace bench {

namespace {

struct block_tensors {
    layer first{1, 64, 64 * 9}, second{2, 64, 64 * 9};
    tensor x = random_tensor(3, 64 * 56 * 56);
};
std::vector<named_tensor> weights_of(const block_tensors& t) {
    return {{"first.weight", &t.first.weight},
            {"first.bias", &t.first.bias},
            {"second.weight", &t.second.weight},
            {"second.bias", &t.second.bias}};
}
std::vector<const tensor*> inputs_of(const block_tensors& t) { return {&t.x}; }

struct hand_written {
    static constexpr int size = 56, pixels = size * size;
    using map = Eigen::Matrix<float, 64, size>;
    using planes = Eigen::Matrix<float, 64, pixels, Eigen::RowMajor>;
    tensor image;
    eigen::convolution<64, 64, 3, 1, size> first, second;
    eigen::picture<64, size, 1> input, between;
    alignas(64) float columns[64 * 9 * 16];
    alignas(64) float y[64 * pixels];
    alignas(64) float result[64 * pixels];

    explicit hand_written(const block_tensors& t) : image(t.x), first(t.first), second(t.second) {}
    void operator()() {
        const Eigen::Map<const planes> x(image.data());
        Eigen::Map<planes> out(result);
        for (int r = 0; r < size; ++r) Eigen::Map<map>(input.at(r, 0)) = x.middleCols<size>(r * size);
        first.apply(input, columns, y);
        for (int r = 0; r < size; ++r)
            between.row(r) = Eigen::Map<const Eigen::Array<float, size * 64, 1>>(y + r * size * 64).max(0.f);
        second.apply(between, columns, y);
        for (int r = 0; r < size; ++r)
            out.middleCols<size>(r * size) =
                (Eigen::Map<const map>(y + r * size * 64) + x.middleCols<size>(r * size)).cwiseMax(0.f);
    }
    std::span<const float> outputs() const { return result; }
};

inline constexpr auto block = ::ahead::trace([](::ahead::input<"x", ::ahead::f32<1, 64, 56, 56>> x,
                                                ::ahead::param<"first.weight", ::ahead::f32<64, 64, 3, 3>> weight1,
                                                ::ahead::param<"first.bias", ::ahead::f32<64>> bias1,
                                                ::ahead::param<"second.weight", ::ahead::f32<64, 64, 3, 3>> weight2,
                                                ::ahead::param<"second.bias", ::ahead::f32<64>> bias2) {
    using namespace ::ahead;
    const auto between = relu(conv2d<padding<1, 1>>(x, weight1, bias1));
    return outputs(relu(add(conv2d<padding<1, 1>>(between, weight2, bias2), x)));
});

} // namespace

bool resnet_block(mode what) { return workload<hand_written, program<::ahead::compiled<block>>>(what, "resnet_block", block_tensors{}); }

} // namespace bench
