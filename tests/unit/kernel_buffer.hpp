// Memory of exactly the size that a kernel's contract names: what the tests of kernels are written with.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <random>
#include <type_traits>

namespace test {

inline std::mt19937 random_bits{20260101};

/// A 64-byte aligned buffer of exactly `count` elements.
template <class T> struct buffer {
    explicit buffer(std::int64_t count) : size_(static_cast<std::size_t>(count)), data_(static_cast<T*>(::operator new(bytes(), std::align_val_t{64}))) {
        std::uninitialized_fill_n(data_, size_, T{});
    }
    buffer(const buffer&) = delete;
    buffer& operator=(const buffer&) = delete;
    ~buffer() { ::operator delete(data_, std::align_val_t{64}); }
    T* data() { return data_; }
    T& operator[](std::int64_t i) { return data_[i]; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    buffer& randomize() {
        for (T& x : *this) {
            if constexpr (std::is_same_v<T, bool>)
                x = random_bits() % 2 == 0;
            else if constexpr (std::is_integral_v<T>)
                x = static_cast<T>(random_bits()) * static_cast<T>(1 + (sizeof(T) > 4) * 77777);
            else
                x = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random_bits));
        }
        return *this;
    }

private:
    std::size_t bytes() const { return sizeof(T) * size_; }
    std::size_t size_;
    T* data_;
};

} // namespace test
