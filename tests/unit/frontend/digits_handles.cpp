// SPDX-License-Identifier: MIT
// LeNet written by hand with typed handles reads digits as PyTorch did, and as the same model compiled from its text, bit for bit.
#include <ahead/ahead.hpp>

#include "harness.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_equal;

namespace {

struct lenet {
    param<"conv1.weight", f32<6, 1, 5, 5>> conv1_weight;
    param<"conv1.bias", f32<6>> conv1_bias;
    param<"conv2.weight", f32<16, 6, 5, 5>> conv2_weight;
    param<"conv2.bias", f32<16>> conv2_bias;
    param<"fc1.weight", f32<120, 400>> fc1_weight;
    param<"fc1.bias", f32<120>> fc1_bias;
    param<"fc2.weight", f32<84, 120>> fc2_weight;
    param<"fc2.bias", f32<84>> fc2_bias;
    param<"fc3.weight", f32<10, 84>> fc3_weight;
    param<"fc3.bias", f32<10>> fc3_bias;
};

inline constexpr auto net = trace([](lenet w, input<"x", f32<1, 1, 28, 28>> x) {
    auto a = max_pool2d<kernel<2, 2>>(relu(conv2d<padding<2, 2>>(x, w.conv1_weight, w.conv1_bias)));
    auto b = max_pool2d<kernel<2, 2>>(relu(conv2d(a, w.conv2_weight, w.conv2_bias)));
    auto c = relu(linear(view<1, 400>(b), w.fc1_weight, w.fc1_bias));
    auto d = relu(linear(c, w.fc2_weight, w.fc2_bias));
    return outputs(linear(d, w.fc3_weight, w.fc3_bias));
});
struct printed {
    static constexpr std::string_view text =
#include "digits.fx"
        ;
};
using from_handles = compiled<net>;
using from_text = compiled<fx<printed>>;

static_assert(100 * from_handles::plan.peak_bytes <= 105 * from_handles::plan.largest_live_bytes);
static_assert(from_handles::plan.peak_bytes == from_text::plan.peak_bytes);
static_assert(from_handles::plan.constant_bytes == from_text::plan.constant_bytes);

} // namespace

int main() {
    const auto images = load_npy("../examples/02_digits/images.npy");
    const auto recorded = load_npy("../examples/02_digits/logits.npy");
    const auto file = load_safetensors("../examples/02_digits/digits.safetensors");
    const auto weights = from_handles::prepare(file);
    const auto text_weights = from_text::prepare(file);
    from_handles::session run{weights};
    from_text::session run_text{text_weights};

    const auto pixels = images->as<std::uint8_t>();
    const auto expected = recorded->as<float>();
    const auto count = pixels.size() / 784;
    check_equal(count, 100u);
    check_equal(expected.size(), count * 10);
    for (std::size_t i = 0; i < count; ++i) {
        std::array<float, 784> image{};
        for (std::size_t p = 0; p < 784; ++p) image[p] = static_cast<float>(pixels[i * 784 + p]) / 255.0f;
        const auto [logits] = run(image);
        const auto [text_logits] = run_text(image);
        check(std::memcmp(logits.data(), text_logits.data(), sizeof(float) * 10) == 0);
        const auto wanted = expected.subspan(i * 10, 10);
        bool close = true;
        for (std::size_t k = 0; k < 10; ++k) close = close && std::abs(logits.data()[k] - wanted[k]) <= 1e-5f + 1e-4f * std::abs(wanted[k]);
        check(close);
        check_equal(std::max_element(logits.begin(), logits.end()) - logits.begin(),
                    std::max_element(wanted.begin(), wanted.end()) - wanted.begin());
    }
    return test::report();
}
