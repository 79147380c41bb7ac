// SPDX-License-Identifier: MIT
// small_mlp, the MLP 16-32-32-8 with relu, as an Eigen expert writes it: every size fixed, column-major weights, no
// temporaries.
#pragma once
#include <Eigen/Core>

#include <span>

#include "weights.hpp"

namespace bench::eigen {

template <int Out, int In> struct dense {
    Eigen::Matrix<float, Out, In> weight;
    Eigen::Matrix<float, Out, 1> bias;
    explicit dense(const layer& from)
        : weight(Eigen::Map<const Eigen::Matrix<float, Out, In, Eigen::RowMajor>>(from.weight.data())),
          bias(Eigen::Map<const Eigen::Matrix<float, Out, 1>>(from.bias.data())) {}
};

struct small_mlp {
    dense<32, 16> first;
    dense<32, 32> second;
    dense<8, 32> third;
    Eigen::Matrix<float, 16, 1> input;
    Eigen::Matrix<float, 8, 1> output;

    explicit small_mlp(const mlp_tensors& t)
        : first(t.first), second(t.second), third(t.third),
          input(Eigen::Map<const Eigen::Matrix<float, 16, 1>>(t.input.data())) {}

    void operator()() {
        const Eigen::Matrix<float, 32, 1> a = (first.weight.lazyProduct(input) + first.bias).cwiseMax(0.f);
        const Eigen::Matrix<float, 32, 1> b = (second.weight.lazyProduct(a) + second.bias).cwiseMax(0.f);
        output = third.weight.lazyProduct(b) + third.bias;
    }
    std::span<const float> outputs() const { return {output.data(), 8}; }
};

} // namespace bench::eigen
