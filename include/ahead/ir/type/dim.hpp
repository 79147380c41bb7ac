// SPDX-License-Identifier: MIT
// One size of a tensor: a constant, or a symbol with an upper bound. Eight bytes either way.
// Invariant: a negative number stays negative, and no tensor may have such a size (basic_call refuses it); constants of
// 2^62 or more are reduced below that.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::ir {

class dim {
public:
    constexpr dim() = default;
    constexpr dim(std::int64_t extent) : bits_(extent < symbols ? extent : symbols - 1) {}
    /// pre: 0 <= upper_bound < 2^46
    static constexpr dim symbol(std::uint16_t id, std::int64_t upper_bound) {
        dim d;
        d.bits_ = symbols | upper_bound << 16 | id;
        return d;
    }
    constexpr bool is_symbol() const { return bits_ >= symbols; }
    /// The size, or the symbol's upper bound; memory is planned for it.
    constexpr std::int64_t bound() const { return bits_ < symbols ? bits_ : (bits_ - symbols) >> 16; }
    constexpr std::uint16_t symbol_id() const { return static_cast<std::uint16_t>(bits_ & 0xffff); }
    friend constexpr bool operator==(dim, dim) = default;

private:
    friend struct tensor_type; // it reads sizes most often, and constant evaluation is billed by calls
    static constexpr std::int64_t symbols = std::int64_t{1} << 62;
    std::int64_t bits_ = 0;
};

} // namespace ahead::ir
