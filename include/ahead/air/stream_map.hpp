// SPDX-License-Identifier: MIT
// Computes the stream of each node from the calls of TorchAir's air namespace: scope_enter and scope_exit around the
// node, and the records and waits that divide a stream into segments; also the node's core limit and its super kernel.
// One scan handles ATen and device graphs, because these calls keep their names there.
// Invariant: nodes of the same stream, segment, limit and super kernel may be computed together or in each other's
// place; other streams cannot observe the difference.
// Called by passes that merge or move nodes, by lowering, by planners, and by users. For a graph without such calls the
// cost is one test of header().has_streams.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::air {

/// The kind of a stream call.
enum class stream_word : std::uint8_t {
    none,
    scope_enter,
    scope_exit,
    record,
    wait,
    tagged_event_record,
    tagged_event_wait,
    record_tagged_stream,
    wait_tensor
};

} // namespace ahead::air
namespace AHEAD_NAMESPACE::detail {

struct stream_word_row {
    std::string_view target;
    air::stream_word word;
};
inline constexpr stream_word_row stream_words[] = {
    {"air.scope_enter.default", air::stream_word::scope_enter},
    {"air.scope_exit.default", air::stream_word::scope_exit},
    {"air.record.default", air::stream_word::record},
    {"air.wait.default", air::stream_word::wait},
    {"air.tagged_event_record.default", air::stream_word::tagged_event_record},
    {"air.tagged_event_wait.default", air::stream_word::tagged_event_wait},
    {"air.record_tagged_stream.default", air::stream_word::record_tagged_stream},
    {"air.record_tagged_stream_.default", air::stream_word::record_tagged_stream},
    {"air.wait_tensor.default", air::stream_word::wait_tensor},
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::air {

constexpr stream_word stream_word_of(const node& n) {
    if (n.kind != node_kind::call || n.target.size() < 16 || n.target[0] != 'a' || n.target[1] != 'i')
        return stream_word::none;
    for (const auto& row : ahead::detail::stream_words)
        if (same_name(n.target, row.target)) return row.word;
    return stream_word::none;
}
/// Whether calls before it and calls after it on its stream must stay apart.
constexpr bool ends_segment(stream_word word) {
    using enum stream_word;
    return word == record || word == wait || word == tagged_event_record || word == tagged_event_wait ||
           word == wait_tensor;
}

/// The key of scope_enter that names a stream, and the label of the main one.
inline constexpr std::string_view stream_label_key = "_user_stream_label";
inline constexpr std::string_view main_stream_label = "default";
/// The keys of core limits, as limit_core_num writes them, and of super_kernel. The super kernel name "" means none,
/// and ends its scope's list of keys.
inline constexpr std::string_view ai_cores_key = "_op_aicore_num", vector_cores_key = "_op_vectorcore_num",
                                  super_kernel_key = "_super_kernel_scope",
                                  super_kernel_options_key = "_super_kernel_options";

} // namespace ahead::air
namespace AHEAD_NAMESPACE::detail {

/// Argument `position` of a call, by position or by name; None if it is not given.
constexpr argument stream_argument(graph_view g, const node& n, std::int32_t position, std::string_view name) {
    for (std::int32_t i = 0; i < n.arguments.count; ++i)
        if (const auto& a = g.argument_of(n, i); a.keyword.empty() ? i == position : same_name(a.keyword, name))
            return a;
    return {};
}
/// Finds the last value that a scope_enter gives for the key. False if it does not set the key, or sets it after an
/// empty _super_kernel_scope, after which TorchAir applies no more keys of the scope.
constexpr bool find_in_scope(graph_view g, const node& enter, std::string_view key, std::string_view& value) {
    const auto keys = stream_argument(g, enter, 0, "keys").children,
               values = stream_argument(g, enter, 1, "values").children;
    bool found = false;
    for (std::int32_t k = 0; k < keys.count && k < values.count; ++k) {
        const auto text = g[values[k]].text;
        if (same_name(g[keys[k]].text, key)) {
            value = text;
            found = true;
        } else if (text.empty() && same_name(g[keys[k]].text, air::super_kernel_key)) break;
    }
    return found;
}
constexpr bool find_stream_label(graph_view g, const node& enter, std::string_view& label) {
    return find_in_scope(g, enter, air::stream_label_key, label);
}
/// The core limit that a scope_enter sets.
constexpr core_limit limit_of_scope(graph_view g, const node& enter) {
    core_limit out;
    std::string_view text;
    if (find_in_scope(g, enter, air::ai_cores_key, text)) out.ai_cores = read_core_count(text);
    if (find_in_scope(g, enter, air::vector_cores_key, text)) out.vector_cores = read_core_count(text);
    return out;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::air {

/// Whether the graph itself assigns streams, waits or super kernels, as opposed to core limits only.
constexpr bool has_stream_scopes(graph_view g) {
    if (!g.header().has_streams) return false;
    for (node_id id : g) {
        std::string_view said;
        const auto word = stream_word_of(g[id]);
        if (word == stream_word::scope_enter
                ? ahead::detail::find_stream_label(g, g[id], said) ||
                      (ahead::detail::find_in_scope(g, g[id], super_kernel_key, said) && !said.empty())
                : word != stream_word::none && word != stream_word::scope_exit)
            return true;
    }
    return false;
}

/// The stream of a node, its core limit there, and its super kernel. Stream 0 is the main one, the others are numbered
/// in order of appearance of their labels; segments are counted on each stream; super kernel 0 means none.
struct stream_place {
    std::int32_t stream = 0;
    std::int32_t segment = 0;
    core_limit limit{};
    std::int32_t super_kernel = 0;
    friend constexpr bool operator==(const stream_place&, const stream_place&) = default;
};

/// The places of a graph's nodes at construction time: later edits are not seen. A scope's label, limits and super
/// kernel hold for all nodes inside it, except in inner scopes that set them; a scope that sets only other keys does
/// not change the stream. Labels and names are compared as text; "default" is the main stream. A scope_enter and its
/// scope_exit count as outside. A surplus exit is ignored here: check_streams refuses it.
class stream_map {
public:
    constexpr stream_map() = default; // for a graph without streams
    constexpr explicit stream_map(graph_view g)
        : outside_{0, 0, g.header().limit, 0}, has_limits_(outside_.limit != core_limit{}) {
        if (g.header().has_streams) scan(g);
    }
    /// Whether any node may be outside segment 0 of the main stream, or have another limit than the graph.
    constexpr bool any() const { return any_; }
    /// Whether the graph itself assigns streams.
    constexpr bool has_stream_scopes() const { return has_stream_scopes_; }
    /// Whether any node has a core limit.
    constexpr bool has_limits() const { return has_limits_; }
    /// The number of named super kernels.
    constexpr std::int32_t super_kernels() const { return super_kernels_; }
    constexpr std::string_view name_of_super_kernel(std::int32_t number) const {
        return number == 0 ? std::string_view() : named_[number].super_kernel;
    }
    /// The number of streams, including the main one.
    constexpr std::int32_t streams() const { return streams_; }
    constexpr std::string_view label(std::int32_t stream) const {
        return stream == 0 ? main_stream_label : named_[stream].label;
    }
    constexpr stream_place of(node_id n) const { return n.index < places_.size() ? places_[n.index] : outside_; }
    /// Whether a and b may be computed as one, or one in place of the other.
    constexpr bool together(node_id a, node_id b) const { return !any_ || of(a) == of(b); }

private:
    struct named {
        std::string_view label;   // by stream
        std::int32_t segment = 0; // by stream: the current segment of the scan
        std::string_view super_kernel;
    };
    fixed_buffer<stream_place> places_; // by node
    fixed_buffer<named> named_;         // by stream, and by super kernel
    stream_place outside_;              // outside all scopes
    std::int32_t streams_ = 1, super_kernels_ = 0;
    bool any_ = false, has_stream_scopes_ = false, has_limits_ = false;

    constexpr std::int32_t number_of(std::string_view label) {
        if (same_name(label, main_stream_label)) return 0;
        for (std::int32_t s = 1; s < streams_; ++s)
            if (same_name(named_[s].label, label)) return s;
        named_[streams_].label = label;
        return streams_++;
    }
    constexpr std::int32_t number_of_super_kernel(std::string_view name) {
        if (name.empty()) return 0;
        for (std::int32_t k = 1; k <= super_kernels_; ++k)
            if (same_name(named_[k].super_kernel, name)) return k;
        named_[++super_kernels_].super_kernel = name;
        return super_kernels_;
    }
    constexpr void scan(graph_view g) {
        std::int64_t scopes = 1;
        for (node_id id : g) scopes += stream_word_of(g[id]) == stream_word::scope_enter;
        any_ = true;
        has_stream_scopes_ = air::has_stream_scopes(g);
        places_ = fixed_buffer<stream_place>(g.header().used.nodes);
        named_ = fixed_buffer<named>(scopes);
        fixed_buffer<stream_place> inside(scopes); // by depth; without segments
        std::int32_t depth = 0;
        inside[0] = outside_;
        for (node_id id : g) {
            const auto& n = g[id];
            const auto word = stream_word_of(n);
            if (word == stream_word::scope_exit && depth > 0) --depth;
            const auto& here = inside[depth];
            auto& now = named_[here.stream].segment;
            if (ends_segment(word)) ++now;
            places_[id.index] = here;
            places_[id.index].segment = now;
            has_limits_ = has_limits_ || here.limit != core_limit{};
            if (word != stream_word::scope_enter) continue;
            auto& inner = inside[++depth];
            inner = inside[depth - 1];
            std::string_view name;
            if (ahead::detail::find_stream_label(g, n, name)) inner.stream = number_of(name);
            if (ahead::detail::find_in_scope(g, n, super_kernel_key, name))
                inner.super_kernel = number_of_super_kernel(name);
            inner.limit = within(inner.limit, ahead::detail::limit_of_scope(g, n));
        }
    }
};

/// The last record of each tag, updated by a walk over the graph.
class tagged_records {
public:
    constexpr explicit tagged_records(graph_view g) : g_(g), last_(g.header().used.nodes) {}
    /// The number of the tag that a record or a wait names; size() if it has not been recorded.
    constexpr std::int32_t find(node_id n) const {
        std::int32_t k = 0;
        while (k < size_ && !same_name(tag_of(last_[k]), tag_of(n))) ++k;
        return k;
    }
    constexpr void put(std::int32_t number, node_id record) {
        last_[number] = record;
        if (number == size_) ++size_;
    }
    constexpr node_id operator[](std::int32_t number) const { return last_[number]; }
    constexpr std::int32_t size() const { return size_; }
    constexpr std::string_view tag_of(node_id n) const {
        return ahead::detail::stream_argument(g_, g_[n], 0, "tag").text;
    }

private:
    graph_view g_;
    fixed_buffer<node_id> last_; // by number
    std::int32_t size_ = 0;
};

} // namespace ahead::air
