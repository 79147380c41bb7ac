// SPDX-License-Identifier: MIT
// Replaces a product or convolution of dequantised operands, and the calls after it, by one with integer sums
// (aten/product/quantised.hpp).
// Invariant: new calls are inserted before the last of the calls that they replace; values that depend on weights alone
// are computed by calls on weights alone, so that prepare computes them. Called by
// pass/fuse_quantized/fuse_quantized.hpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/aten/product/matmul.hpp>
#include <ahead/aten/product/quantised.hpp>
#include <ahead/ir/mutated_weights.hpp>
#include <ahead/pass/editor.hpp>
#include <ahead/pass/fuse_quantized/grid_reader.hpp>
#include <ahead/pass/reshaped_from.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// A call that may become one with integer sums.
struct integer_site {
    node_id call;
    argument input, weight, bias; // of f32
    bool is_turned = false;       // weight is [k, n], not [n, k]
    bool is_convolution = false;
    aten::convolution_window window{};
};

class integer_sums {
public:
    /// With fewer input channels per filter than this, a convolution is depthwise and has no groups of four products to
    /// sum.
    static constexpr std::int64_t fewest_channels = 2;

    constexpr explicit integer_sums(graph_editor& g)
        : g_(g), grids_(g.view(), g.operators()), streams_(g.view()), written_(g.view()),
          linear_(find_op(g.operators(), aten::linear::name)), mm_(find_op(g.operators(), aten::mm::name)),
          addmm_(find_op(g.operators(), aten::addmm::name)), conv1d_(find_op(g.operators(), aten::conv1d::name)),
          conv2d_(find_op(g.operators(), aten::conv2d::name)),
          convolution_(find_op(g.operators(), aten::convolution::name)),
          relu_(find_op(g.operators(), aten::relu::name)) {}

    constexpr void run() {
        if (!grids_.any()) return;
        for (node_id id : g_) {
            if (!g_.ok()) return;
            const auto site = site_of(id);
            if (site.call.exists()) fuse(site);
        }
    }

private:
    graph_editor& g_;
    grid_reader grids_;
    air::stream_map streams_;
    mutated_weights written_;
    op_id linear_, mm_, addmm_, conv1d_, conv2d_, convolution_, relu_;

    constexpr graph_view view() const { return g_.view(); }
    constexpr const tensor_type& type_of(const argument& a) const { return view().value_of(a).type; }

    constexpr integer_site site_of(node_id id) const {
        integer_site out;
        const auto& n = g_[id];
        if (n.kind != node_kind::call || !n.op.exists()) return out;
        const bool is_forward = n.op == conv1d_ || n.op == conv2d_, is_convolution = is_forward || n.op == convolution_;
        if (!is_convolution && n.op != linear_ && n.op != mm_ && n.op != addmm_) return out;
        ordered_call ordered(view(), id, grids_.operators());
        if (!ordered.ok) return out;
        const auto call = ordered.view();
        out.is_convolution = is_convolution;
        out.is_turned = n.op == mm_ || n.op == addmm_;
        int first = 0;
        if (n.op == addmm_) {
            if (call.real(aten::addmm::beta) != 1 || call.real(aten::addmm::alpha) != 1) return out;
            first = aten::addmm::mat1;
            out.bias = call.at(aten::addmm::self);
        } else if (n.op != mm_) {
            out.bias = call.at(2);
        }
        if (is_forward) out.window = n.op == conv2d_ ? aten::conv2d::window(call) : aten::conv1d::window(call);
        else if (is_convolution) out.window = aten::convolution::window(call);
        if (out.window.transposed || (is_convolution && call.tensor(0).rank != call.tensor(1).rank) ||
            !is_contiguous(call.result_type()))
            return out;
        out.input = call.at(first);
        out.weight = call.at(first + 1);
        out.call = id;
        return out;
    }

    /// Whether n is a weight that the graph does not write, or computed from one by pure calls of one operand each.
    constexpr bool is_constant(node_id n) const {
        while (g_[n].kind == node_kind::call) {
            std::int32_t operands = 0;
            auto before = n;
            for_each_operand(view(), g_[n].arguments, [&](const argument& a) {
                before = a.node();
                return ++operands == 1;
            });
            if (operands != 1 || !g_.is_pure(n)) return false;
            n = before;
        }
        return is_constant_weight(view(), n, written_);
    }
    /// The dequantised input, looking through views that keep all elements and their order.
    constexpr dequantised dequantised_input(argument a) const {
        while (a.kind == argument_kind::node && is_view(a.node())) a = view().argument_of(g_[a.node()], 0);
        return grids_.read_dequantised(view(), a);
    }
    constexpr bool is_view(node_id n) const {
        const auto from = reshaped_from(view(), n);
        return from.exists() && is_contiguous(g_.type_of(from)) && is_contiguous(g_.type_of(n));
    }
    /// The dequantised weight; if the product reads it through a transpose, the tensor before it, [n, k], and
    /// still_turned becomes false.
    constexpr dequantised dequantised_weight(const integer_site& site, bool& still_turned) const {
        still_turned = site.is_turned;
        auto a = site.weight;
        if (site.is_turned && a.kind == argument_kind::node &&
            (g_.calls(a.node(), "aten.t.default") || g_.calls(a.node(), "aten.permute.default") ||
             g_.calls(a.node(), "aten.transpose.int"))) {
            const auto &before = type_of(view().argument_of(g_[a.node()], 0)), &after = type_of(a);
            if (before.rank == 2 && before.size(0) == after.size(1) && before.size(1) == after.size(0) &&
                before.stride(0) == after.stride(1) && before.stride(1) == after.stride(0)) {
                a = view().argument_of(g_[a.node()], 0);
                still_turned = false;
            }
        }
        return grids_.read_dequantised(view(), a);
    }

    constexpr void fuse(const integer_site& site) {
        bool still_turned = false;
        const auto x = dequantised_input(site.input), w = dequantised_weight(site, still_turned);
        if (!x.exists() || !w.exists() || x.axis != dequantised::no_axis || !is_constant(w.input)) return;
        const auto &weight = g_.type_of(w.input), &input = g_.type_of(x.input);
        const int channels = still_turned ? 1 : 0;
        if (weight.type != dtype::i8 || (w.axis != dequantised::no_axis && w.axis != channels)) return;
        const auto n = weight.size(channels);
        const auto products = element_count(weight) / std::max<std::int64_t>(1, n);
        if (!grids_.is_in_range(x.zero, input.type) || !grids_.is_in_range(w.zero, weight.type) ||
            !streams_.together(x.call, site.call))
            return;
        if (n == 0 || products == 0 || products > aten::most_quantized_products || !is_contiguous(input)) return;
        if (site.is_convolution && weight.size(1) < fewest_channels) return;
        if (site.bias.kind == argument_kind::node &&
            (type_of(site.bias).type != dtype::f32 || sizes_of(type_of(site.bias)) != int_list{n}))
            return;

        // the calls that follow, as long as each has a single reader
        auto root = site.call, next = reader_of(root);
        const bool relu = next.exists() && g_[next].op == relu_;
        if (relu) {
            root = next;
            next = reader_of(root);
        }
        const auto end = next.exists() ? grids_.read_quantised(view(), next) : quantised{};
        if (end.exists()) root = next;
        g_.inserting_before(root);
        write(site, x, w, n, still_turned, relu, end, root);
    }
    /// The only reader of a call, if it may be fused with it and its result has the same sizes, contiguous.
    constexpr node_id reader_of(node_id call) const {
        if (g_.use_count(call) != 1) return {};
        const auto next = g_.user(call);
        const bool may = g_[next].kind == node_kind::call && g_[next].values.count == 1 &&
                         streams_.together(call, next) && is_contiguous(g_.type_of(next)) &&
                         sizes_of(g_.type_of(next)) == sizes_of(g_.type_of(call));
        return may ? next : node_id{};
    }

    // ---- new calls

    constexpr argument call(std::string_view target, std::initializer_list<call_argument> arguments) {
        return argument::of(g_.call(target, arguments));
    }
    constexpr argument filled(std::int64_t n, const call_argument& value, dtype type) {
        auto as = argument::of(type);
        as.keyword = "dtype";
        return call("aten.full.default", {int_list{n}, value, as});
    }
    constexpr argument as(const argument& a, dtype type) {
        return !g_.ok() || type_of(a).type == type ? a : call("prims.convert_element_type.default", {a, type});
    }
    /// A number or a tensor of one element, as a tensor [1].
    constexpr argument one(const argument& given, dtype type) {
        if (given.kind != argument_kind::node)
            return type == dtype::f32 ? filled(1, call_view::to_real(given), type) : filled(1, given, type);
        const auto made = as(given, type);
        return !g_.ok() || sizes_of(type_of(made)) == int_list{1} ? made
                                                                  : call("aten.view.default", {made, int_list{1}});
    }
    constexpr argument repeated(const argument& given, std::int64_t n) {
        return n == 1 || !g_.ok() ? given : call("aten.expand.default", {given, int_list{n}});
    }
    constexpr argument scales_of(const dequantised& x, const dequantised& w, std::int64_t n) {
        if (x.scale.kind != argument_kind::node && w.scale.kind != argument_kind::node) {
            const auto of = [](const argument& a) { return static_cast<float>(call_view::to_real(a)); };
            return filled(n, static_cast<double>(of(x.scale) * of(w.scale)), dtype::f32);
        }
        const bool by_channel = w.axis != dequantised::no_axis;
        const auto of_weight = by_channel ? as(w.scale, dtype::f32) : one(w.scale, dtype::f32);
        auto factor = x.scale;
        if (factor.kind == argument_kind::node) factor = one(factor, dtype::f32);
        const auto made = call("aten.mul.Tensor", {of_weight, factor});
        return by_channel ? made : repeated(made, n);
    }
    static constexpr bool is_zero(const argument& a) {
        return a.kind == argument_kind::none || (a.kind != argument_kind::node && a.integer() == 0);
    }
    /// None if they are known to be 0.
    constexpr argument weight_zeros_of(const dequantised& w, std::int64_t n) {
        if (is_zero(w.zero)) return {};
        if (w.zero.kind != argument_kind::node) return filled(n, w.zero, dtype::i32);
        return w.axis != dequantised::no_axis ? as(w.zero, dtype::i32) : repeated(one(w.zero, dtype::i32), n);
    }
    /// The contribution of the input's zero point to the sums of each column: zero * (products * weight zero - sum of
    /// weights).
    constexpr argument starts_of(const dequantised& x, const argument& weight, const argument& zeros, std::int64_t n,
                                 std::int64_t products) {
        if (is_zero(x.zero)) return filled(n, 0, dtype::i32);
        int_list dims;
        for (int d = 1; g_.ok() && d < type_of(weight).rank; ++d) dims.push_back(d);
        auto type = argument::of(dtype::i32);
        type.keyword = "dtype";
        auto made = call("aten.sum.dim_IntList", {weight, dims, false, type});
        if (zeros.kind == argument_kind::node)
            made = call("aten.sub.Tensor", {made, call("aten.mul.Tensor", {zeros, products})});
        made = call("aten.neg.default", {made});
        return call("aten.mul.Tensor", {made, x.zero.kind == argument_kind::node ? one(x.zero, dtype::i32) : x.zero});
    }
    constexpr argument inverse_of(const quantised& end) {
        if (end.scale.kind == argument_kind::node) return call("aten.reciprocal.default", {one(end.scale, dtype::f32)});
        return filled(1, static_cast<double>(1 / static_cast<float>(call_view::to_real(end.scale))), dtype::f32);
    }

    constexpr void write(const integer_site& site, const dequantised& x, const dequantised& w, std::int64_t n,
                         bool still_turned, bool relu, const quantised& end, node_id root) {
        auto input = argument::of(x.input), weight = argument::of(w.input);
        const auto wanted = sizes_of(type_of(site.input));
        const auto products = element_count(g_.type_of(w.input)) / n;
        if (sizes_of(type_of(input)) != wanted) input = call("aten.view.default", {input, wanted});
        if (still_turned) weight = call("aten.t.default", {weight});
        const auto zeros = weight_zeros_of(w, n), starts = starts_of(x, weight, zeros, n, products);
        const auto scales = scales_of(x, w, n);
        argument inverse, zero;
        if (end.exists()) {
            inverse = inverse_of(end);
            zero = one(end.zero, dtype::f32);
        }
        const auto type = end.exists() ? end.type : dtype::f32;
        argument made;
        if (site.is_convolution)
            made = call(aten::quantized_convolution::name,
                        {input, weight, starts, scales, zeros, site.bias, inverse, zero, end.low, end.high, relu, type,
                         one(x.zero, dtype::i32), site.window.stride, site.window.padding, site.window.dilation,
                         site.window.groups});
        else
            made = call(aten::quantized_linear::name, {input, weight, starts, scales, zeros, site.bias, inverse, zero,
                                                       end.low, end.high, relu, type});
        if (!g_.ok()) return;
        g_.replace_all_uses_with(root, made.node());
        for (auto n_at = root; g_.ok();) { // erases the replaced calls
            const auto before = n_at == site.call ? node_id{} : g_.operand(n_at, 0);
            g_.erase_node(n_at);
            if (!before.exists()) break;
            n_at = before;
        }
    }
};

} // namespace ahead::pass::detail
