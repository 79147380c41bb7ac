// SPDX-License-Identifier: MIT
// copy_(counter, add(counter, 1)): gives an input or a weight a new value. After a run the caller's tensor holds it,
// or, for a weight, the session keeps it for its next run.
// Law: as in PyTorch, later calls with the same handle, or with a view of it, read the new value.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The call of aten.copy_ on a tensor of type To, and its result, which is that tensor. The type rule of aten.copy
/// decides which types may be copied.
template <class To, class From, class Checked = results_of<false, aten::copy, handle<To>, handle<From>>>
struct written : Checked {
    using op = aten::copy_in_place;
    static constexpr result_facts result{value_kind::tensor, To::type, 0, 0};
    static constexpr call_facts facts{op::name, op_facts<op>::base, op_facts<op>::hash, op_facts<op>::id, {&result, 1}};
    using all = handle<std::conditional_t<Checked::is_known, To, unknown>>;
    static constexpr all get_all(ops::any_handle to, std::int32_t) { return {to.trace, to.node}; }
};

template <class To, class From>
constexpr typename written<To, From>::all copy_to(const handle<To>& to, const handle<From>& from, call_site where) {
    return record_call<written<To, From>, typename written<To, From>::all>(nullptr, where, to, from);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// Copies `from` to `to`, converted to its dtype and broadcast to its sizes. Errors: shapes_do_not_broadcast;
/// constant_is_written for a param of role constant, when the graph is compiled.
template <core::fixed_string Name, class To, class From>
constexpr auto copy_(const input<Name, To>& to, const handle<From>& from, call_site where = call_site::current()) {
    return detail::copy_to<To, From>(to, from, where);
}
template <core::fixed_string Name, class To, ir::input_role Role, class From>
constexpr auto copy_(const param<Name, To, Role>& to, const handle<From>& from,
                     call_site where = call_site::current()) {
    return detail::copy_to<To, From>(to, from, where);
}

} // namespace ahead::ops
