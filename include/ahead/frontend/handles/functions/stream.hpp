// SPDX-License-Identifier: MIT
// Streams in a graph written in C++, in the words of TorchAir: what is called between scope_enter and scope_exit runs
// on a stream of its own, and record, wait and tagged events order streams among each other.
//     scope_enter<"stream_1">(x);
//     auto a = abs(mm(x, x));
//     auto done = record(a);
//     scope_exit(a);
//     wait(done);
// These calls stand where they are written; the handle that most of them take, any of the graph at hand, says only
// which graph that is.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE {

/// What follows is on the stream of this label, "default" for the main one, up to its scope_exit. Errors, where the
/// graph is compiled: scope_is_not_left.
template <fixed_string Label, class A>
constexpr void scope_enter(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::scope_enter>(here, where, words<"_user_stream_label">{}, words<Label>{}));
}
/// A scope with attributes, whose keys air/streams.hpp lists: scope_enter(x, words<"_op_aicore_num",
/// "_op_vectorcore_num">{}, words<"12", "24">{}).
template <class A, fixed_string... Keys, fixed_string... Values>
constexpr void scope_enter(const handle<A>& here, words<Keys...> keys, words<Values...> values,
                           call_site where = call_site::current()) {
    static_cast<void>(call_in<air::scope_enter>(here, where, keys, values));
}
/// Errors, where the graph is compiled: scope_is_not_entered.
template <class A> constexpr void scope_exit(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::scope_exit>(here, where));
}

namespace detail {
/// A scope that is left where its life ends.
class open_scope {
public:
    template <class A, class Keys, class Values>
    constexpr open_scope(const handle<A>& here, call_site where, Keys keys, Values values)
        : here_(here), where_(where), records_(!std::same_as<A, unknown>) {
        scope_enter(here, keys, values, where);
    }
    open_scope(const open_scope&) = delete;
    constexpr ~open_scope() {
        if (records_) scope_exit(handle<f32<>>(here_.trace, here_.node), where_);
    }

private:
    any_handle here_;
    call_site where_;
    bool records_;
};
/// The same with attributes that its type says.
template <class Keys, class Values> class scope_of {
public:
    template <class A>
    constexpr explicit scope_of(const handle<A>& here, call_site where = call_site::current())
        : scope_(here, where, Keys{}, Values{}) {}

private:
    open_scope scope_;
};
} // namespace detail

/// scope_enter and scope_exit as the life of an object: { npu_stream_switch<"stream_1"> side(x); ... }. The priority is
/// reserved, as in TorchAir: another one than "0" is refused where the graph is compiled (option_is_out_of_range).
template <fixed_string Label, fixed_string Priority = "0">
using npu_stream_switch =
    detail::scope_of<words<"_user_stream_label", "_user_stream_priority">, words<Label, Priority>>;

/// The same of cores: { limit_core_num<"12", "24"> half(x); ... }: no task made of what is called meanwhile has more AI
/// cores and vector cores than that. Errors, where the graph is compiled: core_limit_is_out_of_range.
template <fixed_string AiCores, fixed_string VectorCores>
using limit_core_num = detail::scope_of<words<"_op_aicore_num", "_op_vectorcore_num">, words<AiCores, VectorCores>>;

/// The same of super kernels: { super_kernel<"sp1"> one(x); ... }: the tasks made of what is called meanwhile are one
/// launch where they can be (plan/super_kernels.hpp), and with "strict-scope-check=abort" nothing else. A name of "" is
/// none. Errors, where the graph is compiled: super_kernel_option_is_invalid, super_kernel_is_apart.
template <fixed_string Name, fixed_string Options = "">
using super_kernel = detail::scope_of<words<"_super_kernel_scope", "_super_kernel_options">, words<Name, Options>>;

/// This point on the stream at hand, to be waited for.
template <class A> constexpr auto record(const handle<A>& here, call_site where = call_site::current()) {
    return call_in<air::record>(here, where);
}
/// What follows on this stream waits for these records, and for the calls that made these tensors.
template <class A> constexpr void wait(const handle<A>& a, call_site where = call_site::current()) {
    static_cast<void>(call<air::wait>(where, tensors<A>(a)));
}
template <class A, class B>
constexpr void wait(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    static_cast<void>(call<air::wait>(where, tensors<A, B>(a, b)));
}
template <class A, class B, class C>
constexpr void wait(const handle<A>& a, const handle<B>& b, const handle<C>& c,
                    call_site where = call_site::current()) {
    static_cast<void>(call<air::wait>(where, tensors<A, B, C>(a, b, c)));
}
/// self, as who waits for the dependency as well reads it. In max_autotune only: reduce_overhead refuses it
/// (mode_has_no_wait_tensor).
template <class A, class B>
constexpr auto npu_wait_tensor(const handle<A>& self, const handle<B>& dependency,
                               call_site where = call_site::current()) {
    return call<air::wait_tensor>(where, self, dependency);
}

/// Events by name. Errors, where the graph is compiled: tagged_event_is_in_use, tagged_event_is_not_in_use.
template <fixed_string Tag, class A>
constexpr void npu_tagged_event_record(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::tagged_event_record>(here, where, word<Tag>{}));
}
template <fixed_string Tag, class A>
constexpr void npu_tagged_event_wait(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::tagged_event_wait>(here, where, word<Tag>{}));
}
/// The stream of this label reads the tensor: its memory is kept until that has been done.
template <fixed_string Label, class A>
constexpr void npu_record_tagged_stream(const handle<A>& input, call_site where = call_site::current()) {
    static_cast<void>(call<air::record_tagged_stream>(where, input, word<Label>{}));
}

} // namespace ahead
