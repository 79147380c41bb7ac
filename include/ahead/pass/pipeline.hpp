// SPDX-License-Identifier: MIT
// Sequences of passes: pipeline objects composed with `|`, and the functions that run them. A pass runs on the graph
// and on every block in it, inner blocks first, each as a graph of its own: so no pass merges or moves calls across
// blocks.
// Invariant: after every pass the graph is verified, typed again, and returns as many tensors as before, of the same
// types; the calls that the pass kept are on the streams they were on. The same holds of every block.
#pragma once
#include <ahead/air/check_streams.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/graph_pass.hpp>
#include <ahead/pass/kept_streams.hpp>
#include <ahead/pass/returned_types.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::pass {

template <class... Passes> struct pipeline {
    static constexpr std::int32_t size = sizeof...(Passes);
    template <class F> static constexpr void for_each(F f) { (static_cast<void>(f(Passes{})), ...); }
};

namespace detail {
template <class A, class B> struct joined_pipeline;
template <class... A, class... B> struct joined_pipeline<pipeline<A...>, pipeline<B...>> {
    using type = pipeline<A..., B...>;
};

/// A type that is not a pass gives one error, and is left out.
template <class T> struct as_pipeline {
    using type = std::enable_if_t<is_reported<checked_pass<T>>, pipeline<>>;
};
template <graph_pass P> struct as_pipeline<P> {
    using type = pipeline<P>;
};
template <class... P> struct as_pipeline<pipeline<P...>> {
    using type = decltype((pipeline<>{} | ... | std::declval<const P&>()));
};
template <graph_pass... P> struct as_pipeline<pipeline<P...>> {
    using type = pipeline<P...>;
};

template <class T> inline constexpr bool is_pipeline = false;
template <class... P> inline constexpr bool is_pipeline<pipeline<P...>> = true;

template <class P> constexpr bool is_on(const config& options) {
    if constexpr (requires { P::is_on(options); }) return P::is_on(options);
    else if constexpr (requires { P::option; }) return options.is_on(P::option);
    else return true;
}
template <class P> constexpr bool applies(graph_view g, op_table ops) {
    if constexpr (requires { P::applies(g, ops); }) {
        if (P::applies(g, ops)) return true;
        for (auto b = next_block(g); b.exists(); b = next_block(g, b))
            if (P::applies(g.inside(b), ops)) return true;
        return false;
    } else return true;
}

/// The graphs that a pass runs on: the blocks, inner ones first, then the graph itself.
class pass_walk {
public:
    constexpr pass_walk(graph g, const returned_types& returned)
        : g_(g), whole_(&returned), left_(has_blocks(g) ? g.header().used.nodes : 0) {
        if (left_ > 0) changed_ = fixed_buffer<bool>(left_);
    }
    /// Advances to the next graph; false if there is none.
    constexpr bool next() {
        while (--left_ >= 0) {
            const auto& head = g_[block_id{left_}];
            if (head.kind != node_kind::block || head.erased) continue;
            own_ = returned_types(g_.inside({left_}));
            return true;
        }
        return left_ == -1;
    }
    constexpr graph at() const { return g_.inside({left_}); }
    /// Marks calls whose blocks the pass has changed for type inference.
    constexpr void begin(graph_editor& editor) {
        outdated_ = changed_.size() > 0 && editor.outdate_holders(changed_.data());
    }
    /// Verifies the current graph after the pass.
    constexpr void end(graph_editor& editor, const kept_streams& placed, diagnosis& d) {
        changes_ += editor.changes();
        if ((editor.changes() == 0 && !outdated_) || !d.ok()) return;
        const auto in = at();
        static_cast<void>(verify(g_, d) && editor.infer_stale() && (left_ >= 0 ? own_ : *whole_).check_graph(in, d) &&
                          air::check_streams(in, d) && placed.check_graph(in, d));
        if (left_ >= 0) changed_[left_] = true;
    }
    constexpr std::int32_t changes() const { return changes_; }

private:
    graph g_;
    const returned_types* whole_;
    returned_types own_;         // of the current block
    fixed_buffer<bool> changed_; // by head: nodes of the block, or of blocks in it, changed
    std::int32_t left_;
    std::int32_t changes_ = 0;
    bool outdated_ = false;
};

} // namespace detail

template <class T>
concept pipeline_part = graph_pass<std::remove_cvref_t<T>> || detail::is_pipeline<std::remove_cvref_t<T>>;

/// Runs one after the other: `pass::eliminate_duplicates | mine | pass::eliminate_dead_code`.
template <class A, class B>
    requires pipeline_part<A> || pipeline_part<B>
constexpr auto operator|(const A&, const B&) {
    return typename detail::joined_pipeline<typename detail::as_pipeline<A>::type,
                                            typename detail::as_pipeline<B>::type>::type{};
}

/// A captureless lambda as a pass: named<"swap_adds">([](graph_editor& g, const config&) { ... }), or with const
/// context& in place of the config.
template <fixed_string Name, class F> struct named_pass {
    static constexpr fixed_string spelled = Name;
    static constexpr std::string_view name = spelled.view();
    constexpr void operator()(graph_editor& g, const config& options) const
        requires std::is_empty_v<F> && std::invocable<F, graph_editor&, const config&>
    {
        F{}(g, options);
    }
    constexpr void operator()(graph_editor& g, const context& c) const requires std::is_empty_v<F> &&
        (!std::invocable<F, graph_editor&, const config&>)&&std::invocable<F, graph_editor&, const context&> {
        F{}(g, c);
    }
};
template <fixed_string Name, class F> constexpr named_pass<Name, F> named(F) { return {}; }

/// A part of a pipeline, by position.
struct pass_range {
    std::int32_t first = 0;
    std::int32_t end = std::numeric_limits<std::int32_t>::max();
    constexpr bool has(std::int32_t position) const { return position >= first && position < end; }
};

/// The capacity for a graph that uses `used` and goes through passes that may add as much as the graph `began` with.
constexpr capacity room_for_passes(const capacity& used, const capacity& began) {
    return {used.nodes + began.nodes + 64, used.arguments + began.arguments + 512, used.values + began.values + 64};
}

/// The same for the given passes: a pass that may add more says how much in `static constexpr capacity
/// growth(graph_view, op_table)`.
template <class... Passes>
constexpr capacity room_for_passes(pipeline<Passes...>, graph_view g, op_table ops, const capacity& began,
                                   pass_range which = {}) {
    auto room = room_for_passes(g.header().used, began);
    std::int32_t position = 0;
    const auto add = [&]<class P>() {
        if (!which.has(position++)) return;
        if constexpr (requires { P::growth(g, ops); }) {
            const auto grow = [&](graph_view in) {
                const auto more = P::growth(in, ops);
                room = {room.nodes + more.nodes, room.arguments + more.arguments, room.values + more.values};
            };
            grow(g);
            for (auto b = next_block(g); b.exists(); b = next_block(g, b)) grow(g.inside(b));
        }
    };
    (add.template operator()<Passes>(), ...);
    return room;
}

/// The number of passes over a graph of `nodes` nodes that a compiler evaluates as one constant. clang evaluates at
/// most a million steps; walking a node, verifying it and editing every twentieth takes about a hundred, and a pass may
/// do more.
constexpr std::int32_t passes_at_once(std::int32_t nodes) { return nodes < 6000 ? 6000 / (nodes + 1) : 1; }

/// The passes that the options of a toolchain leave on: a compilation with constant options instantiates no others.
template <class Tools, class... Passes> constexpr auto enabled_passes(pipeline<Passes...>) {
    return join<pipeline<>,
                std::conditional_t<detail::is_on<Passes>(Tools::options), pipeline<Passes>, pipeline<>>...>{};
}

/// Whether any of the passes would run.
template <class... Passes>
constexpr bool any_applies(pipeline<Passes...>, const config& options, graph_view g, op_table ops,
                           pass_range which = {}) {
    std::int32_t position = 0;
    return ((which.has(position++) && detail::is_on<Passes>(options) && detail::applies<Passes>(g, ops)) || ...);
}

/// Runs the passes that are on, with these options and for this device, each on the result of the one before it. Calls
/// `after(name, graph_view, changes)` after each pass, as an observer. Refuses what a pass refuses, graph_is_broken,
/// outputs_differ, what check_streams refuses, and rewrite_crosses_streams; d.found then names the pass.
/// pre: g is typed and functional.
template <class... Passes, class After>
constexpr bool run(pipeline<Passes...>, const setting& with, graph g, op_table ops, diagnosis& d, After after,
                   pass_range which = {}) {
    const detail::returned_types returned(g);
    std::int32_t position = 0;
    [[maybe_unused]] const auto one = [&](const auto& rewriter) {
        using P = std::remove_cvref_t<decltype(rewriter)>;
        if (!which.has(position++) || !d.ok() || !detail::is_on<P>(with.options)) return;
        if (!detail::applies<P>(g, ops)) return static_cast<void>(after(P::name, graph_view(g), 0));
        detail::pass_walk walk(g, returned);
        while (d.ok() && walk.next()) {
            const detail::kept_streams placed(walk.at());
            graph_editor editor(walk.at(), ops, d, P::name);
            walk.begin(editor);
            if constexpr (takes_options<P>) rewriter(editor, with.options);
            else rewriter(editor, context{with.options, with.device, example_inputs(g)});
            walk.end(editor, placed, d);
        }
        if (d.ok()) after(P::name, graph_view(g), walk.changes());
        else d.found << ", in the pass " << P::name;
    };
    (one(Passes{}), ...);
    return d.ok();
}
template <class... Passes>
constexpr bool run(pipeline<Passes...> passes, const setting& with, graph g, op_table ops, diagnosis& d,
                   pass_range which = {}) {
    return run(
        passes, with, g, ops, d, [](std::string_view, graph_view, std::int32_t) {}, which);
}

} // namespace ahead::pass
