// SPDX-License-Identifier: MIT
// The elements of a tensor in the order of its indices, the last index fastest, wherever its strides place them. The
// base of session outputs and device tensors: views.hpp, device_tensor.hpp.
// Invariant: order and positions depend on the type only; a contiguous tensor is read through a plain pointer.
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/ir/type/static_type.hpp>
#include <compare>
#include <cstddef>
#include <iterator>

namespace AHEAD_NAMESPACE::runtime {

#ifdef NDEBUG
constexpr bool is_debug_build = false;
#else
constexpr bool is_debug_build =
    true; // enables expensive checks: indices, and sessions run by two threads at once
#endif

/// Sizes, strides and positions of Type's elements, in elements.
template <class Type> class tensor_elements {
public:
    using type = Type;
    using element = element_t<Type::type.type>;
    static constexpr std::size_t rank = Type::type.rank;
    /// The number of elements.
    static constexpr std::size_t extent = static_cast<std::size_t>(element_count(Type::type));
    /// From the first to one past the last element in memory: greater than extent if strides leave gaps, smaller if
    /// they make elements overlap.
    static constexpr std::size_t storage_extent = static_cast<std::size_t>(extent_of(Type::type));

    static constexpr std::size_t size() { return extent; }
    static constexpr std::array<std::int64_t, rank> sizes() { return listed(Type::type.sizes); }
    static constexpr std::array<std::int64_t, rank> strides() { return listed(Type::type.strides); }
    /// Whether the order of the elements is their order in memory, without gaps.
    static constexpr bool is_contiguous() { return ir::is_contiguous(Type::type); }

    /// The distance of element number `at` from the first element, in elements.
    static constexpr std::int64_t position(std::size_t at) {
        auto left = static_cast<std::int64_t>(at);
        if constexpr (is_contiguous()) return left;
        std::int64_t out = 0;
        for (int d = Type::type.rank; d-- > 0; left /= Type::type.size(d))
            out += left % Type::type.size(d) * Type::type.stride(d);
        return out;
    }
    /// The distance from the first element of the element at these indices, one per dim. In debug builds throws
    /// index_is_out_of_range.
    template <class... Index>
        requires(sizeof...(Index) == rank)
    static constexpr std::int64_t position_of(Index... index) {
        std::int64_t out = 0;
        int d = 0;
        if constexpr (is_debug_build) (check_index(static_cast<std::int64_t>(index), d++), ...);
        d = 0;
        ((out += static_cast<std::int64_t>(index) * Type::type.stride(d++)), ...);
        return out;
    }

    /// Iterates over the elements in order.
    class iterator {
    public:
        using value_type = element;
        using difference_type = std::ptrdiff_t;
        using reference = const element&;
        using pointer = const element*;
        using iterator_category = std::random_access_iterator_tag;

        iterator() = default;
        iterator(const element* first, std::size_t at) : first_(first), at_(static_cast<difference_type>(at)) {}
        reference operator*() const { return first_[position(static_cast<std::size_t>(at_))]; }
        pointer operator->() const { return &**this; }
        reference operator[](difference_type n) const { return *(*this + n); }
        iterator& operator+=(difference_type n) {
            at_ += n;
            return *this;
        }
        iterator& operator-=(difference_type n) { return *this += -n; }
        iterator& operator++() { return *this += 1; }
        iterator& operator--() { return *this += -1; }
        iterator operator++(int) {
            auto before = *this;
            ++*this;
            return before;
        }
        iterator operator--(int) {
            auto before = *this;
            --*this;
            return before;
        }
        friend iterator operator+(iterator i, difference_type n) { return i += n; }
        friend iterator operator+(difference_type n, iterator i) { return i += n; }
        friend iterator operator-(iterator i, difference_type n) { return i -= n; }
        friend difference_type operator-(const iterator& a, const iterator& b) { return a.at_ - b.at_; }
        friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }
        friend auto operator<=>(const iterator& a, const iterator& b) { return a.at_ <=> b.at_; }

    private:
        const element* first_ = nullptr;
        difference_type at_ = 0;
    };
    static constexpr auto begin_at(const element* first) {
        if constexpr (is_contiguous()) return first;
        else return iterator(first, 0);
    }
    static constexpr auto end_at(const element* first) { return begin_at(first) + static_cast<std::ptrdiff_t>(extent); }

private:
    static constexpr std::array<std::int64_t, rank> listed(const per_dim<std::int64_t>& from) {
        std::array<std::int64_t, rank> out{};
        for (std::size_t d = 0; d < rank; ++d) out[d] = from[d];
        return out;
    }
    static constexpr void check_index(std::int64_t index, int d) {
        if (index >= 0 && index < Type::type.size(d)) return;
        refuse_index(index, d);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_index(std::int64_t index, int d) {
        diagnosis found;
        found.op = print(Type::type);
        refuse(found, fault::index_is_out_of_range,
               short_text("an index from 0 to ") << Type::type.size(d) - 1 << " in dim " << d, short_text() << index);
        raise(found);
    }
};

} // namespace ahead::runtime
