// SPDX-License-Identifier: MIT
// mnist_mlp, the MLP 784-512-256-10 with relu at batch 1, as an Eigen expert writes it: row-major weights, three GEMVs, no
// allocation.
#pragma once
#include <Eigen/Core>

#include <span>
#include <vector>

#include "memory.hpp"
#include "weights.hpp"

namespace bench::eigen {

/// Row-major weights of any size, and their bias.
struct rows {
    using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    std::vector<float, huge_allocator<float>> memory;
    Eigen::Map<const matrix, Eigen::Aligned64> weight;
    Eigen::VectorXf bias;
    rows(const layer& from, Eigen::Index out, Eigen::Index in)
        : memory(from.weight.begin(), from.weight.end()), weight(memory.data(), out, in),
          bias(Eigen::Map<const Eigen::VectorXf>(from.bias.data(), out)) {}
    rows(const rows&) = delete;
    rows& operator=(const rows&) = delete;
    template <class X, class Y> void apply(const X& x, Y& y) const {
        y = bias;
        y.noalias() += weight * x;
    }
};

struct mnist_mlp {
    rows first, second, third;
    Eigen::VectorXf input, a, b, output;

    explicit mnist_mlp(const mlp_tensors& t)
        : first(t.first, 512, 784), second(t.second, 256, 512), third(t.third, 10, 256),
          input(Eigen::Map<const Eigen::VectorXf>(t.input.data(), 784)), a(512), b(256), output(10) {}

    void operator()() {
        first.apply(input, a);
        a = a.cwiseMax(0.f);
        second.apply(a, b);
        b = b.cwiseMax(0.f);
        third.apply(b, output);
    }
    std::span<const float> outputs() const { return {output.data(), 10}; }
};

} // namespace bench::eigen
