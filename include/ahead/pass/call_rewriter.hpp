// SPDX-License-Identifier: MIT
// Calls that become other calls where they stand: another operator, with arguments of its own, that gives the same
// results. What fusing does: nobody's operands change, and nothing is typed again.
// Invariant: lists of uses are exact after each function; n has its new arguments, None until they are set. Made by
// graph_editor::rewriter(), for the passes in pass/device/.
#pragma once
#include <ahead/ir/edit.hpp>
#include <ahead/ir/op.hpp>
#include <utility>

namespace AHEAD_NAMESPACE {

class call_rewriter {
public:
    constexpr call_rewriter(graph g, op_table ops, std::int32_t& changes, diagnosis& d)
        : g_(g), ops_(ops), changes_(&changes), d_(&d) {}

    constexpr bool ok() const { return d_->ok(); }

    /// n calls another operator instead, with so many arguments, None as yet: set_operand, set_list and set fill them
    /// in. Its results stay as they are: who rewrites so has seen to their types.
    constexpr void become(node_id n, op_id op, std::int32_t arguments) {
        if (!ok()) return;
        auto& mine = g_[n];
        detail::release_arguments(g_, mine.arguments);
        mine.op = op;
        mine.target = ops_[static_cast<std::size_t>(op.index)].name;
        static_cast<void>(reserve_arguments(g_, arguments, mine.arguments, *d_));
        ++*changes_;
    }
    /// The same with another node's operator and arguments, which has none from then on; `arguments` of them, the ones
    /// behind its own None.
    constexpr void become(node_id n, node_id other, std::int32_t arguments) {
        if (!ok()) return;
        auto &mine = g_[n], &its = g_[other];
        detail::release_arguments(g_, mine.arguments);
        mine.op = its.op;
        mine.target = its.target;
        mine.arguments = its.arguments;
        argument* all = g_.arguments().data();
        if (its.arguments.count < arguments) {
            if (!reserve_arguments(g_, arguments, mine.arguments, *d_)) return;
            for (std::int32_t i = 0; i < its.arguments.count; ++i) {
                const argument_id from = its.arguments[i];
                auto moved = all[from.index];
                if (moved.kind == argument_kind::node) detail::unlink_use(g_, from);
                all[from.index] = {};
                detail::place_argument(all, g_.node_pool(), mine.arguments[i], moved);
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
    /// Argument i of n, which is None: a result of another node.
    constexpr void set_operand(node_id n, std::int32_t i, std::int32_t operand, std::int32_t result) {
        if (!ok()) return;
        argument a = none; // copied, which costs constant evaluation half of what making one does
        a.kind = argument_kind::node;
        a.result = result;
        a.bits = operand;
        a.owner = n;
        detail::place_argument(g_.argument_pool(), g_.node_pool(), {g_.node_pool()[n.index].arguments.first + i}, a);
    }
    /// Argument i of n, which is None, or another list that nobody needs: a list of so many entries. Returns the
    /// first's place, which set() takes.
    constexpr std::int32_t set_list(node_id n, std::int32_t i, std::int32_t entries, std::string_view keyword) {
        if (!ok()) return 0;
        id_range<argument_id> reserved;
        static_cast<void>(reserve_arguments(g_, entries, reserved, *d_));
        set_list(n, i, reserved, keyword);
        return reserved.first;
    }
    /// The same of entries that take_list() took from another argument of n.
    constexpr void set_list(node_id n, std::int32_t i, id_range<argument_id> entries, std::string_view keyword) {
        auto& mine = g_.argument_of(g_[n], i);
        mine.kind = argument_kind::list;
        mine.keyword = keyword;
        mine.children = entries;
    }
    /// The entries of argument i of n, a list that is None from then on.
    constexpr id_range<argument_id> take_list(node_id n, std::int32_t i) {
        auto& mine = g_.argument_of(g_[n], i);
        mine.kind = argument_kind::none;
        return std::exchange(mine.children, {});
    }
    /// A number, at a place of a list's.
    constexpr void set(std::int32_t place, argument_kind kind, std::int64_t bits) {
        auto& mine = g_.argument_pool()[place];
        mine.kind = kind;
        mine.bits = bits;
    }
    /// Argument i of n, which is None: an integer, by name.
    constexpr void set_integer(node_id n, std::int32_t i, std::int64_t number, std::string_view keyword) {
        if (!ok()) return;
        set(g_[n].arguments[i].index, argument_kind::integer, number);
        g_.argument_of(g_[n], i).keyword = keyword;
    }
    /// n, which has one result, has so many more behind it: replace_by_result says what each is.
    constexpr void add_results(node_id n, std::int32_t more) {
        if (!ok()) return;
        const auto before = g_[n].values[0];
        if (!reserve_values(g_, n, std::int64_t{more} + 1, *d_)) return;
        move_storage(n, before, 0, n);
    }
    /// Whoever reads `from`, which has one result, reads result k of n instead, which is the same.
    constexpr void replace_by_result(node_id from, node_id n, std::int32_t k) {
        if (!ok()) return;
        move_storage(from, g_[from].values[0], k, n);
        replace_all_uses(g_, from, n, k);
    }
    /// n is called as `like` is, and comes from where that does.
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

    /// Result k of n is what the value was that `readers` reads, and so are the views of that.
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

} // namespace ahead
