// The reference over memory that held something else: an operator that leaves an element of a result unwritten, or reads one that it did not write, gives
// what lay there before. So every graph is run twice, over two different fillings, and must give the same.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>

namespace test {

/// Fills the results of a call that own their storage, before it runs.
inline void poison(ahead::graph_view g, ahead::node_id id, std::vector<ahead::interpreter::host_buffer>& storages, int filling) {
    for (std::int32_t k = 0; k < g[id].values.count; ++k) {
        const auto& v = g.value_of(id, k);
        if (v.kind != ahead::ir::value_kind::tensor || v.storage != g[id].values[k]) continue;
        auto& data = storages[static_cast<std::size_t>(v.storage.index)];
        for (std::int64_t i = 0; i < data.size(); ++i) data.put(i, data.type == ahead::dtype::b8 ? filling : 77 - 50 * filling);
    }
}

/// What interpret visits before each call.
struct poisoning {
    ahead::graph_view g;
    int filling = 0;
    void operator()(ahead::node_id id, ahead::interpreter::visit_moment when, std::vector<ahead::interpreter::host_buffer>& storages) const {
        if (when == ahead::interpreter::visit_moment::before_call) poison(g, id, storages, filling);
    }
};

/// As interpret. Refuses, outputs_differ, what hangs on what lay in memory before.
template <class Registry>
bool interpret_poisoned(ahead::graph_view g, ahead::core::array_view<const ahead::host_tensor> inputs, std::vector<ahead::host_tensor>& outputs, ahead::diagnosis& d) {
    std::vector<ahead::host_tensor> other;
    for (auto* to : {&outputs, &other})
        if (!ahead::interpreter::interpret<Registry>(g, inputs, *to, d, poisoning{g, to == &other})) return false;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const auto bits = [](const ahead::host_tensor& t) {
            std::vector<std::byte> bytes(static_cast<std::size_t>(t.data.size()) * ahead::ir::bytes_of(t.type.type));
            to_bytes(t, bytes);
            return bytes;
        };
        if (bits(outputs[k]) != bits(other[k])) return ahead::refuse(d, ahead::fault::outputs_differ, "every element written", ahead::short_text("output ") << k);
    }
    return true;
}

} // namespace test
