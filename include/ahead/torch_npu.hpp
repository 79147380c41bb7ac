// SPDX-License-Identifier: MIT
// torch_npu's operators, as TorchAir prints them in graphs: torch.ops.npu.npu_rms_norm.default(x, gamma, 1e-06). Not
// part of ahead.hpp, since every operator costs every translation unit compile time.
//     #include <ahead/ahead.hpp>
//     #include <ahead/torch_npu.hpp>
//     using program = ahead::compiled<ahead::fx<decoder, ahead::torch_npu::registry>, ahead::torch_npu::tools>;
// In C++: trace<torch_npu::registry>([](...) { auto [y, rstd] = npu_rms_norm(x, gamma); ... }).
#pragma once
#include <ahead/core/build.hpp>
#include <ahead/torch_npu/functions.hpp>
#include <ahead/torch_npu/registry.hpp>
#include <ahead/torch_npu/tools.hpp>
