// SPDX-License-Identifier: MIT
// The common state of the readers of all FX forms: the graph being built, its names, and faults with their lines. One
// implementation for compile time and run time; no heap.
// Invariant: a node enters the table of names after its line has been read, so no line can use its own name or a later
// one. Each block has a separate name scope.
// Called by values.hpp and the readers of the individual forms (listing.hpp, readable.hpp, signature.hpp).
#pragma once
#include <ahead/frontend/fx/names.hpp>
#include <ahead/frontend/fx/python_operators.hpp>
#include <ahead/frontend/fx/style.hpp>
#include <ahead/frontend/fx/text/lexer.hpp>
#include <ahead/ir/op.hpp>
#include <ahead/legalize/higher_order/names.hpp>

namespace AHEAD_NAMESPACE::detail {

class fx_reader {
public:
    cursor c;
    fx_style& style;
    graph g;
    bool listing = false;           // names carry "%", strings have lost their quotes
    bool numbers_are_words = false; // in a listing, in a call that takes labels and tags but no numbers
    bool takes_operators = false;   // in a call that takes operators as values
    char nests_classes = '?';       // whether classes of blocks follow the text's first def: y, n, or not known yet
    int depth = 0;                  // nesting of lists
    char quotes = '?';              // whether types are quoted: y, n, or not known yet

    constexpr fx_reader(std::string_view text, op_table ops, graph into, fx_style& s, diagnosis& d)
        : c{text.data(), static_cast<std::int32_t>(text.size()), 0, 1}, style(s), g(into), ops_(ops), diagnosis_(d),
          header_(&into.header()), first_(&into.first()), last_(&into.last()), nodes_(into.nodes().data()),
          arguments_(into.arguments().data()), node_capacity_(static_cast<std::int32_t>(into.nodes().size())),
          argument_capacity_(static_cast<std::int32_t>(into.arguments().size())) {}

    // ---- faults

    constexpr bool fail(fault what, const short_text& expected, const short_text& found) {
        return fail(what, expected, found, {});
    }
    constexpr bool fail(fault what, const short_text& expected, const short_text& found, std::string_view name) {
        if (diagnosis_.ok()) {
            refuse(diagnosis_, what, expected, found);
            diagnosis_.line = c.line;
            diagnosis_.op = target_;
            diagnosis_.name = name.empty() ? name_ : name;
        }
        return false;
    }
    /// "expected ..., found <text at the cursor>"
    template <std::size_t Size> constexpr bool expect(const char (&word)[Size]) {
        return c.accept(word) || malformed(short_text() << "'" << word << "'");
    }
    constexpr bool malformed(const short_text& expected) {
        return fail(fault::text_is_malformed, expected, here());
    }

    constexpr short_text here() const {
        const auto rest = c.rest_of_line(c.at);
        if (c.done()) return "the end of the text";
        if (rest.empty()) return "the end of the line";
        return short_text() << "'" << rest.substr(0, 40) << (rest.size() > 40 ? "...'" : "'");
    }
    /// Sets the name and target that a fault reports.
    constexpr void about(std::string_view name, std::string_view target = {}) {
        name_ = name;
        target_ = target;
    }

    // ---- names

    constexpr node_id find(std::string_view name) const { return {names_.find(nodes_, name)}; }
    constexpr bool define(std::int32_t index) {
        return names_.insert(nodes_, index) ||
               fail(fault::name_is_defined_twice, "a new name",
                    short_text() << nodes_[index].name.text << ", which an earlier line defines",
                    nodes_[index].name.text);
    }
    /// The placeholder with this name in the definition, `input`, even if the body calls it `input_1`; otherwise the
    /// node of this name.
    constexpr node_id find_input(std::string_view name) const {
        const auto found = find(name);
        if (found.exists() && same_text(nodes_[found.index].target, name)) return found;
        for (auto id = *first_; id.exists(); id = nodes_[id.index].next)
            if (const auto& n = nodes_[id.index]; n.kind == node_kind::placeholder && same_text(n.target, name))
                return id;
        return found;
    }
    /// `name = old`: renames a placeholder for the body. Another placeholder that the definition calls `name` cannot be
    /// found until it is renamed, too: for (input, input_1), PyTorch prints input_1 = input, then input_2 = input_1.
    constexpr bool rename(node_id id, std::string_view name) {
        names_.remove(nodes_, id.index);
        nodes_[id.index].name = {name, 0};
        if (const auto taken = find(name); taken.exists() && nodes_[taken.index].kind == node_kind::placeholder &&
                                           nodes_[taken.index].use_count == 0)
            names_.remove(nodes_, taken.index);
        return define(id.index);
    }
    constexpr void forget_all() {
        for (std::int32_t i = 0; i < header_->used.arguments; ++i) arguments_[i] = {}; // as in a new pool
        *header_ = {};
        names_ = {};
    }
    /// post: the nodes have no name chains left.
    constexpr void finish() {
        for (std::int32_t i = 0; i < header_->used.nodes; ++i) nodes_[i].values = {};
    }

    // ---- nodes

    /// append_node and define in few steps: parsed nodes are never inserted, their index is their order.
    constexpr bool append(const node& n) { return append_unnamed(n) && define(header_->used.nodes - 1); }
    constexpr bool append_unnamed(const node& n) {
        const auto index = header_->used.nodes;
        if (index == node_capacity_)
            return fail(fault::graph_exceeds_capacity, short_text() << node_capacity_ << " nodes", "more");
        nodes_[index] = n;
        const auto before = *last_;
        nodes_[index].previous = before;
        (before.index < 0 ? *first_ : nodes_[before.index].next) = {index};
        *last_ = {index};
        header_->used.nodes = index + 1;
        header_->live_nodes = index + 1 - header_->blocks;
        return true;
    }
    constexpr node_id next_id() const { return {header_->used.nodes}; }
    constexpr bool reserve(std::int32_t count, id_range<argument_id>& out) {
        out = {header_->used.arguments, count};
        if (count > argument_capacity_ - out.first)
            return fail(fault::graph_exceeds_capacity, short_text() << argument_capacity_ << " arguments", "more");
        make_new(arguments_, out.first, count);
        header_->used.arguments += count;
        return true;
    }

    /// find_op with a cache of the last call of the same name.
    constexpr op_id find_operator(std::string_view target) {
        auto& seen = seen_[(target.size() * 7 + static_cast<unsigned char>(target[5]) * 3u +
                            static_cast<unsigned char>(target[6])) %
                           64];
        if (seen != 0) {
            const auto& n = nodes_[seen - 1];
            if (same_text(n.target, target)) return n.op;
        }
        seen = g.header().used.nodes + 1; // the node of this line, once it is appended
        return find_op(ops_, target);
    }

    /// Sets the target of a call as spelled in the text. Unknown operators are accepted here and refused by typing;
    /// unknown Python functions are refused here.
    constexpr bool set_target(node& n, std::string_view spelled) {
        name_ = n.name.text;
        target_ = spelled;
        if (spelled.size() > 16 && starts_with(spelled, "torch.ops.")) {
            n.target = {spelled.data() + 10, spelled.size() - 10};
            target_ = n.target;
            n.op = find_operator(n.target);
            takes_operators = is_written_out(n);
            return n.op.exists() || takes_operators || !starts_with(n.target, "higher_order.") ||
                   unsupported("a higher-order call", "torch.where for a branch, a loop written out");
        } else if (spelled.size() > 9 && starts_with(spelled, "operator.")) {
            n.target = spelled;
        } else if (spelled.size() > 10 && starts_with(spelled, "_operator.")) {
            n.target = spelled.substr(1);
            style.python = "_operator.";
        } else if (spelled.size() > 20 && starts_with(spelled, "<built-in function ")) {
            style.python = "<built-in function ";
            const auto name = spelled.substr(19, spelled.size() - 20);
            if (same_text(name, "getitem")) n.target = "operator.getitem";
            for (const auto& op : python_operators)
                if (same_text(op.name.substr(9), name)) n.target = op.name;
            if (n.target.empty()) return unsupported("a Python function");
        } else if (same_text(spelled.substr(0, functorch.size()), functorch)) {
            n.target = spelled;
            return true;
        } else {
            for (const auto& f : python_functions)
                if (same_text(f.spelled, spelled)) n.target = f.name;
            if (n.target.empty()) return unsupported("another function");
        }
        n.op = find_operator(n.target);
        return true;
    }
    /// `instead`: advice on what to print or write instead.
    constexpr bool unsupported(std::string_view what, std::string_view instead = "as make_fx and torch.export print") {
        return fail(fault::node_kind_is_unsupported,
                    short_text("an operator of aten, of prims or of the registry given: ") << instead,
                    short_text() << what << ", '" << target_ << "'");
    }

    // ---- arguments

    /// Sets argument `id`. pre: it is not a node.
    constexpr bool put(argument_id id, argument a, node_id owner) {
        a.owner = owner;
        arguments_[id.index] = a;
        return true;
    }
    /// Sets argument `id` to the node of this name.
    constexpr bool reference(argument_id id, node_id owner, std::string_view keyword, std::string_view name) {
        const auto used = find(name);
        if (!used.exists())
            return name.empty()
                       ? malformed("a name")
                       : fail(fault::name_is_undefined, "a name that a line above defines", short_text() << name, name);
        auto& n = nodes_[used.index];
        auto a = argument::of(used);
        a.keyword = keyword;
        a.owner = owner;
        a.previous_use = n.last_use; // as link_use does
        arguments_[id.index] = a;
        (n.use_count++ == 0 ? n.first_use : arguments_[n.last_use.index].next_use) = id;
        n.last_use = id;
        return true;
    }

    // ---- blocks

    /// `true_graph_0 = self.true_graph_0`, if the text has a class of this name below: creates the head of a block,
    /// which a later call will hold.
    constexpr bool name_block(const node& n) {
        const auto index = header_->used.nodes;
        if (index == node_capacity_)
            return fail(fault::graph_exceeds_capacity, short_text() << node_capacity_ << " nodes", "more");
        auto& head = nodes_[index] = n;
        head.kind = node_kind::block;
        head.role = input_role::user;
        head.weight = {};
        ++header_->used.nodes;
        ++header_->blocks;
        return define(index);
    }
    /// Turns a higher-order call's references to block heads into block arguments. Refuses if the text does not show a
    /// block, which is then read as a get_attr.
    constexpr bool hold_blocks(const node& n) {
        const auto refuse_missing = [&](const node& read) {
            return fail(fault::block_is_missing,
                        short_text("class ") << read.target << ", as print_readable() shows it below",
                        listing ? "print(gm.graph), which shows no bodies" : "none in the text", read.name.text);
        };
        array_view<const parameter> schema;
        if (n.op.exists()) schema = ops_[static_cast<std::size_t>(n.op.index)].schema;
        const node* missing = nullptr; // a get_attr that may be meant as a block
        bool has_block = false;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            auto& a = arguments_[n.arguments.first + i];
            if (a.children.count > 0 && !n.op.exists()) has_block = hold_listed(a.children) || has_block;
            if (a.kind != argument_kind::node) continue;
            const auto& read = nodes_[a.bits];
            const auto at = static_cast<std::size_t>(i);
            if (read.kind == node_kind::block) {
                a.kind = argument_kind::block;
                has_block = true;
            } else if (at < schema.size() && schema[at].kind == parameter_kind::block) {
                return refuse_missing(read);
            } else if (missing == nullptr && read.kind == node_kind::get_attr) missing = &read;
        }
        return n.op.exists() || has_block || !holds_a_block(n) || missing == nullptr || refuse_missing(*missing);
    }
    /// Turns references to block heads in a list into block arguments; returns whether there were any.
    constexpr bool hold_listed(id_range<argument_id> list) {
        bool out = false;
        for (auto i = list.first; i < list.first + list.count; ++i)
            if (auto& a = arguments_[i]; a.kind == argument_kind::node && nodes_[a.bits].kind == node_kind::block) {
                a.kind = argument_kind::block;
                out = true;
            }
        return out;
    }
    /// The graph or block that lines are read into.
    struct place {
        graph g;
        fx_names names;
    };
    constexpr place enter(block_id b) {
        place outside{g, names_};
        go(g.inside(b));
        names_ = {};
        return outside;
    }
    constexpr void leave_for(const place& outside) {
        go(outside.g);
        names_ = outside.names;
    }

private:
    constexpr void go(const graph& in) {
        g = in;
        first_ = &g.first();
        last_ = &g.last();
    }

    op_table ops_;
    diagnosis& diagnosis_;
    fx_names names_;
    std::int32_t seen_[64]{}; // recent calls by target: node index + 1
    // The graph's pools, without the cost of a checked subscript per access.
    graph_header* header_;
    node_id *first_, *last_; // the ends of the graph or block being read
    node* nodes_;
    argument* arguments_;
    std::int32_t node_capacity_, argument_capacity_;
    std::string_view name_, target_;
};

} // namespace ahead::detail
