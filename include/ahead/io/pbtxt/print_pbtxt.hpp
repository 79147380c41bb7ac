// SPDX-License-Identifier: MIT
// A graph as the text of a TensorFlow GraphDef, which Netron and TensorBoard draw. ATen and device graphs alike, at
// compile time and at run time.
// Invariant: read_pbtxt(print_pbtxt(graph)) is the graph: its arguments, types, storages, roles, weights, provenance.
// (The payload of a NaN and the layout of FX text are no part of a graph.) One field per line, as line-wise readers
// want it. Called by users, dumps and tests.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/io/pbtxt/words.hpp>
#include <ahead/io/text_sink.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

template <text_sink Sink>
class pbtxt_writer {
public:
    constexpr pbtxt_writer(graph_view g, op_table ops, Sink& out)
        : g_(g), ops_(ops), out_(out), again_(g.header().used.nodes) {}

    constexpr void print() {
        for (node_id id : g_) {
            for (auto before = g_[id].previous; before.exists(); before = g_[before].previous)
                if (same_label(g_[before].name, g_[id].name)) {
                    again_[id.index] = again_[before.index] + 1;
                    break;
                }
            put_node(id);
        }
        put("versions {\n  producer: 27\n}\n");
    }

private:
    graph_view g_;
    op_table ops_;
    Sink& out_;
    fixed_buffer<std::int32_t> again_; // by node: how many nodes above it have its name
    int depth_ = 0;

    // ---- lines

    template <class... Parts>
    constexpr void put(Parts... parts) {
        (out_.append(std::string_view(parts)), ...);
    }
    constexpr void indent() {
        for (int i = 0; i < depth_; ++i) put("  ");
    }
    constexpr void open(std::string_view name) {
        indent();
        put(name, " {\n");
        ++depth_;
    }
    constexpr void close() {
        --depth_;
        indent();
        put("}\n");
    }
    constexpr void put_field(std::string_view name, std::string_view value) {
        indent();
        put(name, ": ", value, "\n");
    }
    constexpr void put_field(std::string_view name, std::int64_t value) {
        put_field(name, (short_text() << value).view());
    }
    template <class... Parts>
    constexpr void put_text(std::string_view name, Parts... parts) {
        indent();
        put(name, ": \"");
        (put_escaped(std::string_view(parts)), ...);
        put("\"\n");
    }
    constexpr void put_escaped(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '\n') put("\\n");
            else if (c == '\t') put("\\t");
            else if (c == '\r') put("\\r");
            else if (c == '"' || c == '\\') put("\\", text.substr(i, 1));
            else put(text.substr(i, 1));
        }
    }
    constexpr void open_attr(std::string_view key) {
        open("attr");
        put_text("key", key);
        open("value");
    }
    constexpr void close_attr() {
        close();
        close();
    }
    constexpr void put_text_attr(std::string_view key, std::string_view text) {
        if (text.empty()) return;
        open_attr(key);
        put_text("s", text);
        close_attr();
    }
    template <class Body>
    constexpr void put_list_attr(std::string_view key, Body body) {
        open_attr(key);
        open("list");
        body();
        close();
        close_attr();
    }

    // ---- names

    static constexpr bool same_label(const label& a, const label& b) {
        if (a.number == b.number) return same_name(a.text, b.text);
        if ((a.number == 0 || b.number == 0) && a.text.size() != b.text.size())
            return ahead::print(a).view() == ahead::print(b).view();
        return false; // both end in a number of their own
    }
    /// Nodes of a device graph may share a name: the second is name.1.
    constexpr short_text name_of(node_id id) const {
        auto out = ahead::print(g_[id].name);
        if (again_[id.index] > 0) out << "." << again_[id.index];
        return out;
    }
    constexpr short_text result_name(node_id id, std::int64_t result) const {
        auto out = name_of(id);
        if (result > 0) out << ":" << result;
        return out;
    }

    // ---- arguments

    constexpr void put_inputs(const node& n, id_range<argument_id> range) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            const auto& a = g_[range[i]];
            put_inputs(n, a.children);
            if (a.kind != argument_kind::node) continue;
            const bool picks = pbtxt::picks_one(n.target) && n.arguments.count == 2 && a.result == 0 &&
                               g_.argument_of(n, 1).kind == argument_kind::integer && g_.argument_of(n, 1).bits > 0;
            put_text("input", result_name(a.node(), picks ? g_.argument_of(n, 1).bits : a.result).view());
        }
    }
    constexpr bool holds_only(id_range<argument_id> range, argument_kind kind) const {
        for (std::int32_t i = 0; i < range.count; ++i)
            if (g_[range[i]].kind != kind) return false;
        return true;
    }
    constexpr void put_children(const argument& a, std::int32_t& input) {
        for (std::int32_t i = 0; i < a.children.count; ++i) {
            open_attr((short_text() << i).view());
            put_value(g_[a.children[i]], input);
            close_attr();
        }
    }
    /// What a graph returns as the new value of one of its inputs.
    constexpr void put_write(const argument& a, std::int32_t& input) {
        open("func");
        put_text("name", pbtxt::write);
        open_attr("to");
        put_text("s", name_of(a.writes).view());
        close_attr();
        open_attr("value");
        put_text("placeholder", (short_text() << input++).view());
        close_attr();
        close();
    }
    constexpr void put_value(const argument& a, std::int32_t& input) {
        using enum argument_kind;
        switch (a.kind) {
        case node:
            if (a.writes.exists()) return put_write(a, input);
            return put_text("placeholder", (short_text() << input++).view());
        case integer: return put_field("i", a.bits);
        case real: return a.text.empty() ? put_field("f", print_decimal(a.bits).view()) : put_field("f", a.text);
        case boolean: return put_field("b", a.boolean() ? "true" : "false");
        case string: return put_text("s", a.text);
        case dtype:
            if (!a.text.empty() && a.text != facts_of(a.type()).torch) break;
            return put_field("type", pbtxt::dtypes[static_cast<std::size_t>(a.type())]);
        case list:
            for (auto kind : {integer, real, boolean, string}) {
                if (!holds_only(a.children, kind)) continue;
                open("list");
                for (std::int32_t i = 0; i < a.children.count; ++i) put_value(g_[a.children[i]], input);
                return close();
            }
            break;
        default: break;
        }
        open("func");
        put_text("name", pbtxt::functions[static_cast<std::size_t>(a.kind)]);
        put_children(a, input);
        put_text_attr("text", a.text);
        if (a.kind == device) {
            open_attr("index");
            put_field("i", a.bits);
            close_attr();
        }
        close();
    }
    constexpr void put_arguments(const node& n) {
        const auto* row = n.kind == node_kind::call ? pbtxt::row_of(ops_, n.op) : nullptr;
        bool keywords = false;
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            keywords = keywords || !g_.argument_of(n, i).keyword.empty();
        if (keywords)
            put_list_attr("_keywords", [&] {
                for (std::int32_t i = 0; i < n.arguments.count; ++i)
                    if (const auto& a = g_.argument_of(n, i); !a.keyword.empty()) put_text("s", a.keyword);
            });
        std::int32_t position = 0, input = 0;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(n, i);
            open_attr(a.keyword.empty() ? pbtxt::key_of(row, position++).view() : a.keyword);
            put_value(a, input);
            close_attr();
        }
    }

    // ---- results

    template <class Part>
    constexpr bool any(const node& n, Part part) const {
        for (std::int32_t k = 0; k < n.values.count; ++k)
            if (part(g_[n.values[k]])) return true;
        return false;
    }
    template <class Put>
    constexpr void put_each(std::string_view key, const node& n, Put put_one) {
        put_list_attr(key, [&] {
            for (std::int32_t k = 0; k < n.values.count; ++k) put_one(g_[n.values[k]]);
        });
    }
    constexpr void put_dim(std::int64_t size, std::string_view name = {}) {
        open("dim");
        put_field("size", size);
        if (!name.empty()) put_text("name", name);
        close();
    }
    static constexpr bool has_strides(const tensor_type& t) {
        auto plain = t;
        make_contiguous(plain);
        return !(plain.strides == t.strides);
    }
    constexpr short_text storage_of(const value& v) const {
        const auto id = node_of(g_, v.storage);
        return id.exists() ? result_name(id, v.storage.index - g_[id].values.first) : short_text();
    }
    constexpr void put_results(const node& n) {
        if (n.values.count == 0) return;
        put_each("_output_shapes", n, [&](const value& v) {
            open("shape");
            for (int d = 0; d < v.type.rank; ++d) {
                const auto& size = v.type.sizes.at[d];
                put_dim(size.bound(), size.is_symbol() ? (short_text("s") << static_cast<int>(size.symbol_id())).view()
                                                       : std::string_view{});
            }
            close();
        });
        put_each("_output_types", n, [&](const value& v) {
            put_field("type", v.kind == value_kind::tensor ? pbtxt::dtypes[static_cast<std::size_t>(v.type.type)]
                                                           : "DT_INVALID");
        });
        if (any(n, [](const value& v) { return has_strides(v.type); }))
            put_each("_output_strides", n, [&](const value& v) {
                open("shape");
                for (int d = 0; d < v.type.rank; ++d) put_dim(v.type.stride(d));
                close();
            });
        if (any(n, [](const value& v) { return v.type.offset != 0; }))
            put_each("_output_offsets", n, [&](const value& v) { put_field("i", v.type.offset); });
        if (any(n, [](const value& v) { return v.type.layout == memory_layout::packed; }))
            put_each("_output_packed", n, [&](const value& v) {
                put_field("b", v.type.layout == memory_layout::packed ? "true" : "false");
            });
        if (any(n, [&](const value& v) { return &g_[v.storage] != &v; }))
            put_each("_output_storages", n, [&](const value& v) { put_text("s", storage_of(v).view()); });
    }

    // ---- nodes

    constexpr void put_node(node_id id) {
        const auto& n = g_[id];
        open("node");
        const auto name = name_of(id);
        put_text("name", name.view());
        put_text("op", n.kind == node_kind::placeholder ? pbtxt::placeholder
                       : n.kind == node_kind::get_attr  ? pbtxt::get_attr
                       : n.kind == node_kind::output    ? pbtxt::output
                                                        : n.target);
        put_inputs(n, n.arguments);
        if (again_[id.index] > 0) put_text_attr("_name", ahead::print(n.name).view());
        if (n.kind != node_kind::call && n.target != name.view()) {
            open_attr("_target");
            put_text("s", n.target);
            close_attr();
        }
        if (n.role != input_role::user) put_text_attr("_role", pbtxt::roles[static_cast<std::size_t>(n.role)]);
        put_text_attr("_weight", n.weight);
        put_text_attr("_annotation", n.annotation);
        if (n.from.line != 0) {
            open_attr("_line");
            put_field("i", n.from.line);
            close_attr();
        }
        put_text_attr("_comment", n.from.comment);
        put_text_attr("_module_path", n.from.module_path);
        put_text_attr("_made_by", n.from.made_by);
        put_results(n);
        put_arguments(n);
        close();
    }
};

} // namespace detail

/// Prints the graph, which speaks `ops`. Data flows along `input`: "x", or "x:1" for its second result. Tensors among
/// the arguments are placeholders that say which input they are; what GraphDef has no word for (None, tuples, mixed
/// lists, devices) is a func of that name.
/// pre: storages belong to live nodes; nodes are told apart by their names and, where several share one, by a number
/// behind a dot.
template <text_sink Sink>
constexpr void print_pbtxt(graph_view g, op_table ops, Sink& out) {
    detail::pbtxt_writer<Sink>(g, ops, out).print();
}

} // namespace ahead
