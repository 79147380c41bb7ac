// SPDX-License-Identifier: MIT
// A fixed number of elements on the heap, in constant evaluation and at run time alike; std::vector costs several times
// the compile time.
// Invariant: every element is initially value-initialised, unless `unset` is passed; the size never changes. Used
// wherever a size is known before the elements are.
#pragma once
#include <ahead/core/array_view.hpp>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace AHEAD_NAMESPACE::core {

/// Tag: leaves elements uninitialised because the caller writes them before it reads them; untouched memory then costs
/// nothing.
struct unset {};

template <class T> class fixed_buffer {
public:
    constexpr fixed_buffer() = default;
    constexpr explicit fixed_buffer(std::int64_t size) : first_(allocate(size)), size_(size) {
        if (std::is_constant_evaluated()) return;
        for (std::int64_t i = 0; i < size; ++i) first_[i] = T{};
    }
    /// In constant evaluation the elements are value-initialised all the same, which is cheapest there.
    constexpr fixed_buffer(std::int64_t size, unset) : first_(allocate(size)), size_(size) {}
    /// Written out, here and below: std::swap and std::exchange instantiate a dozen traits for each element type.
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
        else if (first_ != nullptr) ::operator delete(first_); // without the null check, clang 16 and 19 omit the call
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
        if (size < 0) __builtin_unreachable(); // g++ 12 warns at -O2 of the memory that a negative size would take
        const auto count = static_cast<std::size_t>(size);
        if (!std::is_constant_evaluated()) return static_cast<T*>(::operator new(count * sizeof(T)));
        // g++ 15 and 16 refuse stores into an array member of elements created with {}; with (), older g++ creates
        // every element at once, a tenth of the memory that a plan takes.
#if defined(__clang__) || __GNUC__ >= 15
        return new T[count]();
#else
        return new T[count]{};
#endif
    }
    T* first_ = nullptr;
    std::int64_t size_ = 0;
};

} // namespace ahead::core
