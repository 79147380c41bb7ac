// SPDX-License-Identifier: MIT
// Splits calls into parts that several cores compute in parallel: each part is a call of the same operator on a slice
// of the rows, filters or elements, and writes its block of the result, or its rows of each plane, in place if the
// whole result is read. A reader that is itself partitioned and needs only such a slice reads the part directly:
// consecutive calls on the same rows need no synchronisation between cores.
// Law: the bits are those of the whole call (device/partition.hpp says why). A call is partitioned if the device saves
// more time than the synchronisation of its streams costs, and if the graph does not assign streams itself; into at
// most as many parts as the call may use cores. Streams are assigned as for any other tasks.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/device_ops.hpp>
#include <ahead/device/work_of.hpp>
#include <ahead/machine/cost.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/partitioned_call.hpp>
#include <ahead/pass/device/pointwise_program.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

/// The number of device events per partitioned call: its streams wait before it and after it.
inline constexpr std::int64_t events_of_partition = 4;
/// The approximate number of instructions of a pointwise step.
inline constexpr std::int64_t steps_of_one = 4;

/// Represents every pointwise operator in a call that is not fused.
struct any_pointwise : device::partitioned_loop {};

/// The work of a call, without the bytes moved.
template <class Op> constexpr machine::work partitioned_work(const call_view& c) {
    machine::work out;
    if constexpr (requires { work_of(Op::key(c)); }) out = work_of(Op::key(c));
    else if constexpr (requires { Op::work(c); }) out = Op::work(c);
    std::int64_t steps = std::same_as<Op, any_pointwise>;
    if constexpr (requires { Op::step_ops(c); }) steps = Op::step_ops(c).count;
    out.after = {1, device::elements_of_results(c), steps_of_one * steps, 0};
    return out;
}
/// Whether a part computes exactly what the whole does.
template <class Op>
constexpr bool is_same_part([[maybe_unused]] const call_view& c, [[maybe_unused]] device::slice_bounds s) {
    if constexpr (requires { Op::is_same_part(c, s); }) return Op::is_same_part(c, s);
    else return true;
}
/// How an operator is partitioned, as functions; null for an operator that is not.
struct partition_functions {
    device::partition (*find)(const call_view&) = nullptr;
    node_id (*part)(partitioned_call&, const call_view&, device::slice_bounds) = nullptr;
    machine::work (*work)(const call_view&) = nullptr;
    bool (*is_same)(const call_view&, device::slice_bounds) = nullptr;
};
struct partition_maker {
    template <class Op> static constexpr partition_functions find() {
        if constexpr (!requires { &Op::find_partition; }) return {};
        else return {&Op::find_partition, &Op::part, &partitioned_work<Op>, &is_same_part<Op>};
    }
    template <class Op> static constexpr partition_functions of = find<Op>();
};

/// Ops: the device operators that may be partitioned, and others.
template <class Ops> class core_splitter {
public:
    constexpr core_splitter(graph_editor& g, const machine::device& on, std::int32_t cores)
        : g_(g), on_(on), cores_(cores < device::max_concat_parts ? cores : device::max_concat_parts),
          places_(g.view()), known_(std::int64_t{cores} * g.view().header().used.values) {}

private:
    graph_editor& g_;
    const machine::device& on_;
    std::int32_t cores_;
    air::stream_map places_; // of the original calls
    partitioned_values known_;

    constexpr machine::ticks time_of(const call_view& c, const partition_functions& by) const {
        auto out = by.work(c);
        for (std::int32_t r = 0; r < g_[c.id()].values.count; ++r)
            out.moved_bytes += bytes_of(c.result_type(r).type, element_count(c.result_type(r)));
        for_each_operand(g_.view(), g_[c.id()].arguments, [&](const argument& a) {
            const auto& type = g_.view().value_of(a).type;
            out.moved_bytes += bytes_of(type.type, element_count(type));
        });
        return machine::time_of(out, on_, {out.moved_bytes, out.moved_bytes});
    }
    /// Whether partitioning a task of duration `whole` saves time, if the longest part has `longest` of `extent`.
    constexpr bool pays(machine::ticks whole, std::int64_t extent, std::int64_t longest) const {
        const auto saved = whole.count / extent * (extent - longest);
        return saved > events_of_partition * on_.launch.event.count + on_.launch.task.count;
    }
    /// Records the blocks, so that a reader of a slice within one of them reads that part.
    constexpr void add_known(node_id whole, const list_argument& parts, std::int32_t result) {
        std::int64_t begin = 0;
        for (const auto& part : parts.elements.all()) {
            const auto end = begin + element_count(g_.type_of(part.node(), result));
            known_.add(g_[whole].values[0], begin, end, part.node(), result);
            begin = end;
        }
    }
    constexpr void write(const call_view& c, const partition_functions& by, const device::partition& where,
                         std::int64_t parts, auto end_of) {
        const auto id = c.id();
        const auto results = g_[id].values.count;
        g_.inserting_before(id);
        list_argument made{fixed_buffer<argument>(parts)};
        for (std::int64_t k = 0; k < parts; ++k) {
            partitioned_call part(g_, known_, id);
            made.elements[k] = argument::of(by.part(part, c, {end_of(k), end_of(k + 1) - end_of(k)}));
            if (!g_.ok()) return;
        }
        for (std::int32_t r = 0; r < results && g_.ok(); ++r) {
            for (auto& part : made.elements.all()) part.result = r;
            const auto whole = g_.call<device::concat>({made, where.dim, false});
            if (!g_.ok()) return;
            if (device::concat::are_blocks(g_.type_of(whole), where.dim)) add_known(whole, made, r);
            auto as = whole;
            if (!(g_.type_of(whole) == g_.type_of(id, r))) {
                as = g_.call<device::view>({whole});
                g_.set_type(as, g_.type_of(id, r));
            }
            g_.replace_result_with(id, r, as);
        }
        g_.erase_node(id);
    }
    constexpr void partition_call(node_id id, const partition_functions& by) {
        const typed_call c(g_.view(), id, g_.operators(), g_.faults());
        const auto where = by.find(c);
        const auto tiles = where.extent / where.tile_multiple;
        const auto within_limit = machine::cores_within(places_.of(id).limit, on_);
        const auto most = within_limit < cores_ ? within_limit : cores_;
        const auto parts = tiles < most ? tiles : most;
        if (parts < 2) return;
        // The last part also gets the remainder that is not a whole tile.
        const auto end_of = [&](std::int64_t k) {
            return k == parts ? where.extent : tiles * k / parts * where.tile_multiple;
        };
        std::int64_t longest = 0;
        bool is_same = true;
        for (std::int64_t k = 0; k < parts; ++k) {
            const device::slice_bounds s{end_of(k), end_of(k + 1) - end_of(k)};
            if (longest < s.count) longest = s.count;
            is_same = is_same && by.is_same(c, s);
        }
        if (is_same && pays(time_of(c, by), where.extent, longest)) write(c, by, where, parts, end_of);
    }

public: // after the functions that it calls, because clang needs templates first
    constexpr void run() {
        for (node_id id : g_) {
            if (!g_.ok()) return;
            if (g_[id].kind != node_kind::call || g_[id].constant) continue;
            if (is_elementwise_device_call(g_.view(), g_.operators().data(), g_[id]))
                partition_call(id, partition_maker::of<any_pointwise>);
            else if (const auto* by = find_made<Ops, partition_maker>(g_[id].target); by && by->find != nullptr)
                partition_call(id, *by);
        }
        if (g_.changes() > 0) g_.eliminate_dead_code();
    }
};

} // namespace detail

/// On: the device with the cores. Operators::device_ops: the device operators with a key.
template <const machine::device& On, class Operators = device::builtin_operators> struct split_over_cores_pass {
    static constexpr std::string_view name = "split_over_cores";

    static constexpr bool is_on(const config& options) { return options.cores > 1; }
    static constexpr bool applies(graph_view g, op_table) { return !air::has_stream_scopes(g); }
    constexpr void operator()(graph_editor& g, const config& options) const {
        detail::core_splitter<typename Operators::device_ops>(g, On, options.cores).run();
    }
};
template <const machine::device& On, class Operators = device::builtin_operators>
inline constexpr split_over_cores_pass<On, Operators> split_over_cores;

/// Refuses more cores than the device offers for separate tasks, and core limits above the device's numbers of cores
/// (option_is_out_of_range).
constexpr bool check_cores(const config& options, const machine::device& on, diagnosis& d) {
    const auto has = machine::cores_of(on);
    const auto check_option = [&](std::string_view name, std::int32_t number, std::int32_t most) {
        if (number <= most) return true;
        d.op = "config";
        d.name = name;
        return refuse(d, fault::option_is_out_of_range,
                      short_text("at most ") << most << ", as the device " << on.name << " has",
                      short_text() << number);
    };
    return check_option("cores", options.cores, machine::offered_cores(on)) &&
           check_option("aicore_num", options.aicore_num, has.ai_cores) &&
           check_option("vectorcore_num", options.vectorcore_num, has.vector_cores);
}

} // namespace ahead::pass
