// A random device graph of views and copies with constants, workspaces and results that may overwrite operands, as the planner sees graphs.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/device/device_ops.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/plan/make_plan.hpp>

#include "harness.hpp"

#include <random>
#include <vector>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

using op_set = op_list<device::view, device::copy>;
constexpr capacity size{96, 256, 96};

struct random_graph {
    heap_storage storage{size};
    std::vector<device::kernel_needs> needs = std::vector<device::kernel_needs>(96);

    graph g() { return storage.edit(); }

    explicit random_graph(std::mt19937& random) {
        diagnosis d;
        std::vector<argument> made; // results
        const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        const auto add = [&](node n, tensor_type type, std::vector<argument> arguments, int view_of, int results = 1) {
            node_id id;
            if (n.kind == node_kind::call) insert_call(g(), n, arguments, {}, id, d);
            else append_node(g(), n, id, d);
            reserve_values(g(), id, results, d);
            for (int k = 0; k < results; ++k) {
                auto& v = g().value_of(id, k);
                v = {value_kind::tensor, k == 0 || pick(4) > 0 ? type : tensor_of(dtype::f32, {pick(100) + 1}), g()[id].values[k]};
                if (view_of >= 0) v.storage = g().value_of(arguments[static_cast<std::size_t>(view_of)]).storage;
                made.push_back(argument::of(id, k));
            }
            return id;
        };
        node input;
        input.kind = node_kind::placeholder;
        add(input, tensor_of(dtype::f32, {pick(40) + 1}), {}, -1);
        input.role = input_role::parameter;
        g()[add(input, tensor_of(dtype::f32, {pick(40) + 1}), {}, -1)].constant = true;
        const int count = 4 + pick(30);
        for (int i = 0; i < count; ++i) {
            std::vector<argument> arguments;
            bool constant_node = true;
            for (int k = 0; k <= pick(3); ++k) {
                const auto from = made[made.size() - 1 - static_cast<std::size_t>(pick(std::min<int>(6, static_cast<int>(made.size()))))];
                arguments.push_back(from);
                constant_node = constant_node && g()[from.node()].constant;
            }
            node n;
            const bool view = pick(6) == 0;
            n.op = find_op(op_set::table, view ? "npu.view" : "npu.copy");
            n.target = view ? "npu.view" : "npu.copy";
            if (view) arguments.resize(1);
            if (view) constant_node = g()[arguments[0].node()].constant;
            const auto operand_type = g().value_of(arguments[0]).type;
            const bool several = !view && pick(4) == 0;
            const auto id = add(n, view || pick(2) ? operand_type : tensor_of(dtype::f32, {pick(100) + 1}), arguments, view ? 0 : -1, several ? 2 + pick(2) : 1);
            g()[id].constant = constant_node;
            auto& need = needs[static_cast<std::size_t>(id.index)];
            need.is_task = !view;
            need.on_ai_cpu = !view && id.index % 3 == 0;
            need.workspace = !view && pick(4) == 0 ? pick(300) : 0;
            for (std::size_t k = 0; !view && k < arguments.size() && (k == 0 || several); ++k)
                if (g().value_of(id).type == g().value_of(arguments[k]).type) need.may_overwrite = static_cast<std::uint16_t>(need.may_overwrite | 1u << k);
            need.each_may_overwrite = several && pick(3) > 0;
        }
        node output;
        output.kind = node_kind::output;
        std::vector<argument> outputs;
        for (const auto& a : made)
            if (const auto id = a.node(); !g()[id].constant &&
                                          needs[static_cast<std::size_t>(id.index)].is_task && pick(8) == 0)
                outputs.push_back(a);
        reserve_arguments(g(), static_cast<std::int32_t>(outputs.size()), output.arguments, d);
        node_id id;
        append_node(g(), output, id, d);
        for (std::int32_t i = 0; i < output.arguments.count; ++i)
            set_argument(g(), output.arguments[i], outputs[static_cast<std::size_t>(i)], id);
        check(d.ok());
    }
};

} // namespace test
