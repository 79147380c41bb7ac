// SPDX-License-Identifier: MIT
// The operators that assign calls to streams, as torchair.scope and torchair.ops write them into a graph: scope_enter
// and scope_exit (npu_stream_switch, limit_core_num, super_kernel), record and wait, tagged events,
// record_tagged_stream, wait_tensor. air/stream_map.hpp reads them.
// Invariant: none computes a value, and none moves: they are never pruned or merged, and ordered calls never pass them.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/air/super_kernel_options.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::air {

/// air.scope_enter(str[] keys, str[] values, bool need_execute=False) -> (): the calls up to its scope_exit have these
/// attributes. "_user_stream_label" selects the stream; "_op_aicore_num" and "_op_vectorcore_num" limit the device
/// cores of each task, from 1 up (core_limit_is_out_of_range); "_super_kernel_scope" selects the tasks that form one
/// launch (plan/super_kernels.hpp), with "_super_kernel_options" (super_kernel_option_is_invalid).
/// "_op_exec_never_timeout" is kept and printed, without effect, because tasks have no timeouts here; need_execute
/// changes nothing either. "_user_stream_priority" is reserved, as in TorchAir, and must be 0 (option_is_out_of_range).
/// Other keys are refused: a misspelt label would have no effect.
struct scope_enter {
    static constexpr std::string_view name = "air.scope_enter.default"sv;
    static constexpr std::string_view known_keys[] = {
        stream_label_key,         "_user_stream_priority", ai_cores_key, vector_cores_key, super_kernel_key,
        super_kernel_options_key, "_op_exec_never_timeout"};
    enum at : int { keys, values, need_execute };
    static constexpr parameter schema[] = {required("keys", parameter_kind::string_list),
                                           required("values", parameter_kind::string_list),
                                           defaulted("need_execute", parameter_kind::boolean, argument::of(false))};
    static constexpr effects effect{.has_side_effect = true};
    static constexpr bool infer(infer_context& c) {
        c.in().header().has_streams = true;
        if (c.list_size(at::keys) != c.list_size(at::values))
            return c.refuse(fault::scope_keys_and_values_differ,
                            short_text() << c.list_size(at::keys) << " values, one per key",
                            short_text() << c.list_size(at::values));
        for (std::int32_t k = 0; k < c.list_size(at::keys); ++k) {
            bool known = false;
            for (auto key : known_keys) known = known || same_name(key, c.element(at::keys, k).text);
            const auto key = c.element(at::keys, k).text, value = c.element(at::values, k).text;
            if (!known)
                return c.refuse(fault::argument_has_wrong_kind, "keys of TorchAir's scopes, such as _user_stream_label",
                                key);
            if ((same_name(key, ai_cores_key) || same_name(key, vector_cores_key)) && read_core_count(value) < 1)
                return c.refuse(fault::core_limit_is_out_of_range, short_text(key) << " of at least 1",
                                short_text("'") << value << "'");
            if (same_name(key, "_user_stream_priority") && !same_name(value, "0"))
                return c.refuse(fault::option_is_out_of_range,
                                "a priority of 0: the plan orders the streams of a program", value);
            if (short_text expected, found;
                same_name(key, super_kernel_options_key) && !check_super_kernel_options(value, expected, found))
                return c.refuse(fault::super_kernel_option_is_invalid, expected, found);
        }
        return c.results(0);
    }
};

/// air.scope_exit(bool need_execute=False) -> ()
struct scope_exit {
    static constexpr std::string_view name = "air.scope_exit.default"sv;
    enum at : int { need_execute };
    static constexpr parameter schema[] = {defaulted("need_execute", parameter_kind::boolean, argument::of(false))};
    static constexpr effects effect{.has_side_effect = true};
    static constexpr bool infer(infer_context& c) {
        c.in().header().has_streams = true;
        return c.results(0);
    }
};

/// air.record(*, Device? device=None) -> Tensor: a point on its stream, f32[0], for wait.
struct record {
    static constexpr std::string_view name = "air.record.default"sv;
    enum at : int { device };
    static constexpr parameter schema[] = {defaulted("device", parameter_kind::device)};
    static constexpr effects effect{.has_side_effect = true};
    static constexpr bool infer(infer_context& c) {
        c.in().header().has_streams = true;
        return c.result(tensor_of(dtype::f32, {0}));
    }
    static constexpr void evaluate(auto&) {} // no elements
};

/// air.wait(Tensor[] x) -> (): later calls on this stream wait for these records, and for the calls that made these
/// tensors.
struct wait {
    static constexpr std::string_view name = "air.wait.default"sv;
    enum at : int { x };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor_list)};
    static constexpr effects effect{.has_side_effect = true, .picks_results = true};
    static constexpr bool infer(infer_context& c) {
        c.in().header().has_streams = true;
        if (c.list_size(at::x) == 0)
            return c.refuse(fault::wait_is_on_nothing, "at least one record or tensor", "an empty list");
        for (std::int32_t k = 0; k < c.list_size(at::x); ++k)
            if (c.element(at::x, k).kind != argument_kind::node)
                return c.refuse(fault::wait_is_on_nothing, "records and tensors", "None");
        return c.results(0);
    }
};

/// air.tagged_event_record(str tag, bool created_inside=False) -> ()
struct tagged_event_record {
    static constexpr std::string_view name = "air.tagged_event_record.default"sv;
    enum at : int { tag, created_inside };
    static constexpr parameter schema[] = {required("tag", parameter_kind::string),
                                           defaulted("created_inside", parameter_kind::boolean, argument::of(false))};
    static constexpr effects effect{.has_side_effect = true};
    static constexpr bool infer(infer_context& c) {
        c.in().header().has_streams = true;
        return c.results(0);
    }
};

/// air.tagged_event_wait(str tag, bool created_inside=False) -> (): waits for the last record of the tag above it.
struct tagged_event_wait : tagged_event_record {
    static constexpr std::string_view name = "air.tagged_event_wait.default"sv;
};

/// air.record_tagged_stream(Tensor input, str tagged_stream) -> (): the stream of this label reads the input, so its
/// memory is kept until this point.
struct record_tagged_stream {
    static constexpr std::string_view name = "air.record_tagged_stream.default"sv;
    enum at : int { input, tagged_stream };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("tagged_stream", parameter_kind::string)};
    static constexpr effects effect{.has_side_effect = true, .picks_results = true};
    static constexpr bool infer(infer_context& c) {
        c.in().header().has_streams = true;
        return c.results(0);
    }
};
/// The form before functionalisation: its schema says that the input is written, but it is not.
struct record_tagged_stream_ : record_tagged_stream {
    static constexpr std::string_view name = "air.record_tagged_stream_.default"sv;
};

/// air.wait_tensor(Tensor self, Tensor dependency) -> Tensor: self; readers of the result wait for the dependency
/// (npu_wait_tensor).
struct wait_tensor {
    static constexpr std::string_view name = "air.wait_tensor.default"sv;
    enum at : int { self, dependency };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dependency", parameter_kind::tensor)};
    static constexpr effects effect{.view_of = at::self, .has_side_effect = true};
    static constexpr bool infer(infer_context& c) {
        c.in().header().has_streams = true;
        return c.view_result(c.tensor(at::self), at::self);
    }
};

} // namespace ahead::air

namespace AHEAD_NAMESPACE::aten {
/// The operators that device graphs have under the same names. None is a task.
using stream_ops = op_list<air::scope_enter, air::scope_exit, air::record, air::wait, air::tagged_event_record,
                           air::tagged_event_wait, air::record_tagged_stream, air::record_tagged_stream_>;
} // namespace ahead::aten
