// SPDX-License-Identifier: MIT
// The key of one pointwise kernel: the loop over its tensors, the dtype that it computes in, and the source of each
// parameter of the meaning.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/key/strided_key.hpp>
#include <ahead/ir/broadcast.hpp>

namespace AHEAD_NAMESPACE::device {

inline constexpr int max_pointwise_parameters = 6;

/// A parameter of the meaning: an operand of the loop, a constant known at compile time, absent (None), or the result
/// of an earlier step of a fused loop.
struct pointwise_slot {
    enum class source : std::uint8_t { operand, integer, real, absent, step, complex };
    source from = source::absent;
    std::int64_t bits = 0; // operand, step: its number; integer: its value; real: bits of a double; complex: of a c64
    friend constexpr bool operator==(const pointwise_slot&, const pointwise_slot&) = default;
};
AHEAD_FIELDS(pointwise_slot, from, bits)

struct pointwise_key {
    strided_key loop{};
    dtype computed = dtype::f32;
    single_choice choice = single_choice::by_rule;
    std::int32_t parameters = 0;
    std::array<pointwise_slot, max_pointwise_parameters> slots{};
    friend constexpr bool operator==(const pointwise_key&, const pointwise_key&) = default;
};
AHEAD_FIELDS(pointwise_key, loop, computed, choice, parameters, slots)
constexpr bool takes_eigen(const pointwise_key& key) {
    bool out = key.computed == dtype::f32 || key.computed == dtype::f64;
    for (std::size_t t = 0; t <= static_cast<std::size_t>(key.loop.operands); ++t)
        out = out && key.loop.types[t] == key.computed;
    return out;
}

} // namespace ahead::device
