// SPDX-License-Identifier: MIT
// Constants in a graph written in C++: tensors whose values are stored in the graph. Prepare copies them to the
// constant region.
//     inline constexpr auto net = trace([](input<"x", f32<8, 3>> x) {
//         return outputs(x * constant<"scale", f32<3>>(x, {0.5, 1, 2}));
//     });
// Invariant: every value is an argument of the graph, so constants are for few values; larger tensors are parameters,
// in a file.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Checks that the number of values equals the type's number of elements.
template <fixed_string Name, class Type, std::size_t Count> struct counted_values {
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "constant";
        d.name = Name.view();
        constexpr auto wanted = element_count(Type::type);
        if (is_complex(Type::type.type))
            refuse(d, fault::dtype_is_unsupported, "real numbers: complex constants come with the weights",
                   facts_of(Type::type.type).annotation);
        if (wanted != static_cast<std::int64_t>(Count))
            refuse(d, fault::element_counts_differ,
                   short_text() << wanted << " values for " << print(Type::type).view(), short_text() << Count);
        return d;
    }();
};

template <class Type> using literal_element_t = element_t<Type::type.type>;

template <class A, fixed_string Name, class Type, std::size_t Count>
using constant_handle = handle<
    std::conditional_t<std::same_as<A, unknown> || !counted_values<Name, Type, Count>::error.ok(), unknown, Type>>;

template <fixed_string Name, class Type, std::size_t Count, class A, class T>
constexpr constant_handle<A, Name, Type, Count> record_constant(const handle<A>& beside, const T* values,
                                                                call_site where) {
    using result = constant_handle<A, Name, Type, Count>;
    static_cast<void>(require<counted_values<Name, Type, Count>>{});
    if constexpr (std::same_as<result, handle<unknown>>) {
        return {};
    } else {
        std::array<argument, Count + 1> list{};
        list[0] = {.kind = argument_kind::list, .children = {1, static_cast<std::int32_t>(Count)}};
        for (std::size_t i = 0; i < Count; ++i) {
            if constexpr (std::floating_point<T> || is_small_float<T>)
                list[i + 1] = argument::of(static_cast<double>(values[i]));
            else if constexpr (is_complex_number<T>) list[i + 1] = argument::of(0); // refused
            else if constexpr (std::same_as<T, bool>) list[i + 1] = argument::of(values[i]);
            else list[i + 1] = argument::of(static_cast<std::int64_t>(values[i]));
        }
        return {beside.trace,
                beside.trace->literal(Name.view(), Type::type, list, static_cast<std::int32_t>(where.line()))};
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// A constant tensor of type Type, its elements in row-major order. The handle is any tensor of the trace: it
/// identifies the trace.
/// Errors: element_counts_differ.
template <core::fixed_string Name, class Type, class A, std::size_t Count>
constexpr auto constant(const handle<A>& beside, const detail::literal_element_t<Type> (&values)[Count],
                        call_site where = call_site::current()) -> detail::constant_handle<A, Name, Type, Count> {
    return detail::record_constant<Name, Type, Count>(beside, &values[0], where);
}
template <core::fixed_string Name, class Type, class A, std::size_t Count>
constexpr auto constant(const handle<A>& beside, const std::array<detail::literal_element_t<Type>, Count>& values,
                        call_site where = call_site::current()) -> detail::constant_handle<A, Name, Type, Count> {
    return detail::record_constant<Name, Type, Count>(beside, values.data(), where);
}
/// A constant of one element, also of rank 0: constant<"two", f32<>>(x, 2).
template <core::fixed_string Name, class Type, class A>
constexpr auto constant(const handle<A>& beside, detail::literal_element_t<Type> value,
                        call_site where = call_site::current()) -> detail::constant_handle<A, Name, Type, 1> {
    return detail::record_constant<Name, Type, 1>(beside, &value, where);
}

} // namespace ahead::ops
