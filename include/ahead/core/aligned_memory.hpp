// SPDX-License-Identifier: MIT
// Bytes on the heap, aligned to 64: of tensors, arenas and constants. Move-only; never grows.
#pragma once
#include <cstddef>
#include <new>
#include <utility>

namespace ahead {

class aligned_memory {
public:
    static constexpr std::size_t alignment = 64; // bytes

    aligned_memory() = default;
    explicit aligned_memory(std::size_t bytes) {
        if (bytes > 0) first_ = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}));
    }
    aligned_memory(aligned_memory&& other) noexcept : first_(std::exchange(other.first_, nullptr)) {}
    aligned_memory& operator=(aligned_memory&& other) noexcept {
        std::swap(first_, other.first_);
        return *this;
    }
    ~aligned_memory() { ::operator delete (first_, std::align_val_t{alignment}); }

    std::byte* get() const { return first_; }

private:
    std::byte* first_ = nullptr;
};

} // namespace ahead
