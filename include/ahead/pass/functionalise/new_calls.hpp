// SPDX-License-Identifier: MIT
// Inserts the calls that implement reads and writes of parts of a storage: views, scatters, conversions.
// Invariant: a call is typed when it is inserted, and records that functionalise made it. Called by functionaliser.hpp.
#pragma once
#include <ahead/ir/blame.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::detail {

class new_calls {
public:
    constexpr new_calls(graph g, op_table ops, diagnosis& d) : g_(g), ops_(ops), d_(d) {}

    constexpr bool insert(std::string_view target, array_view<const argument> arguments, node_id position,
                          node_id& out) {
        node n;
        n.op = find_op(ops_, target);
        if (!n.op.exists())
            return refuse_at(d_, g_[position], fault::in_place_needs_alias_analysis, target, "a registry without it");
        n.target = ops_[static_cast<std::size_t>(n.op.index)].name;
        n.name = {base_of(n.target), g_.header().used.nodes};
        n.from = g_[position].from;
        n.from.made_by = "functionalise";
        return insert_call(g_, n, arguments, position, out, d_);
    }
    constexpr bool set_list(node_id n, std::int32_t i, const int_list& values) {
        argument list{.kind = argument_kind::list};
        if (!reserve_arguments(g_, values.size, list.children, d_)) return false;
        for (int k = 0; k < values.size; ++k) set_argument(g_, list.children[k], argument::of(values[k]), n);
        set_argument(g_, g_[n].arguments[i], list, n);
        return true;
    }
    constexpr bool insert_view(const tensor_type& t, const argument& of, node_id position, node_id& out) {
        const argument arguments[] = {of, {}, {}, argument::of(t.offset)};
        return insert("aten.as_strided.default", arguments, position, out) && set_list(out, 1, sizes_of(t)) &&
               set_list(out, 2, strides_of(t)) && infer_node(g_, ops_, out, d_);
    }
    constexpr bool insert_scatter(const tensor_type& t, const argument& self, const argument& source, node_id position,
                                  node_id& out) {
        const argument arguments[] = {self, source, {}, {}, argument::of(t.offset)};
        return insert("aten.as_strided_scatter.default", arguments, position, out) && set_list(out, 2, sizes_of(t)) &&
               set_list(out, 3, strides_of(t)) && infer_node(g_, ops_, out, d_);
    }
    /// Converts and expands `value` to the dtype and sizes of the tensor that it is written into.
    constexpr bool fit(const tensor_type& self, node_id position, argument& value) {
        if (g_.value_of(value).type.type != self.type) {
            const argument arguments[] = {value, argument::of(self.type)};
            node_id made;
            if (!insert("prims.convert_element_type.default", arguments, position, made) ||
                !infer_node(g_, ops_, made, d_))
                return false;
            value = argument::of(made);
        }
        if (sizes_of(g_.value_of(value).type) != sizes_of(self)) {
            const argument arguments[] = {value, {}};
            node_id made;
            if (!insert("aten.expand.default", arguments, position, made) || !set_list(made, 1, sizes_of(self)) ||
                !infer_node(g_, ops_, made, d_))
                return false;
            value = argument::of(made);
        }
        return true;
    }

private:
    graph g_;
    op_table ops_;
    diagnosis& d_;
};

} // namespace ahead::detail
