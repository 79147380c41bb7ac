// SPDX-License-Identifier: MIT
// The contract of a device operator. In addition to name, schema and infer (see ir/registry.hpp), its struct has
//     static constexpr K key(const call_view&);            // small structural value; one kernel for each key
// and may have
//     static constexpr std::int64_t workspace(const K&);   // bytes, where the kernel needs some
//     static constexpr bool may_overwrite(const call_view&, int i);   // result 0 may take argument i's memory
//     static constexpr bool each_may_overwrite = true;     // each result of its type may, not result 0 alone
//     static constexpr bool joins(const call_view&);       // npu.concat: operands may be written into the result
//     static constexpr epilogue_key epilogue(const call_view&);       // applied to the sums before they are written,
//                                                          // with has_epilogue and step_ops (key/epilogue.hpp)
//     static constexpr machine::work work(const call_view&);           // or, next to the key, work_of(const K&);
//                                                          // plus `const steps* costs` if it runs others' steps
// and the members for cores (partition.hpp), for a bounded dim (bounded.hpp) and for several kernels of a key
// (kernel_choice.hpp).
// clang reads the members of a template argument at wrong addresses if there is padding both between its members and at
// its end: members of one byte are declared one after the other, before the larger ones. Refused if the key has
// AHEAD_FIELDS (core/fields.hpp).
// Invariant: a key holds all that a kernel knows at compile time. convert/extension.hpp checks this for a user's
// operators, tests/static/parameters.test.cpp for the library's.
#pragma once
#include <ahead/device/key/epilogue.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device::detail {

template <auto> struct template_argument;
/// Whether a key may be a template argument: none of its members is private, and their types may be template arguments,
/// too. Checked on a default-constructed key; keys without a default constructor are not checked.
template <class K>
concept structural = !std::default_initializable<K> || requires { typename template_argument<K{}>; };

/// Whether K, or a part of it, has padding both between members and at its end. Only for classes with fields().
template <class K> constexpr bool is_padded_twice() {
    const auto list = [](std::string_view, const auto&, const auto&) {};
    bool out = false;
    if constexpr (std::default_initializable<K> && requires(const K& k) { fields(k, k, list); }) {
        std::size_t end = 0;
        bool is_padded = false;
        const auto add = [&]<class T>(std::string_view, const T&, const T&) {
            const auto at = (end + alignof(T) - 1) / alignof(T) * alignof(T);
            is_padded = is_padded || at != end;
            end = at + sizeof(T);
            out = out || is_padded_twice<T>();
        };
        fields(K{}, K{}, add);
        out = out || (is_padded && end != sizeof(K));
    }
    return out;
}

} // namespace ahead::device::detail
namespace AHEAD_NAMESPACE::detail {

template <class Op>
concept keyed_operator =
    operator_shaped<Op> && std::string_view(Op::name).starts_with("npu.") && requires(const call_view& c) {
        { Op::key(c) } -> device::detail::structural;
    };
template <class Op>
concept key_fits = !keyed_operator<Op> ||
    !device::detail::is_padded_twice<std::remove_cvref_t<decltype(Op::key(std::declval<const call_view&>()))>>();
template <class Op>
concept needs_fit = (!requires { &Op::workspace; } || requires(const call_view& c) {
    { Op::workspace(Op::key(c)) } -> std::same_as<std::int64_t>;
}) && (!requires { &Op::joins; } || requires(const call_view& c) {
    { Op::joins(c) } -> std::same_as<bool>;
});
template <class Op>
concept work_fits = (!requires { &Op::work; } || requires(const call_view& c) {
    { Op::work(c) } -> std::same_as<machine::work>;
} || requires(const call_view& c, const machine::steps* costs) {
    { Op::work(c, costs) } -> std::same_as<machine::work>;
}) && (!requires(const call_view& c) { work_of(Op::key(c)); } || requires(const call_view& c) {
    { work_of(Op::key(c)) } -> std::same_as<machine::work>;
});
template <class Op>
concept epilogue_fits = !requires { &Op::epilogue; } || requires(const call_view& c) {
    { Op::epilogue(c) } -> std::same_as<device::epilogue_key>;
    { Op::has_epilogue(c) } -> std::same_as<bool>;
    { Op::step_ops(c) } -> std::same_as<device::step_ops>;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::device {

/// The contract described at the top of this file.
template <class Op>
concept device_operator_like = operator_like<Op> && ahead::detail::keyed_operator<Op> && ahead::detail::key_fits<Op> &&
    ahead::detail::needs_fit<Op> && ahead::detail::work_fits<Op> && ahead::detail::epilogue_fits<Op>;

/// Reports one error that says what a device operator is if Op is not one.
template <class Op, bool IsOne = device_operator_like<Op>> struct checked_device_operator {
    static constexpr bool is_whole = ahead::detail::keyed_operator<Op>;
    static_assert(is_whole, "a device operator has: static constexpr std::string_view name, which begins with npu.; "
                            "static constexpr parameter schema[]; static constexpr bool infer(infer_context&); K "
                            "key(const call_view&) of a K that may be a template's argument");
    static constexpr bool key_fits = ahead::detail::key_fits<Op>;
    static_assert(key_fits,
                  "the key of a device operator has padding between its members and at its end, and clang reads "
                  "such keys wrong: declare members of one byte together, before the larger ones");
    static_assert(
        !is_whole || !key_fits || IsOne,
        "a device operator may have: std::int64_t workspace(const K&); bool may_overwrite(const call_view&, "
        "int); bool joins(const call_view&); machine::work work(const call_view&), or machine::work work_of(K) "
        "beside its key; epilogue, has_epilogue and step_ops, as device/key/epilogue.hpp");
};

} // namespace ahead::device
