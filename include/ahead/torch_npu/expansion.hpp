// SPDX-License-Identifier: MIT
// The common part of torch_npu's operators. In addition to the members of any operator (ir/registry.hpp), most define
// themselves by ATen's operators:
//     static constexpr std::int32_t most_calls = 6;
//     static constexpr void expand(decompose_context&);
//     static constexpr bool expands(const call_view&);    // if the expansion has a condition
// so that they run on kernels and can be fused; the others run on the AI CPU by their `evaluate`.
// Invariant: they compute in f32 and round results once, to the dtype of the operands, as `evaluate` does and as
// Ascend's kernels do. Source: op_plugin/config/op_plugin_functions.yaml for schemas,
// op_plugin/python/meta/_meta_registrations.py for types, docs/zh/custom_APIs/torch_npu for meanings, all of op-plugin.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/pass/decompositions/names.hpp>
#include <ahead/reference/evaluate.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

template <class Op>
concept expandable = requires(decompose_context& c) {
    typename std::bool_constant<(Op::most_calls > 0)>;
    Op::expand(c);
};

/// The expansion of an operator as a decomposition.
template <expandable Op> struct expansion {
    using op = Op;
    static constexpr std::int32_t most_calls = Op::most_calls;
    static constexpr bool when(const call_view& call) {
        for (int i = 0; i < static_cast<int>(std::size(Op::schema)); ++i)
            if (call.is_tensor(i) && element_count(call.tensor(i)) == 0) return false;
        if constexpr (requires { Op::expands(call); }) return Op::expands(call);
        else return true;
    }
    static constexpr void decompose(decompose_context& c) { Op::expand(c); }
};

using decomposition::add, decomposition::sub, decomposition::mul, decomposition::mean, decomposition::reshape;

// ---- type rules

/// Checks for floating point but f64, which Ascend's kernels do not support.
constexpr bool check_floating(infer_context& c, int i) {
    const auto& t = c.tensor(i);
    return (is_floating(t.type) && t.type != dtype::f64) ||
           c.refuse(fault::dtype_is_unsupported, "f16, bf16 or f32", print(t));
}
constexpr bool check_dtype(infer_context& c, int i, dtype type) {
    return c.tensor(i).type == type ||
           c.refuse(fault::dtype_is_unsupported, facts_of(type).annotation, print(c.tensor(i)));
}
constexpr bool check_same_dtype(infer_context& c, int i, int as) {
    return c.tensor(i).type == c.tensor(as).type ||
           c.refuse(fault::dtypes_differ, print(c.tensor(as)), print(c.tensor(i)));
}
constexpr bool check_rank(infer_context& c, int i, int least, int most) {
    const auto& t = c.tensor(i);
    short_text ranks("rank ");
    ranks << least;
    if (most > least) ranks << " to " << most;
    return (t.rank >= least && t.rank <= most) || c.refuse(fault::rank_is_wrong, ranks, print(t));
}
constexpr bool check_is(infer_context& c, int i, const int_list& sizes) {
    return sizes_of(c.tensor(i)) == sizes ||
           c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(c.tensor(i).type, sizes)), print(c.tensor(i)));
}
/// Checks that parameter i broadcasts to these sizes.
constexpr bool check_broadcasts_to(infer_context& c, int i, const int_list& sizes) {
    auto all = sizes;
    return broadcast_into(c, all, c.tensor(i)) &&
           (all == sizes ||
            c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(c.tensor(i).type, sizes)), print(c.tensor(i))));
}
/// Refuses an argument for a parameter that Ascend supports and this library does not.
constexpr bool refuse_given(infer_context& c, int i, std::string_view name) {
    return !c.is_given(i) || c.refuse(fault::argument_has_wrong_kind, short_text(name) << ": None", "a tensor");
}

// ---- expansions

/// Uses a kernel, except for i32, i64 and b8: PyTorch converts numbers out of their range by a rule of its own.
constexpr argument as_type(decompose_context& c, const argument& x, dtype type) {
    if (!c.editor().ok() || c.type_of(x).type == type) return x;
    const bool has_kernel = is_floating(type) || !has_kernels(type);
    return c.call(has_kernel ? "npu._npu_dtype_cast.default" : "prims.convert_element_type.default", {x, type});
}
/// Operand i; f16 and bf16 as f32.
constexpr argument wide(decompose_context& c, int i) { return as_type(c, c.operand(i), dtype::f32); }
/// Binds `made`, rounded to the dtype of result k, to result k.
constexpr void finish(decompose_context& c, const argument& made, std::int32_t k = 0) {
    if (c.editor().ok()) c.bind_result(as_type(c, made, c.aten.result_type(k).type), k);
}
constexpr argument part(decompose_context& c, const argument& x, int dim, std::int64_t from, std::int64_t to) {
    return c.call("aten.slice.Tensor", {x, dim, from, to});
}

} // namespace ahead::torch_npu
