// SPDX-License-Identifier: MIT
// Constants whose values stand in the graph (is_literal), as bytes of the program: what prepare reads in place of a weight file.
#pragma once
#include <ahead/plan/plan.hpp>
#include <cstddef>

namespace ahead::npu {

namespace detail {

constexpr void write_element(const argument& value, dtype type, std::byte* out) {
    const auto write = [&](auto v) {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof v>>(v);
        for (std::size_t i = 0; i < sizeof v; ++i) out[i] = bytes[i];
    };
    switch (type) {
    case dtype::f32:
        return write(static_cast<float>(value.real()));
    case dtype::f64:
        return write(value.real());
    case dtype::i32:
        return write(static_cast<std::int32_t>(value.integer()));
    case dtype::b8:
        return write(value.boolean());
    default:
        return write(value.integer());
    }
}

constexpr std::int64_t literal_bytes(graph_view g) {
    std::int64_t bytes = 0;
    for (node_id id : g)
        if (is_literal(g[id]))
            bytes += target::aligned(element_count(g.value_of(id).type) * static_cast<std::int64_t>(bytes_of(g.value_of(id).type.type)));
    return bytes;
}

} // namespace detail

/// The literals of Program's device graph, in program order, each at a multiple of the device's alignment.
template <class Program>
struct literals {
    struct storage {
        alignas(static_cast<std::size_t>(target::npu.alignment))
            std::array<std::byte, static_cast<std::size_t>(detail::literal_bytes(Program::lowered_graph()))> bytes{};
    };
    static constexpr storage stored = [] {
        storage out;
        const auto g = Program::lowered_graph();
        std::int64_t offset = 0;
        for (node_id id : g) {
            if (!is_literal(g[id])) continue;
            const auto type = g.value_of(id).type.type;
            const auto& list = g.argument_of(g[id], 0).children;
            for (std::int32_t i = 0; i < list.count; ++i)
                detail::write_element(g[list[i]], type, out.bytes.data() + offset + i * static_cast<std::int32_t>(bytes_of(type)));
            offset += target::aligned(list.count * static_cast<std::int64_t>(bytes_of(type)));
        }
        return out;
    }();

    /// Enters them into a prepare's parameters.
    static void bind(std::span<const std::byte*> parameters) {
        const auto g = Program::lowered_graph();
        const auto plan = Program::plan_view();
        std::int64_t offset = 0;
        for (node_id id : g) {
            if (!is_literal(g[id])) continue;
            parameters[static_cast<std::size_t>(plan.placements[static_cast<std::size_t>(g[id].values.first)].port)] =
                stored.bytes.data() + offset;
            const auto& type = g.value_of(id).type;
            offset += target::aligned(element_count(type) * static_cast<std::int64_t>(bytes_of(type.type)));
        }
    }
};

} // namespace ahead::npu
