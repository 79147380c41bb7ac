// SPDX-License-Identifier: MIT
// What follows a product or convolution element by element becomes part of its task: the sums go through the steps
// before they are written. Called by convert/fuse.hpp for every group of pointwise calls.
// Law: the steps compute what the calls would, in the same dtype and order. The product goes to where the group stands,
// so that what else the group reads is there; it is one that only the group reads, perhaps as another shape, as
// constant as the group, and on its stream in its segment.
#pragma once
#include <ahead/convert/pointwise_group.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/target/op/convolution.hpp>
#include <ahead/target/op/matmul.hpp>
#include <ahead/target/op/pointwise.hpp>
#include <ahead/target/op/view.hpp>

namespace AHEAD_NAMESPACE::convert {

class epilogue_giver {
public:
    constexpr epilogue_giver(graph_view from, const stream_map& streams, lowering_state& state, const config& options,
                             diagnosis& d)
        : from_(from), streams_(streams), state_(state), alone_(options.is_on(&config::fuse_activation)),
          with_others_(options.is_on(&config::fuse_residual)), d_(d),
          view_(find_op(state.device_ops, device::view::name)),
          matmul_(find_op(state.device_ops, device::matmul::name)),
          convolution_(find_op(state.device_ops, device::convolution::name)) {}

    constexpr bool are_wanted() const { return alone_ || with_others_; }
    /// Whether the operand is a product, perhaps as another shape, so that asking for more is worth its time.
    constexpr bool is_worth_asking(const device_value& operand) const { return is_product(owner_of({operand.node})); }
    /// Gives the group to the last of the products that it reads alone; its root is made then. False, too, after a
    /// refusal.
    constexpr bool give(const pointwise_group& group) {
        if (!(group.operands == 1 ? alone_ : with_others_)) return false;
        site best;
        for (std::int32_t k = 0; k < group.operands; ++k)
            if (const auto here = site_of(group, k); here.product.exists() && here.product.index > best.product.index)
                best = here;
        return best.product.exists() && give(group, best);
    }

private:
    using code = target::fused_step_code;
    static constexpr std::int32_t most_views = 4;
    static constexpr std::int32_t most_to_extend = 16; // numbers of a program that may be written a second time

    /// A product that may take a group, the views of it that lie between, last one first, and which operand of the
    /// group that makes.
    struct site {
        node_id product;
        node_id views[most_views]{};
        std::int32_t view_count = 0;
        std::int32_t sum = 0;
    };

    graph_view from_;
    const stream_map& streams_; // of from_
    lowering_state& state_;
    bool alone_, with_others_; // groups that read nothing but the product, and those that do
    diagnosis& d_;
    op_id view_, matmul_, convolution_;

    constexpr bool is(node_id id, op_id op) const {
        return op.exists() && state_.out[id].kind == node_kind::call && state_.out[id].op == op;
    }
    constexpr bool is_product(node_id id) const { return is(id, matmul_) || is(id, convolution_); }
    constexpr std::int32_t after(node_id product) const {
        return is(product, matmul_) ? device::matmul::after : device::convolution::after;
    }
    constexpr argument& program_of(node_id product) const {
        return state_.out.argument_of(state_.out[product], after(product) + target::max_epilogue_operands);
    }

    /// Where operand k of the group comes from; no product where that may not take the group.
    constexpr site site_of(const pointwise_group& group, std::int32_t k) const {
        const auto out = state_.out;
        const auto& operand = group.operand[k];
        site here;
        here.sum = k;
        auto id = node_id{operand.made.node};
        for (; is(id, view_) && here.view_count < most_views; id = out.argument_of(out[id], 0).node()) {
            if (out[id].use_count != (here.view_count == 0 ? 0 : 1)) return {};
            here.views[here.view_count++] = id;
        }
        if (!is_product(id) || out[id].use_count != (here.view_count == 0 ? 0 : 1) ||
            state_.constant[id.index] != group.constant)
            return {};
        const auto& type = out.value_of(operand.made.as_argument()).type;
        const auto& sums = out.value_of(id).type;
        if (!(type == from_.value_of(group.root).type) || !is_contiguous(type) || type.offset != 0 ||
            type.type != sums.type || element_count(type) != element_count(sums) ||
            !is_read_by_group(operand, id, group.root))
            return {};
        std::int32_t operands = group.operands - 1;
        if (const auto& program = program_of(id);
            program.kind != argument_kind::none) { // another shape between two groups
            if (here.view_count == 0 || program.children.count > most_to_extend) return {};
            const auto steps = static_cast<std::int32_t>(out[program.children[0]].bits);
            operands += operands_of(id);
            if (steps + group.steps > target::max_fused_steps ||
                program.children.count - 1 - steps + group.constants > code::max_constants)
                return {};
        }
        if (operands > target::max_epilogue_operands) return {};
        for (std::int32_t other = 0; other < group.operands; ++other)
            if (other != k && !can_be_read(out.value_of(group.operand[other].made.as_argument()).type, type, sums))
                return {};
        here.product = id;
        return here;
    }
    /// The device call that a value is a view of, or its own.
    constexpr node_id owner_of(node_id made) const {
        while (made.exists() && is(made, view_)) made = state_.out.argument_of(state_.out[made], 0).node();
        return made;
    }
    /// Whether nobody but the group reads the ATen value, nor what it is a view of on the device (some copies are views
    /// there), and all are where the group is, in stream and segment.
    constexpr bool is_read_by_group(const pointwise_operand& operand, node_id product, node_id root) const {
        auto uses = operand.uses;
        for (auto a = operand.from;; uses = 1) {
            const auto& n = from_[a.node()];
            if (n.kind != node_kind::call || n.values.count != 1 || n.use_count != uses ||
                !streams_.together(a.node(), root))
                return false;
            if (n.arguments.count == 0) return true;
            a = from_.argument_of(n, 0);
            if (a.kind != argument_kind::node ||
                owner_of({state_.made[from_[a.node()].values.first + a.result].node}) != product)
                return true;
        }
    }
    /// Whether an operand of this type, of a group of type `result`, is one that epilogues read; `sums` are the
    /// product's.
    static constexpr bool can_be_read(const tensor_type& type, const tensor_type& result, const tensor_type& sums) {
        if (type.type != result.type || !is_contiguous(type)) return false;
        const auto count = element_count(type);
        if (count == 1 || (count == element_count(result) && sizes_of(type) == sizes_of(result))) return true;
        const bool matrix = sums.rank == 2;
        if (!matrix && sizes_of(result) != sizes_of(sums)) return false;
        const int from_last =
            matrix ? 0 : sums.rank - 2; // the dim of columns, or of filters, counted from the last one
        const int column = type.rank - 1 - from_last;
        return column >= 0 && result.size(result.rank - 1 - from_last) == sums.size(1) && type.size(column) == count &&
               count == sums.size(1);
    }
    constexpr std::int32_t operands_of(node_id product) const {
        std::int32_t count = 0;
        while (count < target::max_epilogue_operands &&
               state_.out.argument_of(state_.out[product], after(product) + count).kind == argument_kind::node)
            ++count;
        return count;
    }

    constexpr bool give(const pointwise_group& group, const site& here) {
        const auto out = state_.out;
        const auto& n = out[here.product];
        const auto first = after(here.product);
        const bool has_program = program_of(here.product).kind != argument_kind::none;
        const auto taken = has_program ? operands_of(here.product) : 0;
        pointwise_group program;
        if (has_program) read_program(here.product, program);
        const auto steps = program.steps, constants = program.constants;
        const auto again =
            [&](std::int32_t what) -> std::int32_t { // what a step of the group reads, as the joined program says it
            if (what >= code::first_constant) return what + constants;
            if (what >= code::first_step) return what + steps;
            if (what < code::first_operand) return what;
            const auto k = what - code::first_operand;
            if (k == here.sum) return steps > 0 ? code::first_step + steps - 1 : code::first_operand;
            return code::first_operand + 1 + taken + (k < here.sum ? k : k - 1);
        };
        for (std::int32_t s = 0; s < group.steps; ++s) {
            const auto& given = group.codes[s];
            auto& made = program.codes[program.steps++];
            made.begin(given.op(), given.parameters());
            for (int i = 0; i < given.parameters(); ++i) made.refer(i, again(given.what(i)));
        }
        for (std::int32_t k = 0; k < group.constants; ++k)
            program.constant_at[program.constants++] = group.constant_at[k];
        auto next = first + taken;
        for (std::int32_t k = 0; k < group.operands; ++k)
            if (k != here.sum)
                set_argument(out, n.arguments[next++], group.operand[k].made.as_argument(), here.product);
        const auto written = write_program(out, program, here.product, d_);
        if (written.kind == argument_kind::none) return false;
        set_argument(out, n.arguments[first + target::max_epilogue_operands], written, here.product);
        move_node(out, here.product, {});
        for (auto v = here.view_count; v > 0; --v) move_node(out, here.views[v - 1], {});
        state_.made[from_[group.root].values.first] = group.operand[here.sum].made;
        return true;
    }
    constexpr void read_program(node_id product, pointwise_group& program) const {
        const auto out = state_.out;
        const auto& list = program_of(product).children;
        program.steps = static_cast<std::int32_t>(out[list[0]].bits);
        for (std::int32_t s = 0; s < program.steps; ++s) program.codes[s].bits = out[list[1 + s]].bits;
        for (auto k = 1 + program.steps; k < list.count; ++k)
            program.constant_at[program.constants++] = {out[list[k]].kind, out[list[k]].bits};
    }
};

} // namespace ahead::convert
