// SPDX-License-Identifier: MIT
// activations, a chain of ten pointwise operations, as an Eigen expert writes it: one expression, which is one loop.
#pragma once
#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <vector>

#include "weights.hpp"

namespace bench::eigen {

template <std::size_t N> struct activations {
    std::vector<float> x, scale, y;

    explicit activations(const activation_tensors& t)
        : x(t.x.begin(), t.x.begin() + N), scale(t.scale.begin(), t.scale.begin() + N), y(N) {}

    void operator()() {
        using vector =
            std::conditional_t<N <= 4096, Eigen::Array<float, static_cast<int>(N <= 4096 ? N : 1), 1>, Eigen::ArrayXf>;
        const auto size = static_cast<Eigen::Index>(N);
        const Eigen::Map<const vector> in(x.data(), size), by(scale.data(), size);
        Eigen::Map<vector>(y.data(), size) =
            (((((in * by + 0.5f).tanh() * 1.5f + 0.25f).logistic() * by - 0.5f).tanh()) * 2.0f).logistic();
    }
    std::span<const float> outputs() const { return y; }
};

} // namespace bench::eigen
