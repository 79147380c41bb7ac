// SPDX-License-Identifier: MIT
// XNNPACK's contenders, where it has operators for a row: products, the MLPs and images.
#include "xnnpack.hpp"

#include <array>
#include <list>

#include "mobilenet_v2.hpp"

namespace bench {

namespace {

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
    mlp(const row_tensors& t, std::array<std::size_t, 4> width) : x(given(t.inputs[0])) {
        const auto batch = x.size() / width[0];
        const auto layer = [&](const std::string& name, std::size_t in, std::size_t out, const buffer& from, buffer& to,
                               float least) {
            to = room(batch * out);
            dense(batch, in, out, t.weights[name + ".weight"], t.weights[name + ".bias"].data(), from, to, least);
        };
        layer("first", width[0], width[1], x, a, 0);
        layer("second", width[1], width[2], a, b, 0);
        layer("third", width[2], width[3], b, y, -all_of_them);
    }
    std::vector<float> outputs() const { return {y.begin(), y.end()}; }
};

struct lenet : xnnpack {
    buffer x, a, pooled, b, flat, c, d, y;
    explicit lenet(const row_tensors& t) : x(given(t.inputs[0])), c(room(120)), d(room(84)), y(room(10)) {
        convolution(t, "conv1", 1, 28, {5, 1, 2}, x, a, 0);
        max_pool(6, 1, 28, {2, 2, 0}, a, pooled);
        convolution(t, "conv2", 1, 14, {5, 1, 0}, pooled, b, 0);
        max_pool(16, 1, 10, {2, 2, 0}, b, flat);
        const auto& fc1 = t.weights["fc1.weight"]; // of [C, positions], here of [positions, C]
        const auto weight = turned(fc1.data(), 120, 16, 25);
        dense(1, 400, 120, {weight.begin(), weight.end()}, t.weights["fc1.bias"].data(), flat, c, 0);
        dense(1, 120, 84, t.weights["fc2.weight"], t.weights["fc2.bias"].data(), c, d, 0);
        dense(1, 84, 10, t.weights["fc3.weight"], t.weights["fc3.bias"].data(), d, y, -all_of_them);
    }
    std::vector<float> outputs() const { return {y.begin(), y.end()}; }
};

struct block : xnnpack {
    buffer x, a, b, y;
    explicit block(const row_tensors& t) : x(turned(t.inputs[0].data(), 1, 64, 56 * 56)) {
        convolution(t, "conv1", 1, 56, {3, 1, 1}, x, a, 0);
        convolution(t, "conv2", 1, 56, {3, 1, 1}, a, b, -all_of_them);
        add(b, x, y, 0);
    }
    std::vector<float> outputs() const {
        const auto plain = turned(y.data(), 1, 56 * 56, 64);
        return {plain.begin(), plain.end()};
    }
};

struct mobilenet_v2 : xnnpack {
    struct image {
        const buffer* elements;
        std::size_t side;
    };
    std::list<buffer> all; // the image and what each operator makes
    explicit mobilenet_v2(const row_tensors& t) {
        const auto batch = t.inputs[0].size() / (3 * 224 * 224);
        all.push_back(turned(t.inputs[0].data(), batch, 3, 224 * 224));
        const auto last =
            walk_mobilenet_v2(image{&all.back(), 224}, [&](const image& x, const image_layer& l, const image* added) {
                const window w{std::size_t(l.kernel), std::size_t(l.step), std::size_t(l.kernel / 2),
                               std::size_t(l.groups)};
                auto& y = all.emplace_back();
                const auto side = convolution(t, "conv" + std::to_string(l.index), batch, x.side, w, *x.elements, y,
                                              l.clipped ? 0 : -all_of_them, l.clipped ? 6 : all_of_them);
                if (added == nullptr) return image{&y, side};
                add(y, *added->elements, all.emplace_back(), -all_of_them);
                return image{&all.back(), side};
            });
        auto& means = all.emplace_back();
        mean(1280, batch, last.side * last.side, *last.elements, means);
        all.push_back(room(batch * 1000));
        dense(batch, 1280, 1000, t.weights["fc.weight"], t.weights["fc.bias"].data(), means, all.back(), -all_of_them);
    }
    std::vector<float> outputs() const { return {all.back().begin(), all.back().end()}; }
};

[[maybe_unused]] const bool added = [] {
    present().push_back("xnnpack");
    for (const char* n : {"8", "16", "32", "64", "128", "256", "512", "1024"})
        add_xnnpack<product>(std::string("gemm_") + n);
    for (const char* n : {"256", "1024", "4096"}) add_xnnpack<product>(std::string("gemv_") + n);
    add_xnnpack<mlp>("small_mlp", std::array<std::size_t, 4>{16, 32, 32, 8});
    for (const char* row : {"mnist_mlp_1", "mnist_mlp_32"}) add_xnnpack<mlp>(row, std::array<std::size_t, 4>{784, 512, 256, 10});
    add_xnnpack<lenet>("lenet");
    add_xnnpack<block>("block");
    for (const char* row : {"mobilenet_v2_1", "mobilenet_v2_8"}) add_xnnpack<mobilenet_v2>(row);
    return true;
}();

} // namespace

} // namespace bench
