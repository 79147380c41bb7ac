// SPDX-License-Identifier: MIT
// A graph as the text of a TensorFlow GraphDef, which Netron and TensorBoard draw. ATen and device graphs alike, at
// compile time and at run time.
// Invariant: read_pbtxt(print_pbtxt(graph)) is the graph: its arguments, types, storages, roles, weights, provenance.
// (The payload of a NaN and the layout of FX text are not part of a graph.) Blocks are functions of the library after
// the nodes, for viewers: they are not read back. One field per line, for line-wise readers. Called by users, dumps and
// tests.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/frontend/pbtxt/words.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/print/pbtxt/lines.hpp>
#include <ahead/print/text_sink.hpp>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class pbtxt_writer {
public:
    constexpr pbtxt_writer(graph_view g, op_table ops, Sink& out)
        : g_(g), ops_(ops), w_(out), again_(g.header().used.nodes) {}

    constexpr void print() {
        put_nodes("node");
        if (has_blocks(g_)) {
            w_.open("library");
            const auto all = g_;
            for (auto b = next_block(all); b.exists(); b = next_block(all, b)) {
                g_ = all.inside(b);
                put_function(b);
            }
            w_.close();
        }
        w_.put("versions {\n  producer: 27\n}\n");
    }

private:
    constexpr void put_nodes(std::string_view message) {
        for (node_id id : g_) {
            for (auto before = g_[id].previous; before.exists(); before = g_[before].previous)
                if (same_label(g_[before].name, g_[id].name)) {
                    again_[id.index] = again_[before.index] + 1;
                    break;
                }
            put_node(id, message);
        }
    }
    /// A block's name and its number, since blocks of other calls may have the same name.
    constexpr short_text block_name(block_id b) const { return ahead::print(g_[b].name) << "." << b.index; }
    constexpr void put_function(block_id b) {
        w_.open("function");
        w_.open("signature");
        w_.put_text("name", block_name(b).view());
        w_.close();
        put_nodes("node_def");
        w_.close();
    }

    graph_view g_;
    op_table ops_;
    pbtxt_lines<Sink> w_;
    fixed_buffer<std::int32_t> again_; // by node: how many earlier nodes have its name

    // ---- names

    static constexpr bool same_label(const label& a, const label& b) {
        if (a.number == b.number) return same_name(a.text, b.text);
        if ((a.number == 0 || b.number == 0) && a.text.size() != b.text.size())
            return ahead::print(a).view() == ahead::print(b).view();
        return false; // both end in a number
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
            const bool picks = pbtxt_words::picks_one(n.target) && n.arguments.count == 2 && a.result == 0 &&
                               g_.argument_of(n, 1).kind == argument_kind::integer && g_.argument_of(n, 1).bits > 0;
            w_.put_text("input", result_name(a.node(), picks ? g_.argument_of(n, 1).bits : a.result).view());
        }
    }
    constexpr bool holds_only(id_range<argument_id> range, argument_kind kind) const {
        for (std::int32_t i = 0; i < range.count; ++i)
            if (g_[range[i]].kind != kind) return false;
        return true;
    }
    constexpr void put_children(const argument& a, std::int32_t& input) {
        for (std::int32_t i = 0; i < a.children.count; ++i) {
            w_.open_attr((short_text() << i).view());
            put_value(g_[a.children[i]], input);
            w_.close_attr();
        }
    }
    /// A value that a graph returns as the new value of one of its inputs.
    constexpr void put_write(const argument& a, std::int32_t& input) {
        w_.open("func");
        w_.put_text("name", pbtxt_words::write);
        w_.open_attr("to");
        w_.put_text("s", name_of(a.writes).view());
        w_.close_attr();
        w_.open_attr("value");
        w_.put_text("placeholder", (short_text() << input++).view());
        w_.close_attr();
        w_.close();
    }
    constexpr void put_value(const argument& a, std::int32_t& input) {
        using enum argument_kind;
        switch (a.kind) {
        case node:
            if (a.writes.exists()) return put_write(a, input);
            return w_.put_text("placeholder", (short_text() << input++).view());
        case integer: return w_.put_field("i", a.bits);
        case real: return a.text.empty() ? w_.put_field("f", print_decimal(a.bits).view()) : w_.put_field("f", a.text);
        case boolean: return w_.put_field("b", a.boolean() ? "true" : "false");
        case string: return w_.put_text("s", a.text);
        case dtype:
            if (!a.text.empty() && a.text != facts_of(a.type()).torch) break;
            return w_.put_field("type", pbtxt_words::dtypes[static_cast<std::size_t>(a.type())]);
        case list:
            for (auto kind : {integer, real, boolean, string}) {
                if (!holds_only(a.children, kind)) continue;
                w_.open("list");
                for (std::int32_t i = 0; i < a.children.count; ++i) put_value(g_[a.children[i]], input);
                return w_.close();
            }
            break;
        default: break;
        }
        w_.open("func");
        w_.put_text("name", pbtxt_words::functions[static_cast<std::size_t>(a.kind)]);
        put_children(a, input);
        w_.put_text_attr("text", a.kind == block ? block_name(a.block()).view() : a.text);
        if (a.kind == device) {
            w_.open_attr("index");
            w_.put_field("i", a.bits);
            w_.close_attr();
        }
        w_.close();
    }
    constexpr void put_arguments(const node& n) {
        const auto* row = n.kind == node_kind::call ? pbtxt_words::row_of(ops_, n.op) : nullptr;
        bool keywords = false;
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            keywords = keywords || !g_.argument_of(n, i).keyword.empty();
        if (keywords)
            w_.put_list_attr("_keywords", [&] {
                for (std::int32_t i = 0; i < n.arguments.count; ++i)
                    if (const auto& a = g_.argument_of(n, i); !a.keyword.empty()) w_.put_text("s", a.keyword);
            });
        std::int32_t position = 0, input = 0;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(n, i);
            w_.open_attr(a.keyword.empty() ? pbtxt_words::key_of(row, position++).view() : a.keyword);
            put_value(a, input);
            w_.close_attr();
        }
    }

    // ---- results

    template <class Part> constexpr bool any(const node& n, Part part) const {
        for (std::int32_t k = 0; k < n.values.count; ++k)
            if (part(g_[n.values[k]])) return true;
        return false;
    }
    template <class Put> constexpr void put_each(std::string_view key, const node& n, Put put_one) {
        w_.put_list_attr(key, [&] {
            for (std::int32_t k = 0; k < n.values.count; ++k) put_one(g_[n.values[k]]);
        });
    }
    constexpr void put_dim(std::int64_t size) {
        w_.open("dim");
        w_.put_field("size", size);
        w_.close();
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
            w_.open("shape");
            for (int d = 0; d < v.type.rank; ++d) put_dim(v.type.size(d));
            w_.close();
        });
        put_each("_output_types", n, [&](const value& v) {
            w_.put_field("type", v.kind == value_kind::tensor
                                     ? pbtxt_words::dtypes[static_cast<std::size_t>(v.type.type)]
                                     : "DT_INVALID");
        });
        if (any(n, [](const value& v) { return has_strides(v.type); }))
            put_each("_output_strides", n, [&](const value& v) {
                w_.open("shape");
                for (int d = 0; d < v.type.rank; ++d) put_dim(v.type.stride(d));
                w_.close();
            });
        if (any(n, [](const value& v) { return v.type.offset != 0; }))
            put_each("_output_offsets", n, [&](const value& v) { w_.put_field("i", v.type.offset); });
        if (any(n, [](const value& v) { return v.type.layout == memory_layout::packed; }))
            put_each("_output_packed", n, [&](const value& v) {
                w_.put_field("b", v.type.layout == memory_layout::packed ? "true" : "false");
            });
        if (any(n, [&](const value& v) { return &g_[v.storage] != &v; }))
            put_each("_output_storages", n, [&](const value& v) { w_.put_text("s", storage_of(v).view()); });
    }

    // ---- nodes

    constexpr void put_node(node_id id, std::string_view message) {
        const auto& n = g_[id];
        w_.open(message);
        const auto name = name_of(id);
        w_.put_text("name", name.view());
        w_.put_text("op", n.kind == node_kind::placeholder ? pbtxt_words::placeholder
                          : n.kind == node_kind::get_attr  ? pbtxt_words::get_attr
                          : n.kind == node_kind::output    ? pbtxt_words::output
                                                           : n.target);
        put_inputs(n, n.arguments);
        if (again_[id.index] > 0) w_.put_text_attr("_name", ahead::print(n.name).view());
        if (n.kind != node_kind::call && n.target != name.view()) {
            w_.open_attr("_target");
            w_.put_text("s", n.target);
            w_.close_attr();
        }
        if (n.role != input_role::user) w_.put_text_attr("_role", role_names[static_cast<std::size_t>(n.role)]);
        w_.put_text_attr("_weight", n.weight);
        w_.put_text_attr("_annotation", n.annotation);
        if (n.from.line != 0) {
            w_.open_attr("_line");
            w_.put_field("i", n.from.line);
            w_.close_attr();
        }
        w_.put_text_attr("_comment", n.from.comment);
        w_.put_text_attr("_module_path", n.from.module_path);
        w_.put_text_attr("_made_by", n.from.made_by);
        put_results(n);
        put_arguments(n);
        w_.close();
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Prints the graph, whose operators are `ops`. Data flows along `input`: "x", or "x:1" for its second result. Tensors
/// among the arguments are placeholders with the input's number; arguments that GraphDef cannot express (None, tuples,
/// mixed lists, devices) are a func of that name; so is a block, with the name of its function.
/// pre: storages belong to live nodes; nodes are identified by their names and, if several share one, by a number after
/// a dot.
template <text_sink Sink> constexpr void print_pbtxt(graph_view g, op_table ops, Sink& out) {
    detail::pbtxt_writer<Sink>(g, ops, out).print();
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_pbtxt;
} // namespace ahead
