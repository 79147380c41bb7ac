// SPDX-License-Identifier: MIT
// Turns a call in place into a call of another operator, with other arguments, that gives the same results. Used for
// fusion: the operands of other calls do not change, and no type is inferred again.
// Invariant: use lists are exact after each function; the new arguments of n are None until they are set. Made by
// graph_editor::rewriter(), for the passes in pass/device/.
#pragma once
#include <ahead/ir/edit.hpp>
#include <ahead/ir/op.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::pass {

class call_rewriter {
public:
    constexpr call_rewriter(graph g, op_table ops, std::int32_t& changes, diagnosis& d)
        : g_(g), ops_(ops), changes_(&changes), d_(&d) {}

    constexpr bool ok() const { return d_->ok(); }

    /// Makes n a call of another operator with the given number of arguments, all None; set_operand, set_list and set
    /// fill them in. The results of n stay as they are: the caller guarantees that their types are right.
    constexpr void become(node_id n, op_id op, std::int32_t arguments) {
        if (!ok()) return;
        auto& mine = g_[n];
        ahead::detail::release_arguments(g_, mine.arguments);
        mine.op = op;
        mine.target = ops_[static_cast<std::size_t>(op.index)].name;
        static_cast<void>(reserve_arguments(g_, arguments, mine.arguments, *d_));
        ++*changes_;
    }
    /// As above, with the operator and arguments moved from `other`, which has no arguments afterwards. If `arguments`
    /// exceeds their number, the remaining ones are None.
    constexpr void become(node_id n, node_id other, std::int32_t arguments) {
        if (!ok()) return;
        auto &mine = g_[n], &its = g_[other];
        ahead::detail::release_arguments(g_, mine.arguments);
        mine.op = its.op;
        mine.target = its.target;
        mine.arguments = its.arguments;
        argument* all = g_.arguments().data();
        if (its.arguments.count < arguments) {
            if (!reserve_arguments(g_, arguments, mine.arguments, *d_)) return;
            for (std::int32_t i = 0; i < its.arguments.count; ++i) {
                const argument_id from = its.arguments[i];
                auto moved = all[from.index];
                if (moved.kind == argument_kind::node) ahead::detail::unlink_use(g_, from);
                all[from.index] = {};
                ahead::detail::place_argument(all, g_.node_pool(), mine.arguments[i], moved);
            }
        }
        its.arguments = {};
        for (auto i = mine.arguments.first; i < mine.arguments.first + mine.arguments.count; ++i) {
            all[i].owner = n;
            const auto& children = all[i].children;
            for (auto k = children.first; k < children.first + children.count; ++k)
                if (all[k].kind == argument_kind::node) all[k].owner = n;
        }
        ++*changes_;
    }
    /// Sets argument i of n, which is None, to a result of another node.
    constexpr void set_operand(node_id n, std::int32_t i, std::int32_t operand, std::int32_t result) {
        if (!ok()) return;
        argument a = none; // copying costs constant evaluation half as much as construction
        a.kind = argument_kind::node;
        a.result = result;
        a.bits = operand;
        a.owner = n;
        ahead::detail::place_argument(g_.argument_pool(), g_.node_pool(), {g_.node_pool()[n.index].arguments.first + i},
                                      a);
    }
    /// Makes argument i of n, which is None or a list that is not needed any more, a list of `entries` entries. Returns
    /// the place of the first entry, for set().
    constexpr std::int32_t set_list(node_id n, std::int32_t i, std::int32_t entries, std::string_view keyword) {
        if (!ok()) return 0;
        id_range<argument_id> reserved;
        static_cast<void>(reserve_arguments(g_, entries, reserved, *d_));
        set_list(n, i, reserved, keyword);
        return reserved.first;
    }
    /// The same with entries that take_list() took from another argument of n.
    constexpr void set_list(node_id n, std::int32_t i, id_range<argument_id> entries, std::string_view keyword) {
        auto& mine = g_.argument_of(g_[n], i);
        mine.kind = argument_kind::list;
        mine.keyword = keyword;
        mine.children = entries;
    }
    /// Returns the entries of argument i of n, a list, and sets the argument to None.
    constexpr id_range<argument_id> take_list(node_id n, std::int32_t i) {
        auto& mine = g_.argument_of(g_[n], i);
        mine.kind = argument_kind::none;
        return std::exchange(mine.children, {});
    }
    /// Sets the list entry at `place` to a number.
    constexpr void set(std::int32_t place, argument_kind kind, std::int64_t bits) {
        auto& mine = g_.argument_pool()[place];
        mine.kind = kind;
        mine.bits = bits;
    }
    /// Sets argument i of n, which is None, to an integer: by keyword, unless positional arguments follow it.
    constexpr void set_integer(node_id n, std::int32_t i, std::int64_t number, std::string_view keyword) {
        if (!ok()) return;
        set(g_[n].arguments[i].index, argument_kind::integer, number);
        if (i + 1 == g_[n].arguments.count) g_.argument_of(g_[n], i).keyword = keyword;
    }
    /// Adds `more` results to n, which has one; replace_by_result defines each.
    constexpr void add_results(node_id n, std::int32_t more) {
        if (!ok()) return;
        const auto before = g_[n].values[0];
        if (!reserve_values(g_, n, std::int64_t{more} + 1, *d_)) return;
        move_storage(n, before, 0, n);
    }
    /// Makes all readers of `from`, which has one result, read result k of n, which is equal.
    constexpr void replace_by_result(node_id from, node_id n, std::int32_t k) {
        if (!ok()) return;
        move_storage(from, g_[from].values[0], k, n);
        replace_all_uses(g_, from, n, k);
    }
    /// Gives n the name and source location of `like`.
    constexpr void rename(node_id n, node_id like) {
        g_[n].name = g_[like].name;
        g_[n].from = g_[like].from;
    }

private:
    static constexpr argument none{};
    graph g_;
    op_table ops_;
    std::int32_t* changes_;
    diagnosis* d_;

    /// Gives result k of n, as its own storage, the type of `before`, a value that `readers` makes, and makes it the
    /// storage of all views of `before`.
    constexpr void move_storage(node_id readers, value_id before, std::int32_t k, node_id n) {
        const auto now = g_[n].values[k];
        g_[now] = {value_kind::tensor, g_[before].type, now};
        move_views(readers, before, now);
    }
    constexpr void move_views(node_id of, value_id before, value_id now) {
        for (auto use = g_[of].first_use; use.exists(); use = g_[use].next_use) {
            const auto reader = g_[use].owner;
            bool is_view = false;
            for (auto v = g_[reader].values.first; v < g_[reader].values.first + g_[reader].values.count; ++v) {
                auto& storage = g_[value_id{v}].storage;
                if (storage != before) continue;
                storage = now;
                is_view = true;
            }
            if (is_view) move_views(reader, before, now);
        }
    }
};

} // namespace ahead::pass
