// SPDX-License-Identifier: MIT
// Which calls of a graph are alike: they have the same operator, equal attributes, and operands and results of equal
// types. Keys, needs and kernels, which depend only on these, are computed once for all alike calls. Called by
// compile/plan_stages.hpp on device graphs, in program order.
// Invariant: two calls are reported as alike if and only if they are; each is compared with about one other.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/op.hpp>
#include <array>

namespace AHEAD_NAMESPACE::compile {

class equal_calls {
public:
    constexpr explicit equal_calls(graph_view g)
        : g_(g), numbers_(g.header().used.values), types_(slots_for(g.header().used.values)),
          calls_(slots_for(g.header().used.nodes)), nodes_(g.node_pool()), number_(numbers_.data()) {}

    /// The first node added so far that is alike; `id` itself if there is none.
    constexpr node_id add(node_id id) {
        const auto& n = g_[id];
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) number_[v] = number_of_type(v);
        if (n.kind != node_kind::call) return id;
        const auto mask = calls_.size() - 1;
        auto* all = calls_.data();
        for (auto slot = slot_of(hash(n)) & mask;; slot = (slot + 1) & mask) {
            if (all[slot] == 0) {
                all[slot] = id.index + 1;
                return id;
            }
            const auto& other = nodes_[all[slot] - 1];
            if (other.op.index == n.op.index && are_alike(n, other)) return {all[slot] - 1};
        }
    }

private:
    static constexpr std::uint64_t factor = 0x9E3779B97F4A7C15; // 2^64 over the golden ratio

    graph_view g_;
    fixed_buffer<std::int32_t> numbers_; // by value: the first value of its type
    fixed_buffer<std::int32_t> types_;   // by hash, at most half full: the first value of a type, + 1; 0: none
    fixed_buffer<std::int32_t> calls_;   // by hash, at most half full: the first call of a class, + 1
    const node* nodes_;                  // of g_
    std::int32_t* number_;               // in numbers_

    static constexpr std::int64_t slots_for(std::int64_t count) {
        std::int64_t slots = 2;
        while (slots < 2 * count) slots *= 2;
        return slots;
    }
    static constexpr std::int64_t slot_of(std::uint64_t hash) { return static_cast<std::int64_t>(hash >> 32); }

    constexpr std::int32_t number_of_type(std::int32_t v) {
        const auto& type = g_[value_id{v}].type;
        std::uint64_t h = (static_cast<std::uint64_t>(type.type) + 64 * std::uint64_t{type.rank}) * factor;
        const auto* strides = type.strides.at;
        for (int d = 0; d < type.rank; ++d) {
            h = (h ^ static_cast<std::uint64_t>(type.size(d))) * factor;
            h = (h ^ h >> 32 ^ static_cast<std::uint64_t>(strides[d])) * factor;
        }
        const auto mask = types_.size() - 1;
        auto* all = types_.data();
        for (auto slot = slot_of(h) & mask;; slot = (slot + 1) & mask) {
            if (all[slot] == 0) {
                all[slot] = v + 1;
                return v;
            }
            if (g_[value_id{all[slot] - 1}].type == type) return all[slot] - 1;
        }
    }
    constexpr std::int32_t number_of(const argument& a) const {
        return number_[nodes_[a.bits].values.first + a.result];
    }
    /// A hash of the parts that `same` compares and that differ most often.
    constexpr std::uint64_t hash(const node& n) const {
        auto h = static_cast<std::uint64_t>(n.op.index);
        const argument* all = g_.argument_pool();
        const auto* end = all + n.arguments.first + n.arguments.count;
        for (const auto* a = all + n.arguments.first; a != end; ++a) {
            h = (h ^ h >> 32 ^ static_cast<std::uint64_t>(a->kind == argument_kind::node ? number_of(*a) : a->bits)) *
                factor;
            const auto children = a->children;
            for (auto k = children.first; k < children.first + children.count; ++k)
                if (all[k].kind != argument_kind::node) h = (h ^ static_cast<std::uint64_t>(all[k].bits)) * factor;
        }
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
            h = (h ^ static_cast<std::uint64_t>(number_[v])) * factor;
        return h;
    }
    /// Compares `count` arguments from x and y on. Texts are compared if there are some, which is rare.
    constexpr bool same(const argument* x, const argument* y, std::int32_t count) const {
        for (; count > 0; --count, ++x, ++y) {
            if (x->kind != y->kind) return false;
            if (x->kind == argument_kind::none) continue;
            if (x->kind == argument_kind::node) { // of one type
                if (number_of(*x) != number_of(*y)) return false;
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

/// For each node of a graph, the first that is alike: itself if there is none before it.
template <std::int32_t Nodes>
constexpr std::array<std::int32_t, static_cast<std::size_t>(Nodes)> list_alike(graph_view g) {
    std::array<std::int32_t, static_cast<std::size_t>(Nodes)> out{};
    equal_calls classes(g);
    for (node_id id : g) out[static_cast<std::size_t>(id.index)] = classes.add(id).index;
    return out;
}

} // namespace ahead::compile
