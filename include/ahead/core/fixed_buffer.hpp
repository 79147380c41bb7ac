// SPDX-License-Identifier: MIT
// A fixed number of elements on the heap, in constant evaluation and at run time alike; std::vector costs the compiler
// many times as much.
// Invariant: every element is value-initialised at first; the size never changes. Used wherever a size is known before
// the elements are.
#pragma once
#include <ahead/core/array_view.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace AHEAD_NAMESPACE {

namespace detail {
/// Where the elements of larger buffers are while g++ evaluates a constant: it makes those of a new array one by one,
/// 16,000 instructions each, and those of an object at once. clang does neither.
template <class T> struct buffer_room {
    static constexpr std::int64_t least = 128, most = 1 << 15;
#if defined(__clang__)
    static constexpr bool pays = false;
#else
    static constexpr bool pays = true;
#endif
    T at[most]{};
};
} // namespace detail

template <class T> class fixed_buffer {
public:
    constexpr fixed_buffer() = default;
    constexpr explicit fixed_buffer(std::int64_t size) : size_(size) {
        if constexpr (room::pays)
            if (std::is_constant_evaluated() && size >= room::least && size <= room::most) {
                first_ = (room_ = new room)->at;
                return;
            }
        first_ = new T[static_cast<std::size_t>(size)]{};
    }
    constexpr fixed_buffer(fixed_buffer&& other) noexcept
        : first_(std::exchange(other.first_, nullptr)), size_(std::exchange(other.size_, 0)),
          room_(std::exchange(other.room_, nullptr)) {}
    constexpr fixed_buffer& operator=(fixed_buffer&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
        return *this;
    }
    constexpr ~fixed_buffer() {
        if constexpr (room::pays)
            if (std::is_constant_evaluated() && room_ != nullptr) {
                delete room_;
                return;
            }
        delete[] first_;
    }

    constexpr std::int64_t size() const { return size_; }
    constexpr T* data() { return first_; }
    constexpr const T* data() const { return first_; }
    constexpr array_view<T> all() { return {first_, static_cast<std::size_t>(size_)}; }
    constexpr array_view<const T> all() const { return {first_, static_cast<std::size_t>(size_)}; }
    constexpr T& operator[](std::int64_t i) { return first_[i]; }
    constexpr const T& operator[](std::int64_t i) const { return first_[i]; }

private:
    using room = detail::buffer_room<T>;
    T* first_ = nullptr;
    std::int64_t size_ = 0;
    room* room_ = nullptr;
};

} // namespace ahead
