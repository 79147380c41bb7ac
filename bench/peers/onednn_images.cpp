// SPDX-License-Identifier: MIT
// oneDNN's contenders with convolutions: "onednn" has them as it chooses itself, "onednn_winograd" by
// convolution_winograd where it has that. Images come in PyTorch's layout, as they do for ahead, and stay in oneDNN's
// when they are put out.
#include "mobilenet_v2.hpp"
#include "onednn_net.hpp"

namespace bench {

namespace {

using dnnl::algorithm;

struct lenet : onednn_net {
    explicit lenet(const row_tensors& t) {
        const auto how = algorithm::convolution_auto;
        const tail relu{.then = algorithm::eltwise_relu};
        auto x = convolution(given(t.inputs[0], {1, 1, 28, 28}), t, "conv1", {5, 1, 2}, how, relu);
        x = pool(x, algorithm::pooling_max, {2, 2, 0});
        x = pool(convolution(x, t, "conv2", {5, 1, 0}, how, relu), algorithm::pooling_max, {2, 2, 0});
        auto flat = reordered(x, plain({1, 16, 5, 5}));
        x = part(flat, 0, plain({1, 400}));
        result(linear(linear(linear(x, t, "fc1", relu), t, "fc2", relu), t, "fc3"), plain({1, 10}));
    }
};

struct residual_net : onednn_net {
    algorithm how;
    explicit residual_net(algorithm chosen) : how(chosen) {}
    /// The second convolution is added to the shortcut in its place: without one, to what the first one reads.
    memory block(memory x, memory shortcut, const row_tensors& t, const std::string& name, std::int64_t step) {
        const tail relu{.then = algorithm::eltwise_relu};
        memory read;
        auto first = convolution(x, t, name + "conv1", {3, step, 1}, how, relu, &read);
        return convolution(first, t, name + "conv2", {3, 1, 1}, how,
                           {.sum = shortcut ? shortcut : read, .then = algorithm::eltwise_relu});
    }
};

struct block : residual_net {
    block(const row_tensors& t, algorithm chosen) : residual_net(chosen) {
        const dims sizes = {1, 64, 56, 56};
        result(residual_net::block(given(t.inputs[0], sizes), {}, t, "", 1), plain(sizes));
    }
};

struct resnet18 : residual_net {
    resnet18(const row_tensors& t, algorithm chosen) : residual_net(chosen) {
        auto x = convolution(given(t.inputs[0], {1, 3, 224, 224}), t, "conv1", {7, 2, 3}, how,
                             {.then = algorithm::eltwise_relu});
        x = pool(x, algorithm::pooling_max, {3, 2, 1});
        for (const char* stage : {"1", "2", "3", "4"})
            for (const char* number : {"0", "1"}) {
                const auto name = std::string("layer") + stage + "." + number + ".";
                const bool halves = *stage > '1' && *number == '0';
                auto shortcut = halves ? convolution(x, t, name + "downsample", {1, 2, 0}, how) : memory();
                x = residual_net::block(x, shortcut, t, name, halves ? 2 : 1);
            }
        x = reordered(pool(x, algorithm::pooling_avg_exclude_padding, {7, 1, 0}), plain({1, 512, 1, 1}));
        result(linear(part(x, 0, plain({1, 512})), t, "fc"), plain({1, 1000}));
    }
};

struct mobilenet_v2 : onednn_net {
    explicit mobilenet_v2(const row_tensors& t) {
        const auto batch = static_cast<std::int64_t>(t.inputs[0].size()) / (3 * 224 * 224);
        auto x = walk_mobilenet_v2(
            given(t.inputs[0], {batch, 3, 224, 224}), [&](memory from, const image_layer& l, const memory* added) {
                tail with{.sum = added != nullptr ? *added : memory()};
                if (l.clipped) with.then = algorithm::eltwise_clip, with.then_beta = 6;
                return convolution(from, t, "conv" + std::to_string(l.index),
                                   {l.kernel, l.step, l.kernel / 2, l.groups}, algorithm::convolution_auto, with);
            });
        x = reordered(pool(x, algorithm::pooling_avg_exclude_padding, {7, 1, 0}), plain({batch, 1280, 1, 1}));
        result(linear(part(x, 0, plain({batch, 1280})), t, "fc"), plain({batch, 1000}));
    }
};

[[maybe_unused]] const bool added = [] {
    add_onednn<lenet>("lenet", "onednn");
    for (const auto& [name, how] : {std::pair("onednn", algorithm::convolution_auto),
                                    std::pair("onednn_winograd", algorithm::convolution_winograd)}) {
        add_onednn<block>("block", name, how);
        add_onednn<resnet18>("resnet18", name, how);
    }
    for (const char* row : {"mobilenet_v2_1", "mobilenet_v2_8"}) add_onednn<mobilenet_v2>(row, "onednn");
    return true;
}();

} // namespace

} // namespace bench
