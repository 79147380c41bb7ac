// SPDX-License-Identifier: MIT
// XNNPACK as its users call it: operators are made and set up once; images are in its layout, [N, H, W, C], also when
// they come.
#pragma once
#include <xnnpack.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "rows.hpp"

namespace bench {

inline constexpr float all_of_them = std::numeric_limits<float>::infinity();

class xnnpack {
public:
    xnnpack(const xnnpack&) = delete;
    xnnpack& operator=(const xnnpack&) = delete;
    ~xnnpack() {
        for (const auto& one : operators_) xnn_delete_operator(one);
        pthreadpool_destroy(pool_);
    }
    void operator()() {
        for (const auto& one : operators_) xnn_run_operator(one, pool_);
    }

protected:
    using buffer = std::vector<float, huge_allocator<float>>;

    xnnpack() : pool_(threads > 1 ? pthreadpool_create(static_cast<std::size_t>(threads)) : nullptr) {
        check(xnn_initialize(nullptr));
    }
    static void check(xnn_status status) {
        if (status != xnn_status_success) throw std::runtime_error("XNNPACK refuses an operator");
    }
    /// What it reads may lie XNN_EXTRA_BYTES behind the end.
    static buffer given(const tensor& from) {
        buffer to(from.begin(), from.end());
        to.reserve(from.size() + XNN_EXTRA_BYTES);
        return to;
    }
    static buffer room(std::size_t count) {
        buffer to(count);
        to.reserve(count + XNN_EXTRA_BYTES);
        return to;
    }
    /// x[rows, in] @ w + bias, no less than `least`; w is [out, in], or [in, out] with XNN_FLAG_TRANSPOSE_WEIGHTS.
    void dense(std::size_t rows, std::size_t in, std::size_t out, const tensor& w, const float* bias, const buffer& x,
               buffer& y, float least, std::uint32_t flags = 0) {
        xnn_operator_t made = nullptr;
        check(xnn_create_fully_connected_nc_f32(in, out, in, out, w.data(), bias, least, all_of_them, flags, &made));
        operators_.push_back(made);
        check(xnn_setup_fully_connected_nc_f32(made, rows, x.data(), y.data(), pool_));
    }

    /// Square kernels and sides, images [N, H, W, C], weights from PyTorch's [out, in / groups, kernel, kernel]; gives
    /// the side of y.
    struct window {
        std::size_t kernel, step, pad, groups = 1;
    };
    std::size_t convolution(const row_tensors& t, const std::string& name, std::size_t batch, std::size_t side,
                            const window& w, const buffer& x, buffer& y, float least, float most = all_of_them) {
        const auto &weight = t.weights[name + ".weight"], &bias = t.weights[name + ".bias"];
        const auto taps = w.kernel * w.kernel, out = bias.size(), in = weight.size() / out / taps,
                   size = (side + 2 * w.pad - w.kernel) / w.step + 1;
        const bool depthwise = in == 1 && w.groups > 1; // theirs: [taps, out], else [out, taps, in]
        tensor theirs(weight.size());
        for (std::size_t o = 0; o < out; ++o)
            for (std::size_t i = 0; i < in; ++i)
                for (std::size_t k = 0; k < taps; ++k)
                    theirs[depthwise ? k * out + o : (o * taps + k) * in + i] = weight[(o * in + i) * taps + k];
        const auto pad = static_cast<std::uint32_t>(w.pad), kernel = static_cast<std::uint32_t>(w.kernel),
                   step = static_cast<std::uint32_t>(w.step);
        xnn_operator_t made = nullptr;
        check(xnn_create_convolution2d_nhwc_f32(pad, pad, pad, pad, kernel, kernel, step, step, 1, 1,
                                                static_cast<std::uint32_t>(w.groups), in, out / w.groups, in * w.groups,
                                                out, theirs.data(), bias.data(), least, most,
                                                depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &made));
        operators_.push_back(made);
        y = room(batch * size * size * out);
        check(xnn_setup_convolution2d_nhwc_f32(made, batch, side, side, x.data(), y.data(), pool_));
        return size;
    }
    void add(const buffer& x, const buffer& y, buffer& z, float least) {
        xnn_operator_t made = nullptr;
        check(xnn_create_add_nd_f32(least, all_of_them, 0, &made));
        operators_.push_back(made);
        z = room(x.size());
        const std::size_t sizes[] = {x.size()};
        check(xnn_setup_add_nd_f32(made, 1, sizes, 1, sizes, x.data(), y.data(), z.data(), pool_));
    }
    std::size_t max_pool(std::size_t channels, std::size_t batch, std::size_t side, const window& w, const buffer& x,
                         buffer& y) {
        const auto pad = static_cast<std::uint32_t>(w.pad), kernel = static_cast<std::uint32_t>(w.kernel),
                   step = static_cast<std::uint32_t>(w.step);
        const auto size = (side + 2 * w.pad - w.kernel) / w.step + 1;
        xnn_operator_t made = nullptr;
        check(xnn_create_max_pooling2d_nhwc_f32(pad, pad, pad, pad, kernel, kernel, step, step, 1, 1, channels,
                                                channels, channels, -all_of_them, all_of_them, 0, &made));
        operators_.push_back(made);
        y = room(batch * size * size * channels);
        check(xnn_setup_max_pooling2d_nhwc_f32(made, batch, side, side, x.data(), y.data(), pool_));
        return size;
    }
    /// The mean of each channel.
    void mean(std::size_t channels, std::size_t batch, std::size_t positions, const buffer& x, buffer& y) {
        xnn_operator_t made = nullptr;
        check(xnn_create_global_average_pooling_nwc_f32(channels, channels, channels, -all_of_them, all_of_them, 0,
                                                        &made));
        operators_.push_back(made);
        y = room(batch * channels);
        check(xnn_setup_global_average_pooling_nwc_f32(made, batch, positions, x.data(), y.data(), pool_));
    }
    /// Of one image [C, positions], or of several, as [positions, C]; and back.
    static buffer turned(const float* from, std::size_t images, std::size_t rows, std::size_t columns) {
        buffer to = room(images * rows * columns);
        for (std::size_t n = 0; n < images; ++n)
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < columns; ++c)
                    to[(n * columns + c) * rows + r] = from[(n * rows + r) * columns + c];
        return to;
    }

private:
    std::vector<xnn_operator_t> operators_;
    pthreadpool_t pool_;
};

template <class Net, class... How> void add_xnnpack(const std::string& row, How... how) {
    entries().push_back(
        {row, "xnnpack", 0, [how...](const row_tensors& t) { return std::make_unique<contending<Net>>(t, how...); }});
}

} // namespace bench
