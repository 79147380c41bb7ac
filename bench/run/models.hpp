// SPDX-License-Identifier: MIT
// The workloads that have a translation unit of their own: resnet_block.cpp, and whole models, where <model>.cpp compiles the
// text that torch.export printed.
#pragma once
#include "compare.hpp"

namespace bench {

bool resnet_block(mode);
bool resnet18_w16(mode);
bool vit_tiny(mode);
bool gpt_block(mode);

} // namespace bench
