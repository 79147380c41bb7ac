// SPDX-License-Identifier: MIT
// Streams in a graph written in C++, named as in TorchAir: calls between scope_enter and scope_exit run on a separate
// stream, and record, wait and tagged events order the streams.
//     scope_enter<"stream_1">(x);
//     auto a = abs(mm(x, x));
//     auto done = record(a);
//     scope_exit(a);
//     wait(done);
// These calls keep their place among the other calls; the handle that most of them take, any of the graph, only
// identifies the graph.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// Later calls are on the stream of this label, "default" for the main one, up to its scope_exit. Errors, when the
/// graph is compiled: scope_is_not_left.
template <fixed_string Label, class A>
constexpr void scope_enter(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::scope_enter>(here, where, words<"_user_stream_label">{}, words<Label>{}));
}
/// A scope with attributes, whose keys are listed in air/streams.hpp: scope_enter(x, words<"_op_aicore_num",
/// "_op_vectorcore_num">{}, words<"12", "24">{}).
template <class A, fixed_string... Keys, fixed_string... Values>
constexpr void scope_enter(const handle<A>& here, words<Keys...> keys, words<Values...> values,
                           call_site where = call_site::current()) {
    static_cast<void>(call_in<air::scope_enter>(here, where, keys, values));
}
/// Errors, when the graph is compiled: scope_is_not_entered.
template <class A> constexpr void scope_exit(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::scope_exit>(here, where));
}

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

/// A scope that its destructor leaves.
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
    ops::any_handle here_;
    call_site where_;
    bool records_;
};
/// The same with attributes given by its type.
template <class Keys, class Values> class scope_of {
public:
    template <class A>
    constexpr explicit scope_of(const handle<A>& here, call_site where = call_site::current())
        : scope_(here, where, Keys{}, Values{}) {}

private:
    open_scope scope_;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// scope_enter and scope_exit as an object's lifetime: { npu_stream_switch<"stream_1"> side(x); ... }. The priority is
/// reserved, as in TorchAir: values other than "0" are refused when the graph is compiled (option_is_out_of_range).
template <fixed_string Label, fixed_string Priority = "0">
using npu_stream_switch =
    detail::scope_of<words<"_user_stream_label", "_user_stream_priority">, words<Label, Priority>>;

/// The same for core limits: { limit_core_num<"12", "24"> half(x); ... }: no task of the calls in the scope uses more
/// AI cores and vector cores. Errors, when the graph is compiled: core_limit_is_out_of_range.
template <fixed_string AiCores, fixed_string VectorCores>
using limit_core_num = detail::scope_of<words<"_op_aicore_num", "_op_vectorcore_num">, words<AiCores, VectorCores>>;

/// The same for super kernels: { super_kernel<"sp1"> one(x); ... }: the tasks of the calls in the scope are one launch
/// if possible (plan/super_kernels.hpp), and with "strict-scope-check=abort" otherwise an error. The name "" means
/// none. Errors, when the graph is compiled: super_kernel_option_is_invalid, super_kernel_is_apart.
template <fixed_string Name, fixed_string Options = "">
using super_kernel = detail::scope_of<words<"_super_kernel_scope", "_super_kernel_options">, words<Name, Options>>;

/// Records this point of the current stream, for wait.
template <class A> constexpr auto record(const handle<A>& here, call_site where = call_site::current()) {
    return call_in<air::record>(here, where);
}
/// Later calls on this stream wait for these records, and for the calls that made these tensors.
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
/// self; readers of the result also wait for the dependency. In max_autotune only: reduce_overhead refuses it
/// (mode_has_no_wait_tensor).
template <class A, class B>
constexpr auto npu_wait_tensor(const handle<A>& self, const handle<B>& dependency,
                               call_site where = call_site::current()) {
    return call<air::wait_tensor>(where, self, dependency);
}

/// Named events. Errors, when the graph is compiled: tagged_event_is_in_use, tagged_event_is_not_in_use.
template <fixed_string Tag, class A>
constexpr void npu_tagged_event_record(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::tagged_event_record>(here, where, word<Tag>{}));
}
template <fixed_string Tag, class A>
constexpr void npu_tagged_event_wait(const handle<A>& here, call_site where = call_site::current()) {
    static_cast<void>(call_in<air::tagged_event_wait>(here, where, word<Tag>{}));
}
/// The stream of this label reads the tensor: its memory is kept until then.
template <fixed_string Label, class A>
constexpr void npu_record_tagged_stream(const handle<A>& input, call_site where = call_site::current()) {
    static_cast<void>(call<air::record_tagged_stream>(where, input, word<Label>{}));
}

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::limit_core_num, frontend::npu_stream_switch, frontend::record, frontend::scope_enter,
    frontend::scope_exit, frontend::super_kernel, frontend::wait;
} // namespace ahead
