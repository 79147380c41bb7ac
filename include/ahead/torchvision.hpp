// SPDX-License-Identifier: MIT
// torchvision's operators: roi_align, deform_conv2d, nms. Not part of ahead.hpp, since every operator costs every
// translation unit compile time.
//     #include <ahead/ahead.hpp>
//     #include <ahead/torchvision.hpp>
//     using program = ahead::compiled<ahead::fx<detector, ahead::torchvision::registry>, ahead::torchvision::tools>;
// With other operators: aten::registry::with<torchvision::roi_align, ...>, toolchain<>::with<the same, and
// samples_of_boxes and sampled_columns, which run roi_align and deform_conv2d on kernels>.
#pragma once
#include <ahead/convert/toolchain.hpp>
#include <ahead/torchvision/deform_conv2d.hpp>
#include <ahead/torchvision/nms.hpp>
#include <ahead/torchvision/roi_align.hpp>

namespace AHEAD_NAMESPACE::torchvision {

/// ATen's operators and torchvision's.
struct registry : aten::registry::with<roi_align, deform_conv2d, nms, nms_static> {};
/// Kernels run torchvision's, or the AI CPU: nms, and roi_align whose samples are not counted.
using tools = toolchain<>::with<roi_align, deform_conv2d, nms, nms_static, samples_of_boxes, sampled_columns>;

} // namespace ahead::torchvision
