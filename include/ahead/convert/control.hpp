// SPDX-License-Identifier: MIT
// Converters of calls of blocks. Each block is a program that was planned before; the call is one task that runs it.
// The block's operands other than weights are operands of the task. Constants computed from weights are prepared once,
// and are an operand, too.
#pragma once
#include <ahead/aten/control.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/blocks/cond.hpp>
#include <ahead/device/blocks/prepare_block.hpp>
#include <ahead/device/blocks/scan.hpp>
#include <ahead/device/blocks/while_loop.hpp>
#include <ahead/pass/block_graph.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

/// Builds the task of a call of blocks while its operands are listed.
class block_task {
    // Declared first: in constants, clang does not call a function template whose body follows later in the class.
    constexpr void each_given(auto f) const {
        pass::for_each_given(g_, c_.aten.id(), c_.state().ops, c_.state().written, f);
    }

public:
    constexpr explicit block_task(convert_context& c)
        : c_(c), g_(c.aten.in()), tensors_(count_tensors(g_, c.aten.id())) {}

    constexpr bool check_planned() {
        for (block_id b : blocks_of(g_, g_[c_.aten.id()]))
            if (c_.needs_of(b) == nullptr)
                return c_.refuse(fault::control_flow_is_not_run, "no branches and loops",
                                 describe_held(g_, c_.aten.id()));
        return true;
    }
    constexpr void add(const argument& device_value) { tensors_[count_++] = device_value; }
    /// Adds the blocks' operands that prepare may not read.
    constexpr void add_given() {
        each_given([&](const argument& a, bool is_weight) {
            if (!is_weight) add(c_.operand(a));
        });
    }
    /// The constants of a block's program, if it has some.
    constexpr void add_constants(block_id b) {
        const auto& needs = *c_.needs_of(b);
        arena_ = needs.arena_bytes > arena_ ? needs.arena_bytes : arena_;
        if (needs.constant_bytes == 0) return;
        fixed_buffer<argument> weights(tensors_.size());
        std::int32_t count = 0;
        each_given([&](const argument& a, bool is_weight) {
            if (is_weight) weights[count++] = c_.operand(a);
        });
        add(c_.create_list<device::prepare_block>(
            array_view<const argument>(weights.data(), static_cast<std::size_t>(count)),
            {number(b), argument::of(needs.constant_bytes), argument::of(needs.scratch_bytes)}));
    }
    /// Bytes of the largest arena that one of the blocks needs.
    constexpr std::int64_t arena() const { return arena_; }
    constexpr std::int64_t ticks_of(block_id b) const { return c_.needs_of(b)->makespan.count; }
    constexpr array_view<const argument> tensors() const { return {tensors_.data(), static_cast<std::size_t>(count_)}; }
    static constexpr argument number(block_id b) { return argument::of(std::int64_t{b.index}); }

private:
    convert_context& c_;
    graph_view g_;
    fixed_buffer<argument> tensors_;
    std::int32_t count_ = 0;
    std::int64_t arena_ = 0;

    /// The largest possible number: operands, and constants of two blocks.
    static constexpr std::int64_t count_tensors(graph_view g, node_id id) {
        std::int64_t count = 2;
        for_each_operand(g, g[id].arguments, [&](const argument&) { ++count; });
        return count;
    }
};

/// rounds * ticks, limited to the range of a clock.
constexpr std::int64_t times(std::int64_t rounds, std::int64_t ticks) {
    constexpr std::int64_t most = std::int64_t{1} << 60;
    return ticks > 0 && rounds > most / ticks ? most : rounds * ticks;
}

} // namespace detail

struct cond {
    using op = aten::cond;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        detail::block_task task(c);
        if (!task.check_planned()) return false;
        const auto yes = c.aten.at(op::at::true_fn).block(), no = c.aten.at(op::at::false_fn).block();
        task.add(c.operand(op::at::pred));
        task.add_given();
        for (const auto b : {yes, no}) task.add_constants(b);
        const auto longest = task.ticks_of(yes) > task.ticks_of(no) ? task.ticks_of(yes) : task.ticks_of(no);
        return c.create_results<device::cond>(
            task.tensors(), {task.number(yes), task.number(no), argument::of(task.arena()), argument::of(longest)});
    }
};

struct while_loop {
    using op = aten::while_loop;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        detail::block_task task(c);
        const auto bound = c.state().loop_bound;
        if (!task.check_planned()) return false;
        if (bound == 0)
            return c.refuse(fault::loop_has_no_bound, "a toolchain with config{.loop_bound = rounds}", "none");
        const auto test = c.aten.at(op::at::cond_fn).block(), body = c.aten.at(op::at::body_fn).block();
        task.add_given();
        for (const auto b : {test, body}) task.add_constants(b);
        const auto flag = task.arena();
        const auto ticks = detail::times(bound, task.ticks_of(body) + task.ticks_of(test)) + task.ticks_of(test);
        return c.create_results<device::while_loop>(task.tensors(),
                                                    {task.number(test), task.number(body), argument::of(bound),
                                                     argument::of(flag), argument::of(flag + 1), argument::of(ticks)});
    }
};

struct scan {
    using op = aten::scan;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        detail::block_task task(c);
        if (!task.check_planned()) return false;
        const auto combine = c.aten.at(op::at::combine_fn).block();
        task.add_given();
        task.add_constants(combine);
        const auto steps = c.aten.in().value_of(c.aten.element(op::at::xs, 0)).type.size(0);
        return c.create_results<device::scan>(task.tensors(),
                                              {argument::of(std::int64_t{c.aten.list_size(op::at::init)}),
                                               argument::of(std::int64_t{c.aten.list_size(op::at::xs)}),
                                               task.number(combine), argument::of(steps), argument::of(task.arena()),
                                               argument::of(detail::times(steps, task.ticks_of(combine)))});
    }
};

using control_converters = converter_list<cond, while_loop, scan>;

} // namespace ahead::convert
