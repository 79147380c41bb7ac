// SPDX-License-Identifier: MIT
// Rewrites calls once their operands are typed: readers of host numbers, vmap's markers and the calls between them,
// flex_attention, and calls that torch.autocast computes in another dtype. Called by bind_symbols.hpp.
// Invariant: a call is examined once all nodes before it are typed.
#pragma once
#include <ahead/legalize/higher_order/autocast.hpp>
#include <ahead/legalize/higher_order/batched_calls.hpp>
#include <ahead/legalize/higher_order/flex_attention.hpp>
#include <ahead/legalize/host/host_numbers.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Laws: for a text with known operators only, just host numbers are handled.
template <class Laws> class typed_rewrites {
public:
    constexpr typed_rewrites(graph g, op_table ops, host_numbers& numbers, fixed_buffer<autocast_mode>& modes,
                             bool has_batches, diagnosis& d)
        : g_(g), ops_(ops), d_(d), numbers_(numbers), modes_(modes), batches_(g, ops, d, has_batches),
          has_numbers_(numbers.exist()), has_batches_(has_batches) {}

    constexpr bool concerns(node_id id) const {
        if (has_numbers_ && numbers_.concerns(id)) return true;
        if constexpr (!Laws::are_any) return false;
        else return batches_.concerns(id) || casts(id) || (has_batches_ && is_call_of(g_[id], flex_attention));
    }
    /// first: the first node that needs typing; next: the next node to examine.
    constexpr bool rewrite(node_id id, node_id& first, node_id& next) {
        if constexpr (!Laws::are_any) return numbers_.rewrite(id, first);
        else return rewrite_any(id, first, next);
    }

private:
    graph g_;
    op_table ops_;
    diagnosis& d_;
    host_numbers& numbers_;
    fixed_buffer<autocast_mode>& modes_; // by node
    batched_calls<call_editor> batches_;
    bool has_numbers_, has_batches_;

    constexpr bool casts(node_id id) const { return modes_.size() > 0 && modes_[id.index].exists(); }
    constexpr bool rewrite_any(node_id id, node_id& first, node_id& next) {
        if (is_call_of(g_[id], flex_attention)) {
            const bool ok = flex_attention_call(g_, ops_, id, d_).write_out(first);
            next = first;
            return ok;
        }
        if (has_numbers_ && numbers_.concerns(id)) return numbers_.rewrite(id, first);
        if (batches_.concerns(id)) return batches_.rewrite(id, first);
        call_editor edit{g_, ops_, d_, id};
        const auto mode = modes_[id.index];
        modes_[id.index] = {};
        const bool ok = autocast(edit).cast_operands(id, mode);
        first = edit.first;
        return ok;
    }
};

} // namespace ahead::detail
