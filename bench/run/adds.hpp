// SPDX-License-Identifier: MIT
// adds, a chain of 100 dependent adds on 8 floats, as an Eigen expert writes it: 100 statements on fixed-size arrays,
// which stay in a register.
#pragma once
#include <Eigen/Core>

#include <span>
#include <utility>

#include "weights.hpp"

namespace bench::eigen {

struct adds {
    Eigen::Array<float, 8, 1> x, step, y;

    explicit adds(const chain_tensors& t)
        : x(Eigen::Map<const Eigen::Array<float, 8, 1>>(t.x.data())),
          step(Eigen::Map<const Eigen::Array<float, 8, 1>>(t.step.data())) {}

    void operator()() {
        Eigen::Array<float, 8, 1> sum = x;
        [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
            ((static_cast<void>(I), sum = sum + step), ...);
        }(std::make_integer_sequence<int, 100>{});
        y = sum;
    }
    std::span<const float> outputs() const { return {y.data(), 8}; }
};

} // namespace bench::eigen
