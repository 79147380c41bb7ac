// SPDX-License-Identifier: MIT
// The built-in converters, one list: a new family's converters are added here.
#pragma once
#include <ahead/convert/matmul.hpp>

namespace ahead {

using builtin_converters = converter_list<convert::mm, convert::addmm>;

namespace device {
using registry = op_list<view, copy, matmul, pack_matmul, convolution, pack_convolution>;
}

} // namespace ahead
