// SPDX-License-Identifier: MIT
// Attention in torch_npu's operators where each batch row has a separate number of keys, and the host gives these
// lengths: actual_seq_lengths = [n, m]. A computed mask hides the keys at and after each length.
// Invariant: afterwards the call has a mask and no lengths. Called by host_numbers.hpp.
// Source: torch_npu's npu_incre_flash_attention, npu_fused_infer_attention_score and its v2.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/legalize/host/call_editor.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The name of the parameter with the numbers of keys; empty if the operator has none.
constexpr std::string_view lengths_of_keys(std::string_view target) {
    if (target == "npu.npu_incre_flash_attention.default") return "actual_seq_lengths";
    if (target == "npu.npu_fused_infer_attention_score.default") return "actual_seq_lengths_kv";
    if (target == "npu.npu_fused_infer_attention_score_v2.default") return "actual_seq_kvlen";
    return {};
}

/// The lengths of a list as an i64[count, 1]; none() if an element is not a number.
constexpr node_id column_of_lengths(call_editor& e, node_id id, const argument& lengths) {
    const auto count = lengths.children.count;
    fixed_buffer<node_id> rows(count);
    for (std::int32_t i = 0; i < count; ++i) {
        const auto& length = e.g[lengths.children[i]];
        if (length.kind == argument_kind::integer) {
            argument one;
            if (!e.list(int_list{1}, one)) return {};
            const argument all[] = {one, argument::of(length.integer())};
            rows[i] = e.insert(id, "aten.full.default", all);
        } else if (length.kind == argument_kind::node) {
            const argument all[] = {argument::of(length.node()), argument::of(0)};
            rows[i] = e.insert(id, "aten.unsqueeze.default", all);
        }
        if (!rows[i].exists()) return {};
    }
    auto joined = rows[0];
    if (count > 1) {
        argument list;
        if (!e.list(count, list)) return {};
        const argument all[] = {list};
        joined = e.insert(id, "aten.cat.default", all);
        if (!joined.exists()) return {};
        for (std::int32_t i = 0; i < count; ++i) set_argument(e.g, list.children[i], argument::of(rows[i]), joined);
    }
    const argument all[] = {argument::of(joined), argument::of(1)};
    return e.insert(id, "aten.unsqueeze.default", all);
}

/// False if it cannot be done. pre: all nodes before the call are typed
constexpr bool mask_behind_lengths(call_editor& e, node_id id) {
    const auto name = lengths_of_keys(e.g[id].target);
    const auto* lengths = name.empty() ? nullptr : e.given(id, -1, name);
    if (lengths == nullptr || lengths->children.count == 0) return true;
    const auto *query = e.given(id, 0, "query"), *key = e.given(id, 1, "key"),
               *layout = e.given(id, -1, "input_layout"), *mode = e.given(id, -1, "sparse_mode"),
               *mask = e.given(id, -1, "atten_mask");
    if (query == nullptr || key == nullptr || !is_tensor_argument(e.g, *query) || !is_tensor_argument(e.g, *key) ||
        (mode != nullptr && call_editor::integer(mode, 2) > 1))
        return false;
    const int dim = layout != nullptr && layout->text.starts_with("BN") ? 2 : 1;
    const auto &of_query = e.g.value_of(*query).type, &of_key = e.g.value_of(*key).type;
    if (of_query.rank <= dim || of_key.rank <= dim) return false;
    const auto queries = of_query.size(dim), keys = of_key.size(dim);
    const bool is_masked = mask != nullptr && is_tensor_argument(e.g, *mask);
    const auto column = column_of_lengths(e, id, *lengths);
    const argument range[] = {argument::of(keys)};
    const auto places = e.insert(id, "aten.arange.default", range);
    const argument compared[] = {argument::of(places), argument::of(column)};
    auto hidden = column.exists() && places.exists() ? e.insert(id, "aten.ge.Tensor", compared) : node_id();
    // [B, keys]; with dims of size 1 in between for the queries and the heads.
    const int rank = is_masked ? e.g.value_of(*mask).type.rank : 2;
    for (int dims = 2; hidden.exists() && (dims < rank || (dims == 2 && queries > 1)); ++dims) {
        const argument wider[] = {argument::of(hidden), argument::of(1)};
        hidden = e.insert(id, "aten.unsqueeze.default", wider);
    }
    if (!hidden.exists()) return false;
    if (is_masked) {
        const argument either[] = {argument::of(mask->node(), mask->result), argument::of(hidden)};
        hidden = e.insert(id, "aten.logical_or.default", either);
    } else if (queries > 1) {
        argument sizes;
        if (!e.list(int_list{lengths->children.count, queries, keys}, sizes)) return false;
        const argument all[] = {argument::of(hidden), sizes};
        hidden = e.insert(id, "aten.expand.default", all);
    }
    if (!hidden.exists()) return false;
    fixed_buffer<argument> all(e.g[id].arguments.count + 1);
    std::int64_t count = 0;
    for (std::int32_t i = 0; i < e.g[id].arguments.count; ++i)
        if (const auto& a = e.g.argument_of(e.g[id], i); &a != lengths && &a != mask) all[count++] = a;
    all[count] = argument::of(hidden);
    all[count++].keyword = "atten_mask";
    return e.give(id, {all.data(), static_cast<std::size_t>(count)});
}

} // namespace ahead::detail
