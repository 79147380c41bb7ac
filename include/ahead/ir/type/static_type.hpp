// SPDX-License-Identifier: MIT
// Tensor types as C++ types, flat: f32<2, 3> is a row-major tensor, strided<...> any other. Handles, session inputs and
// leases have these types.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::ir {

/// A list of integers as a template argument: sizes, strides, dims, paddings.
template <std::int64_t... Values> struct ints {
    static constexpr std::int64_t size = sizeof...(Values);
};

/// Python's None as an argument.
struct none {
    friend constexpr bool operator==(none, none) = default;
};

// Arguments that determine a type are types: ints<...>, none and these.
template <std::int64_t Value> struct integer {};
template <bool Value> struct flag {};
template <dtype Type> struct dtype_is {};
template <fixed_string Text> struct word {
    static constexpr fixed_string text = Text;
};

/// A list of bools.
template <bool... Values> struct flags {};

/// A list of strings.
template <fixed_string... Texts> struct words {};

/// An argument given by name, as required for those after the `*` of a schema.
template <fixed_string Name, class T> struct keyword {
    static constexpr fixed_string name = Name;
    T value{};
};

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// tensor_of, or a type of rank 0 if no tensor has these sizes, so that the user sees one error only.
constexpr tensor_type type_or_scalar(dtype type, std::initializer_list<std::int64_t> sizes) {
    if (sizes.size() <= max_rank)
        if (const auto t = tensor_of(type, sizes); is_addressable(t)) return t;
    return tensor_of(type, {});
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The type of a row-major tensor in a new storage.
template <dtype Type, std::int64_t... Sizes> struct dense {
    static constexpr tensor_type type = detail::type_or_scalar(Type, {Sizes...});
    static_assert(type.rank == sizeof...(Sizes),
                  "a tensor has at most 8 sizes, each at least 0, and fewer than 2^48 elements");
};

/// The type of any other tensor, such as a view. Strides and offset are in elements.
template <dtype Type, class Sizes, class Strides, std::int64_t Offset> struct strided;
template <dtype Type, std::int64_t... Sizes, std::int64_t... Strides, std::int64_t Offset>
struct strided<Type, ints<Sizes...>, ints<Strides...>, Offset> {
    static constexpr tensor_type type = [] {
        auto type = tensor_of(Type, {Sizes...});
        type.strides = {Strides...};
        type.offset = Offset;
        return type;
    }();
    static_assert(is_addressable(type),
                  "a tensor has sizes and strides of at least 0, and fewer than 2^48 elements and places");
};

/// The type of a tensor that a device operator has repacked for its kernel.
template <dtype Type, std::int64_t Elements> struct packed {
    static constexpr tensor_type type = [] {
        auto t = tensor_of(Type, {Elements});
        t.layout = memory_layout::packed;
        return t;
    }();
};

template <std::int64_t... Sizes> using c128 = dense<dtype::c128, Sizes...>;
template <std::int64_t... Sizes> using c64 = dense<dtype::c64, Sizes...>;
template <std::int64_t... Sizes> using f64 = dense<dtype::f64, Sizes...>;
template <std::int64_t... Sizes> using f32 = dense<dtype::f32, Sizes...>;
template <std::int64_t... Sizes> using f16 = dense<dtype::f16, Sizes...>;
template <std::int64_t... Sizes> using bf16 = dense<dtype::bf16, Sizes...>;
template <std::int64_t... Sizes> using f8_e4m3 = dense<dtype::f8_e4m3, Sizes...>;
template <std::int64_t... Sizes> using f8_e5m2 = dense<dtype::f8_e5m2, Sizes...>;
template <std::int64_t... Sizes> using i64 = dense<dtype::i64, Sizes...>;
template <std::int64_t... Sizes> using i32 = dense<dtype::i32, Sizes...>;
template <std::int64_t... Sizes> using i16 = dense<dtype::i16, Sizes...>;
template <std::int64_t... Sizes> using i8 = dense<dtype::i8, Sizes...>;
template <std::int64_t... Sizes> using u64 = dense<dtype::u64, Sizes...>;
template <std::int64_t... Sizes> using u32 = dense<dtype::u32, Sizes...>;
template <std::int64_t... Sizes> using u16 = dense<dtype::u16, Sizes...>;
template <std::int64_t... Sizes> using u8 = dense<dtype::u8, Sizes...>;
template <std::int64_t... Sizes> using b8 = dense<dtype::b8, Sizes...>;

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// Whether dense<...> represents the type exactly, including strides of dims of size 1.
constexpr bool is_row_major(const tensor_type& t) { return t.offset == 0 && has_row_major_strides(t); }
template <class Holder, std::size_t... D> constexpr auto exact_type_of(std::index_sequence<D...>) {
    constexpr const tensor_type& t = Holder::type;
    if constexpr (t.layout == memory_layout::packed) return packed<t.type, element_count(t)>{};
    else if constexpr (is_row_major(t)) return dense<t.type, t.size(static_cast<int>(D))...>{};
    else
        return strided<t.type, ints<t.size(static_cast<int>(D))...>, ints<t.stride(static_cast<int>(D))...>,
                       t.offset>{};
}
template <class Holder, std::size_t... D> constexpr auto static_type_of(std::index_sequence<D...>) {
    constexpr const tensor_type& t = Holder::type;
    if constexpr (is_contiguous(t) && t.offset == 0) return dense<t.type, t.size(static_cast<int>(D))...>{};
    else
        return strided<t.type, ints<t.size(static_cast<int>(D))...>, ints<t.stride(static_cast<int>(D))...>,
                       t.offset>{};
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The C++ type for Holder::type, a static constexpr tensor_type: exact_type<Holder>::type == Holder::type.
template <class Holder>
using exact_type =
    decltype(detail::exact_type_of<Holder>(std::make_index_sequence<static_cast<std::size_t>(Holder::type.rank)>{}));

/// The same for readers of the elements only: dense<...> also if dims of size 1 have other strides than row-major order
/// gives.
template <class Holder>
using static_type =
    decltype(detail::static_type_of<Holder>(std::make_index_sequence<static_cast<std::size_t>(Holder::type.rank)>{}));

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::b8, ir::bf16, ir::c128, ir::c64, ir::dense, ir::dtype_is, ir::f16, ir::f32, ir::f64, ir::f8_e4m3, ir::f8_e5m2,
    ir::flag, ir::flags, ir::i16, ir::i32, ir::i64, ir::i8, ir::integer, ir::ints, ir::keyword, ir::none, ir::strided,
    ir::u16, ir::u32, ir::u64, ir::u8, ir::word, ir::words;
} // namespace ahead
