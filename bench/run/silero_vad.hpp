// SPDX-License-Identifier: MIT
// silero_vad, one window of 512 samples and 64 of context, as an Eigen expert writes it: the short-time transform is a
// product with overlapping columns of the audio (no im2col), taps that only ever meet padding are cut out of the
// weights ahead, the LSTM is one GEMV over [x; h].
#pragma once
#include <Eigen/Core>

#include <array>
#include <span>

#include "mnist_mlp.hpp"
#include "weights.hpp"

namespace bench::eigen {

struct silero_vad {
    template <int R, int C> using matrix = Eigen::Matrix<float, R, C, Eigen::RowMajor>;
    template <int R, int C> using columns = Eigen::Matrix<float, R, C>;
    using dynamic = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>; // column-major

    using row_major = rows::matrix;

    dynamic basis, enc0, enc1;
    Eigen::Matrix<float, 128, 1> bias0;
    Eigen::Matrix<float, 64, 1> bias1;
    rows enc2, enc3, lstm;
    Eigen::VectorXf head, audio, padded = Eigen::VectorXf(640), h, c, next_h = Eigen::VectorXf(128),
                                 next_c = Eigen::VectorXf(128);
    float head_bias;
    columns<258, 4> spectrum;
    columns<129, 4> magnitude;
    columns<387, 4> columns0;
    columns<128, 4> y0;
    columns<384, 2> columns1;
    columns<64, 2> y1;
    Eigen::VectorXf x2 = Eigen::VectorXf(128), y2 = Eigen::VectorXf(64), xh = Eigen::VectorXf(256),
                    gates = Eigen::VectorXf(512);
    std::array<float, 257> result{};

    /// Of [out][in][3] only taps [first, last), as [out][tap][in].
    static layer taps(const layer& from, std::size_t out, std::size_t in, std::size_t first, std::size_t last) {
        layer kept(0, out, in * (last - first));
        kept.bias = from.bias;
        for (std::size_t o = 0; o < out; ++o)
            for (std::size_t t = first; t < last; ++t)
                for (std::size_t i = 0; i < in; ++i)
                    kept.weight[(o * (last - first) + t - first) * in + i] = from.weight[(o * in + i) * 3 + t];
        return kept;
    }
    /// [weight_ih, weight_hh] side by side, biases added.
    static layer beside(const layer& ih, const layer& hh) {
        layer both(0, 512, 256);
        for (std::size_t o = 0; o < 512; ++o) {
            for (std::size_t i = 0; i < 128; ++i)
                both.weight[o * 256 + i] = ih.weight[o * 128 + i],
                                      both.weight[o * 256 + 128 + i] = hh.weight[o * 128 + i];
            both.bias[o] = ih.bias[o] + hh.bias[o];
        }
        return both;
    }

    explicit silero_vad(const silero_vad_tensors& t)
        : basis(Eigen::Map<const row_major>(t.basis.data(), 258, 256)),
          enc0(Eigen::Map<const row_major>(taps(t.enc0, 128, 129, 0, 3).weight.data(), 128, 387)),
          enc1(Eigen::Map<const row_major>(taps(t.enc1, 64, 128, 0, 3).weight.data(), 64, 384)),
          bias0(t.enc0.bias.data()), bias1(t.enc1.bias.data()), enc2(taps(t.enc2, 64, 64, 1, 3), 64, 128),
          enc3(taps(t.enc3, 128, 64, 1, 2), 128, 64), lstm(beside(t.ih, t.hh), 512, 256),
          head(Eigen::Map<const Eigen::VectorXf>(t.out.weight.data(), 128)),
          audio(Eigen::Map<const Eigen::VectorXf>(t.audio.data(), 576)),
          h(Eigen::Map<const Eigen::VectorXf>(t.h.data(), 128)), c(Eigen::Map<const Eigen::VectorXf>(t.c.data(), 128)),
          head_bias(t.out.bias[0]) {}

    /// y = weight * x for a few columns: 64 rows of sums stay in registers while each weight is read once. Eigen's own
    /// product, on matrices so narrow, takes twice to seven times as long (GEMM packs, GEMV reads the weights once per
    /// column).
    template <int Out, int In, int Columns, class X> static void product(const dynamic& weight, const X& x,
                                                                         columns<Out, Columns>& y) {
        for (int o = 0; o + 64 <= Out; o += 64) {
            columns<64, Columns> sum;
            sum.setZero();
            for (int k = 0; k < In; ++k) sum.noalias() += weight.block<64, 1>(o, k).lazyProduct(x.row(k));
            y.template middleRows<64>(o) = sum;
        }
        if constexpr (Out % 64 != 0) y.template bottomRows<Out % 64>().noalias() = weight.bottomRows<Out % 64>() * x;
    }

    void operator()() {
        padded.head<576>() = audio;
        padded.tail<64>() = audio.segment<64>(511).reverse();
        const Eigen::Map<const columns<256, 4>, 0, Eigen::OuterStride<128>> windows(padded.data());
        product<258, 256, 4>(basis, windows, spectrum);
        magnitude = (spectrum.topRows<129>().array().square() + spectrum.bottomRows<129>().array().square()).sqrt();
        columns0.col(0).head<129>().setZero();
        for (int p = 0; p < 4; ++p)
            for (int t = 0; t < 3; ++t)
                if (p + t >= 1 && p + t <= 4) columns0.col(p).segment<129>(t * 129) = magnitude.col(p + t - 1);
        columns0.col(3).tail<129>().setZero();
        product<128, 387, 4>(enc0, columns0, y0);
        y0 = (y0.colwise() + bias0).cwiseMax(0.f);
        columns1.col(0).head<128>().setZero();
        columns1.col(0).segment<128>(128) = y0.col(0);
        columns1.col(0).tail<128>() = y0.col(1);
        for (int t = 0; t < 3; ++t) columns1.col(1).segment<128>(t * 128) = y0.col(1 + t);
        product<64, 384, 2>(enc1, columns1, y1);
        Eigen::Map<columns<64, 2>>(x2.data()) = (y1.colwise() + bias1).cwiseMax(0.f);
        enc2.apply(x2, y2);
        y2 = y2.cwiseMax(0.f);
        auto x = xh.head<128>();
        enc3.apply(y2, x);
        x = x.cwiseMax(0.f);
        xh.tail<128>() = h;
        lstm.apply(xh, gates);
        const auto in = gates.segment<128>(0).array().logistic(), forget = gates.segment<128>(128).array().logistic();
        next_c = forget * c.array() + in * gates.segment<128>(256).array().tanh();
        next_h = gates.segment<128>(384).array().logistic() * next_c.array().tanh();
        const float score = next_h.cwiseMax(0.f).dot(head) + head_bias;
        result[0] = 1 / (1 + std::exp(-score));
        Eigen::Map<Eigen::VectorXf>(result.data() + 1, 128) = next_h;
        Eigen::Map<Eigen::VectorXf>(result.data() + 129, 128) = next_c;
    }
    std::span<const float> outputs() const { return result; }
};

} // namespace bench::eigen
