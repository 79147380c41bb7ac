// SPDX-License-Identifier: MIT
// MobileNetV2, as a text that is written here, with what batch it is for.
#include <array>
#include <string_view>

#include "ahead_rows.hpp"
#include "mobilenet_v2.hpp"

namespace {

struct writer {
    std::array<char, 32768> text{};
    std::size_t size = 0;

    constexpr void put(std::string_view word) {
        for (const char c : word) text[size++] = c;
    }
    constexpr void put(int number) {
        if (number >= 10) put(number / 10);
        text[size++] = static_cast<char>('0' + number % 10);
    }
    template <class... Words> constexpr void line(Words... words) {
        put("    ");
        (put(words), ...);
        put("\n");
    }
};

/// Layer i reads w<i> and b<i> and makes y<i>; the image is y99.
constexpr writer write(int batch) {
    writer w;
    w.put("def forward(self, y99: \"f32[");
    w.put(batch);
    w.put(", 3, 224, 224]\"):\n");
    const int last = bench::walk_mobilenet_v2(99, [&w](int x, const bench::image_layer& l, const int* added) {
        const int i = l.index, pad = l.kernel / 2;
        w.line("w", i, ": \"f32[", l.out, ", ", l.in / l.groups, ", ", l.kernel, ", ", l.kernel, "]\" = self.conv", i,
               ".weight");
        w.line("b", i, ": \"f32[", l.out, "]\" = self.conv", i, ".bias");
        w.line(l.clipped || added != nullptr ? "c" : "y", i, " = torch.ops.aten.convolution.default(y", x, ", w", i,
               ", b", i, ", [", l.step, ", ", l.step, "], [", pad, ", ", pad, "], [1, 1], False, [0, 0], ", l.groups,
               ")");
        if (l.clipped) w.line("y", i, " = torch.ops.aten.hardtanh.default(c", i, ", 0.0, 6.0)");
        else if (added != nullptr) w.line("y", i, " = torch.ops.aten.add.Tensor(c", i, ", y", *added, ")");
        return i;
    });
    w.line("mean = torch.ops.aten.mean.dim(y", last, ", [2, 3])");
    w.line("fc_weight: \"f32[1000, 1280]\" = self.fc.weight");
    w.line("fc_bias: \"f32[1000]\" = self.fc.bias");
    w.line("fc = torch.ops.aten.linear.default(mean, fc_weight, fc_bias)");
    w.line("return (fc,)");
    return w;
}

template <int Batch> struct mobilenet_v2 {
    static constexpr auto written = write(Batch);
    static constexpr std::string_view text{written.text.data(), written.size};
};

[[maybe_unused]] const bool added[] = {bench::add_ahead<ahead::fx<mobilenet_v2<1>>>("mobilenet_v2_1"),
                                       bench::add_ahead<ahead::fx<mobilenet_v2<8>>>("mobilenet_v2_8")};

} // namespace
