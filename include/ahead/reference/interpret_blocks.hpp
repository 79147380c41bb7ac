// SPDX-License-Identifier: MIT
// The reference semantics of calls that hold blocks: each block runs as a separate graph, as often as its call says.
// Invariant: as in interpreter.hpp; a block reads only the tensors that it is given.
#pragma once
#include <ahead/aten/control.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/ir/op.hpp>
#include <ahead/reference/host_tensor.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A contiguous copy of a result.
constexpr host_tensor copy_of(graph_view g, const argument& a, const std::vector<host_buffer>& storages) {
    const auto& v = g.value_of(a);
    const auto& from = storages[static_cast<std::size_t>(v.storage.index)];
    host_tensor out(v.type);
    std::int64_t k = 0;
    for_each_index(sizes_of(v.type), [&](const int_list& at) { out.data.copy(k++, from, position_of(v.type, at)); });
    return out;
}

/// Copies contiguous `from` to result k of a call, which has its own storage.
constexpr void give_result(graph_view g, node_id id, std::int32_t k, const host_tensor& from,
                           std::vector<host_buffer>& storages) {
    const auto& type = g.value_of(id, k).type;
    auto& to = storages[static_cast<std::size_t>(g.value_of(id, k).storage.index)];
    for_each_index(sizes_of(type),
                   [&](const int_list& at) { to.copy(position_of(type, at), from.data, position_of(from.type, at)); });
}
/// Copies slice `step` along dim 0 of `whole` to `slice`, or back.
constexpr void copy_slice(host_tensor& whole, std::int64_t step, host_tensor& slice, bool to_slice) {
    for_each_index(sizes_of(slice.type), [&](const int_list& at) {
        int_list in_whole;
        in_whole.push_back(step);
        for (const auto i : at) in_whole.push_back(i);
        auto &from = to_slice ? whole : slice, &to = to_slice ? slice : whole;
        to.data.copy(position_of(to.type, to_slice ? at : in_whole), from.data,
                     position_of(from.type, to_slice ? in_whole : at));
    });
}
constexpr bool is_true(const host_tensor& one) { return one.data.get<std::int64_t>(0) != 0; }

/// Runs a call that holds blocks: each block as a separate graph, with `interpret(graph, inputs, outputs)`. Refuses a
/// loop that does not end within `most` rounds.
template <class Interpret>
constexpr bool interpret_blocks(graph_view g, op_table ops, node_id id, std::vector<host_buffer>& storages,
                                diagnosis& d, Interpret interpret) {
    constexpr std::int64_t most = 1'000'000;
    const auto& n = g[id];
    const auto& effect = ops[static_cast<std::size_t>(n.op.index)].effect;
    const auto block = [&](std::int32_t i) { return g.inside(g.argument_of(n, i).block()); };
    const auto run = [&](graph_view in, const std::vector<host_tensor>& given, std::vector<host_tensor>& out) {
        out.clear();
        return interpret(in, array_view<const host_tensor>(given.data(), given.size()), out);
    };
    std::vector<host_tensor> given, out;
    std::size_t carried = 0, sliced = 0, first_slice = 0;
    for (std::int32_t i = effect.blocks_take; i < n.arguments.count; ++i) {
        const auto& list = g.argument_of(n, i).children;
        if (i == effect.blocks_take && effect.blocks_carry >= 0) carried = static_cast<std::size_t>(list.count);
        if (i == effect.blocks_slice) {
            first_slice = given.size();
            sliced = static_cast<std::size_t>(list.count);
        }
        for (std::int32_t k = 0; k < list.count; ++k) given.push_back(copy_of(g, g[list[k]], storages));
    }
    if (effect.blocks_carry < 0) {
        using at = aten::cond::at;
        const bool yes = is_true(copy_of(g, g.argument_of(n, at::pred), storages));
        if (!run(block(yes ? at::true_fn : at::false_fn), given, out)) return false;
    } else if (effect.blocks_slice < 0) {
        using at = aten::while_loop::at;
        for (std::int64_t round = 0;; ++round) {
            if (!run(block(at::cond_fn), given, out)) return false;
            if (!is_true(out[0])) break;
            if (round == most)
                return refuse_at(d, n, fault::loop_exceeds_bound, short_text("at most ") << most << " rounds", "more");
            if (!run(block(at::body_fn), given, out)) return false;
            for (std::size_t k = 0; k < carried; ++k) given[k] = out[k];
        }
        out.assign(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(carried));
    } else {
        std::vector<host_tensor> made;
        for (std::int32_t k = 0; k < n.values.count; ++k) made.emplace_back(g.value_of(id, k).type);
        const auto steps = given[first_slice].type.size(0);
        for (std::int64_t step = 0; step < steps; ++step) {
            auto now = given;
            for (auto x = first_slice; x < first_slice + sliced; ++x) {
                auto type = given[x].type;
                remove_dim(type, 0);
                now[x] = host_tensor(type);
                copy_slice(given[x], step, now[x], true);
            }
            if (!run(block(aten::scan::at::combine_fn), now, out)) return false;
            for (std::size_t k = 0; k < out.size(); ++k)
                if (k < carried) given[k] = out[k];
                else copy_slice(made[k], step, out[k], false);
        }
        for (std::size_t k = 0; k < made.size(); ++k)
            if (k < carried) made[k] = given[k];
        out = std::move(made);
    }
    for (std::int32_t k = 0; k < n.values.count; ++k) give_result(g, id, k, out[static_cast<std::size_t>(k)], storages);
    return true;
}

} // namespace ahead::detail
