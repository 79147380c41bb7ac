// SPDX-License-Identifier: MIT
// Counts every allocation of the program, on all threads: operator new is replaced, the aligned one too. Include it in one source file of an executable.
//
//     const auto before = test::allocations.load();
//     run(x);
//     check_equal(test::allocations.load(), before);
#pragma once
#include <atomic>
#include <cstdlib>
#include <new>

namespace test {

inline std::atomic<long> allocations{0};

} // namespace test

void* operator new(std::size_t bytes) {
    ++test::allocations;
    if (void* p = std::malloc(bytes)) return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    ++test::allocations;
    const auto to = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(to, (bytes + to - 1) / to * to)) return p;
    throw std::bad_alloc();
}
// Not inlined: g++ takes free for a mismatch where it sees the free but not the malloc.
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
