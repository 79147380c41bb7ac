// SPDX-License-Identifier: MIT
// libtorch's contenders with convolutions.
#include <optional>

#include "libtorch.hpp"
#include "mobilenet_v2.hpp"

namespace bench {

namespace {

struct convolution {
    std::int64_t step, pad, groups;
    Tensor weight, bias;
    convolution(const net& n, const std::string& name, std::int64_t out, std::int64_t in, std::int64_t kernel,
                std::int64_t stride, std::int64_t padding, std::int64_t group_count = 1)
        : step(stride), pad(padding), groups(group_count),
          weight(n.weight(name + ".weight", {out, in / groups, kernel, kernel})),
          bias(n.weight(name + ".bias", {out})) {
        if (n.layout == images::nhwc) weight = weight.contiguous(at::MemoryFormat::ChannelsLast);
        if (n.layout != images::mkldnn) return;
        weight = at::mkldnn_reorder_conv2d_weight(weight.to_mkldnn(), {pad, pad}, {step, step}, {1, 1}, groups);
        bias = bias.to_mkldnn();
    }
    Tensor operator()(const Tensor& x) const {
        return at::conv2d(x, weight, bias, {step, step}, {pad, pad}, {1, 1}, groups);
    }
};
struct block {
    convolution first, second;
    std::optional<convolution> shortcut;
    block(const net& n, const std::string& name, std::int64_t out, std::int64_t in)
        : first(n, name + "conv1", out, in, 3, out == in ? 1 : 2, 1), second(n, name + "conv2", out, out, 3, 1, 1) {
        if (out != in) shortcut.emplace(n, name + "downsample", out, in, 1, 2, 0);
    }
    Tensor operator()(const Tensor& x) const {
        auto y = second(first(x).relu_());
        return y.add_(shortcut ? (*shortcut)(x) : x).relu_();
    }
};

run lenet(const net& n) {
    const convolution first(n, "conv1", 6, 1, 5, 1, 2), second(n, "conv2", 16, 6, 5, 1, 0);
    const dense a(n, "fc1", 120, 400), b(n, "fc2", 84, 120), c(n, "fc3", 10, 84);
    const auto image = n.image({1, 1, 28, 28});
    return [=, mkldnn = n.layout == images::mkldnn]() -> std::vector<Tensor> {
        auto x = at::max_pool2d(first(mkldnn ? image.to_mkldnn() : image).relu_(), {2, 2});
        x = at::max_pool2d(second(x).relu_(), {2, 2});
        if (mkldnn) x = x.to_dense();
        return {c(b(a(x.reshape({400})).relu_()).relu_())};
    };
}
run one_block(const net& n) {
    const block only(n, "", 64, 64);
    const auto x = n.image({1, 64, 56, 56});
    if (n.layout == images::mkldnn) return [=]() -> std::vector<Tensor> { return {only(x.to_mkldnn())}; };
    return [=]() -> std::vector<Tensor> { return {only(x)}; };
}
run resnet18(const net& n) {
    const convolution first(n, "conv1", 64, 3, 7, 2, 3);
    std::vector<block> blocks;
    for (std::int64_t stage = 1, in = 64, out = 64; stage <= 4; ++stage, in = out, out *= 2) {
        const auto name = "layer" + std::to_string(stage) + ".";
        blocks.emplace_back(n, name + "0.", out, in);
        blocks.emplace_back(n, name + "1.", out, out);
    }
    const dense fc(n, "fc", 1000, 512);
    const auto image = n.image({1, 3, 224, 224});
    return [=, mkldnn = n.layout == images::mkldnn]() -> std::vector<Tensor> {
        auto x = first(mkldnn ? image.to_mkldnn() : image).relu_();
        x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
        for (const auto& each : blocks) x = each(x);
        if (mkldnn) x = x.to_dense();
        return {fc(x.mean({2, 3}))};
    };
}

run mobilenet_v2(const net& n) {
    const auto image = n.image({static_cast<std::int64_t>(n.from.inputs[0].size()) / (3 * 224 * 224), 3, 224, 224});
    std::vector<convolution> layers;
    walk_mobilenet_v2(0, [&](int, const image_layer& l, const int*) {
        layers.emplace_back(n, "conv" + std::to_string(l.index), l.out, l.in, l.kernel, l.step, l.kernel / 2, l.groups);
        return 0;
    });
    const dense fc(n, "fc", 1000, 1280);
    return [=]() -> std::vector<Tensor> {
        const auto x = walk_mobilenet_v2(image, [&](const Tensor& from, const image_layer& l, const Tensor* added) {
            auto y = layers[static_cast<std::size_t>(l.index)](from);
            if (l.clipped) at::hardtanh_(y, 0, 6);
            else if (added != nullptr) y.add_(*added);
            return y;
        });
        return {fc(x.mean({2, 3}))};
    };
}

[[maybe_unused]] const bool added = [] {
    for (const auto layout : {images::plain, images::nhwc, images::mkldnn}) {
        add_libtorch("lenet", lenet, layout);
        add_libtorch("block", one_block, layout);
        add_libtorch("resnet18", resnet18, layout);
    }
    for (const auto layout : {images::plain, images::nhwc}) // it has no relu6 in oneDNN's layout
        for (const char* row : {"mobilenet_v2_1", "mobilenet_v2_8"}) add_libtorch(row, mobilenet_v2, layout);
    return true;
}();

} // namespace

} // namespace bench
