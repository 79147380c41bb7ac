// SPDX-License-Identifier: MIT
// The memory of a program's region: owned, or the caller's.
// Invariant: in both cases aligned as the device requires, 64 bytes or more. Called by prepared_weights.hpp,
// session.hpp.
#pragma once
#include <ahead/core/aligned_memory.hpp>
#include <ahead/core/error.hpp>
#include <ahead/machine/presets.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace AHEAD_NAMESPACE::runtime {

inline constexpr std::size_t memory_alignment = static_cast<std::size_t>(machine::npu.alignment);
static_assert(memory_alignment == aligned_memory::alignment);

/// Owned memory, or the caller's; in both cases aligned as the device requires, 64 bytes or more.
class region_memory {
public:
    region_memory(std::size_t bytes, std::int64_t alignment)
        : owned_(bytes, static_cast<std::size_t>(alignment)), begin_(owned_.get()) {}
    /// Throws what fits() refuses.
    region_memory(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment) : begin_(given.data()) {
        if (diagnosis d; !fits(given, bytes, alignment, d)) raise(d);
    }
    /// Whether the caller's memory is suitable: memory_is_too_small, memory_is_misaligned.
    static bool fits(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment, diagnosis& d) {
        const auto past = reinterpret_cast<std::uintptr_t>(given.data()) % static_cast<std::uintptr_t>(alignment);
        if (given.size() < bytes)
            return refuse(d, fault::memory_is_too_small, short_text() << bytes << " bytes",
                          short_text() << given.size() << " bytes");
        return past == 0 ||
               refuse(d, fault::memory_is_misaligned, short_text("an address that is a multiple of ") << alignment,
                      short_text() << past << " bytes past one");
    }
    std::byte* begin() const { return begin_; }

private:
    aligned_memory owned_;
    std::byte* begin_ = nullptr;
};

} // namespace ahead::runtime
