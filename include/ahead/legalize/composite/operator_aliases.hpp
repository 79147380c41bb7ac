// SPDX-License-Identifier: MIT
// Alias names of operators. Called by write_out.hpp.
// Source of names: aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::detail {

/// An alias and its meaning, one per line: for all overloads, or, with a dot, for one; float_power.Tensor,
/// ldexp.default and pow.Tensor are those of the in-place calls. One text, because g++ evaluates each name of a list in
/// every program.
inline constexpr std::string_view operator_aliases = R"(__and__ bitwise_and
__iand__ bitwise_and_
__ilshift__ __lshift___
__ior__ bitwise_or_
__irshift__ __rshift___
__ixor__ bitwise_xor_
__lshift__ bitwise_left_shift
__or__ bitwise_or
__rshift__ bitwise_right_shift
__xor__ bitwise_xor
_unsafe_index_put index_put
absolute abs
arccos acos
arccosh acosh
arcsin asin
arcsinh asinh
arctan atan
arctan2 atan2
arctanh atanh
clip clamp
concat cat
concatenate cat
det linalg_det
divide div
fix trunc
float_power.Tensor float_power.Tensor_Tensor
floor_divide.Tensor floor_divide.default
ger outer
greater gt
greater_equal ge
ldexp.default ldexp.Tensor
less lt
less_equal le
linalg_matmul matmul
max.other maximum.default
min.other minimum.default
moveaxis movedim
multiply mul
negative neg
not_equal ne
pow.Tensor pow.Tensor_Tensor
row_stack vstack
slogdet linalg_slogdet
special_digamma digamma
special_erf erf
special_erfc erfc
special_erfinv erfinv
special_exp2 exp2
special_expit sigmoid
special_expm1 expm1
special_gammainc igamma
special_gammaincc igammac
special_gammaln lgamma
special_log1p log1p
special_log_softmax.default log_softmax.int
special_logit logit
special_logsumexp logsumexp
special_multigammaln mvlgamma
special_polygamma polygamma
special_psi digamma
special_round.default round.decimals
special_sinc sinc
special_softmax.default softmax.int
special_xlogy.default xlogy.Tensor
special_xlogy.other_scalar xlogy.Scalar_Other
special_xlogy.self_scalar xlogy.Scalar_Self
subtract sub
swapaxes swapdims
transpose_.default transpose.int
trapz trapezoid
true_divide div
)"sv;

/// The name that an alias refers to; empty if the name is not in the list.
constexpr std::string_view meaning_of_alias(std::string_view name) {
    for (auto rest = operator_aliases; !rest.empty();) {
        const auto line = rest.substr(0, rest.find('\n'));
        const auto size = line.find(' ');
        if (same_name(line.substr(0, size), name)) return line.substr(size + 1);
        rest.remove_prefix(line.size() + 1);
    }
    return {};
}

} // namespace ahead::detail
