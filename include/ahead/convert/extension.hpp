// SPDX-License-Identifier: MIT
// The entities that a user's struct adds to a toolchain: a converter, a decomposition, a device operator or an
// operator. The names in a struct determine its kind. If it lacks members of that kind, one error lists the members
// that such a struct has. Device operators are checked by device/device_operator.hpp.
// Invariant: an incomplete struct adds nothing, and a compilation with the toolchain does not report a second error.
// Called by toolchain.hpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/convert/pointwise.hpp>
#include <ahead/core/require.hpp>
#include <ahead/device/ai_cpu.hpp>
#include <ahead/device/device_operator.hpp>
#include <ahead/pass/derivative.hpp>
#include <ahead/pass/written_decomposition.hpp>

namespace AHEAD_NAMESPACE::convert {

/// Each is instantiated only for a struct that is not one of its kind: its static_assert is the error.
template <class Mine, bool IsOne = false> struct checked_converter {
    static_assert(IsOne,
                  "a converter has: using op = an operator struct; static constexpr bool "
                  "convert(convert_context&); where it says its cases, using supported = cases<...>; where dtypes "
                  "without kernels are no matter to it, static constexpr bool takes_any_dtype = true");
};
template <class Mine, bool IsOne = false> struct checked_decomposition {
    static_assert(IsOne,
                  "a decomposition has: using op = an operator struct; static constexpr auto decomposition = "
                  "[](any<\"self\"> x) { return ...; }, or static constexpr "
                  "std::int32_t most_calls and void decompose(decompose_context&); where it has a condition, static "
                  "constexpr bool when(const call_view&); where it says its cases, using supported = cases<...>");
};
template <class Mine, bool IsOne = false> struct checked_pointwise_operator {
    static_assert(IsOne, "a pointwise operator has: static constexpr std::string_view name; static constexpr parameter "
                         "schema[]; template <class T> static constexpr T "
                         "meaning(T, ...) of one value per parameter; and is an aten::pointwise, unary or binary");
};
template <class Mine, bool IsOne = false> struct checked_extension {
    static_assert(IsOne, "toolchain::with takes converters (op, convert), decompositions (op, decomposition or "
                         "decompose), device operators (name, schema, infer, key) and "
                         "operators (name, schema, infer)");
};

} // namespace ahead::convert
namespace AHEAD_NAMESPACE::detail {

template <class DeviceOps, class Converters, class... Decompositions> struct extension {
    static constexpr bool is_refused = false;
    using device_ops = DeviceOps;
    using converters = Converters;
    using decompositions = pass::decomposition_list<Decompositions...>;
};
/// The extension of a struct for which Error was reported.
template <class Error> struct no_extension : extension<op_list<>, convert::converter_list<>> {
    static constexpr bool is_refused = requires { sizeof(Error); } || true; // is_reported<Error> prints one more line
};

template <class Mine>
concept says_op = requires { typename Mine::op; };
template <class Mine>
concept says_convert = requires { &Mine::convert; };
template <class Mine>
concept says_decomposition = requires { &Mine::decomposition; };
template <class Mine>
concept says_decompose = requires { &Mine::decompose; } || requires(decompose_context& c) { Mine::decompose(c); };
template <class Mine>
concept says_key = requires { &Mine::key; } || requires(const call_view& c) { Mine::key(c); };
template <class Mine>
concept says_meaning = requires {
    Mine::operands;
    Mine::rule;
};

template <class T> inline constexpr bool is_cases = false;
template <class... Supports> inline constexpr bool is_cases<cases<Supports...>> = true;
template <class Mine>
concept says_cases_if_any =
    requires { requires is_cases<typename Mine::supported>; } || !requires { typename Mine::supported; };

template <class Mine>
concept converter_like =
    says_op<Mine> && says_cases_if_any<Mine> && requires { static_cast<convert::convert_function>(&Mine::convert); } &&
    (!requires { Mine::takes_any_dtype; } || requires {
        requires std::same_as<decltype(Mine::takes_any_dtype), const bool>;
    });

/// Whether a decomposition's lambda takes operands and returns the values that replace the call.
template <class F, class List> inline constexpr bool gives_handles = false;
template <class F, class... P>
    requires(is_pattern<P> && ...)
inline constexpr bool gives_handles<F, parameter_list<P...>> = [] {
    using result = std::remove_cvref_t<std::invoke_result_t<const F&, P...>>;
    return is_outputs<result> || requires(const result& r) { r.node; };
}();
template <class F>
concept expression_like = std::is_empty_v<F> && requires { parameters_of(&F::operator()); } &&
                          gives_handles<F, decltype(parameters_of(&F::operator()))>;
template <class Mine>
concept decomposition_like =
    says_op<Mine> && says_cases_if_any<Mine> &&
    (requires { requires expression_like<std::remove_cv_t<decltype(Mine::decomposition)>>; } ||
     requires(decompose_context& c) {
         typename std::bool_constant<(Mine::most_calls > 0)>;
         Mine::decompose(c);
     }) && (requires(const call_view& c) { bool{Mine::when(c)}; } || !requires { &Mine::when; });

/// Whether a meaning takes a value for each parameter of the schema.
template <class Mine, class T> constexpr bool takes_parameters() {
    return []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return requires(T x) { T(Mine::meaning((static_cast<void>(Nth), x)...)); };
    }(std::make_index_sequence<std::size(Mine::schema)>{});
}
template <class Mine>
concept pointwise_operator_like =
    operator_like<Mine> &&
    takes_parameters<Mine, std::conditional_t<aten::contains(Mine::accepts, dtype::f32), float, std::int64_t>>();

/// The extension of a toolchain by one of a user's structs.
template <class Mine> constexpr auto extension_by() {
    if constexpr (says_convert<Mine> || says_decomposition<Mine> || says_decompose<Mine> || says_op<Mine>) {
        constexpr bool is_written = says_decomposition<Mine> || says_decompose<Mine>;
        if constexpr (says_convert<Mine> || !is_written) {
            if constexpr (!converter_like<Mine>) return no_extension<convert::checked_converter<Mine>>{};
            else if constexpr (!operator_like<typename Mine::op>)
                return no_extension<checked_operator<typename Mine::op>>{};
            else return extension<op_list<>, convert::converter_list<Mine>>{};
        } else if constexpr (!decomposition_like<Mine>) return no_extension<convert::checked_decomposition<Mine>>{};
        else if constexpr (!operator_like<typename Mine::op>)
            return no_extension<checked_operator<typename Mine::op>>{};
        else if constexpr (says_decomposition<Mine>)
            return extension<op_list<>, convert::converter_list<>, pass::written_decomposition<Mine>>{};
        else return extension<op_list<>, convert::converter_list<>, Mine>{};
    } else if constexpr (says_key<Mine>) {
        if constexpr (device::device_operator_like<Mine>) return extension<op_list<Mine>, convert::converter_list<>>{};
        else return no_extension<device::checked_device_operator<Mine>>{};
    } else if constexpr (says_meaning<Mine>) {
        if constexpr (says_derivative<Mine> && pointwise_operator_like<Mine> && !pass::differentiable<Mine>)
            return no_extension<pass::checked_derivative<Mine>>{};
        else if constexpr (pointwise_operator_like<Mine>)
            return extension<op_list<device::pointwise<Mine>>, convert::converter_list<convert::pointwise<Mine>>>{};
        else return no_extension<convert::checked_pointwise_operator<Mine>>{};
    } else if constexpr (operator_like<Mine> && says_derivative<Mine> && !pass::differentiable<Mine>) {
        return no_extension<pass::checked_derivative<Mine>>{};
    } else if constexpr (operator_like<Mine>) {
        return extension<op_list<device::ai_cpu<Mine>>, convert::converter_list<>>{};
    } else if constexpr (requires { Mine::name; } || requires { Mine::schema; } || requires { &Mine::infer; }) {
        return no_extension<checked_operator<Mine>>{};
    } else {
        return no_extension<convert::checked_extension<Mine>>{};
    }
}
template <class Mine> using extension_of = decltype(extension_by<Mine>());

} // namespace ahead::detail
