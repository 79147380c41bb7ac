// SPDX-License-Identifier: MIT
// higher_order.auto_functionalized and its v2, which PyTorch prints when a model calls a user's operator that writes
// operands: the result is a tuple of the operator's results, followed by the new values of the written operands.
//     auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.my.scale.default, k = 2,
//         _x_base_index = 0, _x_slice_dim = 0, _x_slice_start = 0, _x_slice_end = 2, _all_bases = [base])
//     getitem_1: "f32[3]" = auto_functionalized_v2[1]
// becomes the operator, called on a clone of the operand that it writes:
//     getitem_1: "f32[3]" = torch.ops.aten.clone.default(base)
//     slice_1 = torch.ops.aten.slice.Tensor(getitem_1, 0, 0, 2)
//     auto_functionalized_v2 = torch.ops.my.scale.default(k = 2, x = slice_1)
// Invariant: neither is left. Only operators that write one operand and return nothing are supported.
// Called by higher_order/write_out.hpp. Source: torch/_higher_order_ops/auto_functionalize.py.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/legalize/higher_order/names.hpp>
#include <ahead/legalize/host/call_editor.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool is_auto_functionalized(const node& n) {
    return is_call_of(n, auto_functionalized) || is_call_of(n, auto_functionalized_v2);
}

/// Graph: graph. A template, so that texts without such calls do not instantiate it.
template <class Graph> class functionalized_call {
public:
    constexpr functionalized_call(Graph g, op_table ops, node_id id, diagnosis& d)
        : g_(g), ops_(ops), d_(d), edit_{g, ops, d}, id_(id) {}

    constexpr bool write_out() {
        argument_id base;
        if (!find_operator() || !find_base(base)) return false;
        const argument all[] = {argument::of(g_[base].node(), g_[base].result)};
        clone_ = edit_.insert(id_, "aten.clone.default", all);
        return clone_.exists() && call_on_clone() && give_results();
    }

private:
    Graph g_;
    op_table ops_;
    diagnosis& d_;
    call_editor edit_;
    node_id id_;
    op_id op_{};
    std::string_view written_; // the operand that the operator writes
    node_id clone_{};

    constexpr bool refuse_call(fault what, const short_text& expected, const short_text& found) {
        return refuse_at(d_, g_[id_], what, expected, found);
    }
    constexpr argument_id given(std::string_view keyword) const { return edit_.find(id_, -1, keyword); }
    /// The keyword of a property of the written view, "_x_slice_dim" for operand x.
    constexpr short_text of_view(std::string_view what) const { return short_text("_") << written_ << "_" << what; }

    constexpr bool find_operator() {
        const auto first = edit_.find(id_, 0, {});
        auto name = first.exists() && g_[first].kind == argument_kind::word ? g_[first].text : std::string_view();
        if (name.starts_with("torch.ops.")) name = name.substr(10);
        if (name.empty()) return refuse_call(fault::argument_is_missing, "an operator, torch.ops.<its name>", "none");
        op_ = find_op(ops_, name);
        if (!op_.exists()) {
            refuse_call(fault::operator_is_unknown, registered_operator(ops_, name), name);
            d_.op = name;
            return false;
        }
        const auto& row = ops_[static_cast<std::size_t>(op_.index)];
        if (row.effect.mutates < 0)
            return refuse_call(fault::node_kind_is_unsupported, "an operator that says what it mutates", row.name);
        written_ = row.schema[static_cast<std::size_t>(row.effect.mutates)].name;
        return true;
    }
    /// Finds the tensor whose values the result has, except for the written elements.
    constexpr bool find_base(argument_id& base) {
        base = given(written_);
        if (const auto bases = given("_all_bases"); bases.exists()) {
            const auto count = g_[bases].children.count;
            const auto index = given(of_view("base_index").view());
            if (count != 1 || !index.exists() || g_[index].kind != argument_kind::integer || g_[index].integer() != 0)
                return refuse_call(fault::node_kind_is_unsupported,
                                   short_text("one operand that is written, ") << written_,
                                   short_text() << count << " in _all_bases");
            base = g_[bases].children[0];
        }
        if (base.exists() && g_[base].kind == argument_kind::node) return true;
        return refuse_call(fault::argument_is_missing, short_text("a tensor as ") << written_,
                           base.exists() ? "none" : "no argument of this name");
    }
    /// Moves an argument, with its list elements, to another call.
    constexpr argument take(argument_id id) {
        auto out = g_[id];
        out.keyword = {};
        if (out.children.count > 0) g_[id] = {.owner = out.owner};
        return out;
    }
    constexpr node_id view(std::string_view name, std::initializer_list<std::string_view> rest) {
        std::array<argument, 4> all{argument::of(clone_)};
        std::size_t count = 1;
        for (auto what : rest) {
            const auto id = given(of_view(what).view());
            if (!id.exists()) {
                refuse_call(fault::argument_is_missing, of_view(what), "none");
                return {};
            }
            all[count++] = take(id);
        }
        const auto made = edit_.insert(id_, name, {all.data(), count});
        if (made.exists())
            for (const auto& a : all)
                for (std::int32_t i = 0; i < a.children.count; ++i) g_[a.children[i]].owner = made;
        return made;
    }
    constexpr bool call_on_clone() {
        const auto is_said = [&](std::string_view what) { return given(of_view(what).view()).exists(); };
        const auto self = is_said("slice_dim") ? view("aten.slice.Tensor", {"slice_dim", "slice_start", "slice_end"})
                          : is_said("size")    ? view("aten.as_strided.default", {"size", "stride", "storage_offset"})
                                               : clone_;
        if (!self.exists()) return false;
        fixed_buffer<argument> all(g_[id_].arguments.count + 1);
        std::int64_t count = 0;
        const auto views = of_view({});
        for (std::int32_t i = 0; i < g_[id_].arguments.count; ++i)
            if (const auto& a = g_.argument_of(g_[id_], i); !a.keyword.empty() && a.keyword != written_ &&
                                                            a.keyword != "_all_bases" &&
                                                            !a.keyword.starts_with(views.view()))
                all[count++] = a;
        all[count] = argument::of(self);
        all[count++].keyword = written_;
        if (!edit_.give(id_, {all.data(), static_cast<std::size_t>(count)})) return false;
        g_[id_].op = op_;
        g_[id_].target = ops_[static_cast<std::size_t>(op_.index)].name;
        return true;
    }
    /// Result 0 is the operator's result, None; result 1 is the written tensor.
    constexpr bool give_results() {
        for (auto use = g_[id_].first_use; use.exists();) {
            const auto next = g_[use].next_use;
            const auto reader = g_[use].owner;
            const auto& n = g_[reader];
            const bool picks = n.kind == node_kind::call && n.target == "operator.getitem" && n.arguments.count == 2 &&
                               n.arguments[0] == use;
            const auto which = picks ? call_editor::integer(&g_.argument_of(n, 1), -1) : -1;
            if (which != 0 && which != 1)
                return refuse_at(d_, n, fault::index_is_out_of_range,
                                 "0 or 1: what the operator returns, what it wrote",
                                 picks ? short_text() << which : short_text("the tuple"));
            if (which == 0) give_readers(g_, reader, {});
            else {
                g_[clone_].name = n.name;
                g_[clone_].annotation = n.annotation;
                replace_all_uses(g_, reader, clone_);
            }
            if (n.use_count > 0)
                return refuse_at(d_, n, fault::argument_has_wrong_kind, "a tensor that is returned", "None");
            erase(g_, reader);
            use = next;
        }
        return true;
    }
};

} // namespace ahead::detail
