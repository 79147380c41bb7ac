// SPDX-License-Identifier: MIT
// gpt_block, two blocks on two sequences of 12 tokens, as an Eigen expert writes it: columns of the embeddings added,
// the mask made to a term of the scores ahead, two blocks (transformer.hpp), one product for the logits.
#pragma once
#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "transformer.hpp"
#include "weights.hpp"

namespace bench::eigen {

struct gpt_block {
    using block = transformer_block<2, 12, 32, 4, 64, true>;

    matrix<32, 64> tokens; // a column for each
    matrix<32, 16> positions;
    block first, second;
    layer_norm<32> norm;
    matrix<64, 32> head;
    std::array<int, 24> ids;
    matrix<32, 24> x, normed;
    matrix<64, 24> logits;

    explicit gpt_block(const gpt_block_tensors& t)
        : tokens(t.weights["tok.weight"].data()), positions(t.weights["pe.weight"].data()), first(t.weights, "l1."),
          second(t.weights, "l2."), norm(t.weights, "norm", 1e-5f),
          head(Eigen::Map<const rows_of<64, 32>>(t.weights["head.weight"].data())) {
        for (int query = 0; query < 12; ++query)
            for (int key = 0; key < 12; ++key)
                first.mask(key, query) = t.weights["mask"][static_cast<std::size_t>(query * 16 + key)] == 0
                                             ? -std::numeric_limits<float>::infinity()
                                             : 0;
        second.mask = first.mask;
        for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int>(t.tokens[i]);
    }

    void operator()() {
        for (int i = 0; i < 24; ++i) x.col(i) = tokens.col(ids[static_cast<std::size_t>(i)]) + positions.col(i % 12);
        first.apply(x);
        second.apply(x);
        norm.apply(x, normed);
        logits.noalias() = head * normed;
    }
    std::span<const float> outputs() const { return {logits.data(), 24 * 64}; }
};

} // namespace bench::eigen
