// A program of inspect_fx, run: task by task from its plan, each by the meaning of its operator, in the memory that the plan says. For programs of a toolchain
// whose device operators all have meanings, such as meaning_tools. Order: the plan's, or any that its records and waits allow.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/kernels/ai_cpu.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>
#include <ahead/runtime/launch/literals.hpp>

#include <cstring>
#include <random>
#include <vector>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

/// A device operator that is the ATen operator, and is run as the reference runs that.
template <class Op> struct by_meaning : Op {
    static constexpr bool on_ai_cpu = true;
    static constexpr effects effect{.picks_results = true};
    static constexpr std::int64_t scratch_bytes(const call_view&) { return 0; }
    static constexpr machine::work work(const call_view& c) { return {.ai_cpu_elements = device::elements_of_results(c)}; }
};
/// All that computes runs by its meaning; blocks, copies, views and what writes inputs are the device's.
struct meaning_converters : convert::converter_list<convert::cond, convert::while_loop, convert::scan> {};
template <class... Ops> struct meaning_registry
    : join<op_list<device::view, device::copy, device::assign, device::prepare_block, device::cond, device::while_loop, device::scan>, aten::stream_ops, op_list<by_meaning<Ops>...>> {};
struct few_operators : meaning_registry<aten::add, aten::sub, aten::mul, aten::tanh, aten::sigmoid, aten::gt_scalar, aten::sub_scalar, aten::sum, aten::sum_dims, aten::full> {};
struct meaning_operators : detail::usual_operators {
    using device_registry = few_operators;
    using converters = meaning_converters;
};
inline constexpr config meaning_options{.loop_bound = 1000, .decompose = false};
using meaning_tools = toolchain<meaning_operators>::with_options<meaning_options>;

class plan_execution {
public:
    /// random: picks one of the orders that the plan allows; null: the plan's own.
    explicit plan_execution(const compile::inspected_graph& made, std::mt19937* random = nullptr) : made_(&made), random_(random) {}

    /// externals: inputs, in the order of the plan's ports. False where a task refuses.
    bool prepare(const std::byte* const* weights, std::byte* constants, std::byte* scratch, diagnosis& d) {
        const auto g = made_->lowered_graph();
        const auto plan = made_->plan_view();
        std::vector<std::vector<std::byte>> literals;
        std::vector<const std::byte*> ports(static_cast<std::size_t>(plan.summary.parameters));
        for (node_id id : g) {
            if (g[id].kind == node_kind::call || g[id].kind == node_kind::output) continue;
            const auto& p = plan.placements[static_cast<std::size_t>(g[id].values.first)];
            if (p.where != region::parameter) continue;
            if (is_literal(g[id])) {
                literals.emplace_back(static_cast<std::size_t>(p.bytes) + 64);
                runtime::write_literal(g, id, literals.back().data());
                ports[static_cast<std::size_t>(p.port)] = literals.back().data();
            } else ports[static_cast<std::size_t>(p.port)] = *weights++;
            if (p.copy >= 0) std::memcpy(constants + plan.copies[static_cast<std::size_t>(p.copy)].offset, ports[static_cast<std::size_t>(p.port)], static_cast<std::size_t>(p.bytes));
        }
        const runtime::region_bases m{ports.data(), constants, scratch};
        for (std::int32_t t = 0; t < plan.summary.prepare_tasks; ++t)
            if (!run_task(t, m, d)) return false;
        return true;
    }
    bool run(const std::byte* const* externals, const std::byte* constants, std::byte* arena, diagnosis& d) {
        const runtime::region_bases m{externals, constants, arena};
        for (const auto t : order())
            if (!run_task(t, m, d)) return false;
        return true;
    }
    /// The whole: prepares, and runs once. Outputs in row-major order.
    bool operator()(const std::vector<host_tensor>& inputs, std::vector<host_tensor>& outputs, diagnosis& d) {
        const auto& sum = made_->plan();
        std::vector<std::byte> constants = room(sum.constant_bytes), arena = room(sum.peak_bytes + sum.state_bytes), scratch = room(sum.scratch_bytes);
        std::vector<std::vector<std::byte>> given;
        std::vector<const std::byte*> externals;
        for (const auto& one : inputs) {
            given.push_back(room(static_cast<std::int64_t>(bytes_of(one.type.type, element_count(one.type)))));
            to_bytes(one, {given.back().data(), static_cast<std::size_t>(bytes_of(one.type.type, element_count(one.type)))});
            externals.push_back(given.back().data());
        }
        if (!prepare(nullptr, begin(constants), begin(scratch), d) || !run(externals.data(), begin(constants), begin(arena), d)) return false;
        const auto g = made_->lowered_graph();
        for_each_operand(g, g[g.last()].arguments, [&](const argument& a) {
            const auto& v = g.value_of(a);
            const auto at = runtime::detail::address_of(g, made_->plan_view(), v, false);
            const auto* first = begin(arena) + at.offset;
            auto& out = outputs.emplace_back(v.type);
            kernels::raw_buffer from(v.type, first);
            std::int64_t k = 0;
            for_each_index(sizes_of(v.type), [&](const int_list& i) { out.data.put(k++, from.get<double>(position_of(v.type, i))); });
        });
        return true;
    }

private:
    const compile::inspected_graph* made_;
    std::mt19937* random_;

    static std::vector<std::byte> room(std::int64_t bytes) { return std::vector<std::byte>(static_cast<std::size_t>(bytes) + 64, std::byte{0xA5}); }
    static std::byte* begin(std::vector<std::byte>& memory) {
        auto* at = memory.data();
        while (reinterpret_cast<std::uintptr_t>(at) % 64 != 0) ++at;
        return at;
    }
    /// The tasks of the run: each stream in its order, a wait behind its record.
    std::vector<std::int32_t> order() {
        const auto plan = made_->plan_view();
        const auto first = plan.summary.prepare_tasks, count = plan.summary.run_tasks;
        std::vector<std::int32_t> out;
        struct step {
            std::int32_t task = -1;
            const ahead::plan::sync* sync = nullptr;
        };
        std::vector<std::vector<step>> lanes(static_cast<std::size_t>(plan.summary.streams));
        for (std::int32_t t = 0; t <= count; ++t) {
            for (const auto& s : plan.syncs)
                if (s.before == first + t) lanes[static_cast<std::size_t>(s.stream)].push_back({-1, &s});
            if (t < count) lanes[static_cast<std::size_t>(plan.tasks[static_cast<std::size_t>(first + t)].stream)].push_back({first + t, nullptr});
        }
        std::vector<bool> recorded(static_cast<std::size_t>(plan.summary.events));
        std::vector<std::size_t> next(lanes.size());
        const auto can_go = [&](std::size_t lane) {
            if (next[lane] == lanes[lane].size()) return false;
            const auto* s = lanes[lane][next[lane]].sync;
            return s == nullptr || s->kind == sync_kind::record || recorded[static_cast<std::size_t>(s->event)];
        };
        while (true) {
            std::vector<std::size_t> ready;
            for (std::size_t lane = 0; lane < lanes.size(); ++lane)
                if (can_go(lane)) ready.push_back(lane);
            if (ready.empty()) return out;
            const auto lane = ready[random_ == nullptr ? 0 : (*random_)() % ready.size()];
            const auto now = lanes[lane][next[lane]++];
            if (now.task >= 0) out.push_back(now.task);
            else if (now.sync->kind == sync_kind::record) recorded[static_cast<std::size_t>(now.sync->event)] = true;
        }
    }

    const compile::inspected_graph& block(std::int64_t number) const {
        for (const auto& one : made_->blocks)
            if (one.of.index == number) return one;
        std::abort();
    }
    bool run_task(std::int32_t t, const runtime::region_bases& m, diagnosis& d) {
        const auto g = made_->lowered_graph();
        const auto id = made_->planned.tasks[static_cast<std::size_t>(t)].node;
        const auto& n = g[id];
        std::vector<const std::byte*> all;
        runtime::detail::for_each_address(g, made_->plan_view(), t, [&](const runtime::address& at) { all.push_back(runtime::detail::resolve(m, at)); });
        auto* workspace = m.arena + made_->planned.tasks[static_cast<std::size_t>(t)].workspace_offset;
        all.pop_back();
        const auto results = static_cast<std::size_t>(n.values.count), operands = all.size() - results;
        std::vector<std::byte*> out;
        for (std::size_t k = 0; k < results; ++k) out.push_back(const_cast<std::byte*>(all[operands + k]));
        all.resize(operands);
        const auto integer = [&](int i) { return g.argument_of(n, i).integer(); };
        if (n.target == device::prepare_block::name) {
            std::vector<std::byte> scratch = room(integer(device::prepare_block::scratch));
            return plan_execution(block(integer(device::prepare_block::block)), random_).prepare(all.data(), out[0], begin(scratch), d);
        }
        if (n.target == device::copy::name || n.target == device::assign::name) {
            const auto& from = g.value_of(g.argument_of(n, n.target == device::assign::name ? 1 : 0)).type;
            const auto& to = g.value_of(id).type;
            kernels::raw_buffer source(from, all[operands - 1]), target(to, out[0]);
            for_each_index(sizes_of(to), [&](const int_list& i) {
                if (is_floating(to.type)) target.put(position_of(to, i), source.get<double>(position_of(from, i)));
                else target.put(position_of(to, i), source.get<std::int64_t>(position_of(from, i)));
            });
            return true;
        }
        if (n.target == device::cond::name) return run_cond(n, all, out, workspace, d);
        if (n.target == device::while_loop::name) return run_loop(n, all, out, workspace, d);
        if (n.target == device::scan::name) return run_scan(id, all, out, workspace, d);
        return emit_ai_cpu_call(g, id, all, out, d);
    }
    /// As the reference does, on copies of the operands.
    bool emit_ai_cpu_call(graph_view g, node_id id, const std::vector<const std::byte*>& in, const std::vector<std::byte*>& out, diagnosis& d) {
        const auto op = find_op(aten::registry::table, g[id].target);
        std::vector<host_buffer> storages(g.values().size());
        std::size_t next = 0;
        const auto each_element = [](const tensor_type& type, const kernels::raw_buffer& memory, host_buffer& buffer, bool load) {
            for_each_index(sizes_of(type), [&](const int_list& i) {
                const auto p = position_of(type, i);
                if (is_floating(type.type)) load ? buffer.put(p, memory.get<double>(p)) : memory.put(p, buffer.get<double>(p));
                else load ? buffer.put(p, memory.get<std::int64_t>(p)) : memory.put(p, buffer.get<std::int64_t>(p));
            });
        };
        for_each_operand(g, g[id].arguments, [&](const argument& a) {
            const auto& v = g.value_of(a);
            auto& buffer = storages[static_cast<std::size_t>(v.storage.index)];
            const auto size = v.type.offset + extent_of(v.type);
            if (buffer.size() < size) { // another operand may look at the same bytes
                host_buffer larger(v.type.type, size);
                buffer = larger;
            }
            each_element(v.type, kernels::raw_buffer(v.type, in[next++]), buffer, true);
        });
        for (std::int32_t k = 0; k < g[id].values.count; ++k) {
            const auto& v = g.value_of(id, k);
            storages[static_cast<std::size_t>(v.storage.index)] = {v.type.type, v.type.offset + extent_of(v.type)};
        }
        bound_arguments bound;
        if (!bind_arguments(g, id, aten::registry::table[static_cast<std::size_t>(op.index)], bound, d)) return false;
        evaluate_context context(call_view(g, id, bound, d), host_memory(storages));
        reference_table<aten::registry>::at(op)(context);
        for (std::int32_t k = 0; k < g[id].values.count; ++k) {
            const auto& v = g.value_of(id, k);
            each_element(v.type, kernels::raw_buffer(v.type, out[static_cast<std::size_t>(k)]), storages[static_cast<std::size_t>(v.storage.index)], false);
        }
        return d.ok();
    }
    /// The block's constants, if it has some, from the end of the operands.
    const std::byte* constants_of(std::int64_t number, std::vector<const std::byte*>& operands) const {
        if (block(number).plan().constant_bytes == 0) return nullptr;
        const auto* out = operands.back();
        operands.pop_back();
        return out;
    }
    bool run_cond(const node& n, std::vector<const std::byte*> in, const std::vector<std::byte*>& out, std::byte* workspace, diagnosis& d) {
        const auto g = made_->lowered_graph();
        const auto yes = g.argument_of(n, device::cond::yes).integer(), no = g.argument_of(n, device::cond::no).integer();
        const auto* of_no = constants_of(no, in);
        const auto* of_yes = constants_of(yes, in);
        const bool is_true = *reinterpret_cast<const bool*>(in[0]);
        in.erase(in.begin());
        in.insert(in.end(), out.begin(), out.end());
        return plan_execution(block(is_true ? yes : no), random_).run(in.data(), is_true ? of_yes : of_no, workspace, d);
    }
    bool run_loop(const node& n, std::vector<const std::byte*> in, const std::vector<std::byte*>& out, std::byte* workspace, diagnosis& d) {
        using op = device::while_loop;
        const auto g = made_->lowered_graph();
        const auto test = g.argument_of(n, op::test).integer(), body = g.argument_of(n, op::body).integer();
        const auto* of_body = constants_of(body, in);
        const auto* of_test = constants_of(test, in);
        for (std::size_t k = 0; k < out.size(); ++k) {
            const auto& type = g[n.values[static_cast<std::int32_t>(k)]].type;
            std::memcpy(out[k], in[k], static_cast<std::size_t>(bytes_of(type.type, extent_of(type))));
            in[k] = out[k];
        }
        auto given = in;
        const auto* flag = workspace + g.argument_of(n, op::flag).integer();
        in.push_back(flag);
        while (true) {
            if (!plan_execution(block(test), random_).run(in.data(), of_test, workspace, d)) return false;
            if (!*reinterpret_cast<const bool*>(flag)) return true;
            if (!plan_execution(block(body), random_).run(given.data(), of_body, workspace, d)) return false;
        }
    }
    bool run_scan(node_id id, std::vector<const std::byte*> in, const std::vector<std::byte*>& out, std::byte* workspace, diagnosis& d) {
        using op = device::scan;
        const auto g = made_->lowered_graph();
        const auto& n = g[id];
        const auto combine = g.argument_of(n, op::combine).integer();
        const auto* constants = constants_of(combine, in);
        const auto carried = static_cast<std::size_t>(g.argument_of(n, op::carried).integer()), sliced = static_cast<std::size_t>(g.argument_of(n, op::sliced).integer());
        for (std::size_t k = 0; k < carried; ++k) {
            const auto& type = g[n.values[static_cast<std::int32_t>(k)]].type;
            std::memcpy(out[k], in[k], static_cast<std::size_t>(bytes_of(type.type, extent_of(type))));
            in[k] = out[k];
        }
        const auto given = in.size();
        in.insert(in.end(), out.begin() + static_cast<std::ptrdiff_t>(carried), out.end());
        for (std::int64_t step = g.argument_of(n, op::steps).integer(); step > 0; --step) {
            if (!plan_execution(block(combine), random_).run(in.data(), constants, workspace, d)) return false;
            const auto& tensors = g.argument_of(n, op::tensors).children;
            for (auto i = carried; i < carried + sliced; ++i) {
                const auto& type = g.value_of(g[tensors[static_cast<std::int32_t>(i)]]).type;
                in[i] += bytes_of(type.type, type.stride(0));
            }
            for (auto k = carried; k < out.size(); ++k) {
                const auto& type = g[n.values[static_cast<std::int32_t>(k)]].type;
                in[given + k - carried] += bytes_of(type.type, type.stride(0));
            }
        }
        return true;
    }
};

} // namespace test
