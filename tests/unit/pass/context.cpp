// Passes that know the device and the inputs' types: what they do is the same in a compiled program, at run time and in the log of the passes; in a block
// they see the inputs of the whole graph.
// SPDX-License-Identifier: MIT
#include "block_texts.hpp"
#include "harness.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/print/print_passes.hpp>

#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;
static_assert(machine::npu.cores < 2 && machine::xeon_2core.cores == 2);

/// x * 2 becomes x + x where the device has several cores.
struct add_on_cores {
    static constexpr std::string_view name = "add_on_cores";
    constexpr void operator()(graph_editor& g, const pass::context& c) const {
        if (c.device.cores < 2) return;
        for (node_id n : g.find_nodes<aten::mul>()) {
            const auto x = g.operand(n, 0);
            g.inserting_before(n);
            g.replace_all_uses_with(n, g.call<aten::add>({x, x}));
            g.erase_node(n);
        }
    }
};
/// The same where a weight is named "fc.w" and the first input has 4 rows of f32.
struct add_by_inputs {
    static constexpr std::string_view name = "add_by_inputs";
    constexpr void operator()(graph_editor& g, const pass::context& c) const {
        bool has_weight = false;
        for (const auto& input : c.inputs) has_weight = has_weight || (input.role == input_role::parameter && input.weight == "fc.w");
        const auto first = c.inputs[0];
        if (!has_weight || c.inputs.size() != 2 || first.name != "x" || first.role != input_role::user) return;
        if (first.type.type != dtype::f32 || first.type.size(0) != 4 || !c.options.is_on(&config::fuse_pointwise)) return;
        add_on_cores{}(g, {c.options, machine::xeon_2core, c.inputs});
    }
};

template <int Rows> struct net {
    static constexpr std::string_view text = Rows == 4 ? R"fx(def forward(self, x: "f32[4, 8]", w: "f32[8]"):
    add: "f32[4, 8]" = torch.ops.aten.add.Tensor(x, w)
    mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(add, 2)
    return (mul,)
)fx"
                                                       : R"fx(def forward(self, x: "f32[5, 8]", w: "f32[8]"):
    add: "f32[5, 8]" = torch.ops.aten.add.Tensor(x, w)
    mul: "f32[5, 8]" = torch.ops.aten.mul.Tensor(add, 2)
    return (mul,)
)fx";
    static constexpr fx_input inputs[] = {{"w", "fc.w"}};
};

constexpr int adds_of(graph_view g) {
    int out = 0;
    for (node_id id : g) out += g[id].target == "aten.add.Tensor";
    return out;
}

/// The additions of the optimized graph, which compiler, run time and log agree on; `adds` of them.
template <class Net, class Tools> void same_adds(int adds, const location& where = location::current()) {
    using program = compiled<fx<Net>, Tools>;
    const auto made = inspect_fx<Tools>(Net::text, Tools::options, Net::inputs);
    check(made.error.ok(), render(made.error), where);
    check_equal(adds_of(program::optimized_graph()), adds, where);
    check_equal(adds_of(made.optimized_graph()), adds, where);
    check(made.plan() == program::planned.summary, {}, where);
    std::string log;
    print_passes<program>(log);
    check((log.find("+ aten.add.Tensor") != log.npos) == (adds == 2), log, where);
}

inline constexpr config not_fused{.fuse_pointwise = false};
using base = toolchain<>;
using on_many = base::with_device<machine::xeon_2core>;
using on_one = base::with_device<machine::npu>;

/// Refuses a graph whose inputs are not two, and another device.
struct needs_two_inputs {
    static constexpr std::string_view name = "needs_two_inputs";
    constexpr void operator()(graph_editor& g, const pass::context& c) const {
        if (c.inputs.size() != 2 || c.device.cores != machine::xeon_2core.cores)
            g.refuse_at(*g.begin(), fault::custom, "two inputs and the cores of the toolchain's device", "others");
    }
};

// A pass that takes options, one that takes the context, and one that takes neither.
struct no_pass : add_on_cores {
    constexpr void operator()(graph_editor&, int) const {}
};
static_assert(pass::graph_pass<add_on_cores> && pass::takes_context<add_on_cores> && !pass::takes_options<add_on_cores>);
static_assert(pass::takes_options<pass::eliminate_dead_code_pass> && !pass::graph_pass<no_pass>);
constexpr auto by_lambda = pass::named<"by_lambda">([](graph_editor& g, const pass::context& c) { add_on_cores{}(g, c); });
static_assert(pass::graph_pass<std::remove_const_t<decltype(by_lambda)>>);

// Without a device it is that of toolchain<>.
constexpr int adds_after(const pass::setting& with) {
    heap_storage storage(capacity{64, 256, 64});
    fx_style style;
    diagnosis d;
    read_fx(net<4>::text, op_rows, storage.edit(), style, d) && infer_types(storage.edit(), op_rows, d) &&
        pass::run(pass::pipeline<add_on_cores>{}, with, storage.edit(), op_rows, d);
    return d.ok() ? adds_of(storage.view()) : -1;
}
constexpr config usual;
static_assert(adds_after(usual) == 1 && adds_after({usual, machine::xeon_2core}) == 2);

void blocks() {
    // Each block, and the graph, sees the four inputs of the graph.
    static int seen = 0, wrong = 0;
    constexpr auto count = pass::named<"count">([](graph_editor&, const pass::context& c) {
        ++seen;
        wrong += c.inputs.size() != 4 || c.inputs[3].name != "q" || c.inputs[3].type.type != dtype::b8;
    });
    const auto made = inspect_fx<base::with_pre_pass<count>>(nested_branches);
    check(made.error.ok(), render(made.error));
    check(seen > 4 && wrong == 0, std::to_string(seen) + ", " + std::to_string(wrong));
}

} // namespace

int main() {
    same_adds<net<4>, on_many::with_post_pass<add_on_cores{}>>(2);
    same_adds<net<4>, on_one::with_post_pass<add_on_cores{}>>(1);
    same_adds<net<4>, base::with_pre_pass<by_lambda>::with_device<machine::xeon_2core>>(2);
    same_adds<net<4>, base::with_post_pass<add_by_inputs{}>>(2);
    same_adds<net<5>, base::with_post_pass<add_by_inputs{}>>(1);
    same_adds<net<4>, base::with_options<not_fused>::with_post_pass<add_by_inputs{}>>(1);
    same_adds<net<4>, on_many::with_device_pre_pass<needs_two_inputs{}>::with_device_post_pass<needs_two_inputs{}>>(1);
    const auto refused = inspect_fx<on_one::with_device_post_pass<needs_two_inputs{}>>(net<4>::text, {}, net<4>::inputs);
    check(refused.error.what == fault::custom && refused.stage == inspect_stage::lower, render(refused.error));
    blocks();
    return report();
}
