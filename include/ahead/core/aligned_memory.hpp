// SPDX-License-Identifier: MIT
// A heap buffer aligned to 64 bytes or more, for tensors, arenas and constants; or foreign bytes, such as a mapped
// file, with a function that releases them. Move-only; never grows.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <new>
#include <utility>

namespace AHEAD_NAMESPACE::core {

class aligned_memory {
public:
    static constexpr std::size_t alignment = 64; // bytes
    using give_back = void(std::byte* first, std::size_t bytes);

    aligned_memory() = default;
    /// aligned_to: a power of two, at least `alignment`.
    explicit aligned_memory(std::size_t bytes, std::size_t aligned_to = alignment) : aligned_to_{aligned_to} {
        if (bytes > 0) first_ = static_cast<std::byte*>(::operator new(bytes, aligned_to_));
    }
    /// Takes over `bytes` bytes starting at `first`; `at_end`, if not null, is called once to release them.
    aligned_memory(std::byte* first, std::size_t bytes, give_back* at_end)
        : first_(first), bytes_(bytes), at_end_(at_end) {}
    aligned_memory(aligned_memory&& other) noexcept
        : first_(std::exchange(other.first_, nullptr)), aligned_to_(other.aligned_to_), bytes_(other.bytes_),
          at_end_(other.at_end_) {}
    aligned_memory& operator=(aligned_memory&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(aligned_to_, other.aligned_to_);
        std::swap(bytes_, other.bytes_);
        std::swap(at_end_, other.at_end_);
        return *this;
    }
    ~aligned_memory() {
        if (at_end_ == nullptr) ::operator delete(first_, aligned_to_);
        else if (first_ != nullptr) at_end_(first_, bytes_);
    }

    std::byte* get() const { return first_; }

private:
    std::byte* first_ = nullptr;
    std::align_val_t aligned_to_{alignment};
    std::size_t bytes_ = 0; // passed to at_end_
    give_back* at_end_ = nullptr;
};

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::aligned_memory;
} // namespace ahead
