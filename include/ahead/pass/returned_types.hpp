// SPDX-License-Identifier: MIT
// A post-condition of every pass: the graph returns what it returned before. Called by pass/pipeline.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// Lists the dtypes and sizes of the graph's results, flat, in order; strides are left out because the plan decides
/// them. Returns the count so far; stores nothing if `out` is null.
constexpr std::int32_t list_returned(graph_view g, id_range<argument_id> range, tensor_type* out,
                                     std::int32_t count = 0) {
    for (std::int32_t i = 0; i < range.count; ++i) {
        const auto& a = g[range[i]];
        if (is_list(a)) {
            count = list_returned(g, a.children, out, count);
            continue;
        }
        if (out != nullptr) {
            const bool typed = a.kind == argument_kind::node && g.is_typed(a.node());
            out[count] = typed ? tensor_of(g.value_of(a).type.type, sizes_of(g.value_of(a).type)) : tensor_type{};
        }
        ++count;
    }
    return count;
}

/// The types that a graph returned at construction; `check_graph` checks that they are the same now.
class returned_types {
public:
    constexpr returned_types() = default;
    constexpr explicit returned_types(graph_view g)
        : count_(list_returned(g, g[g.last()].arguments, nullptr)), types_(count_) {
        list_returned(g, g[g.last()].arguments, types_.data());
    }
    constexpr bool check_graph(graph_view g, diagnosis& d) const {
        const auto count = list_returned(g, g[g.last()].arguments, nullptr);
        d.op = "output";
        if (count != count_)
            return refuse(d, fault::outputs_differ, short_text() << count_ << " outputs", short_text() << count);
        fixed_buffer<tensor_type> now(count);
        list_returned(g, g[g.last()].arguments, now.data());
        for (std::int32_t i = 0; i < count; ++i)
            if (!(types_[i] == now[i])) return refuse(d, fault::outputs_differ, print(types_[i]), print(now[i]));
        d.op = {};
        return true;
    }

private:
    std::int32_t count_ = 0;
    fixed_buffer<tensor_type> types_;
};

} // namespace ahead::pass::detail
