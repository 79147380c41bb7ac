// SPDX-License-Identifier: MIT
// The interface of a pass to a graph, with the names of torch.fx: nodes, find_nodes, inserting_before, call,
// replace_all_uses_with, move_before, erase_node. An ordinary constexpr class: a pass runs in the compiler, in a
// debugger and in a test alike.
// Invariant: after every call the graph is linked and typed; after a refusal ok() is false and the graph does not
// change any more.
#pragma once
#include <ahead/aten/shape/view_to_reshape.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/call_argument.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/pass/call_rewriter.hpp>
#include <ahead/pass/calls_of.hpp>

namespace AHEAD_NAMESPACE::pass {

class graph_editor {
public:
    /// `made_by` is recorded in every node that the editor makes.
    constexpr graph_editor(graph g, op_table ops, diagnosis& d, std::string_view made_by)
        : g_(g), view_(g), ops_(ops), d_(&d), made_by_(made_by), has_blocks_(ir::has_blocks(g)) {}

    // Reading.
    constexpr const graph_view& view() const { return view_; }
    constexpr op_table operators() const { return ops_; }
    constexpr bool ok() const { return d_->ok(); }
    /// The number of changes to the graph so far.
    constexpr std::int32_t changes() const { return changes_; }
    /// The live nodes in program order. The current node may be erased, and nodes may be inserted, during the walk.
    constexpr auto begin() const { return view_.begin(); }
    constexpr auto end() const { return view_.end(); }
    constexpr const node& operator[](node_id n) const { return g_[n]; }
    /// Whether n is a call of the operator. Refuses operator_is_unknown.
    constexpr bool calls(node_id n, std::string_view target) const {
        const auto op = known_op(target);
        return op.exists() && g_[n].op == op;
    }
    /// For literals, whose type gives the length: no strlen during constant evaluation.
    template <std::size_t Size> constexpr bool calls(node_id n, const char (&target)[Size]) const {
        return calls(n, std::string_view(target, Size - 1));
    }
    /// By the operator's struct, here and below: `g.calls<aten::relu>(n)`. A struct that is not an operator does not
    /// compile.
    template <class Op> constexpr bool calls(node_id n) const { return calls(n, std::string_view(Op::name)); }
    /// The calls of an operator in program order: `for (node_id n : g.find_nodes("aten.relu.default"))`. The cheapest
    /// way to find one in a large graph. The current node may be erased, and nodes may be inserted, during the walk.
    /// Refuses operator_is_unknown.
    constexpr auto find_nodes(std::string_view target) const { return calls_of(g_, known_op(target)); }
    template <class Op> constexpr auto find_nodes() const { return find_nodes(Op::name); }
    /// The first node from `from` on that calls the operator; none if there is none. Refuses operator_is_unknown.
    constexpr node_id find_node(std::string_view target, node_id from) const {
        const auto op = known_op(target);
        if (!op.exists()) return {};
        while (from.exists() && g_[from].op != op) from = g_[from].next;
        return from;
    }
    constexpr node_id find_node(std::string_view target) const { return find_node(target, g_.first()); }
    template <class Op> constexpr node_id find_node(node_id from) const { return find_node(Op::name, from); }
    template <class Op> constexpr node_id find_node() const { return find_node(Op::name); }
    constexpr const argument& argument_of(node_id n, std::int32_t i) const { return g_.argument_of(g_[n], i); }
    /// The node that is argument i of n; none if the argument is not a node.
    constexpr node_id operand(node_id n, std::int32_t i) const {
        if (i >= g_[n].arguments.count) return {};
        const auto& a = argument_of(n, i);
        return a.kind == argument_kind::node ? a.node() : node_id{};
    }
    constexpr const tensor_type& type_of(node_id n, std::int32_t result = 0) const {
        return g_.value_of(n, result).type;
    }
    constexpr std::int32_t use_count(node_id n) const { return g_[n].use_count; }
    /// The owner of the k-th use of n.
    constexpr node_id user(node_id n, std::int32_t k = 0) const {
        auto use = g_[n].first_use;
        while (k-- > 0) use = g_[use].next_use;
        return g_[use].owner;
    }
    /// Whether the graph returns n, or a view of its bytes.
    constexpr bool is_returned(node_id n) const { return ir::is_returned(g_, n); }
    /// Whether the graph may return `with` in place of n: an output must not be an input, and two outputs must be two
    /// tensors.
    constexpr bool may_be_returned_for(node_id n, const argument& with) const {
        return ir::may_be_returned_for(g_, n, with);
    }
    /// Whether the call has no effect except its results: it may be removed if it has no readers, and shared.
    constexpr bool is_pure(node_id n) const {
        if (g_[n].kind != node_kind::call || !g_[n].op.exists()) return false;
        const auto& effect = ops_[static_cast<std::size_t>(g_[n].op.index)].effect;
        return effect.mutates < 0 && !effect.has_side_effect && (!has_blocks_ || is_pure_inside(n));
    }

    // Writing. New calls go before the node set here, at first before the output.
    constexpr void inserting_before(node_id n) { position_ = n; }
    constexpr void inserting_after(node_id n) { position_ = g_[n].next; }

    /// Inserts a typed call; its line and module are those of the node before which it is inserted. Refuses what the
    /// operator's schema and type rule refuse, and an argument that is a node which was not found.
    constexpr node_id call(std::string_view target, std::initializer_list<call_argument> arguments) {
        const flat_arguments all(arguments);
        return call(target, all.given.all(), all.elements.all());
    }
    template <class Op> constexpr node_id call(std::initializer_list<call_argument> arguments) {
        return call(Op::name, arguments);
    }
    /// As above, for arguments in graph form, keywords included; the children of lists are ranges of `elements`.
    constexpr node_id call(std::string_view target, array_view<const argument> arguments,
                           array_view<const argument> elements) {
        const auto position = position_.exists() ? position_ : g_.last();
        if (!called_.exists() || !same_name(ops_[static_cast<std::size_t>(called_.index)].name, target))
            called_ = known_op(target, position);
        if (!called_.exists()) return {};
        const auto id = make_call(g_, ops_, called_, arguments, elements, position, made_by_, *d_);
        changes_ += id.exists();
        return id;
    }
    /// All readers of `from` read `to` instead: result `result` of `to`, or, if `from` has several results, the result
    /// with the same number. `except` still reads `from`.
    constexpr void replace_all_uses_with(node_id from, node_id to, std::int32_t result = 0, node_id except = {}) {
        if (!ok() || !was_found(from) || !was_found(to)) return;
        outdate_users(from);
        replace_all_uses(g_, from, to, result, except);
        ++changes_;
    }
    /// Replaces a node with one result by a value, or a node with several results by a node with as many, and erases
    /// it. Refuses (rewrite_changes_type) a different number of results, other dtypes or other sizes.
    constexpr bool replace_node(node_id n, const argument& with) {
        const auto count = g_[n].values.count;
        if (count > 1 && g_[with.node()].values.count != count) {
            refuse_at(n, fault::rewrite_changes_type, short_text() << count << " results",
                      short_text() << g_[with.node()].values.count);
            return false;
        }
        for (std::int32_t k = 0; k < count; ++k) {
            const auto& before = type_of(n, k);
            const auto& after = count > 1 ? type_of(with.node(), k) : view().value_of(with).type;
            if (before.type == after.type && sizes_of(before) == sizes_of(after)) continue;
            refuse_at(n, fault::rewrite_changes_type, print(before), print(after));
            return false;
        }
        replace_all_uses_with(n, with.node(), with.result);
        erase_node(n);
        return ok();
    }
    /// Argument i of n reads `to`. The types of n and of calls that depend on it are inferred when the pass is done.
    constexpr void replace_operand(node_id n, std::int32_t i, node_id to) {
        if (!ok() || !was_found(n) || !was_found(to)) return;
        auto a = argument_of(n, i);
        a.kind = argument_kind::node;
        a.bits = to.index;
        a.result = 0;
        set_argument(g_, g_[n].arguments[i], a, n);
        outdate(n);
        ++changes_;
    }
    /// Sets argument i of n, which is None, to an integer keyword argument, and infers the type of n again.
    constexpr void set_integer(node_id n, std::int32_t i, std::int64_t number, std::string_view keyword) {
        if (!ok() || !was_found(n)) return;
        rewriter().set_integer(n, i, number, keyword);
        infer(n);
        ++changes_;
    }
    /// Rewrites calls in place, for fusion; its changes count as changes of the editor.
    constexpr call_rewriter rewriter() { return {g_, ops_, changes_, *d_}; }
    /// Sets the type of result k of a call whose type its maker decides, such as npu.view or a fused call.
    constexpr void set_type(node_id n, const tensor_type& type, std::int32_t k = 0) {
        if (!ok() || !was_found(n)) return;
        auto& v = g_.value_of(n, k);
        v.type = type;
        if (k > 0) v = {value_kind::tensor, type, g_[n].values[k]};
    }
    /// All readers of result k of `from` read result `result` of `to` instead.
    constexpr void replace_result_with(node_id from, std::int32_t k, node_id to, std::int32_t result = 0) {
        if (!ok() || !was_found(from) || !was_found(to)) return;
        outdate_users(from);
        replace_uses_of_result(g_, from, k, to, result);
        ++changes_;
    }
    /// Pointwise calls of this device graph take Eigen's kernels, where there are some.
    constexpr void put_on_eigen() {
        g_.header().on_eigen = true;
        ++changes_;
    }
    /// Moves n before `position`, another node, as torch.fx's prepend does. The operands of n must come before the new
    /// place, its readers after it.
    constexpr void move_before(node_id n, node_id position) {
        if (!ok()) return;
        move_node(g_, n, position);
        ++changes_;
    }
    /// Infers a call's type again after its operands were replaced. Not needed at the end of a pass, where
    /// infer_stale() does it.
    constexpr void infer(node_id n) {
        if (ok() && g_[n].kind == node_kind::call) static_cast<void>(infer_node(g_, ops_, n, *d_));
    }
    /// Infers the types of all calls whose operands were replaced, and of calls that depend on a type that changed.
    constexpr bool infer_stale() {
        const node* nodes = g_.nodes().data();
        bool* stale = stale_.data();
        for (auto at = g_.first().index; stale_count_ > 0 && at >= 0; at = nodes[at].next.index) {
            if (!stale[at]) continue;
            stale[at] = false;
            --stale_count_;
            if (nodes[at].kind == node_kind::call && !infer_again({at})) return false;
        }
        return true;
    }
    /// Marks the calls that hold changed blocks, so that they are typed again when the pass is done. Returns whether
    /// any call is marked.
    constexpr bool outdate_holders(const bool* changed) {
        for (node_id n : *this)
            for (block_id b : blocks_of(g_, g_[n]))
                if (changed[b.index]) outdate(n);
        return stale_count_ > 0;
    }
    /// Removes a node. Refuses (node_is_in_use) a node that has readers.
    constexpr void erase_node(node_id n) {
        if (!ok() || !was_found(n)) return;
        if (g_[n].use_count > 0) {
            refuse_at(g_[n], fault::node_is_in_use, "a node without users",
                      short_text() << g_[n].use_count << " users, " << print(g_[user(n)].name).view());
            return;
        }
        if (position_.index == n.index) position_ = g_[n].next;
        if (stale_count_ > 0 && stale_[n.index]) {
            --stale_count_;
            stale_[n.index] = false;
        }
        erase(g_, n);
        ++changes_;
    }
    /// Removes calls without readers, from the last to the first. Returns their number.
    constexpr std::int32_t eliminate_dead_code() {
        std::int32_t count = 0;
        for (auto n = g_.last(); n.exists() && ok();) {
            const auto before = g_[n].previous;
            if (g_[n].kind == node_kind::call && g_[n].use_count == 0 && is_pure(n)) {
                erase_node(n);
                ++count;
            }
            n = before;
        }
        return count;
    }

    /// Refuses for a reason that the pass gives, at a node.
    constexpr void refuse_at(node_id n, fault what, const short_text& expected, const short_text& found) {
        refuse_at(g_[n], what, expected, found);
    }
    constexpr void refuse_at(node_id n, custom_rule rule, const short_text& expected = {},
                             const short_text& found = {}) {
        if (ok()) d_->rule = rule.text;
        refuse_at(g_[n], fault::custom, expected, found);
    }
    constexpr diagnosis& faults() { return *d_; }

private:
    constexpr bool is_pure_inside(node_id n) const {
        bool pure = true;
        for (block_id b : blocks_of(g_, g_[n]))
            for (node_id inner : g_.inside(b)) pure = pure && (g_[inner].kind != node_kind::call || is_pure(inner));
        return pure;
    }
    constexpr void outdate(node_id n) {
        if (stale_.size() == 0) stale_ = fixed_buffer<bool>(g_.room().nodes);
        if (!stale_[n.index]) ++stale_count_;
        stale_[n.index] = true;
    }
    constexpr void outdate_users(node_id n) {
        for (auto use = g_[n].first_use; use.exists(); use = g_[use].next_use) outdate(g_[use].owner);
    }
    constexpr bool infer_again(node_id n) {
        if (has_blocks_)
            for (block_id b : blocks_of(g_, g_[n])) forget_annotations(g_.inside(b));
        g_[n].annotation =
            {}; // the text's annotation describes the original graph: an edited graph may have other strides
        const auto before = g_[n].values;
        fixed_buffer<value> old(before.count);
        for (std::int32_t k = 0; k < before.count; ++k) old[k] = g_[before[k]];
        if (!infer_node(g_, ops_, n, *d_) && !becomes_reshape(n)) return false;
        bool same = g_[n].values.count == before.count;
        for (std::int32_t k = 0; same && k < before.count; ++k) same = g_.value_of(n, k) == old[k];
        if (!same) outdate_users(n);
        return true;
    }
    /// Replaces a view that the strides do not allow any more by a copy, as TorchAir's view_to_reshape does.
    constexpr bool becomes_reshape(node_id n) {
        if (d_->what != fault::view_needs_a_copy || !calls(n, "aten.view.default") || !aten::make_reshape(g_, ops_, n))
            return false;
        *d_ = {};
        return infer_node(g_, ops_, n, *d_);
    }
    constexpr bool was_found(node_id n) {
        if (n.exists()) return true;
        d_->op = made_by_;
        return refuse(*d_, fault::node_is_missing, "a node", "none: nothing was found");
    }
    /// Refuses a name that is not an operator's, at the node `at` if there is one: a pass that looks for it would
    /// silently do nothing.
    constexpr op_id known_op(std::string_view target, node_id at = {}) const {
        const auto op = find_op(ops_, target);
        if (!op.exists()) {
            node n;
            if (at.exists()) n.from = g_[at].from;
            n.from.made_by = made_by_;
            refuse_at(n, fault::operator_is_unknown, registered_operator(ops_, target), target);
        }
        return op;
    }
    constexpr void refuse_at(const node& n, fault what, const short_text& expected, const short_text& found) const {
        if (!ok()) return;
        blame(*d_, n);
        if (n.target.empty()) d_->op = made_by_;
        refuse(*d_, what, expected, found);
    }
    graph g_;
    graph_view view_;
    op_table ops_;
    diagnosis* d_;
    std::string_view made_by_;
    node_id position_;
    std::int32_t changes_ = 0;
    op_id called_;             // the last one: a pass often calls the same one again
    fixed_buffer<bool> stale_; // by node: an operand was replaced; allocated at the first replacement
    std::int32_t stale_count_ = 0;
    bool has_blocks_;
};

} // namespace ahead::pass

namespace AHEAD_NAMESPACE {
using pass::graph_editor;
} // namespace ahead
