// SPDX-License-Identifier: MIT
// Decides which calls compute in another dtype within torch.autocast, and casts their operands.
// Invariant: operands of f64, integers and bools are not cast. Called by typed_rewrites.hpp.
// Source: aten/src/ATen/autocast_mode.cpp, autocast_mode.h.
#pragma once
#include <ahead/legalize/host/call_editor.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The autocast mode of a call; without one, `to` is b8.
struct autocast_mode {
    dtype to = dtype::b8;
    bool on_cpu = false;
    constexpr bool exists() const { return to != dtype::b8; }
};

/// Editor: call_editor. A template, so that texts without autocast do not instantiate it.
template <class Editor> class autocast {
public:
    constexpr explicit autocast(Editor& e) : e_(e) {}

    /// Casts the operands of the call as the mode requires.
    constexpr bool cast_operands(node_id id, autocast_mode mode) {
        const auto name = short_text(" ") << base_of(e_.g[id].target) << " ";
        const auto is_among = [&](std::string_view names) { return names.find(name.view()) != names.npos; };
        if (is_among(in_lower_precision) || (!mode.on_cpu && is_among(in_lower_precision_on_cuda)))
            return cast_all(id, mode.to);
        if (is_among(in_f32) || (mode.on_cpu ? is_among(in_f32_on_cpu) : is_among(in_f32_on_cuda)))
            return cast_all(id, dtype::f32);
        if (!is_among(in_the_widest) &&
            !(mode.on_cpu ? is_among(in_the_widest_on_cpu) : is_among(in_the_widest_on_cuda)))
            return true;
        bool is_wide = false;
        for_each_operand(e_.g, e_.g[id].arguments,
                         [&](const argument& a) { is_wide = is_wide || e_.g.value_of(a).type.type == dtype::f32; });
        return !is_wide || cast_all(id, dtype::f32);
    }

private:
    Editor& e_;

    // Operators by the names that FX gives their nodes. One text each, because g++ evaluates each name of a list in
    // every program.
    static constexpr std::string_view in_lower_precision =
        " _convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d prelu addmm "
        "matmul mm linalg_vecdot linear addbmm baddbmm bmm scaled_dot_product_attention "
        "_native_multi_head_attention "sv;
    static constexpr std::string_view in_lower_precision_on_cuda =
        " convolution addmv addr einsum mv chain_matmul linalg_multi_dot lstm_cell gru_cell rnn_tanh_cell "
        "rnn_relu_cell "sv;
    static constexpr std::string_view in_f32 =
        " prod quantile stft cdist nll_loss nll_loss2d mse_loss l1_loss smooth_l1_loss huber_loss kl_div "
        "cosine_embedding_loss hinge_embedding_loss poisson_nll_loss margin_ranking_loss multilabel_margin_loss "
        "soft_margin_loss triplet_margin_loss multi_margin_loss binary_cross_entropy_with_logits renorm "sv;
    static constexpr std::string_view in_f32_on_cpu =
        " avg_pool3d binary_cross_entropy grid_sampler grid_sampler_2d grid_sampler_3d polar trace nanquantile "
        "cross_entropy_loss ctc_loss reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d "
        "replication_pad3d fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn fft_rfft fft_irfft fft_rfft2 "
        "fft_irfft2 fft_rfftn fft_irfftn fft_hfft fft_ihfft "sv;
    static constexpr std::string_view in_f32_on_cuda =
        " acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow softplus layer_norm "
        "native_layer_norm group_norm frobenius_norm nuclear_norm cosine_similarity dist pdist logsumexp softmax "
        "log_softmax cumprod cumsum linalg_vector_norm linalg_matrix_norm sum norm upsample_nearest1d "
        "upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d "
        "upsample_bicubic2d "sv;
    static constexpr std::string_view in_the_widest = " stack cat "sv;
    static constexpr std::string_view in_the_widest_on_cpu = " index_copy "sv;
    static constexpr std::string_view in_the_widest_on_cuda =
        " addcdiv addcmul atan2 bilinear cross dot grid_sampler index_put tensordot scatter_add "sv;

    constexpr bool cast_all(node_id id, dtype to) { return cast_range(id, e_.g[id].arguments, to); }
    constexpr bool cast_range(node_id id, id_range<argument_id> range, dtype to) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            const auto a = e_.g[range[i]];
            if (a.children.count > 0 && !cast_range(id, a.children, to)) return false;
            if (!is_tensor_argument(e_.g, a)) continue;
            const auto type = e_.g.value_of(a).type.type;
            if (!has_fractions(type) || type == dtype::f64 || type == to) continue;
            const auto made = e_.cast(id, a, to);
            if (!made.exists()) return false;
            auto cast = argument::of(made);
            cast.keyword = a.keyword;
            set_argument(e_.g, range[i], cast, id);
        }
        return true;
    }
};

} // namespace ahead::detail
