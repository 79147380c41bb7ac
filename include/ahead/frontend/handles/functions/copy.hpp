// SPDX-License-Identifier: MIT
// copy_(counter, add(counter, 1)): gives an input or a weight a new value. After a run the caller's tensor holds it, or
// the session for its next run.
// Law: as in PyTorch, what is called later with the same handle, or with a view of it, reads the new value.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// The call of aten.copy_ into a tensor of type To, and its result, which is that tensor. aten.copy says what may be
/// copied into what.
template <class To, class From> struct written {
    using checked = results_of<false, aten::copy, handle<To>, handle<From>>;
    using op = aten::copy_in_place;
    static constexpr result_facts result{value_kind::tensor, To::type, 0, 0};
    static constexpr call_facts facts{op::name, op_facts<op>::base, op_facts<op>::hash, op_facts<op>::id, {&result, 1}};
    using handle_type = handle<std::conditional_t<checked::is_known, To, unknown>>;
};

template <class To, class From>
constexpr typename written<To, From>::handle_type record_copy(call_site where, const handle<To>& to,
                                                              const handle<From>& from) {
    using facts = written<To, From>;
    if constexpr (facts::checked::is_known) {
        const auto made = record_call<facts>(static_cast<std::int32_t>(where.line()), to, from);
        return {made.trace, made.node};
    } else {
        static_cast<void>(typename facts::checked::refusal{});
        return {};
    }
}

} // namespace detail

/// `from` in the dtype and sizes of `to`, to which it broadcasts. Errors: shapes_do_not_broadcast; constant_is_written
/// for a param of role constant, where the graph is compiled.
template <fixed_string Name, class To, class From>
constexpr auto copy_(const input<Name, To>& to, const handle<From>& from, call_site where = call_site::current()) ->
    typename detail::written<To, From>::handle_type {
    return detail::record_copy<To, From>(where, to, from);
}
template <fixed_string Name, class To, input_role Role, class From>
constexpr auto copy_(const param<Name, To, Role>& to, const handle<From>& from, call_site where = call_site::current())
    -> typename detail::written<To, From>::handle_type {
    return detail::record_copy<To, From>(where, to, from);
}

} // namespace ahead
