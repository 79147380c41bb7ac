// SPDX-License-Identifier: MIT
// Plans with any one of their numbers changed: what the simulation of bytes finds harmful the verifier refuses, and nothing else. Random device graphs with weights,
// constants made of them, states, inputs that are written, views, concatenations, kernels that overwrite operands or need workspaces, several results, prints;
// on one stream, on several, and on streams of their own with records and waits. AHEAD_LONG=1: ten times as many.
#include "../harness.hpp"
#include "../plan_mutations.hpp"
#include "../timed.hpp"

#include <ahead/device/device_ops.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/plan/make_plan.hpp>

#include <cstdlib>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

using listed = op_list<device::view, device::copy, device::concat, device::assign>;
constexpr capacity size{128, 500, 128};
using plan = plan_storage<size, 256>;

class random_program {
public:
    std::vector<device::kernel_needs> needs = std::vector<device::kernel_needs>(128);
    graph_view g() const { return storage_.view(); }

    random_program(std::mt19937& random, bool scoped) : random_(random) {
        for (int i = 0; i < 2; ++i) ports_.push_back(add_placeholder(input_role::user, false));
        for (int i = 0; i < 2; ++i) ports_.push_back(add_placeholder(input_role::buffer, pick(2) > 0)); // a state, if it is written
        for (int i = 1 + pick(3); i > 0; --i) add_placeholder(input_role::parameter, true);
        if (scoped) edit().header().has_streams = true;
        for (int i = 8 + pick(14); i > 0; --i) {
            const auto kind = pick(16);
            if (scoped && pick(3) == 0) change_stream();
            if (kind < 3) add_concat();
            else if (kind < 5) add_view();
            else if (kind == 5) add_print();
            else add_call();
        }
        while (depth_ > 0) leave();
        std::vector<node_id> outputs;
        for (auto id : made_)
            if (is_computed(id) && !is_constant(id) && outputs.size() < 4 && (pick(6) == 0 || outputs.empty())) outputs.push_back(id);
        for (auto port : ports_)
            if (!is_constant(port)) write(port);
        node n;
        n.kind = node_kind::output;
        reserve_arguments(edit(), static_cast<std::int32_t>(outputs.size()), n.arguments, d_);
        node_id id;
        append_node(edit(), n, id, d_);
        for (std::int32_t i = 0; i < n.arguments.count; ++i) set_argument(edit(), n.arguments[i], argument::of(outputs[static_cast<std::size_t>(i)]), id);
        check(d_.ok(), d_.expected.view());
    }
    plan make(std::int32_t streams, bool scoped) {
        const auto demands = test::random_demands(random_, 128);
        const launch_rules rules{streams, demands, {}};
        plan out;
        make_plan(g(), needs, out, machine::npu, pick(5) > 0, streams > 1 || scoped ? &rules : nullptr);
        return out;
    }

private:
    heap_storage storage_{size};
    std::mt19937& random_;
    std::vector<node_id> made_, ports_, records_;
    int depth_ = 0, names_ = 0;
    diagnosis d_;

    graph edit() { return storage_.edit(); }
    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    bool& is_constant(node_id id) { return edit()[id].constant; }
    device::kernel_needs& needs_of(node_id id) { return needs[static_cast<std::size_t>(id.index)]; }
    bool is_computed(node_id id) const { return g()[g().value_of(id).storage].storage == g().value_of(id).storage && needs[static_cast<std::size_t>(id.index)].is_task; }
    node_id recent() { return made_[made_.size() - 1 - static_cast<std::size_t>(pick(std::min<int>(10, static_cast<int>(made_.size()))))]; }

    void give_value(node_id id, const tensor_type& type, value_id storage_of = {}) {
        reserve_values(edit(), id, 1, d_);
        edit().value_of(id) = {value_kind::tensor, type, storage_of.exists() ? storage_of : g()[id].values[0]};
        made_.push_back(id);
    }
    /// What is written has one of two sizes, so that there is something to write into it.
    node_id add_placeholder(input_role role, bool constant) {
        node n;
        n.kind = node_kind::placeholder;
        n.role = role;
        node_id id;
        append_node(edit(), n, id, d_);
        is_constant(id) = constant;
        give_value(id, tensor_of(dtype::f32, {pick(3) ? 16 + 4 * pick(2) : 1 + pick(40)}));
        return id;
    }
    node_id add(std::string_view target, const std::vector<argument>& arguments) {
        node n;
        n.op = find_op(op_rows::table, "npu.copy"); // plans are made by names
        n.target = target;
        n.name = {"n", ++names_};
        node_id id;
        insert_call(edit(), n, arguments, {}, id, d_);
        return id;
    }
    bool all_constant(const std::vector<argument>& arguments) {
        return std::all_of(arguments.begin(), arguments.end(), [&](const argument& a) { return a.kind != argument_kind::node || is_constant(a.node()); });
    }
    void fill(node_id id, std::int32_t position, const std::vector<argument>& children) {
        auto& list = edit().argument_of(g()[id], position);
        reserve_arguments(edit(), static_cast<std::int32_t>(children.size()), list.children, d_);
        for (std::int32_t k = 0; k < list.children.count; ++k) set_argument(edit(), list.children[k], children[static_cast<std::size_t>(k)], id);
    }
    void add_concat() {
        std::vector<argument> parts;
        std::int64_t total = 0;
        for (int k = 1 + pick(4); k > 0; --k) {
            const auto part = recent();
            parts.push_back(argument::of(part));
            total += element_count(g().value_of(part).type);
        }
        if (total > 200) return;
        const auto id = add("npu.concat", {argument{.kind = argument_kind::list}, argument::of(0), argument::of(false)});
        fill(id, 0, parts);
        give_value(id, tensor_of(dtype::f32, {total}));
        is_constant(id) = all_constant(parts);
        needs_of(id) = {.is_task = true, .has_key = true, .on_ai_cpu = id.index % 3 == 0, .joins = true}; // also of what is no task in the end
    }
    void add_view() {
        const auto of = recent();
        const auto type = g().value_of(of).type;
        auto cut = tensor_of(dtype::f32, {pick(2) ? type.size(0) : 1 + pick(static_cast<int>(type.size(0)))});
        cut.offset = type.offset + pick(static_cast<int>(type.size(0) - cut.size(0)) + 1);
        const bool constant = is_constant(of);
        const auto id = add("npu.view", {argument::of(of)});
        give_value(id, cut, g().value_of(of).storage);
        is_constant(id) = constant;
    }
    void add_print() {
        const auto id = add("air.print.default", {argument::of(recent())});
        needs_of(id) = {true, pick(2) ? 8 : 0};
    }
    /// The first operand element by element, so that it may be overwritten; others of its type as well, if the kernel likes.
    void add_call() {
        std::vector<argument> arguments;
        for (int k = 0; k <= pick(3); ++k) arguments.push_back(argument::of(k == 0 && pick(2) ? made_.back() : recent()));
        const bool constant = all_constant(arguments);
        auto like = g().value_of(arguments[0]).type;
        like.offset = 0;
        const auto type = pick(3) ? like : tensor_of(dtype::f32, {pick(3) ? 16 : 1 + pick(40)});
        const auto id = add("npu.copy", arguments);
        const bool several = pick(8) == 0;
        if (several) {
            reserve_values(edit(), id, 2, d_);
            for (int k = 0; k < 2; ++k) edit().value_of(id, k) = {value_kind::tensor, type, g()[id].values[k]};
            made_.push_back(id);
        } else {
            give_value(id, type);
        }
        is_constant(id) = constant;
        auto& need = needs_of(id);
        need.is_task = true;
        need.on_ai_cpu = id.index % 3 == 0;
        need.workspace = pick(4) == 0 ? 1 + pick(200) : 0;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (g().value_of(arguments[i]).type == type && (i == 0 || pick(2))) need.may_overwrite = static_cast<std::uint16_t>(need.may_overwrite | 1u << i);
    }
    /// What was computed last, and has the type of the port, if anything has.
    void write(node_id port) {
        const auto type = g().value_of(port).type;
        for (auto i = made_.size(); i-- > 0;) {
            const auto from = made_[i];
            if (!is_computed(from) || !(g().value_of(from).type == type) || pick(3) == 0) continue;
            const auto id = add("npu.assign", {argument::of(port), argument::of(from)});
            reserve_values(edit(), id, 1, d_);
            edit().value_of(id) = g().value_of(port);
            needs_of(id).is_task = true;
            return;
        }
        if (g()[port].role == input_role::user) return;
        const auto copy = add("npu.copy", {argument::of(port)}); // of a state something has to be written
        give_value(copy, type);
        needs_of(copy) = {true, 0, 1};
        const auto id = add("npu.assign", {argument::of(port), argument::of(copy)});
        reserve_values(edit(), id, 1, d_);
        edit().value_of(id) = g().value_of(port);
        needs_of(id).is_task = true;
    }
    void change_stream() {
        const auto kind = pick(5);
        if (kind < 2 && depth_ < 2) {
            static constexpr std::string_view labels[] = {"one", "two", "default"};
            const auto id = add("air.scope_enter.default", {argument{.kind = argument_kind::list}, argument{.kind = argument_kind::list}});
            fill(id, 0, {argument{.kind = argument_kind::string, .text = air::stream_label_key}});
            fill(id, 1, {argument{.kind = argument_kind::string, .text = labels[pick(3)]}});
            ++depth_;
        } else if (kind == 2 && depth_ > 0) {
            leave();
        } else if (kind == 3 || records_.empty()) {
            const bool tagged = pick(3) == 0;
            const auto id = tagged ? add("air.tagged_event_record.default", {argument{.kind = argument_kind::string, .text = "tag"}}) : add("air.record.default", {});
            if (!tagged) records_.push_back(id);
            else is_tagged_ = true;
        } else if (is_tagged_ && pick(2)) {
            add("air.tagged_event_wait.default", {argument{.kind = argument_kind::string, .text = "tag"}});
        } else {
            const auto id = add("air.wait.default", {argument{.kind = argument_kind::list}});
            fill(id, 0, {argument::of(records_[static_cast<std::size_t>(pick(static_cast<int>(records_.size())))])});
        }
    }
    bool is_tagged_ = false;
    void leave() {
        add("air.scope_exit.default", {});
        --depth_;
    }
};

} // namespace

int main() {
    std::mt19937 random(5);
    test::plan_mutations changes;
    const int plans = std::getenv("AHEAD_LONG") ? 4000 : 400;
    int scoped = 0, streamed = 0, states = 0, in_place = 0, removed = 0, shared = 0, copies = 0;
    for (int i = 0; i < plans; ++i) {
        const bool has_scopes = i % 4 == 3;
        random_program program(random, has_scopes);
        const auto made = program.make(i % 2 == 0 ? 1 : 2 + i % 3, has_scopes);
        changes.run(program.g(), program.needs, made, random, 3);
        scoped += has_scopes;
        streamed += made.summary.streams > 1;
        states += made.summary.states;
        in_place += made.summary.inputs_written_in_place + made.summary.states_written_in_place;
        removed += made.summary.cats_removed;
        copies += made.summary.copies;
        for (const auto& p : made.placements) shared += p.shares.exists() && p.where == region::arena;
    }
    std::cout << plans << " plans, " << streamed << " on several streams, " << scoped << " of scopes: " << states << " states, " << in_place << " written in place, " << removed
              << " concatenations removed, " << shared << " operands overwritten, " << copies << " weights copied\n";
    check(streamed > plans / 4 && states > plans / 2 && in_place > plans / 10 && removed > plans / 10 && shared > plans / 2 && copies > plans);
    changes.report(100);
    return test::report();
}
