// SPDX-License-Identifier: MIT
// What is computed with its neighbours. Chains and trees of pointwise calls become one device call: a pointwise call
// that only another one of the same shape reads is not converted where it stands, but waits, and becomes a step of its
// reader's loop. A chain, or a single call, behind a product or convolution becomes part of that
// (convert/epilogue.hpp).
// Law: the steps compute what the calls would, in the same dtype and order. What is constant and what is not never
// share a loop, so that prepare keeps its work; nor do calls on different streams, or with a record or wait between
// them. A loop has at most max_fused_steps steps and max_fused_operands operands; what is too much becomes a loop of
// its own before.
#pragma once
#include <ahead/convert/epilogue.hpp>
#include <ahead/convert/pointwise.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/target/op/fused.hpp>

namespace AHEAD_NAMESPACE::convert {

class pointwise_fuser {
public:
    /// A user's own converter for an operator keeps its calls out.
    constexpr pointwise_fuser(graph_view from, op_table ops, lowering_state& state, const config& options, diagnosis& d)
        : from_(from), ops_(ops), state_(state), in_loops_(options.is_on(&config::fuse_pointwise)), d_(d),
          fused_(find_op(state.device_ops, device::fused::name)), streams_(from),
          epilogues_(from, streams_, state, options, d), joins_(from.header().used.nodes),
          waiting_(from.header().used.nodes), depth_(from.header().used.nodes) {}

    /// Whether the call can be a step, and some option asks for that: pointwise, of one floating dtype throughout, in
    /// memory of its own.
    constexpr bool joins(node_id id) {
        if (!in_loops_ && !epilogues_.are_wanted()) return false;
        auto& known = joins_[id.index]; // asked for by every operand of the call
        if (known == unknown) known = can_join(id) ? yes : no;
        return known == yes;
    }
    /// Whether it is left to its reader. pre: joins(id)
    constexpr bool waits(node_id id) {
        const auto& n = from_[id];
        if (!in_loops_ || n.use_count != 1) return false;
        const auto reader = from_[n.first_use].owner;
        if (!joins(reader) || !(from_.value_of(reader).type == from_.value_of(id).type) ||
            !streams_.together(id, reader))
            return false;
        // What is longer than a loop becomes several: and what waits is converted by recursion.
        std::int8_t longest = 0;
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (const auto& a = from_.argument_of(n, i);
                a.kind == argument_kind::node && waiting_[a.bits] != 0 && depth_[a.bits] > longest)
                longest = depth_[a.bits];
        if (longest + 1 >= target::max_fused_steps) return false;
        depth_[id.index] = static_cast<std::int8_t>(longest + 1);
        waiting_[id.index] = is_constant(n) ? waits_as_constant : waits_to_run;
        return true;
    }
    /// Converts the call, with all that waits for it. pre: joins(id)
    constexpr bool emit(node_id id) {
        bound_arguments bound;
        if (!bind_arguments(from_, id, row_of(from_[id]), bound, d_)) return refuse_at(id);
        convert_context context(call_view(from_, id, bound, d_), state_, d_);
        if (!is_waited_for(from_[id]) && !reads_product(from_[id])) return context.emit_same() || refuse_at(id);
        group made;
        made.root = id;
        made.constant = is_constant(from_[id]);
        read_operands(made, from_[id]);
        made.number_room = target::fused_step_code::max_constants - numbers_of(from_[id]);
        std::int32_t last = 0;
        if (!add_step(made, id, bound, last)) return false;
        if (epilogues_.give(made)) return true;
        return (d_.ok() && (made.steps == 1 ? context.emit_same() : emit_group(made, context))) || refuse_at(id);
    }

private:
    static constexpr std::int8_t unknown = 0, no = 1, yes = 2;
    static constexpr std::int8_t waits_to_run = 1, waits_as_constant = 2;

    /// A loop in the making, with what it takes to know how much more fits.
    struct group : pointwise_group {
        std::int32_t taken = 1; // steps, those that are only begun included
        std::int32_t read[target::max_fused_operands +
                          target::max_pointwise_parameters]{}; // the values that are operands, as far as is known
        std::int32_t reads = 0;
        std::int32_t number_room = 0; // constants that may still be added, each counted as often as it is given
    };

    graph_view from_;
    op_table ops_;
    lowering_state& state_;
    bool in_loops_; // calls wait for each other
    diagnosis& d_;
    op_id fused_;
    stream_map streams_;
    epilogue_giver epilogues_;
    fixed_buffer<std::int8_t> joins_;   // by ATen node
    fixed_buffer<std::int8_t> waiting_; // by ATen node: 0, or what it waits as
    fixed_buffer<std::int8_t> depth_;   // by ATen node that waits: of the chain that ends in it

    constexpr bool can_join(node_id id) {
        const auto& n = from_[id];
        if (n.kind != node_kind::call || n.values.count != 1) return false;
        const auto& result = from_[value_id{n.values.first}];
        if (result.kind != value_kind::tensor || result.storage.index != n.values.first ||
            !is_floating(result.type.type) || !has_kernels(result.type.type))
            return false;
        const auto converter = state_.converter(ops_, n.op);
        if (converter < 0 || !state_.converters[static_cast<std::size_t>(converter)].is_pointwise ||
            n.arguments.count > target::max_pointwise_parameters)
            return false;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = from_.argument_of(n, i);
            if (a.kind == argument_kind::node && from_.value_of(a).type.type != result.type.type) return false;
        }
        return true;
    }
    constexpr const op_row& row_of(const node& n) const { return ops_[static_cast<std::size_t>(n.op.index)]; }
    constexpr bool refuse_at(node_id id) {
        d_.line = from_[id].from.line;
        d_.op = from_[id].target;
        d_.name = print(from_[id].name);
        return false;
    }
    constexpr bool is_waited_for(const node& n) const {
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (const auto& a = from_.argument_of(n, i); a.kind == argument_kind::node && waiting_[a.bits] != 0)
                return true;
        return false;
    }
    constexpr bool reads_product(const node& n) const {
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (const auto& a = from_.argument_of(n, i);
                a.kind == argument_kind::node && epilogues_.is_worth_asking(made_of(a)))
                return true;
        return false;
    }
    /// pre: it does not wait
    constexpr const device_value& made_of(const argument& a) const {
        return state_.made[from_[a.node()].values.first + a.result];
    }
    constexpr bool is_constant(const node& n) const {
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = from_.argument_of(n, i);
            if (a.kind != argument_kind::node) continue;
            const auto waits = waiting_[a.bits];
            if (waits != 0 ? waits == waits_to_run : !state_.constant[made_of(a).node]) return false;
        }
        return true;
    }
    constexpr void read_operands(group& made, const node& n) const {
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = from_.argument_of(n, i);
            if (a.kind != argument_kind::node) continue;
            const auto value = from_[a.node()].values.first + a.result;
            std::int32_t k = 0;
            while (k < made.reads && made.read[k] != value) ++k;
            if (k == made.reads) made.read[made.reads++] = value;
        }
    }
    /// Reads what `n` reads instead of n's result, if that is not too much.
    constexpr bool reads_through(group& made, const node& n) const {
        const auto before = made.reads;
        read_operands(made, n);
        const bool fits = made.reads - 1 <= target::max_fused_operands;
        if (!fits) {
            made.reads = before;
            return false;
        }
        std::int32_t k = 0;
        while (made.read[k] != n.values.first) ++k;
        made.read[k] = made.read[--made.reads];
        return true;
    }

    /// Adds what waits for the call, then the call; `step` is its number.
    constexpr bool add_step(group& made, node_id id, const bound_arguments& bound, std::int32_t& step) {
        const auto& n = from_[id];
        const auto device_op = state_.form_of(n);
        if (!device_op.exists()) {
            refuse(d_, fault::operator_has_no_kernel, "a device::pointwise of it", n.target);
            return refuse_at(id);
        }
        target::fused_step_code code;
        const auto parameters = static_cast<std::int32_t>(row_of(n).schema.size());
        code.begin(device_op, parameters);
        for (std::int32_t i = 0; i < parameters; ++i) {
            const auto& a = *bound.at[i];
            std::int32_t what = target::fused_step_code::absent;
            if (a.kind == argument_kind::node) {
                if (!add_operand(made, a, what)) return false;
            } else if (a.kind != argument_kind::none) {
                what = add_constant(made, bound.schema[i], a);
            }
            code.refer(i, what);
        }
        step = made.steps;
        made.codes[made.steps++] = code;
        return true;
    }
    constexpr bool add_operand(group& made, const argument& a, std::int32_t& what) {
        using code = target::fused_step_code;
        const auto id = a.node();
        if (waiting_[id.index] != 0) {
            const auto numbers = numbers_of(from_[id]);
            if (waiting_[id.index] == (made.constant ? waits_as_constant : waits_to_run) &&
                made.taken < target::max_fused_steps && made.number_room >= numbers && reads_through(made, from_[id])) {
                ++made.taken;
                made.number_room -= numbers;
                bound_arguments bound;
                if (!bind_arguments(from_, id, row_of(from_[id]), bound, d_)) return refuse_at(id);
                std::int32_t step = 0;
                if (!add_step(made, id, bound, step)) return false;
                what = code::first_step + step;
                return true;
            }
            if (!emit(id)) return false;
            waiting_[id.index] = 0;
        }
        const auto& value = made_of(a);
        std::int32_t k = 0;
        while (k < made.operands &&
               (made.operand[k].made.node != value.node || made.operand[k].made.result != value.result))
            ++k;
        auto& operand = made.operand[k];
        if (k == made.operands) {
            operand = {value, argument::of(id, a.result), 1};
            ++made.operands;
        } else if (operand.uses > 0) {
            operand.uses = operand.from.bits == a.bits && operand.from.result == a.result ? operand.uses + 1 : 0;
        }
        what = code::first_operand + k;
        return true;
    }
    static constexpr bool is_constant_to_keep(const argument& a) {
        return a.kind != argument_kind::node && a.kind != argument_kind::none &&
               !(a.kind == argument_kind::integer && a.bits == 1);
    }
    /// At least as many constants as the call adds: those given, and defaults.
    constexpr std::int32_t numbers_of(const node& n) const {
        std::int32_t count = 0;
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (is_constant_to_keep(from_.argument_of(n, i))) ++count;
        const auto& schema = row_of(n).schema;
        for (auto k = static_cast<std::size_t>(n.arguments.count); k < schema.size(); ++k)
            if (is_constant_to_keep(schema[k].value)) ++count;
        return count;
    }
    static constexpr std::int32_t add_constant(group& made, const parameter& p, const argument& a) {
        using code = target::fused_step_code;
        const bool text = a.kind == argument_kind::string || a.kind == argument_kind::word;
        const pointwise_number value{a.kind == argument_kind::real ? argument_kind::real : argument_kind::integer,
                                     text ? number_of_word(p, a) : a.bits};
        if (value.kind == argument_kind::integer && value.bits == 1) return code::one;
        std::int32_t k = 0;
        while (k < made.constants && (made.constant_at[k].kind != value.kind || made.constant_at[k].bits != value.bits))
            ++k;
        if (k == made.constants) made.constant_at[made.constants++] = value;
        return code::first_constant + k;
    }

    constexpr bool emit_group(const group& made, convert_context& context) {
        const auto out = state_.out;
        const auto id = context.append(fused_, made.operands + 1);
        if (!id.exists() || !reserve_values(out, id, 1, d_)) return false;
        auto& n = out[id];
        for (std::int32_t k = 0; k < made.operands; ++k)
            set_argument(out, n.arguments[k], made.operand[k].made.as_argument(), id);
        auto program = write_program(out, made, id, d_);
        if (program.kind == argument_kind::none) return false;
        program.keyword = "program";
        set_argument(out, n.arguments[made.operands], program, id);
        state_.constant[id.index] = made.constant;
        const value_id result{n.values.first};
        const auto& wanted = from_[value_id{from_[made.root].values.first}];
        out[result] = {value_kind::tensor, wanted.type, result};
        state_.made[from_[made.root].values.first] = {id.index, 0};
        return true;
    }
};

} // namespace ahead::convert
