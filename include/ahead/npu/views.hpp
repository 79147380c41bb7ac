// SPDX-License-Identifier: MIT
// What goes into a run and comes out of it: input<T> looks at the caller's tensor, output<T> is a lease of the session's.
// Invariant: while an output lives, its session refuses to run again, so nothing is overwritten behind the holder's back.
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/ir/static_type.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

namespace AHEAD_NAMESPACE {

template <class Type> class tensor_output;

namespace detail {
/// Whether a type says how many elements its objects have; -1 where it does not.
template <class R> constexpr std::int64_t static_size() {
    if constexpr (requires { std::tuple_size<R>::value; }) return static_cast<std::int64_t>(std::tuple_size_v<R>);
    else if constexpr (std::is_bounded_array_v<R>) return static_cast<std::int64_t>(std::extent_v<R>);
    else if constexpr (requires { R::extent; }) return R::extent == std::dynamic_extent ? -1 : static_cast<std::int64_t>(R::extent);
    else return -1;
}
/// std::vector<Element> and the like: the number of elements is known when they are given.
template <class R, class Element>
concept sized_later = static_size<R>() < 0 && requires(const R& r) {
    requires std::same_as<std::remove_cvref_t<decltype(*std::data(r))>, Element>;
    std::size(r);
};
} // namespace detail

/// A look at a tensor of the caller's: Type's elements in Type's layout, the first one at data(). It must outlive the run only.
template <class Type> class tensor_input {
public:
    using element = element_t<Type::type.type>;
    /// Elements from the first to the last one read.
    static constexpr std::size_t extent = static_cast<std::size_t>(extent_of(Type::type));

    constexpr tensor_input(std::span<const element, extent> elements) : data_(elements.data()) {}
    constexpr tensor_input(const std::array<element, extent>& elements) : data_(elements.data()) {}
    constexpr tensor_input(const element (&elements)[extent == 0 ? 1 : extent]) : data_(elements) {}
    constexpr tensor_input(const tensor_output<Type>& other) : data_(other.data()) {}
    /// Throws element_counts_differ.
    template <detail::sized_later<element> R> tensor_input(const R& elements) : data_(std::data(elements)) {
        const auto size = static_cast<std::size_t>(std::size(elements));
        if (size == extent) return;
        diagnosis d;
        d.op = "run";
        refuse(d, fault::element_counts_differ, short_text() << extent << " elements for " << print(Type::type).view(),
               short_text() << size);
        throw error(d);
    }
    constexpr const element* data() const { return data_; }

private:
    const element* data_;
};

/// A tensor of the caller's that the graph writes: afterwards it holds the input's new value. Takes what may be written only.
template <class Type> class tensor_in_out {
public:
    using element = element_t<Type::type.type>;
    static constexpr std::size_t extent = tensor_input<Type>::extent;

    constexpr tensor_in_out(std::span<element, extent> elements) : data_(elements.data()) {}
    constexpr tensor_in_out(std::array<element, extent>& elements) : data_(elements.data()) {}
    constexpr tensor_in_out(element (&elements)[extent == 0 ? 1 : extent]) : data_(elements) {}
    /// Throws element_counts_differ.
    template <detail::sized_later<element> R>
        requires(std::is_same_v<decltype(std::data(std::declval<R&>())), element*>)
    tensor_in_out(R& elements) : data_(std::data(elements)) {
        static_cast<void>(tensor_input<Type>(elements)); // its size
    }
    constexpr tensor_in_out(std::span<element> elements)
        requires(extent != std::dynamic_extent)
        : data_(elements.data()) {
        static_cast<void>(tensor_input<Type>(elements));
    }
    constexpr element* data() const { return data_; }

private:
    element* data_;
};

/// An output, leased from its session: move-only; gone with its session.
template <class Type> class tensor_output {
public:
    using type = Type;
    using element = element_t<Type::type.type>;
    static constexpr std::size_t extent = static_cast<std::size_t>(extent_of(Type::type));

    tensor_output(const element* data, std::int32_t& leases) : data_(data), leases_(&leases) { ++leases; }
    tensor_output(tensor_output&& other) noexcept : data_(other.data_), leases_(std::exchange(other.leases_, nullptr)) {}
    tensor_output& operator=(tensor_output&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(leases_, other.leases_);
        return *this;
    }
    ~tensor_output() {
        if (leases_) --*leases_;
    }

    const element* data() const { return data_; }
    /// The element at these indices, one per dim.
    template <class... Index>
        requires(sizeof...(Index) == static_cast<std::size_t>(Type::type.rank))
    const element& operator()(Index... index) const {
        std::int64_t at = 0;
        int d = 0;
        ((at += static_cast<std::int64_t>(index) * Type::type.stride(d++)), ...);
        return data_[at];
    }
    /// All elements in memory order. For contiguous tensors that is row-major order.
    std::span<const element, extent> elements() const { return std::span<const element, extent>{data_, extent}; }
    auto begin() const { return elements().begin(); }
    auto end() const { return elements().end(); }
    /// A copy in memory order, for what must outlive the lease.
    std::array<element, extent> copy() const {
        std::array<element, extent> out{};
        for (std::size_t i = 0; i < extent; ++i) out[i] = data_[i];
        return out;
    }

private:
    const element* data_;
    std::int32_t* leases_;
};

} // namespace ahead
