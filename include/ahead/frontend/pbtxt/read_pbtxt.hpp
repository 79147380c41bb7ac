// SPDX-License-Identifier: MIT
// Reads what print_pbtxt wrote: a typed graph, ATen or device, at compile time and at run time. A graph with blocks is
// refused (control_flow_is_not_run) at the call that holds one.
// Invariant: an accepted text prints as the same graph again; a refusal names the line, what was expected and what was
// found.
// Called by users, tests and pbtxt.hpp. Names and texts of the graph are views of the text.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/frontend/pbtxt/results.hpp>
#include <ahead/frontend/pbtxt/values.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// Capacity that suffices for the graph of a text, for any text.
struct pbtxt_size {
    ir::capacity capacity;
    std::int32_t characters = 0;
};
constexpr pbtxt_size count_pbtxt(std::string_view text) {
    pbtxt_size out;
    const auto size = static_cast<std::int32_t>(text.size());
    const char* p = text.data();
    std::int32_t line = 0;
    bool escapes = false;
    for (std::int32_t i = 0; i < size; ++i) {
        const char c = p[i];
        if (c == '{' || c == ':') ++out.capacity.arguments; // an argument is a field or a block
        if (c == 'e' && i >= 3 && p[i - 1] == 'd' && p[i - 2] == 'o' && p[i - 3] == 'n') ++out.capacity.nodes;
        if (c == 'e' && i >= 3 && p[i - 1] == 'p' && p[i - 2] == 'y' && p[i - 3] == 't') ++out.capacity.values;
        escapes = escapes || c == '\\';
        if (c != '\n' && i + 1 < size) continue;
        if (escapes) out.characters += i - line + 1;
        escapes = false;
        line = i;
    }
    return out;
}

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

/// The graph that a text becomes: the one that was printed, with its types, names, lines and storages; or a source that
/// is to be typed, with the text's own names and lines and its types as annotations.
enum class pbtxt_use : std::uint8_t { printed, source };

class pbtxt_graph_reader {
public:
    constexpr pbtxt_graph_reader(std::string_view text, op_table ops, graph g, array_view<char> characters,
                                 pbtxt_use use, diagnosis& d)
        : r_(text, characters, d), values_(r_, g, use == pbtxt_use::printed, d), results_(r_, d), ops_(ops), g_(g),
          d_(d), use_(use) {}

    constexpr bool read() {
        while (!r_.done()) {
            const auto word = r_.word();
            if (word == "node" ? !read_node() : word == "versions" ? !skip_versions() : !r_.malformed("'node {'"))
                return false;
        }
        if (!g_.last().exists() || g_[g_.last()].kind != node_kind::output)
            return r_.fail(fault::text_has_no_return, "a NetOutput as the last node",
                           values_.names().empty() ? std::string_view("no node") : values_.names().back());
        return true;
    }

private:
    pbtxt_reader r_;
    pbtxt_values values_;
    pbtxt_results results_;
    op_table ops_;
    graph g_;
    diagnosis& d_;
    pbtxt_use use_;

    // state of the node that is being read
    node_id id_;
    std::string_view name_;
    const op_row* row_ = nullptr;
    std::vector<argument> arguments_;
    std::vector<std::string_view> keywords_;
    std::int32_t position_ = 0;

    constexpr bool skip_versions() {
        if (!r_.open()) return false;
        while (!r_.accept('}')) {
            std::int64_t number = 0;
            if (r_.word().empty()) return r_.malformed("'producer' or '}'");
            if (!r_.colon() || !r_.integer(number)) return false;
        }
        return true;
    }

    // ---- nodes

    constexpr bool read_node() {
        if (!r_.open()) return false;
        if (g_.last().exists() && g_[g_.last()].kind == node_kind::output)
            return r_.malformed("the end of the text after NetOutput");
        if (!r_.placed(append_node(g_, {}, id_, d_))) return false;
        values_.begin(id_), arguments_.clear(), keywords_.clear(), results_.clear();
        position_ = 0;
        std::string_view op;
        auto& name = name_;
        r_.about({}, {});
        if (!r_.field("name") || !r_.string(name)) return false;
        r_.about(name, {});
        if (values_.find(name).exists()) return r_.fail(fault::name_is_defined_twice, "a new name", name);
        if (!r_.field("op") || !r_.string(op)) return false;
        r_.about(name, op);
        set_op(op);
        if (is_source()) g_[id_].from.line = r_.line();
        while (!r_.accept('}')) {
            const auto word = r_.word();
            if (word == "input"  ? !values_.read_input()
                : word == "attr" ? !read_attr()
                                 : !r_.malformed("'input', 'attr {' or '}'"))
                return false;
        }
        if (!give_arguments() || !give_results()) return false;
        values_.end(name);
        return true;
    }
    constexpr bool is_source() const { return use_ == pbtxt_use::source; }
    constexpr void set_op(std::string_view op) {
        auto& n = g_[id_];
        n.name = {name_, 0};
        row_ = nullptr;
        n.target = name_;
        if (op == pbtxt_words::placeholder) n.kind = node_kind::placeholder;
        else if (op == pbtxt_words::get_attr) n.kind = node_kind::get_attr;
        else if (op == pbtxt_words::output) n.kind = node_kind::output;
        else {
            n.target = op;
            n.op = find_op(ops_, op);
            row_ = pbtxt_words::row_of(ops_, n.op);
        }
    }
    // ---- attributes

    constexpr bool read_attr() {
        std::string_view key;
        if (!r_.open() || !r_.field("key") || !r_.string(key) || !r_.block("value")) return false;
        auto& n = g_[id_];
        bool ok = false;
        if (key == "_name") ok = read_name(n.name.text);
        else if (key == "_target") ok = r_.text(n.target);
        else if (key == "_role") ok = read_role(n.role);
        else if (key == "_weight") ok = r_.text(n.weight);
        else if (key == "_annotation") ok = r_.text(n.annotation);
        else if (key == "_line") ok = read_line(n.from.line);
        else if (key == "_comment") ok = r_.text(n.from.comment);
        else if (key == "_module_path") ok = r_.text(n.from.module_path);
        else if (key == "_made_by") ok = r_.text(n.from.made_by);
        else if (key == "_keywords") ok = read_pbtxt_texts(r_, keywords_);
        else if (pbtxt_results::has(key)) ok = results_.read(key);
        else {
            argument a;
            ok = values_.read(a) && name_argument(a, key);
            arguments_.push_back(a);
        }
        return ok && r_.close() && r_.close();
    }
    constexpr bool read_name(std::string_view& out) {
        std::string_view name;
        if (!r_.text(name)) return false;
        if (!is_source()) out = name;
        return true;
    }
    constexpr bool read_role(input_role& out) {
        std::string_view text;
        if (!r_.text(text)) return false;
        for (std::size_t i = 0; i < std::size(role_names); ++i)
            if (role_names[i] == text) return out = static_cast<input_role>(i), true;
        return r_.fail(fault::text_is_malformed, "the role parameter, buffer or constant", text);
    }
    constexpr bool read_line(std::int32_t& out) {
        std::int64_t line = 0;
        if (!r_.field("i") || !r_.integer(line)) return false;
        if (line < 0 || line > 0x7fff'ffff)
            return r_.fail(fault::text_is_malformed, "the number of a line", short_text() << line);
        if (!is_source()) out = static_cast<std::int32_t>(line);
        return true;
    }
    // ---- arguments

    constexpr bool name_argument(argument& a, std::string_view key) {
        for (auto keyword : keywords_)
            if (keyword == key) return a.keyword = keyword, true;
        if (is_source() && row_ == nullptr && g_[id_].kind == node_kind::call) return true; // typing refuses the call
        const auto wanted = pbtxt_words::key_of(row_, position_);
        if (wanted.view() != key)
            return r_.fail(fault::argument_is_unknown,
                           short_text("argument ") << position_ << " to be '" << wanted.view() << "'", key);
        ++position_;
        return true;
    }
    constexpr bool give_arguments() {
        auto& n = g_[id_];
        if (n.kind == node_kind::output && arguments_.empty())
            return r_.fail(fault::text_has_no_return, "what the graph returns", "nothing");
        // The edge of a getitem says which result it is; its argument is the tuple of all results.
        if (pbtxt_words::picks_one(n.target) && arguments_.size() == 2 && arguments_[0].kind == argument_kind::node &&
            arguments_[1].kind == argument_kind::integer && arguments_[0].result > 0) {
            if (arguments_[0].result != arguments_[1].bits)
                return r_.fail(fault::text_is_malformed, short_text("result ") << arguments_[1].bits << " as input",
                               short_text() << arguments_[0].result);
            arguments_[0].result = 0;
        }
        return values_.all_are_read() && values_.keep(arguments_, n.arguments);
    }

    // ---- results

    constexpr bool give_results() {
        if (is_source()) return results_.annotate(g_[id_]);
        return results_.give(g_, id_, [this](std::string_view text, value_id own, value_id& out) {
            return find_storage(text, own, out);
        });
    }
    /// The result that owns the bytes: this one, or an earlier one that owns its storage.
    constexpr bool find_storage(std::string_view text, value_id own, value_id& out) {
        node_id owner;
        std::int32_t result = 0;
        const auto mine = own.index - g_[id_].values.first;
        const auto rest = text.substr(0, name_.size()) == name_ ? text.substr(name_.size()) : std::string_view("no");
        if (mine == 0 ? rest.empty() : rest == (short_text(":") << mine).view()) return out = own, true;
        if (!values_.find_result(text, owner, result)) return false;
        if (g_[owner].values.count == 0 || g_[g_[owner].values[result]].storage != g_[owner].values[result])
            return r_.fail(fault::text_is_malformed, "the owner of a storage", text);
        out = g_[owner].values[result];
        return true;
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// Reads the text into `g`, which must be empty; count_pbtxt gives the required sizes of its pools and of `characters`,
/// which receives strings after their escapes are replaced. Types are taken from the text; infer_types recomputes them.
/// An operator that is not in `ops` is left unset: typing refuses it.
/// post (true): the last node is the output. post (false): `d` says the line.
constexpr bool read_pbtxt(std::string_view text, op_table ops, graph g, array_view<char> characters, diagnosis& d) {
    if (!detail::pbtxt_graph_reader(text, ops, g, characters, detail::pbtxt_use::printed, d).read()) return false;
    for (node_id id : g) // as typing does
        if (air::stream_word_of(g[id]) != air::stream_word::none) g.header().has_streams = true;
    return true;
}

/// A graph read at run time, with the pools and characters that it needs. It contains views of `text`.
struct pbtxt_graph {
    heap_storage storage;
    fixed_buffer<char> characters;
    diagnosis error;

    constexpr pbtxt_graph(std::string_view text, op_table ops) : pbtxt_graph(text, ops, count_pbtxt(text)) {}
    constexpr graph_view view() const { return storage.view(); }

private:
    constexpr pbtxt_graph(std::string_view text, op_table ops, const pbtxt_size& size)
        : storage(size.capacity), characters(size.characters) {
        read_pbtxt(text, ops, storage.edit(), characters, error);
    }
};

} // namespace ahead::frontend
