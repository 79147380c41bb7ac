// SPDX-License-Identifier: MIT
// The arguments and results of a run: a tensor_input refers to the caller's tensor, a tensor_in_out also writes it, and
// a tensor_output is a lease of the session's memory.
// Invariant: while an output lives, its session refuses to run again, so a held output is never overwritten.
#pragma once
#include <ahead/runtime/tensor_elements.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

namespace AHEAD_NAMESPACE::runtime {

template <class Type> class tensor_output;

} // namespace ahead::runtime
namespace AHEAD_NAMESPACE::detail {

/// The number of elements of an object, if its type determines it; else -1.
template <class R> constexpr std::int64_t static_size() {
    if constexpr (requires { std::tuple_size<R>::value; }) return static_cast<std::int64_t>(std::tuple_size_v<R>);
    else if constexpr (std::is_bounded_array_v<R>) return static_cast<std::int64_t>(std::extent_v<R>);
    else if constexpr (requires { R::extent; })
        return R::extent == std::dynamic_extent ? -1 : static_cast<std::int64_t>(R::extent);
    else return -1;
}
/// std::vector<Element> and the like: the number of elements is known at run time only.
template <class R, class Element>
concept sized_later = static_size<R>() < 0 && requires(const R& r) {
    requires std::same_as<std::remove_cvref_t<decltype(*std::data(r))>, Element>;
    std::size(r);
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::runtime {

/// Elements in storage order, for an input whose type has other strides than row-major ones: run(as_stored(x)). The
/// caller must know the strides.
template <class R> struct stored {
    R& elements;
};
template <class R> stored<R> as_stored(R& elements) { return {elements}; }

/// A view of a tensor of the caller: Type's elements in Type's layout, the first one at data(). The tensor must outlive
/// the run only. If the layout is not row-major, a list of elements does not tell in which order they are: pass
/// as_stored(x), or an output of the same type.
template <class Type> class tensor_input {
public:
    using element = element_t<Type::type.type>;
    /// The number of elements from the first to the last one read.
    static constexpr std::size_t extent = tensor_elements<Type>::storage_extent;
    static constexpr bool needs_order = !tensor_elements<Type>::is_contiguous();

    constexpr explicit(needs_order) tensor_input(std::span<const element, extent> elements) : data_(elements.data()) {}
    constexpr explicit(needs_order) tensor_input(const std::array<element, extent>& elements)
        : data_(elements.data()) {}
    constexpr explicit(needs_order) tensor_input(const element (&elements)[extent == 0 ? 1 : extent])
        : data_(elements) {}
    constexpr tensor_input(const tensor_output<Type>& other) : data_(other.storage().data()) {}
    /// A number, for an input that is a tensor of rank 0: the value of a symbol, which the host provides.
    constexpr tensor_input(const element& number)
        requires(Type::type.rank == 0 && Type::type.type == dtype::i64)
        : data_(&number) {}
    template <class Number>
        requires(std::is_arithmetic_v<Number> && (!std::signed_integral<Number> || std::same_as<Number, bool>))
    tensor_input(Number) = delete; // a conversion would lose the fraction or change the value
    /// Throws element_counts_differ.
        template <ahead::detail::sized_later<element> R>
        explicit(needs_order) tensor_input(const R& elements) : data_(std::data(elements)) {
            if (diagnosis d; !has_size(elements, d)) raise(d);
        }
    template <class R>
        requires(std::is_constructible_v<tensor_input, R&>)
    constexpr tensor_input(stored<R> given) : tensor_input(given.elements) {}
    constexpr const element* data() const { return data_; }

    /// Whether the argument has the required number of elements, if its type does not say so.
    template <class R> static bool has_size(const R& given, diagnosis& d) {
        if constexpr (ahead::detail::sized_later<R, element>) {
            const auto size = static_cast<std::size_t>(std::size(given));
            if (size == extent) return true;
            d.op = "run";
            return refuse(d, fault::element_counts_differ,
                          short_text() << extent << " elements for " << print(Type::type).view(), short_text() << size);
        }
        return true;
    }
    template <class R> static bool has_size(const stored<R>& given, diagnosis& d) {
        return has_size(std::as_const(given.elements), d);
    }

private:
    const element* data_;
};

/// A tensor of the caller that the graph writes: afterwards it holds the input's new value. Takes writable memory only.
template <class Type> class tensor_in_out {
public:
    using element = element_t<Type::type.type>;
    static constexpr std::size_t extent = tensor_input<Type>::extent;
    static constexpr bool needs_order = tensor_input<Type>::needs_order;

    constexpr explicit(needs_order) tensor_in_out(std::span<element, extent> elements) : data_(elements.data()) {}
    constexpr explicit(needs_order) tensor_in_out(std::array<element, extent>& elements) : data_(elements.data()) {}
    constexpr explicit(needs_order) tensor_in_out(element (&elements)[extent == 0 ? 1 : extent]) : data_(elements) {}
    /// Throws element_counts_differ.
    template <ahead::detail::sized_later<element> R>
        requires(std::is_same_v<decltype(std::data(std::declval<R&>())), element*>)
    explicit(needs_order) tensor_in_out(R& elements) : data_(std::data(elements)) {
        if (diagnosis d; !has_size(elements, d)) raise(d);
    }
    constexpr explicit(needs_order) tensor_in_out(std::span<element> elements)
        requires(extent != std::dynamic_extent)
        : data_(elements.data()) {
        if (diagnosis d; !has_size(elements, d)) raise(d);
    }
    template <class R>
        requires(std::is_constructible_v<tensor_in_out, R&>)
    constexpr tensor_in_out(stored<R> given) : tensor_in_out(given.elements) {}
    constexpr element* data() const { return data_; }
    template <class R> static bool has_size(const R& given, diagnosis& d) {
        return tensor_input<Type>::has_size(given, d);
    }

private:
    element* data_;
};

/// An output, leased from its session: move-only, and must be destroyed before the session. A range of the tensor's
/// elements in the order of its indices.
///     y(i, j)    y.size()    y.sizes()    y.strides()    y.is_contiguous()    y.copy()
template <class Type> class tensor_output : public tensor_elements<Type> {
    using all = tensor_elements<Type>;

public:
    using typename all::element;

    tensor_output(const element* first, std::int32_t& leases) : first_(first), leases_(&leases) { ++leases; }
    tensor_output(tensor_output&& other) noexcept
        : first_(other.first_), leases_(std::exchange(other.leases_, nullptr)) {}
    tensor_output& operator=(tensor_output&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(leases_, other.leases_);
        return *this;
    }
    ~tensor_output() {
        if (leases_) --*leases_;
    }

    /// The element at these indices, one per dim. In debug builds throws index_is_out_of_range.
    template <class... Index>
        requires(sizeof...(Index) == all::rank)
    const element& operator()(Index... index) const {
        return first_[all::position_of(index...)];
    }
    auto begin() const { return all::begin_at(first_); }
    auto end() const { return all::end_at(first_); }
    /// A copy, for values that must outlive the lease: in the order of the indices.
    std::array<element, all::extent> copy() const {
        std::array<element, all::extent> out{};
        std::copy_n(begin(), all::extent, out.data());
        return out;
    }

    /// The elements, contiguous in their order: of contiguous tensors only.
    const element* data() const
        requires(all::is_contiguous())
    {
        return first_;
    }
    std::span<const element, all::extent> elements() const
        requires(all::is_contiguous())
    {
        return std::span<const element, all::extent>{first_, all::extent};
    }
    /// The memory that holds the elements, from the first to the last one, including any gaps between strides: element
    /// (i, j) is at i * strides()[0] + j * strides()[1].
    std::span<const element, all::storage_extent> storage() const {
        return std::span<const element, all::storage_extent>{first_, all::storage_extent};
    }

private:
    const element* first_;
    std::int32_t* leases_;
};

} // namespace ahead::runtime

namespace AHEAD_NAMESPACE {
using runtime::as_stored;
} // namespace ahead
