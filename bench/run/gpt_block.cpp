// SPDX-License-Identifier: MIT
// gpt_block: the graph that torch.export printed, against the program in gpt_block.hpp.
#include "gpt_block.hpp"

#include <string_view>
#include <vector>

#include "models.hpp"
#include "program.hpp"

namespace bench {

namespace graphs {
struct gpt_block {
    static constexpr char text[] =
#include "gpt_block.fx"
        ;
};
} // namespace graphs

static std::vector<named_tensor> weights_of(const gpt_block_tensors& t) { return all_of(t.weights); }
static std::vector<const tensor*> inputs_of(const gpt_block_tensors& t) { return {&t.tokens}; }

bool gpt_block(mode what) {
    using ahead_program = program<::ahead::compiled<::ahead::fx<graphs::gpt_block>>>;
    return workload<eigen::gpt_block, ahead_program>(what, "gpt_block", gpt_block_tensors{});
}

} // namespace bench
