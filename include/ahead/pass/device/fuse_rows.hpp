// SPDX-License-Identifier: MIT
// Reductions of rows and what is computed around them as one task: a softmax, layer norm or rms norm that is written
// out goes through its rows once. A row is what the last dims of a contiguous tensor hold.
// Law: the steps compute what the calls would, in the same dtype, and none is computed twice; a call joins whose
// readers all have joined, so no task is added, and one of them is a reduction that another one reads. What is as constant as the last call, on its stream in its segment,
// joins: reductions of the same rows over all of their dims, and loops and pointwise calls whose operands are rows, one
// number for each row, or the same for groups of rows that follow each other. The rest stays as it is, and so does what
// would be more than max_fused_steps steps or max_fused_operands operands.
#pragma once
#include <ahead/ir/streams.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/rows_of_call.hpp>
#include <ahead/target/op/fused_rows.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class row_fuser {
public:
    constexpr explicit row_fuser(graph_editor& g)
        : g_(g), look_(g.view(), g.operators()), fused_rows_(find_op(g.operators(), device::fused_rows::name)),
          streams_(g.view()) {}

    /// From the last call to the first, since what gives the result decides who may join.
    constexpr void run() {
        for (auto at = g_.view().last(); at.exists() && g_.ok(); at = g_[at].previous) {
            if (look_.is_candidate(g_[at]) && look_.find_rows(at, rows_, most_calls_to_look) && begin(at) &&
                reads_reductions())
                write();
        }
    }

private:
    using code = target::fused_step_code;
    static constexpr std::int32_t most_calls_to_look = 6;

    graph_editor& g_;
    calls_of_rows look_;
    op_id fused_rows_;
    stream_map streams_;
    // The task in the making.
    row_shape rows_;
    std::int32_t members_ = 0, steps_ = 0, numbers_ = 0, reads_ = 0;
    node_id member_[target::max_fused_steps]{}; // readers before their operands, the last call first
    row_read read_[target::max_fused_operands + target::max_fused_operands]{};

    constexpr node_id root() const { return member_[0]; }
    constexpr bool is_member(node_id id) const {
        for (std::int32_t m = 0; m < members_; ++m)
            if (member_[m] == id) return true;
        return false;
    }
    /// Whether a reduction is read by other members: else there is nothing that a row would have to stay near for.
    constexpr bool reads_reductions() const {
        bool any = false;
        for (std::int32_t m = 1; m < members_; ++m) any = any || look_.is_reduction(g_[member_[m]]);
        return any;
    }
    /// A task that gives the call's result, with all that it can take; false where the call is none of these rows'.
    constexpr bool begin(node_id id) {
        members_ = steps_ = numbers_ = reads_ = 0;
        if (rows_.kind_of(g_.type_of(id)) == row_kind::none || !take(id)) return false;
        for (bool more = true; more;) { // what was not read by members alone may be by now
            more = false;
            for (std::int32_t k = 0; k < reads_ && !more; ++k) more = may_join(read_[k]) && take({read_[k].node});
        }
        return true;
    }
    constexpr bool may_join(const row_read& operand) const {
        const node_id id{operand.node};
        const auto& n = g_[id];
        if (!look_.is_candidate(n) || n.constant != g_[root()].constant || !streams_.together(id, root())) return false;
        const auto kind = rows_.kind_of(g_.type_of(id));
        if (kind == row_kind::none || operand.wide != (kind == row_kind::full)) return false;
        for (auto use = n.first_use; use.exists(); use = g_.view()[use].next_use)
            if (!is_member(g_.view()[use].owner)) return false;
        std::int32_t readings = 0; // in more ways than one
        for (std::int32_t k = 0; k < reads_; ++k) readings += read_[k].node == operand.node;
        return readings == 1;
    }
    /// How a call reads a value; node -1: not row by row.
    constexpr row_read read_of(node_id id, std::int32_t node, std::int32_t result) const {
        row_read out{node, result, false};
        if (!rows_.is_read(g_.type_of(id), look_.is_reduction(g_[id]), g_.type_of({node}, result), out.wide))
            out.node = -1;
        return out;
    }
    /// Makes the call a member, if its operands are rows and that is not too much.
    constexpr bool take(node_id id) {
        const auto own = look_.size_of(id);
        if (steps_ + own.steps > target::max_fused_steps || numbers_ + own.numbers > code::max_constants) return false;
        const auto before = reads_;
        const auto& n = g_[id];
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(id, i);
            if (a.kind != argument_kind::node) continue;
            const auto mine = read_of(id, static_cast<std::int32_t>(a.bits), a.result);
            if (mine.node < 0) {
                reads_ = before;
                return false;
            }
            std::int32_t k = 0;
            while (k < reads_ && !(read_[k] == mine)) ++k;
            if (k == reads_) read_[reads_++] = mine;
        }
        std::int32_t still_read = reads_;
        for (std::int32_t k = 0; k < reads_; ++k) still_read -= read_[k].node == id.index;
        if (still_read > target::max_fused_operands) {
            reads_ = before;
            return false;
        }
        still_read = 0;
        for (std::int32_t k = 0; k < reads_; ++k)
            if (read_[k].node != id.index) read_[still_read++] = read_[k];
        reads_ = still_read;
        member_[members_++] = id;
        steps_ += own.steps;
        numbers_ += own.numbers;
        return true;
    }
    /// The last call becomes the task, and the others go.
    constexpr void write() {
        pointwise_program all;
        std::int32_t step_of[target::max_fused_steps]{}; // by member: which step its result is
        std::int64_t reductions = 0, wide = 0;
        for (auto m = members_; m-- > 0;) {
            if (look_.is_reduction(g_[member_[m]])) reductions |= std::int64_t{1} << all.steps;
            add(all, m, step_of);
        }
        g_.become(root(), fused_rows_, device::fused_rows::a0 + reads_ + 1);
        for (std::int32_t k = 0; k < reads_; ++k) {
            wide |= std::int64_t{read_[k].wide} << k;
            g_.set_operand(root(), device::fused_rows::a0 + k, read_[k].node, read_[k].result);
        }
        const std::int64_t numbers[] = {rows_.rows, rows_.count, wide, reductions};
        for (std::int32_t i = 0; i < 4; ++i)
            g_.set(root(), g_[root()].arguments.first + i, argument_kind::integer, numbers[i]);
        all.write(g_, root(), device::fused_rows::a0 + reads_, "program");
        for (std::int32_t m = 1; m < members_; ++m) g_.erase_node(member_[m]);
    }
    /// Adds the steps of a member, whose operands among the members were added.
    constexpr void add(pointwise_program& all, std::int32_t member, std::int32_t* step_of) const {
        const auto id = member_[member];
        const auto own = look_.program_of(id);
        const auto before = all.steps, constants = all.constants;
        const auto again = [&](std::int32_t what) -> std::int32_t { // what a step reads, as the task's program says it
            if (what >= code::first_constant) return what + constants;
            if (what >= code::first_step) return what + before;
            if (what < code::first_operand) return what;
            const auto& operand = own.operand[what - code::first_operand];
            for (auto m = member + 1; m < members_; ++m)
                if (member_[m].index == operand.node) return code::first_step + step_of[m];
            const auto mine = read_of(id, operand.node, operand.result);
            std::int32_t k = 0;
            while (!(read_[k] == mine)) ++k;
            return code::first_operand + k;
        };
        for (std::int32_t s = 0; s < own.steps; ++s) {
            const auto& one = own.codes[s];
            auto& made = all.codes[all.steps++];
            made.begin(one.op(), one.parameters());
            for (int i = 0; i < one.parameters(); ++i) made.refer(i, again(one.what(i)));
        }
        for (std::int32_t k = 0; k < own.constants; ++k) all.constant_at[all.constants++] = own.constant_at[k];
        step_of[member] = all.steps - 1;
    }
};

} // namespace detail

struct fuse_rows_pass {
    static constexpr std::string_view name = "fuse_rows";
    static constexpr choice config::* option = &config::fuse_rows;

    static constexpr bool applies(graph_view g, op_table ops) {
        const auto reduce = find_op(ops, device::reduce::name).index;
        const node* nodes = g.nodes().data();
        for (auto at = g.first().index; reduce >= 0 && at >= 0; at = nodes[at].next.index)
            if (nodes[at].op.index == reduce) return true;
        return false;
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        if (applies(g.view(), g.operators())) detail::row_fuser(g).run();
    }
};
inline constexpr fuse_rows_pass fuse_rows;

} // namespace ahead::pass
