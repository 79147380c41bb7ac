// SPDX-License-Identifier: MIT
// Names of the tensor forms of operators on numbers. Called by host_numbers.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

struct other_name {
    std::string_view from, to;
};
/// Operators on numbers with the equivalent tensor operator; overloads whose tensor form does not follow from their
/// name.
inline constexpr other_name tensor_names[] = {
    {"operator.add", "aten.add.Tensor"},
    {"operator.sub", "aten.sub.Tensor"},
    {"operator.mul", "aten.mul.Tensor"},
    {"operator.truediv", "aten.div.Tensor"},
    {"operator.pow", "aten.pow.Tensor_Tensor"},
    {"operator.floordiv", "aten.floor_divide.default"},
    {"operator.mod", "aten.remainder.Tensor"},
    {"operator.neg", "aten.neg.default"},
    {"operator.eq", "aten.eq.Tensor"},
    {"operator.ne", "aten.ne.Tensor"},
    {"operator.lt", "aten.lt.Tensor"},
    {"operator.le", "aten.le.Tensor"},
    {"operator.gt", "aten.gt.Tensor"},
    {"operator.ge", "aten.ge.Tensor"},
    {"operator.and_", "aten.logical_and.default"},
    {"operator.or_", "aten.logical_or.default"},
    {"aten.pow.Scalar", "aten.pow.Tensor_Tensor"},
    {"aten.where.ScalarOther", "aten.where.self"},
    {"aten.where.ScalarSelf", "aten.where.self"},
    {"aten.where.Scalar", "aten.where.self"},
    {"aten.fill_.Scalar", "aten.copy_.default"},
    {"aten.clamp.default", "aten.clamp.Tensor"},
    {"aten.clamp_min.default", "aten.clamp_min.Tensor"},
    {"aten.clamp_max.default", "aten.clamp_max.Tensor"},
};

} // namespace ahead::detail
