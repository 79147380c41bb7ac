// What random device graphs with concatenations are made of: for the tests of what is computed in its place.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/device/device_ops.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/plan/make_plan.hpp>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

namespace test {

struct random_concats {
    using op_set = ahead::op_list<ahead::device::view, ahead::device::copy, ahead::device::concat>;
    static constexpr ahead::capacity size{96, 400, 96};

    ahead::ir::heap_storage storage{size};
    std::vector<ahead::device::kernel_needs> needs = std::vector<ahead::device::kernel_needs>(96);
    std::mt19937& random;
    std::vector<ahead::node_id> made;
    ahead::diagnosis d;

    explicit random_concats(std::mt19937& from) : random(from) {}
    ahead::ir::graph g() { return storage.edit(); }
    int pick(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
    ahead::device::kernel_needs& needs_of(ahead::node_id id) { return needs[static_cast<std::size_t>(id.index)]; }
    ahead::node_id recent() { return made[made.size() - 1 - static_cast<std::size_t>(pick(std::min<int>(8, static_cast<int>(made.size()))))]; }

    ahead::node_id finish(ahead::node_id id, const ahead::tensor_type& type, ahead::ir::value_id storage_of = {}) {
        ahead::ir::reserve_values(g(), id, 1, d);
        g().value_of(id) = {ahead::ir::value_kind::tensor, type, storage_of.exists() ? storage_of : g()[id].values[0]};
        made.push_back(id);
        return id;
    }
    ahead::node_id add_call(std::string_view op, const std::vector<ahead::argument>& arguments) {
        ahead::ir::node n;
        n.op = ahead::ir::find_op(op_set::table, op);
        n.target = op;
        ahead::node_id id;
        ahead::ir::insert_call(g(), n, arguments, {}, id, d);
        return id;
    }
    ahead::node_id add_concat(int dim, const std::vector<ahead::node_id>& parts, const ahead::tensor_type& type) {
        using ahead::argument;
        const auto id = add_call("npu.concat", {argument{.kind = ahead::argument_kind::list}, argument::of(dim), argument::of(false)});
        auto& list = g().argument_of(g()[id], 0);
        ahead::ir::reserve_arguments(g(), static_cast<std::int32_t>(parts.size()), list.children, d);
        for (std::int32_t k = 0; k < list.children.count; ++k)
            ahead::ir::set_argument(g(), list.children[k], argument::of(parts[static_cast<std::size_t>(k)]), id);
        finish(id, type);
        needs_of(id) = {.is_task = true, .has_key = true, .joins = true};
        return id;
    }
};

} // namespace test
