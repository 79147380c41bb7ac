// SPDX-License-Identifier: MIT
// oneDNN's contenders of quantised layers: u8 by s8 into u8, scales for each filter, zero points, bias and relu in the
// primitive. As their users have it between layers, the input already is in the format that they choose.
#include "onednn_net.hpp"

namespace bench {

namespace {

using dnnl::algorithm;

struct quantised : onednn_net {
protected:
    static constexpr float scale = 0.015625f, out_scale = 0.25f;
    static constexpr std::int32_t zero = 117, out_zero = 3;
    /// 2.6.3 adds the bias before it scales.
    static dnnl::primitive_attr attributes_of(const row_tensors& t) {
        auto scales = t.weights["s"];
        for (float& s : scales) s = s * scale / out_scale;
        dnnl::post_ops after;
        after.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
        dnnl::primitive_attr all;
        all.set_output_scales(1 << 1, scales);
        all.set_zero_points(DNNL_ARG_SRC, 0, {zero});
        all.set_zero_points(DNNL_ARG_DST, 0, {out_zero});
        all.set_post_ops(after);
        return all;
    }
    memory bias_of(const row_tensors& t, const dims& sizes) {
        auto bias = t.weights["b"];
        for (std::size_t i = 0; i < bias.size(); ++i) bias[i] /= t.weights["s"][i] * scale;
        return given(bias, sizes);
    }
    void computed(const dnnl::primitive& primitive, memory x, memory w, memory bias, memory y) {
        record(primitive, {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_BIAS, bias}, {DNNL_ARG_DST, y}});
    }
};

struct quantised_linear : quantised {
    explicit quantised_linear(const row_tensors& t) {
        const dims x_sizes = {256, 1024}, sizes = {256, 1024};
        auto x = prepared(given(t.inputs[0], x_sizes), plain(x_sizes, type::u8));
        auto bias = bias_of(t, {1, 1024});
        const dnnl::matmul::primitive_desc chosen(
            dnnl::matmul::desc(x.get_desc(), any({1024, 1024}, type::s8), bias.get_desc(), plain(sizes, type::u8)),
            attributes_of(t), engine_);
        auto w = given(t.weights["w"], {{1024, 1024}, type::f32, dims{1, 1024}});
        auto y = fresh(chosen.dst_desc());
        computed(dnnl::matmul(chosen), x, prepared(w, chosen.weights_desc()), bias, y);
        result(y, plain(sizes));
    }
};

struct quantized_convolution : quantised {
    quantized_convolution(const row_tensors& t, std::int64_t filters, std::int64_t kernel) {
        using convolution = dnnl::convolution_forward;
        const dims x_sizes = {1, 64, 56, 56}, sizes = {1, filters, 56, 56}, kernels = {filters, 64, kernel, kernel};
        const dims pad = {kernel / 2, kernel / 2};
        auto bias = bias_of(t, {filters});
        const convolution::primitive_desc chosen(
            convolution::desc(dnnl::prop_kind::forward_inference, algorithm::convolution_direct, any(x_sizes, type::u8),
                              any(kernels, type::s8), bias.get_desc(), any(sizes, type::u8), dims{1, 1}, pad, pad),
            attributes_of(t), engine_);
        auto x = prepared(given(t.inputs[0], x_sizes), chosen.src_desc());
        auto y = fresh(chosen.dst_desc());
        computed(convolution(chosen), x, prepared(given(t.weights["w"], kernels), chosen.weights_desc()), bias, y);
        result(y, plain(sizes));
    }
};

[[maybe_unused]] const bool added[] = {
    (add_onednn<quantised_linear>("linear_u8", "onednn"), true),
    (add_onednn<quantized_convolution>("conv_3x3_u8", "onednn", 64, 3), true),
    (add_onednn<quantized_convolution>("conv_1x1_u8", "onednn", 256, 1), true),
};

} // namespace

} // namespace bench
