// SPDX-License-Identifier: MIT
// small_mlp with a batch that is a symbol: its gear for one row, run as the program that it is, and chosen at each call among
// four by comparing the batch.
#pragma once
#include <ahead/dynamic/gears/compiled_gears.hpp>

#include <array>
#include <span>

#include "ahead.hpp"
#include "program.hpp"
#include "weights.hpp"

namespace bench {

struct small_mlp_text {
    static constexpr char text[] =
        R"fx(def forward(self, weight1: "f32[32, 16]", bias1: "f32[32]", weight2: "f32[32, 32]", bias2: "f32[32]", weight3: "f32[8, 32]", bias3: "f32[8]", x: "f32[s0, 16]"):
    linear: "f32[s0, 32]" = torch.ops.aten.linear.default(x, weight1, bias1)
    relu: "f32[s0, 32]" = torch.ops.aten.relu.default(linear)
    linear_1: "f32[s0, 32]" = torch.ops.aten.linear.default(relu, weight2, bias2)
    relu_1: "f32[s0, 32]" = torch.ops.aten.relu.default(linear_1)
    linear_2: "f32[s0, 8]" = torch.ops.aten.linear.default(relu_1, weight3, bias3)
    return (linear_2,)
)fx";
    static constexpr ::ahead::fx_input inputs[] = {{"weight1", "first.weight"},  {"bias1", "first.bias"},
                                                   {"weight2", "second.weight"}, {"bias2", "second.bias"},
                                                   {"weight3", "third.weight"},  {"bias3", "third.bias"}};
};
using small_mlp_programs = ::ahead::compiled_gears<small_mlp_text, ::ahead::gears<"s0", 1, 2, 4, 8>>;

class small_mlp_gears {
public:
    explicit small_mlp_gears(const mlp_tensors& t)
        : weights_(small_mlp_programs::prepare(collected<small_mlp_programs::program<0>>(weights_of(t)))), run_(weights_),
          input_(t.input.begin(), t.input.end()) {
        input_.resize(8 * 16);
    }
    void operator()() {
        run_.visit({batch_}, [&](auto gear) {
            const auto [y] = gear(std::span<const float, gear.values[0] * 16>(input_));
            output_ = y.data();
        });
    }
    std::vector<float> outputs() const { return {output_, output_ + 8}; }

private:
    small_mlp_programs::prepared weights_;
    small_mlp_programs::session run_;
    std::vector<float> input_;
    volatile std::int64_t batch_ = 1;
    const float* output_ = nullptr;
};

} // namespace bench
