// SPDX-License-Identifier: MIT
// One size of a tensor: a constant, or a symbol with an upper bound. Eight bytes either way.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE {

class dim {
public:
    constexpr dim() = default;
    constexpr dim(std::int64_t extent) : bits_(extent) {}
    static constexpr dim symbol(std::uint16_t id, std::int64_t upper_bound) {
        dim d;
        d.bits_ = -((upper_bound << 16) | id) - 1;
        return d;
    }
    constexpr bool is_symbol() const { return bits_ < 0; }
    /// The size, or the symbol's upper bound: what memory is planned for.
    constexpr std::int64_t bound() const { return bits_ < 0 ? (-(bits_ + 1)) >> 16 : bits_; }
    constexpr std::uint16_t symbol_id() const { return static_cast<std::uint16_t>(-(bits_ + 1) & 0xffff); }
    friend constexpr bool operator==(dim, dim) = default;

private:
    std::int64_t bits_ = 0;
};

} // namespace ahead
