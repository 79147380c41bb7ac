// SPDX-License-Identifier: MIT
// Editing a graph: use lists stay exact, pools that are full refuse and lose nothing; and a plan that lies is refused.
#include <ahead/aten/aten.hpp>
#include <ahead/reference/interpreter.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/plan/make_plan.hpp>

#include "harness.hpp"
#include "refusal.hpp"

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_fault;

namespace {

struct small {
    heap_storage storage{{4, 4, 4}};
    diagnosis d;
    node_id x, y, z;
    graph g() { return storage.edit(); }
    small() {
        node n;
        n.kind = node_kind::placeholder;
        n.name = {"x"};
        n.annotation = "f32[4]";
        append_node(g(), n, x, d);
        node call;
        call.op = find_op(aten::registry::table, "aten.relu.default");
        call.target = "aten.relu.default";
        call.name = {"relu"};
        argument a = argument::of(x);
        insert_call(g(), call, {&a, 1}, {}, y, d);
        a = argument::of(y);
        call.name = {"relu", 1};
        insert_call(g(), call, {&a, 1}, {}, z, d);
    }
};

struct mute {
    static constexpr std::string_view name = "aten.relu.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
};

constexpr bool uses_are_exact() {
    heap_storage storage({4, 4, 4});
    const auto g = storage.edit();
    diagnosis d;
    node_id x, y, z;
    node n;
    n.kind = node_kind::placeholder;
    append_node(g, n, x, d);
    append_node(g, n, y, d);
    node call;
    const argument both[] = {argument::of(x), argument::of(x)};
    insert_call(g, call, both, {}, z, d);
    bool ok = d.ok() && g[x].use_count == 2;
    replace_all_uses(g, x, x);
    ok = ok && g[x].use_count == 2;
    replace_all_uses(g, x, y);
    ok = ok && g[x].use_count == 0 && !g[x].first_use.exists() && g[y].use_count == 2;
    erase(g, z);
    return ok && g[y].use_count == 0 && g.header().live_nodes == 2 && g.last() == y;
}
static_assert(uses_are_exact());

constexpr bool values_have_their_nodes() {
    heap_storage storage({4, 4, 5});
    const auto g = storage.edit();
    diagnosis d;
    node_id x, two, removed;
    append_node(g, {}, x, d);
    append_node(g, {}, two, d);
    append_node(g, {}, removed, d);
    bool ok = reserve_values(g, removed, 1, d) && reserve_values(g, x, 1, d) && reserve_values(g, two, 2, d);
    ok = ok && node_of(g, {1}) == x && node_of(g, {2}) == two && node_of(g, {3}) == two && node_of(g, {0}) == removed;
    erase(g, removed);
    return ok && !node_of(g, {0}).exists() && !node_of(g, {4}).exists();
}
static_assert(values_have_their_nodes());

} // namespace

int main() {
    check(uses_are_exact());
    check(values_have_their_nodes());

    // fault: graph_exceeds_capacity
    {
        small s;
        node n;
        node_id id;
        check(s.d.ok() && append_node(s.g(), n, id, s.d));
        check(!append_node(s.g(), n, id, s.d));
        check_fault(s.d, {fault::graph_exceeds_capacity});
        check(s.g().header().used.nodes == 4 && s.g().header().live_nodes == 4);
    }
    // Pools may be memory that held something else: what is taken of them is new.
    {
        heap_storage s({1, 4, 2});
        for (auto& a : s.arguments.all()) a = argument::of(7);
        for (auto& v : s.values.all()) v = {value_kind::tensor, tensor_of(dtype::f32, {4}), {1}};
        node call;
        node_id id;
        diagnosis d;
        check(reserve_arguments(s.edit(), 2, call.arguments, d) && append_node(s.edit(), call, id, d) && reserve_values(s.edit(), id, 2, d));
        check(s.arguments[0].kind == argument_kind::none && s.arguments[1].bits == 0 && s.arguments[2].bits == 7);
        check(s.values[0] == value{} && s.values[1] == value{});
    }
    // fault: plan_is_broken
    {
        small s;
        node n;
        n.kind = node_kind::output;
        node_id out;
        check(infer_types(s.g(), aten::registry::table, s.d));
        check(reserve_arguments(s.g(), 1, n.arguments, s.d) && append_node(s.g(), n, out, s.d));
        set_argument(s.g(), n.arguments[0], argument::of(s.z), out);
        const device::kernel_needs needs[4]{{}, {true, 0, 0}, {true, 0, 0}, {}};
        plan_storage<capacity{4, 4, 4}> plan;
        make_plan(s.g(), needs, plan);
        check(check_plan(s.g(), needs, plan.view(), s.d));
        plan.placements[2].offset = plan.placements[1].offset;
        check(!check_plan(s.g(), needs, plan.view(), s.d));
        check_fault(s.d, {.what = fault::plan_is_broken, .name = "relu_1"});
    }
    // fault: operator_has_no_meaning
    {
        using mute_ops = op_list<mute>;
        small s;
        for (node_id id : s.g())
            if (s.g()[id].kind == node_kind::call) s.g()[id].op = find_op(mute_ops::table, mute::name);
        check(infer_types(s.g(), mute_ops::table, s.d));
        const std::vector<host_tensor> inputs(1, host_tensor(tensor_of(dtype::f32, {4})));
        std::vector<host_tensor> outputs;
        check(!interpret<mute_ops>(s.g(), inputs, outputs, s.d));
        check_fault(s.d, {fault::operator_has_no_meaning});
    }
    return test::report();
}
