// SPDX-License-Identifier: MIT
// lenet, LeNet on 1x1x28x28, as an Eigen expert writes it: im2col into fixed buffers, GEMM, relu and pooling in one pass
// (they commute), row-major GEMVs.
#pragma once
#include <Eigen/Core>

#include <span>

#include "mnist_mlp.hpp"
#include "weights.hpp"

namespace bench::eigen {

struct lenet {
    template <int R, int C> using matrix = Eigen::Matrix<float, R, C, Eigen::RowMajor>;

    matrix<6, 25> weight1;
    matrix<16, 150> weight2;
    Eigen::Matrix<float, 6, 1> bias1;
    Eigen::Matrix<float, 16, 1> bias2;
    rows fc1, fc2, fc3;
    matrix<28, 28> input;
    matrix<32, 32> padded = matrix<32, 32>::Zero();
    matrix<25, 784> columns1;
    matrix<6, 784> maps1;
    matrix<6 * 14, 14> pooled1;
    matrix<150, 100> columns2;
    matrix<16, 100> maps2;
    Eigen::VectorXf pooled2, a, b, output;

    explicit lenet(const lenet_tensors& t)
        : weight1(Eigen::Map<const matrix<6, 25>>(t.conv1.weight.data())),
          weight2(Eigen::Map<const matrix<16, 150>>(t.conv2.weight.data())),
          bias1(Eigen::Map<const Eigen::Matrix<float, 6, 1>>(t.conv1.bias.data())),
          bias2(Eigen::Map<const Eigen::Matrix<float, 16, 1>>(t.conv2.bias.data())), fc1(t.fc1, 120, 400),
          fc2(t.fc2, 84, 120), fc3(t.fc3, 10, 84), input(Eigen::Map<const matrix<28, 28>>(t.input.data())),
          pooled2(400), a(120), b(84), output(10) {}

    /// Maxima of 2x2 windows, then bias and relu: of a quarter of the elements.
    template <int Size> static void pool(const float* map, float bias, float* out) {
        constexpr int half = Size / 2;
        for (int y = 0; y < half; ++y) {
            using row = Eigen::Array<float, 1, Size>;
            using every_other = Eigen::Map<const Eigen::Array<float, 1, half>, 0, Eigen::InnerStride<2>>;
            const row both =
                Eigen::Map<const row>(map + 2 * y * Size).max(Eigen::Map<const row>(map + (2 * y + 1) * Size));
            Eigen::Map<Eigen::Array<float, 1, half>>(out + y * half) =
                (every_other(both.data()).max(every_other(both.data() + 1)) + bias).max(0.f);
        }
    }

    void operator()() {
        padded.block<28, 28>(2, 2) = input;
        for (int h = 0; h < 5; ++h)
            for (int w = 0; w < 5; ++w)
                Eigen::Map<matrix<28, 28>>(columns1.data() + (h * 5 + w) * 784) = padded.block<28, 28>(h, w);
        maps1.noalias() = weight1 * columns1;
        for (int o = 0; o < 6; ++o) pool<28>(maps1.data() + o * 784, bias1[o], pooled1.data() + o * 196);
        for (int c = 0; c < 6; ++c)
            for (int h = 0; h < 5; ++h)
                for (int w = 0; w < 5; ++w)
                    Eigen::Map<matrix<10, 10>>(columns2.data() + ((c * 5 + h) * 5 + w) * 100) =
                        pooled1.block<10, 10>(c * 14 + h, w);
        maps2.noalias() = weight2 * columns2;
        for (int o = 0; o < 16; ++o) pool<10>(maps2.data() + o * 100, bias2[o], pooled2.data() + o * 25);
        fc1.apply(pooled2, a);
        a = a.cwiseMax(0.f);
        fc2.apply(a, b);
        b = b.cwiseMax(0.f);
        fc3.apply(b, output);
    }
    std::span<const float> outputs() const { return {output.data(), 10}; }
};

} // namespace bench::eigen
