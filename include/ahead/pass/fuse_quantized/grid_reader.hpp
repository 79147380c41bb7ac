// SPDX-License-Identifier: MIT
// Reads the quantisation in a graph: calls that quantise or dequantise tensors, with their scales and zero points.
// Invariant: the graph is not changed. Called by pass/fuse_quantized/fuse_quantized.hpp.
#pragma once
#include <ahead/aten/pointwise/quantise.hpp>
#include <ahead/ir/bind_arguments.hpp>
#include <ahead/pass/calls_of.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// (input - zero) * scale, in f32; scale and zero are numbers or tensors, for all elements or, with an axis, for each
/// index of a dim.
struct dequantised {
    node_id call, input;
    argument scale, zero;
    int axis = no_axis;
    static constexpr int no_axis = -1;
    constexpr bool exists() const { return input.exists(); }
};
/// input / scale, rounded, plus zero, clamped to [low, high]; one grid for all elements.
struct quantised {
    node_id call;
    argument scale, zero;
    std::int64_t low = 0, high = 0;
    ir::dtype type = dtype::i8;
    constexpr bool exists() const { return call.exists(); }
};

/// A call of an operator with its arguments in order. Views of it are valid during the lifetime of this object.
struct ordered_call {
    graph_view g;
    node_id id;
    bound_arguments bound{};
    diagnosis why{};
    bool ok;
    constexpr ordered_call(graph_view in, node_id call, op_table ops) : g(in), id(call) {
        ok = bind_arguments(g, id, ops[static_cast<std::size_t>(g[id].op.index)], bound, why);
    }
    constexpr call_view view() { return {g, id, bound, why}; }
};

class grid_reader {
public:
    constexpr grid_reader(graph_view g, op_table ops)
        : ops_(ops), from_number_(find_op(ops, aten::dequantize_per_tensor::name)),
          from_tensor_(find_op(ops, aten::dequantize_per_tensor_tensor::name)),
          from_channels_(find_op(ops, aten::dequantize_per_channel::name)),
          to_number_(find_op(ops, aten::quantize_per_tensor::name)),
          to_tensor_(find_op(ops, aten::quantize_per_tensor_tensor::name)) {
        any_ = !calls_of(g, from_number_).is_empty() || !calls_of(g, from_tensor_).is_empty();
    }
    /// Whether any call dequantises from a grid that is the same for all elements.
    constexpr bool any() const { return any_; }

    /// Reads a, the result of a call that dequantises i8 or u8 to f32; nothing if it is not one.
    constexpr dequantised read_dequantised(graph_view g, const argument& a) const {
        if (a.kind != argument_kind::node || g[a.node()].kind != node_kind::call) return {};
        const auto op = g[a.node()].op;
        const bool by_channel = op == from_channels_;
        if (!op.exists() || (!by_channel && op != from_number_ && op != from_tensor_) ||
            g.value_of(a).type.type != dtype::f32)
            return {};
        dequantised out;
        ordered_call ordered(g, a.node(), ops_);
        if (!ordered.ok) return {};
        const auto call = ordered.view();
        using each = aten::dequantize_per_channel::at;
        using all = aten::dequantize_per_tensor::at;
        const auto type = call.tensor(0).type;
        if ((type != dtype::i8 && type != dtype::u8) || call.at(0).result != 0) return {};
        out.call = a.node();
        out.input = call.at(0).node();
        out.scale = call.at(by_channel ? int{each::scales} : int{all::scale});
        out.zero = call.at(by_channel ? int{each::zero_points} : int{all::zero_point});
        if (by_channel) out.axis = wrapped_dim(call.integer(each::axis), call.tensor(0).rank);
        return out;
    }
    /// Reads n as a call that quantises to i8 or u8.
    constexpr quantised read_quantised(graph_view g, node_id n) const {
        const auto op = g[n].op;
        if (g[n].kind != node_kind::call || !op.exists() || (op != to_number_ && op != to_tensor_)) return {};
        ordered_call ordered(g, n, ops_);
        if (!ordered.ok) return {};
        const auto call = ordered.view();
        using at = aten::quantize_per_tensor::at;
        const auto type = call.type(at::dtype);
        const auto low = call.integer(at::quant_min), high = call.integer(at::quant_max);
        const std::int64_t least = type == dtype::u8 ? 0 : -128, most = type == dtype::u8 ? 255 : 127;
        if ((type != dtype::i8 && type != dtype::u8) || low < least || high > most) return {};
        return {n, call.at(at::scale), call.at(at::zero_point), low, high, type};
    }
    /// Whether a zero point is a tensor, None, or a number within the range of the dtype.
    static constexpr bool is_in_range(const argument& zero, dtype type) {
        if (zero.kind == argument_kind::node || zero.kind == argument_kind::none) return true;
        return type == dtype::u8 ? zero.integer() >= 0 && zero.integer() <= 255
                                 : zero.integer() >= -128 && zero.integer() <= 127;
    }
    constexpr op_table operators() const { return ops_; }

private:
    op_table ops_;
    op_id from_number_, from_tensor_, from_channels_, to_number_, to_tensor_;
    bool any_ = false;
};

} // namespace ahead::pass::detail
