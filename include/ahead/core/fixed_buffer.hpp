// SPDX-License-Identifier: MIT
// A fixed number of elements on the heap, in constant evaluation and at run time alike; std::vector costs the compiler
// many times as much.
// Invariant: every element is value-initialised at first, unless it is said to be unset; the size never changes. Used
// wherever a size is known before the elements are.
#pragma once
#include <ahead/core/array_view.hpp>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace AHEAD_NAMESPACE {

/// Of elements that are written before they are read: memory that nobody gets to costs nothing then.
struct unset {};

template <class T> class fixed_buffer {
public:
    constexpr fixed_buffer() = default;
    constexpr explicit fixed_buffer(std::int64_t size) : first_(allocate(size)), size_(size) {
        if (std::is_constant_evaluated()) return;
        for (std::int64_t i = 0; i < size; ++i) first_[i] = T{};
    }
    /// In constant evaluation they are value-initialised all the same, which is what costs least there.
    constexpr fixed_buffer(std::int64_t size, unset) : first_(allocate(size)), size_(size) {}
    /// By hand, here and below: std::swap and std::exchange ask a dozen traits of each type of element.
    constexpr fixed_buffer(fixed_buffer&& other) noexcept : first_(other.first_), size_(other.size_) {
        other.first_ = nullptr;
        other.size_ = 0;
    }
    constexpr fixed_buffer& operator=(fixed_buffer&& other) noexcept {
        const auto first = first_;
        const auto size = size_;
        first_ = other.first_;
        size_ = other.size_;
        other.first_ = first;
        other.size_ = size;
        return *this;
    }
    constexpr ~fixed_buffer() {
        if (std::is_constant_evaluated()) delete[] first_;
        else if (first_ != nullptr) ::operator delete(first_); // not asked, clang 16 and 19 leave the call out
    }

    constexpr std::int64_t size() const { return size_; }
    constexpr T* data() { return first_; }
    constexpr const T* data() const { return first_; }
    constexpr array_view<T> all() { return {first_, static_cast<std::size_t>(size_)}; }
    constexpr array_view<const T> all() const { return {first_, static_cast<std::size_t>(size_)}; }
    constexpr T& operator[](std::int64_t i) { return first_[i]; }
    constexpr const T& operator[](std::int64_t i) const { return first_[i]; }

private:
    static_assert(std::is_trivially_copyable_v<T>, "an element begins to live with its memory, and ends with it");
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    static constexpr T* allocate(std::int64_t size) {
        const auto count = static_cast<std::size_t>(size);
        if (!std::is_constant_evaluated()) return static_cast<T*>(::operator new(count * sizeof(T)));
        // g++ 15 and 16 refuse stores into an array member of elements that {} has made; with (), g++ before them makes
        // every element at once, a tenth of what a plan takes of its memory.
#if defined(__clang__) || __GNUC__ >= 15
        return new T[count]();
#else
        return new T[count]{};
#endif
    }
    T* first_ = nullptr;
    std::int64_t size_ = 0;
};

} // namespace ahead
