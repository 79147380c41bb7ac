// SPDX-License-Identifier: MIT
// Which calls of a graph are alike: of one operator, with equal attributes, on operands and to results of equal types.
// Whatever is computed from these alone, keys and needs, is computed once for all of them. Called by
// program/plan_stages.hpp on device graphs, in program order.
// Invariant: calls that are said to be alike are; of those that are not said to be, some may be, because only recent
// ones are compared.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::npu {

class call_classes {
public:
    constexpr call_classes(graph_view g, std::int64_t operators)
        : g_(g), type_of_(g.header().used.values), types_(g.header().used.values), newest_(operators),
          older_(g.header().used.nodes), nodes_(g.node_pool()), number_(type_of_.data()) {}

    /// The first of the nodes added so far that is the same call; `id` itself where there is none.
    constexpr node_id add(node_id id) {
        const auto& n = g_[id];
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) number_[v] = number_of_type(v);
        if (n.kind != node_kind::call) return id;
        auto& newest = newest_[n.op.index]; // + 1; 0: none
        auto candidate = newest;
        for (int compared = 0; candidate != 0 && compared < most_compared; ++compared) {
            if (are_alike(n, g_[node_id{candidate - 1}])) return {candidate - 1};
            candidate = older_[candidate - 1];
        }
        older_[id.index] = newest;
        newest = id.index + 1;
        return id;
    }

private:
    static constexpr int most_compared = 16;

    graph_view g_;
    fixed_buffer<std::int32_t> type_of_; // by value: the number of its type
    fixed_buffer<std::int32_t> types_;   // by number: a value of that type
    std::int32_t type_count_ = 0;
    fixed_buffer<std::int32_t> newest_; // by operator: the last class of it
    fixed_buffer<std::int32_t> older_;  // by node: the class of its operator before it
    const node* nodes_;                 // of g_
    std::int32_t* number_;              // in type_of_

    constexpr std::int32_t number_of_type(std::int32_t v) {
        const auto& type = g_[value_id{v}].type;
        const auto oldest = type_count_ > most_compared ? type_count_ - most_compared : 0;
        for (auto i = type_count_; i > oldest; --i)
            if (g_[value_id{types_[i - 1]}].type == type) return i - 1;
        types_[type_count_] = v;
        return type_count_++;
    }
    /// So many arguments from x and from y on. Texts are looked at where there are some, which is rare.
    constexpr bool same(const argument* x, const argument* y, std::int32_t count) const {
        for (; count > 0; --count, ++x, ++y) {
            if (x->kind != y->kind) return false;
            if (x->kind == argument_kind::none) continue;
            if (x->kind == argument_kind::node) { // of one type
                if (number_[nodes_[x->bits].values.first + x->result] !=
                    number_[nodes_[y->bits].values.first + y->result])
                    return false;
            } else if (x->bits != y->bits) return false;
            if (x->keyword.size() + y->keyword.size() > 0 && !same_name(x->keyword, y->keyword)) return false;
            if (x->kind <= argument_kind::boolean) continue;
            if (x->text.size() + y->text.size() > 0 && !same_name(x->text, y->text)) return false;
            const auto &mine = x->children, &its = y->children;
            if (mine.count != its.count) return false;
            if (mine.count > 0 && !same(&g_[mine[0]], &g_[its[0]], mine.count)) return false;
        }
        return true;
    }
    constexpr bool are_alike(const node& a, const node& b) const {
        if (a.arguments.count != b.arguments.count || a.values.count != b.values.count) return false;
        const argument* all = g_.argument_pool();
        if (!same(all + a.arguments.first, all + b.arguments.first, a.arguments.count)) return false;
        for (std::int32_t k = 0; k < a.values.count; ++k)
            if (number_[a.values.first + k] != number_[b.values.first + k]) return false;
        return true;
    }
};

} // namespace ahead::npu
