// SPDX-License-Identifier: MIT
// Restores a call that torch.export's run_decompositions() decomposed, where that call has kernels of its own: products
// of more than two dims (recompose/products.hpp), attention (recompose/attention.hpp) and the steps of recurrent
// networks (recompose/recurrences.hpp), leaky_relu (recompose/activations.hpp), losses of pairs (recompose/losses.hpp),
// borders (recompose/pads.hpp), resizing (recompose/resizes.hpp).
// Law: the restored call means what PyTorch's call means; the graph returns the same dtypes and sizes.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/pass/recompose/activations.hpp>
#include <ahead/pass/recompose/attention.hpp>
#include <ahead/pass/recompose/losses.hpp>
#include <ahead/pass/recompose/pads.hpp>
#include <ahead/pass/recompose/products.hpp>
#include <ahead/pass/recompose/recurrences.hpp>
#include <ahead/pass/recompose/resizes.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

/// Composers, in the order in which they run.
template <class... Composer> struct composer_list {
    static constexpr bool applies(const called_operators& called) { return (Composer::applies(called) || ...); }
    static constexpr void compose(auto& g) { (Composer::compose(g), ...); }
};

} // namespace detail

struct recompose_pass {
    using composers = detail::composer_list<detail::activations, detail::losses, detail::pads, detail::resizes,
                                            detail::products, detail::attention, detail::recurrences>;
    static constexpr std::string_view name = "recompose";
    static constexpr toggle config::* option = &config::recompose;

    static constexpr bool applies(graph_view g, op_table ops) { return composers::applies({g, ops}); }
    constexpr void operator()(auto& g, const config&) const {
        const auto before = g.changes();
        composers::compose(g);
        if (g.changes() != before) g.eliminate_dead_code(); // unread calls remain; later passes count readers
    }
};
inline constexpr recompose_pass recompose;

} // namespace ahead::pass
