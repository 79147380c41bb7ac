// SPDX-License-Identifier: MIT
// README's listings, word for word, each in the place that the text around it gives it: compiled, and not run.
#include <ahead/ahead.hpp>
#include <ahead/convert/supported.hpp>
#include <ahead/dynamic/bounded/compiled_bounded.hpp>
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/npu/compiled_graphs.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>
#include <ahead/print/device_trace.hpp>
#include <ahead/print/log_graphs.hpp>
#include <ahead/print/log_tensors.hpp>
#include <ahead/torch_npu.hpp>

#include <iostream>

struct decoder {
    static constexpr std::string_view text = R"fx(def forward(self, x : f16[4, 8]):
    swiglu = torch.ops.npu.npu_swiglu.default(x)
    return (swiglu,)
)fx";
};
#include "what_runs_1.inc"
static_assert(layer::plan.ai_cpu_tasks == 0);

namespace text_door {
inline constexpr std::array<float, 784> image{};
#include "ahead_1.inc"

namespace machine {
#include "the_machine_1.inc"
} // namespace machine
} // namespace text_door

namespace forms {
#include "two_doors_1.inc"
static_assert(std::string_view(mlp::text) == " ... " && std::size(mlp::inputs) == 2);
} // namespace forms

namespace open_sizes {
#include "two_doors_2.inc"
static_assert(programs::accepted && programs::count == 3);
#include "two_doors_3.inc"
static_assert(bounded_decoder::accepted && bounded_decoder::most == 128);
#include "two_doors_4.inc"
static_assert(stepping::accepted && stepping::plan.inputs == 3 && stepping::plan.ai_cpu_tasks == 0);
} // namespace open_sizes

namespace handles {
#include "two_doors_5.inc"
#include "two_doors_6.inc"

namespace passes {
inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(x * 2); });
#include "passes_1.inc"
constexpr bool calls(std::string_view op) {
    for (node_id id : program::optimized_graph())
        if (program::optimized_graph()[id].target == op) return true;
    return false;
}
static_assert(calls("aten.add.Tensor") && !calls("aten.mul.Tensor")); // the pass finds what handles write
#include "passes_2.inc"
static_assert(pass::takes_context<add_on_several_cores>);
} // namespace passes
namespace rules {
#include "passes_3.inc"
} // namespace rules
} // namespace handles

namespace device {
using namespace ahead;
using namespace ahead::rooms;
inline void run(const std::array<float, 8>& values, npu::tensor<f32<1, 1, 28, 28>>& image, npu::tensor<f32<8>>& other) {
    const auto digits_weights = text_door::digits::prepare(load_safetensors("lenet.safetensors"));
#include "the_device_1.inc"
#include "the_device_2.inc"
#include "the_device_3.inc"
    using text_door::digits;
#include "the_device_4.inc"
}
} // namespace device

namespace operators {
namespace built_in {
using namespace ahead;
using namespace ahead::rooms;
using namespace ahead::aten;
#include "adding_an_operator_1.inc"
} // namespace built_in
namespace my {
struct gelu : ahead::aten::gelu {
    static constexpr std::string_view name = "my.gelu.default";
};
struct swish : ahead::aten::pointwise<1, ahead::promotion::keep, ahead::aten::domain::real> {
    static constexpr std::string_view name = "my.swish.default";
    static constexpr ahead::parameter schema[] = {ahead::required("self", ahead::parameter_kind::tensor), ahead::required("beta", ahead::parameter_kind::scalar)};
    template <class T> static constexpr T meaning(T x, T beta) { return x / (1 + ahead::math::exp(-beta * x)); }
};
} // namespace my
struct source {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[2, 3]"):
    gelu = torch.ops.my.gelu.default(x)
    return (gelu,)
)fx";
};
#include "adding_an_operator_2.inc"
static_assert(program::accepted);
namespace written {
using namespace ahead;
using namespace ahead::rooms;
#include "adding_an_operator_3.inc"
} // namespace written
} // namespace operators
