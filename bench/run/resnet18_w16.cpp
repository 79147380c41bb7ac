// SPDX-License-Identifier: MIT
// resnet18_w16: the graph that torch.export printed, against the program in resnet18_w16.hpp.
#include "resnet18_w16.hpp"

#include <string_view>
#include <vector>

#include "models.hpp"
#include "program.hpp"

namespace bench {

namespace graphs {
struct resnet18_w16 {
    static constexpr char text[] =
#include "resnet18_w16.fx"
        ;
};
} // namespace graphs

static std::vector<named_tensor> weights_of(const resnet18_w16_tensors& t) { return all_of(t.weights); }
static std::vector<const tensor*> inputs_of(const resnet18_w16_tensors& t) { return {&t.image}; }

bool resnet18_w16(mode what) {
    using ahead_program = program<::ahead::compiled<::ahead::fx<graphs::resnet18_w16>>>;
    return workload<eigen::resnet18_w16, ahead_program>(what, "resnet18_w16", resnet18_w16_tensors{});
}

} // namespace bench
