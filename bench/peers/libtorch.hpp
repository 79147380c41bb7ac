// SPDX-License-Identifier: MIT
// What libtorch's contenders share: at:: functions in InferenceMode, in place where they are given their own results.
// "libtorch" has dense tensors; where there are convolutions, "libtorch_nhwc" has them in channels_last, and
// "libtorch_mkldnn" in oneDNN's layout, weights reordered ahead, as optimize_for_inference leaves them.
#pragma once
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "rows.hpp"

namespace bench {

using at::Tensor;

enum class images { plain, nhwc, mkldnn };

struct net {
    const row_tensors& from;
    images layout = images::plain;

    Tensor given(const tensor& elements, at::IntArrayRef sizes) const {
        return at::from_blob(const_cast<float*>(elements.data()), sizes, at::kFloat).clone();
    }
    Tensor input(std::size_t i, at::IntArrayRef sizes) const { return given(from.inputs[i], sizes); }
    Tensor weight(const std::string& name, at::IntArrayRef sizes) const { return given(from.weights[name], sizes); }
    /// [N, C, H, W]
    Tensor image(at::IntArrayRef sizes) const {
        auto x = input(0, sizes);
        return layout == images::nhwc ? x.contiguous(at::MemoryFormat::ChannelsLast) : x;
    }
};

struct dense {
    Tensor weight, bias;
    dense(const net& n, const std::string& name, std::int64_t out, std::int64_t in)
        : weight(n.weight(name + ".weight", {out, in})), bias(n.weight(name + ".bias", {out})) {}
    /// A vector for one row, of which libtorch is several times as fast as of a matrix.
    Tensor operator()(const Tensor& x) const {
        return x.dim() == 1 ? at::addmv(bias, weight, x) : at::linear(x, weight, bias);
    }
};
using run = std::function<std::vector<Tensor>()>;

class libtorch {
public:
    libtorch(const row_tensors& t, run (*make)(const net&), images layout) {
        at::set_num_threads(threads);
        const c10::InferenceMode inference;
        run_ = make({t, layout});
    }
    void operator()() {
        const c10::InferenceMode inference;
        results_ = run_();
    }
    std::vector<float> outputs() const {
        const c10::InferenceMode inference;
        std::vector<float> all;
        for (const auto& result : results_) {
            const auto plain = (result.is_mkldnn() ? result.to_dense() : result).to(at::kFloat).contiguous();
            all.insert(all.end(), plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel());
        }
        return all;
    }

private:
    run run_;
    std::vector<Tensor> results_;
};

inline void add_libtorch(const std::string& row, run (*make)(const net&), images layout = images::plain) {
    const char* const name = layout == images::mkldnn ? "libtorch_mkldnn"
                             : layout == images::nhwc ? "libtorch_nhwc"
                                                      : "libtorch";
    entries().push_back(
        {row, name, 0, [=](const row_tensors& t) { return std::make_unique<contending<libtorch>>(t, make, layout); }});
}

} // namespace bench
