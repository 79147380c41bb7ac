// SPDX-License-Identifier: MIT
// What all forms of FX text share: names, values, call arguments, results. One body for compile time and run time; no heap.
// Invariant: a node enters the table of names when its line has been read, so that no line can use its own name or a later one.
// Called by the parsers of the single forms (fx_f1.hpp, fx_readable.hpp, fx_signature.hpp).
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/frontend/fx_names.hpp>
#include <ahead/frontend/lexer.hpp>
#include <ahead/ir/fx_style.hpp>
#include <ahead/ir/op.hpp>

namespace ahead::detail {

class fx_reader {
public:
    cursor c;
    fx_style& style;
    graph g;
    bool f1 = false; // names carry "%", strings have lost their quotes

    constexpr fx_reader(std::string_view text, op_table ops, graph into, fx_style& s, diagnosis& d)
        : c{text.data(), static_cast<std::int32_t>(text.size()), 0, 1}, style(s), g(into), ops_(ops), diagnosis_(d), header_(&into.header()),
          nodes_(into.nodes().data()), arguments_(into.arguments().data()), node_capacity_(static_cast<std::int32_t>(into.nodes().size())),
          argument_capacity_(static_cast<std::int32_t>(into.arguments().size())) {}

    // ---- faults

    constexpr bool fail(fault what, short_text expected, short_text found) { return fail(what, expected, found, {}); }
    constexpr bool fail(fault what, short_text expected, short_text found, std::string_view name) {
        if (diagnosis_.ok()) {
            refuse(diagnosis_, what, expected, found);
            diagnosis_.line = c.line;
            diagnosis_.op = target_;
            diagnosis_.name = name.empty() ? name_ : name;
        }
        return false;
    }
    /// "expected ..., found <what stands at the cursor>"
    template <std::size_t Size> constexpr bool expect(const char (&word)[Size]) {
        return c.accept(word) || malformed(short_text() << "'" << word << "'");
    }
    constexpr bool malformed(const short_text& expected) { return fail(fault::text_is_malformed, expected, here()); }

    constexpr short_text here() const {
        const auto rest = c.rest_of_line(c.at);
        if (c.done()) return "the end of the text";
        if (rest.empty()) return "the end of the line";
        return short_text() << "'" << rest.substr(0, 40) << (rest.size() > 40 ? "...'" : "'");
    }
    /// Which line a fault is about.
    constexpr void about(std::string_view name, std::string_view target = {}) {
        name_ = name;
        target_ = target;
    }

    // ---- names

    constexpr node_id find(std::string_view name) const { return {names_.find(nodes_, name)}; }
    constexpr bool define(std::int32_t index) {
        return names_.insert(nodes_, index) || fail(fault::name_is_defined_twice, "a new name",
                                                    short_text() << nodes_[index].name.text << ", which an earlier line defines", nodes_[index].name.text);
    }
    /// `name = old`: what a placeholder is called in the body.
    constexpr bool rename(node_id id, std::string_view name) {
        names_.remove(nodes_, id.index);
        nodes_[id.index].name = {name, 0};
        return define(id.index);
    }
    constexpr void forget_all() {
        for (std::int32_t i = 0; i < header_->used.arguments; ++i) arguments_[i] = {};
        *header_ = {};
        names_ = {};
    }
    /// post: no chain of names is left in the nodes.
    constexpr void finish() {
        for (std::int32_t i = 0; i < header_->used.nodes; ++i) nodes_[i].values = {};
    }

    // ---- nodes

    /// append_node, define, in few steps: parsed nodes are never inserted, their places are their order.
    constexpr bool append(const node& n) { return append_unnamed(n) && define(header_->used.nodes - 1); }
    constexpr bool append_unnamed(const node& n) {
        const auto index = header_->used.nodes;
        if (index == node_capacity_) return fail(fault::graph_exceeds_capacity, short_text() << node_capacity_ << " nodes", "more");
        nodes_[index] = n;
        nodes_[index].previous = header_->last;
        (index == 0 ? header_->first : nodes_[index - 1].next) = {index};
        header_->last = {index};
        header_->used.nodes = header_->live_nodes = index + 1;
        return true;
    }
    constexpr node_id next_id() const { return {header_->used.nodes}; }
    constexpr bool reserve(std::int32_t count, id_range<argument_id>& out) {
        out = {header_->used.arguments, count};
        header_->used.arguments += count;
        return header_->used.arguments <= argument_capacity_ ||
               fail(fault::graph_exceeds_capacity, short_text() << argument_capacity_ << " arguments", "more");
    }

    /// The target of a call as spelled in the text. Unknown operators of aten and prims are left to typing; everything else is refused.
    constexpr bool set_target(node& n, std::string_view spelled) {
        name_ = n.name.text;
        target_ = spelled;
        if (spelled.size() > 16 && starts_with(spelled, "torch.ops.")) {
            n.target = {spelled.data() + 10, spelled.size() - 10};
            target_ = n.target;
            if (!starts_with(n.target, "aten.") && !starts_with(n.target, "prims."))
                return unsupported(starts_with(n.target, "higher_order.") ? "a higher-order call" : "an operator of another library");
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
        } else return unsupported("another function");
        n.op = find_cached(n.target);
        return true;
    }
    constexpr bool unsupported(std::string_view what) {
        return fail(fault::node_kind_is_unsupported, "an operator of aten or prims", short_text() << what << ", '" << target_ << "'");
    }

    // ---- values

    /// Reads one value into argument `id` of node `owner`.
    constexpr bool value(argument_id id, node_id owner, std::string_view keyword = {}) {
        const char first = c.peek();
        const auto classes = char_classes.classes[static_cast<unsigned char>(first)];
        if (f1 && first == '%') {
            ++c.at;
            return reference(id, owner, keyword, c.name());
        }
        if ((classes & digit_char) != 0 || (first == '-' && (c.peek(1) == 'i' || (c.peek(1) >= '0' && c.peek(1) <= '9')))) return number(id, owner, keyword);
        if (first == '[') return children(id, owner, keyword, argument_kind::list, ']');
        if (first == '(') return children(id, owner, keyword, argument_kind::tuple, ')');
        if (!f1 && (first == '\'' || first == '"')) {
            const auto from = c.at + 1;
            c.skip_string();
            const auto to = c.at;
            if (c.peek() != first) return malformed("a string with its closing quote");
            ++c.at;
            return put(id, {.kind = argument_kind::string, .text = c.part(from, to), .keyword = keyword}, owner);
        }
        if ((classes & name_char) != 0) {
            const auto from = c.at;
            return word(id, owner, keyword, c.name(), from);
        }
        if (f1) return bare_word(id, owner, keyword, c.at);
        return malformed("a value");
    }

    /// The arguments of a call, after its "(": positional ones, then keyword = value. Also reads ")".
    constexpr bool call_arguments(node& n, node_id owner) {
        c.skip_blanks();
        const auto measured = c.measure();
        if (measured.close == c.end) return malformed("a closing bracket");
        if (!reserve(measured.elements, n.arguments)) return false;
        for (std::int32_t i = 0; i < measured.elements; ++i) {
            if (i > 0 && !next_element()) return false;
            const auto id = n.arguments[i];
            if (c.is(name_char) && !c.is(digit_char)) {
                const auto from = c.at;
                const auto first = c.name();
                if (c.accept(" = ") ? !value(id, owner, first) : !word(id, owner, {}, first, from)) return false;
            } else if (!value(id, owner)) return false;
        }
        return close(')');
    }

    /// The elements between brackets, after the opening one. Also reads the closing one.
    constexpr bool elements(id_range<argument_id>& range, node_id owner, char closing) {
        if (!f1) c.skip_blanks();
        const auto measured = c.measure(f1);
        if (measured.close == c.end) return malformed("a closing bracket");
        if (!reserve(measured.elements, range)) return false;
        for (std::int32_t i = 0; i < range.count; ++i)
            if ((i > 0 && !next_element()) || !value(range[i], owner)) return false;
        return close(closing);
    }
    constexpr bool next_element() {
        if (f1) return expect(", ");
        if (c.at + 2 < c.end && c.text[c.at] == ',' && c.text[c.at + 1] == ' ' && c.text[c.at + 2] != ' ' && c.text[c.at + 2] != '\n') {
            c.at += 2;
            return true;
        }
        c.skip_blanks();
        if (!c.accept(',')) return malformed("',' or a closing bracket");
        c.skip_blanks();
        return true;
    }
    constexpr bool close(char bracket) {
        if (c.accept(bracket)) return true;
        c.skip_blanks();
        if (c.accept(',')) c.skip_blanks();
        return c.accept(bracket) || malformed(short_text() << "'" << std::string_view(&bracket, 1) << "'");
    }

    // ---- results

    /// After "return ": the output node. Its one argument is what is returned: a tuple, a list or a single value, as in FX.
    constexpr bool results(std::int32_t line) {
        about("output");
        node n = output_node();
        n.from.line = line;
        const auto owner = next_id();
        f1 = false;
        if (!reserve(1, n.arguments)) return false;
        style.unflatten = c.accept("pytree.tree_unflatten(");
        style.expanded_return = (c.peek() == '(' || c.peek() == '[') && c.peek(1) == '\n';
        if (style.expanded_return ? !described_elements(n.arguments[0], owner) : !value(n.arguments[0], owner)) return false;
        if (style.unflatten && !expect(", self._out_spec)")) return false;
        c.skip_spaces();
        if (!c.done() && !c.accept('\n')) return malformed("the end of the line");
        ++c.line;
        return append_unnamed(n);
    }
    /// A text without return line: its graph returns nothing.
    constexpr bool no_results() {
        node n = output_node();
        n.from.line = c.line;
        const auto owner = next_id();
        if (!reserve(1, n.arguments)) return false;
        put(n.arguments[0], {.kind = argument_kind::tuple}, owner);
        style.returns = false;
        return append_unnamed(n);
    }

    constexpr op_id cached(std::string_view target) { return find_cached(target); }

private:
    op_table ops_;
    diagnosis& diagnosis_;
    fx_names names_;
    std::int32_t seen_[64]{};          // recent calls by target: node index + 1
    // The graph's pools, without the cost of a checked subscript per access.
    graph_header* header_;
    node* nodes_;
    argument* arguments_;
    std::int32_t node_capacity_, argument_capacity_;
    static constexpr int max_depth = 16;
    int depth_ = 0; // of lists in lists
    std::string_view name_, target_;

    /// find_op, remembering the last call of the same name.
    constexpr op_id find_cached(std::string_view target) {
        auto& seen = seen_[(target.size() * 7 + static_cast<unsigned char>(target[5]) * 3u + static_cast<unsigned char>(target[6])) % 64];
        if (seen != 0) {
            const auto& n = nodes_[seen - 1];
            if (same_text(n.target, target)) return n.op;
        }
        seen = g.header().used.nodes + 1; // the node of this line, once it is appended
        return find_op(ops_, target);
    }

    constexpr bool put(argument_id id, argument a, node_id owner) {
        a.owner = owner;
        arguments_[id.index] = a;
        return true;
    }
    constexpr bool reference(argument_id id, node_id owner, std::string_view keyword, std::string_view name) {
        const auto used = find(name);
        if (!used.exists())
            return name.empty() ? malformed("a name")
                                : fail(fault::name_is_undefined, "a name that a line above defines", short_text() << name, name);
        auto& a = arguments_[id.index];
        auto& n = nodes_[used.index];
        a.kind = argument_kind::node;
        a.bits = used.index;
        a.keyword = keyword;
        a.owner = owner;
        a.previous_use = n.last_use; // as link_use does
        (n.use_count++ == 0 ? n.first_use : arguments_[n.last_use.index].next_use) = id;
        n.last_use = id;
        return true;
    }
    constexpr bool children(argument_id id, node_id owner, std::string_view keyword, argument_kind kind, char closing) {
        if (depth_ == max_depth) return malformed(short_text() << "lists nested at most " << max_depth << " deep");
        ++c.at;
        ++depth_;
        id_range<argument_id> range;
        if (!elements(range, owner, closing)) return false;
        --depth_;
        return put(id, {.kind = kind, .keyword = keyword, .children = range}, owner);
    }
    constexpr bool number(argument_id id, node_id owner, std::string_view keyword) {
        const auto from = c.at;
        const bool negative = c.peek() == '-';
        if (negative) ++c.at;
        const auto first = c.at;
        std::uint64_t magnitude = 0;
        while (c.at < c.end && c.text[c.at] >= '0' && c.text[c.at] <= '9') magnitude = magnitude * 10 + static_cast<std::uint64_t>(c.text[c.at++] - '0');
        const char next = c.peek();
        if (next != '.' && next != 'e' && next != 'i') {
            const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
            if (c.at - first > 19 || magnitude > limit) {
                c.at = from;
                return malformed("an integer of 64 bits");
            }
            const auto bits = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
            return put(id, {.kind = argument_kind::integer, .bits = bits, .keyword = keyword}, owner);
        }
        if (next == 'i') c.skip(name_char); // inf
        else c.skip(number_char);
        argument a{.kind = argument_kind::real, .text = c.since(from), .keyword = keyword};
        if (!read_decimal(a.text, a.bits)) {
            c.at = from;
            return malformed("a number");
        }
        return put(id, a, owner);
    }
    /// A value that starts with a letter; its first name, `w`, has been read.
    constexpr bool word(argument_id id, node_id owner, std::string_view keyword, std::string_view w, std::int32_t from) {
        const bool dotted = c.peek() == '.';
        if (dotted) {
            c.skip(dotted_char);
            w = c.since(from);
        }
        const char next = c.peek();
        if (f1 && !at_word_end() && !(next == '(' && same_text(w, "slice")))
            return bare_word(id, owner, keyword, from);
        const char first = c.text[from];
        const bool special = first == 'N' || first == 'T' || first == 'F' || first == 'i' || first == 'n' || next == '(';
        if (!f1 && !special && !dotted) return reference(id, owner, keyword, w);
        argument a{.keyword = keyword};
        if (first == 'N' && same_text(w, "None")) return put(id, a, owner);
        if ((first == 'T' && same_text(w, "True")) || (first == 'F' && same_text(w, "False"))) {
            a.kind = argument_kind::boolean;
            a.bits = first == 'T';
            return put(id, a, owner);
        }
        if ((first == 'i' && same_text(w, "inf")) || (first == 'n' && same_text(w, "nan"))) {
            a.kind = argument_kind::real;
            a.text = w;
            read_decimal(w, a.bits);
            return put(id, a, owner);
        }
        if (next == '(') {
            if (same_text(w, "slice")) return children(id, owner, keyword, argument_kind::slice, ')');
            if (same_text(w, "device")) return device(id, owner, keyword);
            return fail(fault::node_kind_is_unsupported, "a value", short_text() << "a call of " << w);
        }
        if (first == 't' && starts_with(w, "torch.")) {
            a.kind = argument_kind::word;
            a.text = w;
            if (const auto type = dtype_named(w)) {
                a.kind = argument_kind::dtype;
                a.bits = static_cast<std::int64_t>(*type);
            } else if (same_text(w, "torch.strided") || same_text(w, "torch.jagged") || starts_with(w, "torch.sparse")) a.kind = argument_kind::layout;
            else if (w.size() > 13 && (same_chars(w.data() + w.size() - 7, "_format", 7) || starts_with(w, "torch.channels")))
                a.kind = argument_kind::memory_format;
            else if (starts_with(w, "torch.ops."))
                return fail(fault::node_kind_is_unsupported, "a value", short_text() << "the function " << w);
            return put(id, a, owner);
        }
        if (f1) return bare_word(id, owner, keyword, from);
        if (!dotted) return reference(id, owner, keyword, w);
        a.kind = argument_kind::word; // an enumerator
        a.text = w;
        return put(id, a, owner);
    }
    constexpr bool at_word_end() const {
        const char next = c.peek();
        return next == ')' || next == ']' || next == '}' || (next == ',' && (c.peek(1) == ' ' || c.peek(1) == ')'));
    }
    /// Text without quotes, up to the comma or bracket that ends the argument. May be empty.
    constexpr bool bare_word(argument_id id, node_id owner, std::string_view keyword, std::int32_t from) {
        for (std::int32_t depth = 0; !c.done() && c.peek() != '\n'; ++c.at) {
            const char next = c.peek();
            if (depth == 0 && at_word_end()) break;
            if (next == '{') return malformed("a value, not a dictionary");
            depth += next == '(' || next == '[' ? 1 : next == ')' || next == ']' ? -1 : 0;
        }
        return put(id, {.kind = argument_kind::word, .text = c.since(from), .keyword = keyword}, owner);
    }
    /// After "device": (type='cuda', index=0). The index is kept in bits, -1 if there is none.
    constexpr bool device(argument_id id, node_id owner, std::string_view keyword) {
        if (!expect("(type='")) return false;
        argument a{.kind = argument_kind::device, .bits = -1, .text = c.name(), .keyword = keyword};
        if (!expect("'")) return false;
        if (c.accept(", index=")) a.bits = read_digits();
        if (!expect(")")) return false;
        return put(id, a, owner);
    }
    constexpr std::int64_t read_digits() {
        std::int64_t value = 0;
        while (c.is(digit_char) && value < 1'000'000) value = value * 10 + (c.text[c.at++] - '0');
        return value;
    }
    /// One result per line, each with what PyTorch says about it: `add,  # PlainAOTOutput(idx=0)`. The comment becomes the argument's text.
    constexpr bool described_elements(argument_id id, node_id owner) {
        const bool tuple = c.accept('(');
        if (!tuple) ++c.at;
        const auto measured = c.measure();
        if (measured.close == c.end) return malformed("a closing bracket");
        argument all{.kind = tuple ? argument_kind::tuple : argument_kind::list};
        if (!reserve(measured.elements, all.children)) return false;
        for (std::int32_t i = 0; i < all.children.count; ++i) {
            c.skip_blanks();
            if (!value(all.children[i], owner)) return false;
            if (!expect(",")) return false;
            c.skip_spaces();
            if (c.peek() == '#') {
                const auto from = c.at;
                c.skip_to('\n');
                if (g[all.children[i]].text.empty()) g[all.children[i]].text = c.since(from);
            }
        }
        c.skip_blanks();
        return (c.accept(tuple ? ')' : ']') || malformed("the closing bracket of the results")) && put(id, all, owner);
    }
    static constexpr node output_node() {
        node n;
        n.kind = node_kind::output;
        n.name.text = "output";
        n.target = "output";
        return n;
    }
};

} // namespace ahead::detail
