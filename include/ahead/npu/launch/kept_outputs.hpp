// SPDX-License-Identifier: MIT
// The part of a launch's memory that is kept: its outputs, at their planned offsets or in front of the rest.
// Invariant: while tensors hold the bytes of an output, nothing else uses them. Called by npu/launch.hpp.
#pragma once
#include <ahead/npu/launch/run_program.hpp>
#include <algorithm>
#include <cstring>

namespace AHEAD_NAMESPACE::npu::detail {

/// The positions of a launch's outputs in its memory: as planned; or, if they are small compared with the rest and
/// share no bytes, in front of it, where they are copied at the end of the run. Then the rest is one piece again when
/// the launch is over, however many such outputs are held.
template <class Program> struct kept_outputs {
    static constexpr std::size_t count = static_cast<std::size_t>(Program::output_count);
    static constexpr std::int64_t arena_bytes = std::max<std::int64_t>(Program::plan.peak_bytes, 1);
    /// A tensor without elements has at most the last byte.
    template <class Port> static constexpr launch_output in_arena() {
        const auto begin = std::min(Port::offset, arena_bytes - 1);
        return {begin, begin + std::max<std::int64_t>(bytes_of(Port::type.type, extent_of(Port::type)), 1)};
    }
    static constexpr std::array<launch_output, count> planned =
        []<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
        return std::array<launch_output, count>{in_arena<typename Program::template output_port<Nth>>()...};
    }(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    static constexpr std::array<launch_output, count> packed = [] {
        auto out = planned;
        std::int64_t at = 0;
        for (auto& o : out) {
            o = {at, at + o.end - o.begin};
            at = (o.end + Program::device.alignment - 1) / Program::device.alignment * Program::device.alignment;
        }
        return out;
    }();
    /// Bytes in front of the arena; 0 if the outputs stay in it.
    static constexpr std::int64_t front = [] {
        for (const auto& o : planned)
            for (const auto& other : planned)
                if (&o != &other && o.begin < other.end && other.begin < o.end) return std::int64_t{0};
        const auto bytes = count == 0 ? 0
                                      : (packed[count - 1].end + Program::device.alignment - 1) /
                                            Program::device.alignment * Program::device.alignment;
        return 4 * bytes <= arena_bytes ? bytes : 0;
    }();
    static constexpr const auto& all = front > 0 ? packed : planned;

    static void run(const std::byte* const* externals, const std::byte* constants, std::byte* memory) {
        run_program<Program>(externals, constants, memory + front);
        pack(memory);
    }
    /// Stream 0 ends last: it waits for all others.
    template <std::int32_t Stream>
    static void run_stream(const runtime::region_bases& m, runtime::stream_event* events,
                           runtime::stream_progress& now) noexcept {
        runtime::run_stream<Program, Stream>({m.externals, m.constants, m.arena + front}, events, now);
        if (Stream == 0 && !now.stopped) pack(m.arena);
    }
    static void pack(std::byte* memory) {
        for (std::size_t i = 0; front > 0 && i < count; ++i)
            std::memcpy(memory + packed[i].begin, memory + front + planned[i].begin,
                        static_cast<std::size_t>(planned[i].end - planned[i].begin));
    }
};
/// The tensor of an output that a launch has kept. Takes over its holder.
template <class Program, std::int32_t Nth> auto output_at(context& npu, const launch_outputs& kept) {
    using port = typename Program::template output_port<Nth>;
    const auto& output = kept.all[static_cast<std::size_t>(Nth)];
    return tensor<static_type<port>>(block_lease(npu, output.block), kept.memory + output.begin);
}

} // namespace ahead::npu::detail
