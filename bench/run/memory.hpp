// SPDX-License-Identifier: MIT
// Memory for subjects in huge pages where the system gives them. In 4 KiB pages it is luck which of them share a line
// of L2: measured on mnist_mlp, whose 2.1 MB just about fill it, the same code on the same numbers took 26 to 35 us, by the
// buffer alone.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace bench {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

inline void* allocate_huge(std::size_t bytes) {
    const std::size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    void* const memory = std::aligned_alloc(huge_page, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, rounded, MADV_HUGEPAGE); // a wish: without it the figures are only noisier
    return memory;
}

template <class T> struct huge_allocator {
    using value_type = T;
    huge_allocator() = default;
    template <class U> huge_allocator(const huge_allocator<U>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(allocate_huge(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t) { std::free(memory); }
    friend bool operator==(const huge_allocator&, const huge_allocator&) { return true; }
};

struct huge_delete {
    template <class T> void operator()(T* object) const {
        object->~T();
        std::free(object);
    }
};
template <class T> using huge_ptr = std::unique_ptr<T, huge_delete>;

template <class T, class... Args> huge_ptr<T> make_huge(Args&&... args) {
    return huge_ptr<T>(::new (allocate_huge(sizeof(T))) T(std::forward<Args>(args)...));
}

} // namespace bench
