// SPDX-License-Identifier: MIT
// resnet18_w16 on 1x3x64x64, as an Eigen expert writes it: batch norms folded into the convolutions; pixels hold their
// channels side by side in pictures with a border of zeros; a few windows at a time become columns of a buffer made
// ahead, a run of channels for each row of the window; their product with the weights is summed in a register tile that
// starts from the bias (Eigen's GEMM of all windows takes 1.4 to 3 times as long on these shapes, measured); shortcut
// and relu are one expression on the way to the next picture.
#pragma once
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "weights.hpp"

namespace bench::eigen {

/// [Size][Size][Channels] in a border of zeros.
template <int Channels, int Size, int Border>
struct picture {
    static constexpr int width = Size + 2 * Border;
    alignas(64) float pixels[width * width * Channels]{};
    float* at(int row, int column) { return pixels + ((row + Border) * width + column + Border) * Channels; }
    const float* at(int row, int column) const {
        return pixels + ((row + Border) * width + column + Border) * Channels;
    }
    /// Row `row` without its border.
    auto row(int row) { return Eigen::Map<Eigen::Array<float, Size * Channels, 1>>(at(row, 0)); }
    auto row(int row) const { return Eigen::Map<const Eigen::Array<float, Size * Channels, 1>>(at(row, 0)); }
};

/// Kernel x Kernel, padded by half of it; Size: of the result.
template <int In, int Out, int Kernel, int Stride, int Size>
struct convolution {
    static constexpr int taps = Kernel * Kernel * In, run = Kernel * In, pixels = Size * Size;
    static constexpr int high = pixels < 8 ? 64 : 16, wide = 256 / high; // of a tile: 16 registers of 16 sums
    template <int Rows, int Columns>
    using matrix = Eigen::Matrix<float, Rows, Columns>;
    alignas(64) float weights[Out * taps]; // [Out / high][taps][high], taps as [row][column][channel]
    matrix<Out, 1> bias;

    convolution(const model_weights& t, const std::string& name, const std::string& norm) {
        const auto &scale = t[norm + ".weight"], &offset = t[norm + ".bias"], &mean = t[norm + ".running_mean"],
                   &variance = t[norm + ".running_var"];
        for (int o = 0; o < Out; ++o) {
            const auto channel = static_cast<std::size_t>(o);
            const float factor = scale[channel] / std::sqrt(variance[channel] + 1e-5f);
            bias[o] = offset[channel] - mean[channel] * factor;
            lay(t[name + ".weight"], o, factor);
        }
    }
    explicit convolution(const layer& from) : bias(Eigen::Map<const matrix<Out, 1>>(from.bias.data())) {
        for (int o = 0; o < Out; ++o) lay(from.weight, o, 1);
    }
    void lay(const tensor& weight, int o, float factor) {
        for (int i = 0; i < In; ++i)
            for (int k = 0; k < Kernel * Kernel; ++k)
                weights[(o / high * taps + k * In + i) * high + o % high] =
                    weight[static_cast<std::size_t>((o * In + i) * Kernel * Kernel + k)] * factor;
    }
    /// y[Out, pixels]; columns: room for [taps, wide].
    template <class Picture>
    void apply(const Picture& x, float* columns_at, float* y_at) const {
        Eigen::Map<matrix<taps, wide>, Eigen::Aligned64> columns(columns_at);
        Eigen::Map<matrix<Out, pixels>, Eigen::Aligned64> y(y_at);
        for (int p = 0; p < pixels; p += wide) {
            for (int i = 0; i < wide; ++i)
                for (int row = 0; row < Kernel; ++row)
                    columns.col(i).template segment<run>(row * run) = Eigen::Map<const matrix<run, 1>>(
                        x.at((p + i) / Size * Stride + row - Kernel / 2, (p + i) % Size * Stride - Kernel / 2));
            for (int o = 0; o < Out; o += high) {
                const Eigen::Map<const matrix<high, taps>, Eigen::Aligned64> weight(weights + o * taps);
                matrix<high, wide> sum;
                sum.colwise() = bias.template segment<high>(o);
                for (int k = 0; k < taps; ++k) sum.noalias() += weight.col(k).lazyProduct(columns.row(k));
                y.template block<high, wide>(o, p) = sum;
            }
        }
    }
};

struct resnet18_w16 {
    /// Two 3x3 convolutions and the shortcut, which is a 1x1 convolution where the sizes change.
    template <int In, int Out, int Size>
    struct block {
        static constexpr int stride = In == Out ? 1 : 2;
        convolution<In, Out, 3, stride, Size> first;
        convolution<Out, Out, 3, 1, Size> second;
        struct nothing {
            nothing(const model_weights&, const std::string&, const std::string&) {}
        };
        std::conditional_t<stride == 2, convolution<In, Out, 1, 2, Size>, nothing> shortcut;
        picture<Out, Size, 1> between, result;

        block(const model_weights& t, const std::string& name)
            : first(t, name + "conv1", name + "bn1"), second(t, name + "conv2", name + "bn2"),
              shortcut(t, name + "downsample.0", name + "downsample.1") {}

        template <class Picture>
        const picture<Out, Size, 1>& apply(const Picture& x, float* columns, float* y, float* z) {
            using row = Eigen::Map<const Eigen::Array<float, Size * Out, 1>>;
            first.apply(x, columns, y);
            for (int r = 0; r < Size; ++r) between.row(r) = row(y + r * Size * Out).max(0.f);
            second.apply(between, columns, y);
            if constexpr (stride == 2) shortcut.apply(x, columns, z);
            for (int r = 0; r < Size; ++r) {
                if constexpr (stride == 2) result.row(r) = (row(y + r * Size * Out) + row(z + r * Size * Out)).max(0.f);
                else result.row(r) = (row(y + r * Size * Out) + x.row(r)).max(0.f);
            }
            return result;
        }
    };

    tensor image;
    convolution<3, 16, 7, 2, 32> conv1;
    block<16, 16, 16> layer10, layer11;
    block<16, 32, 8> layer20;
    block<32, 32, 8> layer21;
    block<32, 64, 4> layer30;
    block<64, 64, 4> layer31;
    block<64, 128, 2> layer40;
    block<128, 128, 2> layer41;
    Eigen::Matrix<float, 10, 128> fc;
    Eigen::Matrix<float, 10, 1> fc_bias;
    picture<3, 64, 3> input;
    picture<16, 32, 1> before_pool;
    picture<16, 16, 1> pooled;
    alignas(64) float columns[1152 * 16];
    alignas(64) float y[16 * 1024];
    alignas(64) float z[32 * 64];
    Eigen::Matrix<float, 10, 1> logits;

    explicit resnet18_w16(const resnet18_w16_tensors& t)
        : image(t.image), conv1(t.weights, "conv1", "bn1"), layer10(t.weights, "layer1.0."),
          layer11(t.weights, "layer1.1."), layer20(t.weights, "layer2.0."), layer21(t.weights, "layer2.1."),
          layer30(t.weights, "layer3.0."), layer31(t.weights, "layer3.1."), layer40(t.weights, "layer4.0."),
          layer41(t.weights, "layer4.1."),
          fc(Eigen::Map<const Eigen::Matrix<float, 10, 128, Eigen::RowMajor>>(t.weights["fc.weight"].data())),
          fc_bias(t.weights["fc.bias"].data()) {}

    void operator()() {
        using pixel = Eigen::Map<const Eigen::Array<float, 16, 1>>;
        const Eigen::Map<const Eigen::Matrix<float, 3, 64 * 64, Eigen::RowMajor>> planes(image.data());
        for (int r = 0; r < 64; ++r)
            Eigen::Map<Eigen::Matrix<float, 3, 64>>(input.at(r, 0)) = planes.middleCols<64>(r * 64);
        conv1.apply(input, columns, y);
        for (int r = 0; r < 32; ++r)
            before_pool.row(r) = Eigen::Map<const Eigen::Array<float, 32 * 16, 1>>(y + r * 32 * 16).max(0.f);
        for (int r = 0; r < 16; ++r) { // after a relu, the border's zeros win nowhere; 3 rows first, then 3 columns
            Eigen::Map<Eigen::Array<float, 34 * 16, 1>> tallest(z);
            const auto line = [&](int from) {
                return Eigen::Map<const Eigen::Array<float, 34 * 16, 1>>(before_pool.at(from, -1));
            };
            tallest = line(2 * r - 1).max(line(2 * r)).max(line(2 * r + 1));
            for (int c = 0; c < 16; ++c)
                Eigen::Map<Eigen::Array<float, 16, 1>>(pooled.at(r, c)) =
                    pixel(z + 2 * c * 16).max(pixel(z + (2 * c + 1) * 16)).max(pixel(z + (2 * c + 2) * 16));
        }
        const auto& one = layer11.apply(layer10.apply(pooled, columns, y, z), columns, y, z);
        const auto& two = layer21.apply(layer20.apply(one, columns, y, z), columns, y, z);
        const auto& three = layer31.apply(layer30.apply(two, columns, y, z), columns, y, z);
        const auto& four = layer41.apply(layer40.apply(three, columns, y, z), columns, y, z);
        using row = Eigen::Map<const Eigen::Matrix<float, 128, 2>>;
        const Eigen::Matrix<float, 128, 1> mean =
            (row(four.at(0, 0)).rowwise().sum() + row(four.at(1, 0)).rowwise().sum()) / 4;
        logits = fc_bias;
        logits.noalias() += fc * mean;
    }
    std::span<const float> outputs() const { return {logits.data(), 10}; }
};

} // namespace bench::eigen
