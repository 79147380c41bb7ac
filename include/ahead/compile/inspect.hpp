// SPDX-License-Identifier: MIT
// compiled<> at run time, for a text that was not known to the compiler: the same functions, from the importer to the
// verifier and the cost model, over values on the heap.
//     const auto made = inspect<fx_importer>(text);           // the text must outlive what is made of it
//     if (!made.error.ok()) std::puts(render(made.error).c_str());
//     else std::printf("%lld bytes\n", static_cast<long long>(made.plan().peak_bytes));
// Nothing is run: kernels are not compiled, so a missing kernel of a user's operator is not detected.
// Invariant: a text that is accepted here compiles to the same plan, and one that is refused does not compile, for the
// same fault. Called by users, tests, examples/08_inspect.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/compile/pass_steps.hpp>
#include <ahead/compile/timing.hpp>
#include <ahead/compile/used_operators.hpp>
#include <ahead/frontend/bind_symbols.hpp>
#include <ahead/frontend/importer.hpp>
#include <ahead/frontend/input_description.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/plan/check_program.hpp>
#include <ahead/plan/heap_plan.hpp>
#include <ahead/plan/make_plan.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::compile {

/// The stages, in order.
enum class inspect_stage : std::uint8_t { parse, infer, functionalise, pass, lower, plan, check, time };

constexpr std::string_view print(inspect_stage stage) {
    constexpr std::string_view names[] = {"parse", "infer", "functionalise", "pass", "lower", "plan", "check", "time"};
    static_assert(std::size(names) == static_cast<std::size_t>(inspect_stage::time) + 1);
    return names[static_cast<std::size_t>(stage)];
}

/// A graph and the results of all stages, up to the stage that refused it.
struct inspected_graph {
    inspect_stage stage = inspect_stage::parse; // the last one reached; if accepted, `time`
    diagnosis error;                            // error.ok(): accepted, up to the last stage requested
    config options;
    const machine::device* on = &machine::npu;
    import_notes notes;                   // facts of the text that are not in its graph
    fixed_buffer<char> characters;        // of names that the text does not have as they are
    heap_storage as_written{capacity{}};  // the ATen graph
    heap_storage as_function{capacity{}}; // without writes and random state; empty if it had none
    heap_storage as_passed{capacity{}};   // after all passes
    std::vector<pass_step> steps;         // the enabled passes, in the order in which they ran
    heap_storage as_lowered{capacity{}};
    std::vector<device::kernel_needs> needs; // by node of the device graph
    std::vector<std::int32_t> alike;         // by node of the device graph: the first that is alike
    heap_plan planned;
    std::vector<timeline_row> timeline;  // by run task
    block_id of;                         // of a block: its number in the optimized graph that contains it
    std::vector<inspected_graph> blocks; // those of the optimized graph's calls, in their order

    // With the names of a compiled program.
    graph_view captured() const { return as_written.view(); }
    bool is_rewritten() const { return as_function.header.live_nodes > 0; }
    graph_view functional_graph() const { return is_rewritten() ? as_function.view() : captured(); }
    graph_view optimized_graph() const {
        return as_passed.header.live_nodes > 0 ? as_passed.view() : functional_graph();
    }
    graph_view lowered_graph() const { return as_lowered.view(); }
    /// The graph after `stage`.
    graph_view latest_graph() const {
        return stage >= inspect_stage::lower           ? lowered_graph()
               : stage == inspect_stage::pass          ? optimized_graph()
               : stage == inspect_stage::functionalise ? functional_graph()
                                                       : captured();
    }
    plan::plan_view plan_view() const { return planned.view(); }
    const plan_summary& plan() const { return planned.summary; }
    machine::ticks makespan() const { return makespan_of(timeline); }
    /// The needs of the blocks, for the calls that contain them.
    std::vector<device::block_needs> needs_of_blocks() const {
        std::vector<device::block_needs> out;
        for (const auto& one : blocks) out.push_back(one.as_block());
        return out;
    }
    /// Of a block: its needs.
    device::block_needs as_block() const {
        return {of, plan().peak_bytes, plan().constant_bytes, plan().scratch_bytes,
                device::time_in_task(makespan(), on->launch.graph)};
    }
};

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::detail {

/// Makers of a registry's rows: the data that compiled.hpp has for the operators that a graph calls, here for all
/// operators.
struct needs_maker {
    template <class Op> static constexpr device::kernel_needs (*of)(const call_view&) = &device::needs_of<Op>;
};
struct work_maker {
    template <class Op> static constexpr work_function of = &device::work_of_call<Op>;
};

/// The demand of each run task of a plan on a device.
template <class Registry>
std::vector<machine::demand> list_demands(const compile::inspected_graph& of, plan_view plan,
                                          const machine::device& on) {
    constexpr const auto& work_of = Registry::template rows_of<work_maker>;
    constexpr const auto& costs = Registry::template rows_of<device::steps_maker>;
    std::vector<machine::work> work(static_cast<std::size_t>(plan.summary.run_tasks));
    list_task_work(
        of.lowered_graph(), of.alike, plan, Registry::table, costs.data(),
        [&](op_id op) { return work_of[static_cast<std::size_t>(op.index)]; }, work.data());
    std::vector<machine::demand> out;
    out.reserve(work.size());
    const auto used = footprint_of(plan);
    for (const auto& one : work) out.push_back(machine::demand_of(one, on, used));
    return out;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

/// The plan of its device graph, on as many streams as the graph or the options require.
/// pre: the graph is lowered and its needs are listed.
template <class Tools = toolchain<>> heap_plan plan_lowered(const inspected_graph& of, const config& options) {
    const auto g = of.lowered_graph();
    const auto& on = Tools::device;
    const auto plan = [&](const launch_rules* rules) {
        heap_plan out(g.header().used, rules == nullptr ? 0 : sync_room(g.header().used.nodes, rules->streams));
        make_plan(g, of.needs, out, on, options.is_on(&config::remove_cat_ops), rules, options.effort);
        return out;
    };
    const bool says = air::has_stream_scopes(g);
    auto one = says ? heap_plan() : plan(nullptr);
    if (!says && options.most_streams() <= 1) return one;
    std::vector<machine::demand> demands;
    launch_rules rules{says ? air::stream_map(g).streams() : options.most_streams(),
                       {},
                       on.launch.event,
                       on.least_gain_permille,
                       options.mode == mode::max_autotune};
    if (!says) {
        const auto of_tasks = ahead::detail::list_demands<typename Tools::device_registry>(of, one.view(), on);
        demands.resize(static_cast<std::size_t>(g.header().used.nodes)); // by node
        for (std::size_t i = 0; i < of_tasks.size(); ++i)
            demands[static_cast<std::size_t>(
                one.tasks[static_cast<std::size_t>(one.summary.prepare_tasks) + i].node.index)] = of_tasks[i];
        rules.demands = demands;
    }
    return plan(&rules);
}

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::detail {

/// Takes one text through the stages. Each stage returns whether the next one may begin.
template <class Tools, class Registry, class Reached> class graph_inspector {
    using device_registry = typename Tools::device_registry;
    using pass_stage = compile::pass_stage<Tools>;

public:
    graph_inspector(const config& options, compile::inspected_graph& made, Reached reached, compile::inspect_stage last)
        : made_(made), d_(made.error), reached_(reached), last_(last) {
        made.options = options;
        made.on = &Tools::device;
    }
    template <class Importer>
    void run(std::string_view text, array_view<const input_description> inputs, symbol_values symbols) {
        if (parse<Importer>(text) && infer(inputs, symbols) && functionalise() && pass()) finish();
    }
    /// The stages that also apply to a block, whose passes have already run.
    void finish() {
        if (!(goes_on_to(compile::inspect_stage::lower) && blocks() && lower() && plan() && check_planned() &&
              reach(compile::inspect_stage::time)))
            return;
        const auto demands = list_demands<device_registry>(made_, made_.planned.view(), Tools::device);
        made_.timeline.resize(demands.size());
        lay_out(made_.planned.view(), demands, Tools::device.launch, launching::once, made_.timeline.data());
    }

private:
    static constexpr op_table ops = Registry::table;
    static constexpr bool checks_passes = Tools::options.check_passes;
    compile::inspected_graph& made_;
    diagnosis& d_;
    Reached reached_;
    compile::inspect_stage last_;

    bool goes_on_to(compile::inspect_stage stage) const { return stage <= last_; }
    /// Whether the stage is to be run.
    bool reach(compile::inspect_stage stage) {
        if (!goes_on_to(stage)) return false;
        made_.stage = stage;
        reached_(stage);
        return true;
    }
    /// A copy of `from` with the capacity `room`, after the edit.
    template <class Edit> heap_storage edited(graph_view from, capacity room, Edit edit) {
        heap_storage out(room);
        copy_graph(from, out.edit());
        edit(out.edit());
        return out;
    }

    template <class Importer> bool parse(std::string_view text) {
        if (!reach(compile::inspect_stage::parse)) return false;
        const import_room room = Importer::count(text);
        made_.as_written = heap_storage(room.capacity);
        made_.characters = fixed_buffer<char>(room.characters);
        return import_text<Importer>(text, ops, made_.as_written.edit(), made_.characters.all(), made_.notes, d_);
    }
    bool infer(array_view<const input_description> inputs, symbol_values symbols) {
        if (!reach(compile::inspect_stage::infer)) return false;
        if (auto room = room_for_numbers(made_.captured(), symbols, inputs);
            !symbols.empty() || room.nodes > made_.captured().header().used.nodes ||
            room.arguments > made_.captured().header().used.arguments) {
            room.values += static_cast<std::int32_t>(made_.as_written.values.size());
            made_.as_written = edited(made_.captured(), room, [](graph) {});
        }
        const auto g = made_.as_written.edit();
        return describe_inputs(g, inputs, d_) &&
               infer_symbolic_types(g, ops, symbols, made_.notes.range_constraints, d_) &&
               pass::check_config(made_.options, d_) && pass::check_cores(made_.options, Tools::device, d_) &&
               check_passes_option() && air::check_streams(g, d_);
    }
    /// Refuses check_passes unless the toolchain sets it: it needs the compiled meanings of all operators.
    bool check_passes_option() {
        if (!made_.options.check_passes || checks_passes) return true;
        d_.op = "config";
        d_.name = "check_passes";
        return refuse(d_, fault::option_has_no_effect, "options of the toolchain that say it",
                      "options given beside it");
    }
    bool functionalise() {
        if (!reach(compile::inspect_stage::functionalise)) return false;
        return compile::functional_stages::for_each(
            [&]<class Stage>() { return run_stage<Stage>(made_.functional_graph(), made_.as_function); });
    }
    /// Runs the stage if it applies: its graph goes to `made`.
    template <class Stage> bool run_stage(graph_view from, heap_storage& made) {
        if (Stage::applies(from, ops))
            made = edited(from, Stage::room(from, ops), [&](graph g) { Stage::run(g, ops, made_.options, d_); });
        return d_.ok();
    }
    bool pass() {
        return reach(compile::inspect_stage::pass) && compile::optimization_stages<Tools>::for_each([&]<class Stage>() {
                   if constexpr (std::same_as<Stage, pass_stage>) return run_passes();
                   else return run_stage<Stage>(made_.optimized_graph(), made_.as_passed);
               });
    }
    /// In portions, with room for each, as in a compilation; the graph is copied only if a portion lacks room.
    bool run_passes() {
        const auto began = made_.functional_graph().header().used;
        for (std::int32_t next = 0; next < pass_stage::passes::size && d_.ok();) {
            const auto which = pass_stage::portion(next, began.nodes, made_.options);
            next = which.end;
            const auto room = pass_stage::room(made_.optimized_graph(), ops, began, which);
            if (!made_.as_passed.has_room(room))
                made_.as_passed = edited(made_.optimized_graph(), pass_stage::room(made_.optimized_graph(), ops, began),
                                         [](graph) {});
            auto nodes = made_.as_passed.header.live_nodes;
            const bool is_checked = checks_passes && made_.options.check_passes;
            heap_storage before{capacity{}};
            if (is_checked)
                before = edited(made_.optimized_graph(), made_.optimized_graph().header().used, [](graph) {});
            pass_stage::run(made_.as_passed.edit_within(room), ops, made_.options, d_, which,
                            [&](std::string_view name, graph_view now, std::int32_t changes) {
                                made_.steps.push_back({name, nodes, now.header().live_nodes, changes});
                                nodes = now.header().live_nodes;
                                if constexpr (checks_passes)
                                    if (changes > 0 && is_checked)
                                        check_pass<Registry, reference_table<Registry>>(before.view(), now, name, d_);
                            });
        }
        return d_.ok();
    }
    /// The programs of blocks come before the graph's, which depends on their needs.
    bool blocks() {
        for_each_held(made_.optimized_graph(), [&](block_id b) {
            if (!d_.ok()) return;
            const auto from = made_.optimized_graph();
            auto& block = made_.blocks.emplace_back();
            block.of = b;
            block.as_written = heap_storage(pass::room_for_block(from, b));
            graph_inspector inside(made_.options, block, reached_, last_);
            if (pass::block_graph(from, b, ops, block.as_written.edit(), block.error)) inside.finish();
            if (!block.error.ok()) d_ = block.error;
        });
        return d_.ok();
    }
    bool lower() {
        if (!reach(compile::inspect_stage::lower)) return false;
        const auto held = made_.needs_of_blocks();
        made_.as_lowered = convert::lower_on_heap(made_.optimized_graph(), ops, Tools::converters::table,
                                                  device_registry::table, {made_.options, Tools::device}, d_,
                                                  device_passes_of<Tools>{}, {held.data(), held.size()});
        if (!d_.ok()) return false;
        auto all = list_needs(
            made_.lowered_graph(),
            [](op_id op) {
                const auto row = static_cast<std::size_t>(op.index);
                return needs_row{device_registry::table[row], device_registry::template rows_of<needs_maker>[row]};
            },
            d_);
        made_.needs = std::move(all.needs);
        made_.alike = std::move(all.alike);
        return d_.ok();
    }
    bool plan() {
        if (!reach(compile::inspect_stage::plan)) return false;
        made_.planned = compile::plan_lowered<Tools>(made_, made_.options);
        return d_.ok();
    }
    bool check_planned() {
        if (!reach(compile::inspect_stage::check)) return false;
        d_ = check_plan(made_.lowered_graph(), made_.needs, made_.planned.view(), made_.needs_of_blocks(),
                        Tools::device, made_.options.most_streams());
        return d_.ok();
    }
};

struct nobody_waits {
    void operator()(compile::inspect_stage) const {}
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

/// All stages for the graph of a text. text: the contents of a file; it must outlive the result, whose names are views
/// of it. inputs: facts about its placeholders that the text does not contain; symbols: the values of symbolic sizes.
/// Errors are in `error`; nothing is thrown.
/// reached: called with each stage when it begins. last: the stage after which it stops; latest_graph() is the graph
/// after that stage. A Tools that is not a toolchain does not compile.
template <importer Importer, class Tools = toolchain<>, class Registry = aten::registry,
          class Reached = ahead::detail::nobody_waits>
inspected_graph inspect(std::string_view text,
                        const config& options = ahead::detail::kept_toolchain<Tools>::type::options,
                        array_view<const input_description> inputs = {}, symbol_values symbols = {},
                        Reached reached = {}, inspect_stage last = inspect_stage::time) {
    inspected_graph out;
    using tools = typename ahead::detail::kept_toolchain<Tools>::type;
    ahead::detail::graph_inspector<tools, Registry, Reached>(options, out, reached, last)
        .template run<Importer>(text, inputs, symbols);
    return out;
}

} // namespace ahead::compile

namespace AHEAD_NAMESPACE {
using compile::inspect, compile::inspect_stage, compile::print;
} // namespace ahead
