// A graph lowered at run time: the device operators that it becomes, without kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/convert/lower/lower_graph.hpp>
#include <ahead/convert/toolchain.hpp>

#include <string>
#include <vector>

namespace test {

struct lowered {
    ahead::ir::heap_storage storage;
    ahead::diagnosis error;

    template <class Tools = ahead::toolchain<>>
    explicit lowered(ahead::graph_view from, const Tools& = {}, ahead::config options = Tools::options,
                     ahead::ir::op_table op_rows = ahead::aten::registry::table)
        : storage(ahead::convert::lowered_capacity(from, op_rows, Tools::converters::table, Tools::device_registry::table, options)) {
        ahead::convert::lower_graph(from, op_rows, Tools::converters::table, storage.edit(), Tools::device_registry::table, options, error);
    }
    // "npu.matmul npu.copy ", views aside, those of prepare in brackets.
    std::string tasks() const {
        std::string out;
        for (ahead::node_id id : storage.view())
            if (const auto& n = storage.view()[id]; n.kind == ahead::ir::node_kind::call && n.target != "npu.view")
                out += n.constant ? "[" + std::string(n.target) + "] " : std::string(n.target) + " ";
        return out;
    }
};

} // namespace test
