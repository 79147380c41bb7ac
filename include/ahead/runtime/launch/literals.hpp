// SPDX-License-Identifier: MIT
// Constants whose values are part of the graph (is_literal), as bytes of the program: prepare reads them instead of a
// weight file.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/attribute_path.hpp>
#include <ahead/plan/plan.hpp>
#include <cstddef>

namespace AHEAD_NAMESPACE::runtime {

namespace detail {

constexpr void write_element(const argument& value, dtype type, std::byte* out) {
    const auto write = [&](auto v) {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof v>>(v);
        for (std::size_t i = 0; i < sizeof v; ++i) out[i] = bytes[i];
    };
    switch (type) {
    case dtype::f32: return write(static_cast<float>(value.real()));
    case dtype::f64: return write(value.real());
    case dtype::i32: return write(static_cast<std::int32_t>(value.integer()));
    case dtype::b8: return write(value.boolean());
    case dtype::f16: return write(math::convert<float16>(value.real()).bits);
    case dtype::bf16: return write(math::convert<bfloat16>(value.real()).bits);
    case dtype::f8_e4m3: return write(math::convert<float8_e4m3>(value.real()).bits);
    case dtype::f8_e5m2: return write(math::convert<float8_e5m2>(value.real()).bits);
    case dtype::i8:
    case dtype::u8: return write(static_cast<std::uint8_t>(value.integer()));
    case dtype::i16:
    case dtype::u16: return write(static_cast<std::uint16_t>(value.integer()));
    case dtype::u32: return write(static_cast<std::uint32_t>(value.integer()));
    default: return write(value.integer());
    }
}

} // namespace detail

/// An input of prepare: a tensor of the weight file, or a literal.
struct prepare_input {
    std::string_view name; // in the weight file
    tensor_type type;
    std::int64_t bytes = 0;
    std::int64_t literal = -1; // offset in literals<Program>::stored; -1: it comes from the file
    std::int64_t copy_to =
        -1; // offset in the constant region, where run reads it unchanged or a state takes its initial value; -1: none
    std::int64_t state_at = -1; // offset in the states, if run writes it; -1: it does not
};

template <std::size_t Count> struct parameter_list {
    std::array<prepare_input, Count> all{};
    std::int64_t literal_bytes = 0;
    bool has_paths = false; // names as Python spells them (paths)
};
/// Writes the parameters of a plan's prepare, indexed by their ports, to `out`, which has room for them.
constexpr void fill_parameters(graph_view g, plan_view plan, prepare_input* out, std::int64_t& literal_bytes) {
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
        const auto& p = plan.placements[static_cast<std::size_t>(n.values.first)];
        if (p.where != region::parameter && p.where != region::state) continue;
        auto& mine = out[p.port];
        mine.name = n.weight.empty() ? n.target : n.weight;
        mine.type = g.value_of(id).type;
        mine.bytes = p.bytes;
        if (p.copy >= 0) mine.copy_to = plan.copies[static_cast<std::size_t>(p.copy)].offset;
        if (p.where == region::state) mine.state_at = p.offset;
        if (!is_literal(n)) continue;
        mine.literal = literal_bytes;
        literal_bytes += machine::aligned(bytes_of(mine.type.type, element_count(mine.type)));
    }
}
template <class Program> constexpr auto list_parameters() {
    parameter_list<static_cast<std::size_t>(Program::plan.parameters)> out;
    if (Program::plan.parameters > 0)
        fill_parameters(Program::lowered_graph(), Program::plan_view(), out.all.data(), out.literal_bytes);
    for (const auto& p : out.all) out.has_paths = out.has_paths || is_python_path(p.name);
    return out;
}
/// The parameters of Program's prepare, in port order.
template <class Program> struct parameters {
    static constexpr auto made = list_parameters<Program>();
};

template <std::size_t Bytes> struct literal_storage {
    alignas(static_cast<std::size_t>(machine::npu.alignment)) std::array<std::byte, Bytes> bytes{};
};
/// Writes the elements of a literal contiguously to `out`; returns their size in bytes.
constexpr std::int64_t write_literal(graph_view g, node_id id, std::byte* out) {
    const auto type = g.value_of(id).type.type;
    const auto& list = g.argument_of(g[id], 0).children;
    for (std::int32_t i = 0; i < list.count; ++i)
        detail::write_element(g[list[i]], type, out + i * static_cast<std::int32_t>(bytes_of(type)));
    return bytes_of(type, list.count);
}
template <class Program> constexpr auto store_literals() {
    literal_storage<static_cast<std::size_t>(parameters<Program>::made.literal_bytes)> out;
    if (parameters<Program>::made.literal_bytes == 0) return out;
    const auto g = Program::lowered_graph();
    std::int64_t offset = 0;
    for (node_id id : g)
        if (is_literal(g[id])) offset += machine::aligned(write_literal(g, id, out.bytes.data() + offset));
    return out;
}
/// The literals of Program's device graph, in program order, each at a multiple of the device's alignment.
template <class Program> struct literals {
    static constexpr auto stored = store_literals<Program>();
};

} // namespace ahead::runtime
