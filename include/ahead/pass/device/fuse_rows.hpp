// SPDX-License-Identifier: MIT
// Reductions of rows and what is computed around them as one task: a softmax, layer norm or rms norm that is written
// out goes through its rows once. A row is what the last dims of a contiguous tensor hold.
// Law: the steps compute what the calls would, to the bit, and none twice. From the call that gives the result on, a
// call joins whose readers all have, so no task is added; one of them is a reduction that another one reads. What joins
// is as constant as that call, and on its stream in its segment: reductions of the same rows, over all of their dims,
// and loops and pointwise calls whose operands are rows, a number for each row, or the same again after some rows. The
// rest stays as it is, as does what would be more than max_fused_steps steps or max_fused_operands operands.
#pragma once
#include <ahead/ir/streams.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/pointwise_program.hpp>
#include <ahead/pass/device/row_shape.hpp>
#include <ahead/target/op/fused.hpp>
#include <ahead/target/op/fused_rows.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class row_fuser {
public:
    constexpr explicit row_fuser(graph_editor& g)
        : g_(g), calls_(g.rewriter()), view_(g.view()), fused_(find_op(g.operators(), device::fused::name)),
          reduce_(find_op(g.operators(), device::reduce::name)),
          fused_rows_(find_op(g.operators(), device::fused_rows::name)), streams_(view_) {}

    /// From the last call to the first, since what gives the result decides who may join.
    constexpr void run() {
        for (auto at = view_.last(); at.exists() && g_.ok(); at = view_[at].previous)
            if (is_candidate(at) && find_rows(at, most_calls_to_look) && begin(at)) write();
    }

private:
    using code = target::fused_step_code;
    static constexpr int most_calls_to_look = 6;

    /// A value that members read, and how.
    struct reading {
        pointwise_operand value;
        bool wide = false;
    };

    graph_editor& g_;
    call_rewriter calls_;
    graph_view view_;
    op_id fused_, reduce_, fused_rows_;
    stream_map streams_;
    // The task in the making.
    row_shape rows_;
    std::int32_t members_ = 0, steps_ = 0, numbers_ = 0, reads_ = 0;
    node_id member_[target::max_fused_steps]{}; // readers before their operands, the last call first
    reading read_[2 * target::max_fused_operands]{};

    constexpr bool is_candidate(node_id id) const {
        const auto& n = view_[id];
        return n.kind == node_kind::call && n.op.exists() &&
               (n.op == fused_ || n.op == reduce_ || is_step(view_, g_.operators().data(), n));
    }
    /// The rows of a reduction that the call is, or that it is computed from, so many calls back at most.
    constexpr bool find_rows(node_id id, int most) {
        const auto& n = view_[id];
        if (n.op == reduce_) return rows_.read(view_, n);
        for (auto i = n.arguments.count; most > 0 && i-- > 0;) {
            const auto& a = view_.argument_of(n, i);
            if (a.kind == argument_kind::node && is_candidate(a.node()) && find_rows(a.node(), most - 1)) return true;
        }
        return false;
    }
    /// A task that gives the call's result, with all that it can take; false where no member reads a reduction, and
    /// there is nothing that a row would have to stay near for.
    constexpr bool begin(node_id id) {
        members_ = steps_ = numbers_ = reads_ = 0;
        bool wide = false, reads_reductions = false;
        if (!rows_.is_of(g_.type_of(id), wide) || !take(id)) return false;
        for (std::int32_t k = 0; k < reads_; ++k) {
            const node_id operand{read_[k].value.node};
            if (!may_join(operand) || !take(operand)) continue;
            reads_reductions = reads_reductions || view_[operand].op == reduce_;
            k = -1; // what was not read by members alone may be by now
        }
        return reads_reductions;
    }
    /// Whether members alone read the call, all of its result as the rows that it is.
    constexpr bool may_join(node_id id) const {
        const auto& n = view_[id];
        bool wide = false;
        if (!is_candidate(id) || n.constant != view_[member_[0]].constant || !streams_.together(id, member_[0]) ||
            !rows_.is_of(g_.type_of(id), wide))
            return false;
        for (auto use = n.first_use; use.exists(); use = view_[use].next_use) {
            std::int32_t m = 0;
            while (m < members_ && member_[m] != view_[use].owner) ++m;
            if (m == members_) return false;
        }
        for (std::int32_t k = 0; k < reads_; ++k)
            if (read_[k].value.node == id.index && read_[k].wide != wide) return false;
        return true;
    }
    constexpr pointwise_program program_of(node_id id) const {
        pointwise_program out;
        const auto& n = view_[id];
        if (n.op != reduce_) {
            out.read_call(view_, g_.operators(), id, fused_);
            return out;
        }
        auto& made = out.codes[out.steps++];
        made.begin(n.op, 2);
        made.refer(0, out.refer_to_operand(view_.argument_of(n, device::reduce::x)));
        made.refer(1, out.refer_to_number({}, view_.argument_of(n, device::reduce::kind)));
        return out;
    }
    /// Which of the values that are read it is, as the call reads it; their number: none so far; -1: not row by row.
    constexpr std::int32_t find_reading(node_id id, const pointwise_operand& value, bool& wide) const {
        const bool reduces = view_[id].op == reduce_;
        const auto& type = g_.type_of({value.node}, value.result);
        row_shape own;
        if (!rows_.is_read(reduces ? rows_.rank : g_.type_of(id).rank, type, wide) ||
            (reduces && !own.read(view_, view_[id])))
            return -1;
        std::int32_t k = 0;
        while (k < reads_ &&
               (read_[k].value.node != value.node || read_[k].value.result != value.result || read_[k].wide != wide))
            ++k;
        return k;
    }
    /// Makes the call a member, if its operands are rows and that is not too much.
    constexpr bool take(node_id id) {
        const auto own = program_of(id);
        if (steps_ + own.steps > target::max_fused_steps || numbers_ + own.constants > code::max_constants)
            return false;
        const auto before = reads_;
        std::int32_t others = 0;
        for (std::int32_t i = 0; i < own.operands; ++i) {
            bool wide = false;
            const auto k = find_reading(id, own.operand[i], wide);
            if (k == reads_) read_[reads_++] = {own.operand[i], wide};
            if (k >= 0) continue;
            reads_ = before;
            return false;
        }
        for (std::int32_t k = 0; k < reads_; ++k) others += read_[k].value.node != id.index;
        if (others > target::max_fused_operands) {
            reads_ = before;
            return false;
        }
        others = 0;
        for (std::int32_t k = 0; k < reads_; ++k)
            if (read_[k].value.node != id.index) read_[others++] = read_[k];
        reads_ = others;
        member_[members_++] = id;
        steps_ += own.steps;
        numbers_ += own.constants;
        return true;
    }
    /// The last call becomes the task, and the others go.
    constexpr void write() {
        const auto root = member_[0];
        pointwise_program all;
        std::int32_t step_of[target::max_fused_steps]{}; // by member: which step its result is
        std::int64_t numbers[] = {rows_.rows, rows_.count, 0, 0};
        for (auto m = members_; m-- > 0;) {
            const auto own = program_of(member_[m]);
            std::int32_t what[target::max_fused_operands]{};
            for (std::int32_t i = 0; i < own.operands; ++i) {
                bool wide = false;
                auto operand = m + 1;
                while (operand < members_ && member_[operand].index != own.operand[i].node) ++operand;
                what[i] = operand < members_ ? code::first_step + step_of[operand]
                                             : code::first_operand + find_reading(member_[m], own.operand[i], wide);
            }
            if (view_[member_[m]].op == reduce_) numbers[3] |= std::int64_t{1} << all.steps;
            all.append(own, what);
            step_of[m] = all.steps - 1;
        }
        constexpr int first = device::fused_rows::a0;
        calls_.become(root, fused_rows_, first + reads_ + 1);
        for (std::int32_t k = 0; k < reads_; ++k) {
            numbers[2] |= std::int64_t{read_[k].wide} << k;
            calls_.set_operand(root, first + k, read_[k].value.node, read_[k].value.result);
        }
        for (std::int32_t i = 0; i < first; ++i)
            calls_.set(view_[root].arguments.first + i, argument_kind::integer, numbers[i]);
        all.write(calls_, root, first + reads_, "program");
        for (std::int32_t m = 1; m < members_; ++m) g_.erase_node(member_[m]);
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
    constexpr void operator()(graph_editor& g, const config&) const { detail::row_fuser(g).run(); }
};
inline constexpr fuse_rows_pass fuse_rows;

} // namespace ahead::pass
