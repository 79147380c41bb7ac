// SPDX-License-Identifier: MIT
// The workloads that are whole models, each in a translation unit of its own: <model>.cpp compiles its graph, the text
// that torch.export printed.
#pragma once
#include "compare.hpp"

namespace bench {

bool resnet18_w16(mode);
bool vit_tiny(mode);
bool gpt_block(mode);

} // namespace bench
