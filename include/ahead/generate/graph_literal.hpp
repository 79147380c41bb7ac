// SPDX-License-Identifier: MIT
// A graph and a plan as C++ literals, which compile to the graph and plan that they were printed from. Called by
// write_program.hpp.
// Invariant: every field without its default value is named, so that the text explains itself; fields that follow from
// other fields (aot/linked_graph.hpp) are left out.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/generate/literal_fields.hpp>
#include <ahead/print/print_key.hpp>
#include <algorithm>
#include <initializer_list>
#include <unordered_map>

namespace AHEAD_NAMESPACE::generate {

// f(name, value, default) for each field.

/// A reference to an element of a table: hundreds of nodes share a comment, and many values a type.
struct table_place {
    std::string_view table;
    std::int32_t place = -1; // -1: the default
    friend bool operator==(const table_place& a, const table_place& b) { return a.place == b.place; }
};

/// A node in the form in which it is written.
struct written_node {
    struct provenance {
        std::int32_t line = 0;
        table_place comment;
        std::string_view module_path, made_by;
    };
    const node* what = nullptr;
    node_id next;     // none: the following one
    node_id previous; // of heads of blocks: the block's last node
    provenance from;
};
AHEAD_FIELDS(written_node::provenance, line, comment, module_path, made_by)
inline void fields(const written_node& written, const written_node&, auto f) {
    const node& k = *written.what;
    const node usual;
    f("kind", k.kind, usual.kind);
    f("op", k.op, usual.op);
    f("role", k.role, usual.role);
    f("erased", k.erased, usual.erased);
    f("constant", k.constant, usual.constant);
    f("name", k.name, usual.name);
    f("target", k.target, usual.target);
    f("weight", k.weight, usual.weight);
    f("annotation", k.annotation, usual.annotation);
    f("arguments", k.arguments, usual.arguments);
    f("values", k.values, usual.values);
    f("previous", written.previous, usual.previous);
    f("next", written.next, usual.next);
    f("from", written.from, written_node::provenance{});
}
/// A result in the form in which it is written.
struct written_value {
    value_kind kind = value_kind::unknown;
    table_place type;
    value_id storage;
};
AHEAD_FIELDS(written_value, kind, type, storage)
// Printers of values without field names.

/// "{12}", "{12, 2}", "{"add", 3}", "types[12]".
inline void append_numbers(std::string& out, std::string_view before, std::initializer_list<std::int32_t> all,
                           char behind) {
    char text[32];
    char* end = text;
    out += before;
    for (const auto v : all) {
        if (end != text) end = std::copy_n(", ", 2, end);
        end = std::to_chars(end, text + sizeof text, v).ptr;
    }
    *end++ = behind;
    out.append(text, end);
}
inline void append_short(std::string& out, const table_place& k) {
    append_numbers((out += k.table), "[", {k.place}, ']');
}

} // namespace ahead::generate

namespace AHEAD_NAMESPACE::ir { // where argument-dependent lookup finds them

template <class Tag> void append_short(std::string& out, const pool_id<Tag>& k) {
    generate::append_numbers(out, "{", {k.index}, '}');
}
template <class Id> void append_short(std::string& out, const id_range<Id>& k) {
    generate::append_numbers(out, "{", {k.first, k.count}, '}');
}
inline void append_short(std::string& out, const label& k) {
    ahead::detail::key_printer(out += '{').print(k.text);
    if (k.number == 0) out += '}';
    else generate::append_numbers(out, ", ", {k.number}, '}');
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// "{.a = 1}": the fields of v without their default values.
template <class T> void append_literal(std::string& out, const T& v) { key_printer(out).print_fields(v, T{}); }

/// The elements of an array, one per line, in the two braces that a std::array takes. is_used: by index; unused
/// elements are left at their default. as_written: an element and its index, in the form to print.
template <class T, class Used = decltype([](std::int32_t) { return true; }),
          class Written = decltype([](const T& v, std::int32_t) -> const T& { return v; })>
void append_rows(std::string& out, const T* all, std::int32_t count, const Used& is_used = {},
                 const Written& as_written = {}) {
    while (count > 0 && !is_used(count - 1)) --count;
    if (count == 0) {
        out += "{}";
        return;
    }
    out += "{{\n";
    for (std::int32_t i = 0; i < count; ++i) {
        if (is_used(i)) append_literal(out, as_written(all[i], i));
        else out += "{}";
        out += ",\n";
    }
    out += "}}";
}

/// The parts of a graph's pools that live nodes use: passes leave unused places where they erased nodes.
struct used_places {
    std::vector<char> nodes, arguments, values; // 1: used; not bool, whose bits take longer than the text

    explicit used_places(graph_view g)
        : nodes(static_cast<std::size_t>(g.header().used.nodes)),
          arguments(static_cast<std::size_t>(g.header().used.arguments)),
          values(static_cast<std::size_t>(g.header().used.values)) {
        add_nodes(g);
        for (auto b = next_block(g); b.exists(); b = next_block(g, b)) {
            nodes[static_cast<std::size_t>(b.index)] = 1;
            add_nodes(g.inside(b));
        }
    }

private:
    void add_nodes(graph_view g) {
        for (node_id id : g) {
            nodes[static_cast<std::size_t>(id.index)] = 1;
            add(g, g[id].arguments);
            for (auto v = g[id].values.first; v < g[id].values.first + g[id].values.count; ++v) {
                values[static_cast<std::size_t>(v)] = 1;
                if (const auto held = g[value_id{v}].storage; held.exists())
                    values[static_cast<std::size_t>(held.index)] = 1;
            }
        }
    }
    void add(graph_view g, id_range<argument_id> all) {
        for (auto i = all.first; i < all.first + all.count; ++i) {
            arguments[static_cast<std::size_t>(i)] = 1;
            add(g, g[argument_id{i}].children);
        }
    }
};

/// A table of values that many nodes share, each once; T{} is not in it.
template <class T, class Hash = std::hash<T>> class literal_table {
public:
    explicit literal_table(std::string name) : name_(std::move(name)) {}
    void add(const T& v) {
        if (!(v == T{}) && places_.emplace(v, static_cast<std::int32_t>(all_.size())).second) all_.push_back(v);
    }
    generate::table_place place_of(const T& v) const { return {name_, v == T{} ? -1 : places_.find(v)->second}; }
    /// "static constexpr TYPE NAME[] = {...};", one element per line; nothing for an empty table.
    void append_to(std::string& out, std::string_view type) const {
        if (all_.empty()) return;
        (((out += "static constexpr ") += type) += ' ') += name_;
        out += "[] = {\n";
        for (const auto& v : all_) {
            key_printer(out).print(v);
            out += ",\n";
        }
        out += "};\n";
    }

private:
    std::string name_;
    std::vector<T> all_;
    std::unordered_map<T, std::int32_t, Hash> places_;
};
/// A hash of a tensor type, from the parts that differ most often.
struct hash_type {
    std::size_t operator()(const tensor_type& t) const {
        auto hash = static_cast<std::size_t>(t.type) * 8 + static_cast<std::size_t>(t.rank);
        for (std::int32_t d = 0; d < t.rank; ++d)
            hash = (hash * 31 + static_cast<std::size_t>(t.size(d))) * 31 + static_cast<std::size_t>(t.stride(d));
        return hash;
    }
};

/// The tables that a graph's literal refers to, and "static constexpr auto NAME = ": a graph_storage of the graph's
/// size, in which every live node and its data keep their places.
inline void append_graph(std::string& out, const std::string& name, graph_view g) {
    const auto& used = g.header().used;
    const used_places places(g);
    literal_table<std::string_view> comments(name + "_at");
    literal_table<tensor_type, hash_type> types(name + "_types");
    for (std::int32_t i = 0; i < used.nodes; ++i)
        if (places.nodes[static_cast<std::size_t>(i)] != 0) comments.add(g[node_id{i}].from.comment);
    for (std::int32_t v = 0; v < used.values; ++v)
        if (places.values[static_cast<std::size_t>(v)] != 0) types.add(g[value_id{v}].type);

    // The approximate size, so that text of megabytes is not copied while it grows.
    out.reserve(out.size() + 160 * static_cast<std::size_t>(used.nodes + used.arguments / 3 + used.values / 2));
    comments.append_to(out, "std::string_view");
    types.append_to(out, "ahead::tensor_type");
    out += "static constexpr auto " + name + " = ahead::aot::linked(ahead::ir::graph_storage<ahead::capacity{" +
           std::to_string(used.nodes) + ", " + std::to_string(used.arguments) + ", " + std::to_string(used.values) +
           "}>{\n";
    append_literal(out, g.header());
    out += ",\n";
    const auto is_in = [](const std::vector<char>& used_here) {
        return [&](std::int32_t i) { return used_here[static_cast<std::size_t>(i)] != 0; };
    };
    append_rows(out, g.nodes().data(), used.nodes, is_in(places.nodes), [&](const node& n, std::int32_t i) {
        const bool is_head = n.kind == node_kind::block;
        auto following = i + 1;
        while (following < used.nodes && (places.nodes[static_cast<std::size_t>(following)] == 0 ||
                                          g[node_id{following}].kind == node_kind::block))
            ++following;
        return generate::written_node{
            &n,
            n.next.index == following && !is_head ? node_id{} : n.next,
            is_head ? n.previous : node_id{},
            {n.from.line, comments.place_of(n.from.comment), n.from.module_path, n.from.made_by}};
    });
    out += ",\n";
    append_rows(out, g.arguments().data(), used.arguments, is_in(places.arguments));
    out += ",\n";
    append_rows(out, g.values().data(), used.values, is_in(places.values), [&](const value& v, std::int32_t) {
        return generate::written_value{v.kind, types.place_of(v.type), v.storage};
    });
    out += "});\n";
}

/// A plan_storage for the graph; its tasks and copies have as much room as the graph has nodes.
inline void append_plan(std::string& out, graph_view g, plan_view plan) {
    const auto& used = g.header().used;
    const auto syncs = static_cast<std::int32_t>(plan.syncs.size());
    out += "ahead::plan::plan_storage<ahead::capacity{" + std::to_string(used.nodes) + ", " +
           std::to_string(used.arguments) + ", " + std::to_string(used.values) + "}, " + std::to_string(syncs) + ">{\n";
    append_literal(out, plan.summary);
    out += ",\n";
    append_rows(out, plan.tasks.data(), plan.summary.prepare_tasks + plan.summary.run_tasks);
    out += ",\n";
    append_rows(out, plan.placements.data(), used.values);
    out += ",\n";
    append_rows(out, plan.copies.data(), plan.summary.copies);
    out += ",\n";
    append_rows(out, plan.syncs.data(), syncs);
    out += ",\nahead::effort{" + std::to_string(static_cast<std::int64_t>(plan.effort)) + "}}";
}

} // namespace ahead::detail
