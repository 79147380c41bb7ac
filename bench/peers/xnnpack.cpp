// SPDX-License-Identifier: MIT
// XNNPACK's contenders, where it has operators for a row: products, the MLPs and the block. Operators are made and set
// up once; images are in its layout, [N, H, W, C], also when they come.
#include <xnnpack.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "rows.hpp"

namespace bench {

namespace {

constexpr float all_of_them = std::numeric_limits<float>::infinity();

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
    std::vector<xnn_operator_t> operators_;
    pthreadpool_t pool_;
};

struct product : xnnpack {
    buffer x, y;
    explicit product(const row_tensors& t) : x(given(t.inputs[0])), y(room(x.size())) {
        const auto& w = t.weights["w"];
        const auto n = static_cast<std::size_t>(std::sqrt(w.size()));
        dense(x.size() / n, n, n, w, nullptr, x, y, -all_of_them, XNN_FLAG_TRANSPOSE_WEIGHTS);
    }
    std::vector<float> outputs() const { return {y.begin(), y.end()}; }
};

struct mlp : xnnpack {
    buffer x, a, b, y;
    explicit mlp(const row_tensors& t) : x(given(t.inputs[0])) {
        const auto batch = x.size() / 784;
        const auto layer = [&](const std::string& name, std::size_t in, std::size_t out, const buffer& from, buffer& to,
                               float least) {
            to = room(batch * out);
            dense(batch, in, out, t.weights[name + ".weight"], t.weights[name + ".bias"].data(), from, to, least);
        };
        layer("first", 784, 512, x, a, 0);
        layer("second", 512, 256, a, b, 0);
        layer("third", 256, 10, b, y, -all_of_them);
    }
    std::vector<float> outputs() const { return {y.begin(), y.end()}; }
};

struct block : xnnpack {
    static constexpr std::size_t side = 56, channels = 64;
    buffer x, a, b, y;

    explicit block(const row_tensors& t) : x(room(side * side * channels)), a(x), b(x), y(x) {
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t p = 0; p < side * side; ++p) x[p * channels + c] = t.inputs[0][c * side * side + p];
        convolution(t, "conv1", x, a, 0);
        convolution(t, "conv2", a, b, -all_of_them);
        xnn_operator_t made = nullptr;
        check(xnn_create_add_nd_f32(0, all_of_them, 0, &made));
        operators_.push_back(made);
        const std::size_t sizes[] = {side * side, channels};
        check(xnn_setup_add_nd_f32(made, 2, sizes, 2, sizes, b.data(), x.data(), y.data(), pool_));
    }
    std::vector<float> outputs() const {
        std::vector<float> all(y.size());
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t p = 0; p < side * side; ++p) all[c * side * side + p] = y[p * channels + c];
        return all;
    }

private:
    void convolution(const row_tensors& t, const std::string& name, const buffer& from, buffer& to, float least) {
        const auto& weight = t.weights[name + ".weight"]; // [out, in, 9]; theirs: [out, 9, in]
        tensor theirs(weight.size());
        for (std::size_t o = 0; o < channels; ++o)
            for (std::size_t i = 0; i < channels; ++i)
                for (std::size_t k = 0; k < 9; ++k)
                    theirs[(o * 9 + k) * channels + i] = weight[(o * channels + i) * 9 + k];
        xnn_operator_t made = nullptr;
        check(xnn_create_convolution2d_nhwc_f32(1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 1, channels, channels, channels, channels,
                                                theirs.data(), t.weights[name + ".bias"].data(), least, all_of_them, 0,
                                                &made));
        operators_.push_back(made);
        check(xnn_setup_convolution2d_nhwc_f32(made, 1, side, side, from.data(), to.data(), pool_));
    }
};

template <class Net> void add(const std::string& row) {
    entries().push_back({row, "xnnpack", 0, [](const row_tensors& t) { return std::make_unique<contending<Net>>(t); }});
}

[[maybe_unused]] const bool added = [] {
    present().push_back("xnnpack");
    for (const char* n : {"16", "32", "64", "128", "256", "512", "1024"}) add<product>(std::string("gemm_") + n);
    for (const char* n : {"256", "1024", "4096"}) add<product>(std::string("gemv_") + n);
    for (const char* row : {"w2_1", "w2_32"}) add<mlp>(row);
    add<block>("block");
    return true;
}();

} // namespace

} // namespace bench
