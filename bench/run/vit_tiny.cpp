// SPDX-License-Identifier: MIT
// vit_tiny: the graph that torch.export printed, against the program in vit_tiny.hpp.
#include "vit_tiny.hpp"

#include <string_view>
#include <vector>

#include "models.hpp"
#include "program.hpp"

namespace bench {

namespace graphs {
struct vit_tiny {
    static constexpr char text[] =
#include "vit_tiny.fx"
        ;
};
} // namespace graphs

static std::vector<named_tensor> weights_of(const vit_tiny_tensors& t) { return all_of(t.weights); }
static std::vector<const tensor*> inputs_of(const vit_tiny_tensors& t) { return {&t.images}; }

bool vit_tiny(mode what) {
    using ahead_program = program<::ahead::compiled<::ahead::fx<graphs::vit_tiny>>>;
    return workload<eigen::vit_tiny, ahead_program>(what, "vit_tiny", vit_tiny_tensors{});
}

} // namespace bench
