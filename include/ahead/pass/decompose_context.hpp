// SPDX-License-Identifier: MIT
// The argument of a decomposition that is a function: the typed call, and the graph to write into, before the call.
// Invariant: new calls are inserted before the call; each result is bound once. Called by pass/decompose.hpp.
#pragma once
#include <ahead/pass/editor.hpp>
#include <ahead/pass/old_context_names.hpp>

namespace AHEAD_NAMESPACE::pass {

class decompose_context : public old_context_names<decompose_context> {
public:
    static constexpr std::int32_t most_results = 9; // of an expression of handles

    constexpr decompose_context(const call_view& call, graph_editor& g)
        : aten(call), g_(g), made_(g[call.id()].values.count) {
        g.inserting_before(call.id());
    }

    call_view aten;

    /// Argument i, in a form that can be passed to another call.
    constexpr argument operand(int i) const {
        auto a = aten.at(i);
        a.keyword = {};
        return a;
    }
    constexpr const tensor_type& type_of(const argument& a) const { return g_.view().value_of(a).type; }
    constexpr argument call(std::string_view target, std::initializer_list<call_argument> arguments) {
        return argument::of(g_.call(target, arguments));
    }
    /// Result k of a call with several results.
    constexpr argument pick(const argument& of, std::int32_t k) { return call("operator.getitem", {of, k}); }
    constexpr bool is_result_used(std::int64_t k) const { return ir::is_result_used(g_.view(), aten.id(), k); }
    /// Makes `made` the replacement for result k of the call.
    constexpr void bind_result(const argument& result, std::int32_t k = 0) {
        if (k < made_.size()) made_[k] = result;
    }
    constexpr graph_editor& editor() { return g_; }

    /// Replaces the call by the bound results. Refuses (rewrite_changes_type) a result of another type, and a used
    /// result that was not bound; (result_is_not_a_tensor) a reader of several results other than a getitem.
    constexpr void replace() {
        const auto n = aten.id();
        if (g_[n].values.count == 1) return replace(n, 0);
        while (g_.ok() && g_.use_count(n) > 0) {
            const auto reader = g_.user(n);
            if (!g_.calls(reader, "operator.getitem"))
                return g_.refuse_at(n, fault::result_is_not_a_tensor, "a getitem as reader", print(g_[reader].name));
            replace(reader, static_cast<std::int32_t>(g_.argument_of(reader, 1).integer()));
        }
        g_.erase_node(n);
    }

private:
    graph_editor& g_;
    fixed_buffer<argument> made_; // by result

    constexpr void replace(node_id n, std::int32_t k) {
        if (!g_.ok()) return;
        const auto result = k < made_.size() ? made_[k] : argument{};
        if (result.kind != argument_kind::node || !result.node().exists())
            return g_.refuse_at(n, fault::rewrite_changes_type, print(g_.type_of(n)),
                                short_text("nothing for result ") << k);
        g_.replace_node(n, result);
    }
};

} // namespace ahead::pass

namespace AHEAD_NAMESPACE {
using pass::decompose_context;
} // namespace ahead
