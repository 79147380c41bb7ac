// SPDX-License-Identifier: MIT
// Bytes on the heap, aligned to 64 or more: of tensors, arenas and constants. Move-only; never grows.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <new>
#include <utility>

namespace AHEAD_NAMESPACE {

class aligned_memory {
public:
    static constexpr std::size_t alignment = 64; // bytes

    aligned_memory() = default;
    /// aligned_to: a power of two, at least `alignment`.
    explicit aligned_memory(std::size_t bytes, std::size_t aligned_to = alignment) : aligned_to_{aligned_to} {
        if (bytes > 0) first_ = static_cast<std::byte*>(::operator new(bytes, aligned_to_));
    }
    aligned_memory(aligned_memory&& other) noexcept
        : first_(std::exchange(other.first_, nullptr)), aligned_to_(other.aligned_to_) {}
    aligned_memory& operator=(aligned_memory&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(aligned_to_, other.aligned_to_);
        return *this;
    }
    ~aligned_memory() { ::operator delete(first_, aligned_to_); }

    std::byte* get() const { return first_; }

private:
    std::byte* first_ = nullptr;
    std::align_val_t aligned_to_{alignment};
};

} // namespace ahead
