// Memory of exactly the size that a kernel's contract names, between two pages that nobody may touch: what the tests of kernels are written with.
// An element read or written behind the end stops the test on the spot, with or without a sanitizer; one written before the beginning is found
// when the buffer goes.
// SPDX-License-Identifier: MIT
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <random>
#include <type_traits>

namespace test {

// g++ takes ten times as long for a kernel with sanitizers: their build compiles some of the keys.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool every_key = false;
#elif defined(__has_feature)
inline constexpr bool every_key = !__has_feature(address_sanitizer);
#else
inline constexpr bool every_key = true;
#endif

inline std::mt19937 random_bits{20260101};

/// `count` elements, aligned as T is; bytes, which are a workspace, as 64 bytes are.
template <class T> class buffer {
public:
    explicit buffer(std::int64_t count) : size_(static_cast<std::size_t>(count)) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const auto wanted = std::is_same_v<T, std::byte> ? (sizeof(T) * size_ + 63) / 64 * 64 : sizeof(T) * size_;
        room_ = (wanted + page - 1) / page * page + 2 * page;
        void* const mapped = mmap(nullptr, room_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) throw std::bad_alloc();
        memory_ = static_cast<std::byte*>(mapped);
        if (room_ > 2 * page) mprotect(memory_ + page, room_ - 2 * page, PROT_READ | PROT_WRITE);
        before_ = memory_ + page;
        data_ = reinterpret_cast<T*>(memory_ + room_ - page - wanted);
        std::fill(before_, reinterpret_cast<std::byte*>(data_), paint);
        std::uninitialized_fill_n(data_, size_, T{});
    }
    buffer(const buffer&) = delete;
    buffer& operator=(const buffer&) = delete;
    ~buffer() {
        if (!std::all_of(before_, reinterpret_cast<std::byte*>(data_), [](std::byte b) { return b == paint; })) {
            std::cout << "something was written before the beginning of a buffer\n";
            std::terminate();
        }
        munmap(memory_, room_);
    }
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
                x = static_cast<T>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(std::uniform_real_distribution<double>(-1, 1)(random_bits)));
        }
        return *this;
    }

private:
    static constexpr auto paint = std::byte{0xa5};

    std::size_t size_, room_ = 0;
    std::byte *memory_ = nullptr, *before_ = nullptr;
    T* data_ = nullptr;
};

/// How far a sum of terms of this magnitude may lie from the exact one.
template <class T> double tolerance(double magnitude) { return (std::is_same_v<T, float> ? 2e-6 : 4e-15) * (1 + magnitude); }

} // namespace test
