// SPDX-License-Identifier: MIT
// Turns a batch of products with one matrix, from a decomposed product of more than two dims, into one product of all
// rows of the batch.
// Law: the same sums. The right operand is one matrix for the whole batch; if the batch is one, it is an input or a
// weight of two dims.
#pragma once
#include <ahead/pass/recompose/value_reader.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class product_composer : value_reader {
public:
    constexpr explicit product_composer(Editor& g) : value_reader(g) {}

    constexpr void run() {
        for (node_id n : g_.find_nodes("aten.bmm.default"))
            if (g_.ok() && has_one_matrix(n)) write(n);
    }

private:
    constexpr bool has_one_matrix(node_id n) const {
        const auto& b = g_.view().value_of(g_.argument_of(n, 1)).type;
        return is_floating(b.type) && element_count(type_of(n)) > 0 && b.size(1) > 0 &&
               (b.size(0) == 1 ? is_matrix(owner_of(g_.view(), g_.argument_of(n, 1))) : b.stride(0) == 0);
    }
    /// Excludes the keys and values of attention, which are batches of matrices.
    constexpr bool is_matrix(node_id n) const { return g_[n].kind != node_kind::call && type_of(n).rank == 2; }
    constexpr void write(node_id n) {
        const auto sizes = sizes_of(type_of(n));
        g_.inserting_before(n);
        const auto rows =
            g_.call("aten.reshape.default",
                    {g_.argument_of(n, 0), int_list{sizes[0] * sizes[1], type_of(g_.operand(n, 0)).size(2)}});
        const auto matrix = g_.call("aten.select.int", {g_.argument_of(n, 1), 0, 0});
        const auto product = g_.call("aten.mm.default", {rows, matrix});
        g_.replace_node(n, argument::of(g_.call("aten.view.default", {product, sizes})));
    }
};

struct products {
    static constexpr bool applies(const called_operators& called) { return called.has("aten.bmm.default"); }
    static constexpr void compose(auto& g) { product_composer(g).run(); }
};

} // namespace ahead::pass::detail
