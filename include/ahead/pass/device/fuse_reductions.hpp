// SPDX-License-Identifier: MIT
// Fuses row reductions and the calls around them into one task: a decomposed softmax, layer norm or rms norm passes
// over its rows once. A row is the last dims of a contiguous tensor.
// Law: the steps compute what the calls would, to the bit, and each once. Starting from the call with the result, a
// call joins if all its readers have joined or come later; in the latter case it is a further result, such as h of
// norm(h = x + f) with a later reader. So no task is added; at least one member is a reduction that another one reads.
// A member is as constant as the last call, and on its stream in its segment: reductions of the same rows, over all of
// their dims, and loops and pointwise calls whose operands are rows, a number for each row, or operands that repeat
// after some rows. Other calls stay as they are, as do calls in excess of max_fused_steps steps or max_fused_operands
// operands, and tasks that would take the device longer than the separate calls (device/row_price.hpp).
#pragma once
#include <ahead/device/fused.hpp>
#include <ahead/device/row_price.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/fusion_group.hpp>
#include <ahead/pass/device/row_shape.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class row_fuser {
public:
    constexpr row_fuser(graph_editor& g, const machine::device& on)
        : g_(g), on_(on), view_(g.view()), fused_(find_op<device::fused>(g.operators())),
          reduce_(find_op<device::reduce>(g.operators())), fused_rows_(find_op<device::fused_rows>(g.operators())),
          joined_(view_) {}

    /// From the last call to the first, because the call with the result decides which calls may join.
    constexpr void run() {
        for (auto at = view_.last(); at.exists() && g_.ok(); at = view_[at].previous) {
            if (is_candidate(at) && find_rows(at, most_calls_to_look) && makes_task(at)) write();
            joined_.pass_by(at);
        }
    }

private:
    static constexpr int most_calls_to_look = 6;

    graph_editor& g_;
    const machine::device& on_;
    graph_view view_;
    op_id fused_, reduce_, fused_rows_;
    // The task that is being built.
    row_shape rows_;
    fusion_group joined_;

    constexpr bool is_candidate(node_id id) const {
        const auto& n = view_[id];
        return n.kind == node_kind::call && n.op.exists() &&
               (n.op == fused_ || n.op == reduce_ || is_elementwise_device_call(view_, g_.operators().data(), n));
    }
    /// Reads the rows of the reduction that the call is or depends on, at most `most` calls back.
    constexpr bool find_rows(node_id id, int most) {
        const auto& n = view_[id];
        if (n.op == reduce_) return rows_.read(view_, n);
        for (auto i = n.arguments.count; most > 0 && i-- > 0;) {
            const auto& a = view_.argument_of(n, i);
            if (a.kind == argument_kind::node && is_candidate(a.node()) && find_rows(a.node(), most - 1)) return true;
        }
        return false;
    }
    /// First tries with members that later calls also read, then without.
    constexpr bool makes_task(node_id id) {
        return begin(id, true) && (pays() || (joined_.has_kept() && begin(id, false) && pays()));
    }
    /// Builds a task with the call's result and all calls that can join; false if no member reads a reduction, in which
    /// case a row need not stay in cache.
    constexpr bool begin(node_id id, bool keeps) {
        joined_.begin(keeps);
        bool wide = false, reads_reductions = false;
        if (!rows_.is_of(g_.type_of(id), wide) || !take(id)) return false;
        for (std::int32_t k = 0; k < joined_.reads; ++k) {
            const node_id operand{joined_.read[k].value.node};
            if (!may_join(operand) || !take(operand)) continue;
            reads_reductions = reads_reductions || view_[operand].op == reduce_;
            k = -1; // earlier operands may now have only members as readers
        }
        return reads_reductions;
    }
    /// Whether each reader of the call is a member or comes after the last member, and its result is all rows, or one
    /// number for each row, and members read it as that.
    constexpr bool may_join(node_id id) const {
        bool wide = false;
        if (!is_candidate(id) || !joined_.may_join(id) || !rows_.is_of(g_.type_of(id), wide)) return false;
        for (std::int32_t k = 0; k < joined_.reads; ++k)
            if (joined_.read[k].value.node == id.index && joined_.read[k].wide != wide) return false;
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
    /// The index in the list of operands, as the call reads it; the list's length: not in it; -1: not read row by row.
    constexpr std::int32_t find_reading(node_id id, const pointwise_operand& value, bool& wide) const {
        const bool reduces = view_[id].op == reduce_;
        const auto& type = g_.type_of({value.node}, value.result);
        row_shape own;
        if (!rows_.is_read(reduces ? rows_.rank : g_.type_of(id).rank, type, wide) ||
            (reduces && !own.read(view_, view_[id])))
            return -1;
        return joined_.find(value, wide);
    }
    /// Makes the call a member, if its operands are rows and the task does not become too large.
    constexpr bool take(node_id id) {
        return joined_.take(id, program_of(id), [this, id](const pointwise_operand& value, bool& wide) {
            return find_reading(id, value, wide);
        });
    }
    constexpr std::int64_t bytes_of_value(const pointwise_operand& value) const {
        const auto& type = g_.type_of({value.node}, value.result);
        return element_count(type) * static_cast<std::int64_t>(bytes_of(type.type));
    }
    /// Whether the task takes no longer than its separate calls.
    constexpr bool pays() const {
        std::int64_t values = 0, bytes = 0; // read and written by the task
        bool wide = false;
        for (std::int32_t k = 0; k < joined_.reads; ++k) {
            values += joined_.read[k].wide;
            bytes += bytes_of_value(joined_.read[k].value);
        }
        for (std::int32_t m = 0; m < joined_.members; ++m) {
            const auto id = joined_.member[m];
            if (m > 0 && !joined_.is_kept(id)) continue;
            static_cast<void>(rows_.is_of(g_.type_of(id), wide));
            values += wide;
            bytes += bytes_of_value({id.index});
        }
        device::row_price price(on_, rows_.rows, rows_.count, values, bytes);
        for (std::int32_t m = 0; m < joined_.members; ++m) {
            const auto id = joined_.member[m];
            const auto own = program_of(id);
            values = 1;
            bytes = bytes_of_value({id.index});
            for (std::int32_t k = 0; k < own.operands; ++k) {
                bytes += bytes_of_value(own.operand[k]);
                static_cast<void>(find_reading(id, own.operand[k], wide));
                values += wide;
            }
            static_cast<void>(rows_.is_of(g_.type_of(id), wide));
            if (view_[id].op == reduce_) price.add_reduction(bytes);
            else if (wide) price.add_loop(own.steps, values, values <= own.operands, bytes);
            else price.add_number(own.steps, bytes);
        }
        return price.pays();
    }
    /// Turns the last call into the task, and erases the others.
    constexpr void write() {
        constexpr int first = device::fused_rows::a0;
        const auto root = joined_.member[0];
        std::int64_t numbers[] = {rows_.rows, rows_.count, 0, 0};
        for (std::int32_t k = 0; k < joined_.reads; ++k) numbers[2] |= std::int64_t{joined_.read[k].wide} << k;
        joined_.become(
            g_, fused_rows_, first, [this](node_id id) { return program_of(id); },
            [this](node_id id, const pointwise_operand& value) {
                bool wide = false;
                return find_reading(id, value, wide);
            },
            [&](node_id id, std::int32_t step) {
                if (view_[id].op == reduce_) numbers[3] |= std::int64_t{1} << step;
            });
        auto calls = g_.rewriter();
        for (std::int32_t i = 0; i < first && g_.ok(); ++i)
            calls.set(view_[root].arguments.first + i, argument_kind::integer, numbers[i]);
    }
};

} // namespace detail

/// On: the device for which the cost is computed.
template <const machine::device& On> struct fuse_reductions_pass {
    static constexpr std::string_view name = "fuse_reductions";
    static constexpr toggle config::* option = &config::fuse_reductions;

    static constexpr bool applies(graph_view g, op_table ops) {
        return !calls_of(g, find_op<device::reduce>(ops)).is_empty();
    }
    constexpr void operator()(graph_editor& g, const config&) const { detail::row_fuser(g, On).run(); }
};
template <const machine::device& On> inline constexpr fuse_reductions_pass<On> fuse_reductions;

} // namespace ahead::pass
