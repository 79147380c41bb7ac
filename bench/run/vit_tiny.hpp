// SPDX-License-Identifier: MIT
// vit_tiny on 2x3x32x32, as an Eigen expert writes it: patches side by side as columns, one product; class token,
// positions and the patches' bias added up ahead; two blocks (transformer.hpp); at the end only the class tokens are
// normalised, since only they are read.
#pragma once
#include <Eigen/Core>

#include <array>
#include <span>

#include "transformer.hpp"
#include "weights.hpp"

namespace bench::eigen {

struct vit_tiny {
    using block = transformer_block<2, 17, 48, 4, 96, false>;

    matrix<48, 192> patch;
    matrix<48, 17> start; // what every token starts from
    block first, second;
    layer_norm<48> norm;
    linear<10, 48> head;
    std::array<float, 2 * 3 * 32 * 32> images;
    matrix<192, 16> columns;
    matrix<48, 34> x;
    matrix<48, 2> classes;
    matrix<10, 2> logits;

    explicit vit_tiny(const vit_tiny_tensors& t)
        : patch(Eigen::Map<const rows_of<48, 192>>(t.weights["patch.weight"].data())), start(t.weights["pos"].data()),
          first(t.weights, "l1."), second(t.weights, "l2."), norm(t.weights, "norm", 1e-6f), head(t.weights, "head") {
        start.col(0) += Eigen::Map<const vector<48>>(t.weights["cls"].data());
        start.rightCols<16>().colwise() += Eigen::Map<const vector<48>>(t.weights["patch.bias"].data());
        std::copy(t.images.begin(), t.images.end(), images.begin());
    }

    void operator()() {
        for (int b = 0; b < 2; ++b) {
            for (int p = 0; p < 16; ++p)
                for (int row = 0; row < 24; ++row) // 3 channels of 8 rows
                    columns.col(p).segment<8>(row * 8) = Eigen::Map<const vector<8>>(
                        images.data() + ((b * 3 + row / 8) * 32 + p / 4 * 8 + row % 8) * 32 + p % 4 * 8);
            x.middleCols<17>(b * 17) = start;
            x.middleCols<16>(b * 17 + 1).noalias() += patch * columns;
        }
        first.apply(x);
        second.apply(x);
        classes.col(0) = x.col(0);
        classes.col(1) = x.col(17);
        norm.apply(classes, classes);
        head.apply(classes, logits);
    }
    std::span<const float> outputs() const { return {logits.data(), 20}; }
};

} // namespace bench::eigen
