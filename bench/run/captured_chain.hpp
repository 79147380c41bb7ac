// SPDX-License-Identifier: MIT
// adds as launches: its 100 adds captured one by one on the simulated device, and replayed as one launch. A record costs
// a call; nothing is fused.
#pragma once
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

#include <array>
#include <span>

#include "weights.hpp"

namespace bench {

class captured_chain {
public:
    explicit captured_chain(const chain_tensors& t)
        : side_(npu_.new_stream()), x_(npu_.to_device<vector>(elements(t.x))),
          step_(npu_.to_device<vector>(elements(t.step))), graph_(npu_) {
        ::ahead::npu::capture c(graph_, side_);
        y_ = x_;
        for (int i = 0; i < 100; ++i) y_ = c.launch([](auto a, auto b) { return add(a, b); }, y_, step_);
        c.end();
    }
    void operator()() { graph_.replay(side_); }
    std::array<float, 8> outputs() const { return y_.copy(); }

private:
    using vector = ::ahead::f32<8>;
    static std::span<const float, 8> elements(const tensor& t) { return std::span<const float, 8>{t.data(), 8}; }

    ::ahead::npu::context npu_{{.memory_bytes = 1 << 20}};
    ::ahead::npu::stream side_;
    ::ahead::npu::tensor<vector> x_, step_, y_;
    ::ahead::npu::graph graph_;
};

} // namespace bench
