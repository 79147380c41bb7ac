// SPDX-License-Identifier: MIT
// A transformer block (pre-norm, gelu) as an Eigen expert writes it, for vit_tiny and gpt_block. Tokens are columns, so
// that layers are products with column-major weights and a norm runs down a column; every size is a constant; sums
// start from the bias, and residuals are summed in place. Attention head by head, scores row by row; one exp over all
// scores. Eigen's GEMM wherever it is faster than sums of outer products (measured).
#pragma once
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

#include <cmath>
#include <string>

#include "weights.hpp"

namespace bench::eigen {

template <int Rows, int Columns>
using matrix = Eigen::Matrix<float, Rows, Columns>;
template <int Rows>
using vector = Eigen::Matrix<float, Rows, 1>;
template <int Rows, int Columns>
using rows_of = Eigen::Matrix<float, Rows, Columns, Eigen::RowMajor>;

template <int Out, int In>
struct linear {
    matrix<Out, In> weight;
    vector<Out> bias;
    linear(const model_weights& t, const std::string& name)
        : weight(Eigen::Map<const rows_of<Out, In>>(t[name + ".weight"].data())), bias(t[name + ".bias"].data()) {}
    template <class X, class Y>
    void apply(const X& x, Y& y) const {
        y.colwise() = bias;
        y.noalias() += weight * x;
    }
    template <class X, class Y>
    void add(const X& x, Y& y) const {
        y.colwise() += bias;
        y.noalias() += weight * x;
    }
};

template <int Width>
struct layer_norm {
    Eigen::Array<float, Width, 1> weight, bias;
    float eps;
    layer_norm(const model_weights& t, const std::string& name, float epsilon)
        : weight(t[name + ".weight"].data()), bias(t[name + ".bias"].data()), eps(epsilon) {}
    template <class X, class Y>
    void apply(const X& x, Y&& y) const {
        for (int i = 0; i < x.cols(); ++i) {
            const Eigen::Array<float, Width, 1> apart = x.col(i).array() - x.col(i).mean();
            y.col(i).array() = apart * (1 / std::sqrt(apart.square().mean() + eps)) * weight + bias;
        }
    }
};

/// Masked: `mask` [Tokens, Tokens] is added to the scores.
template <int Batch, int Tokens, int Width, int Heads, int Hidden, bool Masked>
struct transformer_block {
    static constexpr int all = Batch * Tokens, depth = Width / Heads;
    layer_norm<Width> norm1, norm2;
    linear<3 * Width, Width> qkv;
    linear<Width, Width> project;
    linear<Hidden, Width> first;
    linear<Width, Hidden> second;
    Eigen::Array<float, Tokens, Tokens> mask;

    matrix<Width, all> normed, attended;
    matrix<3 * Width, all> parts;
    rows_of<Batch * Heads * Tokens, Tokens> scores;
    matrix<Hidden, all> hidden;

    transformer_block(const model_weights& t, const std::string& name)
        : norm1(t, name + "n1", 1e-5f), norm2(t, name + "n2", 1e-5f), qkv(t, name + "a.qkv"),
          project(t, name + "a.proj"), first(t, name + "f1"), second(t, name + "f2") {}

    /// Keys or values of one head in one sequence, [depth, Tokens].
    auto part(int which, int batch, int head) const {
        return parts.template block<depth, Tokens>(which * Width + head * depth, batch * Tokens);
    }

    void attend() {
        constexpr bool whole_vectors = depth % 8 == 0;
        const float scale = 1 / std::sqrt(static_cast<float>(depth));
        for (int batch = 0; batch < Batch; ++batch)
            for (int head = 0; head < Heads; ++head) {
                auto s = scores.template middleRows<Tokens>((batch * Heads + head) * Tokens);
                const auto q = part(0, batch, head), k = part(1, batch, head);
                if constexpr (whole_vectors) {
                    const matrix<Tokens, depth> turned = k.transpose();
                    matrix<Tokens, Tokens> sum; // a column for each query: s, transposed
                    sum.setZero();
                    for (int d = 0; d < depth; ++d) sum.noalias() += turned.col(d).lazyProduct(q.row(d));
                    Eigen::Map<matrix<Tokens, Tokens>>(s.data()) = sum;
                } else {
                    s.noalias() = q.transpose() * k;
                }
            }
        for (int row = 0; row < scores.rows(); ++row) {
            auto s = scores.row(row).array();
            if constexpr (Masked) s = s * scale + mask.col(row % Tokens).transpose(), s -= s.maxCoeff();
            else s = (s - s.maxCoeff()) * scale;
        }
        scores = scores.array().exp();
        for (int row = 0; row < scores.rows(); ++row) scores.row(row) *= 1 / scores.row(row).sum();
        for (int batch = 0; batch < Batch; ++batch)
            for (int head = 0; head < Heads; ++head) {
                const auto s = scores.template middleRows<Tokens>((batch * Heads + head) * Tokens);
                const auto v = part(2, batch, head);
                auto out = attended.template block<depth, Tokens>(head * depth, batch * Tokens);
                if constexpr (whole_vectors) {
                    matrix<depth, Tokens> sum;
                    sum.setZero();
                    for (int i = 0; i < Tokens; ++i) sum.noalias() += v.col(i).lazyProduct(s.col(i).transpose());
                    out = sum;
                } else {
                    out.noalias() = v * s.transpose();
                }
            }
    }
    void apply(matrix<Width, all>& x) {
        norm1.apply(x, normed);
        qkv.apply(normed, parts);
        attend();
        project.add(attended, x);
        norm2.apply(x, normed);
        first.apply(normed, hidden);
        hidden.array() = 0.5f * hidden.array() * (1 + (hidden.array() * 0.70710678f).erf());
        second.add(hidden, x);
    }
};

} // namespace bench::eigen
