// SPDX-License-Identifier: MIT
// Runs a node of a captured graph at its place in a replay, on the thread of the replay's launches.
// Invariant: predicates and indices are read when the node runs, after everything captured before it; it allocates
// nothing. Called as a kernel, by captured_graph.hpp and stream_executor.hpp.
#pragma once
#include <ahead/npu/captured_graph.hpp>
#include <ahead/npu/device_words.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

/// The context whose host function this thread runs.
inline thread_local const context* called_back_by = nullptr;

class callback_scope {
public:
    explicit callback_scope(const context* by) : before_(called_back_by) { called_back_by = by; }
    callback_scope(const callback_scope&) = delete;
    callback_scope& operator=(const callback_scope&) = delete;
    ~callback_scope() { called_back_by = before_; }

private:
    const context* before_;
};

template <class Number> std::int64_t number_at(const std::byte* p) {
    Number n;
    std::memcpy(&n, p, sizeof(n));
    return n;
}

} // namespace detail

/// constants: the node; externals: first its predicate or index, or the arguments of its function. Throws what its
/// graph or function throws, and loop_exceeds_bound.
inline void run_node(const std::byte* const* externals, const std::byte* constants, std::byte*) {
    const auto& node = *reinterpret_cast<const graph_node*>(constants);
    const auto holds = [&] { return **externals != std::byte{0}; };
    switch (node.kind) {
    case captured_kind::child: node.graphs[0]->run(); break;
    case captured_kind::if_:
        if (holds()) node.graphs[0]->run();
        else if (node.graphs.size() == 2) node.graphs[1]->run();
        break;
    case captured_kind::while_:
        for (std::int64_t round = 0; holds(); ++round) {
            if (round == node.bound)
                refuse_call(fault::loop_exceeds_bound, call_of(node.kind), node.name,
                            short_text("at most ") << node.bound << " rounds", "a predicate that still holds");
            node.graphs[0]->run();
        }
        break;
    case captured_kind::switch_: {
        const auto index =
            node.is_narrow ? detail::number_at<std::int32_t>(*externals) : detail::number_at<std::int64_t>(*externals);
        if (index >= 0 && index < std::ssize(node.graphs)) node.graphs[static_cast<std::size_t>(index)]->run();
        break;
    }
    case captured_kind::host: {
        const detail::callback_scope here(node.npu);
        node.function(externals);
        break;
    }
    }
}

} // namespace ahead::npu
