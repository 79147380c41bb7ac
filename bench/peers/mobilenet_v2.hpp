// SPDX-License-Identifier: MIT
// MobileNetV2 at 224, batch norms folded, as a walk over its convolutions, by which each contender makes its own.
#pragma once

namespace bench {

/// A square convolution that keeps the sides, or halves them where step is 2: conv<index>.weight and .bias.
struct image_layer {
    int index, in, out, kernel, step, groups;
    bool clipped; // by relu6
};

/// What is before the mean and the last layer, fc[1000, 1280]. convolve(x, layer, added): a pointer to what is added to
/// its result, or none.
template <class X, class Convolve> constexpr X walk_mobilenet_v2(X x, Convolve convolve) {
    constexpr struct {
        int expansion, out, blocks, step;
    } stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                  {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    constexpr const X* none = nullptr;
    int index = 0, in = 32;
    x = convolve(x, image_layer{index++, 3, in, 3, 2, 1, true}, none);
    for (const auto& stage : stages)
        for (int block = 0; block < stage.blocks; ++block, in = stage.out) {
            const int wide = in * stage.expansion, step = block == 0 ? stage.step : 1;
            X y = x;
            if (wide != in) y = convolve(y, image_layer{index++, in, wide, 1, 1, 1, true}, none);
            y = convolve(y, image_layer{index++, wide, wide, 3, step, wide, true}, none);
            x = convolve(y, image_layer{index++, wide, stage.out, 1, 1, 1, false}, in == stage.out ? &x : none);
        }
    return convolve(x, image_layer{index++, in, 1280, 1, 1, 1, true}, none);
}

} // namespace bench
